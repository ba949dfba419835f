"""One cell of the solver grid: fits in a process that can be ended, and a ladder of tolerances for everybody.

A solver's `tol` is no gap. So each contestant begins with a loose one and goes down by tens until the gap that is
measured on its weights is small enough, then tries half a step back; its time is that of its quickest fit that was good
enough. The gap is measured against the lowest objective that anybody reached, a fine run of ours included. A fit of a
peer that takes more than one and a half times as long as that of another that is there already is not the best one, and
is stopped.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from _measuring import say
from _solver_grid_contestants import Contestant, Ours, Problem, contestants_for
from _solver_grid_matrices import load_matrix
from _solver_grid_objectives import FAMILIES, objective, relative_gap

__all__ = ["TARGETS", "Cell", "CellRace", "Fit"]

TARGETS = (1e-3, 1e-4)  # relative gaps; the second is the `tol` that our learners come with
FINE = 5e-7  # `tol` of the run that the others are measured by
TIGHTEST = 1e-10
SHORT = 0.3  # seconds; shorter fits that decide are repeated
REPEATS = 3
CONFIRMED = 1e-5  # the reference is known to be as near as this
ROUNDS = 3  # what is found in one round may be the reference of the next
PATIENCE = 3  # finer tolerances in turn that gain nothing end a ladder


@dataclass(frozen=True)
class Cell:
    """One square of the grid."""

    family: str
    matrix: str
    C: float

    def __str__(self) -> str:
        return f"{self.family}/{self.matrix}/C={self.C:g}"


@dataclass(frozen=True)
class Fit:
    """What one fit took and reached."""

    tol: float
    seconds: float
    cpu_seconds: float
    objective: float
    claimed_gap: float | None = None  # ours: what the model itself says
    work: float | None = None  # ours: values read

    def spent(self, *, of_processors: bool) -> float:
        """Seconds by the clock, or of processors."""
        return self.cpu_seconds if of_processors else self.seconds


@dataclass
class Ladder:
    """The fits of one contestant, and why it went no further, if so."""

    name: str
    loosest: float
    of_processors: bool = False  # whether processor seconds are compared
    fits: list[Fit] = field(default_factory=list)
    ended: str = ""
    stopped_after: float = float("inf")  # seconds that a fit was not in time with

    def within(self, gap: float, best: float) -> Fit | None:
        """The quickest fit whose measured gap is small enough."""
        good = [fit for fit in self.fits if relative_gap(fit.objective, best) <= gap]
        return min(good, key=lambda fit: fit.spent(of_processors=self.of_processors), default=None)

    @property
    def lowest(self) -> Fit:
        """The fit that got lowest."""
        return min(self.fits, key=lambda fit: fit.objective)

    def is_stuck(self, best: float) -> bool:
        """Whether the last few tolerances, each finer than the one before, have gained next to nothing."""
        last = self.fits[-PATIENCE - 1 :]
        finer = all(after.tol < before.tol for before, after in pairwise(last))
        gaps = [relative_gap(fit.objective, best) for fit in last]
        return len(last) > PATIENCE and finer and min(gaps[1:]) > 0.9 * gaps[0]

    def next_tol(self, gap: float, best: float) -> float | None:
        """The tolerance to try next, None when nothing is left to try."""
        if self.ended:
            return None
        tried = {fit.tol: relative_gap(fit.objective, best) <= gap for fit in self.fits}
        good = [tol for tol, is_good in tried.items() if is_good]
        if good:
            back = max(good) * 10**0.5
            too_loose = [tol for tol, is_good in tried.items() if not is_good and tol > max(good)]
            return back if too_loose and min(too_loose) > 1.5 * back else None
        tol = min(tried, default=10 * self.loosest) / 10
        return tol if tol >= TIGHTEST else None


class CellRace:
    """All contestants on one cell."""

    def __init__(
        self, cell: Cell, path: Path, seconds: float, *, of_processors: bool = False, slowest: float = float("inf")
    ) -> None:
        self.cell, self.seconds, self.of_processors, self.slowest = cell, seconds, of_processors, slowest
        self.worker = Worker(cell, path, of_processors=of_processors)
        self.ours = Ladder(Ours.name, Ours.loosest, of_processors)
        self.peers: list[Ladder] = []
        self.reference: list[Fit] = []
        self.as_it_comes: Fit | None = None
        self.shape: tuple[int, int, int] = (0, 0, 0)

    def run(self) -> None:
        """Race."""
        with self.worker:
            self.shape, described = self.worker.describe()
            self.peers = [Ladder(name, loosest, self.of_processors) for name, loosest in described]
            self._find_reference()
            for _ in range(ROUNDS):
                for ladder in self._ladders:
                    self._climb(ladder)
                if self.confirmed or not self._go_lower():
                    break
            self._repeat_short()
            self.as_it_comes = self.worker.fit(Ours.name, TARGETS[-1], self.seconds)

    @property
    def _ladders(self) -> list[Ladder]:
        return [self.ours, *self.peers]

    @property
    def best(self) -> float:
        """The lowest objective that anybody reached."""
        fits = [fit for ladder in self._ladders for fit in ladder.fits]
        return min((fit.objective for fit in (*self.reference, *fits)), default=float("inf"))

    def best_peer(self, gap: float) -> tuple[str, Fit | None]:
        """The peer that is within the gap first, and its fit."""
        found = [(ladder.name, fit) for ladder, fit in self._within(self.peers, gap)]
        return min(found, key=lambda pair: self._spent(pair[1]), default=("peers", None))

    @property
    def peers_seconds(self) -> float:
        """What every peer has had who is not there, at least."""
        return min((self.seconds, *(ladder.stopped_after for ladder in self.peers)))

    def _spent(self, fit: Fit) -> float:
        return fit.spent(of_processors=self.of_processors)

    def _find_reference(self) -> None:
        for name, tol in ((Ours.name, FINE), *((ladder.name, ladder.loosest * 1e-5) for ladder in self.peers)):
            fit = self.worker.fit(name, tol, self.seconds)
            if fit is not None:
                self.reference.append(fit)
                return

    @property
    def confirmed(self) -> bool:
        """Whether the lowest objective is known to be near the optimum: by a bound, or reached in two ways."""
        claimed = [fit.claimed_gap for fit in self.reference if fit.claimed_gap is not None]
        if min(claimed, default=1.0) <= CONFIRMED:
            return True
        ways = {(ladder.name, fit.tol) for ladder in self._ladders for fit in ladder.fits if self._is_lowest(fit)}
        return len(ways) + sum(self._is_lowest(fit) for fit in self.reference) > 1

    def _is_lowest(self, fit: Fit) -> bool:
        return relative_gap(fit.objective, self.best) <= CONFIRMED

    def _go_lower(self) -> bool:
        """Let who got lowest go on, as the new reference; return whether it was done in time."""
        climbed = [ladder for ladder in self._ladders if ladder.fits]
        lowest = min(climbed, key=lambda ladder: ladder.lowest.objective, default=None)
        fit = lowest and self.worker.fit(lowest.name, lowest.lowest.tol / 100, self.seconds)
        self.reference += [fit] if fit else []
        return fit is not None

    def _climb(self, ladder: Ladder) -> None:
        for gap in TARGETS:
            while (tol := ladder.next_tol(gap, self.best)) is not None:
                limit = self._limit(ladder)
                fit = self.worker.fit(ladder.name, tol, limit)
                if fit is None:
                    ladder.stopped_after = limit
                    ladder.ended = self.worker.failure or f"more than {limit:.3g} s for tol={tol:.1g}"
                    break
                ladder.fits.append(fit)
                if ladder.is_stuck(self.best):
                    ladder.ended = f"no lower with tol={tol:.1g}"

    def _limit(self, ladder: Ladder) -> float:
        """What a fit may take: of a peer, no more than tells whether it is the best one, and how it compares to us."""
        if ladder is self.ours:
            return self.seconds
        _, there = self.best_peer(TARGETS[-1])
        ours = self.ours.within(TARGETS[-1], self.best)
        enough = min(
            1.5 * self._spent(there) if there else self.seconds,
            self.slowest * self._spent(ours) if ours else self.seconds,
        )
        return min(self.seconds, max(0.5, enough))

    def _repeat_short(self) -> None:
        """Let the fits that decide run again, in turns."""
        for _ in range(REPEATS - 1):
            for gap in TARGETS:
                quickest = sorted(self._within(self.peers, gap), key=lambda pair: self._spent(pair[1]))[:2]
                for ladder, fit in (*self._within([self.ours], gap), *quickest):
                    if self._spent(fit) < SHORT and (again := self.worker.fit(ladder.name, fit.tol, self.seconds)):
                        ladder.fits.append(again)

    def _within(self, ladders: Iterable[Ladder], gap: float) -> list[tuple[Ladder, Fit]]:
        return [(ladder, fit) for ladder in ladders if (fit := ladder.within(gap, self.best))]


class Worker:
    """A process with the matrix of a cell that fits what it is told to, and is ended where that takes too long."""

    def __init__(self, cell: Cell, path: Path, *, of_processors: bool = False) -> None:
        self.cell, self.path, self.of_processors = cell, path, of_processors
        self.failure = ""
        self.process: Any = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def describe(self) -> tuple[tuple[int, int, int], list[tuple[str, float]]]:
        """Rows, columns and classes; the peers, and the tolerance each begins with."""
        self._begin()
        return self.description

    def fit(self, name: str, tol: float, limit: float) -> Fit | None:
        """Return what a fit took and reached, or None where it took longer than `limit` or failed."""
        self.failure = ""
        if self.process is None:
            self._begin()
        try:
            self.pipe.send((name, tol))
            self.pipe.recv()  # the matrix is in the contestant's form
            if not self._answers_within(limit):
                self._end()
                return None
            answer = self.pipe.recv()
        except (EOFError, ConnectionError):
            self.failure = "its process ended"
            self._end()
            return None
        if isinstance(answer, str):
            self.failure = answer
            say(f"    {name}, tol={tol:.1g}: {answer}")
            return None
        return Fit(tol, *answer, *self.pipe.recv())

    def _answers_within(self, limit: float) -> bool:
        """Wait until so many processor seconds are used, and as long by the clock, too, where that is compared."""
        before = self._processor_seconds()
        answers = self.pipe.poll(0.0 if self.of_processors else limit)
        while not answers and (left := limit - (self._processor_seconds() - before)) > 0:
            answers = self.pipe.poll(max(left, 0.1))
        return answers

    def _processor_seconds(self) -> float:
        if sys.platform != "linux":
            return time.perf_counter()
        return time.clock_gettime(~self.process.pid << 3 | 2)  # the clock of another process, as clock_getcpuclockid(3)

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=_work, args=(there, self.cell, self.path), daemon=True)
        self.process.start()
        there.close()
        self.description = self.pipe.recv()

    def _end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


def _work(pipe: Connection, cell: Cell, path: Path) -> None:
    warnings.simplefilter("ignore")  # of convergence: the gap is measured
    X, y = load_matrix(path)
    problem = Problem(X, y, cell.C, FAMILIES[cell.family])
    ours = Ours()
    contestants: dict[str, Contestant] = {peer.name: peer for peer in contestants_for(problem)}
    pipe.send(((*X.shape, problem.n_classes), [(peer.name, peer.loosest) for peer in contestants.values()]))
    contestants[ours.name] = ours
    met: set[str] = set()
    while True:
        try:
            name, tol = pipe.recv()
        except EOFError:
            return
        contestant = contestants[name]
        if name not in met:
            _warm_up(contestant, problem)
            contestant.prepare(problem)
            met.add(name)
        pipe.send("ready")
        started, cpu_started = time.perf_counter(), time.process_time()
        try:
            model = contestant.fit(problem, tol)
        except (ValueError, MemoryError, RuntimeError) as error:
            pipe.send(f"{type(error).__name__}: {error}")
            continue
        pipe.send((time.perf_counter() - started, time.process_time() - cpu_started))
        reached = objective(problem.family, problem.C, X, y, *contestant.weights(model))
        pipe.send((reached, ours.claimed_gap(model), ours.work(model)) if contestant is ours else (reached,))


def _warm_up(contestant: Contestant, problem: Problem) -> None:
    """Have libraries loaded and threads started by a problem of a few rows."""
    rows = slice(0, 50)
    y = problem.y[rows] % min(problem.n_classes, 3)
    few = Problem(problem.X[rows], y, 1.0, problem.family)
    if len(set(y.tolist())) == few.n_classes > 1:
        contestant.prepare(few)
        contestant.fit(few, 1e-2)
