"""Reading ahead: the next batches are read while this one is being worked on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, Generic, TypeVar

__all__ = ["read_ahead"]

Item = TypeVar("Item")


def read_ahead(
    items: Iterable[Item], depth: int = 2, *, give_up: Callable[[], None] = lambda: None
) -> Generator[Item, None, None]:
    """Go through `items`, up to `depth` of which another thread has already made.

    An exception there is raised here, after the items before it. Whoever stops early closes the generator, which stops
    the thread too; `give_up` is called then, so that it does not go on waiting for an item that may never come.

    Examples
    --------
    >>> list(read_ahead(range(5)))
    [0, 1, 2, 3, 4]
    """
    thread = _ReadingThread(items, depth)
    thread.start()
    try:
        yield from thread
    finally:
        give_up()
        thread.stop()


class _ReadingThread(threading.Thread, Generic[Item]):
    """Fills a queue with ("item", …) and at last ("end", None) or ("failure", …)."""

    def __init__(self, items: Iterable[Item], depth: int) -> None:
        super().__init__(name="read-ahead", daemon=True)
        self._items = items
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
            kind, value = self._queue.get()
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
