"""What a model file says of how its model learned, as far as learning onward needs it; and what cannot go onward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.classifier.linear_form import link_of
from assay.errors import DataError
from assay.features.ngrams.hashing import HashingVectorizer
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.features.ngrams.text_features import Hashing, TextFeatures
from assay.learners.solvers.class_weights import class_factors, resolved_class_weight
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.learners.solvers.naive_bayes_settings import NaiveBayesSettings
from assay.learners.solvers.nbsvm import NbsvmSettings
from assay.learners.solvers.nearest_weights import Loss
from assay.learners.solvers.svm import SvmSettings
from assay.prediction.linear_model import LinearTextModel
from assay.training.recipes import Recipe
from assay.training.settings import TrainingSettings
from assay.updating.known_training import training_told
from assay.wording import setting

__all__ = ["Errors", "Told", "WordChoice", "cannot_go_onward", "told_by"]

SCALE = "scale"  # of the scores of one recipe in a provenance


@dataclass(frozen=True)
class Errors:
    """What a linear learner minimises: ½ ridge ‖w‖² + ½ bias_ridge b² + cost · Σ loss.

    Attributes
    ----------
    loss
        Of each text and output.
    cost
        Of each loss: C where the ridge is 1.
    ridge
        One for each block of features.
    bias_ridge
        0 for a free bias, infinite where there is none.
    joint
        Whether more than two classes have probabilities that are a softmax, and a loss together.
    in_log_odds
        Whether the scores are those of the learners times factors that make logarithms of odds of them.
    factor
        Of one learner whose scores are such: the factor.
    """

    loss: Loss
    cost: float
    ridge: tuple[float, ...]
    bias_ridge: float
    joint: bool = False
    in_log_odds: bool = False
    factor: float | None = None

    def scale(self, n_labels: int) -> float:
        """What the learner's scores are multiplied by; of two labels, whose scores are -s and s, the odds are 2s."""
        return 1.0 if self.factor is None else self.factor * (2 if n_labels == 2 else 1)

    def of(self, n_outputs: int) -> Loss:
        """The loss over so many outputs."""
        return "multinomial" if self.joint and n_outputs > 1 else self.loss


@dataclass(frozen=True)
class WordChoice:
    """Which n-grams of new texts become columns: those in so many texts at least, and so many columns at most."""

    min_df: float = 1
    most: int | None = None
    smooth: bool = True


