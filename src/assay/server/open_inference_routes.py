"""The addresses of the Open Inference protocol, below ``/v2``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay import __version__
from assay.errors import AssayError
from assay.server.desk import Desk
from assay.server.errors import ApiError
from assay.server.open_inference import (
    HEADER_LENGTH,
    check_size,
    metadata_of,
    outputs_of,
    read_request,
    version_of,
    write_response,
)
from assay.server.predicting import explained
from assay.server.requests import media_type, refuse_compressed, wrong_type
from assay.server.responses import JsonAnswer
from assay.suggest import quote

if TYPE_CHECKING:
    from assay.server.served_model import ServedModel

__all__ = ["routes"]

_TYPES = ("", "application/json", "application/octet-stream")


def routes() -> list[Route]:
    """The routes of this file."""
    model = ("/v2/models/{name}", "/v2/models/{name}/versions/{version}")
    return [
        Route("/v2", server, methods=["GET"]),
        Route("/v2/health/live", live, methods=["GET"]),
        Route("/v2/health/ready", ready, methods=["GET"]),
        *(Route(path, metadata, methods=["GET"]) for path in model),
        *(Route(f"{path}/ready", model_ready, methods=["GET"]) for path in model),
        *(Route(f"{path}/infer", infer, methods=["POST"]) for path in model),
    ]


async def server(_: Request) -> Response:
    """What this server is."""
    return JsonAnswer({"name": "assay", "version": __version__, "extensions": ["binary_tensor_data"]})


async def live(_: Request) -> Response:
    """Whether it runs."""
    return JsonAnswer({"live": True})


async def ready(request: Request) -> Response:
    """Whether requests are taken."""
    desk: Desk = request.app.state.desk
    return JsonAnswer({"ready": desk.ready}, 200 if desk.ready else 503)


async def metadata(request: Request) -> Response:
    """What a model takes and gives."""
    return JsonAnswer(metadata_of(asked_model(request)))


async def model_ready(request: Request) -> Response:
    """Whether a model answers: those that are there do."""
    return JsonAnswer({"name": asked_model(request).name, "ready": True})


async def infer(request: Request) -> Response:
    """Labels of texts."""
    kind = media_type(request)
    if kind not in _TYPES:  # a Triton client sends none
        raise wrong_type(kind, _TYPES[1:])
    refuse_compressed(request)
    model = asked_model(request)
    asked = read_request(await request.body(), request.headers.get(HEADER_LENGTH), outputs_of(model))
    check_size(asked, len(model.labels))
    request.scope["note"].about(model, len(asked.texts))
    told = any(name == "probabilities" for name, _ in asked.outputs)
    try:
        answers = await model.answer(asked.texts, asked.question, told=told)
    except AssayError as error:
        raise explained(error) from None
    body, length = write_response(model, asked, answers)
    if length is None:
        return Response(body, media_type="application/json")
    return Response(body, headers={HEADER_LENGTH: str(length)}, media_type="application/octet-stream")


def asked_model(request: Request) -> ServedModel:
    """The model, and the version where one is named, of a request's path."""
    model: ServedModel = request.app.state.desk.models.get(request.path_params["name"])
    version: Any = request.path_params.get("version")
    if version is not None and version != version_of(model):
        what = f"The model {quote(model.name)} has no version {quote(version[:60])}."
        raise ApiError(404, what, "path", f"Its version is {version_of(model)!r}, or leave the version out.")
    return model
