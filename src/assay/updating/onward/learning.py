"""One step onward: the linear model that old weights and new texts make, by the way of its learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from assay.classifier.linear_form import link_of
from assay.data.corpus.corpus import Corpus
from assay.features.columns.blocks import rows_of
from assay.features.documents import as_documents
from assay.label_types import fitting_type, sorted_labels
from assay.learners import Perceptron
from assay.learners.solvers.averaged_perceptron import AveragedPerceptronSettings
from assay.learners.solvers.class_weights import resolved_class_weight
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.naive_bayes import NaiveBayesSettings
from assay.memory_room import require_room_for_weights
from assay.modelfile.kept_state import KeptState
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probabilities import Link
from assay.prediction.weights import SparseWeights, compact
from assay.updating.onward.counted import count_on
from assay.updating.onward.growing import Grown, grown
from assay.updating.onward.near_weights import learn_near, widened
from assay.updating.onward.passed import outputs_of_all, pass_on, pass_on_averaged
from assay.updating.onward.told import Told, cannot_go_onward

__all__ = ["Learned", "Step"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Learned:
    """A linear model without what follows its scores, and what its learner goes on from."""

    model: LinearTextModel
    state: KeptState | None
    n_words: int  # columns that are new


@dataclass(frozen=True, eq=False)
class Step:
    """From a model to the next, by texts that it has not seen.

    Attributes
    ----------
    classifier, told
        The old model, and what its file says.
    labels
        Of the new model, in order.
    strength
        Factor of what holds old weights.
    threads
        They change no bit.
    """

    classifier: Any
    told: Told
    labels: tuple[str, ...]
    strength: float
    threads: int

    @classmethod
    def of(cls, classifier: Any, told: Told, more: Sequence[str], strength: float, threads: int) -> Step:
        """The step to a model with these labels more."""
        model = classifier.model
        kind = fitting_type([*model.labels, *more], model.label_type)
        return cls(classifier, told, sorted_labels([*model.labels, *more], kind), strength, threads)

    def learned(self, corpus: Corpus) -> Learned:
        """What becomes of the model by these texts, whose labels are among its own."""
        model: LinearTextModel = self.classifier.model
        if not len(corpus) and self.labels == model.labels:
            return Learned(replace(model, calibration=None, rule=None, cap=None), None, 0)
        number = {label: k for k, label in enumerate(self.labels)}
        names = np.array([number.get(name, -1) for name in corpus.label_names], dtype=np.int32)
        classes = names[corpus.classes]
        documents = as_documents(corpus.texts)
        wider = grown(model.features, self.told.words, documents, self.told.n_texts, self.threads)  # type: ignore[arg-type]
        dtype = model.weights.dtype
        indptr, indices, data = rows_of(wider.features, documents, n_threads=self.threads, dtype=dtype)
        X = csr_array((data, indices, indptr), shape=(len(corpus), wider.n_columns))
        weights, bias, state = self._weights(wider, X, classes)
        dropped = getattr(self.told.learner, "prune", None)
        if dropped is not None:
            weights = np.where(np.abs(weights) < dropped, 0, weights)
        made = replace(
            model,
            features=wider.features,
            weights=compact(np.ascontiguousarray(weights, dtype=dtype)),
            bias=bias,
            labels=self.labels,
            link=self._link(),
            label_type=fitting_type(self.labels, model.label_type),
            calibration=None,
            rule=None,
            cap=None,
        )
        return Learned(made, state, wider.n_columns - model.n_features)

    def _weights(
        self, wider: Grown, X: Any, classes: NDArray[np.int32]
    ) -> tuple[NDArray[Any], Floats, KeptState | None]:
        model, told, labels = self.classifier.model, self.told, self.labels
        n_outputs = 1 if len(labels) == 2 else len(labels)
        require_room_for_weights(wider.n_columns, n_outputs, 2 * model.weights.dtype.itemsize)
        if isinstance(told.learner, NaiveBayesSettings):
            kept = self._kept(len(model.labels))
            return count_on(told, kept, model, wider, X, classes, labels, self.threads)
        table = model.weights.to_table() if isinstance(model.weights, SparseWeights) else model.weights
        if isinstance(told.learner, AveragedPerceptronSettings):
            kept = self._kept(len(model.labels), (table.astype(np.float64), model.bias))
            return pass_on_averaged(told, kept, wider, self._rows(X, classes), model.labels)
        table = wider.table(table)
        if isinstance(told.learner, Perceptron):
            both = outputs_of_all(table, model.bias, model.labels, labels)
            return *pass_on(told, *both, self._rows(X, classes)), None
        if told.errors is None:
            raise cannot_go_onward(f"{told.name} has no way of going on from its weights")
        sizes = np.bincount(classes, minlength=len(labels))
        scale = told.errors.scale(len(model.labels))
        before = table / table.dtype.type(scale), model.bias / scale
        if len(labels) > len(model.labels):
            before = widened(X, *before, model.labels, labels, told, sizes)
        weights, bias = learn_near(told, wider, X, classes, labels, before, self.strength)
        scale = told.errors.scale(len(labels))
        return weights * weights.dtype.type(scale), bias * scale, None

    def _rows(self, X: Any, classes: NDArray[np.int32]) -> LabelledRows:
        """Rows as learners are given them."""
        weight = resolved_class_weight(self.told.class_weight, self.labels, self.told.name)
        how: dict[str, Any] = {"seed": self.told.seed, "n_threads": self.threads}
        return LabelledRows(X, classes, self.labels, class_weight=weight, **how)

    def _kept(self, n_classes: int, mean: tuple[Floats, Floats] | None = None) -> KeptState:
        kept = self.classifier.record.state
        if kept is None:
            raise cannot_go_onward(
                f"{self.told.name} goes on from more than its weights, and this file, which an older assay wrote, has "
                "not kept it"
            )
        return KeptState.from_attachment(kept, self.classifier.model.n_features, n_classes, mean)

    def _link(self) -> Link | None:
        """What makes probabilities of the scores: as before, but where two labels have become more."""
        model, n_labels = self.classifier.model, len(self.labels)
        if len(model.labels) > 2 or n_labels == 2 or model.link is None:
            link: Link | None = model.link
            return link
        settings, errors = self.told.learner, self.told.errors
        own = settings is not None and model.link == link_of(settings, 2) and not (errors and errors.in_log_odds)
        return link_of(settings, n_labels) if own else "softmax"
