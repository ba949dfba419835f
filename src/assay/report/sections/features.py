"""What speaks for each class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from assay.data.corpus.spellings import shown_labels
from assay.explanation.columns import of_whole_texts
from assay.explanation.groups import feature_groups
from assay.explanation.importance import group_importance
from assay.explanation.weights import top_features
from assay.prediction.linear_model import LinearTextModel
from assay.report.sections.measured import Measured
from assay.report.wording import METRIC_NAMES

if TYPE_CHECKING:
    from assay.tables import Table
    from assay.training.run import TrainingRun

__all__ = ["ClassFeatures", "FeaturesSection", "TellingFeature", "features_section"]

FEATURES = 10
MOST_CLASSES = 100
MOST_TEXTS = 6000  # of the training texts, evenly spread, in which features are counted
FEW_CLASSES = 8  # so many are looked through without a search field


@dataclass(frozen=True)
class TellingFeature:
    """A feature of a class."""

    name: str
    of_characters: bool
    weight: float
    width: float  # of its bar: 1 for the strongest of the class
    inside: int
    outside: int


@dataclass(frozen=True)
class ClassFeatures:
    """The features of a class, the most telling first."""

    label: str
    features: tuple[TellingFeature, ...]


@dataclass(frozen=True)
class FeaturesSection:
    """What the section shows."""

    classes: tuple[ClassFeatures, ...]
    more_classes: int
    searchable: bool
    counted_in: int | None  # training texts, where it was not all of them
    groups: Table | None  # what each is worth on the test part


def features_section(run: TrainingRun, on: Measured | None) -> FeaturesSection | None:
    """What speaks for each class, counted in texts learned from, and what groups are worth; None of a network.

    Nor is there anything to show of a model that reads nothing but sentence vectors.
    """
    model = run.model.model
    if not isinstance(model, LinearTextModel) or all(map(of_whole_texts, model.features)):
        return None
    shown = model.labels[:MOST_CLASSES]
    found = top_features(model, run.train, top=FEATURES, most_texts=MOST_TEXTS, labels=shown)
    classes = []
    for label, features in zip(shown_labels(found), found.values(), strict=True):
        most = max((item.separation or 0.0 for item in features), default=0.0) or 1.0
        classes.append(
            ClassFeatures(
                label,
                tuple(
                    TellingFeature(
                        item.feature,
                        item.kind == "char",
                        item.weight if item.lead is None else item.lead,
                        (item.separation or 0.0) / most,
                        item.inside or 0,
                        item.outside or 0,
                    )
                    for item in features
                ),
            )
        )
    more = len(model.labels) - len(shown)
    apart = -(-len(run.train) // MOST_TEXTS)
    counted_in = len(range(0, len(run.train), apart)) if apart > 1 else None
    return FeaturesSection(tuple(classes), more, len(classes) > FEW_CLASSES, counted_in, _groups(model, on))


def _groups(model: LinearTextModel, on: Measured | None) -> Table | None:
    """What each group is worth; nothing where there is one group or class, or no text that the model has not seen."""
    if on is None or not on.held_out or len(feature_groups(model)) < 2 or (on.corpus.class_counts > 0).sum() < 2:
        return None
    found = group_importance(model, on.corpus.select(np.arange(0, len(on.corpus), -(-len(on.corpus) // MOST_TEXTS))))
    table = found.tables()[0]
    return replace(table, title=table.title.replace(found.metric, METRIC_NAMES[found.metric][0], 1))
