"""From a model's scores to probabilities and labels; for sets of labels, `set_decision`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.label_sets import Task
from assay.label_types import LabelType, label_values
from assay.prediction.calibration import Calibration
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.probabilities import LINKS, Floats, Link, link_scores
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_rule import SetRule
from assay.wording import by_reader

__all__ = ["Decision", "NoProbabilitiesError"]


class NoProbabilitiesError(ParameterError, AttributeError):
    """Probabilities were asked of a model that has only scores; ``hasattr(model, "predict_proba")`` is then False."""


@dataclass(frozen=True, eq=False)
class Decision:
    """What follows the scores: a link, a calibration, a cap, a rule; each may be missing.

    Parameters
    ----------
    labels
        Order of the columns. Two labels have one score: above 0 means the second.
    link
        What makes probabilities of the scores: "softmax", "sigmoid" (every class against the rest), "posterior" (the
        scores are log P(class, text)); None where scores are only scores.
    calibration
        Applied to the probabilities of the link, or to the scores if that is what it was fitted to.
    rule
        Chooses the label by the probabilities. None: the most probable label, or the one of the highest score.
    cap
        The largest probability that each label may be given; it changes no label that is chosen without a rule.
    label_type
        What the labels were before they became text: `values` has them so.

    Examples
    --------
    >>> decision = Decision(("ham", "spam"), "sigmoid")
    >>> decision.predict([-0.5, 1.5]).tolist()
    ['ham', 'spam']
    >>> decision.probabilities([0.0]).tolist()
    [[0.5, 0.5]]
    """

    labels: tuple[str, ...]
    link: Link | None = None
    calibration: Calibration | None = None
    rule: DecisionRule | SetRule | None = None
    cap: ProbabilityCap | None = None
    label_type: LabelType = "text"

    task: ClassVar[Task] = "labels"
    links: ClassVar[tuple[str, ...]] = LINKS
    rules: ClassVar[type] = DecisionRule
    fewest_labels: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.link is not None and self.link not in self.links:
            raise ParameterError(
                f"link must be None or one of {', '.join(map(repr, self.links))}. Got {self.link!r} instead."
            )
        if len(self.labels) < self.fewest_labels or len(set(self.labels)) != len(self.labels):
            fewest = {1: "one", 2: "two"}[self.fewest_labels]
            raise ParameterError(f"labels must be {fewest} or more different names. Got {list(self.labels)!r} instead.")
        if self.rule is not None and not isinstance(self.rule, self.rules):
            raise ParameterError(
                f"The rule of a model of the task {self.task!r} must be a {self.rules.__name__}. Got a "
                f"{type(self.rule).__name__} instead."
            )
        for part in (self.calibration, self.rule, self.cap):
            if part is not None and part.labels != self.labels:
                raise ParameterError(
                    f"The {type(part).__name__} is for the labels {list(part.labels)!r}, the model for "
                    f"{list(self.labels)!r}. Both must be in the same order: see `reordered`."
                )
        if self.rule is not None or self.cap is not None:
            self.require_probabilities()
        if self.calibration is not None and self.calibration.of_probabilities and self.link is None:
            raise ParameterError("A calibration of probabilities needs a link that makes them of the scores.")
        try:
            _ = self.values
        except ValueError as error:
            raise ParameterError(f"The labels are not of the type {self.label_type!r}: {error}.") from None

    @cached_property
    def values(self) -> NDArray[Any]:
        """The labels in the type in which they were given."""
        return label_values(self.labels, self.label_type)

    @property
    def has_probabilities(self) -> bool:
        """Whether scores can be turned into probabilities."""
        return self.link is not None or self.calibration is not None

    def require_probabilities(self) -> None:
        """Complain, with the way out, where there are none."""
        if not self.has_probabilities:
            raise NoProbabilitiesError(
                "This model gives scores, not probabilities: it was not trained to. "
                + by_reader(
                    "Train it with TextClassifier(..., calibration='sigmoid') (or 'isotonic', 'temperature'), or use a "
                    "learner that has probabilities, such as 'logistic'. The scores themselves are in "
                    "decision_function.",
                    "'assay train … --folds 5' makes one with probabilities, as do --learner logistic and a search.",
                )
            )

    def probabilities(self, scores: Any) -> Floats:
        """Probability of every label, shape (n, n_labels)."""
        found = self._uncapped(scores)
        return found if self.cap is None else self.cap.apply(found)

    def _uncapped(self, scores: Any) -> Floats:
        self.require_probabilities()
        if self.calibration is not None and not self.calibration.of_probabilities:
            return self.calibration.apply(scores)
        assert self.link is not None
        found = link_scores(scores, self.link)
        return found if self.calibration is None else self.calibration.apply(found)

    def predict(self, scores: Any) -> NDArray[Any]:
        """Label of each row, as text; None where a rule abstains."""
        return self._chosen(np.array(self.labels), scores)

    def answer(self, scores: Any) -> NDArray[Any]:
        """Label of each row, in the type in which labels were given; None where a rule abstains."""
        return self._chosen(self.values, scores)

    def _chosen(self, labels: NDArray[Any], scores: Any) -> NDArray[Any]:
        if isinstance(self.rule, DecisionRule) and self.rule.abstain_below > 0:
            labels = np.array([*labels.tolist(), None], dtype=object)
        return np.asarray(labels[self.classes(scores)])

    def classes(self, scores: Any) -> NDArray[Any]:
        """Number of each row's label in `labels`; -1 where a rule abstains."""
        if isinstance(self.rule, DecisionRule):
            return self.rule.apply(self.probabilities(scores))
        table = np.asarray(scores if self.calibration is None else self._uncapped(scores))
        return np.asarray(table > 0, dtype=np.intp) if table.ndim == 1 else np.asarray(table.argmax(axis=1))
