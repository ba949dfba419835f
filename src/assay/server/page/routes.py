"""The files of the pages, held in memory."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.page import TEMPLATES
from assay.server.errors import ApiError
from assay.server.openapi import openapi_document
from assay.suggest import nearest_first, quote, quoted

__all__ = ["PUBLIC", "routes"]

_OWN = Path(__file__).with_name("files")

#: Name below ``/page/`` → file.
_FILES = {
    "frame.css": TEMPLATES / "style.css",
    "frame.js": TEMPLATES / "script.js",
    **{name: _OWN / name for name in ("page.css", "asking.js", "showing.js", "try.js", "docs.js", "icon.svg")},
}
_MEDIA = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

#: Paths that hold nothing of a model, which a browser opens before anybody could have given it a token.
PUBLIC = ("/", "/docs", "/openapi.json", *(f"/page/{name}" for name in _FILES))


def routes() -> list[Route]:
    """The routes of this file."""
    return [
        Route("/", index, methods=["GET"]),
        Route("/docs", docs, methods=["GET"]),
        Route("/openapi.json", document, methods=["GET"]),
        Route("/page/{name}", file, methods=["GET"]),
    ]


async def index(_: Request) -> Response:
    """A page to try a text."""
    return Response(_content(_OWN / "index.html"), media_type="text/html")


async def docs(_: Request) -> Response:
    """A page that shows what can be asked."""
    return Response(_content(_OWN / "docs.html"), media_type="text/html")


async def document(_: Request) -> Response:
    """What can be asked, as OpenAPI says it."""
    return Response(openapi_document(), media_type="application/json")


async def file(request: Request) -> Response:
    """What the pages are made of."""
    name = request.path_params["name"]
    if name not in _FILES:
        near = quoted(nearest_first(name[:60], _FILES))
        raise ApiError(404, f"The pages have no file {quote(name[:60])}.", "path", f"Files are {near}.")
    path = _FILES[name]
    return Response(_content(path), media_type=_MEDIA[path.suffix])


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()
