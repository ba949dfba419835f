"""Answers of the server: JSON, and errors."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assay.server.errors import ApiError, error_body

__all__ = ["JsonAnswer", "on_api_error"]


class JsonAnswer(Response):
    """A value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """As bytes."""
        return msgspec.json.encode(content)


async def on_api_error(_: Request, error: Exception) -> Response:
    """The answer that an `ApiError` is."""
    assert isinstance(error, ApiError)
    headers = {name.decode(): value.decode() for name, value in error.headers}
    return Response(error_body(error), error.status, headers, "application/json")
