"""``POST /explain``: why a model gives a text its label."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.errors import AssayError
from assay.server.asking import ExplainRequest, read_body
from assay.server.desk import Desk
from assay.server.errors import ApiError
from assay.server.predicting import explained
from assay.server.requests import json_body
from assay.server.responses import JsonAnswer
from assay.server.served_model import ServedModel
from assay.suggest import nearest_first, quote, quoted

__all__ = ["routes"]

#: Features that are listed where nobody says how many.
FEATURES = 20

#: Characters of a text that is explained: each of its features is listed, or each of its words is left out once.
LONGEST = 100_000


def routes() -> list[Route]:
    """The routes of this file."""
    return [Route("/explain", explain, methods=["POST"])]


async def explain(request: Request) -> Response:
    """What each feature, and each word, contributes to an answer."""
    desk: Desk = request.app.state.desk
    asked = read_body(await json_body(request), ExplainRequest)
    model = desk.models.asked(asked.model)
    request.scope["note"].about(model, 1)
    for field in ("label", "against"):
        named = getattr(asked, field)
        if named is not None and named not in model.labels:
            near = quoted(nearest_first(named, model.labels))
            raise ApiError(
                422, f"The model has no label {quote(named[:60])}.", f"field {field!r}", f"Labels are {near}."
            )
    if len(asked.text) > LONGEST:
        what = f"The text has {len(asked.text):,} characters, and {LONGEST:,} at most are explained."
        raise ApiError(413, what, "field 'text'", "Ask about a part of it.")
    if asked.top is not None and asked.top < 1:
        raise ApiError(422, f"top must be 1 or more. Got {asked.top} instead.", "field 'top'", "Leave it out for 20.")
    try:
        found = await asyncio.to_thread(_explanation, model, asked)
    except AssayError as error:
        raise explained(error) from None
    return JsonAnswer({"model": model.reference, "explanation": found})


def _explanation(model: ServedModel, asked: ExplainRequest) -> dict[str, Any]:
    """As `assay explain --json` has it; networks and features of whole texts have no exact one."""
    if model.is_explained_exactly:
        return model.loaded.explain(asked.text).to_dict(asked.label, asked.against, asked.top or FEATURES)
    from assay.explanation.occlusion import occlude  # few models need it

    return occlude(model.loaded, asked.text).to_dict(asked.label, asked.against)
