"""What is written down of a request: for its log line, and to be counted."""

from __future__ import annotations

import os
import re
import time
from itertools import count
from typing import Any

from assay.server.gate import Headers
from assay.server.metrics import Metrics
from assay.server.process.log_lines import LogLines

__all__ = ["NoteBook", "RequestNote"]

_GOOD_ID = re.compile(rb"[\w.:-]{1,64}", re.ASCII)


class RequestNote:
    """One request.

    Attributes
    ----------
    id
        As the client gave it in X-Request-ID, else our own; every answer carries it.
    route
        The pattern of its path, by which requests are counted.
    model, digest, texts
        Which model was asked, and about how many texts.
    """

    __slots__ = ("client", "digest", "id", "method", "model", "path", "route", "started", "texts")

    def __init__(self, request_id: bytes, method: str, path: str, route: str, client: str | None) -> None:
        self.started = time.perf_counter()
        self.id, self.method, self.path, self.route, self.client = request_id, method, path, route, client
        self.model: str | None = None
        self.digest: str | None = None
        self.texts = 0

    def about(self, model: Any, texts: int) -> None:
        """The request asks a `ServedModel` about so many texts."""
        self.model, self.digest, self.texts = model.name, model.digest, texts


class NoteBook:
    """Begins and ends notes.

    Parameters
    ----------
    metrics
        Where requests are counted.
    log
        Where their lines go; None writes none.
    """

    def __init__(self, metrics: Metrics, log: LogLines | None) -> None:
        self.metrics, self._log = metrics, log
        self._prefix, self._numbers = os.urandom(4).hex(), count(1)
        self.running = 0

    def begin(self, method: str, path: str, route: str, headers: Headers, client: str | None) -> RequestNote:
        """A request has come."""
        request_id = None
        for name, value in headers:
            if name == b"x-request-id" and _GOOD_ID.fullmatch(value):
                request_id = value
        if request_id is None:
            request_id = f"{self._prefix}-{next(self._numbers)}".encode()
        self.running += 1
        return RequestNote(request_id, method, path, route, client)

    def end(self, note: RequestNote, status: int) -> None:
        """It was answered; the status 499 is that of a client who did not wait."""
        self.running -= 1
        seconds = time.perf_counter() - note.started
        self.metrics.request(note.route, status, seconds)
        if self._log is None:
            return
        line = {
            "event": "request",
            "request_id": note.id.decode(),
            "client": note.client,
            "method": note.method,
            "path": note.path[:200],
            "status": status,
            "ms": round(seconds * 1000, 3),
        }
        if note.model is not None:
            line |= {"model": note.model, "sha256": note.digest, "texts": note.texts}
        self._log.write(line)
