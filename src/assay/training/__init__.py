"""Training: from a corpus to a classifier, with the search, the test and the evidence.

The way of a training, one module a step::

    settings ── candidates (recipes) ── searching ── plan ── search ── selection (combination) ── refit ── testing
                                           │            parts, text_matrix, linear_fit, yardstick
                                           └─ all of it is kept in a TrainingRun (run), and written by run_folder

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.training.recipes import FeatureBlock, LearnerSettings, Recipe
    from assay.training.refit import Member
    from assay.training.run import MajorityBaseline, TrainingRun
    from assay.training.search import Trial
    from assay.training.settings import TrainingSettings
    from assay.training.train import run_training, train

__all__ = [
    "FeatureBlock",
    "LearnerSettings",
    "MajorityBaseline",
    "Member",
    "Recipe",
    "TrainingRun",
    "TrainingSettings",
    "Trial",
    "run_training",
    "train",
]

_HOME_OF = {
    "FeatureBlock": "recipes",
    "LearnerSettings": "recipes",
    "MajorityBaseline": "run",
    "Member": "refit",
    "Recipe": "recipes",
    "TrainingRun": "run",
    "TrainingSettings": "settings",
    "Trial": "search",
    "run_training": "train",
    "train": "train",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.training' has no attribute {name!r}")
    value = getattr(import_module(f"assay.training.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
