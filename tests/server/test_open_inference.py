"""The Open Inference protocol as functions: bytes to texts, answers to bytes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tritonclient.utils import deserialize_bytes_tensor, serialize_byte_tensor

from assay import TextClassifier
from assay.server.answers import answers_to
from assay.server.binary_tensors import BrokenTensorError, read_elements, write_elements
from assay.server.errors import ApiError
from assay.server.open_inference import (
    InferQuestion,
    check_size,
    metadata_of,
    outputs_of,
    read_request,
    version_of,
    write_response,
)
from assay.server.served_model import ServedModel
from assay.streaming.question import Question

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)


def served(model: TextClassifier) -> ServedModel:
    return ServedModel("shop", "0123456789abcdef" * 4, model)


@pytest.fixture(scope="module")
def one_label() -> ServedModel:
    texts = ["good", "bad", "so-so", "good fun", "bad luck", "so-so day"]
    return served(TextClassifier(learner="nb").fit(texts, ["pos", "neg", "mid"] * 2))


@pytest.fixture(scope="module")
def sets() -> ServedModel:
    texts = ["tax and football", "tax", "football", "weather"] * 3
    labels = [("politics", "sport"), ("politics",), ("sport",), ()] * 3
    return served(TextClassifier(learner="logistic").fit(texts, labels))


def asked_for(request: dict[str, Any], tail: bytes = b"", outputs: Any = ("label", "answered")) -> InferQuestion:
    body = json.dumps(request).encode()
    return read_request(body + tail, str(len(body)) if tail else None, outputs)


def refusal(request: dict[str, Any], tail: bytes = b"") -> ApiError:
    with pytest.raises(ApiError) as caught:
        asked_for(request, tail, ["label", "answered", "probabilities"])
    assert caught.value.status == 400
    return caught.value


def tensor(texts: list[str], **more: Any) -> dict[str, Any]:
    return {"name": "text", "datatype": "BYTES", "shape": [len(texts)], "data": texts} | more


def in_bytes(texts: list[str], **more: Any) -> tuple[dict[str, Any], bytes]:
    data = write_elements([text.encode() for text in texts])
    told = {"name": "text", "datatype": "BYTES", "shape": [len(texts)]}
    return {"inputs": [told | {"parameters": {"binary_data_size": len(data)}} | more]}, data


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_elements_are_those_of_tritons_own_client(elements: list[bytes]) -> None:
    written = write_elements(elements)
    assert read_elements(written) == elements
    if elements:
        assert written == serialize_byte_tensor(np.array(elements, dtype=object)).item()
        assert deserialize_bytes_tensor(written).tolist() == elements


@given(st.binary(max_size=60))
def test_any_bytes_are_elements_or_refused(data: bytes) -> None:
    try:
        elements = read_elements(data)
    except BrokenTensorError:
        return
    assert write_elements(elements) == data


@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_texts_are_the_same_as_json_and_as_bytes(texts: list[str]) -> None:
    assert asked_for({"inputs": [tensor(texts)]}).texts == texts
    assert asked_for(*in_bytes(texts)).texts == texts
    column = tensor([[text] for text in texts], shape=[len(texts), 1])  # type: ignore[misc]
    assert asked_for({"inputs": [column]}).texts == texts


@given(st.binary(max_size=300), st.none() | st.text(max_size=6) | st.integers(0, 320).map(str))
def test_any_bytes_are_refused_in_our_words(body: bytes, header_length: str | None) -> None:
    with pytest.raises(ApiError) as caught:  # none of them is a request by chance
        read_request(body, header_length, ["label"])
    error = caught.value
    assert (error.status, bool(error.what), bool(error.where), bool(error.way_out)) == (400, True, True, True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["text", "BYTES", "label", "é"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "datatype", "shape", "data", "parameters", "binary_data_size", "threshold"]), inner
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["inputs", "outputs", "parameters", "id", "x"]), JSON))
def test_any_json_is_read_or_refused_in_our_words(request: dict[str, Any]) -> None:
    request.setdefault("inputs", [tensor(["a"])])
    refused = None
    try:
        asked_for(request)
    except ApiError as error:
        refused = error
    assert refused is None or (refused.status in (400, 422) and refused.what.endswith(".") and refused.way_out)


@pytest.mark.parametrize(
    ("change", "where", "said"),
    [
        ({"name": "txt"}, "inputs[0].name", "There is no input 'txt'."),
        ({"datatype": "FP32"}, "inputs[0].datatype", "Texts cannot be 'FP32'."),
        ({"shape": [3]}, "inputs[0].shape", "The shape [3] is of 3 texts, and there are 2."),
        ({"shape": [2, 2]}, "inputs[0].shape", "The shape [2, 2] is of 4 texts, and there are 2."),
        ({"shape": [10**18] * 8}, "inputs[0].shape", "The shape [1000000000000000000, "),
        ({"data": ["a", 7]}, "inputs[0].data", "Element 2 is 7, no text."),
        ({"data": [["a"], [None]]}, "inputs[0].data", "Element 2 is None, no text."),
        ({"parameters": {"shared_memory_region": "x"}}, "inputs[0].parameters", "There is no parameter 'shared_memory"),
        ({"parameters": {"binary_data_size": 4}}, "inputs[0]", "There are both 'data' and 'binary_data_size'."),
    ],
)
def test_a_wrong_input_is_named(change: dict[str, Any], where: str, said: str) -> None:
    error = refusal({"inputs": [tensor(["a", "b"], **change)]})
    assert error.where == where
    assert error.what.startswith(said)


@pytest.mark.parametrize(
    ("more", "where", "said"),
    [
        ({"outputs": [{"name": "lable"}]}, "outputs[0].name", "The model has no output 'lable'."),
        ({"outputs": [{"name": "label"}] * 2}, "outputs[1].name", "'label' is asked for twice."),
        (
            {"outputs": [{"name": "label", "parameters": {"classification": 2}}]},
            "outputs[0].parameters",
            "There is no parameter 'classification'.",
        ),
        (
            {"outputs": [{"name": "label", "parameters": {"binary_data": 1}}]},
            "outputs[0].parameters",
            "binary_data is 1.",
        ),
        ({"parameters": {"treshold": 0.5}}, "parameters", "There is no parameter 'treshold'."),
        ({"parameters": {"threshold": "high"}}, "parameters", "threshold is 'high'."),
        ({"parameters": {"threshold": True}}, "parameters", "threshold is True."),
        ({"parameters": {"threshold": 1.5}}, "parameters", "threshold must be a probability between 0 and 1."),
        ({"parameters": {"reject": 0}}, "parameters", "reject must be a novelty above 0 and at most 1."),
        ({"inputs": []}, "inputs", "There are 0 inputs."),
        ({"inputs": [tensor(["a"])] * 2}, "inputs", "There are 2 inputs."),
    ],
)
def test_a_wrong_question_is_named(more: dict[str, Any], where: str, said: str) -> None:
    error = refusal({"inputs": [tensor(["a"])]} | more)
    assert error.where == where
    assert error.what.startswith(said)


@pytest.mark.parametrize(
    ("request_", "where", "said", "way_out"),
    [
        ({"input": []}, "body", "There is no field 'input'.", "Fields are 'inputs', "),
        ({"inputs": [{"nam": "text"}]}, "inputs[0]", "There is no field 'nam'.", "Fields are 'name', "),
        ({"inputs": [{"name": "text", "datatype": "BYTES", "shape": [-1]}]}, "inputs[0].shape[0]", "Expected", ""),
        ({"inputs": [tensor([])]}, "inputs[0]", "The list of texts is empty.", ""),
        ({"inputs": [tensor(["fine", "a\0b"])]}, "inputs[0], text 2", "The text 'a\\x00b' has a NUL", ""),
        ([], "body", "The body is a list, and must be an object.", 'The body must be like {"inputs": '),
    ],
)
def test_a_wrong_body_is_named(request_: Any, where: str, said: str, way_out: str) -> None:
    with pytest.raises(ApiError) as caught:
        asked_for(request_)
    assert caught.value.where == where
    assert caught.value.what.startswith(said)
    assert caught.value.way_out.startswith(way_out)


def test_the_nearest_output_is_named_first() -> None:
    error = refusal({"inputs": [tensor(["a"])], "outputs": [{"name": "probability"}]})
    assert error.way_out.startswith("Outputs are 'probabilities'")


@pytest.mark.parametrize(
    ("tail", "size", "said"),
    [
        (b"\x01\0\0\0a", 4, "5 bytes follow the JSON, and binary_data_size is 4."),
        (b"\x01\0\0\0a", True, "5 bytes follow the JSON, and binary_data_size is True."),
        (b"\x01\0\0\0\xff", 5, "Element 1 is not UTF-8: byte 1 is 0xff."),
        (b"\x09\0\0\0a", 5, "Element 1 should be 9 bytes long, and 1 bytes are left."),
        (b"\x01\0\0\0a\x01\0", 7, "After element 1, 2 bytes are left, and the length of an element takes 4."),
    ],
)
def test_wrong_bytes_are_named(tail: bytes, size: Any, said: str) -> None:
    request = {"name": "text", "datatype": "BYTES", "shape": [1], "parameters": {"binary_data_size": size}}
    assert refusal({"inputs": [request]}, tail).what == said


@pytest.mark.parametrize("length", ["", "-1", "two", "1e2", "9" * 5000, "٣", "99999"])
def test_a_wrong_length_of_the_json_is_named(length: str) -> None:
    body = json.dumps({"inputs": [tensor(["a"])]}).encode()
    with pytest.raises(ApiError) as caught:
        read_request(body, length, ["label"])
    assert caught.value.where == "Inference-Header-Content-Length"


def test_tables_that_are_too_large_are_refused() -> None:
    request = {"inputs": [tensor(["a"] * 100)]}
    asked = asked_for(request, outputs=["label", "answered", "probabilities"])
    check_size(asked, 20_000)
    with pytest.raises(ApiError, match="100 texts and 20,001 labels are 2,000,100 numbers") as caught:
        check_size(asked, 20_001)
    assert (caught.value.status, caught.value.where) == (413, "outputs")
    check_size(asked_for(request), 20_001)


def test_hints_of_other_clients_change_nothing() -> None:
    hints = {"content_type": "str", "sequence_id": 3, "priority": 1, "timeout": 100}
    request = {"inputs": [tensor(["a"], parameters={"content_type": "str"})], "parameters": hints}
    assert asked_for(request).question == Question()


def test_nested_data_does_not_nest_python() -> None:
    data: Any = "a"
    for _ in range(300):
        data = [data]
    assert asked_for({"inputs": [tensor(["a"], data=data)]}).texts == ["a"]


def answered(model: ServedModel, texts: list[str], request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    asked = asked_for({"inputs": [tensor(texts)]} | request, outputs=outputs_of(model))
    body, length = write_response(model, asked, answers_to(model.loaded, texts, asked.question))
    end = len(body) if length is None else length
    return json.loads(body[:end]), body[end:]


def test_answers_are_the_models_own(one_label: ServedModel) -> None:
    texts = ["good", "a bad one"]
    found, tail = answered(one_label, texts, {"id": "7", "outputs": [{"name": n} for n in outputs_of(one_label)]})
    assert (found["model_name"], found["model_version"], found["id"], tail) == ("shop", "0123456789ab", "7", b"")
    by_name = {item["name"]: item for item in found["outputs"]}
    assert by_name["label"]["data"] == one_label.loaded.predict(texts).tolist()
    assert by_name["classes"]["data"] == list(one_label.labels)
    assert by_name["answered"]["data"] == [True, True]
    assert by_name["probabilities"]["shape"] == [2, 3]
    # Probabilities are told with six decimals.
    expected = one_label.loaded.predict_proba(texts).ravel()
    np.testing.assert_allclose(by_name["probabilities"]["data"], expected, atol=1e-6)


def test_as_bytes_they_are_the_same(one_label: ServedModel) -> None:
    wanted = [{"name": name, "parameters": {"binary_data": name != "answered"}} for name in outputs_of(one_label)]
    plain, _ = answered(one_label, ["good", "bad"], {"outputs": [{"name": n} for n in outputs_of(one_label)]})
    found, tail = answered(one_label, ["good", "bad"], {"outputs": wanted})
    for as_json, as_bytes in zip(plain["outputs"], found["outputs"], strict=True):
        assert as_bytes["shape"] == as_json["shape"]
        if "data" in as_bytes:
            assert as_bytes == as_json
            continue
        size = as_bytes["parameters"]["binary_data_size"]
        part, tail = tail[:size], tail[size:]
        if as_json["datatype"] == "BYTES":
            assert [element.decode() for element in read_elements(part)] == as_json["data"]
        else:
            assert np.frombuffer(part, {"FP64": "<f8"}[as_json["datatype"]]).tolist() == as_json["data"]
    assert tail == b""


def test_without_a_wish_there_are_all_outputs_that_cost_nothing_more(one_label: ServedModel, sets: ServedModel) -> None:
    names = [[item["name"] for item in answered(m, ["good"], {})[0]["outputs"]] for m in (one_label, sets)]
    assert names == [["label", "answered", "probabilities"], ["labels", "given", "answered", "probabilities"]]


def test_a_text_below_the_threshold_has_no_label(one_label: ServedModel) -> None:
    found, _ = answered(one_label, ["unheard of"], {"parameters": {"threshold": 0.99}})
    by_name = {item["name"]: item["data"] for item in found["outputs"]}
    assert (by_name["label"], by_name["answered"]) == ([""], [False])


def test_sets_come_as_lists_and_as_a_table(sets: ServedModel) -> None:
    texts = ["tax and football", "tax", "weather"]
    found, _ = answered(sets, texts, {"outputs": [{"name": "labels"}, {"name": "given"}, {"name": "classes"}]})
    lists, given_, classes = (item["data"] for item in found["outputs"])
    expected = [list(labels) for labels in sets.loaded.predict(texts).tolist()]
    assert [json.loads(item) for item in lists] == expected
    assert expected[0] == ["politics", "sport"]
    table = np.array(given_).reshape(found["outputs"][1]["shape"])
    assert [[c for c, yes in zip(classes, row, strict=True) if yes] for row in table.tolist()] == expected


def test_the_metadata_say_what_comes(one_label: ServedModel) -> None:
    told = metadata_of(one_label)
    assert told["versions"] == [version_of(one_label)]
    assert told["inputs"] == [{"name": "text", "datatype": "BYTES", "shape": [-1]}]
    assert {item["name"]: item["shape"] for item in told["outputs"]} == {
        "label": [-1],
        "answered": [-1],
        "probabilities": [-1, 3],
        "classes": [3],
    }
    assert told["parameters"]["labels"] == ["mid", "neg", "pos"]
