"""What the numbers of a report are measured on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.data.corpus.spellings import shown_labels
from assay.evaluation.protocols.set_evaluation import SetEvaluation
from assay.suggest import counted

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.uncertainty.estimate import Estimate
    from assay.training.run import TrainingRun

__all__ = ["Measured", "measured"]


@dataclass(frozen=True)
class Measured:
    """An evaluation, the texts it was made on, and how these were kept away from the training.

    Attributes
    ----------
    held_out
        True for a test part; False where every text was predicted by a model of a cross-validation that had not seen
        it, while the final model has.
    given
        True where somebody brought the texts: what the model has seen of them, only they know.
    """

    evaluation: Any  # an Evaluation, or a SetEvaluation: `sets` says which
    corpus: Corpus
    held_out: bool
    given: bool = False

    @property
    def sentence(self) -> str:
        """What the numbers were measured on."""
        n = self.evaluation.n_documents
        if self.given:
            return f"Every number is measured on the {counted(n, 'text that was', 'texts that were')} given."
        if self.held_out:
            return f"Every number is measured on the {counted(n, 'text that was', 'texts that were')} set aside."
        return f"Every number is measured by cross-validation over {counted(n, 'text', 'texts')}."

    @property
    def sets(self) -> SetEvaluation | None:
        """The evaluation, where texts have sets of labels; else None."""
        return self.evaluation if isinstance(self.evaluation, SetEvaluation) else None

    @property
    def accuracy(self) -> Estimate:
        """On the texts that the model does not know from its training; on all where it knows each."""
        found: Estimate = self.evaluation.unseen.get("accuracy", self.evaluation.accuracy)
        return found

    @property
    def macro_f1(self) -> Estimate:
        """The same."""
        found: Estimate = self.evaluation.unseen.get("macro_f1", self.evaluation.macro_f1)
        return found

    @property
    def labels(self) -> tuple[str, ...]:
        """What the page calls the classes: all of it, so that its filters find what its tables name."""
        return shown_labels(self.evaluation.labels)

    @property
    def digits(self) -> int:
        """Decimals of a percentage that mean something."""
        return 0 if self.evaluation.n_documents < 2000 else 1


def measured(run: TrainingRun) -> Measured | None:
    """The test part, else the folds, else nothing."""
    if run.evaluation is not None and run.test is not None:
        return Measured(run.evaluation, run.test, True)
    if run.cross_validation is not None:
        return Measured(run.cross_validation.evaluation(), run.train, False)
    return None
