"""How much each group of features matters: what a model loses without it, on documents that it was not trained on.

Two questions, two answers:

    weights set to zero    what this model loses if the group is silent; the other weights were learned beside it
    trained again          what a model loses that never had the group; others take over what they can

The second takes the training documents. Groups that say the same are each found dispensable: drop-one looks at one
group at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.errors import DataError, ParameterError
from assay.evaluation.protocols.comparison import compare
from assay.evaluation.protocols.comparison_result import Comparison
from assay.evaluation.uncertainty.multiplicity import holm
from assay.explanation.groups import FeatureGroup, feature_groups
from assay.features.columns.blocks import rows_of
from assay.features.documents import as_documents
from assay.prediction.decision import Decision
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.scoring import score_rows
from assay.prediction.weights import SparseWeights
from assay.suggest import counted, quoted
from assay.tables import Page, Shown, Table
from assay.threads import count_threads
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.features.ngrams.text_features import Rows

__all__ = ["GroupEffect", "GroupImportance", "group_importance"]

Labels = NDArray[Any]


@dataclass(frozen=True)
class GroupEffect:
    """What is lost without a group of features.

    Attributes
    ----------
    name, n_features
        The group.
    share
        Of all contributions to the decisions, without their signs: how much is the group's.
    comparison
        All features against those without the group; p-values are corrected for the number of groups (Holm).
    """

    name: str
    n_features: int
    share: float
    comparison: Comparison

    @property
    def loss(self) -> float:
        """By how much the metric falls without the group."""
        return self.comparison.difference.value


@dataclass(frozen=True)
class GroupImportance(Shown):
    """How much each group of features matters. Made by `group_importance`.

    Attributes
    ----------
    effects
        The groups, the one that is missed most first.
    metric, value
        What was measured, and what it is with all features.
    n_documents
        How many documents it was measured on.
    retrained
        Whether models were trained again without each group; else its weights were set to zero.
    """

    effects: tuple[GroupEffect, ...]
    metric: str
    value: float
    n_documents: int
    level: float
    retrained: bool

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "kind": "group importance",
            "version": 1,
            "metric": self.metric,
            "value": self.value,
            "n_documents": self.n_documents,
            "level": self.level,
            "retrained": self.retrained,
            "groups": [
                {
                    "group": effect.name,
                    "features": effect.n_features,
                    "share": effect.share,
                    "without": effect.comparison.second_value,
                    "loss": effect.comparison.difference.to_dict(),
                    "p_value": effect.comparison.p_value,
                    "adjusted_p_value": effect.comparison.adjusted_p_value,
                    "changed": effect.comparison.n_different,
                }
                for effect in self.effects
            ],
        }

    def tables(self) -> list[Table]:
        """For people."""
        rows = [
            (
                effect.name,
                f"{effect.n_features:,}",
                f"{effect.share:.0%}",
                f"{effect.comparison.second_value:.4f}",
                effect.comparison.difference.cell(4),
                f"{'<' if effect.comparison.p_value == 0 else ''}{effect.comparison.decisive_p_value:.4f}",
            )
            for effect in self.effects
        ]
        heads = ("group", "features", "share", "without", f"loss [{self.level:.0%}]", "p (Holm)")
        way = "trained again without each group" if self.retrained else "the weights of each group set to zero"
        on = counted(self.n_documents, "document", "documents")
        title = f"{self.metric} {self.value:.4f} with all features, on {on}; {way}"
        return [Table(title, heads, rows)]

    @property
    def notes(self) -> list[str]:
        """What the table cannot show."""
        way = (
            "The values of the other features stay as they are: norms and document frequencies are not made again."
            if self.retrained
            else "The other weights were learned beside the group; a model trained without it may lose less."
        )
        found = [way, "One group is left out at a time: of two that say the same, neither is missed."]
        if odd := [effect.name for effect in self.effects if effect.comparison.is_at_odds]:
            found.append(
                f"Of {quoted(odd, 3)} p is small and the interval holds 0: the test asks whether the model answers "
                f"alike with and without it, which it does not; the interval, whether {self.metric} is the lower for "
                "it, which these documents leave open."
            )
        return found

    def _page(self) -> Page:
        return "What each group of features is worth", self.tables(), self.notes


@in_our_words
def group_importance(
    model: LinearTextModel,
    corpus: Corpus,
    *,
    groups: Sequence[FeatureGroup] | None = None,
    train: Corpus | None = None,
    learner: Any = None,
    metric: str = "macro_f1",
    level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
) -> GroupImportance:
    """Measure what a model loses without each group of its features.

    Parameters
    ----------
    model
        What has learned.
    corpus
        Labelled documents that the model was not trained on.
    groups
        Those of `feature_groups`, unless given.
    train
        Train again without each group, on these documents; None: set the weights of the group to zero.
    learner
        What is trained again, of `assay.learners`; None: by default settings, one with the model's kind of scores.
    metric
        A metric of labels, such as ``"accuracy"`` or ``"macro_f1"``.
    level, n_resamples, seed
        Of the intervals and of the paired bootstrap test.
    threads
        None for every core.

    Examples
    --------
    >>> import assay
    >>> texts, labels = ["good film", "bad film", "good book", "bad book"] * 10, ["+", "-"] * 20
    >>> corpus = assay.read((texts, labels))
    >>> found = group_importance(assay.TextClassifier().fit(corpus).model, corpus)
    >>> [(effect.name, effect.loss) for effect in found.effects]
    [('single words', 0.0), ('pairs of words', 0.0)]
    """
    if corpus.labels is None:
        raise DataError(f"{corpus.source}: the documents have no labels, so nothing can be measured on them.")
    groups = feature_groups(model) if groups is None else list(groups)
    if len(groups) < 2:
        found = f"one group of features only, {groups[0].name!r}" if groups else "no group of features"
        raise ParameterError(f"This model has {found}: there is nothing to leave out.")
    if train is not None and model.task == "label-sets":
        raise ParameterError(
            "Training again without each group is not meant for models that give sets of labels: their thresholds "
            f"would have to be chosen again as well. Leave {setting('train', option='--retrain')} out, and the weights "
            "of each group are set to zero."
        )
    n_threads = count_threads(threads)
    rows = rows_of(model.features, as_documents(corpus), n_threads=n_threads)
    parts = _Silenced(model, rows, n_threads) if train is None else _Retrained(model, rows, train, learner, n_threads)
    truth: Any
    if model.task == "label-sets":
        truth = corpus.label_sets.names([str(name) for name in corpus.label_names])
        labels = sorted({*model.labels, *map(str, corpus.label_names)})
    else:
        truth = np.array([str(name) for name in corpus.label_names], dtype=object)[corpus.classes]
        labels = sorted({*model.labels, *truth.tolist()})
    full = parts.predict(None)
    shares = _shares(model, rows, groups)
    effects = []
    for group, share in zip(groups, shares, strict=True):
        compared = compare(
            full,
            parts.predict(group.columns),
            truth,
            metric=metric,
            alternative="two-sided",
            names=("all features", f"without {group.name}"),
            labels=labels,
            level=level,
            n_resamples=n_resamples,
            seed=seed,
            threads=threads,
        )
        assert isinstance(compared, Comparison)
        effects.append(GroupEffect(group.name, len(group.columns), float(share), compared))
    adjusted = holm([effect.comparison.p_value or 1 / n_resamples for effect in effects])
    effects = [
        replace(effect, comparison=replace(effect.comparison, adjusted_p_value=p))
        for effect, p in zip(effects, adjusted, strict=True)
    ]
    effects.sort(key=lambda effect: -effect.loss)
    value = effects[0].comparison.first_value
    return GroupImportance(tuple(effects), metric, value, len(corpus), level, train is not None)


class _Silenced:
    """The model with the weights of some columns at zero."""

    def __init__(self, model: LinearTextModel, rows: Rows, n_threads: int) -> None:
        self.model, self.rows, self.n_threads = model, rows, n_threads
        self.scores = self._scored(rows[2])

    def predict(self, without: NDArray[np.intp] | None) -> Labels:
        scores = self.scores
        if without is not None:
            gone = np.zeros(self.model.n_features, dtype=bool)
            gone[without] = True
            scores = self._scored(np.where(gone[self.rows[1]], 0.0, self.rows[2]))
        return _decided(self.model, scores)

    def _scored(self, values: NDArray[Any]) -> NDArray[np.float64]:
        indptr, columns, _ = self.rows
        return score_rows((indptr, columns, values), self.model.weights, self.model.bias, self.n_threads)


class _Retrained:
    """Learners of the same documents, with some columns left out."""

    def __init__(self, model: LinearTextModel, rows: Rows, train: Corpus, learner: Any, n_threads: int) -> None:
        from scipy import sparse

        if train.labels is None:
            raise DataError(f"{train.source}: the documents have no labels, so nothing can be learned from them.")
        of_train = rows_of(model.features, as_documents(train), n_threads=n_threads)
        self.X: Any = sparse.csr_array((of_train[2], of_train[1], of_train[0]), (len(train), model.n_features))
        shape = len(rows[0]) - 1, model.n_features
        self.X_test: Any = sparse.csr_array((rows[2], rows[1], rows[0]), shape)
        self.y = np.array([str(name) for name in train.label_names])[train.classes]
        self.learner = _learner_like(model) if learner is None else learner

    def predict(self, without: NDArray[np.intp] | None) -> Labels:
        from sklearn.base import clone

        X, X_test = self.X, self.X_test
        if without is not None:
            kept = np.setdiff1d(np.arange(X.shape[1]), without)
            X, X_test = X[:, kept], X_test[:, kept]
        predicted: Labels = np.asarray(clone(self.learner).fit(X, self.y).predict(X_test)).astype(object)
        return predicted


def _learner_like(model: LinearTextModel) -> Any:
    from assay.learners import LinearSVC, LogisticRegression, MultinomialNB

    if model.link == "posterior":
        return MultinomialNB()
    return LinearSVC() if model.link is None else LogisticRegression()


def _decided(model: LinearTextModel, scores: NDArray[np.float64]) -> Labels:
    """Labels by scores; where the model's rule abstains, the nearest label."""
    outputs = scores[:, 0] if scores.shape[1] < len(model.labels) else scores
    decided = model.decision.predict(outputs)
    if any(label is None for label in decided.tolist()):
        decided = Decision(model.labels, model.link, model.calibration).predict(outputs)
    return np.asarray(decided).astype(object)


def _shares(model: LinearTextModel, rows: Rows, groups: Sequence[FeatureGroup]) -> NDArray[np.float64]:
    """How much of all contributions to the lead of the best class over the next, without signs, each group has.

    Of a model that gives sets, of all contributions to the scores of all labels.
    """
    indptr, columns, values = rows
    table = model.weights.to_table() if isinstance(model.weights, SparseWeights) else model.weights
    row_of = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    if model.task == "label-sets":
        weights = np.abs(table).sum(axis=1)[columns]
    elif table.shape[1] == 1:
        weights = table[columns, 0]
    else:
        scores = score_rows(rows, model.weights, model.bias, 1)
        best, next_best = np.argsort(-scores, axis=1, kind="stable")[:, :2].T
        weights = table[columns, best[row_of]] - table[columns, next_best[row_of]]
    amounts = np.bincount(columns, np.abs(values * weights), model.n_features)
    total = float(amounts.sum()) or 1.0
    return np.array([amounts[group.columns].sum() / total for group in groups])
