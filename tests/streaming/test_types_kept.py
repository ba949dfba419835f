"""Parquet and Arrow files keep the types and the metadata of their columns, pandas' own among them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import assay
from assay.data.options import ReadOptions
from assay.streaming import Question, convert_files, predict_file

ENDINGS = ("parquet", "arrow")


def table() -> pd.DataFrame:
    """Everything that pandas keeps beside Arrow's own types."""
    return pd.DataFrame(
        {
            "text": ["loved it", "so dull", "great fun", "what a mess"],
            "label": pd.Categorical(["pos", "neg", "pos", "neg"], categories=["unsure", "pos", "neg"], ordered=True),
            "stars": pd.array([5, None, 4, 1], dtype="Int8"),
            "kind": pd.Categorical(["b", None, "b", "c"], categories=["c", "b", "a"]),
            "when": pd.to_datetime(["2020-01-01"] * 4).tz_localize("Europe/Berlin"),
        },
        index=pd.Index([10, 20, 30, 40], name="id"),
    )


def arrow_table(path: Path) -> pa.Table:
    return pq.read_table(path) if path.suffix == ".parquet" else feather.read_table(path, memory_map=False)


def write(found: pa.Table, path: Path, rows: int | None = None) -> Path:
    """Write a table in pieces of so many rows."""
    if path.suffix == ".parquet":
        pq.write_table(found, path, row_group_size=rows)
    else:
        with pa.ipc.new_file(path, found.schema) as file:
            file.write_table(found, max_chunksize=rows)
    return path


@pytest.mark.parametrize("before", ENDINGS)
@pytest.mark.parametrize("after", ENDINGS)
def test_a_frame_of_pandas_comes_back_as_it_was(tmp_path: Path, before: str, after: str) -> None:
    source = write(pa.Table.from_pandas(table()), tmp_path / f"a.{before}")
    convert_files([str(source)], tmp_path / f"b.{after}")
    back = arrow_table(tmp_path / f"b.{after}")
    copied = arrow_table(write(arrow_table(source), tmp_path / f"copied.{after}"))  # what the format itself can keep
    assert back.schema.equals(copied.schema)
    pd.testing.assert_frame_equal(back.to_pandas(), table())


@pytest.mark.parametrize("ending", ENDINGS)
def test_answers_stand_beside_what_was_there(tmp_path: Path, ending: str) -> None:
    model = assay.train(
        ["loved it", "so dull", "great fun", "a mess"] * 3, ["pos", "neg"] * 6, learner="nb", ngrams="1"
    )
    source = write(pa.Table.from_pandas(table()), tmp_path / f"a.{ending}")
    predict_file(model, str(source), tmp_path / f"b.{ending}", question=Question(proba=True))
    back = arrow_table(tmp_path / f"b.{ending}").to_pandas()
    pd.testing.assert_frame_equal(back[table().columns], table())
    added = [name for name in back.columns if name not in table().columns]
    assert back[added[0]].tolist() == ["pos", "neg", "pos", "neg"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_rows_that_are_left_out_leave_the_index_of_the_others(tmp_path: Path, ending: str) -> None:
    frame = table()
    frame.loc[20, "text"] = ""
    source = write(pa.Table.from_pandas(frame), tmp_path / f"a.{ending}")
    convert_files([str(source)], tmp_path / f"b.{ending}", options=ReadOptions(skip_empty=True))
    pd.testing.assert_frame_equal(arrow_table(tmp_path / f"b.{ending}").to_pandas(), frame.drop(index=20))


@pytest.mark.parametrize("ending", ENDINGS)
def test_pieces_with_other_categories_are_put_together(tmp_path: Path, ending: str) -> None:
    """Arrow's file format lets categories be added from piece to piece, not replaced."""
    rng = np.random.default_rng(0)
    names: list[str | None] = [f"c{i}" for i in rng.permutation(40_000) % 60]
    names[-1] = None
    halves = [pa.array(half).dictionary_encode() for half in (names[:20_000], names[20_000:])]
    files = [
        str(write(pa.table({"text": ["words"] * 20_000, "kind": half}), tmp_path / f"{i}.parquet"))
        for i, half in enumerate(halves)
    ]
    convert_files(files, tmp_path / f"b.{ending}", options=ReadOptions(label=False))
    back = arrow_table(tmp_path / f"b.{ending}")
    assert back.schema.field("kind").type == pa.dictionary(pa.int32(), pa.string())
    assert back["kind"].to_pylist() == names


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.binary()])
@pytest.mark.parametrize("ending", ENDINGS)
def test_texts_keep_their_type(tmp_path: Path, ending: str, kind: pa.DataType) -> None:
    values = pa.array(["naïve", "two"]).cast(kind)
    try:
        source = write(pa.table({"text": values, "note": values}), tmp_path / f"a.{ending}")
    except pa.ArrowNotImplementedError as absent:  # of older versions of pyarrow: views in Parquet
        pytest.skip(str(absent))
    convert_files([str(source)], tmp_path / f"b.{ending}")
    back, before = arrow_table(tmp_path / f"b.{ending}"), arrow_table(source)
    assert back.schema.equals(before.schema)
    assert back.equals(before)


def test_class_labels_of_hugging_face_get_names_and_are_no_longer_described_as_numbers(
    tmp_path: Path,
) -> None:
    described = {"info": {"features": {"label": {"names": ["neg", "pos"], "_type": "ClassLabel"}}}}
    source = pa.table({"text": ["a b", "c d"], "label": [1, 0]}).replace_schema_metadata(
        {"huggingface": json.dumps(described), "mine": "kept"}
    )
    convert_files([str(write(source, tmp_path / "a.parquet"))], tmp_path / "b.parquet")
    back = arrow_table(tmp_path / "b.parquet")
    assert back["label"].to_pylist() == ["pos", "neg"]
    assert back.schema.metadata == {b"mine": b"kept"}
