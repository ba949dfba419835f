"""What an update gives: the new model, what went into it, and whether it is better than the old one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError, DataError
from assay.modelfile.lineage import Lineage, Parent, Update
from assay.suggest import counted, quoted
from assay.wording import by_reader, setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.protocols.comparison_result import Comparison
    from assay.training.run import TrainingRun

__all__ = ["Counts", "ModelUpdate", "OldTextsGoneError", "WorseModelError", "lineage_of", "refuse_if_worse"]


class WorseModelError(AssayError):
    """An update made the model clearly worse, and so nothing was made of it.

    Attributes
    ----------
    update
        The update all the same.
    """

    exit_code = 4

    def __init__(self, message: str, update: ModelUpdate) -> None:
        super().__init__(message)
        self.update = update


class OldTextsGoneError(DataError):
    """What a model was trained on is not to be found, and so it cannot be trained again.

    Attributes
    ----------
    reason
        Where it was looked for.
    """

    def __init__(self, reason: str) -> None:
        onward = by_reader("assay.updating.update_onward", "assay update --onward …")
        super().__init__(
            f"The data that the model was trained on is not to be found: {reason}. Name it with {setting('data')}. "
            f"Where it is gone, go on from the model alone: {onward}."
        )
        self.reason = reason


@dataclass(frozen=True)
class Counts:
    """What became of the new labels.

    Attributes
    ----------
    added
        Texts that were not there.
    replaced, confirmed
        Rows of the old data whose label was another, or the same.
    removed
        Rows of the old data that were left out.
    kept_for_test
        Texts that were drawn at random: the update is measured on them, and does not learn from them.
    met
        Onward: of the texts that are learned from those that the old model had learned from, with labels that still
        count; None where it was trained again.
    """

    added: int
    replaced: int = 0
    confirmed: int = 0
    removed: int = 0
    kept_for_test: int = 0
    met: int | None = None

    @property
    def sentence(self) -> str:
        """All of it, in one."""
        if self.met is None:
            parts = [
                counted(self.added, "text is new", "texts are new"),
                counted(self.replaced, "old label is replaced", "old labels are replaced"),
                counted(self.confirmed, "is as it was", "are as they were"),
            ]
        else:
            parts = [counted(self.added, "text is learned from", "texts are learned from")]
            if self.met:
                parts.append(counted(self.met, "of them was", "of them were") + " learned from before")
        if self.removed:
            parts.append(counted(self.removed, "old text is left out", "old texts are left out"))
        if self.kept_for_test:
            parts.append(
                counted(self.kept_for_test, "text drawn at random is", "texts drawn at random are") + " tested on"
            )
        return ", ".join(parts)


@dataclass(frozen=True, eq=False)
class ModelUpdate:
    """A model that was updated.

    Attributes
    ----------
    model
        The new one.
    way
        ``"again"``: trained again on all texts; ``"onward"``: from the old weights alone.
    counts
        What became of the new labels.
    new_labels
        Labels that the old model did not have.
    comparison
        The new model (first) and the old one, on texts that neither has learned from; None where there are too few.
    measured_by
        How that was measured, in a sentence; or why it was not.
    lineage
        What the file of the new model says of its parents.
    notes
        What should be known, in sentences.
    run
        The training, where `assay train` can repeat it.
    train, test
        What was learned from, and what is held out now; None where the old data is gone.
    """

    model: Any
    way: str
    counts: Counts
    new_labels: tuple[str, ...]
    comparison: Comparison | None
    measured_by: str
    lineage: Lineage
    notes: tuple[str, ...] = ()
    run: TrainingRun | None = None
    train: Corpus | None = None
    test: Corpus | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_worse(self) -> bool:
        """Whether the new model is worse, and chance is no explanation for it."""
        found = self.comparison
        return (
            found is not None and found.difference.defined and found.significant and found.ranked()[0] == found.second
        )

    @property
    def verdict(self) -> str:
        """Before and after, in one sentence."""
        found = self.comparison
        if found is None:
            return f"Whether the model is better now is not known: {self.measured_by}."
        change = f"{found.metric} {found.second_value:.4f} before, {found.first_value:.4f} after"
        return f"{change} ({self.measured_by}). {found.conclusion}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "kind": "update",
            "version": 1,
            "way": self.way,
            "added": self.counts.added,
            "replaced": self.counts.replaced,
            "confirmed": self.counts.confirmed,
            "removed": self.counts.removed,
            "kept_for_test": self.counts.kept_for_test,
            "met": self.counts.met,
            "new_labels": list(self.new_labels),
            "labels": list(self.model.labels),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "measured_by": self.measured_by,
            "worse": self.is_worse,
            "lineage": self.lineage.to_dict(),
            "notes": list(self.notes),
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
        }

    def __repr__(self) -> str:
        more = f"; new: {quoted(self.new_labels, 3)}" if self.new_labels else ""
        return f"<ModelUpdate, {self.way}: {self.counts.sentence}{more}>"


def lineage_of(model: Any, parent: Parent, way: str, counts: Counts, brought: Corpus) -> Lineage:
    """The parents of the old model, itself, and the update."""
    before = model.record.lineage or Lineage(())
    parents = (*before.parents, parent)
    made = Update(way, len(parents) - 1, counts.added, counts.replaced, counts.removed, brought.fingerprint)
    return Lineage(parents, (*before.updates, made))


def refuse_if_worse(update: ModelUpdate, *, even_if_worse: bool) -> ModelUpdate:
    """The update, unless its model is clearly worse than the old one and that is not wanted."""
    if update.is_worse and not even_if_worse:
        raise WorseModelError(
            f"The updated model is clearly worse than the old one: {update.verdict} Nothing was written. Look at the "
            f"new labels, or use {setting('even_if_worse', True)} to take it all the same.",
            update,
        )
    return update
