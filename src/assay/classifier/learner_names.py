"""Learners by short names."""

from __future__ import annotations

from typing import Any

from assay.errors import ParameterError
from assay.wording import parameter

__all__ = ["LEARNERS", "named_learner"]

#: Class in `assay.learners`, and the parameters that the name stands for.
LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "svm": ("LinearSVC", {}),
    "logistic": ("LogisticRegression", {}),
    "nb": ("MultinomialNB", {}),
    "complement-nb": ("ComplementNB", {}),
    "bernoulli-nb": ("BernoulliNB", {}),
    "nbsvm": ("NBSVM", {}),
    "perceptron": ("Perceptron", {}),
    "averaged-perceptron": ("AveragedPerceptron", {}),
    "voted-perceptron": ("VotedPerceptron", {}),
}


def named_learner(name: str) -> Any:
    """A new learner with default settings.

    Examples
    --------
    >>> named_learner("nb")
    MultinomialNB()
    """
    import assay.learners
    from assay.suggest import nearest_first, quoted

    if name not in LEARNERS:
        raise ParameterError(
            f"{parameter('learner')} must be one of {quoted(nearest_first(name, LEARNERS))}, or an object of "
            "assay.learners. "
            f"Got {name!r} instead."
        )
    kind, parameters = LEARNERS[name]
    return getattr(assay.learners, kind)(**parameters)
