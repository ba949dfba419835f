"""The Open Inference protocol, version 2 (KServe, Triton): requests to texts and a question, answers to tensors.

A request holds one tensor ``text`` of datatype BYTES, as JSON strings or, by the binary extension, as bytes after the
JSON, whose length the header ``Inference-Header-Content-Length`` tells. Of n texts and L labels come back:

=================  ============  ======  ==============================================================================
``label``          BYTES         [n]     the label; empty where there is none (models that give one label)
``labels``         BYTES         [n]     a JSON list of labels (models that give sets)
``given``          BOOL          [n, L]  which labels are in the set (models that give sets)
``answered``       BOOL          [n]     false where the model abstains, or the text was rejected
``probabilities``  FP64          [n, L]  of the labels, in the order of ``classes`` (models that have probabilities)
``classes``        BYTES         [L]     the names of the columns; only where it is asked for
``novelty``        FP64          [n]     how unlike the training texts each is; only where it is asked for
=================  ============  ======  ==============================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from assay.errors import ParameterError
from assay.server.answers import Answer, check_cells
from assay.server.asking import check_object, check_texts
from assay.server.binary_tensors import BrokenTensorError, read_elements, write_elements
from assay.server.errors import ApiError, of_assay
from assay.streaming.question import Question
from assay.suggest import counted, nearest_first, quote, quoted, shortened

if TYPE_CHECKING:
    from assay.server.served_model import ServedModel

__all__ = ["InferQuestion", "InferRequest", "check_size", "metadata_of", "read_request", "version_of", "write_response"]

HEADER_LENGTH = "Inference-Header-Content-Length"

#: Parameters of clients that change nothing in an answer.
HINTS = ("content_type", "headers", "priority", "sequence_end", "sequence_id", "sequence_start", "timeout")

Parameters = dict[str, Any]
Shape = Annotated[list[Annotated[int, Meta(ge=0)]], Meta(min_length=1, max_length=8)]


class InputTensor(Struct, forbid_unknown_fields=True):
    """A tensor of a request."""

    name: str
    datatype: str
    shape: Shape
    parameters: Parameters = {}
    data: list[Any] | UnsetType = UNSET


class WantedTensor(Struct, forbid_unknown_fields=True):
    """A tensor that an answer is to have."""

    name: str
    parameters: Parameters = {}


class InferRequest(Struct, forbid_unknown_fields=True):
    """The JSON of a request."""

    inputs: Annotated[list[InputTensor], Meta(max_length=8)]
    id: str | UnsetType = UNSET
    parameters: Parameters = {}
    outputs: Annotated[list[WantedTensor], Meta(max_length=16)] | None = None


_DECODER = msgspec.json.Decoder(InferRequest)
_EXAMPLE = '{"inputs": [{"name": "text", "datatype": "BYTES", "shape": [1], "data": ["loved it"]}]}'


class InferQuestion(NamedTuple):
    """What a request asks."""

    id: str | UnsetType
    texts: list[str]
    question: Question
    outputs: list[tuple[str, bool]]
    """Names of tensors, and whether each is wanted as bytes."""


class _Output(NamedTuple):
    """A tensor of answers: its datatype, its columns (of texts, of texts and labels, of labels), and its values."""

    datatype: str
    axes: str
    values: Callable[[Sequence[Answer], Sequence[str]], list[Any]]


def _one_label(answers: Sequence[Answer], _: Sequence[str]) -> list[str]:
    return ["" if answer.prediction is None else answer.prediction for answer in answers]


def _label_lists(answers: Sequence[Answer], _: Sequence[str]) -> list[str]:
    return [msgspec.json.encode(answer.prediction or []).decode() for answer in answers]


def _given(answers: Sequence[Answer], labels: Sequence[str]) -> list[bool]:
    sets = [frozenset(answer.prediction or ()) for answer in answers]
    return [label in given for given in sets for label in labels]


def _answered(answers: Sequence[Answer], _: Sequence[str]) -> list[bool]:
    return [answer.prediction is not None for answer in answers]


def _probabilities(answers: Sequence[Answer], labels: Sequence[str]) -> list[float]:
    tables = [answer.probabilities or {} for answer in answers]
    return [table.get(label, 0.0) for table in tables for label in labels]


def _novelty(answers: Sequence[Answer], _: Sequence[str]) -> list[Any]:
    return [answer.novelty for answer in answers]


_OUTPUTS = {
    "label": _Output("BYTES", "n", _one_label),
    "labels": _Output("BYTES", "n", _label_lists),
    "given": _Output("BOOL", "nL", _given),
    "answered": _Output("BOOL", "n", _answered),
    "probabilities": _Output("FP64", "nL", _probabilities),
    "classes": _Output("BYTES", "L", lambda _, labels: list(labels)),
    "novelty": _Output("FP64", "n", _novelty),
}
_ON_REQUEST = ("classes", "novelty")
_NUMBERS = {"BOOL": "?", "FP64": "<f8"}


def version_of(model: ServedModel) -> str:
    """What the protocol calls the version: the beginning of the digest of the model's file."""
    return model.digest[:12]


