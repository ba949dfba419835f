"""Requests that wait together are scored together; none waits for others to come.

Texts that arrive while the event loop reads its sockets, or while a model is busy, are put into one call of the model
as soon as it is free. A small call is made at once in the event loop: it takes less time than handing it to a thread
would. A large one is made in a thread, where the native core lets the event loop go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from assay.server.answers import Answer, told_labels
from assay.server.errors import ApiError
from assay.streaming.question import Question
from assay.suggest import counted

__all__ = ["Batcher", "Places"]

#: Characters that are scored in the event loop: about a millisecond's work.
SMALL = 20_000

#: Characters in whose time a label of a text is scored, and in whose time its probability is written.
_SCORED, _TOLD = 0.25, 5

#: Characters, beyond the first request, that go into one call.
MOST = 2_000_000

Ask = Callable[[list[str], Question, bool], list[Answer]]
Count = Callable[[list[Answer]], None]


class Places:
    """How many texts wait, of all models, and how many may."""

    def __init__(self, most: int = 10_000) -> None:
        self.most, self.taken = most, 0

    def take(self, n: int) -> None:
        """Let texts wait, or refuse them; however many, if nothing else waits."""
        if self.taken and self.taken + n > self.most:
            raise ApiError(
                429,
                f"The server is busy: {counted(self.taken, 'text waits', 'texts wait')} already, and it lets "
                f"{self.most:,} wait.",
                "queue",
                "Ask again in a second.",
                [(b"retry-after", b"1")],
            )
        self.taken += n


class Waiting(NamedTuple):
    """A request that waits."""

    texts: list[str]
    size: int
    question: Question
    told: bool
    future: asyncio.Future[list[Answer]]


class Batcher:
    """Lets one model answer all that wait for it.

    Parameters
    ----------
    ask
        Asks the model about texts; in a thread, where they are many.
    count
        Told, in the event loop, of the answers that one call of the model gave.
    places
        The queue, which models share.
    quick
        Whether small calls are quick enough for the event loop.
    labels
        Of the model.
    """

    def __init__(self, ask: Ask, count: Count, places: Places, *, quick: bool = True, labels: int = 0) -> None:
        self._labels = labels
        self._ask, self._count, self._places, self._quick = ask, count, places, quick
        self._waiting: list[Waiting] = []
        self._busy = False
        self._thread: ThreadPoolExecutor | None = None

    def submit(self, texts: list[str], question: Question, *, told: bool) -> asyncio.Future[list[Answer]]:
        """Let texts wait for their answers; an `ApiError` 429 where too many wait."""
        self._places.take(len(texts))
        loop = asyncio.get_running_loop()
        future: asyncio.Future[list[Answer]] = loop.create_future()
        each = self._labels * _SCORED + (_TOLD * told_labels(question, self._labels) if told else 0)
        size = sum(map(len, texts)) + int(each * len(texts))
        self._waiting.append(Waiting(texts, size, question, told, future))
        if not self._busy:
            self._busy = True
            loop.call_soon(self._next)
        return future

    def _next(self) -> None:
        """Answer what waits."""
        batch, size = self._taken()
        if self._quick and size <= SMALL:
            self._busy = False
            self._tell(batch, self._answers(batch))
            if self._waiting and not self._busy:
                self._busy = True
                asyncio.get_running_loop().call_soon(self._next)
            return
        loop = asyncio.get_running_loop()
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "model")
        work = loop.run_in_executor(self._thread, self._answers, batch)
        work.add_done_callback(lambda done: self._done(batch, done))

    def _done(self, batch: list[Waiting], work: asyncio.Future[list[list[Answer] | BaseException]]) -> None:
        self._tell(batch, work.result())
        if self._waiting:
            self._next()
        else:
            self._busy = False

    def _taken(self) -> tuple[list[Waiting], int]:
        """What goes into the next call: those whose clients are gone are left out."""
        size = n = 0
        for waiting in self._waiting:
            if n and size + waiting.size > MOST:
                break
            size, n = size + waiting.size, n + 1
        batch, self._waiting = self._waiting[:n], self._waiting[n:]
        self._places.taken -= sum(len(waiting.texts) for waiting in batch)
        return [waiting for waiting in batch if not waiting.future.done()], size

    def _answers(self, batch: list[Waiting]) -> list[list[Answer] | BaseException]:
        """The answers to each request, or what went wrong with it; those who ask alike are put into one call."""
        alike: dict[tuple[Question, bool], list[int]] = {}
        for at, waiting in enumerate(batch):
            alike.setdefault((waiting.question, waiting.told), []).append(at)
        found: list[list[Answer] | BaseException] = [[] for _ in batch]
        for (question, told), places in alike.items():
            texts = [text for at in places for text in batch[at].texts] if len(places) > 1 else batch[places[0]].texts
            try:
                answers = self._ask(texts, question, told)
            except Exception as error:
                for at in places:
                    found[at] = self._alone(batch[at]) if len(places) > 1 else error
                continue
            begin = 0
            for at in places:
                n = len(batch[at].texts)
                found[at], begin = answers[begin : begin + n], begin + n
        return found

    def _alone(self, waiting: Waiting) -> list[Answer] | BaseException:
        """What one request gets whose company failed: only that for which it fails by itself is told so."""
        try:
            return self._ask(waiting.texts, waiting.question, waiting.told)
        except Exception as error:
            return error

    def _tell(self, batch: list[Waiting], found: list[list[Answer] | BaseException]) -> None:
        self._count([answer for answers in found if isinstance(answers, list) for answer in answers])
        for waiting, answers in zip(batch, found, strict=True):
            if waiting.future.done():
                continue
            if isinstance(answers, BaseException):
                waiting.future.set_exception(answers)
            else:
                waiting.future.set_result(answers)
