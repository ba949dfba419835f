"""What a system said of a set of documents whose labels are known: where every measurement starts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus.two_classes import one_class_only
from assay.errors import DataError, ParameterError
from assay.label_types import label_texts
from assay.prediction.asking import ask
from assay.suggest import counted, nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["Outcomes", "from_labels", "from_model"]

Label = Hashable
EMPTY = "The test set is empty: there is nothing to measure. Pass at least one labelled document."
SUM_TOLERANCE = 1e-4  # of a row of probabilities; float32 softmax over a hundred classes stays far below it


@dataclass(frozen=True)
class Outcomes:
    """Truth and predictions of n documents as class indices into `labels`.

    Attributes
    ----------
    labels
        Every label, in the order of the columns of `probabilities` and `scores`.
    truth, predicted
        int32, shape (n,).
    probabilities, scores
        float64, shape (n, len(labels)), or None. Scores rank documents but need not be probabilities.
    notes
        What a reader should know about how the outcomes were put together.
    answered
        Rows of the test set that these documents are, where the model gave others no answer; None: all of them.
    """

    labels: tuple[Label, ...]
    truth: NDArray[np.int32]
    predicted: NDArray[np.int32]
    probabilities: NDArray[np.float64] | None = None
    scores: NDArray[np.float64] | None = None
    notes: tuple[str, ...] = field(default=())
    answered: NDArray[np.int64] | None = None

    @property
    def n_documents(self) -> int:
        """Documents."""
        return self.truth.size

    @property
    def confidence(self) -> NDArray[np.float64] | None:
        """Probability (else score) of the predicted label, of each document; None where there is neither."""
        table = self.probabilities if self.probabilities is not None else self.scores
        return None if table is None else table[np.arange(self.n_documents), self.predicted]

    def among(self, rows: NDArray[np.int64]) -> Outcomes:
        """Those of some of the documents."""
        probabilities = None if self.probabilities is None else self.probabilities[rows]
        scores = None if self.scores is None else self.scores[rows]
        return Outcomes(self.labels, self.truth[rows], self.predicted[rows], probabilities, scores)

    @property
    def correct(self) -> NDArray[np.bool_]:
        """Whether each document was given its true label."""
        return np.equal(self.truth, self.predicted)


def from_labels(
    y_true: Any,
    y_pred: Any,
    probabilities: Any = None,
    *,
    scores: Any = None,
    labels: Sequence[Label] | None = None,
    allow_one_class: bool = False,
) -> Outcomes:
    """Outcomes from plain arrays.

    Parameters
    ----------
    y_true, y_pred
        Labels (text, whole numbers or booleans), equally many.
    probabilities
        Shape (n, n_labels), columns in the order of `labels`; or (n,) for two labels: that of the second.
    scores
        Like `probabilities`, of any scale.
    labels
        Every label there is. Default: the sorted labels of the truth; predictions must then be among them.
    allow_one_class
        Accept a truth that holds one class only.
    """
    truth = label_array(y_true, "y_true")
    predicted = label_array(y_pred, "y_pred")
    _check_lengths(truth.size, predicted.size, "y_true", "y_pred")
    names = tuple(_sorted_unique(truth) if labels is None else label_array(labels, "labels").tolist())
    if len(set(names)) != len(names):
        raise ParameterError(f"labels holds a label twice: {quote(list(names))}. Name each label once.")
    way_out = "Pass labels=[...] with every label if this one may be predicted."
    indices = {name: k for k, name in enumerate(names)}
    true_classes = _encode(truth, indices, "y_true", "labels", "Add it to labels=[...].")
    _check_classes(true_classes, names, allow_one_class)
    source = "the truth" if labels is None else "labels"
    return Outcomes(
        names,
        true_classes,
        _encode(predicted, indices, "y_pred", source, way_out),
        None if probabilities is None else _checked_probabilities(probabilities, truth.size, names),
        None if scores is None else _checked_table(scores, truth.size, names, "scores"),
    )


def from_model(model: Any, corpus: Any, *, allow_one_class: bool = False) -> Outcomes:
    """Let a model predict a corpus.

    Parameters
    ----------
    model
        Has ``predict(texts)``, which gives None for a document that it has no answer for: such documents are left
        out, and said so. Where it has ``predict_proba`` or ``decision_function`` they are used as well, with columns
        in the order of its ``labels`` or ``classes_``.
    corpus
        Has ``texts``, ``classes`` (an index for each) and ``label_names``.
    allow_one_class
        Accept a truth that holds one class only.
    """
    if len(corpus.texts) == 0:
        raise DataError(EMPTY)
    classes, corpus_names = true_classes_of(corpus)
    reply = ask(model, corpus.texts)
    if getattr(getattr(model, "decision", None), "task", "labels") == "label-sets":
        raise DataError(
            "The texts have one label each, and the model gives sets of labels. Give the labels as sets, [label] for "
            "each text, or measure another model."
        )
    said = _one_a_document(reply.labels, "the model's predictions")
    _check_lengths(classes.size, said.size, "the corpus", "the model's list of predictions")
    answered = _answered(said)
    without = said.size - answered.size
    if without:
        classes, said = classes[answered], np.array(said[answered].tolist())
    truth = np.array(corpus_names)[classes]
    predicted = _spelt_like(label_array(said, "the model's predictions"), truth)
    own = model_labels(model, truth)
    strangers = [name for name in _sorted_unique(truth) if name not in own] if own else []
    names = own + tuple(strangers) if own else tuple(corpus_names)
    indices = {name: k for k, name in enumerate(names)}
    true_classes = _encode(truth, indices, "the corpus", "its label names", "Read the corpus again.")
    _check_classes(true_classes, names, allow_one_class)
    source = "the model's labels" if own else "the corpus's labels"
    way_out = "Train the model on the labels as the corpus spells them."
    predicted_classes = _encode(predicted, indices, "the model's predictions", source, way_out)
    probabilities, scores = reply.probabilities, reply.scores
    shape = answered, answered.size + without, own or names, len(strangers)
    if probabilities is not None:
        probabilities = _widened(probabilities, "predict_proba", *shape)
        probabilities = _checked_probabilities(probabilities, truth.size, names)
    if scores is not None:
        scores = _widened(scores, "decision_function", *shape)
        scores = _checked_table(scores, truth.size, names, "scores")
    notes = [
        f"The model does not know the label {quote(name)}: its documents ({(true_classes == indices[name]).sum():,}) "
        "count as mistakes."
        for name in strangers
    ]
    if without:
        notes.append(
            f"The model left {without:,} of {answered.size + without:,} documents "
            f"({without / (answered.size + without):.1%}) without an answer: everything here is of the others."
        )
    rows = answered if without else None
    return Outcomes(names, true_classes, predicted_classes, probabilities, scores, tuple(notes), rows)


def is_model(value: object) -> bool:
    """Whether it can predict."""
    return callable(getattr(value, "predict", None))


def as_corpus(value: Any, labels: Any = None) -> Any:
    """Leave a corpus as it is; read anything else that `assay.read` reads, or texts with the labels that are given."""
    if labels is not None:
        value = getattr(value, "texts", value), labels
    elif hasattr(value, "texts") and hasattr(value, "labels"):
        return value
    from assay.data.reading.read import read_given

    return read_given(value)


def text_list(corpus: Any) -> list[str]:
    """The texts as a plain list, which every model understands."""
    texts = corpus.texts
    return texts.to_pylist() if hasattr(texts, "to_pylist") else list(texts)


def true_classes_of(corpus: Any) -> tuple[NDArray[np.int32], list[Label]]:
    """Class index of each document, and the labels that the indices stand for."""
    classes, names = np.asarray(corpus.classes), list(corpus.label_names)
    unlabelled = np.flatnonzero((classes < 0) | (classes >= len(names)))
    if unlabelled.size:
        raise DataError(
            f"Row {unlabelled[0] + 1}: the document has no label; {unlabelled.size} of {classes.size} have none. Leave "
            "them out before measuring."
        )
    return classes.astype(np.int32, copy=False), names


def model_labels(model: Any, like: NDArray[Any]) -> tuple[Label, ...]:
    """The labels a model declares, in its order, spelt like others; empty where it declares none."""
    for name in ("labels", "classes_"):
        declared = getattr(model, name, None)
        if declared is not None:
            return tuple(_spelt_like(label_array(declared, f"the model's {name}"), like).tolist())
    return ()


def label_array(values: Any, name: str) -> NDArray[Any]:
    """One label a document, as a numpy array, from a list, Series, or numpy or Arrow array."""
    array = _one_a_document(values, name)
    missing = _missing(array)
    if missing.size:
        raise DataError(
            f"{name}, row {missing[0] + 1}: the label is missing ({quote(array[missing[0]])}); {missing.size} of "
            f"{array.size} labels are. Leave such documents out before measuring."
        )
    return array


def _one_a_document(values: Any, name: str) -> NDArray[Any]:
    if isinstance(values, str):
        raise DataError(f"{name} must be one label a document. Got the text {values!r} instead.")
    if hasattr(values, "to_pylist"):  # Arrow
        from assay.data.arrays import check_arrow

        check_arrow(values, name)
        try:
            values = values.to_pylist()
        except UnicodeDecodeError as error:
            raise DataError(f"{name} has bytes that are no UTF-8: {error}. Decode them first.") from None
    if not isinstance(values, Iterable) and not hasattr(values, "__array__"):
        raise DataError(
            f"{name} must be one label a document. Got {values!r}, of type {type(values).__name__}, instead."
        )
    items = values if hasattr(values, "__array__") or isinstance(values, list) else list(values)
    try:
        array = np.asarray(items)
    except ValueError:  # lists of different lengths
        raise DataError(f"{name} must be one label a document. Got lists of labels instead.") from None
    if array.ndim != 1:
        raise DataError(f"{name} must be one label a document (one-dimensional). Got shape {array.shape} instead.")
    return array


def _answered(said: NDArray[Any]) -> NDArray[np.int64]:
    """Rows that a model gave an answer for; a rule that abstains gives None."""
    if said.dtype.kind != "O":
        return np.arange(said.size)
    rows = np.flatnonzero([label is not None for label in said])
    if rows.size == 0:
        raise DataError(
            f"The model gave none of the {_documents(said.size)} an answer: there is nothing to measure. Lower the "
            "confidence below which it abstains."
        )
    return rows


def _missing(array: NDArray[Any]) -> NDArray[np.int64]:
    if array.dtype.kind == "f":
        return np.flatnonzero(np.isnan(array))
    if array.dtype.kind == "O":
        return np.flatnonzero([value is None or value != value for value in array])
    return np.empty(0, np.int64)


def _spelt_like(labels: NDArray[Any], like: NDArray[Any]) -> NDArray[Any]:
    """A model trained on 0 and 1 meets a corpus that holds "0" and "1": compare them as text."""
    return label_texts(labels) if like.dtype.kind == "U" else labels


def _sorted_unique(array: NDArray[Any]) -> list[Label]:
    try:
        return np.unique(array).tolist()  # type: ignore[no-any-return]
    except TypeError:
        kinds = sorted({type(value).__name__ for value in array.tolist()})
        raise DataError(f"Labels are of several kinds ({', '.join(kinds)}). Make them all text.") from None


def _encode(array: NDArray[Any], indices: dict[Label, int], name: str, known: str, way_out: str) -> NDArray[np.int32]:
    """Class index of each label; complain about the first that has none."""
    values, inverse = np.unique(array, return_inverse=True)
    codes = np.array([indices.get(value, -1) for value in values.tolist()], dtype=np.int32)
    classes = codes[inverse] if values.size else np.empty(0, np.int32)
    unknown = np.flatnonzero(classes < 0)
    if unknown.size:
        stranger = array[unknown[0]].item() if hasattr(array[unknown[0]], "item") else array[unknown[0]]
        raise DataError(
            f"{name}, row {unknown[0] + 1}: the label {quote(stranger)} ({_documents((array == stranger).sum())}) "
            f"is not among {known}: {choices(stranger, indices)}. {way_out}"
        )
    return classes.astype(np.int32, copy=False)


def choices(name: object, known: Iterable[object], limit: int = 12) -> str:
    """The valid names for an error message, the one most like `name` first."""
    by_text = {str(value): value for value in known}
    return quoted([by_text[text] for text in nearest_first(str(name), by_text)], limit)


def _documents(n: int) -> str:
    return counted(int(n), "document", "documents")


def _check_lengths(n_true: int, n_pred: int, true_name: str, pred_name: str) -> None:
    if n_true != n_pred:
        raise DataError(
            f"{true_name} has {n_true} labels but {pred_name} has {n_pred}. "
            "There must be one prediction for each document."
        )
    if n_true == 0:
        raise DataError(EMPTY)


def _check_classes(truth: NDArray[np.int32], names: Sequence[Label], allow_one_class: bool) -> None:
    if not allow_one_class and (truth == truth[0]).all():
        raise one_class_only(
            "The test set",
            truth.size,
            names[truth[0]],
            unit=("document has", "documents have"),
            who="To show how well classes are told apart, it",
            way_out=f"Add documents of another class, or pass {setting('allow_one_class', True)} to evaluate, which "
            "then measures what can be measured.",
        )


def _widened(
    said: Any, method: str, answered: NDArray[np.int64], n_documents: int, names: Sequence[Label], n_strangers: int
) -> NDArray[np.float64]:
    """Probabilities or scores of the rows that were answered; labels the model does not know get the lowest."""
    what = f"the model's {method}"
    table = _numbers(said, what)
    if table.ndim == 1:
        table = np.column_stack([1 - table, table] if method == "predict_proba" else [-table, table])
    if table.shape != (n_documents, len(names)):
        raise DataError(
            f"{what} has shape {table.shape} where ({n_documents}, {len(names)}) is needed: one row a "
            f"document and one column for each of the labels {quote(list(names))}."
        )
    table = table[answered]
    if not n_strangers:
        return table
    fill = 0.0 if method == "predict_proba" else table.min()
    return np.column_stack([table, np.full((answered.size, n_strangers), fill)])


def _numbers(table: Any, name: str) -> NDArray[np.float64]:
    try:
        return np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must be numbers, with one row a document and one column a label: {error}.") from None


def _checked_table(table: Any, n: int, names: Sequence[Label], name: str) -> NDArray[np.float64]:
    array = _numbers(table, name)
    if array.ndim == 1 and len(names) == 2:
        array = np.column_stack([1 - array, array] if name == "probabilities" else [-array, array])
    if array.shape != (n, len(names)):
        raise DataError(
            f"{name} has shape {array.shape} where ({n}, {len(names)}) is needed: one row a document and "
            f"one column for each of the labels {quote(list(names))}."
        )
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        row, column = bad[0]
        raise DataError(
            f"{name}, row {row + 1}, label {quote(names[column])}: the value is {array[row, column]}. "
            "Every value must be a finite number."
        )
    return array


def _checked_probabilities(table: Any, n: int, names: Sequence[Label]) -> NDArray[np.float64]:
    array = _checked_table(table, n, names, "probabilities")
    outside = np.argwhere((array < 0) | (array > 1 + SUM_TOLERANCE))
    if outside.size:
        row, column = outside[0]
        raise DataError(
            f"probabilities, row {row + 1}, label {quote(names[column])}: the value is {array[row, column]:g}, "
            "outside [0, 1]. Pass decision values as scores=."
        )
    sums = array.sum(axis=1)
    off = np.flatnonzero(np.abs(sums - 1) > SUM_TOLERANCE)
    if off.size:
        raise DataError(
            f"probabilities, row {off[0] + 1}: the values sum to {sums[off[0]]:.6g}, not to 1 ({off.size} of "
            f"{n} rows do not). Divide each row by its sum, or pass decision values as scores=."
        )
    return array
