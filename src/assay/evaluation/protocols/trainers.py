"""Training on some rows of a corpus and answering for others: the one step that cross-validation repeats.

Three kinds of model can be trained: anything with ``fit(texts, labels)`` and ``predict(texts)``; a scikit-learn
pipeline that begins with a text vectorizer, whose tokenising is then done once for all folds; and a function that
takes a training corpus and gives a fitted model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.outcomes import Label, Outcomes, text_list
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.protocols.asked import outcomes_of, truth_of
from assay.evaluation.protocols.fold_features import CorpusFeatures, HashedFeatures, settings_of, text_settings
from assay.evaluation.protocols.folds import Fold, Rows
from assay.label_sets import LabelSets
from assay.suggest import quote

__all__ = ["FeatureTrainer", "Trainer", "trainer_for"]

_SHARED = ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer")
Parameters = Mapping[str, Any]
Measured = Outcomes | SetOutcomes


class Trainer(Protocol):
    """Trains on some rows and answers for others."""

    classes: NDArray[np.int32] | LabelSets
    names: list[Label]

    def outcomes(self, train: Rows, test: Rows, parameters: Parameters) -> Measured:
        """What a model trained on `train` with these parameters says of `test`."""
        ...

    def fitted(self, parameters: Parameters) -> Any:
        """A model trained on all rows with these parameters."""
        ...


def trainer_for(model: Any, corpus: Any, threads: int) -> Trainer:
    """The quickest way to train this kind of model again and again."""
    if not hasattr(model, "fit"):
        if callable(model):
            return FunctionTrainer(model, corpus)
        raise ParameterError(
            "Cross-validation needs a model with a fit method, or a function that takes a training corpus and gives a "
            f"fitted model. Got {type(model).__name__} instead."
        )
    if _shared_vectorizers(model) is not None:
        return FeatureTrainer(model, corpus, threads)
    return TextTrainer(model, corpus)


@dataclass(frozen=True)
class _Rows:
    """As much of a corpus as a prediction needs."""

    texts: Any
    classes: NDArray[np.int32] | LabelSets
    label_names: Sequence[Label]

    @property
    def task(self) -> str:
        return "label-sets" if isinstance(self.classes, LabelSets) else "labels"

    @property
    def label_sets(self) -> LabelSets:
        assert isinstance(self.classes, LabelSets)
        return self.classes


class TextTrainer:
    """Fits a fresh copy of a model on the texts of the training rows."""

    def __init__(self, model: Any, corpus: Any) -> None:
        self._model = model
        self._texts = np.array(text_list(corpus), dtype=object)
        self.classes, self.names = truth_of(corpus)
        self._labels = _to_learn(corpus, self.classes, self.names)
        # What the model of a fold remembers of its texts is asked of none.
        remembers = "sketch" in getattr(model, "get_params", dict)()
        self._of_folds = {"sketch": False} if remembers else {}

    def outcomes(self, train: Rows, test: Rows, parameters: Parameters) -> Measured:
        """Fit on the training texts and predict the test texts."""
        model = self._fit(train, {**parameters, **self._of_folds})
        rows = _Rows(self._texts[test].tolist(), taken(self.classes, test), self.names)
        return aligned(outcomes_of(model, rows, allow_one_class=True), self.names)

    def fitted(self, parameters: Parameters) -> Any:
        """A model trained on all texts."""
        return self._fit(np.arange(self._texts.size), parameters)

    def _fit(self, rows: Rows, parameters: Parameters) -> Any:
        model = fresh(self._model, parameters)
        model.fit(self._texts[rows].tolist(), self._labels[rows])
        return model


class FunctionTrainer:
    """Calls a function with the training part of the corpus."""

    def __init__(self, train: Callable[..., Any], corpus: Any) -> None:
        self._train = train
        self._corpus = corpus
        self.classes, self.names = truth_of(corpus)

    def outcomes(self, train: Rows, test: Rows, parameters: Parameters) -> Measured:
        """Train on one part of the corpus and predict the other."""
        model = self._train(self._corpus.select(train), **parameters)
        rows = _Rows(self._corpus.select(test).texts, taken(self.classes, test), self.names)
        return aligned(outcomes_of(model, rows, allow_one_class=True), self.names)

    def fitted(self, parameters: Parameters) -> Any:
        """A model trained on the whole corpus."""
        return self._train(self._corpus, **parameters)


class FeatureTrainer:
    """Fits a pipeline's later steps on fold matrices made from counts that all folds share."""

    def __init__(self, pipeline: Any, corpus: Any, threads: int) -> None:
        self._pipeline = pipeline
        self._plain = TextTrainer(pipeline, corpus)
        self._texts = text_list(corpus)
        self.classes, self.names = truth_of(corpus)
        self._labels = _to_learn(corpus, self.classes, self.names)
        self._threads = threads
        self._counted: dict[tuple[Any, ...], CorpusFeatures | HashedFeatures] = {}
        self._counting = Lock()

    def outcomes(self, train: Rows, test: Rows, parameters: Parameters) -> Measured:
        """Fit on the training rows' features and predict the test rows'."""
        from sklearn.pipeline import Pipeline

        pipeline = fresh(self._pipeline, parameters)
        vectorizers = _shared_vectorizers(pipeline)
        if vectorizers is None:  # the parameters replaced them by something else
            return self._plain.outcomes(train, test, parameters)
        later = Pipeline(pipeline.steps[1:])
        alone = len(vectorizers) == 1  # two of them may share counts, and then they would share memory
        matrices = [
            self._features(vectorizer).fold(train, test, settings_of(vectorizer), self._threads, reuse_memory=alone)
            for vectorizer in vectorizers
        ]
        X_train, X_test = (_side_by_side([pair[side] for pair in matrices]) for side in (0, 1))
        later.fit(X_train, self._labels[train])
        rows = _Rows(_Matrix(X_test), taken(self.classes, test), self.names)
        return aligned(outcomes_of(_OnMatrix(later), rows, allow_one_class=True), self.names)

    def all_at_once(self, folds: Sequence[Fold], parameters: Parameters, threads: int) -> list[Measured] | None:
        """What `outcomes` says of the folds of one repeat, by models trained together; None where they cannot be.

        Within the tolerance of their solver, the models are the same.
        """
        from assay.evaluation.protocols.folds_together import can_score_together, score_together

        pipeline = fresh(self._pipeline, parameters)
        vectorizers = _shared_vectorizers(pipeline)
        if (
            isinstance(self.classes, LabelSets)
            or vectorizers is None
            or (len(vectorizers), len(pipeline.steps)) != (1, 2)
        ):
            return None
        learner, features, settings = pipeline.steps[1][1], self._features(vectorizers[0]), settings_of(vectorizers[0])
        labels, classes = np.unique(self._labels, return_inverse=True)
        if isinstance(features, HashedFeatures) or not can_score_together(learner, settings, folds, labels.size):
            return None
        scores = score_together(features, settings, learner, folds, classes.astype(np.int32), threads)
        if scores is None:
            return None
        told = _OnMatrix(_Scored(labels))
        rows = [_Rows(_Matrix(scores[fold.test]), self.classes[fold.test], self.names) for fold in folds]
        return [aligned(outcomes_of(told, each, allow_one_class=True), self.names) for each in rows]

    def fitted(self, parameters: Parameters) -> Any:
        """The whole pipeline, trained on all texts."""
        return self._plain.fitted(parameters)

    def _features(self, vectorizer: Any) -> CorpusFeatures | HashedFeatures:
        key = text_settings(vectorizer)
        make = HashedFeatures if type(vectorizer).__name__ == "HashingVectorizer" else CorpusFeatures
        with self._counting:
            if key not in self._counted:
                self._counted[key] = make.of(vectorizer, self._texts)
            return self._counted[key]


