"""The application: routes behind a gate, over a shelf of models."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.server.desk import Desk
from assay.server.errors import ApiError
from assay.server.front import Front
from assay.server.metrics import Metrics
from assay.server.process.log_lines import LogLines
from assay.server.routes import all_routes
from assay.server.settings import ServerSettings
from assay.server.shelf import ModelShelf
from assay.suggest import nearest_first, quote, quoted

__all__ = ["build_app"]


def build_app(
    models: ModelShelf, settings: ServerSettings, metrics: Metrics | None = None, log: LogLines | None = None
) -> Starlette:
    """The ASGI application that serves these models; handlers find all they need as ``request.app.state.desk``."""
    desk = Desk(models, settings, metrics or Metrics(), log)
    app = Starlette(
        routes=all_routes(),
        middleware=[Middleware(Front, desk=desk)],
        exception_handlers={HTTPException: _on_no_route},
    )
    app.router.redirect_slashes = False
    app.state.desk, app.state.models, app.state.settings = desk, models, settings
    return app


async def _on_no_route(request: Request, error: Exception) -> Response:
    """Say which paths there are, or which methods a path has."""
    assert isinstance(error, HTTPException)
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        what = f"The path {quote(path[:60])} does not take {request.method}."
        raise ApiError(405, what, "method", f"It takes {allowed}.", [(b"allow", allowed.encode())])
    if error.status_code != 404:
        raise ApiError(error.status_code, f"{error.detail}.", "request", "Change it and ask again.")
    known = [route.path for route in request.app.routes if isinstance(route, Route)]
    way_out = f"There are {quoted(nearest_first(path, known), 4)}."
    raise ApiError(404, f"There is nothing at {quote(path[:60])}.", "path", way_out)
