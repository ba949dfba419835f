from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from assay.errors import DataError, ParameterError
from assay.training import TrainingRun
from assay.training.run_folder import new_folder, write_run

MODEL = {"file": "x.assay", "sha256": "0" * 64}


def test_a_run_leaves_settings_metrics_predictions_and_a_card(searched: TrainingRun, tmp_path: Path) -> None:
    write_run(searched, tmp_path, {"data": ["x.csv"]}, MODEL)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "card.md",
        "metrics.json",
        "predictions.parquet",
        "settings.toml",
    ]
    metrics = json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["evaluation"]["metrics"]["accuracy"]["value"] == searched.evaluation.accuracy.value  # type: ignore[union-attr]
    assert {"name", "round", "score", "survived", "stopped", "seconds", "train"} == set(metrics["candidates"][0])
    card = (tmp_path / "card.md").read_text(encoding="utf-8")
    assert f"{searched.evaluation.accuracy.value:.3f}" in card  # type: ignore[union-attr]
    assert searched.members[0].recipe.features in card


def test_predictions_hold_every_text_with_its_probabilities(searched: TrainingRun, tmp_path: Path) -> None:
    write_run(searched, tmp_path, {}, MODEL)
    table = pq.read_table(tmp_path / "predictions.parquet")
    assert table.num_rows == len(searched.train) + len(searched.test)  # type: ignore[arg-type]
    assert json.loads(table.schema.metadata[b"labels"]) == list(searched.labels)
    first = table.slice(0, 1).to_pylist()[0]
    assert first["part"] == "train"
    assert first["confidence"] == pytest.approx(max(first["probabilities"]), rel=1e-6)


def test_a_folder_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), new_folder(tmp_path / "a.run", force=False) as folder:
        (folder / "half" / "not there").write_text("x")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    old = tmp_path / "a.run"
    old.mkdir()
    (old / "kept").write_text("x")
    with pytest.raises(ZeroDivisionError), new_folder(old, force=True):
        raise ZeroDivisionError
    assert [path.name for path in old.iterdir()] == ["kept"]
    with new_folder(old, force=True) as folder:
        (folder / "new").write_text("y")
    assert [path.name for path in old.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.run"]


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(DataError, match=r"the folder '.*nowhere' does not exist. Make it first"),
        new_folder(tmp_path / "nowhere" / "m.run", force=False),
    ):
        pass
    (tmp_path / "m.run").mkdir()
    with (
        pytest.raises(ParameterError, match=r"the folder exists. Use force=True"),
        new_folder(tmp_path / "m.run", force=False),
    ):
        pass
