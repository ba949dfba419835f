"""What a model says of texts, as the audit needs it: labels, and one number for each outcome that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.label_sets import LabelSets, Task
from assay.prediction.asking import ask
from assay.suggest import nearest_first, quote, quoted, shortened
from assay.wording import parameter, setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["Given", "ProbedAnswers", "ProbedModel", "differ", "given_any"]

Floats = NDArray[np.float64]
Given = NDArray[np.intp] | LabelSets  #: what texts were given: the number of one label each, or a set of them
_MOST_OUTCOMES = 5


@dataclass(frozen=True)
class ProbedAnswers:
    """Of n texts: the predicted class (-1 where the model abstains), and a number for each outcome, (n, n_outcomes).

    Of a model that gives sets of labels, the predicted sets.
    """

    predicted: Given
    scores: Floats


def given_any(given: Given, classes: Sequence[int]) -> NDArray[np.bool_]:
    """Whether each text has one of some classes.

    Examples
    --------
    >>> given_any(np.array([0, 2]), [2]).tolist(), given_any(LabelSets.of_rows([[0], [], [0, 2]], 3), [2]).tolist()
    ([False, True], [False, False, True])
    """
    if not isinstance(given, LabelSets):
        return np.isin(given, classes)
    found = np.zeros(len(given), bool)
    found[given.texts[np.isin(given.members, classes)]] = True
    return found


def differ(first: Given, second: Given) -> NDArray[np.bool_]:
    """Whether each text was given something else the second time."""
    if not isinstance(first, LabelSets) or not isinstance(second, LabelSets):
        return np.asarray(first != second)
    n = max(first.n_classes, second.n_classes)
    one, other = (LabelSets(sets.offsets, sets.members, n).table() for sets in (first, second))
    return np.asarray((one != other).any(axis=1))


class ProbedModel:
    """Asks a model about texts.

    Parameters
    ----------
    model
        A `TextClassifier`, or anything with ``predict`` and ``labels`` or ``classes_``.
    target
        Labels that together are the outcome to look at, such as everything that gets a text removed. None: every
        label on its own; of more than five, those most often predicted; of two, of which a text has one, the second.

    Attributes
    ----------
    outcomes
        Name and class indices of each outcome.
    unit
        ``"probability"``, or ``"score"`` where the model has none: then numbers are 1/(1 + exp(-lead/scale)) of the
        lead of the outcome over the rest.
    task
        Whether the model gives one label a text, or sets of labels.
    scale
        Of leads (of sets, of scores): 1, which suits a support vector machine, unless `learn_scale` is given texts.
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
        self.task: Task = getattr(getattr(model, "decision", None), "task", "labels")
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

    def outcomes(self, answers: Given | None = None) -> list[tuple[str, tuple[int, ...]]]:
        """Name and classes of what is looked at; `answers` says what is predicted most where there are many labels."""
        if self._target is not None:
            return [(" + ".join(self.labels[k] for k in self._target), self._target)]
        if len(self.labels) == 2 and self.task == "labels":
            return [(self.labels[1], (1,))]
        chosen = list(range(len(self.labels)))
        if len(self.labels) > _MOST_OUTCOMES and answers is not None:
            members = answers.members if isinstance(answers, LabelSets) else answers[answers >= 0]
            counts = np.bincount(members, minlength=len(self.labels))
            chosen = sorted(np.argsort(-counts, kind="stable")[:_MOST_OUTCOMES].tolist())
        return [(self.labels[k], (k,)) for k in chosen]

    def table(self, texts: Any) -> tuple[Given, Floats]:
        """Predicted class or set of each text, and a number for every label: its probability, else its score."""
        reply = ask(self.model, texts)
        index = {label: k for k, label in enumerate(self.labels)}
        predicted: Given
        if self.task == "label-sets":
            assert reply.by_label is not None  # __init__ asked for the method
            return LabelSets.of_rows(([index[n] for n in row] for row in reply.labels), len(index)), reply.by_label
        predicted = np.fromiter((index.get(str(label), -1) for label in reply.labels), np.intp, len(reply.labels))
        numbers = reply.by_label
        assert numbers is not None  # __init__ asked for the method
        return predicted, numbers

    def answers(self, texts: Any) -> tuple[list[str], ProbedAnswers]:
        """Names of the outcomes, and what the model says about each text."""
        predicted, numbers = self.table(texts)
        outcomes = self.outcomes(predicted)
        if self.has_probabilities:
            columns = [self._together(numbers[:, list(classes)]) for _, classes in outcomes]
        else:
            columns = [1 / (1 + np.exp(-self._lead(numbers, classes) / self.scale)) for _, classes in outcomes]
        return [name for name, _ in outcomes], ProbedAnswers(predicted, np.column_stack(columns))

    def truth(self, corpus: Corpus) -> Given | None:
        """What the texts of a corpus truly are, in the same numbers; None without labels.

        A label that the model does not have is one of its own, which is never predicted.
        """
        if corpus.labels is None:
            return None
        index = {label: k for k, label in enumerate(self.labels)}
        if self.task == "label-sets":
            numbers = np.array([index.get(str(name), len(index)) for name in corpus.label_names], np.int64)
            return corpus.label_sets.renumbered(numbers, len(index) + 1)
        return np.array([index.get(name, -2) for name in corpus.label_names], np.intp)[corpus.classes]

    def named(self, given: Given, row: int) -> str:
        """What a text was given, in words."""
        if isinstance(given, LabelSets):
            return ", ".join(self.labels[k] for k in given[row].tolist()) or "no label"
        return self.labels[given[row]] if given[row] >= 0 else "no answer"

    def _together(self, numbers: Floats) -> Floats:
        """Probability of any of some labels: their sum; of sets, each label is decided about by itself."""
        return np.asarray(1 - (1 - numbers).prod(axis=1) if self.task == "label-sets" else numbers.sum(axis=1))

    def _lead(self, numbers: Floats, classes: tuple[int, ...]) -> Floats:
        """How far the best of the classes is ahead of the best of the others; of sets, how high its score is."""
        if self.task == "label-sets":
            return np.asarray(numbers[:, list(classes)].max(axis=1))
        inside = np.zeros(len(self.labels), bool)
        inside[list(classes)] = True
        if len(self.labels) == 2:
            return np.asarray(numbers[:, classes[0]])
        return np.asarray(numbers[:, inside].max(axis=1) - numbers[:, ~inside].max(axis=1))
