"""Who wrote the outputs of a folder: kept beside them, and compared when a run goes on."""

from __future__ import annotations

import json

import pytest

from assay.errors import ParameterError
from assay.streaming.folder_record import FolderRecord, Maker

SHOP = Maker({"file": "shop.assay", "sha256": "1" * 64}, ("--top", "2"))
OTHER = Maker({"file": "other.assay", "sha256": "2" * 64}, ("--top", "2"))


@pytest.fixture
def outputs(tmp_path):
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        path.write_text("text,prediction\n")
    return paths


def test_outputs_of_the_same_model_and_options_are_taken(tmp_path, outputs):
    record = FolderRecord(tmp_path, SHOP)
    for output in outputs:
        record.add(output)
    FolderRecord(tmp_path, SHOP).refuse_others([*outputs, tmp_path / "not-there.csv"])
    renamed = Maker({**SHOP.model, "file": "renamed.assay"}, SHOP.options)
    FolderRecord(tmp_path, renamed).refuse_others(outputs)  # a model is what is in it, not what it is called
    lines = [json.loads(line) for line in (tmp_path / ".assay-predict.jsonl").read_text().splitlines()]
    assert [(line["output"], line["model"], line["options"]) for line in lines] == [
        ("a.csv", dict(SHOP.model), ["--top", "2"]),
        ("b.csv", dict(SHOP.model), ["--top", "2"]),
    ]


def test_outputs_of_another_model_are_refused(tmp_path, outputs):
    for output in outputs:
        FolderRecord(tmp_path, OTHER).add(output)
    with pytest.raises(ParameterError) as refused:
        FolderRecord(tmp_path, SHOP).refuse_others(outputs)
    assert str(refused.value) == (
        f"{outputs[0]} (and 1 other) is there already, and another model wrote it: other.assay@222222222222, and this "
        "is shop.assay@111111111111: the answers of both would be mixed. Give another folder, or add force=True to "
        "make all outputs again."
    )


def test_outputs_of_other_options_are_refused(tmp_path, outputs):
    FolderRecord(tmp_path, Maker(SHOP.model)).add(outputs[0])
    with pytest.raises(ParameterError, match=r"it was written without options, and this is asked for with --top 2:"):
        FolderRecord(tmp_path, SHOP).refuse_others(outputs[:1])


def test_outputs_of_nobody_known_are_refused(tmp_path, outputs):
    (tmp_path / ".assay-predict.jsonl").write_text('{"output": "a.csv", "mod\n[]\n{"output": "a.csv"}\n')
    with pytest.raises(ParameterError, match=r"a\.csv is there already, and nothing says which model wrote it:"):
        FolderRecord(tmp_path, SHOP).refuse_others(outputs[:1])


def test_of_several_writers_the_last_one_counts(tmp_path, outputs):
    FolderRecord(tmp_path, OTHER).add(outputs[0])
    FolderRecord(tmp_path, SHOP, "1-of-2").add(outputs[0])
    FolderRecord(tmp_path, SHOP).refuse_others(outputs[:1])
    assert sorted(path.name for path in tmp_path.glob(".assay*")) == [
        ".assay-predict.1-of-2.jsonl",
        ".assay-predict.jsonl",
    ]
    with pytest.raises(ParameterError, match=r"another model wrote it: shop\.assay@111111111111"):
        FolderRecord(tmp_path, OTHER).refuse_others(outputs[:1])
