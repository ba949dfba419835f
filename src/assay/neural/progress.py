"""What a training shows when it is asked to: a line an epoch on standard error, and a bar on a terminal."""

from __future__ import annotations

import time
from typing import Any

from assay.neural.history import Epoch

__all__ = ["LineWatcher", "epoch_line"]


def epoch_line(number: int, epochs: int, found: Epoch, best: bool) -> str:
    """An epoch in one line; a star marks the best so far.

    Examples
    --------
    >>> epoch_line(2, 20, Epoch(0.41, 0.5, 0.79, 0.001, 6.0), True)
    'epoch  2/20: loss 0.4100, held out 0.5000 and 0.790 *, 6.0 s'
    """
    held_out = ""
    if found.held_out_loss is not None and found.held_out_metric is not None:
        held_out = f", held out {found.held_out_loss:.4f} and {found.held_out_metric:.3f}{' *' if best else ''}"
    return f"epoch {number:>{len(str(epochs))}}/{epochs}: loss {found.loss:.4f}{held_out}, {found.seconds:.1f} s"


class LineWatcher:
    """Writes to standard error, until it is closed."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, highlight=False)
        self._bar: Any = None
        self._began = time.monotonic()
        self._metric = ""

    def stage(self, text: str) -> None:
        """Show what is being done."""
        self._show(text)

    def step(self, epoch: int, epochs: int, step: int, steps: int, loss: float) -> None:
        """Move the bar on."""
        done = ((epoch - 1) * steps + step) / (epochs * steps)
        left = (time.monotonic() - self._began) * (1 - done) / done
        place = f"epoch {epoch}/{epochs}, {step}/{steps}"
        self._show(f"{place}: loss {loss:.4f}{self._metric}, at most {left:.0f} s left")

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
