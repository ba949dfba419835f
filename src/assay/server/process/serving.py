"""One process that answers, from its first connection to its graceful end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import uvicorn

from assay.server.app import build_app
from assay.server.desk import Desk
from assay.server.metrics import Metrics
from assay.server.process.log_lines import LogLines
from assay.server.process.protocol import BoundedProtocol, bound_to
from assay.server.process.reloading import Reloader
from assay.server.settings import ServerSettings
from assay.server.shelf import ModelShelf

__all__ = ["STOPPING", "serve"]

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class JsonLog(logging.Handler):
    """What uvicorn and the server have to say, as lines of JSON."""

    def __init__(self, lines: LogLines) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """Write one."""
        line: dict[str, Any] = {"event": "log", "level": record.levelname.lower(), "message": record.getMessage()}
        if record.exc_info:
            line["traceback"] = self.formatter_of_tracebacks.formatException(record.exc_info)
        self._lines.write(line)

    formatter_of_tracebacks = logging.Formatter()


class Server(uvicorn.Server):
    """uvicorn's server, which sweeps connections and stops when it is asked to, or when its parent is gone."""

    def __init__(self, config: uvicorn.Config, desk: Desk, reloader: Reloader) -> None:
        super().__init__(config)
        self._desk, self._reloader = desk, reloader
        self._parent = os.getppid()
        self._reloading: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self._reloading = asyncio.create_task(self._reloader.run(self._desk))

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second."""
        if counter % 10 == 0:
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                assert isinstance(connection, BoundedProtocol)
                connection.sweep(now)
            self._desk.metrics.counts.put(("connections",), len(self.server_state.connections))
            if self._desk.settings.workers > 1 and os.getppid() != self._parent:
                return True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: what has begun is finished, within the time of grace."""
        self._desk.ready = False
        if self._reloading is not None:
            self._reloading.cancel()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop gracefully at a signal; at a second one, at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in STOPPING}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal has come."""
        self.force_exit = self.should_exit
        self.should_exit = True


def serve(
    models: ModelShelf,
    settings: ServerSettings,
    listening: socket.socket,
    reloader: Reloader,
    metrics: Metrics | None = None,
    log_to: int | None = None,
) -> None:
    """Answer until a signal says to stop.

    Parameters
    ----------
    models, reloader
        What is served, and what looks after its files.
    settings
        How.
    listening
        The socket.
    metrics
        Shared with other workers.
    log_to
        The descriptor to which log lines go.
    """
    lines = LogLines(log_to)
    app = build_app(models, settings, metrics, lines)
    desk: Desk = app.state.desk
    config = uvicorn.Config(
        app,
        http=bound_to(desk),
        ws="none",
        loop="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=max(1, round(settings.grace)),
        backlog=2048,
    )
    handler = JsonLog(lines)
    for name, level in (("uvicorn.error", logging.WARNING), ("assay.server", logging.INFO)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
    server = Server(config, desk, reloader)
    threading.Thread(target=_prepare, args=(models,), name="prepare", daemon=True).start()
    gc.collect()
    gc.freeze()  # what is there now stays: looking for garbage in it takes time, and copies shared memory
    gc.set_threshold(10_000, 10, 10)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(server.serve([listening]))
    finally:
        lines.close()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """What makes the event loop: uvloop, where there is one."""
    try:
        from uvloop import new_event_loop
    except ImportError:  # Windows
        return asyncio.new_event_loop
    return new_event_loop


def _prepare(models: ModelShelf) -> None:
    """Make tables while the first requests are answered without them."""
    for model in models:
        model.prepare()
