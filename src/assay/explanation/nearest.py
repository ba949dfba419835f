"""Which documents a model takes for most like a text: cosine over the model's own features.

    by "features"   cos(x, d), over the values of the features
    by "decision"   cos(x∘w, d∘w), each feature counting as much as it weighs in the decision, w being the lead of the
                    decision's weights over those of the next class

The first finds documents about the same, the second those that the model decides about for the same reasons. A model
file holds no training data, so the documents are given.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import DataError, ParameterError
from assay.explanation.in_words import in_words
from assay.features.columns.blocks import rows_of
from assay.features.documents import as_documents
from assay.prediction.linear_model import LinearTextModel
from assay.suggest import check_choice
from assay.threads import count_threads
from assay.wording import parameter

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.explanation.decision import Explanation

__all__ = ["DocumentIndex", "NearDocument", "check_count"]

Floats = NDArray[np.float64]
WAYS = ("features", "decision")
_SHARED = 3  # features named for each document


@dataclass(frozen=True, slots=True)
class NearDocument:
    """A document that is like the text.

    Attributes
    ----------
    position, text, label
        Of the document, counted from 0; the label is None where the documents have none.
    similarity
        Cosine, from -1 to 1.
    shared
        The features that make most of the similarity, the first most.
    """

    position: int
    text: str
    label: str | None
    similarity: float
    shared: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {**asdict(self), "shared": list(self.shared)}


class DocumentIndex:
    """Documents as a model sees them, to be asked about many texts.

    Parameters
    ----------
    model
        Whose features are compared.
    corpus
        The documents, such as those that the model was trained on.
    threads
        None for every core.

    Examples
    --------
    >>> import assay
    >>> corpus = assay.read((["loved it", "so dull", "great fun", "a dull mess"], ["pos", "neg", "pos", "neg"]))
    >>> classifier = assay.TextClassifier(learner="logistic").fit(corpus)
    >>> index = DocumentIndex(classifier.model, corpus)
    >>> [(near.text, near.label, near.shared) for near in index.nearest(classifier.explain("dull, so dull"), 1)]
    [('so dull', 'neg', ('dull', 'so', 'so dull'))]
    """

    def __init__(self, model: LinearTextModel, corpus: Corpus, *, threads: int | None = None) -> None:
        if not len(corpus):
            raise DataError(f"{corpus.source}: there are no documents to compare with.")
        model = in_words(model)
        self.model, self.corpus = model, corpus
        self._threads = count_threads(threads)
        documents = as_documents(corpus)
        self._indptr, self._columns, self._values = rows_of(
            model.features, documents, n_threads=self._threads, dtype=np.float32
        )

    def nearest(self, explanation: Explanation, k: int = 5, *, by: str = "features") -> list[NearDocument]:
        """The `k` documents most like an explained text, the most first; fewer where fewer share a feature with it."""
        check_count("k", k)
        check_choice(parameter("by", option="--nearest-by"), by, WAYS)
        scale = np.ones(len(explanation.columns)) if by == "features" else explanation.decisive_weights() ** 2
        query = np.zeros((self.model.n_features, 1))
        query[explanation.columns, 0] = explanation.values * scale
        own_size = float(explanation.values @ query[explanation.columns, 0])
        sizes = self._squares if by == "features" else self._weighed_squares(explanation)
        products = self._times(self._values, query)
        with np.errstate(divide="ignore", invalid="ignore"):
            similar = np.where((sizes > 0) & (own_size > 0), products / np.sqrt(sizes * own_size), 0.0)
        order = np.argsort(-similar, kind="stable")[:k]
        return [self._described(int(row), float(similar[row]), explanation, query) for row in order if similar[row] > 0]

    @cached_property
    def _squared(self) -> NDArray[Any]:
        return self._values**2

    @cached_property
    def _squares(self) -> Floats:
        return self._times(self._squared, np.ones((self.model.n_features, 1)))

    def _weighed_squares(self, explanation: Explanation) -> Floats:
        """Squared lengths of the documents, each feature times its weight in the decision."""
        return self._times(self._squared, explanation.all_decisive_weights()[:, None] ** 2)

    def _times(self, values: NDArray[Any], table: Floats) -> Floats:
        products = np.empty((len(self.corpus), 1))
        _native.score_with_table(self._indptr, self._columns, values, table, np.zeros(1), products, self._threads)
        return products[:, 0]

    def _described(self, row: int, similarity: float, explanation: Explanation, query: Floats) -> NearDocument:
        own = slice(self._indptr[row], self._indptr[row + 1])
        parts = self._values[own] * query[self._columns[own], 0]
        order = np.argsort(-parts, kind="stable")[:_SHARED]
        columns = self._columns[own][order[parts[order] > 0]]
        example = self.corpus[row]
        names = tuple(explanation.feature_name(int(i)) for i in np.searchsorted(explanation.columns, columns))
        return NearDocument(row, example.text, example.label, similarity, names)


def check_count(name: str, value: object) -> None:
    """Complain about a number of things that is none."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ParameterError(f"{name} must be a whole number from 1 on. Got {value!r} instead.")
