"""``GET /models``: what is served, and what is known of each model."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.server.desk import Desk
from assay.server.responses import JsonAnswer
from assay.server.served_model import ServedModel

__all__ = ["routes"]


def routes() -> list[Route]:
    """The routes of this file."""
    return [
        Route("/models", models, methods=["GET"]),
        Route("/models/{name}", model, methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
        Route("/health/live", live, methods=["GET"]),
        Route("/health/ready", ready, methods=["GET"]),
    ]


async def models(request: Request) -> Response:
    """Names, digests and labels."""
    desk: Desk = request.app.state.desk
    return JsonAnswer({"models": [_in_short(model) for model in desk.models]})


async def model(request: Request) -> Response:
    """The card and the metrics of one model."""
    desk: Desk = request.app.state.desk
    found = desk.models.get(request.path_params["name"])
    request.scope["note"].about(found, 0)
    return JsonAnswer(await asyncio.to_thread(_at_length, found))


async def metrics(request: Request) -> Response:
    """What was counted, for Prometheus."""
    desk: Desk = request.app.state.desk
    desk.metrics.counts.put(("queue",), desk.places.taken)
    desk.metrics.counts.put(("running",), desk.notes.running)
    return Response(desk.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


async def live(_: Request) -> Response:
    """That the process answers."""
    return JsonAnswer({"status": "live"})


async def ready(request: Request) -> Response:
    """Whether requests are taken."""
    desk: Desk = request.app.state.desk
    return JsonAnswer({"status": "ready" if desk.ready else "stopping"}, 200 if desk.ready else 503)


def _in_short(model: ServedModel) -> dict[str, Any]:
    loaded = model.loaded
    return {
        **model.reference,
        "task": loaded.model.decision.task,
        "labels": list(model.labels),
        "probabilities": loaded.model.decision.has_probabilities,
        "novelty": loaded.record.novelty is not None,
    }


def _at_length(model: ServedModel) -> dict[str, Any]:
    from assay.card.as_data import card_data

    return {
        **_in_short(model),
        "provenance": model.loaded.provenance,
        "evaluation": model.evaluation,
        "card": card_data(model.loaded, model.evaluation, name=model.name),
    }
