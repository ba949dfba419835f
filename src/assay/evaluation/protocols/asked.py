"""What a model says of a corpus, whether its texts have one label each or sets of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.outcomes import Label, Outcomes, from_model, true_classes_of
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.metrics.set_reading import sets_from_model
from assay.label_sets import LabelSets

__all__ = ["has_label_sets", "outcomes_of", "truth_of"]


def has_label_sets(corpus: Any) -> bool:
    """Whether the texts have sets of labels: the corpus's task says so."""
    return getattr(corpus, "task", "labels") == "label-sets"


def truth_of(corpus: Any) -> tuple[NDArray[np.int32] | LabelSets, list[Label]]:
    """Class index of each document, or its set of labels; and the labels that the indices stand for."""
    if has_label_sets(corpus):
        return corpus.label_sets, list(corpus.label_names)
    return true_classes_of(corpus)


def outcomes_of(model: Any, corpus: Any, *, allow_one_class: bool = False) -> Outcomes | SetOutcomes:
    """Let a model predict a corpus of either task."""
    if has_label_sets(corpus):
        return sets_from_model(model, corpus)
    return from_model(model, corpus, allow_one_class=allow_one_class)
