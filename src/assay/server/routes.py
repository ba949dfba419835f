"""All routes of the server, joined from the lists of those who answer them."""

from __future__ import annotations

from starlette.routing import BaseRoute

from assay.server import explaining, listing, open_inference_routes, page, predicting

__all__ = ["all_routes"]


def all_routes() -> list[BaseRoute]:
    """Every list in order. A handler finds the shelf as ``request.app.state.models``, and ``….state.settings``."""
    rooms = (predicting, explaining, listing, open_inference_routes, page)
    return [route for room in rooms for route in room.routes()]
