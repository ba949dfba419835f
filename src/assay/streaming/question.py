"""What a model is asked about every text."""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import ParameterError
from assay.wording import parameter

__all__ = ["Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """Whether a label alone is wanted, or probabilities too.

    Parameters
    ----------
    proba
        The probability of every label.
    top
        The so many best labels, each with its probability, beside a set if the model gives one; None for the predicted
        label, or set, alone.
    threshold
        Labels that are less probable than this are left empty; of a model that gives sets of labels, all that are at
        least as probable are given, whatever its own thresholds.
    novelty
        How unlike the training texts a text is.
    reject
        Texts whose novelty is at least this get no label.

    Examples
    --------
    >>> Question(top=0)
    Traceback (most recent call last):
    ...
    assay.errors.ParameterError: top must be 1 or more. Got 0 instead.
    """

    proba: bool = False
    top: int | None = None
    threshold: float | None = None
    novelty: bool = False
    reject: float | None = None

    def __post_init__(self) -> None:
        if self.top is not None and self.top < 1:
            raise ParameterError(f"{parameter('top')} must be 1 or more. Got {self.top} instead.")
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise ParameterError(
                f"{parameter('threshold')} must be a probability between 0 and 1. Got {self.threshold:g} instead."
            )

        if self.reject is not None and not 0 < self.reject <= 1:
            raise ParameterError(
                f"{parameter('reject')} must be a novelty above 0 and at most 1. Got {self.reject:g} instead."
            )

    @property
    def needs_novelty(self) -> bool:
        """Whether the model is asked how unlike its training texts a text is."""
        return self.novelty or self.reject is not None

    @property
    def needs_probabilities(self) -> bool:
        """Whether scores are not enough."""
        return self.proba or self.top is not None or self.threshold is not None
