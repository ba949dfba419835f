"""uvicorn's protocol with bounds: on headers, on how slow a client may be, and on how many there are.

What uvicorn leaves open: it reads headers without end and waits for the rest of a request for ever. A look at all
connections once a second, from `sweep`, costs less than a timer for each.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from assay.server.desk import Desk
from assay.server.errors import ApiError, error_body
from assay.server.process.quick_request import QuickRequest

__all__ = ["BoundedProtocol", "bound_to"]

MOST_HEADERS = 100
MOST_HEADER_BYTES = 32 << 10
MOST_URL_BYTES = 8 << 10
MOST_BARREN_BYTES = 64 << 10  # in which no header ends and no body comes: httptools keeps them, and looks at all again
MOST_CONNECTIONS = 1000
MOST_AHEAD = 500  # requests that one client sends without waiting for answers
KEEP_ALIVE = 75.0  # seconds that a connection may be idle
SLOWEST = 10_000  # bytes a second, beyond the stall limit

#: Bytes of a body that is answered without uvicorn's and Starlette's way around it.
QUICK_BYTES = 60_000


class BoundedProtocol(HttpToolsProtocol):
    """One connection.

    Attributes
    ----------
    desk
        Of the server; set by a subclass that `bound_to` makes.
    """

    desk: Desk
    quick_paths: frozenset[bytes]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.quick: QuickRequest | None = None
        self._running: Any = None  # the request that is answered, or was answered last; `cycle` is the last that came
        self._in_headers = True
        self._last_words: bytes | None = None  # a refusal that waits for the answers before it
        self._reading_since: float | None = None  # a request has begun, and is not all there
        self._idle_since: float | None = None
        self._paused_since: float | None = None  # the client does not take its answer
        self._received = self._barren = 0
        self._n_headers = self._header_bytes = 0
        self._refused = False

    # -- what comes --------------------------------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        """A client has come."""
        super().connection_made(transport)
        self._reading_since = self.loop.time()  # it has connected in order to ask
        if len(self.connections) > MOST_CONNECTIONS:
            what = f"The server has {MOST_CONNECTIONS:,} connections, and takes no more."
            self._refuse(503, what, "connection", "Connect again later, and keep fewer connections open.")

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        super().connection_lost(exc)
        running, self._running = self._running, None
        if running is not None and not running.response_complete:  # uvicorn tells only the last that came
            running.disconnected = True
            running.message_event.set()
        if self.cycle is not None and self.cycle.response_complete:
            self.cycle = None  # type: ignore[assignment]  # which knows this connection: nobody else would part them

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request."""
        if self._refused:
            return
        if self._barren > MOST_BARREN_BYTES:
            what = f"A header, or what stands around the body, has more than {MOST_BARREN_BYTES:,} bytes."
            self._refuse(431, what, "headers", "Send less.")
            return
        self._received += len(data)
        self._barren += len(data)
        if self._reading_since is None and self._idle_since is not None:
            self._reading_since, self._idle_since = self.loop.time(), None
        super().data_received(data)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._n_headers = self._header_bytes = 0
        self._in_headers = True
        self._reading_since = self.loop.time()
        self._received = self._barren = 0

    def on_url(self, url: bytes) -> None:
        """A part of the path."""
        super().on_url(url)
        if len(self.url) > MOST_URL_BYTES:
            self._refuse(414, f"The path has more than {MOST_URL_BYTES:,} bytes.", "path", "Send texts in a body.")

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header; those after the body are counted and left out, or they would pass the gate as if sent before it."""
        self._barren = 0
        self._n_headers += 1
        self._header_bytes += len(name) + len(value)
        if self._n_headers > MOST_HEADERS or self._header_bytes > MOST_HEADER_BYTES:
            what = (
                f"The request has more than {MOST_HEADERS} headers, or more than {MOST_HEADER_BYTES:,} bytes of them."
            )
            self._refuse(431, what, "headers", "Send fewer.")
        elif self._in_headers:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """All headers are there: most requests begin here, and usual ones go their own quick way."""
        self._in_headers = False
        if self._refused:
            return
        if len(self.pipeline) >= MOST_AHEAD:
            what = f"More than {MOST_AHEAD} requests came before they could be answered."
            self._refuse(429, what, "connection", "Read answers before you ask on.")
            return
        is_free = self.cycle is None or self.cycle.response_complete
        if self.url in self.quick_paths and is_free and not self.flow.write_paused and not self.expect_100_continue:
            quick = QuickRequest.of(self, QUICK_BYTES)
            if quick is not None:
                self.cycle = quick  # type: ignore[assignment] # it has what uvicorn asks of a cycle
                self.quick = self._running = quick
                return
        self.quick = None
        super().on_headers_complete()
        if is_free:
            self._running = self.cycle

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._barren = 0
        if self.quick is not None:
            self.quick.body += body
        elif not self._refused and self.cycle is not None:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is all there."""
        self._reading_since = None
        quick, self.quick = self.quick, None
        if quick is not None:
            quick.begin()
        elif not self._refused and self.cycle is not None:
            super().on_message_complete()

    # -- what goes ---------------------------------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """An answer is all sent; `sweep` closes what stays idle, instead of a timer."""
        if self.pipeline:
            self._running = self.pipeline[-1][0]
            super().on_response_complete()
            if self.pipeline:  # uvicorn reads on whenever one was answered, and keeps what comes
                self.flow.pause_reading()
            return
        self.server_state.total_requests += 1
        if self._last_words is not None:
            if not self.transport.is_closing():
                self.transport.write(self._last_words)
                self.transport.close()
        elif not self.transport.is_closing():
            self.flow.resume_reading()
            self._idle_since = self.loop.time()

    def pause_writing(self) -> None:
        """The client reads more slowly than it is answered."""
        super().pause_writing()
        self._paused_since = self.loop.time()

    def resume_writing(self) -> None:
        """It has caught up."""
        super().resume_writing()
        self._paused_since = None

    def send_400_response(self, msg: str) -> None:
        """What came is no HTTP."""
        self._refuse(400, "This is no HTTP request that the server understands.", "request", "Ask in HTTP/1.1.")

    def sweep(self, now: float) -> None:
        """End the connection if its client takes too long."""
        stall = self.desk.settings.stall_limit
        if self._paused_since is not None:
            if now - self._paused_since > stall:
                self.transport.abort()
        elif self._reading_since is not None:
            if now - self._reading_since > stall + self._received / SLOWEST and not self._is_held_up():
                self._refuse(
                    408, f"The request was not all there after {stall:g} seconds.", "request", "Send it faster."
                )
        elif self._idle_since is not None and now - self._idle_since > KEEP_ALIVE:
            self.transport.close()
        elif isinstance(self.cycle, QuickRequest):
            self.cycle.check_time(now)

    def _is_held_up(self) -> bool:
        """Whether it is the server that does not read on."""
        return bool(self.flow.read_paused)

    def _refuse(self, status: int, what: str, where: str, way_out: str) -> None:
        """Answer without asking anybody, and close the connection."""
        self._refused, self._reading_since = True, None
        if self.transport.is_closing():
            return
        self.desk.metrics.request("(refused)", status, 0.0)
        if self.desk.log is not None:
            client = self.client[0] if self.client else None
            self.desk.log.write({"event": "refused", "client": client, "status": status, "message": what})
        body = error_body(ApiError(status, what, where, way_out))
        head = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
        said, running = STATUS_LINE[status] + head + body, self._running
        if running is not None and not running.response_complete:
            if not running.more_body:  # what is refused came after it: first its answer, and then this
                self._last_words = said
                if self.pipeline and self.pipeline[0][0].more_body:
                    self.pipeline.popleft()  # the very one
                return
            running.disconnected = True
        if running is None or running.response_complete or not running.response_started:
            self.transport.write(said)
        self.transport.close()


def bound_to(desk: Desk) -> type[asyncio.Protocol]:
    """The protocol for the connections of one server."""
    paths = frozenset({b"/predict", desk.settings.root_path.encode() + b"/predict"})
    return type("Protocol", (BoundedProtocol,), {"desk": desk, "quick_paths": paths})
