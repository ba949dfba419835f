"""The settings of a training as a TOML file that repeats it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tomli_w

from assay.errors import AssayError, DataError, ParameterError
from assay.file_access import read_short_text
from assay.suggest import quoted, refuse_unknown
from assay.training.candidates import Wishes
from assay.training.feature_tables import FeatureTables
from assay.training.learner_settings import LearnerSettings
from assay.training.recipes import Recipe
from assay.training.run import TrainingRun
from assay.training.settings import TrainingSettings, parse_budget

__all__ = ["SettingsFile", "read_settings", "settings_text"]

_HEAD = """\
# What was trained, with everything that was chosen by hand or by the search.
# `assay train --settings` with this file repeats it: the same data gives the same model, byte for byte.
"""
_TRAINING = (
    "metric",
    "holdout",
    "folds",
    "sample",
    "combine",
    "budget",
    "near_copies",
    "novelty",
    "sketch",
    "optimism",
    "seed",
)
_SEARCH = ("learner", "ngrams", "chars", "C", "class_weight", "features", "learner_settings", "vectors")


@dataclass(frozen=True)
class SettingsFile:
    """What stands in a settings file.

    Attributes
    ----------
    settings
        Of the training.
    data
        Where the data is and how it is read: the options of `assay train` by name.
    """

    settings: TrainingSettings
    data: Mapping[str, Any]


def settings_text(run: TrainingRun, data: Mapping[str, Any]) -> str:
    """The file that repeats a run on the same data.

    Parameters
    ----------
    run
        A finished training.
    data
        Options that say where the data is and how it is read; None and False are left out.
    """
    # The recipes are settled now, so the budget of their search is not; a whole sample needs no line. A metric
    # that is a function only compared them and cannot have one: accuracy, in its place, changes no decision.
    training = {name: getattr(run.settings, name) for name in _TRAINING if name != "budget"}
    training = {name: "accuracy" if callable(value) else value for name, value in training.items() if value is not None}
    tables: dict[str, Any] = {
        "data": {name: value for name, value in data.items() if value not in (None, False)},
        "training": training,
        "recipes": [member.recipe.to_dict() for member in run.members],
    }
    return f"{_HEAD}\n{tomli_w.dumps(tables)}"


def read_settings(path: str) -> SettingsFile:
    """Read a settings file that a run wrote, or one that was written by hand."""
    try:
        content = tomllib.loads(read_short_text(path))
    except FileNotFoundError:
        raise ParameterError(f"{path}: there is no such settings file.") from None
    except IsADirectoryError:
        raise ParameterError(f"{path}: this is a folder. The settings file in a run folder is settings.toml.") from None
    except AssayError:
        raise
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"{path}: this is no settings file in TOML: {error}.") from None
    try:
        return _parsed(content, str(Path(path).resolve().parent))
    except (ParameterError, DataError) as error:
        raise type(error)(f"{path}: {error}") from None
    except (TypeError, AttributeError, ValueError) as error:
        raise ParameterError(f"{path}: a setting has a value of the wrong kind: {error}.") from None


def _parsed(content: dict[str, Any], folder: str) -> SettingsFile:
    refuse_unknown(content, ("data", "training", "search", "recipes", "features", "learner"), "of a settings file")
    training = dict(content.get("training", {}))
    refuse_unknown(training, _TRAINING, "of the table [training]")
    if "budget" in training:
        training["budget"] = parse_budget(training["budget"])
    search = content.get("search", {})
    refuse_unknown(search, _SEARCH, "of the table [search]")
    settings = TrainingSettings.chosen(**search, **training) if search else TrainingSettings(Wishes(), **training)
    recipes = tuple(Recipe.from_dict(recipe) for recipe in content.get("recipes", ()))
    if "features" in content or "learner" in content:
        if search or recipes or "features" not in content:
            raise ParameterError(
                "The tables [features] and [learner] describe all of a training, together and without [search] and "
                f"[[recipes]]. Got {quoted(content)}."
            )
        designed = FeatureTables.of(content["features"], folder)
        recipes = (Recipe((), LearnerSettings.from_dict(content.get("learner", {"name": "logistic"})), designed),)
    return SettingsFile(replace(settings, recipes=recipes or settings.recipes), content.get("data", {}))
