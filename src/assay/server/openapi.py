"""The OpenAPI document: schemas from the types that requests are read into and answers are written from."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from assay import __version__
from assay.server.answers import Answer
from assay.server.asking import ExplainRequest, PredictRequest
from assay.server.open_inference import HEADER_LENGTH, InferRequest

__all__ = ["ROW_TYPES", "openapi_document"]

#: Types of bodies of rows, each with what a body looks like.
ROW_TYPES = {
    "text/csv": "text\nloved it\n",
    "text/tab-separated-values": "text\nloved it\n",
    "application/x-ndjson": '{"text": "loved it"}\n',
    "application/jsonl": '{"text": "loved it"}\n',
    "application/vnd.apache.arrow.stream": "",
}


class ModelReference(Struct, forbid_unknown_fields=True):
    """Which model answered: its name, and the SHA-256 of its file."""

    name: str
    sha256: str


class PredictAnswers(Struct, forbid_unknown_fields=True):
    """An answer for each text, in order."""

    model: ModelReference
    answers: list[Answer]


class LabelDecision(Struct, forbid_unknown_fields=True):
    """Of a model that gives sets: what became of one label, and from which probability on it is given."""

    label: str
    given: bool
    probability: float | None
    threshold: float | None
    score: float | None
    distance: float | None


class FeatureContribution(Struct, forbid_unknown_fields=True):
    """One term of the score: value · weight, and where it stands in the text."""

    feature: str
    kind: str
    value: float
    weight: float
    contribution: float
    places: list[tuple[int, int]]


class Piece(Struct, forbid_unknown_fields=True):
    """A word with what it contributes; places are counted in characters."""

    start: int
    end: int
    text: str
    contribution: float


class SmallestRemoval(Struct, forbid_unknown_fields=True):
    """The fewest words found whose removal changes the answer, and what it would be."""

    words: list[str]
    label: str | list[str] | None


class Explanation(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Why a text gets its label; the guide to explaining describes the fields."""

    kind: str
    version: int
    text: str
    label: str | list[str] | None
    probabilities: dict[str, float] | None
    of: str
    against: str | None
    pieces: list[Piece]
    smallest_removal: SmallestRemoval | None
    scores: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    score: float | msgspec.UnsetType = msgspec.UNSET
    bias: float | msgspec.UnsetType = msgspec.UNSET
    features: list[FeatureContribution] | msgspec.UnsetType = msgspec.UNSET
    unplaced: float | msgspec.UnsetType = msgspec.UNSET
    labels: list[LabelDecision] | msgspec.UnsetType = msgspec.UNSET
    exact: bool | msgspec.UnsetType = msgspec.UNSET
    method: str | msgspec.UnsetType = msgspec.UNSET


class ExplainAnswer(Struct, forbid_unknown_fields=True):
    """The explanation of one answer."""

    model: ModelReference
    explanation: Explanation


class ModelInShort(Struct, forbid_unknown_fields=True):
    """A model that is served: what it gives ("labels" or "label-sets"), and whether it has probabilities, novelty."""

    name: str
    sha256: str
    task: str
    labels: list[str]
    probabilities: bool
    novelty: bool


class Models(Struct, forbid_unknown_fields=True):
    """All models that are served."""

    models: list[ModelInShort]


class ModelAtLength(ModelInShort, forbid_unknown_fields=True):
    """A model with where it comes from, how it was measured, and its card."""

    provenance: dict[str, Any]
    evaluation: dict[str, Any] | None
    card: dict[str, Any]


class Refusal(Struct, forbid_unknown_fields=True):
    """What was wrong, where, and the way out."""

    what: str
    where: str
    way_out: str


class RefusalAnswer(Struct, forbid_unknown_fields=True):
    """The answer to whatever is refused."""

    error: Refusal


class V2Error(Struct, forbid_unknown_fields=True):
    """What the Open Inference protocol answers where something is refused."""

    error: str


class _Call(NamedTuple):
    """One thing that can be asked."""

    path: str
    method: str
    summary: str
    body: type | None = None
    answer: type | None = None
    example: Any = None


_V2 = "/v2/models/{name}"
_TENSOR = {"name": "text", "datatype": "BYTES", "shape": [1], "data": ["loved it"]}

