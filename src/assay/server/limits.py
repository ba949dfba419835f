"""How much of a request is read, and how long it may take."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive

from assay.server.errors import ApiError
from assay.server.gate import Headers

__all__ = ["Limits", "declared_length", "late", "too_large"]

#: Bytes that nobody wants, which are read before they are refused: a client that is still sending reads no answer.
_DRAINED = 32 << 20
_DRAINING = 2.0  # seconds


class Limits:
    """Of one request; whoever takes more than texts in JSON lifts them.

    Parameters
    ----------
    body
        Bytes.
    timeout
        The clock that runs.
    """

    def __init__(self, body: int, timeout: asyncio.Timeout, headers: Headers, receive: Receive) -> None:
        self.body, self._timeout, self._receive = body, timeout, receive
        self._declared = declared_length(headers)
        self._read = 0

    def lift(self, body: int) -> None:
        """Take a larger body, and all the time that it needs."""
        self.body = body
        self._timeout.reschedule(None)

    async def receive(self) -> Message:
        """The next message of the client; an `ApiError` 413 where the body becomes too large."""
        if (self._declared or 0) > self.body:
            await self._drain(self._declared or 0)
        message = await self._receive()
        self._read += len(message.get("body", b""))
        if self._read > self.body:
            await self._drain(self._read)
        return message

    async def _drain(self, size: int) -> None:
        """Read what the client is still sending, for a while, and refuse it."""
        try:
            async with asyncio.timeout(_DRAINING):
                while self._read <= self.body + _DRAINED:
                    message = await self._receive()
                    self._read += len(message.get("body", b""))
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            pass
        raise too_large(max(size, self._read), self.body)


def declared_length(headers: Headers) -> int | None:
    """The length of the body, where the headers say it."""
    found = next((value for name, value in headers if name == b"content-length"), b"")
    return int(found) if found.isdigit() else None


def too_large(size: int, limit: int) -> ApiError:
    """The refusal of a body of that size."""
    return ApiError(
        413,
        f"The body has {size:,} bytes or more, and the server takes {limit:,} at most.",
        "body",
        "Send fewer texts at a time; or send rows as CSV, NDJSON or Arrow, of which it takes more.",
        [(b"connection", b"close")],
    )


def late(limit: float) -> ApiError:
    """The refusal of a request that took too long."""
    return ApiError(
        503,
        f"No answer came within {limit:g} seconds.",
        "the server",
        "Send fewer or shorter texts at a time, or ask again later.",
        [(b"retry-after", b"1")],
    )
