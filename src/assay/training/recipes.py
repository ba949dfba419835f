"""How a model is made, as plain data: what is read out of texts, how it is weighted, and who learns from it.

A `Recipe` is one learner on one or more blocks of features. What `assay.train` ends with is one recipe, or several
whose scores are added up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from assay.arguments import require_kinds
from assay.errors import ParameterError
from assay.features.ngrams.analysis import Analysis
from assay.header_checks import LARGEST
from assay.suggest import nearest_first, quoted, shortened
from assay.training.designed import DesignedFeatures
from assay.training.network_choice import NETWORKS, NetworkChoice
from assay.training.vector_block import VectorBlock

__all__ = ["LEARNERS", "Block", "FeatureBlock", "LearnerSettings", "Recipe"]

#: Name of each learner → what it is called in sentences.
LEARNERS = {
    "svm": "linear SVM",
    "logistic": "logistic regression",
    "nbsvm": "NBSVM",
    "nb": "naive Bayes",
    "complement-nb": "complement naive Bayes",
    "averaged-perceptron": "averaged perceptron",
}


@dataclass(frozen=True)
class FeatureBlock:
    """One block of columns: n-grams of words or characters, and what their counts become.

    Attributes
    ----------
    analysis
        How n-grams are read out of a text.
    min_df, max_df
        Documents that an n-gram must and may occur in: a number, or a share of them (a float up to 1).
    max_features
        Keep only so many n-grams, the most frequent ones.
    binary, sublinear, idf, smooth_idf, norm
        As in `TfidfVectorizer` (`sublinear_tf`, `use_idf`).
    """

    analysis: Analysis
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    binary: bool = False
    sublinear: bool = True
    idf: bool = True
    smooth_idf: bool = True
    norm: Literal["l1", "l2"] | None = "l2"

    def __post_init__(self) -> None:
        require_kinds(self)
        for name in ("min_df", "max_df"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ParameterError(f"{name} must be a number of at least 0. Got {getattr(self, name)!r} instead.")
        if self.max_features is not None and self.max_features < 1:
            raise ParameterError(f"max_features must be at least 1. Got {self.max_features!r} instead.")

    @property
    def name(self) -> str:
        """In a few words, such as ``words 1–2``."""
        lowest, highest = self.analysis.ngrams
        numbers = f"{lowest}" if lowest == highest else f"{lowest}–{highest}"
        if self.analysis.unit == "word":
            marks = " and marks" if self.analysis.tokens == "words_and_punctuation" else ""
            text = f"words{marks} {numbers}"
        else:
            text = f"characters {numbers}"
        return f"{text}, present or not" if self.binary else text

    def to_dict(self) -> dict[str, Any]:
        """As plain values; what is None is left out."""
        plain = {**self.analysis.to_dict(), **{f.name: getattr(self, f.name) for f in fields(self)[1:]}}
        plain["norm"] = self.norm or "none"
        return {name: value for name, value in plain.items() if value is not None}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> FeatureBlock:
        """The inverse of `to_dict`; what is not given has its usual value."""
        own = {f.name for f in fields(cls)[1:]}
        of_text = {f.name for f in fields(Analysis)}
        refuse_unknown(settings, own | of_text, "a block of features")
        known = {name: value for name, value in settings.items() if name in own}
        if known.get("norm") == "none":
            known["norm"] = None
        text = Analysis().to_dict() | {name: value for name, value in settings.items() if name in of_text}
        return cls(Analysis.from_dict(text), **known)


Block = FeatureBlock | VectorBlock


@dataclass(frozen=True)
class LearnerSettings:
    """Which learner, and how it is set.

    Attributes
    ----------
    name
        One of `LEARNERS`.
    C
        Weight of the errors against the length of the weights: svm, logistic and nbsvm.
    alpha
        Pseudo-count: nb, complement-nb and nbsvm.
    beta, base
        nbsvm: trust in the learned weights, from 0 (naive Bayes) to 1; ``"svm"`` or ``"logistic"``.
    class_weight
        ``"balanced"``, or pairs of a label and its factor.
    loss, penalty, l1_ratio, multi_class
        svm: as in `LinearSVC`; logistic: as in `LogisticRegression`.
    fit_intercept
        Whether there is a bias.
    epochs
        averaged-perceptron: passes at most.
    tolerance, max_iterations
        When the solver stops.
    """

    name: str = "svm"
    C: float = 1.0
    alpha: float = 1.0
    beta: float = 1.0
    base: Literal["svm", "logistic"] = "svm"
    class_weight: Literal["balanced"] | tuple[tuple[str, float], ...] | None = None
    loss: Literal["hinge", "squared_hinge"] = "squared_hinge"
    penalty: Literal["l1", "l2"] = "l2"
    l1_ratio: float = 0.0
    multi_class: Literal["auto", "ovr", "crammer_singer", "multinomial"] = "auto"
    fit_intercept: bool = True
    epochs: int = 10
    tolerance: float = 1e-3
    max_iterations: int = 1000

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or self.name not in LEARNERS:
            known = quoted(nearest_first(shortened(self.name), [*LEARNERS, *NETWORKS]))
            raise ParameterError(
                f"There is no learner {shortened(self.name)}. Learners are {known}, or 'auto' for a search."
            )
        require_kinds(self)
        if not _is_class_weight(self.class_weight):
            raise ParameterError(
                "class_weight must be 'balanced', or labels with their factors. Got "
                f"{shortened(self.class_weight)} instead."
            )
        for name in ("C", "alpha"):
            value = getattr(self, name)
            if not 0 < value <= LARGEST:
                most = f", {LARGEST:g} at most" if value > LARGEST else ""
                raise ParameterError(f"{name} must be a number above 0{most}. Got {value!r} instead.")
        for name in ("beta", "l1_ratio"):
            if not 0 <= getattr(self, name) <= 1:
                raise ParameterError(f"{name} must be between 0 and 1. Got {getattr(self, name)!r} instead.")
        if not 0 <= self.tolerance < float("inf"):
            raise ParameterError(f"tolerance must be a number of at least 0. Got {self.tolerance!r} instead.")
        for name in ("epochs", "max_iterations"):
            if not 1 <= getattr(self, name) < 2**31:
                raise ParameterError(
                    f"{name} must be a whole number from 1 to {2**31 - 1:,}. Got {getattr(self, name)!r} instead."
                )

    @property
    def strength(self) -> str:
        """The number that matters most, such as ``C=0.3``."""
        if self.name == "averaged-perceptron":
            return f"{self.epochs} epochs"
        return f"alpha={self.alpha:g}" if self.name in ("nb", "complement-nb") else f"C={self.C:g}"

    def to_dict(self) -> dict[str, Any]:
        """As plain values; what is None is left out."""
        plain = asdict(self)
        if isinstance(self.class_weight, tuple):
            plain["class_weight"] = dict(self.class_weight)
        return {name: value for name, value in plain.items() if value is not None}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> LearnerSettings:
        """The inverse of `to_dict`; what is not given has its usual value."""
        refuse_unknown(settings, {f.name for f in fields(cls)}, "a learner")
        plain = dict(settings)
        if isinstance(plain.get("class_weight"), Mapping):
            plain["class_weight"] = tuple(plain["class_weight"].items())
        return cls(**plain)


def _is_class_weight(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(
            isinstance(label, str) and isinstance(factor, int | float) and 0 <= factor < float("inf")
            for label, factor in value
        )
    return value is None or (isinstance(value, str) and value == "balanced")


@dataclass(frozen=True)
class Recipe:
    """A learner on blocks of features that stand side by side.

    Examples
    --------
    >>> words = FeatureBlock(Analysis(ngrams=(1, 2)))
    >>> Recipe((words,), LearnerSettings("svm", C=0.5)).name
    'linear SVM, C=0.5, words 1–2'
    """

    blocks: tuple[Block, ...]  # word vectors come last
    learner: LearnerSettings
    designed: DesignedFeatures | None = None  # instead of blocks: what the [features] tables of a file describe
    network: NetworkChoice | None = None  # instead of all this

    @property
    def name(self) -> str:
        """In a few words."""
        if self.network is not None:
            return self.network.name
        return f"{LEARNERS[self.learner.name]}, {self.learner.strength}, {self.features}"

    @property
    def features(self) -> str:
        """What it looks at, in a few words."""
        if self.network is not None:
            return self.network.features
        return " + ".join(part.name for part in (self.blocks if self.designed is None else (self.designed,)))

    @property
    def files(self) -> tuple[str, ...]:
        """Files and folders that it reads."""
        if self.network is not None:
            return self.network.files
        if self.designed is not None:
            return self.designed.files
        return tuple(block.file for block in self.blocks if isinstance(block, VectorBlock))

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for a settings file."""
        if self.network is not None:
            return {"network": self.network.to_dict()}
        if self.designed is not None:
            return {"learner": self.learner.to_dict(), "designed": self.designed.to_dict()}
        return {"learner": self.learner.to_dict(), "features": [block.to_dict() for block in self.blocks]}

    @classmethod
    def of_network(cls, name: str, settings: Mapping[str, Any]) -> Recipe:
        """A network, after a look at the names of its settings."""
        return cls((), LearnerSettings(), network=NetworkChoice.of(name, settings))

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Recipe:
        """The inverse of `to_dict`."""
        refuse_unknown(settings, {"learner", "features", "designed", "network"}, "a recipe")
        if "network" in settings:
            network = dict(settings["network"])
            refuse_unknown(network, {"name", "settings"}, "a network's recipe")
            return cls.of_network(network.get("name", ""), network.get("settings", {}))
        if "designed" in settings:
            designed = DesignedFeatures.from_dict(settings["designed"])
            return cls((), LearnerSettings.from_dict(settings.get("learner", {})), designed)
        described = sorted(settings.get("features", ()), key=lambda block: "vectors" in block)
        blocks = tuple((VectorBlock if "vectors" in block else FeatureBlock).from_dict(block) for block in described)
        if not blocks:
            raise ParameterError("A recipe needs at least one block of features ([[recipes.features]]). Got none.")
        return cls(blocks, LearnerSettings.from_dict(settings.get("learner", {})))


def refuse_unknown(settings: Mapping[str, Any], known: set[str], what: str) -> None:
    """Complain about the first setting that is not known."""
    for name in settings:
        if name not in known:
            choices = quoted(nearest_first(name, sorted(known)))
            raise ParameterError(f"There is no setting {name!r} of {what}. Settings are {choices}.")
