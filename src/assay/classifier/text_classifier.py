"""`TextClassifier`: from labelled texts to a model that is data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from assay.classifier.manners import ClassifierManners
from assay.errors import NotFittedError, ParameterError
from assay.modelfile.record import ModelRecord
from assay.prediction.decision import Decision
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probabilities import Floats
from assay.prediction.set_decision import SetDecision
from assay.prediction.set_rule import SetRule

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from assay.explanation.decision import Explanation

__all__ = ["TextClassifier"]

#: The settings, as they are where nothing is chosen.
_PARAMETERS: dict[str, Any] = {
    "vectorizer": None,
    "learner": None,
    "calibration": None,
    "rule": None,
    "learn_novelty": False,
    "sketch": True,
    "seed": 0,
    "threads": None,
}


class TextClassifier(ClassifierManners):
    """A vectorizer, a learner, labels, and where they come from.

    Parameters
    ----------
    vectorizer
        One of `assay.features`; None: ``TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)`` in single precision.
    learner
        One of `assay.learners`, or a short name: ``"svm"`` (the default), ``"logistic"``, ``"nb"``,
        ``"complement-nb"``, ``"bernoulli-nb"``, ``"nbsvm"``, ``"perceptron"``, ``"averaged-perceptron"`` or
        ``"voted-perceptron"``; ``"label-tree"`` for sets of thousands of labels.
    calibration
        ``"sigmoid"``, ``"isotonic"`` or ``"temperature"``: make probabilities that come true as often as they say, of
        what the model scores on held-out folds; and never say more than those folds can bear out, see
        `assay.evaluation.choose_cap`. None: the learner's own probabilities, if it has any.
    rule
        A `DecisionRule`; or settings of `assay.evaluation.choose_rule` as a dict, such as ``{"metric": "macro_f1"}``,
        by which one is chosen on held-out folds. None: the most probable label, or that of the highest score. Where
        texts have several labels, a `SetRule` or settings of `assay.evaluation.choose_set_thresholds`; None: each label
        whose probability is at least 1/2, or whose score is above 0.
    learn_novelty
        Train five times more, each time without some of the classes, so that `novelty` can say how unlike the training
        texts a text is.
    sketch
        Remember, by hashes, which texts it was trained on: `assay.evaluate` and `assay.compare` then know them again,
        and texts that are nearly the same. The guide to near-copies says what that could reveal.
    seed
        Of everything random.
    threads
        None for every core. The result is the same for any number.

    Attributes
    ----------
    labels
        The classes, sorted: the order of the columns of `predict_proba`. They are text: 1 becomes "1".
    classes_
        The same in the type in which `fit` was given them: `predict` answers so.
    model
        What `save` writes and prediction uses, a `LinearTextModel`.
    provenance
        What the model was made of: data, settings, versions, time.
    record
        The provenance, and what else a file says of a model, a `ModelRecord`.
    vectorizer_, learner_
        The fitted parts; a classifier that was loaded has none.

    Examples
    --------
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess"]
    >>> model = TextClassifier(learner="logistic").fit(texts, ["pos", "neg", "pos", "neg"])
    >>> model.predict(["great film", "what a mess"]).tolist()
    ['pos', 'neg']
    >>> model.predict_proba(["great film"]).round(2).tolist()
    [[0.43, 0.57]]

    Texts may have several labels, or none:

    >>> topics = [["sport"], ["law"], ["law", "sport"], []]
    >>> several = TextClassifier().fit(["ball goal", "vote", "ball vote", "rain"], topics)
    >>> several.predict(["goal", "a vote about the ball"]).tolist()
    [('sport',), ('law', 'sport')]
    """

    vectorizer_: Any
    learner_: Any

    def __init__(
        self,
        vectorizer: Any = None,
        learner: Any = None,
        *,
        calibration: str | None = None,
        rule: DecisionRule | SetRule | Mapping[str, Any] | None = None,
        learn_novelty: bool = False,
        sketch: bool = True,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        self.vectorizer = vectorizer
        self.learner = learner
        self.calibration = calibration
        self.rule = rule
        self.learn_novelty = learn_novelty
        self.sketch = sketch
        self.seed = seed
        self.threads = threads

    @classmethod
    def from_parts(cls, model: LinearTextModel, record: ModelRecord | None = None) -> Self:
        """A classifier of a model that was made elsewhere."""
        made = cls()
        made._model, made._decision = model, model.decision
        made.record = record or ModelRecord()
        return made

    # -- training ------------------------------------------------------------------------------------------------------

    def fit(
        self,
        texts: Any,
        labels: Any = None,
        sample_weight: Any = None,
        *,
        text: str | None = None,
        label: str | None = None,
    ) -> Self:
        """Learn from a corpus, or from texts and their labels, in any form that `assay.read` takes.

        Parameters
        ----------
        texts, labels
            To learn from: labels may be text, whole numbers or truth values, and come back as such; a list of sets of
            them where texts have several labels, or an indicator matrix, an array or sparse, in which form `predict`
            then answers.
        sample_weight
            How much each text counts in learning; calibrations and rules count all alike. None: as much as any other.
        text, label
            Where `texts` is a table or a file: the names of its columns; None to guess them, which a warning says.
        """
        from assay.classifier.training import train
        from assay.classifier.training_data import form_of

        trained = train(self, texts, labels, sample_weight, text=text, label=label)
        self.vectorizer_, self.learner_ = trained.vectorizer, trained.learner
        self._model, self._decision = trained.model, trained.decision
        self._form = form_of(labels)
        self.record = trained.record
        return self

    # -- prediction ----------------------------------------------------------------------------------------------------

    @property
    def model(self) -> LinearTextModel:
        """The model as data."""
        _ = self.decision
        if self._model is None:
            raise ParameterError(
                f"{type(self.learner_).__name__} decides by the votes of many weight vectors: it is no linear model, "
                "and cannot be kept as one in a file. Use learner='averaged-perceptron', which decides nearly alike."
            )
        return self._model

    def predict(self, texts: Any) -> NDArray[Any]:
        """Label of each text, in the type in which labels were given; None where the rule abstains.

        Where texts have several labels, a tuple of them for each; an indicator matrix if `fit` was given one.
        """
        form = getattr(self, "_form", None)
        if form is None or not isinstance(self.decision, SetDecision):
            return super().predict(texts)
        return cast("NDArray[Any]", form.of_sets(self.decision.sets(self.scored(texts))))

    def decision_function(self, texts: Any) -> Floats:
        """Scores (n, n_labels); where a text has one of two labels one number a text, above 0 for the second."""
        _ = self.decision
        if self._model is not None:
            return self._model.decision_function(texts, threads=self.threads)
        return np.asarray(self.learner_.decision_function(self.vectorizer_.transform(texts)))

    def scored(self, texts: Any) -> Any:
        """What the decision takes: all scores, or those of the labels that a label tree came to."""
        _ = self.decision
        return self.decision_function(texts) if self._model is None else self._model.scored(texts, threads=self.threads)

    def explain(self, text: str) -> Explanation:
        """Why the model decides as it does about a text: what each feature contributes to each score, exactly.

        A learner that is not linear has no such sum: `assay.explanation.occlude` leaves words out instead.
        """
        from assay.explanation.decision import explain

        return explain(self.model, text)

    # -- keeping -------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, float16: bool = False, record_time: bool = False) -> None:
        """Write the model to a file, which `assay.load` reads and which holds only data.

        Parameters
        ----------
        path
            By custom it ends in ``.assay``.
        float16
            Keep the weights in half precision: a smaller file, and scores that differ a little.
        record_time
            Write the time of training too. Without it, the same training gives the same bytes, and a loaded model
            shows the time of its file.
        """
        from assay.modelfile.write import write_model

        write_model(path, self.model, self.record, float16=float16, record_time=record_time)

    def to_sklearn(self) -> Pipeline:
        """The same model made of scikit-learn's own parts only; its predictions are the same."""
        from assay.classifier.sklearn_export import to_pipeline

        return to_pipeline(self.model)

    # -- scikit-learn's manners ----------------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings; with `deep`, those of the vectorizer and the learner too, as ``learner__C``."""
        own = {name: getattr(self, name) for name in _PARAMETERS}
        for part in ("vectorizer", "learner") if deep else ():
            if hasattr(own[part], "get_params"):
                own |= {f"{part}__{name}": value for name, value in own[part].get_params().items()}
        return own

    def set_params(self, **settings: Any) -> Self:
        """Change settings by name; ``learner__C`` changes the learner's C."""
        for name, value in settings.items():
            part, _, rest = name.partition("__")
            if part not in _PARAMETERS or (rest and not hasattr(getattr(self, part), "set_params")):
                known = ", ".join(map(repr, self.get_params()))
                raise ParameterError(f"TextClassifier has no parameter {name!r}. They are {known}.")
            if rest:
                getattr(self, part).set_params(**{rest: value})
            else:
                setattr(self, part, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_decision")

    def __repr__(self) -> str:
        own = self.get_params(deep=False)
        given = [f"{name}={own[name]!r}" for name, usual in _PARAMETERS.items() if own[name] != usual]
        return f"TextClassifier({', '.join(given)})"

    @property
    def decision(self) -> Decision:
        """What follows the scores: probabilities and labels."""
        if not hasattr(self, "_decision"):
            raise NotFittedError("This TextClassifier is not fitted yet. Call fit(texts, labels), or load one.")
        return self._decision
