"""The learner of a recipe, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.arguments import require_kinds
from assay.errors import ParameterError
from assay.header_checks import LARGEST
from assay.label_sets import LabelSets
from assay.learners.names import LEARNERS, TRAINED
from assay.learners.solvers.averaged_perceptron import AveragedPerceptronSettings
from assay.learners.solvers.class_weights import resolved_class_weight
from assay.learners.solvers.fit import SolverSettings, fit_linear
from assay.learners.solvers.label_tree import LabelTreeSettings
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.learners.solvers.naive_bayes import NaiveBayesSettings
from assay.learners.solvers.nbsvm import NbsvmSettings
from assay.learners.solvers.solution import Solution
from assay.learners.solvers.svm import SvmSettings
from assay.modelfile.provenance import MadeBy
from assay.suggest import nearest_first, quoted, refuse_unknown, shortened
from assay.training.network_choice import NETWORKS
from assay.wording import parameter

if TYPE_CHECKING:
    from assay._native import FoldedForms

__all__ = ["LearnerSettings"]

_OF_SOLVERS = ("C", "class_weight", "fit_intercept", "tolerance", "max_iterations")
_LOOKED_AT = {
    "svm": (*_OF_SOLVERS, "loss", "penalty", "multi_class", "prune"),
    "logistic": (*_OF_SOLVERS, "l1_ratio", "multi_class", "prune"),
    "nbsvm": (*_OF_SOLVERS, "alpha", "beta", "base"),
    "nb": ("alpha",),
    "complement-nb": ("alpha",),
    "averaged-perceptron": ("epochs", "class_weight", "fit_intercept"),
    "label-tree": ("C", "fit_intercept", "tolerance", "max_iterations", "prune", "leaf", "branches", "beam", "most"),
}
_PRUNED = ("svm", "logistic", "label-tree")
#: What they are called in the classes of `assay.learners`.
_IN_ESTIMATORS = {"tolerance": "tol", "max_iterations": "max_iter", "epochs": "max_iter"}


@dataclass(frozen=True)
class LearnerSettings:
    """Which learner, and how it is set.

    Attributes
    ----------
    name
        One of `assay.learners.names.TRAINED`.
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
    prune
        svm, logistic and label-tree: weights nearer to 0 than this are dropped. None keeps all; of a label tree, 0.01.
    leaf, branches, beam, most
        label-tree: as in `LabelTreeClassifier`, which has the usual values where they are None.
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
    prune: float | None = None
    leaf: int | None = None
    branches: int | None = None
    beam: int | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or self.name not in TRAINED:
            known = quoted(nearest_first(shortened(self.name), [*TRAINED, *NETWORKS]))
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
        if self.prune is not None:
            if self.name not in _PRUNED:
                raise ParameterError(
                    f"{parameter('prune')} is for {', '.join(_PRUNED)}, and the learner is {self.name!r}. Got "
                    f"{self.prune!r}. Leave it out."
                )
            if not 0 <= self.prune < float("inf"):
                raise ParameterError(
                    f"{parameter('prune')} must be a number of at least 0. Got {self.prune!r} instead."
                )
        for name, least in (("leaf", 2), ("branches", 2), ("beam", 1), ("most", 0)):
            value = getattr(self, name)
            if value is not None and (self.name != "label-tree" or not least <= value < 2**31):
                raise ParameterError(
                    f"{name} is a whole number of at least {least}, of the learner 'label-tree'. Got {value!r} for "
                    f"{self.name!r}."
                )
        for name in ("epochs", "max_iterations"):
            if not 1 <= getattr(self, name) < 2**31:
                raise ParameterError(
                    f"{name} must be a whole number from 1 to {2**31 - 1:,}. Got {getattr(self, name)!r} instead."
                )

    @property
    def title(self) -> str:
        """What the learner is called in sentences."""
        return LEARNERS[self.name].title

    @property
    def strength(self) -> str:
        """The number that matters most, such as ``C=0.3``, and whether classes are weighed."""
        if self.name in ("nb", "complement-nb"):
            return f"alpha={self.alpha:g}"
        number = f"{self.epochs} epochs" if self.name == "averaged-perceptron" else f"C={self.C:g}"
        return f"{number}, balanced" if self.class_weight == "balanced" else number

    def of_solver(self) -> SolverSettings:
        """The same as the solver of the learner has it."""
        pruned: dict[str, Any] = {"prune": self.prune}
        reach: dict[str, Any] = {"tolerance": self.tolerance, "max_iterations": self.max_iterations}
        match self.name:
            case "svm":
                joint, scale = self.multi_class == "crammer_singer", float(self.fit_intercept)
                return SvmSettings(
                    self.C, self.penalty, self.loss, joint=joint, intercept_scale=scale, **reach, **pruned
                )
            case "logistic":
                ratio = 1.0 if self.penalty == "l1" else self.l1_ratio
                scale = 0.0 if self.fit_intercept else -1.0
                joint = self.multi_class != "ovr"
                return LogisticSettings(self.C, ratio, joint=joint, intercept_scale=scale, **reach, **pruned)
            case "nbsvm":
                logistic, bias = self.base == "logistic", self.fit_intercept
                return NbsvmSettings(self.C, self.alpha, self.beta, logistic=logistic, fit_intercept=bias, **reach)
            case "nb":
                return NaiveBayesSettings("multinomial", np.array([float(self.alpha)]))
            case "complement-nb":
                return NaiveBayesSettings("complement", np.array([float(self.alpha)]))
            case "label-tree":
                shape = {name: getattr(self, name) for name in ("leaf", "branches", "beam", "most", "prune")}
                chosen = {name: value for name, value in shape.items() if value is not None}
                scale = float(self.fit_intercept)
                return LabelTreeSettings(self.C, intercept_scale=scale, **reach, **chosen)
        return AveragedPerceptronSettings(self.epochs, fit_intercept=self.fit_intercept)

    def made_by(self, seed: int) -> MadeBy:
        """The class of `assay.learners` that learns the same, with the settings that it looks at."""
        own = {name: getattr(self, name) for name in _LOOKED_AT[self.name] if getattr(self, name) not in (None, "auto")}
        if isinstance(self.class_weight, tuple):
            own["class_weight"] = dict(self.class_weight)
        renamed = {_IN_ESTIMATORS.get(name, name): value for name, value in own.items()}
        if self.name == "logistic" and self.penalty == "l1":
            renamed["l1_ratio"] = 1.0
        if self.name not in ("nb", "complement-nb"):
            renamed["random_state"] = seed
        return MadeBy(LEARNERS[self.name].estimator, renamed)

    @classmethod
    def told(cls, made: MadeBy) -> LearnerSettings:
        """The settings that `made_by` tells so.

        Examples
        --------
        >>> LearnerSettings.told(LearnerSettings("svm", C=0.5).made_by(seed=0)).strength
        'C=0.5'
        """
        name = next((name for name in TRAINED if LEARNERS[name].estimator == made.name), made.name)
        in_estimators = {of_class: own for own, of_class in _IN_ESTIMATORS.items() if own in _LOOKED_AT.get(name, ())}
        told = {key: value for key, value in made.parameters.items() if key != "random_state"}
        return cls.from_dict({"name": name, **{in_estimators.get(key, key): value for key, value in told.items()}})

    def fit(
        self,
        X: Any,
        classes: NDArray[np.int32] | LabelSets,
        labels: tuple[str, ...],
        *,
        seed: int = 0,
        threads: int = 1,
        shared: FoldedForms | None = None,
    ) -> Solution:
        """Learn from the rows of `X` (CSR, float32 or float64) and their class indices, or sets; a class may have none.

        `shared` is for several learners of the same rows: what their solvers make of them first.
        """
        given = dict(self.class_weight) if isinstance(self.class_weight, tuple) else self.class_weight
        class_weight = resolved_class_weight(given, labels, self.title)
        rows = LabelledRows(X, classes, labels, class_weight=class_weight, seed=seed, n_threads=threads, shared=shared)
        return fit_linear(rows, self.of_solver())

    def to_dict(self) -> dict[str, Any]:
        """As plain values; what is None is left out."""
        plain = asdict(self)
        if isinstance(self.class_weight, tuple):
            plain["class_weight"] = dict(self.class_weight)
        return {name: value for name, value in plain.items() if value is not None}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> LearnerSettings:
        """The inverse of `to_dict`; what is not given has its usual value."""
        refuse_unknown(settings, [f.name for f in fields(cls)], "of a learner")
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
