"""What `compare` is given, made into outcomes on the same documents with the same labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

import numpy as np

from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.outcomes import Label, Outcomes, as_corpus, from_labels, is_model
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.metrics.set_reading import holds_sets, sets_from_labels
from assay.evaluation.protocols.asked import has_label_sets, outcomes_of
from assay.evaluation.protocols.seen_texts import SeenTexts, seen_texts
from assay.suggest import quote

__all__ = ["paired_outcomes"]

Measured = Outcomes | SetOutcomes


def paired_outcomes(
    operands: Sequence[Any], corpus: Any, names: Sequence[str] | None, labels: Sequence[Label] | None
) -> tuple[list[Measured], list[str], list[SeenTexts | None]]:
    """Outcomes of each operand in one order of labels, their names, and what each knows of the documents."""
    models, found_names, corpus = _separate(operands, corpus, names)
    truth = _truth(models, corpus)
    systems = [_outcomes(model, name, truth, corpus, labels) for model, name in zip(models, found_names, strict=True)]
    first = systems[0]
    for system, name in zip(systems[1:], found_names[1:], strict=True):
        _check_same_documents(first, system, found_names[0], name)
        _check_same_labels(first, system, found_names[0], name)
    seen = [_seen(model, system, corpus) for model, system in zip(models, systems, strict=True)]
    return [first, *(_reordered(system, first.labels) for system in systems[1:])], found_names, seen


def _separate(operands: Sequence[Any], corpus: Any, names: Sequence[str] | None) -> tuple[list[Any], list[str], Any]:
    given = list(operands)
    if given and isinstance(given[0], Mapping):
        if len(given) > 1 and corpus is None:
            corpus = given[1]
        names, given = list(given[0]), list(given[0].values())
    elif corpus is None and given and not _measured(given[-1]):
        corpus = given.pop()
        if isinstance(corpus, str):
            raise ParameterError(
                f"The last argument of compare must be the documents. Got {corpus!r} instead. Settings such as metric= "
                "are passed by name."
            )
    if len(given) < 2:
        raise ParameterError(
            f"compare needs at least two models and the documents to compare them on. Got {len(given)} "
            f"model{'' if len(given) == 1 else 's'}. Use compare(a, b, corpus)."
        )
    found = list(names) if names is not None else [_letter(i) for i in range(len(given))]
    if len(found) != len(given) or len(set(found)) != len(found):
        raise ParameterError(f"names must be {len(given)} different names. Got {found!r} instead.")
    return given, [str(name) for name in found], corpus


def _letter(i: int) -> str:
    return ascii_uppercase[i] if i < 26 else f"model {i + 1}"


def _measured(value: Any) -> bool:
    return isinstance(getattr(value, "outcomes", None), Outcomes | SetOutcomes)


def _truth(models: Sequence[Any], corpus: Any) -> Any:
    """The true labels, or None where every operand carries its own."""
    if corpus is None:
        if all(_measured(model) for model in models):
            return None
        raise ParameterError("compare needs the documents to compare on. Use compare(a, b, corpus).")
    if any(is_model(model) for model in models) or hasattr(corpus, "texts"):
        read = as_corpus(corpus)
        return read.label_sets.names(read.label_names) if has_label_sets(read) else read.labels
    return corpus


def _outcomes(model: Any, name: str, truth: Any, corpus: Any, labels: Sequence[Label] | None) -> Measured:
    if _measured(model):
        outcomes: Measured = model.outcomes
        return outcomes
    if is_model(model):
        return outcomes_of(model, as_corpus(corpus))
    if isinstance(model, str) or not (hasattr(model, "__len__") or hasattr(model, "__iter__")):
        raise ParameterError(
            f"{name} is neither a model nor predicted labels. Got {type(model).__name__} {model!r} instead. "
            "Settings such as metric= are passed by name."
        )
    if holds_sets(truth) and holds_sets(model):
        return sets_from_labels(truth, model, labels=labels)
    return from_labels(truth, model, labels=labels)


def _seen(model: Any, outcomes: Measured, corpus: Any) -> SeenTexts | None:
    """Of the documents that got an answer, those that the model knows from its training."""
    if _measured(model):
        return seen_texts(model, None)
    found = seen_texts(model, as_corpus(corpus)) if is_model(model) else None
    return None if found is None else found.among(outcomes.answered)


def _check_same_documents(a: Measured, b: Measured, first: str, second: str) -> None:
    if type(a) is not type(b):
        sets, one = (first, second) if isinstance(a, SetOutcomes) else (second, first)
        raise DataError(f"{sets} gives sets of labels and {one} one label a document. Compare models of the same kind.")
    abstains = a.answered is not None or b.answered is not None
    if abstains and not np.array_equal(_rows(a), _rows(b)):
        raise DataError(
            f"{first} gave {a.n_documents} documents an answer and {second} {b.n_documents}, and not the same ones. "
            "Compare them without abstention, or on the documents that both answer."
        )
    if a.n_documents != b.n_documents:
        raise DataError(
            f"{first} was measured on {a.n_documents} documents and {second} on {b.n_documents}. Compare "
            "them on the same documents."
        )
    true_a, true_b = _true_labels(a), _true_labels(b)
    different = [row for row, (one, other) in enumerate(zip(true_a, true_b, strict=True)) if one != other]
    if different:
        row = different[0]
        raise DataError(
            f"Row {row + 1}: the true label is {quote(true_a[row])} for {first} but {quote(true_b[row])} for {second}. "
            "Compare them on the same documents in the same order."
        )


def _true_labels(outcomes: Measured) -> list[Any]:
    """The label of each document, or its labels by name."""
    if isinstance(outcomes, SetOutcomes):
        return [tuple(sorted(names, key=str)) for names in outcomes.truth.names(outcomes.labels)]
    return [outcomes.labels[k] for k in outcomes.truth.tolist()]


def _rows(outcomes: Measured) -> Any:
    return np.arange(outcomes.n_documents) if outcomes.answered is None else outcomes.answered


def _check_same_labels(a: Measured, b: Measured, first: str, second: str) -> None:
    only_a = [label for label in a.labels if label not in b.labels]
    only_b = [label for label in b.labels if label not in a.labels]
    if only_a or only_b:
        parts = [f"only {name} knows {quote(found)}" for name, found in ((first, only_a), (second, only_b)) if found]
        raise DataError(
            f"{first} and {second} do not have the same labels: {'; '.join(parts)}. Train both on the same labels."
        )


def _reordered(outcomes: Measured, labels: tuple[Label, ...]) -> Measured:
    if outcomes.labels == labels:
        return outcomes
    if isinstance(outcomes, SetOutcomes):
        return outcomes.reordered(labels)
    columns = [outcomes.labels.index(label) for label in labels]
    place = np.empty(len(labels), np.int32)
    place[columns] = np.arange(len(labels), dtype=np.int32)
    probabilities = None if outcomes.probabilities is None else outcomes.probabilities[:, columns]
    scores = None if outcomes.scores is None else outcomes.scores[:, columns]
    answers = place[outcomes.truth], place[outcomes.predicted]
    return Outcomes(labels, *answers, probabilities, scores, outcomes.notes, outcomes.answered)
