"""Outcomes of label sets from what people have: lists of labels, tables of 0 and 1, a model and a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.outcomes import EMPTY, SUM_TOLERANCE, Label, choices, label_array, model_labels
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.label_sets import LabelSets
from assay.label_tree import ReachedLabels
from assay.label_types import label_texts
from assay.prediction.asking import ask
from assay.suggest import quote

__all__ = ["holds_sets", "sets_from_labels", "sets_from_model", "speak_of_sets"]

Floats = NDArray[np.float64]


def holds_sets(values: Any) -> bool:
    """Whether these are sets of labels, one a text: `LabelSets`, lists of labels, or a table of 0 and 1.

    Examples
    --------
    >>> holds_sets([["a"], []]), holds_sets(np.eye(2)), holds_sets(["a", "b"])
    (True, True, False)
    """
    if isinstance(values, LabelSets) or _is_table(values):
        return True
    if not _is_list(values) or (isinstance(values, np.ndarray) and values.ndim != 1):
        return False
    listed = values.tolist() if isinstance(values, np.ndarray) else list(_plain(values))
    return len(listed) > 0 and all(isinstance(each, (list, tuple, set, frozenset, np.ndarray)) for each in listed)


def sets_from_labels(
    y_true: Any,
    y_pred: Any,
    probabilities: Any = None,
    *,
    scores: Any = None,
    labels: Sequence[Label] | None = None,
) -> SetOutcomes:
    """Outcomes from plain values.

    Parameters
    ----------
    y_true, y_pred
        A set of labels a text, or tables with a row a text and a column a label, of 0 and 1, equally many.
    probabilities, scores
        Shape (n, n_labels), columns in the order of `labels`; each of its own label.
    labels
        Every label there is. Default: the sorted labels of the truth; of tables, the numbers of their columns.
    """
    for name, values in (("y_true", y_true), ("y_pred", y_pred)):
        if not holds_sets(values):
            raise DataError(
                f"{name} holds one label a document and the other sets of labels. Pass sets for both: lists of labels, "
                "or tables of 0 and 1."
            )
    names = _names(y_true, labels)
    truth, predicted = (_sets(values, names, name) for name, values in (("y_true", y_true), ("y_pred", y_pred)))
    return _checked(names, truth, predicted, probabilities, scores, ("y_true", "y_pred"))


def sets_from_model(model: Any, corpus: Any) -> SetOutcomes:
    """Let a model predict a corpus of label sets.

    Parameters
    ----------
    model
        Has ``predict(texts)``, which gives a set of labels a text, or a table with a column a label. Where it has
        ``predict_proba`` or ``decision_function`` they are used as well, with columns in the order of its ``labels`` or
        ``classes_``; where these are the numbers of its columns, columns are the corpus's labels.
    corpus
        Has ``texts``, ``label_sets`` and ``label_names``.
    """
    truth: LabelSets = corpus.label_sets
    if len(truth) == 0:
        raise DataError(EMPTY)
    corpus_names = tuple(corpus.label_names)
    reply = ask(model, corpus.texts)
    own = _own_names(model, reply.labels, corpus_names)
    said_by = _of_columns(reply.labels, model) if own == corpus_names else reply.labels
    known = set(own)
    strangers = [name for name in corpus_names if name not in known]
    names = (*own, *strangers)
    place = {name: k for k, name in enumerate(names)}
    true = truth.renumbered(np.array([place[name] for name in corpus_names], np.int64), len(names))
    said = _answers(said_by, own, len(names))
    probabilities, scores = (
        None if table is None else _widened(table, len(truth), len(own), len(strangers), method)
        for table, method in ((reply.probabilities, "predict_proba"), (reply.scores, "decision_function"))
    )
    outcomes = _checked(names, true, said, probabilities, scores, ("the corpus", "the model's list of predictions"))
    notes = tuple(
        f"The model does not know the label {quote(name)}: that it is missing from its texts "
        f"({true.class_counts[place[name]]:,}) counts as mistakes."
        for name in strangers
        if true.class_counts[place[name]]
    )
    reached = reply.reached
    if reached is not None:
        wider = LabelSets(reached.sets.offsets, reached.sets.members, len(names))
        reached = ReachedLabels(wider, reached.values)
    return SetOutcomes(names, true, said, outcomes.probabilities, outcomes.scores, notes, reached=reached)


def speak_of_sets(y_true: Any, y_pred: Any) -> bool:
    """Whether truth or predictions are sets, and the other could be."""
    return (holds_sets(y_true) and _is_list(y_pred)) or (holds_sets(y_pred) and _is_list(y_true))


def _is_list(values: Any) -> bool:
    """Whether these are several values that can be looked at without using them up."""
    if isinstance(values, LabelSets) or _is_table(values):
        return True
    several = isinstance(values, Iterable) and hasattr(values, "__len__") and not isinstance(values, str | bytes | dict)
    # Arrow's own lists alone: anything else of it is one label a text, and damaged arrays are told of there.
    return several and (not hasattr(values, "type") or "list" in str(values.type))


def _is_table(values: Any) -> bool:
    """Whether these are numbers in two dimensions."""
    if hasattr(values, "tocsr"):
        return True
    return isinstance(values, np.ndarray) and values.ndim == 2 and values.dtype.kind in "biuf"


def _plain(values: Any) -> Any:
    return values.to_pylist() if hasattr(values, "to_pylist") else values


def _names(truth: Any, labels: Sequence[Label] | None) -> tuple[Label, ...]:
    if labels is not None:
        names = tuple(label_array(labels, "labels").tolist())
        if len(set(names)) != len(names):
            raise ParameterError(f"labels holds a label twice: {quote(list(names))}. Name each label once.")
        return names
    if isinstance(truth, LabelSets):
        return tuple(range(truth.n_classes))
    if _is_table(truth):
        return tuple(range(truth.shape[1]))
    found = {label for each in _plain(truth) for label in each}
    if not found:
        raise DataError("No text has a label, so that the labels are not known. Pass labels=[...] with every label.")
    try:
        return tuple(sorted(found))
    except TypeError:
        kinds = sorted({type(label).__name__ for label in found})
        raise DataError(f"Labels are of several kinds ({', '.join(kinds)}). Make them all text.") from None


def _sets(values: Any, names: tuple[Label, ...], what: str) -> LabelSets:
    if isinstance(values, LabelSets) or _is_table(values):
        sets = values if isinstance(values, LabelSets) else _of_table(values, what)
        if sets.n_classes != len(names):
            raise DataError(f"{what} has {sets.n_classes:,} columns where there are {len(names):,} labels.")
        return sets
    place = {name: k for k, name in enumerate(names)}
    rows = []
    for number, each in enumerate(_plain(values), start=1):
        strangers = [label for label in each if label not in place]
        if strangers:
            raise DataError(
                f"{what}, row {number}: the label {quote(strangers[0])} is not among the labels: "
                f"{choices(strangers[0], names)}. Pass labels=[...] with every label if this one may be given."
            )
        rows.append([place[label] for label in each])
    return LabelSets.of_rows(rows, len(names))


def _of_table(table: Any, what: str) -> LabelSets:
    entries = table.tocsr().data if hasattr(table, "tocsr") else np.asarray(table)
    strange = entries[(entries != 0) & (entries != 1)]
    if strange.size:
        raise DataError(
            f"{what} holds {strange.ravel()[0]:g} where a table of label sets has 0 and 1. Pass probabilities or "
            "scores by their names."
        )
    return LabelSets.of_table(table)


def _own_names(model: Any, said: Any, corpus_names: tuple[Label, ...]) -> tuple[Label, ...]:
    """The labels of a model's columns; those of the corpus where the model knows the numbers of columns only."""
    own = getattr(model, "classes_", ())
    of_outputs = isinstance(own, list) and any(np.ndim(each) for each in own)  # scikit-learn's: 0 and 1 for each label
    declared = () if of_outputs and not hasattr(model, "labels") else model_labels(model, np.array(corpus_names))
    numbered = declared == tuple(str(k) for k in range(len(declared)))
    if declared and (any(name in corpus_names for name in declared) or not numbered):
        return declared
    columns = said.shape[1] if _is_table(said) else len(declared)
    if columns and columns != len(corpus_names):
        raise DataError(
            f"The model's tables have {columns:,} columns and the corpus {len(corpus_names):,} labels, and the model "
            "does not name its columns. Train it on the labels of this corpus."
        )
    return corpus_names


