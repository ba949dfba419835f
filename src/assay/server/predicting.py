"""``POST /predict``: texts in JSON; rows in other formats are answered by `bulk`."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.errors import AssayError
from assay.server.answers import Answer, check_cells, told_labels
from assay.server.asking import PredictRequest, read_body
from assay.server.bulk import BULK_TYPES, answer_rows
from assay.server.desk import Desk
from assay.server.errors import ApiError, of_assay
from assay.server.request_note import RequestNote
from assay.server.requests import json_body, media_type, refuse_compressed
from assay.server.served_model import ServedModel

__all__ = ["answer_body", "begin", "explained", "routes"]


def routes() -> list[Route]:
    """The routes of this file."""
    return [Route("/predict", predict, methods=["POST"])]


async def predict(request: Request) -> Response:
    """Labels of texts."""
    desk: Desk = request.app.state.desk
    if media_type(request) in BULK_TYPES:
        refuse_compressed(request)
        return await answer_rows(request)
    model, future = begin(desk, await json_body(request, BULK_TYPES), request.scope["note"])
    try:
        answers = await future
    except AssayError as error:
        raise explained(error) from None
    return Response(answer_body(model, answers), media_type="application/json")


def begin(desk: Desk, body: bytes, note: RequestNote) -> tuple[ServedModel, asyncio.Future[list[Answer]]]:
    """Let the texts of a body wait for their answers."""
    asked = read_body(body, PredictRequest)
    model = desk.models.asked(asked.model)
    note.about(model, len(asked.texts))
    question = asked.question()
    if asked.told:
        labels = told_labels(question, len(model.labels))
        check_cells(len(asked.texts), labels, "field 'texts'", "fewer labels with 'top'")
    return model, model.submit(asked.texts, question, told=asked.told)


def answer_body(model: ServedModel, answers: list[Answer]) -> bytes:
    """The JSON of the answers."""
    return b'{"model":' + model.written + b',"answers":' + _encode(answers) + b"}"


def explained(error: AssayError) -> ApiError:
    """What the model itself had to say against a question."""
    return of_assay(error, "the model", 422)


_encode = msgspec.json.Encoder().encode
