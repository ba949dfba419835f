"""Everything that can be chosen about a training, with what `assay train` does where nothing is chosen."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from assay.arguments import require_kinds
from assay.errors import ParameterError
from assay.evaluation.uncertainty.metric_value import metric_name
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.header_checks import LARGEST
from assay.suggest import quote, refuse_unknown, shortened
from assay.training.candidates import Wishes
from assay.training.learner_settings import LearnerSettings
from assay.training.network_choice import NETWORKS
from assay.training.recipes import Recipe
from assay.training.vector_block import VectorBlock
from assay.wording import parameter, setting

__all__ = ["TrainingSettings", "parse_budget", "parse_range"]

_UNITS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}


@dataclass(frozen=True)
class TrainingSettings:
    """How to train.

    Attributes
    ----------
    wishes
        What of features and learner is settled; the search chooses the rest.
    recipes
        What to train, all settled: nothing is searched for.
    metric
        What the search compares recipes by: a name, or a function of true and predicted labels, of which more is
        better. None: accuracy, or macro_f1 where a class is rare, see `assay.training.rare_classes`.
    holdout
        Share of the texts that is set aside for the test; None: 0.2 with a search or a network, 0 when all else is
        chosen by hand.
    folds
        Of the cross-validation inside the training part, 0 for none; None: 5 with a search, 0 when all is chosen by
        hand.
    sample
        Texts to train on in each fold of the last round at most; None: as many as the budget allows.
    combine
        Models that may be added up at most.
    near_copies
        ``"together"`` keeps texts that are nearly the same on one side of the split and in one fold; ``"ignore"`` only
        exact copies.
    budget
        Seconds that the search may take; None: by the size of the data.
    novelty
        Whether it is learned, where there are folds, how unlike the training texts a text is: of three classes or more
        that takes up to five more trainings of what the search has chosen.
    sketch
        Whether the model remembers, by hashes, which texts it was trained on: `assay.evaluate` then knows them again.
    optimism
        What the choice of the recipes is likely to have added to their cross-validated figure, as a search found it: a
        run that repeats it takes as much off. None: nothing is known of it.
    seed
        Of the split, the folds and the solvers.
    """

    wishes: Wishes = field(default_factory=Wishes)
    recipes: tuple[Recipe, ...] = ()
    metric: str | Callable[[Any, Any], float] | None = None
    holdout: float | None = None
    folds: int | None = None
    sample: int | None = None
    combine: int = 6
    budget: float | None = None
    near_copies: str = "together"
    novelty: bool = True
    sketch: bool = True
    optimism: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < 2**63:
            raise ParameterError(
                f"{parameter('seed')} must be a whole number from 0 to {2**63 - 1:,}. Got {shortened(self.seed)} "
                "instead."
            )
        require_kinds(self)
        if self.holdout is not None and not 0 <= self.holdout < 1:
            raise ParameterError(
                f"{parameter('holdout')} must be a share of the texts, from 0 to below 1, such as 0.2. Got "
                f"{self.holdout!r} instead."
            )
        if self.folds is not None and (isinstance(self.folds, bool) or self.folds < 0 or self.folds == 1):
            raise ParameterError(f"{parameter('folds')} must be 0 (none), or at least 2. Got {self.folds!r} instead.")
        if self.sample is not None and self.sample < 1:
            raise ParameterError(f"sample must be at least 1 text. Got {self.sample!r} instead.")
        if self.folds and self.trains_network:
            raise ParameterError(
                f"{parameter('folds')} must be 0 for a network, which has texts of its own to stop by. Got "
                f"{self.folds!r} instead. "
                f"Hold out a share of the texts with {setting('holdout')}, or use assay.cross_validate."
            )
        if self.folds and any(recipe.designed is not None for recipe in self.recipes):
            raise ParameterError(
                f"{parameter('folds')} must be 0 where a settings file describes the features. Got {self.folds!r} "
                "instead. Hold out a "
                f"share of the texts with {setting('holdout')}, or compare vectorizers with assay.cross_validate."
            )
        if self.optimism is not None and not 0 <= self.optimism <= 1:
            raise ParameterError(f"optimism must be from 0 to 1. Got {self.optimism!r} instead.")
        if self.combine < 1:
            raise ParameterError(f"combine must be at least 1. Got {self.combine!r} instead.")
        if self.budget is not None and not self.budget > 0:
            raise ParameterError(f"{parameter('budget')} must be more than 0 seconds. Got {self.budget!r} instead.")

    @property
    def metric_name(self) -> str:
        """What the metric is called in results."""
        return metric_name(self.metric or "accuracy")

    @property
    def by_hand(self) -> bool:
        """Whether nothing is left to search for."""
        return bool(self.recipes) or self.wishes.by_hand

    @property
    def trains_network(self) -> bool:
        """Whether a network was chosen."""
        return any(recipe.network is not None for recipe in self.recipes)

    @property
    def files(self) -> tuple[str, ...]:
        """Files and folders that are read besides the texts: word vectors, lexicons, templates, encoders."""
        wished = () if self.wishes.vectors is None else (self.wishes.vectors.file,)
        return (*wished, *(file for recipe in self.recipes for file in recipe.files))

    def resolved(self) -> TrainingSettings:
        """The same with what None stands for."""
        untested = self.by_hand and not self.trains_network
        return replace(
            self,
            holdout=self.holdout if self.holdout is not None else 0.0 if untested else 0.2,
            folds=self.folds if self.folds is not None else 0 if self.by_hand else 5,
        )

    @classmethod
    def chosen(
        cls,
        *,
        learner: str = "auto",
        ngrams: str | tuple[int, int] | None = None,
        chars: str | tuple[int, int] | None = None,
        C: float | None = None,
        class_weight: str | Mapping[str, float] | None = None,
        prune: float | None = None,
        budget: float | str | None = None,
        features: Mapping[str, Any] | None = None,
        learner_settings: Mapping[str, Any] | None = None,
        vectors: Any = None,
        **others: Any,
    ) -> TrainingSettings:
        """Settings by the names of the options of `assay train`; see `assay.train`."""
        settled = None if budget is None else parse_budget(budget)
        if learner in NETWORKS:
            of_network = dict(learner_settings or {})
            if learner == "encoder":
                of_network |= {} if ngrams is None else {"ngrams": parse_range(ngrams, "ngrams")}
                of_network |= {} if C is None else {"C": _positive(C, parameter("C"))}
                ngrams = C = None
            _refuse_for_networks(learner, ngrams=ngrams, chars=chars, C=C, prune=prune, features=features)
            if class_weight is not None:
                weights = _class_weight(class_weight)
                of_network["class_weight"] = dict(weights) if isinstance(weights, tuple) else weights
            if vectors is not None:
                of_network["vectors"] = _vector_file(learner, vectors)
            return cls(recipes=(Recipe.of_network(learner, of_network),), budget=settled, **others)
        if learner != "auto":
            LearnerSettings(learner)  # complains about a name that is none
        of_learner = dict(learner_settings or {})
        if prune is not None:
            of_learner["prune"] = _prunable(prune, learner)
        if class_weight is not None:
            of_learner["class_weight"] = _class_weight(class_weight)
        of_features = dict(features or {})
        # A mistake in a name is found before anything is read.
        NgramSettings.from_dict(of_features)
        refuse_unknown(of_learner, [f.name for f in fields(LearnerSettings)[1:]], "of a learner")
        wishes = Wishes(
            None if learner == "auto" else learner,
            None if ngrams is None else parse_range(ngrams, "ngrams"),
            None if chars is None else parse_range(chars, "chars"),
            None if C is None else _positive(C, parameter("C")),
            tuple(of_features.items()),
            tuple(of_learner.items()),
            None if vectors is None else VectorBlock.of(vectors),
        )
        return cls(wishes, budget=settled, **others)


def _prunable(prune: float, learner: str) -> float:
    """A number, of a learner whose weights can be dropped, which has to be said."""
    if learner == "auto":
        raise ParameterError(
            f"{parameter('prune')} goes with a learner that is chosen: {setting('learner', 'svm')}, 'logistic' or "
            f"'label-tree'. Got {prune!r} without one; a label tree drops weights nearer to 0 than 0.01 by itself."
        )
    return LearnerSettings(learner, prune=prune).prune or 0.0


def _refuse_for_networks(learner: str, **chosen: Any) -> None:
    """Complain about what only linear learners have."""
    for name, value in chosen.items():
        if value is not None:
            raise ParameterError(
                f"{name} is for linear learners, and {learner!r} is a network. Got {value!r}. Leave it out; settings "
                "of networks go into learner_settings, or into a settings file."
            )


def _vector_file(learner: str, vectors: Any) -> str:
    if not isinstance(vectors, str | os.PathLike):
        raise ParameterError(
            f"vectors must be the path of a file where learner={learner!r}. Got {type(vectors).__name__} instead. Save "
            "them first, or use the classes of assay.neural, which take vectors as they are."
        )
    return os.fspath(vectors)


def parse_range(value: str | tuple[int, int], name: str) -> tuple[int, int]:
    """``"1-2"`` or ``"3"`` or a pair.

    Examples
    --------
    >>> parse_range("2-5", "chars")
    (2, 5)
    """
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d{1,3})\s*(?:[-–,:]\s*(\d{1,3}))?\s*", value)
        lowest, highest = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    else:
        lowest, highest = value
    if not 1 <= lowest <= highest <= 100:
        raise ParameterError(
            f"{parameter(name)} must be a range of numbers from 1 to 100, such as 1-2. Got {value!r} instead."
        )
    return lowest, highest


def parse_budget(value: float | str) -> float:
    """Seconds in a number or in a text such as ``"90s"``, ``"2m"`` or ``"1.5h"``.

    Examples
    --------
    >>> parse_budget("2m")
    120.0
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)\s*", str(value))
    if not match or match[2] not in _UNITS or float(match[1]) <= 0:
        raise ParameterError(f"{parameter('budget')} must be a time such as 60s, 2m or 1h. Got {value!r} instead.")
    return float(match[1]) * _UNITS[match[2]]


def _class_weight(value: str | Mapping[str, float]) -> Any:
    if isinstance(value, Mapping):
        return tuple((str(label), _factor(label, factor)) for label, factor in value.items())
    if value == "balanced":
        return value
    pairs = [pair.rpartition("=") for pair in value.split(",")]
    if not all(label and factor for label, _, factor in pairs):
        raise ParameterError(
            f"{parameter('class_weight')} must be 'balanced', or factors such as spam=2,ham=1. Got {value!r} instead."
        )
    return tuple((label, _factor(label, factor)) for label, _, factor in pairs)


def _factor(label: object, value: Any) -> float:
    return _positive(value, f"{parameter('class_weight')} of {quote(label)}")


def _positive(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not 0 < number <= LARGEST:
        most = f", {LARGEST:g} at most" if number > LARGEST else ""
        raise ParameterError(f"{name} must be a number above 0{most}. Got {shortened(value)} instead.")
    return number
