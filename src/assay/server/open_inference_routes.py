"""The addresses of the Open Inference protocol, below ``/v2``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay import __version__
from assay.errors import AssayError
from assay.server.errors import ApiError, of_assay, v2_error_body
from assay.server.open_inference import (
    HEADER_LENGTH,
    metadata_of,
    outputs_of,
    read_request,
    version_of,
    write_response,
)
from assay.server.responses import JsonAnswer
from assay.suggest import quote

if TYPE_CHECKING:
    from assay.server.served_model import ServedModel

__all__ = ["routes"]

Handler = Callable[[Request], Awaitable[Response]]

_MEDIA = ("", "application/json", "application/octet-stream")


def routes() -> list[Route]:
    """The routes of this file."""
    model = ("/v2/models/{name}", "/v2/models/{name}/versions/{version}")
    return [
        Route("/v2", in_v2_form(server), methods=["GET"]),
        Route("/v2/health/live", in_v2_form(live), methods=["GET"]),
        Route("/v2/health/ready", in_v2_form(ready), methods=["GET"]),
        *(Route(path, in_v2_form(metadata), methods=["GET"]) for path in model),
        *(Route(f"{path}/ready", in_v2_form(model_ready), methods=["GET"]) for path in model),
        *(Route(f"{path}/infer", in_v2_form(infer), methods=["POST"]) for path in model),
    ]


def in_v2_form(handler: Handler) -> Handler:
    """Errors as the protocol has them: ``{"error": "…"}``, with our sentences."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except (ApiError, AssayError) as raised:
            error = raised if isinstance(raised, ApiError) else of_assay(raised, "the texts")
            headers = {name.decode(): value.decode() for name, value in error.headers}
            return Response(v2_error_body(error), error.status, headers, "application/json")

    return answer


async def server(_: Request) -> Response:
    """What this server is."""
    return JsonAnswer({"name": "assay", "version": __version__, "extensions": ["binary_tensor_data"]})


async def live(_: Request) -> Response:
    """Whether it runs."""
    return JsonAnswer({"live": True})


async def ready(_: Request) -> Response:
    """Whether it answers."""
    return JsonAnswer({"ready": True})


async def metadata(request: Request) -> Response:
    """What a model takes and gives."""
    return JsonAnswer(metadata_of(asked_model(request)))


async def model_ready(request: Request) -> Response:
    """Whether a model answers: those that are there do."""
    return JsonAnswer({"name": asked_model(request).name, "ready": True})


async def infer(request: Request) -> Response:
    """Labels of texts."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media not in _MEDIA:
        way_out = "Send JSON, or JSON with bytes after it as application/octet-stream."
        raise ApiError(415, f"The content type {quote(media[:60])} is not one of V2.", "header 'Content-Type'", way_out)
    model = asked_model(request)
    asked = read_request(await request.body(), request.headers.get(HEADER_LENGTH), outputs_of(model))
    told = any(name == "probabilities" for name, _ in asked.outputs)
    answers = await model.answer(asked.texts, asked.question, told=told)
    body, length = write_response(model, asked, answers)
    if length is None:
        return Response(body, media_type="application/json")
    return Response(body, headers={HEADER_LENGTH: str(length)}, media_type="application/octet-stream")


def asked_model(request: Request) -> ServedModel:
    """The model, and the version where one is named, of a request's path."""
    model: ServedModel = request.app.state.models.get(request.path_params["name"])
    version: Any = request.path_params.get("version")
    if version is not None and version != version_of(model):
        what = f"The model {quote(model.name)} has no version {quote(version[:60])}."
        raise ApiError(404, what, "path", f"Its version is {version_of(model)!r}, or leave the version out.")
    return model