def outputs_of(model: ServedModel) -> list[str]:
    """The names of the tensors that a model can give."""
    decision = model.loaded.model.decision
    names = ["labels", "given"] if decision.task == "label-sets" else ["label"]
    names += ["answered", *(["probabilities"] if decision.has_probabilities else []), "classes"]
    return names + (["novelty"] if model.loaded.record.novelty is not None else [])


def metadata_of(model: ServedModel) -> dict[str, Any]:
    """What a model takes and gives, in the protocol's form; -1 is the number of texts."""
    outputs = [
        {"name": name, "datatype": _OUTPUTS[name].datatype, "shape": _shape(name, -1, len(model.labels))}
        for name in outputs_of(model)
    ]
    return {
        "name": model.name,
        "versions": [version_of(model)],
        "platform": "assay",
        "inputs": [{"name": "text", "datatype": "BYTES", "shape": [-1]}],
        "outputs": outputs,
        "parameters": {"labels": list(model.labels), "sha256": model.digest},
    }


def read_request(body: bytes, header_length: str | None, outputs: Sequence[str]) -> InferQuestion:
    """What a request asks of a model that can give these tensors; an `ApiError` 400 says what is wrong with it.

    Parameters
    ----------
    body
        Of the request.
    header_length
        The value of the header ``Inference-Header-Content-Length``; None where there is none and all is JSON.
    outputs
        What the model can give (`outputs_of`).
    """
    end = _end_of_json(header_length, len(body))
    asked = _request_in(body[:end])
    texts = _texts_of(asked.inputs, body[end:])
    wanted = _wanted(asked, outputs)
    names = [name for name, _ in wanted]
    _check_parameters(asked.parameters, ("binary_data_output", "reject", "threshold"), "parameters")
    threshold, reject = (_number(asked.parameters, name) for name in ("threshold", "reject"))
    try:
        question = Question("probabilities" in names, None, threshold, "novelty" in names, reject)
    except ParameterError as error:
        raise of_assay(error, "parameters") from None
    return InferQuestion(asked.id, texts, question, wanted)


def check_size(asked: InferQuestion, labels: int) -> None:
    """Refuse tables of texts and labels that nobody wants to hold in memory."""
    tables = [name for name, _ in asked.outputs if _OUTPUTS[name].axes == "nL"]
    if tables:
        check_cells(len(asked.texts), labels, "outputs", f"outputs other than {quoted(tables)}")


