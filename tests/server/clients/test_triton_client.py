"""The Open Inference protocol, asked by Triton's own client through a real socket."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tritonclient.http as triton
from tritonclient.utils import InferenceServerException

TEXTS = ["where is my parcel", "I want my money back", "très bien 好 🎉", ""]


@pytest.fixture
def client(served: Any) -> Iterator[triton.InferenceServerClient]:
    with triton.InferenceServerClient(served.url.removeprefix("http://")) as opened:
        yield opened


def texts_in(texts: list[str], *, binary: bool = True, shape: list[int] | None = None) -> Any:
    array = np.array([text.encode() for text in texts], dtype=object).reshape(shape or [len(texts)])
    tensor = triton.InferInput("text", list(array.shape), "BYTES")
    tensor.set_data_from_numpy(array, binary_data=binary)
    return [tensor]


def words_of(result: Any, name: str) -> list[str]:
    """A tensor of words: bytes where they came as bytes, else strings."""
    return [item.decode() if isinstance(item, bytes) else item for item in result.as_numpy(name).tolist()]


def test_the_server_and_its_models_are_ready(client: Any, served: Any) -> None:
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.get_server_metadata()["extensions"] == ["binary_tensor_data"]
    assert all(client.is_model_ready(name) for name in served.models)
    assert not client.is_model_ready("shops")


def test_the_metadata_name_a_version_that_can_be_asked_for(client: Any) -> None:
    told = client.get_model_metadata("shop")
    (version,) = told["versions"]
    assert client.get_model_metadata("shop", version) == told
    assert client.is_model_ready("shop", version)
    result = client.infer("shop", texts_in(TEXTS[:1]), model_version=version)
    assert result.get_response()["model_version"] == version
    with pytest.raises(InferenceServerException, match=r"path: The model 'shop' has no version '7'\. Its version is "):
        client.infer("shop", texts_in(TEXTS[:1]), model_version="7")


@pytest.mark.parametrize("binary_in", [True, False])
@pytest.mark.parametrize("binary_out", [True, False])
def test_answers_are_those_of_python(client: Any, served: Any, binary_in: bool, binary_out: bool) -> None:
    outputs = [
        triton.InferRequestedOutput(name, binary_data=binary_out)
        for name in ("label", "probabilities", "classes", "answered")
    ]
    result = client.infer("shop", texts_in(TEXTS, binary=binary_in), outputs=outputs, request_id="seven")
    model = served.models["shop"]
    assert result.get_response()["id"] == "seven"
    assert words_of(result, "label") == model.predict(TEXTS).tolist()
    assert words_of(result, "classes") == list(model.labels)
    assert result.as_numpy("answered").tolist() == [True] * len(TEXTS)
    # Answers have six decimals.
    np.testing.assert_allclose(result.as_numpy("probabilities"), model.predict_proba(TEXTS), atol=1e-6)


def test_without_a_wish_all_comes_as_bytes(client: Any, served: Any) -> None:
    result = client.infer("shop", texts_in(TEXTS, shape=[len(TEXTS), 1]))
    assert [item["name"] for item in result.get_response()["outputs"]] == ["label", "answered", "probabilities"]
    assert words_of(result, "label") == served.models["shop"].predict(TEXTS).tolist()


def test_sets_come_as_lists_and_as_a_table(client: Any, served: Any) -> None:
    texts = ["tax and football", "rain", "goal"]
    result = client.infer("topics", texts_in(texts))
    expected = [list(given) for given in served.models["topics"].predict(texts).tolist()]
    assert [json.loads(item) for item in words_of(result, "labels")] == expected
    labels = served.models["topics"].labels
    assert result.as_numpy("given").tolist() == [[label in given for label in labels] for given in expected]


def test_an_abstention_is_told(client: Any, served: Any) -> None:
    result = client.infer("careful", texts_in(TEXTS))
    expected = served.models["careful"].predict(TEXTS).tolist()
    assert None in expected
    assert result.as_numpy("answered").tolist() == [label is not None for label in expected]
    assert words_of(result, "label") == [label or "" for label in expected]


def test_a_threshold_may_be_asked_for(client: Any) -> None:
    result = client.infer("shop", texts_in(TEXTS), parameters={"threshold": 1.0})
    assert not result.as_numpy("answered").any()


@pytest.mark.parametrize(
    ("model", "asked", "said", "status"),
    [
        ("sop", {}, r"path: There is no model 'sop'\. The server has 4 models: 'shop', ", "404"),
        (
            "shop",
            {"outputs": [triton.InferRequestedOutput("lable")]},
            r"outputs\[0\].name: The model has no",
            "400",
        ),
        ("shop", {"outputs": [triton.InferRequestedOutput("label", class_count=2)]}, "no parameter 'classif", "400"),
        ("shop", {"parameters": {"reject": 0.5}}, "the model: This model cannot say how unlike", "422"),
        ("shop", {"request_compression_algorithm": "gzip"}, "Content-Encoding", "415"),
    ],
)
def test_errors_say_the_way_out(client: Any, model: str, asked: dict[str, Any], said: str, status: str) -> None:
    with pytest.raises(InferenceServerException, match=said) as caught:
        client.infer(model, texts_in(["a"]), **asked)
    assert caught.value.status() == status


def test_a_text_that_is_none_is_named(client: Any) -> None:
    with pytest.raises(InferenceServerException, match=r"inputs\[0\], text 2: The text 'a\\x00b' has a NUL character"):
        client.infer("shop", texts_in(["fine", "a\0b"]))
    numbers = triton.InferInput("text", [1], "INT32")
    numbers.set_data_from_numpy(np.array([7], dtype=np.int32))
    with pytest.raises(InferenceServerException, match="datatype: Texts cannot be 'INT32'"):
        client.infer("shop", [numbers])


@pytest.mark.parametrize("path", ["/v2/nothing", "/v2/models/shop", "/v2/models"])
def test_whatever_is_refused_below_v2_has_its_form(client: Any, path: str) -> None:
    found = client._post(path.removeprefix("/"), b"{}", None, None)
    assert found.status_code in (404, 405)
    assert isinstance(json.loads(found.read())["error"], str)
