"""Texts as vectors in the format of LIBSVM and LIBLINEAR: ``class column:value column:value …``, columns from 1.

Where texts have sets of labels, their numbers stand at the beginning with commas between them, as in LIBSVM's own
multi-label files; of the empty set there is nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.atomic_file import open_atomically, write_atomically
from assay.data.corpus.corpus import Corpus
from assay.errors import DataError, NotPermittedError, ParameterError
from assay.features.columns.blocks import FeatureBlock, rows_of
from assay.features.documents import as_documents
from assay.output_files import check_outputs
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["LibsvmExport", "export_libsvm", "import_libsvm"]

_BATCH_ROWS = 1 << 14


@dataclass(frozen=True, slots=True)
class LibsvmExport:
    """What was written.

    Attributes
    ----------
    output
        The file.
    rows, columns
        Its size.
    labels
        Label k is written as the number k.
    """

    output: str
    rows: int
    columns: int
    labels: tuple[str, ...]


def export_libsvm(
    corpus: Corpus, output: str | os.PathLike[str], *, model: Any = None, force: bool = False
) -> LibsvmExport:
    """Write the vectors of labelled texts: those that a model sees, or tf-idf of words and pairs of words.

    Labels are numbered from 0 in the order of the model's, or in the order of the alphabet. What the numbers of labels
    and columns stand for is written beside it, to ``OUTPUT.json``.

    Parameters
    ----------
    corpus
        Labelled texts.
    output
        Where to write.
    model
        A `TextClassifier` whose features are used; None to learn them from the corpus.
    force
        Replace a file that exists.
    """
    from scipy.sparse import csr_array
    from sklearn.datasets import dump_svmlight_file

    from assay.threads import count_threads

    target = Path(output)
    check_outputs([target, names_file(target)], force=force)
    if corpus.labels is None:
        raise DataError(
            f"{corpus.source}: the texts have no labels. Say which column holds them with "
            f"{setting('label', of_read=True)}."
        )
    features = _learned_features(corpus) if model is None else getattr(model.model, "features", None)
    if features is None:
        raise ParameterError(
            f"{type(model).__name__} is a network, which makes no columns of a text. Leave the model out to learn "
            "features from the texts, or name a linear model."
        )
    labels = tuple(sorted(corpus.label_names)) if model is None else tuple(model.labels)
    number, of_sets = _numbers(corpus, labels), corpus.task == "label-sets"
    n_columns = sum(block.n_columns for block in features)
    with open_atomically(target) as file:
        for begin in range(0, len(corpus), _BATCH_ROWS):
            part = corpus[begin : begin + _BATCH_ROWS]
            indptr, indices, data = rows_of(features, as_documents(part), n_threads=count_threads(None))
            X = csr_array((data, indices, indptr), shape=(len(part), n_columns))
            if of_sets:
                sets = part.label_sets.renumbered(number, len(labels))
                X = _with_zeros(X, (np.diff(indptr) == 0) & (sets.sizes == 0))
            y = sets.sparse() if of_sets else number[part.classes]
            dump_svmlight_file(X, y, file, zero_based=False, multilabel=of_sets)
    described = {"labels": labels, "label_sets": of_sets, "columns": _column_names(features)}
    write_atomically(names_file(target), json.dumps(described, ensure_ascii=False).encode())
    return LibsvmExport(str(target), len(corpus), n_columns, labels)


def import_libsvm(path: str | os.PathLike[str]) -> tuple[Any, list[str] | list[tuple[str, ...]]]:
    """Read vectors: a sparse matrix, and the label of each row, by its name where ``PATH.json`` tells it.

    Of a file that ``PATH.json`` says to be of label sets, the labels of each row.
    """
    from scipy.sparse import csr_array
    from sklearn.datasets import load_svmlight_file

    names, of_sets = _labels_told(names_file(path))
    try:
        X, y = load_svmlight_file(os.fspath(path), zero_based=False, multilabel=of_sets)
    except FileNotFoundError:
        raise DataError(f"no such file: {os.fspath(path)}.") from None
    except PermissionError:
        raise NotPermittedError.of(os.fspath(path)) from None
    except (ValueError, OSError) as error:
        raise DataError(
            f"{os.fspath(path)}: not in LIBSVM's format ({error}). A row is a class and then column:value, columns "
            "counted from 1."
        ) from error

    def named(value: float) -> str:
        return names[int(value)] if 0 <= value < len(names) else f"{value:g}"

    if of_sets:
        return csr_array(X), [tuple(map(named, values)) for values in y]
    return csr_array(X), [named(value) for value in y]


def _with_zeros(X: Any, bare: npt.NDArray[np.bool_]) -> Any:
    """The rows, of which those that would be empty lines, which readers leave out, have a 0 in the first column."""
    from scipy.sparse import coo_array

    rows = np.flatnonzero(bare)
    if not rows.size:
        return X
    told = X.tocoo()
    columns = np.concatenate([told.col, np.zeros(rows.size, told.col.dtype)])
    data = np.concatenate([told.data, np.zeros(rows.size, told.data.dtype)])
    places = np.concatenate([told.row, rows.astype(told.row.dtype)]), columns
    return coo_array((data, places), shape=X.shape).tocsr()


def names_file(path: str | os.PathLike[str]) -> Path:
    """Where the names of labels and columns stand."""
    return Path(f"{os.fspath(path)}.json")


def _numbers(corpus: Corpus, labels: Sequence[str]) -> npt.NDArray[np.int64]:
    """The number of each of the corpus's own labels."""
    place = {name: k for k, name in enumerate(labels)}
    for name in corpus.label_names:
        if name not in place:
            raise DataError(
                f"{corpus.source}: the model does not know the label {quote(name)}. Its labels are "
                f"{quoted(nearest_first(name, labels))}."
            )
    return np.array([place[name] for name in corpus.label_names], np.int64)


def _learned_features(corpus: Corpus) -> Sequence[FeatureBlock]:
    from assay.features import TfidfVectorizer

    features: Sequence[FeatureBlock] = TfidfVectorizer(ngram_range=(1, 2)).fit(corpus.texts).text_features()
    return features


def _column_names(features: Sequence[FeatureBlock]) -> list[str] | None:
    """Names of all columns; None where some are numbers of hashes."""
    named = [block.names() for block in features]
    return None if None in named else [name for names in named for name in names or ()]


def _labels_told(path: Path) -> tuple[list[str], bool]:
    """The labels, and whether rows have sets of them; none and no where nothing tells it."""
    try:
        told = json.loads(path.read_bytes())
        found, of_sets = told["labels"], told.get("label_sets") is True
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return [], False
    return ([str(name) for name in found] if isinstance(found, list) else []), of_sets
