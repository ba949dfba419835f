"""What a training shows when it is asked to: a line an epoch on standard error, and a bar on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from assay.neural.loop.history import Epoch

__all__ = ["LineWatcher", "TimeLeft", "epoch_line"]


def epoch_line(number: int, epochs: int, found: Epoch, best: bool) -> str:
    """An epoch in one line.

    Examples
    --------
    >>> epoch_line(2, 20, Epoch(0.41, 0.5, 0.79, 0.001, 6.0), True)
    'epoch  2/20: loss 0.4100; held out: loss 0.5000, metric 0.790, the best so far; 6.0 s'
    >>> epoch_line(3, 20, Epoch(0.38, None, None, 0.001, 5.9), True)
    'epoch  3/20: loss 0.3800; 5.9 s'
    """
    held_out = ""
    if found.held_out_loss is not None and found.held_out_metric is not None:
        held_out = f"; held out: loss {found.held_out_loss:.4f}, metric {found.held_out_metric:.3f}"
        held_out += ", the best so far" if best else ""
    return f"epoch {number:>{len(str(epochs))}}/{epochs}: loss {found.loss:.4f}{held_out}; {found.seconds:.1f} s"


class TimeLeft:
    """How long a training still takes, if it goes on as it went since it began here: it may have begun elsewhere.

    Parameters
    ----------
    clock
        Gives the time in seconds.

    Examples
    --------
    >>> seconds = iter([100.0, 110.0])
    >>> left = TimeLeft(lambda: next(seconds))
    >>> left.said(0.5), left.said(0.6)
    ('', ', at most 40 s left')
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._first: tuple[float, float] | None = None

    def said(self, done: float) -> str:
        """The end of a sentence after this share of all updates; nothing after the first one that was seen."""
        now = self._clock()
        if self._first is None:
            self._first = now, done
        began, before = self._first
        if done <= before:
            return ""
        return f", at most {(now - began) * (1 - done) / (done - before):.0f} s left"


class LineWatcher:
    """Writes to standard error, until it is closed."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, highlight=False)
        self._bar: Any = None
        self._left = TimeLeft()
        self._metric = ""

    def stage(self, text: str) -> None:
        """Show what is being done."""
        self._show(text)

    def step(self, epoch: int, epochs: int, step: int, steps: int, loss: float) -> None:
        """Move the bar on."""
        left = self._left.said(((epoch - 1) * steps + step) / (epochs * steps))
        self._show(f"epoch {epoch}/{epochs}, {step}/{steps}: loss {loss:.4f}{self._metric}{left}")

    def epoch(self, number: int, epochs: int, found: Epoch, best: bool) -> None:
        """Write the line of an epoch."""
        self._console.print(epoch_line(number, epochs, found, best), soft_wrap=True)
        if found.held_out_metric is not None:
            self._metric = f", held out {found.held_out_metric:.3f}"

    def _show(self, text: str) -> None:
        if not self._console.is_terminal:
            return
        if self._bar is None:
            self._bar = self._console.status("")
            self._bar.start()
        self._bar.update(text)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