@dataclass(frozen=True)
class Told:
    """How a model learned.

    Attributes
    ----------
    learner
        Settings of the solver, or the learner itself where it has none; None of a sum of several.
    name
        What it is called.
    errors
        What it minimises; None of naive Bayes and perceptrons, which do not.
    words
        Of each block of features how its n-grams are chosen; None where the columns are fixed.
    n_texts, class_sizes
        What it learned from.
    class_weight
        As the learner was given it.
    learned_prior
        Naive Bayes: whether the prior is that of the texts.
    seed
        Of everything random.
    """

    learner: Any
    name: str
    errors: Errors | None
    words: tuple[WordChoice | None, ...]
    n_texts: int
    class_sizes: Mapping[str, int]
    class_weight: Any
    learned_prior: bool
    seed: int

    def factors(self, labels: Sequence[str], new_sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        """The factor of each class, by the texts of it that there were and that are new."""
        weight = self.class_weight
        if isinstance(weight, Mapping):
            weight = {str(label): factor for label, factor in weight.items()}
        totals = np.array([self.class_sizes.get(label, 0) for label in labels]) + new_sizes
        return class_factors(resolved_class_weight(weight, labels, self.name), totals.astype(np.float64))


def cannot_go_onward(why: str) -> DataError:
    """The refusal of a model that needs its old texts."""
    return DataError(
        f"This model cannot learn onward from its file alone: {why}. Name the texts that it was trained on with "
        f"{setting('data')}, and it is trained again on all of them."
    )


def told_by(classifier: Any) -> Told:
    """What the file of a classifier says; an error where its kind cannot go onward."""
    model = _linear_model(classifier)
    provenance = classifier.provenance
    data = provenance.get("data", {})
    if not data.get("rows") or not data.get("classes"):
        raise cannot_go_onward("it does not say from how many texts of each label it has learned")
    try:
        found = training_told(classifier)
    except DataError as error:
        raise cannot_go_onward(f"its file does not say how it was trained, or not all of it ({error})") from None
    common = {"n_texts": data["rows"], "class_sizes": data["classes"], "seed": found.seed}
    if found.settings is not None:
        return Told(**common, **_of_recipes(found.settings, provenance, model))
    assert found.classifier is not None
    learner, vectorizer = found.classifier.learner, found.classifier.vectorizer
    learner.n_features_in_ = model.n_features  # by which smoothing is checked
    settings = learner.solver_settings() if hasattr(learner, "solver_settings") else learner
    if isinstance(settings, NaiveBayesSettings) and (len(settings.alpha) > 1 or learner.class_prior is not None):
        raise cannot_go_onward("its priors were given, or a number of its smoothing for each word")
    return Told(
        learner=settings,
        name=type(learner).__name__,
        errors=_errors(settings, model),
        words=_one_a_block(_chosen_by(vectorizer), model),
        class_weight=getattr(learner, "class_weight", None),
        learned_prior=bool(getattr(learner, "fit_prior", True)),
        **common,
    )


def _linear_model(classifier: Any) -> LinearTextModel:
    model = getattr(classifier, "model", None)
    if not isinstance(model, LinearTextModel):
        raise cannot_go_onward("it is a neural network, and which of its weights the old texts hold is not known")
    if model.tree is not None:
        raise cannot_go_onward("a label tree is grown from all texts at once, and new ones would change its branches")
    if model.task == "label-sets":
        raise cannot_go_onward("its texts have sets of labels, for which only training again is built")
    if not all(isinstance(block, TextFeatures) for block in model.features):
        raise cannot_go_onward("it reads features beside n-grams (word vectors, lexicons, templates or an encoder)")
    return model


def _of_recipes(settings: TrainingSettings, provenance: Mapping[str, Any], model: LinearTextModel) -> dict[str, Any]:
    """Of a model that `assay.train` made: of one recipe, or of several whose scores are added up."""
    recipes = settings.recipes
    solvers = [recipe.learner.of_solver() for recipe in recipes]
    blocks = list(dict.fromkeys(recipe.blocks for recipe in recipes))
    weights = {recipe.learner.class_weight for recipe in recipes}
    own = weights.pop() if len(weights) == 1 else None
    found: dict[str, Any] = {
        "learner": solvers[0] if len(recipes) == 1 else None,
        "name": " + ".join(dict.fromkeys(recipe.learner.title for recipe in recipes)),
        "words": _one_a_block([_chosen(block) for layout in blocks for block in layout], model),
        "class_weight": dict(own) if isinstance(own, tuple) else own,
        "learned_prior": True,
    }
    alone = len(recipes) == 1 and SCALE not in provenance and link_of(solvers[0], len(model.labels)) == model.link
    if alone:
        return {**found, "errors": _errors(solvers[0], model)}
    if len(recipes) == 1 and not isinstance(solvers[0], SvmSettings | LogisticSettings | NbsvmSettings):
        return {**found, "errors": None}
    if len(recipes) == 1 and SCALE in provenance:
        own_errors = _errors(solvers[0], model)
        assert own_errors is not None
        return {**found, "errors": replace(own_errors, in_log_odds=True, factor=float(provenance[SCALE]))}
    factors = [float(part["weight"]) for part in provenance.get("members", ())] or [float(provenance.get(SCALE, 1.0))]
    return {**found, "errors": _errors_of_sum(recipes, factors, model)}


def _errors_of_sum(recipes: Sequence[Recipe], factors: Sequence[float], model: LinearTextModel) -> Errors:
    """Scores that are logarithms of odds, of weights v · factor whose v were penalised by 1/C."""
    spread: dict[Any, float] = {}
    for recipe, factor in zip(recipes, factors, strict=True):
        doubled = 2 * factor if len(model.labels) == 2 else factor
        spread[recipe.blocks] = spread.get(recipe.blocks, 0.0) + recipe.learner.C * doubled * doubled
    ridge = [1 / variance for blocks, variance in spread.items() for _ in blocks]
    if len(ridge) != len(model.features):
        ridge = [max(ridge)] * len(model.features)
    return Errors("logistic", 1.0, tuple(ridge), 0.0, joint=True, in_log_odds=True)


def _errors(settings: Any, model: LinearTextModel) -> Errors | None:
    """What a learner minimises; None where it minimises nothing."""
    ridge = (1.0,) * len(model.features)
    match settings:
        case SvmSettings():
            if settings.joint:
                raise cannot_go_onward("all of its classes were learned in one problem (Crammer and Singer)")
            if settings.penalty == "l1" or settings.loss == "hinge":
                what = "the l1 penalty" if settings.penalty == "l1" else "the plain hinge loss"
                raise cannot_go_onward(f"{what} has no curvature, which would say how far texts hold a weight")
            scale = settings.intercept_scale
            return Errors("squared_hinge", settings.C, ridge, 1 / scale**2 if scale else np.inf)
        case LogisticSettings():
            if settings.l1_ratio > 0 or not settings.penalised:
                what = (
                    "the l1 penalty has no curvature" if settings.l1_ratio > 0 else "it was learned without a penalty"
                )
                raise cannot_go_onward(f"{what}, and nothing says how far a weight may move")
            scale = settings.intercept_scale
            free = 0.0 if scale == 0 else 1 / scale**2 if scale > 0 else np.inf
            return Errors("logistic", settings.C, ridge, free, joint=settings.joint)
        case NbsvmSettings():
            loss: Loss = "logistic" if settings.logistic else "squared_hinge"
            return Errors(loss, settings.C, ridge, 0.0 if settings.fit_intercept else np.inf)
    return None


def _chosen_by(vectorizer: Any) -> list[WordChoice | None]:
    """How a vectorizer of `assay.features` chooses n-grams."""
    if isinstance(vectorizer, HashingVectorizer) or getattr(vectorizer, "vocabulary", None) is not None:
        return [None]
    if not hasattr(vectorizer, "min_df"):
        return [None]
    chosen = WordChoice(vectorizer.min_df, vectorizer.max_features, bool(getattr(vectorizer, "smooth_idf", True)))
    return [chosen, chosen] if hasattr(vectorizer, "char_ngrams") else [chosen]


def _chosen(block: Any) -> WordChoice | None:
    if not isinstance(block, NgramSettings):
        return None
    return WordChoice(block.min_df, block.max_features, block.smooth_idf)


def _one_a_block(found: list[WordChoice | None], model: LinearTextModel) -> tuple[WordChoice | None, ...]:
    """One for each block of the model; where they do not match, or columns go by hashes, none is added."""
    if len(found) != len(model.features):
        return (None,) * len(model.features)
    hashed = [isinstance(block, TextFeatures) and isinstance(block.columns, Hashing) for block in model.features]
    return tuple(None if fixed else choice for choice, fixed in zip(found, hashed, strict=True))
