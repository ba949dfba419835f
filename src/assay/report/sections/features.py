"""What speaks for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.explanation.weights import top_features
from assay.prediction.linear_model import LinearTextModel

if TYPE_CHECKING:
    from assay.training.run import TrainingRun

__all__ = ["ClassFeatures", "FeaturesSection", "TellingFeature", "features_section"]

FEATURES = 10
MOST_CLASSES = 100
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


def features_section(run: TrainingRun) -> FeaturesSection | None:
    """The most telling features of a model, counted in the texts that it learned from; None of a network."""
    model = run.model.model
    if not isinstance(model, LinearTextModel):
        return None
    found = top_features(model, run.train, top=FEATURES)
    classes = []
    for label, features in list(found.items())[:MOST_CLASSES]:
        most = max((item.separation or 0.0 for item in features), default=0.0) or 1.0
        classes.append(
            ClassFeatures(
                label,
                tuple(
                    TellingFeature(
                        item.feature,
                        item.kind == "char",
                        item.lead,
                        (item.separation or 0.0) / most,
                        item.inside or 0,
                        item.outside or 0,
                    )
                    for item in features
                ),
            )
        )
    return FeaturesSection(tuple(classes), max(0, len(found) - MOST_CLASSES), len(classes) > FEW_CLASSES)