def write_response(model: ServedModel, asked: InferQuestion, answers: Sequence[Answer]) -> tuple[bytes, int | None]:
    """The body of an answer, and the length of its JSON where tensors follow that as bytes."""
    head: dict[str, Any] = {"model_name": model.name, "model_version": version_of(model)}
    if asked.id is not UNSET:
        head["id"] = asked.id
    tensors: list[dict[str, Any]] = []
    parts: list[bytes] = []
    for name, binary in asked.outputs:
        values = _OUTPUTS[name].values(answers, model.labels)
        datatype = _OUTPUTS[name].datatype
        shape = _shape(name, len(answers), len(model.labels))
        tensor: dict[str, Any] = {"name": name, "datatype": datatype, "shape": shape}
        if binary:
            parts.append(_as_bytes(datatype, values))
            tensor["parameters"] = {"binary_data_size": len(parts[-1])}
        else:
            tensor["data"] = values
        tensors.append(tensor)
    written = msgspec.json.encode({**head, "outputs": tensors})
    return b"".join([written, *parts]), len(written) if parts else None


# ----------------------------------------------------------------------------------------------------------------------


def _end_of_json(header_length: str | None, size: int) -> int:
    if header_length is None:
        return size
    # A number of thousands of digits is none that a length could be, and int() refuses it in words of its own.
    if not (header_length.isascii() and header_length.isdigit() and len(header_length) < 19):
        raise _refused(
            f"{shortened(header_length)} is not a number of bytes.", HEADER_LENGTH, "Give the JSON's length."
        )
    if int(header_length) > size:
        raise _refused(
            f"The JSON should be {counted(int(header_length), 'byte', 'bytes')} long, and the body has {size:,}.",
            HEADER_LENGTH,
            "Give the length of the JSON at the beginning of the body.",
        )
    return int(header_length)


