"""The application: routes behind a gate, over a shelf of models."""

from __future__ import annotations

from starlette.applications import Starlette

from assay.server.errors import ApiError
from assay.server.responses import on_api_error
from assay.server.routes import all_routes
from assay.server.settings import ServerSettings
from assay.server.shelf import ModelShelf

__all__ = ["build_app"]


def build_app(models: ModelShelf, settings: ServerSettings) -> Starlette:
    """The ASGI application that serves these models."""
    app = Starlette(routes=all_routes(), exception_handlers={ApiError: on_api_error})
    app.state.models, app.state.settings = models, settings
    return app
