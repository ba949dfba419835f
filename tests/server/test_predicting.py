"""Questions that a server answers, and that it cannot answer."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import assay
from assay.prediction.decision_rule import DecisionRule
from assay.samples import SHOP_MESSAGES

TEXTS = ["where is my parcel?", "I was charged twice", "thank you, lovely service"]


@pytest.fixture(scope="module")
def models(shop_model: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("served-models")
    sets = assay.TextClassifier().fit(
        ["ball goal", "vote", "ball vote", "rain", "goal ball", "vote law"],
        [["sport"], ["law"], ["law", "sport"], [], ["sport"], ["law"]],
    )
    sets.save(folder / "topics.assay")
    texts = ["loved it", "great fun", "so dull", "a mess"] * 5
    rule = DecisionRule(("neg", "pos"), abstain_below=0.6)
    unsure = assay.TextClassifier(learner="nb", rule=rule).fit(texts, ["pos", "pos", "neg", "neg"] * 5)
    unsure.save(folder / "unsure.assay")
    new = assay.TextClassifier(learner="logistic", learn_novelty=True).fit(assay.read(str(SHOP_MESSAGES)))
    new.save(folder / "new.assay")
    assay.TextClassifier(learner="svm").fit(texts, ["pos", "pos", "neg", "neg"] * 5).save(folder / "scores.assay")
    return {"shop": shop_model, **{path.stem: path for path in folder.iterdir()}}


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any], models: dict[str, Path]) -> Any:
    return serve(models["shop"], models["topics"].parent)


def ask(server: Any, **body: Any) -> Any:
    return server.ask("POST", "/predict", {"model": "shop", **body})


def test_answers_are_those_of_the_model(server: Any, models: dict[str, Path]) -> None:
    loaded = assay.load(models["shop"])
    found = ask(server, texts=TEXTS).json
    assert found["model"] == {"name": "shop", "sha256": hashlib.sha256(models["shop"].read_bytes()).hexdigest()}
    assert [answer["prediction"] for answer in found["answers"]] == loaded.predict(TEXTS).tolist()
    for answer, row in zip(found["answers"], loaded.predict_proba(TEXTS), strict=True):
        assert answer["probabilities"] == pytest.approx(dict(zip(loaded.labels, row, strict=True)), abs=1e-6)
        assert next(iter(answer["probabilities"])) == answer["prediction"]


def test_probabilities_can_be_few_or_left_out(server: Any) -> None:
    assert len(ask(server, texts=TEXTS, top=2).json["answers"][0]["probabilities"]) == 2
    assert ask(server, texts=TEXTS[:1], proba=False).json["answers"] == [{"prediction": "delivery"}]


def test_an_improbable_label_is_not_given(server: Any) -> None:
    assert ask(server, texts=["qwertz"], threshold=0.99).json["answers"][0]["prediction"] is None


def test_a_rule_that_abstains_gives_no_label(server: Any) -> None:
    found = ask(server, model="unsure", texts=["great fun", "rain"]).json["answers"]
    assert [answer["prediction"] for answer in found] == ["pos", None]


def test_sets_of_labels_are_lists(server: Any) -> None:
    found = ask(server, model="topics", texts=["goal", "a vote about the ball"]).json
    assert [answer["prediction"] for answer in found["answers"]] == [["sport"], ["law", "sport"]]


def test_novelty_is_told_and_rejects(server: Any) -> None:
    texts = ["where is my parcel?", "zwölf Boxkämpfer jagen Viktor"]
    found = ask(server, model="new", texts=texts, novelty=True).json["answers"]
    assert 0 <= found[0]["novelty"] < found[1]["novelty"] <= 1
    rejected = ask(server, model="new", texts=texts[1:], reject=found[1]["novelty"] - 1e-5).json["answers"]
    assert rejected[0]["prediction"] is None


def test_a_model_of_scores_has_no_probabilities(server: Any) -> None:
    assert ask(server, model="scores", texts=["great fun"]).json["answers"] == [
        {"prediction": "pos", "probabilities": None}
    ]
    refused = ask(server, model="scores", texts=["great fun"], proba=True)
    assert refused.status == 422
    assert refused.error["what"] == "This model gives scores, not probabilities: it was not trained to."


def test_a_model_is_named_where_there_are_several(server: Any) -> None:
    refused = server.ask("POST", "/predict", {"texts": ["great fun"]})
    assert refused.status == 400
    assert refused.error["where"] == "field 'model'"
    assert "'shop'" in refused.error["way_out"]
    unknown = ask(server, model="shup", texts=["great fun"])
    assert unknown.status == 404
    assert unknown.error["what"] == "There is no model 'shup'."
    assert unknown.error["way_out"].startswith("The server has 5 models: 'shop', ")


def test_models_are_listed_and_have_cards(server: Any, models: dict[str, Path]) -> None:
    listed = server.ask("GET", "/models").json["models"]
    assert [model["name"] for model in listed] == ["shop", "new", "scores", "topics", "unsure"]
    assert listed[3]["task"] == "label-sets"
    one = server.ask("GET", "/models/shop").json
    assert one["provenance"]["data"]["text_column"] == "text"
    assert one["card"]["sections"][0]["title"] == "Model details"
    assert str(models["shop"].parent) not in json.dumps(one)


def test_an_explanation_says_what_each_word_does(server: Any) -> None:
    found = server.ask("POST", "/explain", {"model": "shop", "text": TEXTS[0], "top": 3}).json
    assert found["explanation"]["label"] == "delivery"
    assert len(found["explanation"]["features"]) == 3
    refused = server.ask("POST", "/explain", {"model": "shop", "text": TEXTS[0], "label": "delivry"})
    assert refused.status == 422
    assert refused.error["way_out"].startswith("Labels are 'delivery', ")


def test_rows_of_csv_come_back_with_answers(server: Any) -> None:
    rows = "id,text\n" + "".join(f'{k},"{TEXTS[k % 3]}"\n' for k in range(5000))
    found = server.ask("POST", "/predict?model=shop&top=1", rows, Content_Type="text/csv")
    assert found.status == 200
    assert found.headers["content-type"] == "text/csv; charset=utf-8"
    lines = found.body.decode().splitlines()
    assert len(lines) == 5001
    assert lines[0] == "id,text,prediction,probability"
    assert lines[1].startswith("0,where is my parcel?,delivery,0.")
    assert found.headers["x-assay-model"] == "shop"


def test_rows_of_ndjson_keep_what_they_have(server: Any) -> None:
    rows = '{"n": 1, "text": "goal", "also": [1, {"a": null}]}\n{"n": 2, "text": "rain", "also": []}\n'
    found = server.ask("POST", "/predict?model=topics", rows, Content_Type="application/x-ndjson")
    assert [json.loads(line) for line in found.body.splitlines()] == [
        {"n": 1, "text": "goal", "also": [1, {"a": None}], "prediction": ["sport"]},
        {"n": 2, "text": "rain", "also": [], "prediction": []},
    ]


def test_an_arrow_stream_comes_back_as_one(server: Any, models: dict[str, Path]) -> None:
    table, sink = pa.table({"text": TEXTS * 20_000, "n": list(range(60_000))}), io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    kind = "application/vnd.apache.arrow.stream"
    found = server.ask("POST", "/predict?model=shop", sink.getvalue(), Content_Type=kind)
    back = pa.ipc.open_stream(found.body).read_all()
    assert back.column_names == ["text", "n", "prediction"]
    assert back["n"].to_pylist() == table["n"].to_pylist()
    assert back["prediction"].to_pylist() == assay.load(models["shop"]).predict(TEXTS).tolist() * 20_000


@pytest.mark.parametrize(
    ("path", "kind", "body", "status", "said"),
    [
        ("?model=shop", "text/csv", "", 400, "The body is empty."),
        ("?model=shop&txt=a", "text/csv", "text\na\n", 422, "There is no parameter 'txt'."),
        ("?model=shop&top=x", "text/csv", "text\na\n", 422, "Got 'x' instead."),
        ("?model=shop&top=0", "text/csv", "text\na\n", 422, "top must be 1 or more. Got 0 instead."),
        ("?model=shop&text=review", "text/csv", "text\na\n", 422, "'review'"),
        ("?model=shop", "application/x-ndjson", '{"text": "a"}\n{"text":\n', 422, "body, row 2: invalid JSON"),
        ("?model=shop", "application/vnd.apache.arrow.stream", "no arrow", 422, "Arrow file cannot be read"),
        ("?model=nobody", "text/csv", "text\na\n", 404, "There is no model 'nobody'."),
        ("?model=shop", "text/csv; charset=klingon", "text\na\n", 422, "There is no encoding 'klingon'."),
        ("", "text/csv", "text\na\n", 400, "The request does not say which model it asks."),
        ("?model=shop", "text/csv", b"\x1f\x8b\x08\x00", 415, "The body is compressed."),
    ],
)
def test_rows_that_cannot_be_answered_are_refused(
    server: Any, path: str, kind: str, body: str | bytes, status: int, said: str
) -> None:
    found = server.ask("POST", f"/predict{path}", body, Content_Type=kind)
    assert found.status == status
    assert said in found.error["what"]
    assert "/tmp" not in found.body.decode()
