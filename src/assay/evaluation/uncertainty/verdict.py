"""Whether a model is worth having: better than always saying the commonest class, and silent about none.

Accuracy alone does not tell: where 98 of 100 texts are of one class, saying so every time is right for 98 % of them.
Two exact tests are asked instead, both one-sided.

- *More accurate than always guessing*: McNemar's test of the model against the commonest class, on the same texts.
- *Recognises a class*: of the m texts that the model called k, h are; if its answers had nothing to do with the texts,
  h would be at most binomial with m and the share of k (drawn without replacement, it spreads less). The level is
  divided by the number of classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import Label, Outcomes
from assay.evaluation.uncertainty.significance import mcnemar_p_value

__all__ = ["ClassFound", "Verdict", "judge", "recognised_classes"]

Kind = Literal["useful", "found", "silent", "guessing", "constant", "one class"]

LEVEL = 0.025  # of a one-sided test: that of a two-sided one at 5 %
FEWEST = 3  # texts of a class, to say of it that it is never said
FEWEST_MISSED = 5  # and that it is said, but never of a text that is of it


@dataclass(frozen=True)
class ClassFound:
    """How a class fared: texts of it, texts called so, texts that are both, and whether that is beyond chance."""

    label: Label
    documents: int
    called: int
    hits: int
    recognised: bool


@dataclass(frozen=True)
class Verdict:
    """What became of the two questions.

    Attributes
    ----------
    kind
        ``"useful"``: more accurate than always saying the commonest class. ``"found"``: not that, but it recognises
        classes that are not the commonest, which accuracy hardly sees. ``"silent"``: it never says some class, or never
        rightly. ``"guessing"``: no class is recognised more often than by chance. ``"constant"``: it has one answer for
        all. ``"one class"``: all texts are of one class, which shows nothing of the kind.
    commonest
        The class to beat.
    accuracy, always
        Share of texts that the model, and always saying the commonest class, get right.
    p_value
        Of the test that the model is the more accurate one.
    classes
        Every class that occurs or was said.
    silent
        Labels that were never said, though at least 3 texts are of them, or never rightly, though at least 5 are.
    n_documents
        Texts measured on.
    """

    kind: Kind
    commonest: Label
    accuracy: float
    always: float
    p_value: float
    classes: tuple[ClassFound, ...]
    silent: tuple[Label, ...]
    n_documents: int

    @property
    def trustworthy(self) -> bool:
        """Whether accuracy may be the headline."""
        return self.kind in ("useful", "one class")

    @property
    def weak(self) -> tuple[ClassFound, ...]:
        """Classes that need help: those never found, else those that occur and are not recognised beyond chance."""
        if self.silent:
            return tuple(found for found in self.classes if found.label in self.silent)
        others = [found for found in self.classes if found.documents and found.label != self.commonest]
        return tuple(found for found in others if not found.recognised) if not self.trustworthy else ()

    def of(self, label: Label) -> ClassFound:
        """How this class fared."""
        return next(found for found in self.classes if found.label == label)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "kind": self.kind,
            "commonest": self.commonest,
            "accuracy": self.accuracy,
            "always_commonest": self.always,
            "p_value": self.p_value,
            "never_said": [label for label in self.silent if not self.of(label).called],
            "never_found": list(self.silent),
            "not_recognised": [found.label for found in self.weak],
        }


def judge(outcomes: Outcomes, *, commonest: Label | None = None, also: Outcomes | None = None) -> Verdict:
    """Judge a model by its answers to texts that it had not seen.

    Parameters
    ----------
    outcomes
        Truth and answers.
    commonest
        The class to beat; by default, the commonest among these texts.
    also
        Answers of a cross-validation of the same way of training, for the same labels: a class is only called never
        said, or never found, if it was not there either, and its texts there count.

    Examples
    --------
    >>> from assay.evaluation.metrics.outcomes import from_labels
    >>> verdict = judge(from_labels(["keep"] * 196 + ["remove"] * 4, ["keep"] * 200))
    >>> verdict.kind, verdict.accuracy, verdict.silent
    ('constant', 0.98, ('remove',))
    """
    matrix = ConfusionMatrix.of(outcomes)
    most = int(matrix.documents.argmax()) if commonest not in matrix.labels else matrix.labels.index(commonest)
    right, base = outcomes.correct, outcomes.truth == most
    p_value = mcnemar_p_value(int((right & ~base).sum()), int((base & ~right).sum()), "greater")
    recognised = recognised_classes(matrix)
    classes = tuple(
        ClassFound(label, int(matrix.documents[k]), int(matrix.predicted[k]), int(matrix.hits[k]), bool(recognised[k]))
        for k, label in enumerate(matrix.labels)
        if matrix.documents[k] or matrix.predicted[k]
    )
    silent = _never_found(matrix, None if also is None else ConfusionMatrix.of(also))
    others = np.arange(len(matrix.labels)) != most
    kind: Kind
    if np.count_nonzero(matrix.documents) < 2:
        kind = "one class"
    elif np.count_nonzero(matrix.predicted) == 1:
        kind = "constant"
    elif p_value > LEVEL and not recognised[others].any():
        kind = "guessing"
    elif silent:
        kind = "silent"
    else:
        kind = "useful" if p_value <= LEVEL else "found"
    shares = float(right.mean()), float(base.mean())
    return Verdict(kind, matrix.labels[most], *shares, p_value, classes, silent, outcomes.n_documents)


def recognised_classes(matrix: ConfusionMatrix) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Of each class, whether more of the texts called so are of it than by chance."""
    from scipy.special import bdtrc

    share = matrix.documents / matrix.documents.sum()
    # P(binomial ≥ hits); of a class that was hit never, 1.
    tail = np.where(matrix.hits > 0, bdtrc(np.maximum(matrix.hits - 1, 0), np.maximum(matrix.predicted, 1), share), 1.0)
    return np.asarray(tail <= LEVEL / int(np.count_nonzero(matrix.documents)))


def _never_found(matrix: ConfusionMatrix, also: ConfusionMatrix | None) -> tuple[Label, ...]:
    documents, said, hits = matrix.documents, matrix.predicted, matrix.hits
    if also is not None:
        documents, said, hits = documents + also.documents, said + also.predicted, hits + also.hits
    fewest = np.where(said == 0, FEWEST, FEWEST_MISSED)
    silent = (matrix.documents > 0) & (documents >= fewest) & (hits == 0)
    return tuple(matrix.labels[k] for k in np.flatnonzero(silent))
