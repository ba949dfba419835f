"""Reading ahead: the next batches are read while this one is being worked on."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any, Generic, TypeVar

from assay.data.bytes.live import MOMENT
from assay.data.options import ReadOptions

__all__ = ["in_time", "read_ahead"]

Item = TypeVar("Item")


def read_ahead(
    items: Iterable[Item],
    depth: int = 2,
    *,
    give_up: Callable[[], None] = lambda: None,
    awaited: threading.Event | None = None,
) -> Generator[Item, None, None]:
    """Go through `items`, up to `depth` of which another thread has already made.

    While `awaited` is set, whoever goes through them waits for the next one.

    An exception there is raised here, after the items before it. Whoever stops early closes the generator, which stops
    the thread too; `give_up` is called then, so that it does not go on waiting for an item that may never come.

    Examples
    --------
    >>> list(read_ahead(range(5)))
    [0, 1, 2, 3, 4]
    """
    thread = _ReadingThread(items, depth, awaited or threading.Event())
    thread.start()
    try:
        yield from thread
    finally:
        give_up()
        thread.stop()


def in_time(options: ReadOptions, awaited: threading.Event | None) -> ReadOptions:
    """Options that read a pipe while it comes: for somebody who waits for each row, or (None) in parts of full size."""
    if awaited is None:
        return replace(options, patience=math.inf)
    return replace(options, patience=MOMENT, awaited=awaited.is_set)


class _ReadingThread(threading.Thread, Generic[Item]):
    """Fills a queue with ("item", …) and at last ("end", None) or ("failure", …)."""

    def __init__(self, items: Iterable[Item], depth: int, awaited: threading.Event) -> None:
        super().__init__(name="read-ahead", daemon=True)
        self._items = items
        self._awaited = awaited
        self._queue: queue.Queue[tuple[str, Any]] = queue.Queue(depth)
        self._stopped = threading.Event()

    def run(self) -> None:
        """What the thread does."""
        try:
            for item in self._items:
                self._queue.put(("item", item))
                if self._stopped.is_set():
                    return
            self._queue.put(("end", None))
        except BaseException as failure:  # it is raised again where the items are taken
            self._queue.put(("failure", failure))

    def __iter__(self) -> Iterator[Item]:
        while True:
            self._awaited.set()
            kind, value = self._queue.get()
            self._awaited.clear()
            if kind == "item":
                yield value
            elif kind == "failure":
                raise value
            else:
                return

    def stop(self) -> None:
        """End the thread, which may be waiting for room in the queue."""
        self._stopped.set()
        while self.is_alive():
            try:
                self._queue.get(timeout=0.05)
            except queue.Empty:
                continue
