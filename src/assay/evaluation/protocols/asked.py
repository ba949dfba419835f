"""What a model says of a corpus, whether its texts have one label each or sets of labels."""

from __future__ import annotations

from typing import Any

from assay.evaluation.metrics.outcomes import Outcomes, from_model
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.metrics.set_reading import sets_from_model

__all__ = ["has_label_sets", "outcomes_of"]


def has_label_sets(corpus: Any) -> bool:
    """Whether the texts have sets of labels: the corpus's task says so."""
    return getattr(corpus, "task", "labels") == "label-sets"


def outcomes_of(model: Any, corpus: Any, *, allow_one_class: bool = False) -> Outcomes | SetOutcomes:
    """Let a model predict a corpus of either task."""
    if has_label_sets(corpus):
        return sets_from_model(model, corpus)
    return from_model(model, corpus, allow_one_class=allow_one_class)
