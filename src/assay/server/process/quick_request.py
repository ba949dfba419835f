"""A short ``POST /predict``, answered without a task, a scope and a route of its own.

It is what nearly all requests are, and the way around it would take longer than the answer. What it may do, and what is
said where it may not, is decided by the same functions as everywhere; whatever is not quite usual takes the usual way.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from assay.errors import AssayError
from assay.server.answers import Answer
from assay.server.errors import ApiError, error_body
from assay.server.limits import late
from assay.server.predicting import answer_body, begin, explained
from assay.server.request_note import RequestNote

if TYPE_CHECKING:
    from assay.server.process.protocol import BoundedProtocol
    from assay.server.served_model import ServedModel

__all__ = ["QuickRequest"]

_HEAD = b"content-type: application/json\r\nx-content-type-options: nosniff\r\ncache-control: no-store\r\n"


class QuickRequest:
    """One request; uvicorn takes it for the cycle of a request and its response.

    Parameters
    ----------
    protocol
        Of its connection.
    note
        What is written down of it.
    keep_alive
        Whether the connection stays.
    """

    response_started = False

    def __init__(self, protocol: BoundedProtocol, note: RequestNote, keep_alive: bool) -> None:
        self._protocol, self._note, self.keep_alive = protocol, note, keep_alive
        self.body = b""
        self.more_body = True
        self.response_complete = False
        self.disconnected = False
        self._future: asyncio.Future[list[Answer]] | None = None
        self._model: ServedModel | None = None
        self._began = protocol.loop.time()

    @classmethod
    def of(cls, protocol: BoundedProtocol, most: int) -> QuickRequest | None:
        """The request whose headers were read, if it is one of the usual ones that is let in; else None."""
        parser, desk, headers = protocol.parser, protocol.desk, protocol.headers
        if parser.get_method() != b"POST" or parser.get_http_version() != "1.1" or parser.should_upgrade():
            return None
        length = kind = None
        for name, value in headers:
            if name == b"content-length":
                length = value
            elif name == b"content-type":
                kind = value
            elif name in (b"origin", b"content-encoding"):
                return None
        if kind != b"application/json" or length is None or not length.isdigit() or int(length) > most:
            return None
        if int(length) > desk.settings.body_limit or desk.gate.refusal("POST", "/predict", headers) is not None:
            return None
        client = protocol.client[0] if protocol.client else None
        note = desk.notes.begin("POST", "/predict", "/predict", headers, client)
        return cls(protocol, note, parser.should_keep_alive())

    @property
    def message_event(self) -> QuickRequest:
        """What uvicorn sets when the client is gone."""
        return self

    def set(self) -> None:
        """The client may be gone."""
        if self.disconnected and not self.response_complete:
            self._end(None)

    def begin(self) -> None:
        """The body is there."""
        self.more_body = False
        try:
            self._model, self._future = begin(self._protocol.desk, self.body, self._note)
        except ApiError as error:
            self._refuse(error)
        else:
            self._future.add_done_callback(self._answer)

    def check_time(self, now: float) -> None:
        """Give up where the answer takes too long."""
        limit = self._protocol.desk.settings.time_limit
        if not self.response_complete and not self.more_body and now - self._began > limit:
            self._refuse(late(limit))

    def _answer(self, future: asyncio.Future[list[Answer]]) -> None:
        if self.response_complete:
            return
        error = future.exception() if not future.cancelled() else ApiError(503, "The server stops.", "the server", "")
        if error is None:
            assert self._model is not None
            self._send(200, b"", answer_body(self._model, future.result()))
        elif isinstance(error, (ApiError, AssayError)):
            self._refuse(error if isinstance(error, ApiError) else explained(error))
        else:
            self._protocol.logger.error("request %s failed", self._note.id.decode(), exc_info=error)
            way_out = "Look into the log of the server for this request's X-Request-ID."
            self._refuse(ApiError(500, "The server failed at this request.", "the server", way_out))

    def _refuse(self, error: ApiError) -> None:
        more = b"".join(name + b": " + value + b"\r\n" for name, value in error.headers)
        self._send(error.status, more, error_body(error))

    def _send(self, status: int, more: bytes, body: bytes) -> None:
        protocol = self._protocol
        if protocol.transport.is_closing():
            self._end(None)
            return
        if not self.keep_alive:
            more += b"connection: close\r\n"
        head = [b"%b: %b\r\n" % header for header in protocol.server_state.default_headers]
        protocol.transport.write(
            b"%b%b%b%bx-request-id: %b\r\ncontent-length: %d\r\n\r\n%b"
            % (STATUS_LINE[status], b"".join(head), _HEAD, more, self._note.id, len(body), body)
        )
        self._end(status)
        if not self.keep_alive:
            protocol.transport.close()
        protocol.on_response_complete()

    def _end(self, status: int | None) -> None:
        """Nothing more happens; without a status, because the client is gone."""
        self.response_complete = True
        self._protocol.desk.notes.end(self._note, status or 499)
        if self._future is not None and not self._future.done():
            self._future.cancel()