def _to_learn(corpus: Any, classes: NDArray[np.int32] | LabelSets, names: Sequence[Label]) -> NDArray[Any]:
    """The labels as they were given, so that settings such as class_weight may speak of them so.

    Of label sets a table of 0 and 1 with a column a label, as scikit-learn's classifiers take them.
    """
    if isinstance(classes, LabelSets):
        return classes.table().astype(np.int64)
    return np.asarray(getattr(corpus, "label_values", names))[classes]


def taken(classes: NDArray[np.int32] | LabelSets, rows: Rows) -> NDArray[np.int32] | LabelSets:
    """The classes, or the sets, of some documents."""
    return classes.take(rows) if isinstance(classes, LabelSets) else classes[rows]


class _Matrix:
    """Stands for texts where features have already been made of them."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def to_pylist(self) -> Any:
        return self

    def __len__(self) -> int:
        return int(self.matrix.shape[0])


class _Scored:
    """Stands for a model where it has scored its rows already."""

    def __init__(self, classes: NDArray[Any]) -> None:
        self.classes_ = classes

    def decision_function(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores, as scikit-learn's classifiers give them."""
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, scores: NDArray[np.float64]) -> NDArray[Any]:
        """The label of the highest score."""
        best = scores.argmax(axis=1) if scores.shape[1] > 1 else (scores[:, 0] > 0).astype(np.intp)
        return np.asarray(self.classes_[best])


