"""What a class is like: its most typical documents, and what they have more of than others.

centroid of a class = mean of its documents, each brought to length one
typical             = largest cosine with the centroid of its class
feature             = value in the centroid of the class − value in the centroid of all others
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.arguments import in_our_words
from assay.errors import DataError
from assay.explanation.columns import column_names, distinct, highest
from assay.explanation.in_words import in_words
from assay.explanation.nearest import check_count
from assay.features.columns.blocks import rows_of
from assay.features.documents import as_documents
from assay.prediction.linear_model import LinearTextModel
from assay.threads import count_threads

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["CentroidFeature", "ClassPrototype", "TypicalDocument", "class_prototypes"]

Floats = NDArray[np.float64]
_SPARE = 8  # candidates for each feature that is kept


@dataclass(frozen=True, slots=True)
class TypicalDocument:
    """A document near the centre of its class; `similarity` is its cosine with the centroid, `position` its index."""

    position: int
    text: str
    similarity: float


@dataclass(frozen=True, slots=True)
class CentroidFeature:
    """A feature with its mean value in the documents of the class, and in all others."""

    feature: str
    kind: str
    inside: float
    outside: float


@dataclass(frozen=True, slots=True)
class ClassPrototype:
    """What a class is like.

    Attributes
    ----------
    label, n_documents
        The class, and how many documents it has.
    documents
        The most typical, each text once.
    features
        Those that its centroid has most more of than that of all others.
    """

    label: str
    n_documents: int
    documents: tuple[TypicalDocument, ...]
    features: tuple[CentroidFeature, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        found = asdict(self)
        return {**found, "documents": list(found["documents"]), "features": list(found["features"])}


@in_our_words
def class_prototypes(
    model: LinearTextModel, corpus: Corpus, *, documents: int = 3, features: int = 10, threads: int | None = None
) -> dict[str, ClassPrototype]:
    """Find what each class of a corpus is like, in the features of a model.

    Parameters
    ----------
    model
        Whose features are looked at; its weights are not.
    corpus
        Labelled documents, such as those that the model was trained on.
    documents, features
        How many of each class.
    threads
        None for every core.

    Examples
    --------
    >>> import assay
    >>> texts = ["good film", "good, good film", "good book", "bad film", "bad, bad film", "bad book"]
    >>> corpus = assay.read((texts, ["+", "+", "+", "-", "-", "-"]))
    >>> found = class_prototypes(assay.TextClassifier().fit(corpus).model, corpus, documents=1, features=1)
    >>> [(item.label, item.documents[0].text, item.features[0].feature) for item in found.values()]
    [('+', 'good, good film', 'good'), ('-', 'bad, bad film', 'bad')]
    """
    check_count("documents", documents)
    check_count("features", features)
    if corpus.labels is None:
        raise DataError(f"{corpus.source}: the documents have no labels, and prototypes are those of classes.")
    model = in_words(model)
    n_threads, n_columns = count_threads(threads), model.n_features
    indptr, columns, values = rows_of(model.features, as_documents(corpus), n_threads=n_threads)
    row_of = np.repeat(np.arange(len(corpus)), np.diff(indptr))
    sizes = np.sqrt(np.bincount(row_of, values**2, len(corpus)))
    values = values / np.where(sizes > 0, sizes, 1.0)[row_of]
    every = np.bincount(columns, values, n_columns)
    sets, label_names = corpus.label_sets, [str(name) for name in corpus.label_names]
    likely: dict[str, tuple[int, tuple[TypicalDocument, ...], Floats, Floats]] = {}
    for label in sorted(label_names):
        own = sets.having(label_names.index(label))
        if not (n := int(own.sum())):
            continue
        mine = own[row_of]
        total = np.bincount(columns[mine], values[mine], n_columns)
        centroid, outside = total / n, (every - total) / max(len(corpus) - n, 1)
        similar = np.empty((len(corpus), 1))
        length = float(np.sqrt(centroid @ centroid)) or 1.0
        _native.score_with_table(indptr, columns, values, (centroid / length)[:, None], np.zeros(1), similar, n_threads)
        typical = _typical(corpus, np.flatnonzero(own), similar[:, 0], documents)
        likely[label] = n, typical, centroid, outside
    strongest = {
        label: highest(inside - outside, _SPARE * features) for label, (_, _, inside, outside) in likely.items()
    }
    named = column_names(model, np.unique(np.concatenate(list(strongest.values()))), corpus)
    found: dict[str, ClassPrototype] = {}
    for label, (n, typical, inside, outside) in likely.items():
        order = strongest[label]
        kept = order[distinct([named[int(j)] for j in order], features)].tolist()
        items = tuple(CentroidFeature(*named[j], float(inside[j]), float(outside[j])) for j in kept)
        found[label] = ClassPrototype(label, n, typical, items)
    return found


def _typical(corpus: Corpus, rows: NDArray[np.intp], similar: Floats, n: int) -> tuple[TypicalDocument, ...]:
    """The documents nearest to the centroid, each text once."""
    found: dict[str, TypicalDocument] = {}
    for row in rows[np.argsort(-similar[rows], kind="stable")].tolist():
        text = corpus[row].text
        found.setdefault(text, TypicalDocument(row, text, float(similar[row])))
        if len(found) == n:
            break
    return tuple(found.values())
