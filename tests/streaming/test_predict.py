"""Files through a model: every format in and out, shards, and what a broken run leaves."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assay
from assay.data.options import ReadOptions
from assay.errors import DataError, ParameterError
from assay.prediction import DecisionRule
from assay.streaming.answer_columns import AnswerColumns
from assay.streaming.predict import Shard, predict_file, predict_files
from assay.streaming.question import Question
from assay.streaming.writers import WRITTEN_FORMATS, FastTextWriter, open_writer

TEXTS = ["Where is my parcel?", 'I want "my money", now', "Thank you so much!\nLove it", "Is the card declined?"]
NUMBERS = ["001", "2", "3", "4"]


@pytest.fixture(scope="module")
def model(shop_model):
    return assay.load(shop_model)


@pytest.fixture(scope="module")
def expected(model):
    return model.predict(TEXTS).tolist()


@pytest.fixture
def texts(tmp_path):
    """The same texts in a CSV file with another column."""
    path = tmp_path / "texts.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["id", "text"], *zip(NUMBERS, TEXTS, strict=True)])
    return str(path)


def rows_of(path):
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_csv_keeps_its_columns_and_order_and_gets_the_prediction(model, texts, expected, tmp_path):
    done = predict_file(model, texts, tmp_path / "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    assert list(rows[0]) == ["id", "text", "prediction"]
    assert [row["id"] for row in rows] == NUMBERS
    assert [row["text"] for row in rows] == TEXTS
    assert [row["prediction"] for row in rows] == expected
    assert (done.rows, done.unanswered, done.output) == (4, 0, str(tmp_path / "out.csv"))


@pytest.mark.parametrize("kind", [name for name in WRITTEN_FORMATS if name not in ("lines", "fasttext")])
def test_every_format_is_read_and_written(model, texts, expected, tmp_path, kind):
    first = tmp_path / f"copy.{kind}"
    predict_file(model, texts, first)
    predict_file(model, str(first), tmp_path / "again.csv")
    rows = rows_of(tmp_path / "again.csv")
    assert [row["prediction_2"] for row in rows] == expected
    assert [row["text"] for row in rows] == TEXTS
    assert [row["id"] for row in rows] == NUMBERS


def test_csv_keeps_its_delimiter(model, expected, tmp_path):
    (tmp_path / "in.csv").write_text("id;text\n1;Where is my parcel?\n")
    predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.csv")
    predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.tsv")
    assert (tmp_path / "out.csv").read_text() == f"id;text;prediction\n1;Where is my parcel?;{expected[0]}\n"
    assert (tmp_path / "out.tsv").read_text() == f"id\ttext\tprediction\n1\tWhere is my parcel?\t{expected[0]}\n"


def test_compressed_output_by_its_name(model, texts, expected, tmp_path):
    predict_file(model, texts, tmp_path / "out.jsonl.gz")
    lines = gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).decode().splitlines()
    assert [json.loads(line)["prediction"] for line in lines] == expected


def test_lines_get_one_answer_a_line_also_blank_ones(model, tmp_path):
    (tmp_path / "in.txt").write_text("Where is my parcel?\n\nThank you so much\n")
    done = predict_file(model, str(tmp_path / "in.txt"), tmp_path / "out.txt")
    answers = (tmp_path / "out.txt").read_text().splitlines()
    assert answers == model.predict(["Where is my parcel?", "", "Thank you so much"]).tolist()
    assert done.notes[-1].startswith("1 text is empty")


def test_texts_of_nothing_but_white_space_are_counted_with_the_empty_ones(model, tmp_path):
    rows = "text,row\n" + "".join(f'"{text}",1\n' for text in ("Where is my parcel?", "", " \t", "\u00a0\u2003", "a "))
    (tmp_path / "in.csv").write_text(rows, encoding="utf-8")
    done = predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.csv")
    assert done.notes[-1].startswith("3 texts are empty")


def test_fasttext_lines_are_label_and_text_on_one_line(model, texts, expected, tmp_path):
    done = predict_file(model, texts, tmp_path / "out.ft")
    lines = (tmp_path / "out.ft").read_text().splitlines()
    assert lines[2] == f"__label__{expected[2]} Thank you so much! Love it"
    assert len(lines) == 4
    again = assay.read(str(tmp_path / "out.ft"))
    assert [name.replace(" ", "_") for name in expected] == [example.label for example in again]
    assert isinstance(done.notes, tuple)


def test_fasttext_has_no_place_for_probabilities(model, texts, tmp_path):
    with pytest.raises(ParameterError, match="hold a label and a text, no probabilities"):
        predict_file(model, texts, tmp_path / "out.ft", question=Question(proba=True))
    assert not (tmp_path / "out.ft").exists()


def test_fasttext_writer_refuses_labels_that_would_become_one(tmp_path):
    with (tmp_path / "out.ft").open("wb") as file:
        writer = FastTextWriter(file)
        with pytest.raises(DataError, match="'a b' and 'a_b' would both be __label__a_b"):
            writer.write({"label": pa.array(["a b", "a_b"]), "text": pa.array(["x", "y"])})
        with pytest.raises(DataError, match="cannot leave a label out"):
            writer.write({"label": pa.array(["a", None]), "text": pa.array(["x", "y"])})


def test_probabilities_of_every_label(model, texts, tmp_path):
    predict_file(model, texts, tmp_path / "out.parquet", question=Question(proba=True))
    table = pq.read_table(tmp_path / "out.parquet")
    found = np.column_stack([table[f"p({label})"].to_numpy() for label in model.labels])
    np.testing.assert_allclose(found, model.predict_proba(TEXTS), atol=5.1e-7)  # six decimals are written


def test_best_labels_with_their_probabilities(model, texts, expected, tmp_path):
    predict_file(model, texts, tmp_path / "out.csv", question=Question(top=2))
    rows = rows_of(tmp_path / "out.csv")
    assert list(rows[0])[2:] == ["prediction", "probability", "prediction_2", "probability_2"]
    second = np.array(model.labels)[np.argsort(-model.predict_proba(TEXTS), axis=1)[:, 1]]
    assert [row["prediction_2"] for row in rows] == second.tolist()
    assert all(float(row["probability"]) >= float(row["probability_2"]) for row in rows)


def test_more_best_labels_than_there_are(model, texts, tmp_path):
    predict_file(model, texts, tmp_path / "out.csv", question=Question(top=99))
    assert "prediction_5" in rows_of(tmp_path / "out.csv")[0]
    assert "prediction_6" not in rows_of(tmp_path / "out.csv")[0]


def test_labels_below_the_threshold_are_left_empty(model, texts, tmp_path):
    best = model.predict_proba(TEXTS).max(axis=1)
    bound = float(np.sort(best)[1:3].mean())
    done = predict_file(model, texts, tmp_path / "out.csv", question=Question(threshold=bound))
    rows = rows_of(tmp_path / "out.csv")
    assert [bool(row["prediction"]) for row in rows] == (best >= bound).tolist()
    assert done.unanswered == 2


def test_two_labels_give_the_same_answers_in_a_file_as_in_python(tmp_path):
    model = assay.TextClassifier(learner="logistic").fit(["good film", "bad film"], ["+", "-"])
    (tmp_path / "in.csv").write_text("text\ngood\nbad\nfilm\n")
    predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.csv", question=Question(top=2))
    rows = rows_of(tmp_path / "out.csv")
    assert [row["prediction"] for row in rows] == model.predict(["good", "bad", "film"]).tolist()
    assert {row["prediction_2"] for row in rows} == {"+", "-"}


def test_a_model_without_probabilities_says_so_before_anything_is_written(score_model, texts, tmp_path):
    with pytest.raises(ParameterError, match="gives scores, not probabilities"):
        predict_file(assay.load(score_model), texts, tmp_path / "out.csv", question=Question(proba=True))
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"top": 0}, "top must be 1 or more"),
        ({"threshold": 1.5}, "between 0 and 1. Got 1.5"),
    ],
)
def test_questions_that_make_no_sense(settings, message):
    with pytest.raises(ParameterError, match=message):
        Question(**settings)


def test_a_column_of_that_name_is_not_overwritten(model, tmp_path):
    (tmp_path / "in.csv").write_text("text,prediction\nhello there,mine\n")
    predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.csv")
    assert rows_of(tmp_path / "out.csv")[0]["prediction"] == "mine"
    assert rows_of(tmp_path / "out.csv")[0]["prediction_2"] in model.labels


def test_shards_together_are_the_whole(model, texts, tmp_path):
    parts = []
    for part in range(1, 4):
        done = predict_file(model, texts, tmp_path / f"{part}.csv", shard=Shard(part, 3))
        parts.append(rows_of(tmp_path / f"{part}.csv") if done.rows else [])
        assert done.rows == len(parts[-1])
    predict_file(model, texts, tmp_path / "whole.csv")
    merged = [parts[k % 3][k // 3] for k in range(4)]
    assert merged == rows_of(tmp_path / "whole.csv")


@pytest.mark.parametrize("written", ["0/3", "4/3", "1", "a/b", "1/0"])
def test_shards_that_there_are_not(written):
    with pytest.raises(ParameterError, match="shard must be written as i/n"):
        Shard.parse(written)


def test_batches_give_the_same_answers_as_one(model, tmp_path):
    rng = np.random.default_rng(0)
    words = np.array(["where", "is", "my", "parcel", "card", "thank", "you", "money", "back", "the", "a", "of"])
    many = [" ".join(rng.choice(words, rng.integers(0, 30))) for _ in range(30_000)]
    path = tmp_path / "many.csv"
    path.write_text("n,text\n" + "".join(f"{i},{text}\n" for i, text in enumerate(many)))
    predict_file(model, str(path), tmp_path / "out.csv")
    assert [row["prediction"] for row in rows_of(tmp_path / "out.csv")] == model.predict(many).tolist()


def test_files_go_on_where_a_run_broke_off(model, texts, expected, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    for name in "abc":
        (tmp_path / "in" / f"{name}.csv").write_text("text\n" + "Where is my parcel?\n")
    (tmp_path / "out" / "b.csv").write_text("made before")
    sources = [str(tmp_path / "in" / f"{name}.csv") for name in "abc"]
    done = list(predict_files(model, sources, tmp_path / "out"))
    assert [result.finished_before for result in done] == [False, True, False]
    assert (tmp_path / "out" / "b.csv").read_text() == "made before"
    list(predict_files(model, sources, tmp_path / "out", force=True))
    assert (tmp_path / "out" / "b.csv").read_text() == (tmp_path / "out" / "a.csv").read_text()


def test_shards_of_several_files_are_files(model, tmp_path):
    sources = []
    for name in "abcde":
        (tmp_path / f"{name}.csv").write_text("text\nhello there\n")
        sources.append(str(tmp_path / f"{name}.csv"))
    (tmp_path / "out").mkdir()
    done = list(predict_files(model, sources, tmp_path / "out", to="jsonl", shard=Shard(2, 2)))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["b.jsonl", "d.jsonl"]
    assert len(done) == 2


@pytest.mark.parametrize(
    ("sources", "folder", "message"),
    [
        (["x/a.csv", "y/a.csv"], "out", "x/a.csv and y/a.csv would both be written to"),
        (["out/a.csv"], "out", r"out/a.csv would be written over out/a.csv, which is read\. Give the output another"),
        (["x/a.csv"], "file", r"file: this is a file, where a folder is to be made\. Give another name"),
    ],
)
def test_outputs_that_would_be_in_each_others_way(model, tmp_path, monkeypatch, sources, folder, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises((ParameterError, DataError), match=message):
        next(predict_files(model, sources, folder))


def test_a_failure_leaves_the_old_output_and_nothing_else(model, tmp_path):
    rows = "".join(f"a text,{i}\n" for i in range(300_000))
    (tmp_path / "in.csv").write_text("text,n\n" + rows + "one,two,three\n")
    (tmp_path / "out.csv").write_text("old")
    with pytest.raises(DataError, match="row 300002: 3 fields"):
        predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.csv", force=True)
    assert (tmp_path / "out.csv").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]


def test_an_interruption_leaves_the_old_output_and_nothing_else(model, texts, tmp_path):
    def interrupt(*_):
        assert len([path for path in tmp_path.iterdir() if path.name.startswith(".assay-")]) == 1
        raise KeyboardInterrupt

    (tmp_path / "out.csv").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        predict_file(model, texts, tmp_path / "out.csv", force=True, progress=interrupt)
    assert (tmp_path / "out.csv").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "texts.csv"]


def test_existing_output_is_not_replaced_unasked(model, texts, tmp_path):
    (tmp_path / "out.csv").write_text("old")
    with pytest.raises(ParameterError, match=r"the file exists\. Use force=True"):
        predict_file(model, texts, tmp_path / "out.csv")


def test_the_column_of_the_training_texts_is_expected(model, tmp_path):
    (tmp_path / "in.csv").write_text("review,txt\nhello there,x\n")
    with pytest.raises(
        DataError, match="there is no column 'text', which held the texts that the model was trained on"
    ):
        predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.csv")
    predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.csv", options=ReadOptions(text="review"))
    assert rows_of(tmp_path / "out.csv")[0]["prediction"] in model.labels


def test_lists_and_objects_stay_what_they_are_in_json_lines(model, tmp_path):
    rows = [{"text": "hello", "tags": ["a"], "of": {"n": 1.50}}, {"text": "there", "tags": None, "of": {"n": {}}}]
    late = [{"text": "again", "tags": "[odd", "of": "text"}]
    lines = [json.dumps(row) for row in [*rows, *[rows[0]] * 1000, *late]]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    predict_file(model, str(tmp_path / "in.jsonl"), tmp_path / "out.jsonl")
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for row in found:
        assert row.pop("prediction") in model.labels
    assert found == [*rows, *[rows[0]] * 1000, *late]


def test_missing_texts_of_a_typed_column_are_empty_texts(model, tmp_path):
    pq.write_table(pa.table({"text": ["hello there", None], "n": [1, 2]}), tmp_path / "in.parquet")
    done = predict_file(model, str(tmp_path / "in.parquet"), tmp_path / "out.jsonl")
    second = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[1])
    assert second["prediction"] == model.predict([""])[0]
    assert "1 text is empty" in done.notes[-1]


def test_a_column_that_changes_its_type_cannot_be_one_of_parquet(tmp_path):
    with (tmp_path / "out.parquet").open("wb") as file:
        writer = open_writer(file, "parquet")
        writer.write({"n": pa.array([1])})
        with pytest.raises(DataError, match="does not have the same type throughout"):
            writer.write({"n": pa.array(["a"])})


def test_unknown_format_to_write():
    with pytest.raises(ParameterError, match=r"does not write the format 'cvs'\. It writes 'csv'"):
        open_writer(None, "cvs")


def test_answers_count_what_a_rule_leaves_open():
    model = assay.TextClassifier(learner="logistic").fit(["good film", "bad film", "good"], ["+", "-", "+"])
    rule = DecisionRule(model.labels, abstain_below=0.99)
    careful = assay.TextClassifier.from_parts(replace(model.model, rule=rule))
    answers = AnswerColumns(careful, Question(), [])
    assert answers.columns(pa.array(["good", "bad"]))["prediction"].to_pylist() == [None, None]
    assert answers.unanswered == 2


def test_where_a_rule_abstains_the_best_label_and_its_probability_are_not_lost():
    model = assay.TextClassifier(learner="logistic").fit(["good film", "bad film", "good", "bad"], list("+-+-"))
    careful = assay.TextClassifier.from_parts(
        replace(model.model, rule=DecisionRule(model.labels, abstain_below=0.999))
    )
    texts = pa.array(["good", "bad bad"])
    table = model.predict_proba(texts.to_pylist())
    found = AnswerColumns(careful, Question(top=2), []).columns(texts)
    assert found["prediction"].to_pylist() == [None, None]
    assert found["prediction_2"].to_pylist() == model.predict(texts.to_pylist()).tolist() == ["+", "-"]
    for name in ("probability", "probability_2"):
        assert found[name].to_pylist() == pytest.approx(table.max(axis=1), abs=1e-6)  # six decimals are written
    alone = AnswerColumns(careful, Question(threshold=0.1), []).columns(texts)
    assert alone["probability"].to_pylist() == pytest.approx(table.max(axis=1), abs=1e-6)
