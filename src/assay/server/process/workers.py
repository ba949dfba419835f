"""Several processes that answer at one address.

They are forked when the models are loaded, and so have one copy of them in memory. One that ends by itself is replaced:
its successor goes on with its row of the counts.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from types import FrameType

from assay.server.metrics import Metrics
from assay.server.process.reloading import Reloader
from assay.server.process.serving import STOPPING, serve
from assay.server.process.shared_counts import SharedCounts
from assay.server.settings import ServerSettings
from assay.server.shelf import ModelShelf

__all__ = ["serve_with_workers"]

_TOO_SOON = 1.0  # seconds: a worker that lived no longer is not replaced at once


def serve_with_workers(
    models: ModelShelf,
    settings: ServerSettings,
    listening: socket.socket,
    reloader: Reloader,
    log_to: int | None = None,
) -> None:
    """Answer with so many processes until a signal says to stop."""
    counts = SharedCounts(settings.workers)
    crew = _Crew(models, settings, listening, reloader, counts, log_to)
    for model in models:
        model.prepare()  # once for all of them
    before = {number: signal.signal(number, crew.stop) for number in STOPPING}
    try:
        crew.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Crew:
    def __init__(
        self,
        models: ModelShelf,
        settings: ServerSettings,
        listening: socket.socket,
        reloader: Reloader,
        counts: SharedCounts,
        log_to: int | None,
    ) -> None:
        self._models, self._settings, self._listening = models, settings, listening
        self._reloader, self._counts, self._log_to = reloader, counts, log_to
        self._rows: dict[int, int] = {}  # process → its row of the counts
        self._begun: dict[int, float] = {}
        self._stopping = False

    def run(self) -> None:
        """Keep as many workers as were asked for, until they are to stop."""
        gc.collect()
        gc.freeze()  # or the first look for garbage in a worker copies what it shares
        for row in range(self._settings.workers):
            self._start(row)
        while self._rows:
            pid, _ = os.waitpid(-1, 0)  # a signal comes in between: `stop` is called, and this goes on
            if pid not in self._rows:
                continue
            row = self._rows.pop(pid)
            if self._stopping:
                continue
            self._counts.add(("restarts",))
            if time.monotonic() - self._begun.pop(pid) < _TOO_SOON:
                time.sleep(_TOO_SOON)
            if not self._stopping:
                self._reloader.renew(self._models)
                self._start(row)

    def stop(self, number: int, _: FrameType | None) -> None:
        """Pass a signal on; where workers do not end in time, they are ended."""
        if not self._stopping:
            signal.signal(signal.SIGALRM, self._end)
            signal.alarm(max(1, round(self._settings.grace)) + 3)
        self._stopping = True
        self._tell(signal.SIGTERM)

    def _end(self, number: int, _: FrameType | None) -> None:
        self._tell(signal.SIGKILL)

    def _tell(self, number: int) -> None:
        for pid in list(self._rows):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _start(self, row: int) -> None:
        """Fork a worker; a signal that comes meanwhile is for both."""
        sys.stdout.flush()
        sys.stderr.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
        pid = os.fork()
        if pid:
            self._rows[pid], self._begun[pid] = row, time.monotonic()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
            return
        code = 1
        try:
            signal.set_wakeup_fd(-1)  # that of the parent
            for number in STOPPING:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
            self._counts.row = row
            metrics = Metrics(self._counts)
            metrics.begin_worker()
            serve(self._models, self._settings, self._listening, self._reloader, metrics, self._log_to)
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)
