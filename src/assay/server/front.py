"""What stands before all routes: the gate, the note of the request, its limits, and headers of every answer."""

from __future__ import annotations

import asyncio
import logging

from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.server.desk import Desk
from assay.server.errors import ApiError, error_body, v2_error_body
from assay.server.limits import Limits, late

__all__ = ["SECURITY_HEADERS", "Front"]

_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)

#: Of every answer: a browser loads and runs nothing but what the server itself has, and shows it in no other page.
SECURITY_HEADERS = (
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

#: Nobody gets parts of an answer: all of them are small, or made while they are sent.
_IGNORED = (b"range", b"if-range")

#: What is written down of a client that did not wait for its answer.
GONE = 499

_log = logging.getLogger("assay.server")


class Front:
    """ASGI middleware around the routes.

    Parameters
    ----------
    app
        What it stands before.
    desk
        The gate, the notes and the settings.
    """

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self._app, self._desk = app, desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: D102
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        desk, headers = self._desk, scope["headers"]
        path, root = self._place(scope), desk.settings.root_path
        client = scope["client"][0] if scope.get("client") else None
        note = scope["note"] = desk.notes.begin(scope["method"], path, _route(scope), headers, client)
        answer = _Answer(send, [*SECURITY_HEADERS, (b"x-request-id", note.id), *desk.gate.cors(headers)], path)
        try:
            refused = desk.gate.refusal(scope["method"], path, headers)
            if refused is not None:
                await answer.error(refused)
            elif scope["method"] == "OPTIONS" and any(name == b"access-control-request-method" for name, _ in headers):
                await answer.nothing(204)
            elif root and scope["path"] == root and scope["method"] in ("GET", "HEAD"):  # what the page loads is below
                await answer.nothing(308, (b"location", f"{root}/".encode()), (b"content-length", b"0"))
            else:
                scope["headers"] = [header for header in headers if header[0] not in _IGNORED]
                await self._ask(scope, receive, answer)
        finally:
            desk.notes.end(note, answer.status)

    def _place(self, scope: Scope) -> str:
        """The path below that of a proxy, which may have taken its own part away or not."""
        root, path = self._desk.settings.root_path, scope["path"]
        if root:
            scope["root_path"] = root
            if path != root and not path.startswith(f"{root}/"):
                scope["path"] = root + path
            path = scope["path"][len(root) :] or "/"
        return str(path)

    async def _ask(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        """Ask the routes; of what they did not expect, a client learns that it is an error of ours."""
        limit = self._desk.settings.time_limit
        try:
            async with asyncio.timeout(limit) as timeout:
                limits = scope["limits"] = Limits(self._desk.settings.body_limit, timeout, scope["headers"], receive)
                await self._app(scope, limits.receive, answer.send)
        except ApiError as error:
            await answer.error(error)
        except ClientDisconnect:  # nobody is there to be told
            pass
        except TimeoutError:
            await answer.error(late(limit))
        except Exception:
            _log.exception("request %s failed", scope["note"].id.decode())
            way_out = "Look into the log of the server for this request's X-Request-ID."
            await answer.error(ApiError(500, "The server failed at this request.", "the server", way_out))


class _Answer:
    """What goes to the client.

    An answer that has begun cannot become an error: it is left as it is, and the connection is closed in the middle of
    it, by which the client knows.
    """

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]], path: str) -> None:
        self._send, self._headers = send, headers
        self._written = v2_error_body if path == "/v2" or path.startswith("/v2/") else error_body
        self.status = GONE

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = {name for name, _ in message.get("headers", ())}
            added = (header for header in self._headers if header[0] not in given)
            message["headers"] = [*message.get("headers", ()), *added]
        await self._send(message)

    async def nothing(self, status: int, *headers: tuple[bytes, bytes]) -> None:
        await self._whole(status, list(headers), b"")

    async def error(self, error: ApiError) -> None:
        if self.status != GONE:
            _log.warning("an answer broke off: %s", error.what)
            return
        body = self._written(error)
        length = (b"content-length", str(len(body)).encode())
        await self._whole(error.status, [(b"content-type", b"application/json"), length, *error.headers], body)

    async def _whole(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def _route(scope: Scope) -> str:
    """The pattern of the path, so that what is counted does not grow with what is asked."""
    for route in scope["app"].routes:
        if isinstance(route, Route) and route.matches(scope)[0] is not Match.NONE:
            return route.path
    return "(other)"
