"""``POST /predict``."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.server.responses import JsonAnswer
from assay.streaming.question import Question

__all__ = ["routes"]


def routes() -> list[Route]:
    """The routes of this file."""
    return [Route("/predict", predict, methods=["POST"])]


async def predict(request: Request) -> Response:
    """Labels of texts."""
    asked = msgspec.json.decode(await request.body())
    models = request.app.state.models
    model = models.get(asked.get("model", models.names[0]), "field 'model'")
    answers = await model.answer(asked["texts"], Question())
    return JsonAnswer({"model": {"name": model.name, "sha256": model.digest}, "answers": answers})