def _of_columns(said: Any, model: Any) -> Any:
    """Answers of a model that knows its labels by the numbers of columns only, as sets of these numbers."""
    decision = getattr(model, "decision", None)
    labels = getattr(decision, "labels", ())
    numbered = len(labels) > 0 and labels == tuple(str(k) for k in range(len(labels)))
    if not numbered or _is_table(said) or isinstance(said, LabelSets):
        return said
    return LabelSets.of_rows([[int(label) for label in each] for each in said], len(labels))


def _answers(said: Any, own: tuple[Label, ...], n_labels: int) -> LabelSets:
    if isinstance(said, LabelSets) or _is_table(said):
        sets = said if isinstance(said, LabelSets) else _of_table(said, "the model's predictions")
        return sets.renumbered(np.arange(sets.n_classes), n_labels)
    rows = list(_plain(said))
    if not all(isinstance(each, (list, tuple, set, frozenset, np.ndarray)) for each in rows):
        raise DataError(
            "The corpus has sets of labels, and the model gives one label a text. Train a model on label sets, or "
            "measure this one on texts with one label each."
        )
    spelt = [label_texts(np.array(list(each))).tolist() if len(each) else [] for each in rows]
    sets = _sets(spelt, own, "the model's predictions")
    return sets.renumbered(np.arange(len(own)), n_labels)


