"""Training again by the settings of the first training: old texts, new labels, and what became better by it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus.corpus import Corpus
from assay.errors import DataError
from assay.modelfile.lineage import Parent
from assay.suggest import counted, excerpt
from assay.training.watching import Watcher
from assay.updating.held_out import chosen_by_content, fit_for_test
from assay.updating.known_training import KnownTraining
from assay.updating.merging import joined, near_sentences, relabelled
from assay.updating.new_labels import NewLabels
from assay.updating.old_data import OldData
from assay.updating.result import Counts, ModelUpdate, lineage_of
from assay.updating.two_models import settled_recipe, two_models
from assay.updating.worth import FEWEST, before_and_after
from assay.wording import setting

if TYPE_CHECKING:
    from assay.evaluation.protocols.comparison_result import Comparison
    from assay.training.fold_matrices import FoldMatrices

__all__ = ["TrainingAgain"]


@dataclass(frozen=True, eq=False)
class _Merged:
    """Old texts and new labels, put together."""

    old: Corpus  # what the model learned from, without what is to be left out
    learned: Corpus  # the same with new labels, and the new texts after it
    held_out: Corpus | None
    first: NDArray[np.int64]  # of each text that is learned from the first of its group of near-copies
    counts: Counts


@dataclass(frozen=True, eq=False)
class _Apart:
    """A test, two models that have not learned from it, if it is large enough, and what was read for them."""

    test: Corpus
    before: Any = None
    after: Any = None
    read: FoldMatrices | None = None


@dataclass
class TrainingAgain:
    """The stages of one training again, what they took and what they have to say.

    Attributes
    ----------
    model, parent
        The old model, and its file.
    known, old
        How it was trained, and on what.
    new
        What people decided since.
    brought
        A test that was given; None to measure on what was held out.
    threads, watcher
        How many, and who is told.
    """

    model: Any
    parent: Parent
    known: KnownTraining
    old: OldData
    new: NewLabels
    brought: Corpus | None
    threads: int
    watcher: Watcher
    notes: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def update(self, *, only_known: bool) -> ModelUpdate:
        """Go all stages; with `only_known`, texts that the old data does not have are refused."""
        with self._stage("merge", "finding the old texts"):
            merged = self._merged(only_known=only_known)
        apart = None
        if not self._holds_enough(merged):
            with self._stage("apart", "training without a part of the texts, for the comparison"):
                apart = self._apart(merged)
        with self._stage("train", "training again"):
            how: dict[str, Any] = {"threads": self.threads, "watcher": self.watcher}
            read = None if apart is None else apart.read
            model, run = self.known.train(merged.learned, merged.held_out, **how, read=read)
        self.notes += [] if run is None else run.notes
        with self._stage("compare", "comparing before and after"):
            metric = "accuracy" if run is None else run.settings.metric
            comparison, measured_by = self._compared(merged, apart, model, metric)
        model.record.lineage = lineage_of(self.model, self.parent, "again", merged.counts, self.new.corpus)
        return ModelUpdate(
            model=model,
            way="again",
            counts=merged.counts,
            new_labels=self.new.names,
            comparison=comparison,
            measured_by=measured_by,
            lineage=model.record.lineage,
            notes=tuple(self.notes),
            run=run,
            train=merged.learned,
            test=merged.held_out,
            seconds=self.seconds,
        )

    def _merged(self, *, only_known: bool) -> _Merged:
        """What is learned from, what is held out, and what became of the new labels."""
        new, kind = self.new, self.model.decision.label_type
        self.notes += new.notes
        trained = relabelled(self.old.train, new)
        tested = None if self.old.test is None else relabelled(self.old.test, new)
        parts = [trained] if tested is None else [trained, tested]
        met = np.logical_or.reduce([part.met for part in parts])
        if tested is not None and tested.replaced:
            what = counted(tested.replaced, "new label is of a text that was", "new labels are of texts that were")
            self.notes.append(f"{what} held out for the test: there it stays in its place")
        if only_known and not met.all():
            row = int(np.argmin(met))
            raise DataError(
                f"{new.corpus.origin.place(row)}: the text {excerpt(new.corpus[row].text, 40)} is not one of the old "
                f"data ({counted(int((~met).sum()), 'text is', 'texts are')} not). Correct it so that it is the same "
                f"letter by letter, or leave {setting('only_known', True)} out to add such texts."
            )
        aside = ~met & new.drawn
        added = new.corpus.select(~met & ~new.drawn)
        learned = joined(trained.corpus, added, kind)
        held_out = None if tested is None else tested.corpus
        if aside.any():
            drawn = new.corpus.select(aside)
            held_out = drawn if held_out is None else joined(held_out, drawn, kind)
        if self.brought is not None:
            held_out = self.brought
        everything = learned if held_out is None else joined(learned, held_out, kind)
        first = everything.near_copies.first
        self.notes += near_sentences(learned, len(trained.corpus), first[: len(learned)])
        if held_out is not None:
            near = np.isin(first[len(learned) :], first[: len(learned)])
            kept, notes = fit_for_test(held_out, near, _labels_of(learned))
            held_out = held_out.select(kept)
            self.notes += notes
        before = self.old.train if trained.kept.all() else self.old.train.select(trained.kept)
        counts = Counts(
            added=len(added),
            replaced=sum(part.replaced for part in parts),
            confirmed=sum(part.confirmed for part in parts),
            removed=sum(part.removed for part in parts),
            kept_for_test=int(aside.sum()),
        )
        held_out = held_out if held_out is not None and len(held_out) else None
        return _Merged(before, learned, held_out, first[: len(learned)], counts)

    def _holds_enough(self, merged: _Merged) -> bool:
        """Whether what is held out does for a comparison."""
        held_out = merged.held_out
        return held_out is not None and (self.brought is not None or len(held_out) >= _enough(merged.learned))

    def _compared(
        self, merged: _Merged, apart: _Apart | None, model: Any, metric: Any
    ) -> tuple[Comparison | None, str]:
        """Before and after, on what was held out; else by two more models, of trainings without a part of the texts."""
        how: dict[str, Any] = {"seed": self.known.seed, "threads": self.threads}
        if apart is None:
            held_out = merged.held_out
            assert held_out is not None
            found = before_and_after(self.model, model, held_out, metric, **how)
            where = "on the given test" if self.brought is not None else "on texts held out since the first training"
            return found, _measured(found, where, len(held_out))
        if apart.before is None:
            return None, _measured(None, "", len(apart.test))
        where = "by two more models, which a fifth of the old texts was kept from, on that fifth"
        found = before_and_after(apart.before, apart.after, apart.test, metric, **how)
        return found, _measured(found, where, len(apart.test))

    def _apart(self, merged: _Merged) -> _Apart:
        """Two models without a part of the old texts, one from the old labels and one with what is new."""
        how: dict[str, Any] = {"seed": self.known.seed, "threads": self.threads}
        n_old, learned, held_out = len(merged.old), merged.learned, merged.held_out
        out = chosen_by_content(merged.old, merged.first[:n_old], self.known.seed)
        learned_on = np.concatenate([~out, np.ones(len(learned) - n_old, bool)])
        near = np.isin(merged.first[:n_old][out], merged.first[learned_on])
        everything, rows = learned, np.flatnonzero(out)
        if held_out is not None:
            everything = joined(learned, held_out, learned.label_type)
            rows = np.concatenate([rows, np.arange(len(learned), len(everything))])
            near = np.concatenate([near, np.zeros(len(held_out), bool)])
        test = everything.select(rows)
        kept, _ = fit_for_test(test, near, _labels_of(learned.select(learned_on)))
        test, rows = test.select(kept), rows[kept]
        if len(test) < FEWEST:
            return _Apart(test)
        recipe = settled_recipe(self.known.settings, learned)
        if recipe is not None:
            parts = (merged.old, np.flatnonzero(~out)), (everything, np.flatnonzero(learned_on))
            before, after, read = two_models(recipe, *parts, rows, **how)
            return _Apart(test, before, after, read if everything is learned else None)
        quickly = self.known.quickly()
        first, _ = quickly.train(merged.old.select(~out), None, threads=self.threads)
        second, _ = quickly.train(learned.select(learned_on), None, threads=self.threads)
        return _Apart(test, first, second)

    @contextmanager
    def _stage(self, name: str, text: str) -> Iterator[None]:
        self.watcher.stage(text)
        began = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - began


def _labels_of(corpus: Corpus) -> set[str]:
    return {name for name, n in zip(corpus.label_names, corpus.class_counts, strict=True) if n}


def _enough(learned: Corpus) -> int:
    """How many held-out texts do for a comparison by themselves: a tenth of the others, or two hundred."""
    return max(FEWEST, min(200, len(learned) // 10))


def _measured(found: Comparison | None, where: str, n: int) -> str:
    if found is None:
        return f"{counted(n, 'text is', 'texts are')} held out, too few to compare on"
    return f"{where}: {counted(n, 'text', 'texts')}"
