"""What a training did and what came of it: all that a screen, a report or a run folder shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.set_outcomes import LabelCounts, SetOutcomes
from assay.evaluation.presenting.headline import Circumstances, Headline, headline, verdict_dict
from assay.evaluation.presenting.set_headline import set_headline
from assay.evaluation.uncertainty.forecast import Forecast
from assay.evaluation.uncertainty.set_verdict import SetVerdict, best_constant, judge_sets
from assay.evaluation.uncertainty.verdict import Verdict, judge
from assay.label_sets import LabelSets, Task
from assay.suggest import quote, quoted
from assay.terminal import one_line
from assay.training.refit import Member
from assay.training.settings import TrainingSettings

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.data.corpus.corpus import Corpus
    from assay.data.corpus.split import SplitReport
    from assay.data.profile.profile import Profile
    from assay.evaluation.protocols.comparison_result import Comparison
    from assay.evaluation.protocols.cross_validation_result import CrossValidation
    from assay.evaluation.protocols.evaluation import Evaluation
    from assay.evaluation.protocols.set_evaluation import SetEvaluation
    from assay.neural.networks.network_classifier import NetworkClassifier
    from assay.training.trials import Trial

__all__ = ["MANY_CLASSES", "MajorityBaseline", "TrainingRun"]

MANY_CLASSES = 500  # beyond, a table with a line for each class is no longer of use


@dataclass(frozen=True)
class MajorityBaseline:
    """The classifier to beat: it always says the most frequent label of the training texts.

    Where the test was brought and another label is more frequent in it, it says that one: what is no better than that
    is no better than guessing on these texts. Where texts have several labels, it always gives those that make
    micro-F1 largest.
    """

    label: str | tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, classes: NDArray[np.int32] | LabelSets, labels: tuple[str, ...]) -> MajorityBaseline:
        """Of the training texts' classes."""
        if not isinstance(classes, LabelSets):
            return cls(labels[int(np.bincount(classes).argmax())], labels)
        counts = classes.class_counts
        nothing = np.zeros_like(counts)
        constant = best_constant(LabelCounts(labels, nothing, counts, nothing), len(classes))
        return cls(tuple(labels[k] for k in constant), labels)

    def on(self, test: Corpus) -> MajorityBaseline:
        """The harder one of these texts: what is most frequent in them, if the model knows it and it is not a tie."""
        if not isinstance(self.label, str) or test.task == "label-sets":
            return self
        sizes = np.bincount(test.classes, minlength=len(test.label_names)).tolist()
        counts = {name: n for name, n in zip(test.label_names, sizes, strict=True) if name in self.labels}
        most = max(counts, key=counts.__getitem__, default=self.label)
        return replace(self, label=most) if counts.get(most, 0) > counts.get(self.label, 0) else self

    @property
    def said(self) -> str:
        """What it says, in quotes."""
        if isinstance(self.label, str):
            return quote(one_line(self.label, 40))
        return quoted([one_line(label, 40) for label in self.label], 5) or "no label"

    def predict(self, texts: Any) -> NDArray[Any]:
        """The same label, or labels, for every text."""
        found = np.empty(len(texts), dtype=object)
        found[:] = [self.label] * len(texts)
        return found