def _widened(table: Any, n: int, n_own: int, n_strangers: int, method: str) -> Floats:
    """Probabilities or scores of every label; those that the model does not know get the lowest."""
    if isinstance(table, list):  # scikit-learn's multi-output classifiers: a table of two columns a label
        table = np.column_stack([np.asarray(each)[:, -1] for each in table])
    found = np.asarray(table, np.float64)
    if found.ndim == 1:
        found = found[:, None]
    if found.shape != (n, n_own):
        raise DataError(
            f"the model's {method} has shape {found.shape} where ({n}, {n_own}) is needed: one row a text and one "
            "column for each label."
        )
    fill = 0.0 if method == "predict_proba" else found.min()
    return np.column_stack([found, np.full((n, n_strangers), fill)]) if n_strangers else found


def _checked(
    names: tuple[Label, ...],
    truth: LabelSets,
    predicted: LabelSets,
    probabilities: Any,
    scores: Any,
    whose: tuple[str, str],
) -> SetOutcomes:
    if len(truth) == 0:
        raise DataError(EMPTY)
    if len(truth) != len(predicted):
        raise DataError(
            f"{whose[0]} has {len(truth)} sets of labels but {whose[1]} has {len(predicted)}. There must be one for "
            "each text."
        )
    tables: list[Floats | None] = []
    for name, table in (("probabilities", probabilities), ("scores", scores)):
        if table is None:
            tables.append(None)
            continue
        array = np.asarray(table, np.float64)
        if array.shape != (len(truth), len(names)):
            raise DataError(
                f"{name} has shape {array.shape} where ({len(truth)}, {len(names)}) is needed: one row a text and one "
                "column for each label."
            )
        low, high = (0.0, 1.0) if name == "probabilities" else (-np.inf, np.inf)
        bad = np.argwhere(~((array >= low - SUM_TOLERANCE) & (array <= high + SUM_TOLERANCE) & np.isfinite(array)))
        if bad.size:
            row, column = bad[0]
            value, label = array[row, column], quote(names[column])
            limits = (
                "outside [0, 1]. Pass decision values as scores=." if low == 0 and np.isfinite(value) else "no number."
            )
            raise DataError(f"{name}, row {row + 1}, label {label}: the value is {value:g}, {limits}")
        tables.append(array)
    return SetOutcomes(names, truth, predicted, tables[0], tables[1])