def _request_in(body: bytes) -> InferRequest:
    """The JSON as a request."""
    try:
        return _DECODER.decode(body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        check_object(body, _EXAMPLE)
        said, _, path = str(error).partition(" - at ")
        where = path.strip("`").removeprefix("$").removeprefix(".") or "body"
        unknown = re.fullmatch(r"Object contains unknown field `(.*)`", said, re.DOTALL)
        if unknown is None:
            raise _refused(f"{said}.", where, f"The body must be like {_EXAMPLE}.") from None
        kinds: dict[str, type[Struct]] = {"inputs": InputTensor, "outputs": WantedTensor}
        known = msgspec.structs.fields(kinds.get(where.partition("[")[0], InferRequest))
        fields = quoted(nearest_first(unknown[1][:60], [field.name for field in known]))
        raise _refused(f"There is no field {quote(unknown[1][:60])}.", where, f"Fields are {fields}.") from None


def _texts_of(inputs: Sequence[InputTensor], rest: bytes) -> list[str]:
    """The texts of the one input, of its data or of the bytes after the JSON."""
    where = "inputs"
    if len(inputs) != 1:
        raise _refused(f"There are {len(inputs)} inputs.", where, "Send one, named 'text', with all texts in it.")
    (tensor,), where = inputs, "inputs[0]"
    if tensor.name != "text":
        raise _refused(f"There is no input {quote(tensor.name[:60])}.", f"{where}.name", "The one input is 'text'.")
    if tensor.datatype != "BYTES":
        kind = quote(tensor.datatype[:60])
        raise _refused(f"Texts cannot be {kind}.", f"{where}.datatype", "The datatype of texts is 'BYTES'.")
    _check_parameters(tensor.parameters, ("binary_data_size",), f"{where}.parameters")
    size = tensor.parameters.get("binary_data_size")
    if size is None and tensor.data is UNSET:
        way_out = "Give the texts as 'data', or as bytes after the JSON with the parameter 'binary_data_size'."
        raise _refused("There are no texts in it.", where, way_out)
    if size is not None and tensor.data is not UNSET:
        raise _refused("There are both 'data' and 'binary_data_size'.", where, "Leave one of the two out.")
    if (size or 0) != len(rest) or isinstance(size, bool | float):
        raise _refused(
            f"{counted(len(rest), 'byte follows', 'bytes follow')} the JSON, and binary_data_size is "
            f"{shortened(size)}.",
            f"{where}.parameters",
            f"Make them one, and give the length of the JSON in the header {HEADER_LENGTH}.",
        )
    texts = _strings(tensor.data) if tensor.data is not UNSET else _decoded(rest)
    if prod(tensor.shape) != len(texts):
        raise _refused(
            f"The shape {shortened(tensor.shape)} is of {shortened(prod(tensor.shape))} texts, and there are "
            f"{len(texts):,}.",
            f"{where}.shape",
            f"Write [{len(texts)}].",
        )
    check_texts(texts, where)
    return texts


def _strings(data: list[Any]) -> list[str]:
    """The strings of lists in lists, row by row."""
    found: list[str] = []
    waiting = [iter(data)]
    while waiting:
        for value in waiting[-1]:
            if isinstance(value, str):
                found.append(value)
            elif isinstance(value, list):
                waiting.append(iter(value))
                break
            else:
                raise _refused(
                    f"Element {len(found) + 1} is {shortened(value)}, no text.", "inputs[0].data", "Give JSON strings."
                )
        else:
            waiting.pop()
    return found


def _decoded(data: bytes) -> list[str]:
    where = "the bytes after the JSON"
    try:
        elements = read_elements(data)
    except BrokenTensorError as error:
        way_out = "Write each text as its length (4 bytes, the lowest first) and its bytes."
        said = str(error)
        raise _refused(said[0].upper() + said[1:], where, way_out) from None
    texts = []
    for i, element in enumerate(elements):
        try:
            texts.append(element.decode())
        except UnicodeDecodeError as error:
            byte = f"byte {error.start + 1} is 0x{element[error.start]:02x}"
            raise _refused(f"Element {i + 1} is not UTF-8: {byte}.", where, "Send texts in UTF-8.") from None
    return texts


def _wanted(asked: InferRequest, outputs: Sequence[str]) -> list[tuple[str, bool]]:
    """Names of tensors, and whether each is wanted as bytes."""
    as_bytes = _flag(asked.parameters, "binary_data_output", False, "parameters")
    if asked.outputs is None:
        return [(name, as_bytes) for name in outputs if name not in _ON_REQUEST]
    found: dict[str, bool] = {}
    for i, tensor in enumerate(asked.outputs):
        where = f"outputs[{i}]"
        if tensor.name not in outputs:
            named = quoted(nearest_first(tensor.name[:60], outputs))
            what = f"The model has no output {quote(tensor.name[:60])}."
            raise _refused(what, f"{where}.name", f"Outputs are {named}.")
        if tensor.name in found:
            raise _refused(f"{quote(tensor.name)} is asked for twice.", f"{where}.name", "Ask for it once.")
        _check_parameters(tensor.parameters, ("binary_data",), f"{where}.parameters")
        found[tensor.name] = _flag(tensor.parameters, "binary_data", as_bytes, f"{where}.parameters")
    return list(found.items()) or [(name, as_bytes) for name in outputs if name not in _ON_REQUEST]


def _flag(parameters: Parameters, name: str, otherwise: bool, where: str) -> bool:
    value = parameters.get(name, otherwise)
    if not isinstance(value, bool):
        raise _refused(f"{name} is {shortened(value)}.", where, "Write true or false.")
    return value


def _number(parameters: Parameters, name: str) -> float | None:
    value = parameters.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300):
        raise _refused(f"{name} is {shortened(value)}.", "parameters", "Write a number between 0 and 1.")
    return None if value is None else float(value)


def _check_parameters(parameters: Parameters, known: Sequence[str], where: str) -> None:
    for name in parameters:
        if name not in known and name not in HINTS:
            named = quoted(nearest_first(name[:60], known))
            raise _refused(f"There is no parameter {quote(name[:60])}.", where, f"Parameters are {named}.")


def _shape(name: str, texts: int, labels: int) -> list[int]:
    return [texts if axis == "n" else labels for axis in _OUTPUTS[name].axes]


def _as_bytes(datatype: str, values: list[Any]) -> bytes:
    import numpy as np

    if datatype == "BYTES":
        return write_elements(value.encode() for value in values)
    return np.asarray(values, _NUMBERS[datatype]).tobytes()


def _refused(what: str, where: str, way_out: str) -> ApiError:
    return ApiError(400, what, where, way_out)
