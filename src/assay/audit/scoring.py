"""What a model says of texts, as the audit needs it: labels, and one number for each outcome that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.prediction.asking import ask
from assay.suggest import nearest_first, quote, quoted, shortened
from assay.wording import parameter, setting

__all__ = ["ProbedAnswers", "ProbedModel"]

Floats = NDArray[np.float64]
_MOST_OUTCOMES = 5


@dataclass(frozen=True)
class ProbedAnswers:
    """Of n texts: the predicted class (-1 where the model abstains), and a number for each outcome, (n, n_outcomes)."""

    predicted: NDArray[np.intp]
    scores: Floats


class ProbedModel:
    """Asks a model about texts.

    Parameters
    ----------
    model
        A `TextClassifier`, or anything with ``predict`` and ``labels`` or ``classes_``.
    target
        Labels that together are the outcome to look at, such as everything that gets a text removed. None: every
        label on its own; of more than five, those most often predicted; of two, the second.

    Attributes
    ----------
    outcomes
        Name and class indices of each outcome.
    unit
        ``"probability"``, or ``"score"`` where the model has none: then numbers are 1/(1 + exp(-lead/scale)) of the
        lead of the outcome over the rest.
    scale
        Of leads: 1, which suits a support vector machine, unless `learn_scale` is given texts.
    """

    def __init__(self, model: Any, target: Sequence[str] | None = None) -> None:
        self.model = model
        declared = getattr(model, "labels", None)
        if not hasattr(model, "predict") or (declared is None and not hasattr(model, "classes_")):
            raise ParameterError(
                "An audit needs a fitted model: one with labels (or classes_) and predict. Got "
                f"{shortened(model)} instead."
            )
        self.labels = tuple(str(label) for label in (model.classes_ if declared is None else declared))
        self.has_probabilities = callable(getattr(model, "predict_proba", None))
        if not self.has_probabilities and not callable(getattr(model, "decision_function", None)):
            raise ParameterError(
                "An audit compares numbers: it needs a model with predict_proba or decision_function. Got "
                f"{shortened(model)} instead, which has neither."
            )
        self.unit = "probability" if self.has_probabilities else "score"
        self.scale = 1.0
        self._target = None if target is None else self._checked(target)

    def learn_scale(self, texts: Any) -> None:
        """Take the spread of leads over these texts as the scale, where the model has no probabilities."""
        if not self.has_probabilities:
            predicted, numbers = self.table(texts)
            leads = [self._lead(numbers, classes).std() for _, classes in self.outcomes(predicted)]
            self.scale = float(max(leads)) or 1.0

    def _checked(self, target: Sequence[str]) -> tuple[int, ...]:
        names = [target] if isinstance(target, str) else list(target)
        for name in names:
            if name not in self.labels:
                raise ParameterError(
                    f"The model has no label {quote(name)} for {setting('target')}. Its labels are "
                    f"{quoted(nearest_first(name, self.labels))}."
                )
        if not names or len(set(names)) >= len(self.labels):
            raise ParameterError(
                f"{parameter('target')} must name some of the model's labels, but not all of them. Got "
                f"{quoted(names)}; labels are "
                f"{quoted(self.labels)}."
            )
        return tuple(self.labels.index(name) for name in dict.fromkeys(names))

    def outcomes(self, answers: NDArray[np.intp] | None = None) -> list[tuple[str, tuple[int, ...]]]:
        """Name and classes of what is looked at; `answers` says what is predicted most where there are many labels."""
        if self._target is not None:
            return [(" + ".join(self.labels[k] for k in self._target), self._target)]
        if len(self.labels) == 2:
            return [(self.labels[1], (1,))]
        chosen = list(range(len(self.labels)))
        if len(self.labels) > _MOST_OUTCOMES and answers is not None:
            counts = np.bincount(answers[answers >= 0], minlength=len(self.labels))
            chosen = sorted(np.argsort(-counts, kind="stable")[:_MOST_OUTCOMES].tolist())
        return [(self.labels[k], (k,)) for k in chosen]

    def table(self, texts: Any) -> tuple[NDArray[np.intp], Floats]:
        """Predicted class of each text, and a number for every label: its probability, else its score."""
        reply = ask(self.model, texts)
        index = {label: k for k, label in enumerate(self.labels)}
        predicted = np.fromiter((index.get(str(label), -1) for label in reply.labels), np.intp, len(reply.labels))
        numbers = reply.by_label
        assert numbers is not None  # __init__ asked for the method
        return predicted, numbers

    def answers(self, texts: Any) -> tuple[list[str], ProbedAnswers]:
        """Names of the outcomes, and what the model says about each text."""
        predicted, numbers = self.table(texts)
        outcomes = self.outcomes(predicted)
        if self.has_probabilities:
            columns = [numbers[:, list(classes)].sum(axis=1) for _, classes in outcomes]
        else:
            columns = [1 / (1 + np.exp(-self._lead(numbers, classes) / self.scale)) for _, classes in outcomes]
        return [name for name, _ in outcomes], ProbedAnswers(predicted, np.column_stack(columns))

    def _lead(self, numbers: Floats, classes: tuple[int, ...]) -> Floats:
        """How far the best of the classes is ahead of the best of the others."""
        inside = np.zeros(len(self.labels), bool)
        inside[list(classes)] = True
        if len(self.labels) == 2:
            return np.asarray(numbers[:, classes[0]])
        return np.asarray(numbers[:, inside].max(axis=1) - numbers[:, ~inside].max(axis=1))
