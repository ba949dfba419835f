"""What ``assay train`` shows while it works: the stage, and a live table of the recipes tried so far."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from assay.cli.screens.progress import PlainLines
from assay.cli.screens.tables import indented, plain_table

if TYPE_CHECKING:
    from rich.table import Table

    from assay.cli.options.screen import Screen
    from assay.neural.loop.history import Epoch
    from assay.training.trials import Trial

__all__ = ["RunProgress", "trial_table"]

SHOWN = 10
FEW_EPOCHS = 30


class RunProgress:
    """A watcher that draws on a terminal, and writes a line a round elsewhere.

    Parameters
    ----------
    screen
        Says where, and how much.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._lines = PlainLines(screen)
        self._stage = ""
        self._began = time.monotonic()
        self._round: tuple[int, int, int] = (0, 0, 0)
        self._best: Sequence[Trial] = ()
        self._update = ""
        self._left: Any = None
        self._live: Any = None

    def __enter__(self) -> Self:
        if self._screen.is_live:
            from rich.live import Live

            self._live = Live(
                console=self._screen.notes, transient=True, refresh_per_second=4, get_renderable=self._picture
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def stage(self, text: str) -> None:
        """Note what is being done."""
        self._stage, self._update = text, ""
        self._lines.report(self._line)

    def trials(self, round: int, of: int, trials: Sequence[Trial], n_recipes: int) -> None:
        """Note what has been tried."""
        self._round = round, of, n_recipes
        self._best = trials
        self._lines.report(self._line)
        if self._live is None and self._screen.progress != "none" and len(trials) == n_recipes > 1:
            best = self._best[0]
            self._screen.say(
                f"Round {round} of {of}: {n_recipes} recipes on {best.n_train:,} texts; the best so far is "
                f"{best.recipe.name} ({best.metric} {best.score.value:.3f})."
            )

    def step(self, epoch: int, epochs: int, step: int, steps: int, loss: float) -> None:
        """Note how far a network's training is."""
        from assay.neural.loop.progress import TimeLeft

        self._left = self._left or TimeLeft()
        left = self._left.said(((epoch - 1) * steps + step) / (epochs * steps))
        self._update = f", epoch {epoch} of at most {epochs}, update {step} of {steps}: loss {loss:.4f}{left}"
        self._lines.report(self._line)

    def epoch(self, number: int, epochs: int, found: Epoch, best: bool) -> None:
        """Write the line of an epoch; of many epochs, of those that are the best so far and of every tenth."""
        from assay.neural.loop.progress import epoch_line

        if self._screen.progress != "none" and (best or number % 10 == 0 or epochs <= FEW_EPOCHS):
            self._screen.say(epoch_line(number, epochs, found, best))

    def _line(self) -> str:
        number, of, n_recipes = self._round
        done = f", round {number} of {of}: {len(self._best)} of {n_recipes} recipes" if n_recipes else ""
        return f"{self._stage}{done}{self._update} · {time.monotonic() - self._began:.0f} s"

    def _picture(self) -> Any:
        from rich.console import Group
        from rich.spinner import Spinner

        line = Spinner("dots", self._line())
        if not self._best:
            return line
        return Group(line, "", indented(trial_table(self._best[:SHOWN], self._best[0].metric)))


def trial_table(trials: Sequence[Trial], metric: str, *, chosen: bool = False) -> Table:
    """Recipes with their scores and times; those that were chosen are marked where `chosen` is asked for.

    Beside the mean stand the lowest and the highest fold: facts, where an interval from a few folds, of recipes of
    which the best is picked, would not hold.
    """
    from rich.text import Text

    table = plain_table("", "recipe", numbers=[metric, "in the folds", "seconds"])
    for trial in trials:
        spread = "" if trial.scores.size < 2 else f"{trial.scores.min():.3f} – {trial.scores.max():.3f}"
        mark = Text("●", style="green") if chosen and trial.survived else ""
        table.add_row(mark, trial.recipe.name, f"{trial.scores.mean():.3f}", spread, f"{trial.seconds:.1f}")
    return table