class _OnMatrix:
    """A fitted model of features, asked as if it were one of texts."""

    def __init__(self, model: Any) -> None:
        if hasattr(model, "classes_"):
            self.classes_ = model.classes_
        for name in ("predict", "predict_proba", "decision_function"):
            if hasattr(model, name):
                setattr(self, name, _unpacking(getattr(model, name)))


def _unpacking(method: Callable[[Any], Any]) -> Callable[[_Matrix], Any]:
    return lambda rows: method(rows.matrix)


def fresh(model: Any, parameters: Parameters) -> Any:
    """An unfitted copy with these parameters."""
    if not hasattr(model, "get_params"):
        if parameters:
            raise ParameterError(f"{type(model).__name__} has no parameters to tune (no get_params).")
        return deepcopy(model)
    from sklearn.base import clone

    # Values of a grid may be estimators: they are cloned too, so that no two fits share one.
    return clone(model).set_params(**{name: clone(value, safe=False) for name, value in parameters.items()})


def aligned(outcomes: Measured, labels: Sequence[Label]) -> Measured:
    """The same outcomes with the labels of the whole corpus, in their order; unknown ones are improbable."""
    if isinstance(outcomes, SetOutcomes):
        return outcomes.reordered(labels)
    if outcomes.answered is not None:
        raise DataError(
            "Cross-validation needs an answer for every document, and the model abstains from some. Cross-validate it "
            "without abstention; evaluation().coverage() shows what abstaining would give."
        )
    unknown = [label for label in outcomes.labels if label not in labels]
    if unknown:
        raise DataError(
            f"The model knows the label {quote(unknown[0])}, which no document of the corpus has. Cross-validate a "
            "model that is trained on these documents alone."
        )
    place = np.array([labels.index(label) for label in outcomes.labels], dtype=np.int32)

    def widened(table: NDArray[np.float64] | None, fill: float) -> NDArray[np.float64] | None:
        if table is None:
            return None
        wide = np.full((table.shape[0], len(labels)), fill)
        wide[:, place] = table
        return wide

    lowest = float(outcomes.scores.min()) if outcomes.scores is not None else 0.0
    return Outcomes(
        tuple(labels),
        place[outcomes.truth],
        place[outcomes.predicted],
        widened(outcomes.probabilities, 0.0),
        widened(outcomes.scores, lowest),
    )


def _shared_vectorizers(model: Any) -> list[Any] | None:
    """The vectorizers in a pipeline's first step whose reading of texts folds can share, or None."""
    steps = getattr(model, "steps", None)
    if not steps or len(steps) < 2:
        return None
    first = steps[0][1]
    parts = [first]
    if type(first).__name__ == "FeatureUnion" and not first.transformer_weights:
        parts = [transformer for _, transformer in first.transformer_list]
    elif type(first).__name__ == "WordCharVectorizer":
        parts = list(first._new_vectorizers())
    if not parts or not all(type(part).__name__ in _SHARED for part in parts):
        return None
    reads_text = all(part.get_params(deep=False)["input"] == "content" for part in parts)
    return parts if reads_text else None


def _side_by_side(matrices: Sequence[Any]) -> Any:
    if len(matrices) == 1:
        return matrices[0]
    from scipy.sparse import hstack

    return hstack(matrices, format="csr")