_CALLS = [
    _Call("/predict", "post", "Labels of texts.", PredictRequest, PredictAnswers, {"texts": ["loved it"]}),
    _Call("/explain", "post", "Why a text gets its label.", ExplainRequest, ExplainAnswer, {"text": "loved it"}),
    _Call("/models", "get", "The models that are served.", None, Models),
    _Call("/models/{name}", "get", "A model's card and how it was measured.", None, ModelAtLength),
    _Call("/metrics", "get", "Counters, for Prometheus."),
    _Call("/health/live", "get", "Whether the server runs."),
    _Call("/health/ready", "get", "Whether it takes requests."),
    _Call("/v2", "get", "What this server is, as the Open Inference protocol asks it."),
    _Call("/v2/health/live", "get", "Whether the server runs."),
    _Call("/v2/health/ready", "get", "Whether it takes requests."),
    _Call(_V2, "get", "The tensors that a model takes and gives."),
    _Call(f"{_V2}/ready", "get", "Whether a model answers."),
    _Call(f"{_V2}/infer", "post", "Labels of texts, as tensors.", InferRequest, None, {"inputs": [_TENSOR]}),
    _Call("/", "get", "A page to try a text."),
    _Call("/docs", "get", "A page that shows this document."),
    _Call("/openapi.json", "get", "This document."),
]

_BODIES = {call.body for call in _CALLS if call.body} | {call.answer for call in _CALLS if call.answer}


@cache
def openapi_document() -> bytes:
    """The document, as JSON.

    Examples
    --------
    >>> document = msgspec.json.decode(openapi_document())
    >>> document["openapi"], document["components"]["schemas"]["PredictRequest"]["required"]
    ('3.1.0', ['texts'])
    """
    types = [*sorted(_BODIES, key=lambda kind: kind.__name__), RefusalAnswer, V2Error]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for call in _CALLS:
        paths.setdefault(call.path, {})[call.method] = _operation(call)
    about = "Labels of texts, and why. Every refusal says what was wrong, where, and the way out."
    document = {
        "openapi": "3.1.0",
        "info": {"title": "assay", "version": __version__, "description": about},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"token": []}],
    }
    return msgspec.json.encode(document)


def _operation(call: _Call) -> dict[str, Any]:
    refusal = V2Error if call.path.startswith("/v2") else RefusalAnswer
    good: dict[str, Any] = {"description": "The answer."}
    if call.answer is not None:
        good["content"] = _json(call.answer)
    operation: dict[str, Any] = {
        "summary": call.summary,
        "operationId": f"{call.method} {call.path}",
        "responses": {"200": good, "default": {"description": "A refusal.", "content": _json(refusal)}},
    }
    parameters = _parameters(call)
    if parameters:
        operation["parameters"] = parameters
    if call.body is not None:
        content = _json(call.body)
        content["application/json"]["example"] = call.example
        if call.path == "/predict":
            for media, rows in ROW_TYPES.items():
                content[media] = {"schema": {"type": "string"}, **({"example": rows} if rows else {})}
                good["content"][media] = {"schema": {"type": "string", "description": "The rows with their answers."}}
        if call.body is InferRequest:
            content["application/octet-stream"] = {"schema": {"type": "string", "format": "binary"}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _parameters(call: _Call) -> list[dict[str, Any]]:
    found = []
    if "{name}" in call.path:
        found.append(_parameter("name", "path", {"type": "string"}, "The name of a model."))
    if call.body is InferRequest:
        about = "The length of the JSON, where tensors follow it as bytes."
        found.append(_parameter(HEADER_LENGTH, "header", {"type": "integer"}, about))
    if call.path == "/predict":
        column = "Of rows: the column that holds the texts; guessed without."
        found.append(_parameter("text", "query", {"type": "string"}, column))
        properties = msgspec.json.schema(PredictRequest)["$defs"]["PredictRequest"]["properties"]
        for name, schema in properties.items():
            if name != "texts":
                found.append(_parameter(name, "query", schema, f"Of rows: as the field {name!r} of JSON."))
    return found


def _parameter(name: str, where: str, schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": schema, "description": about}


def _json(kind: type) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}