@dataclass(frozen=True, eq=False)
class TrainingRun:
    """A finished training.

    Attributes
    ----------
    model
        The classifier.
    members
        The recipes in it; more than one where their scores are added up.
    settings
        As they were asked for, with what was not asked for filled in.
    profile
        Of all the data, before the split; None where nobody asked for it.
    train, test
        The parts; no test part where nothing was held out.
    split
        How the parts were made; None where the test part was given.
    trials
        Every recipe that was tried, round by round, the best of a round first.
    cross_validation
        Of what was chosen, inside the training part; None without folds.
    evaluation
        Of the model on the test part.
    baseline
        The most frequent label, and the comparison with it on the test part, by the same metric.
    notes
        What a reader should know before believing the numbers, in sentences.
    planned
        Seconds that the search was planned to take.
    seconds
        What was done → how long it took.
    """

    model: TextClassifier | NetworkClassifier
    members: tuple[Member, ...]
    settings: TrainingSettings
    profile: Profile | None
    train: Corpus
    test: Corpus | None
    split: SplitReport | None
    trials: tuple[Trial, ...]
    cross_validation: CrossValidation | None
    evaluation: Evaluation | SetEvaluation | None
    baseline: MajorityBaseline
    comparison: Comparison | None
    notes: tuple[str, ...]
    planned: float | None
    seconds: Mapping[str, float]

    @property
    def labels(self) -> tuple[str, ...]:
        """Of the model, in order."""
        return self.model.labels

    @property
    def searched(self) -> bool:
        """Whether recipes were compared."""
        return len({trial.recipe for trial in self.trials}) > 1

    @property
    def differs_from_guessing(self) -> bool:
        """Whether chance is no explanation for the difference from always saying the most frequent label.

        The interval of the difference leaves 0 out, also as it is shown; where the model is better, the test agrees.
        Where there is no interval, the test alone says.
        """
        if self.comparison is None:
            return False
        found = self.comparison.difference
        if isnan(found.low):
            return self.comparison.significant
        if round(found.low, 3) <= 0.0 <= round(found.high, 3):
            return False
        return self.comparison.significant or found.value < 0

    @property
    def task(self) -> Task:
        """What a text is given: one label, or several."""
        return self.train.task

    @cached_property
    def verdict(self) -> Verdict | SetVerdict | None:
        """Whether the model is worth having, by the test or else by the cross-validation; None without either."""
        found = None if self.cross_validation is None else self.cross_validation.outcomes
        measured = found if self.evaluation is None else self.evaluation.unseen_outcomes
        if isinstance(measured, SetOutcomes):
            return judge_sets(measured)
        assert not isinstance(found, SetOutcomes)
        also = None if self.evaluation is None else found
        return None if measured is None else judge(measured, commonest=self.baseline.label, also=also)

    @property
    def headline(self) -> Headline | None:
        """The verdict in words, with what to do; None where accuracy may be the headline, or nothing is known."""
        seen = None if self.evaluation is None else self.evaluation.seen
        if self.verdict is None:
            return None
        if isinstance(self.verdict, SetVerdict):
            known = None if seen is None else seen.counts
            return None if self.verdict.trustworthy and known is None else set_headline(self.verdict, known)
        return headline(self.verdict, self._circumstances, None if seen is None else seen.counts)

    @property
    def more(self) -> Mapping[str, Forecast]:
        """Of classes of which less than half was found, how many examples are likely to be needed."""
        return self._circumstances.more or {}

    @property
    def _circumstances(self) -> Circumstances:
        return Circumstances.told_in(self.model.provenance)

    @property
    def name(self) -> str:
        """What was chosen, in a few words."""
        return " + ".join(member.recipe.name for member in self.members)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the guide to training describes it."""
        return {
            "kind": "training",
            "version": 1,
            "labels": list(self.labels),
            "train": len(self.train),
            "test": None if self.test is None else len(self.test),
            "metric": self.settings.metric_name,
            "verdict": self._verdict_dict(),
            "chosen": [
                {"name": member.recipe.name, "weight": member.weight, **member.recipe.to_dict()}
                for member in self.members
            ],
            "candidates": [_trial_dict(trial) for trial in self.trials],
            "cross_validation": self._cross_validation_dict(),
            "evaluation": self.evaluation_dict(),
            "baseline": {
                "label": self.baseline.label if isinstance(self.baseline.label, str) else list(self.baseline.label),
                "comparison": None if self.comparison is None else self.comparison.to_dict(),
            },
            "notes": list(self.notes),
            "budget": self.planned,
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
        }

    def evaluation_dict(self) -> dict[str, Any] | None:
        """The test, JSON-ready; of very many classes only what is said about all of them together."""
        if self.evaluation is None:
            return None
        if len(self.labels) <= MANY_CLASSES:
            return self.evaluation.to_dict() | {"verdict": self._verdict_dict()}
        of_all = ("accuracy", "macro_f1", "balanced_accuracy") if self.task == "labels" else ("micro_f1", "samples_f1")
        metrics = {name: self.evaluation[name].to_dict() for name in of_all}
        return {
            "kind": "evaluation",
            "version": 1,
            "n_documents": self.evaluation.n_documents,
            "verdict": self._verdict_dict(),
            "level": self.evaluation.level,
            "metrics": metrics,
            "classes": [],
            "notes": [f"There are {len(self.labels):,} classes: they were not measured one by one."],
        }

    def _verdict_dict(self) -> dict[str, Any] | None:
        return None if self.verdict is None else verdict_dict(self.verdict, self.headline)

    def _cross_validation_dict(self) -> dict[str, Any] | None:
        """Without the predictions, which have a file of their own."""
        if self.cross_validation is None:
            return None
        return {name: value for name, value in self.cross_validation.to_dict().items() if name != "predictions"}


def _trial_dict(trial: Trial) -> dict[str, Any]:
    return {
        "name": trial.recipe.name,
        "round": trial.round,
        "train": trial.n_train,
        "score": trial.score.to_dict(),
        "seconds": round(trial.seconds, 4),
        "survived": trial.survived,
        "stopped": trial.stopped,
    }
