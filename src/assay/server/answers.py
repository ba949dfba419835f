"""A model's answers to texts, as they go into JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.server.errors import ApiError
from assay.streaming.question import Question
from assay.streaming.replies import DECIMALS, ask

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier

__all__ = ["MOST_CELLS", "SHOWN_LABELS", "Answer", "answers_to", "check_cells", "told_labels"]

#: Of a table of texts and labels: larger ones are told to nobody, and are worked out a part at a time.
MOST_CELLS = 2_000_000

#: Labels whose probabilities are told where nobody says how many.
SHOWN_LABELS = 10


class Answer(msgspec.Struct, omit_defaults=True, gc=False):
    """What a model says of one text.

    Attributes
    ----------
    prediction
        The label; a list of them where the model gives sets; None where it abstains or the text was rejected.
    probabilities
        Of labels, the best first; None where the model has only scores, or they were not asked for.
    novelty
        How unlike the training texts it is, where that was asked for.
    """

    prediction: Any
    probabilities: dict[str, float] | msgspec.UnsetType | None = msgspec.UNSET
    novelty: float | msgspec.UnsetType = msgspec.UNSET


def answers_to(model: TextClassifier, texts: list[str], question: Question, *, told: bool = True) -> list[Answer]:
    """The answer to each text; `told` is whether probabilities are wanted, of all labels or the best `question.top`."""
    labels, searched = model.labels, _is_tree(model) and not question.proba
    rows = max(1, MOST_CELLS // max(1, told_labels(question, len(labels)) if searched else len(labels)))
    found: list[Answer] = []
    for begin in range(0, len(texts), rows):
        found += _part(model, texts[begin : begin + rows], question, told)
    return found


def told_labels(question: Question, labels: int) -> int:
    """Of how many labels the probabilities are told, where they are."""
    return labels if question.proba else min(question.top or SHOWN_LABELS, labels)


def check_cells(texts: int, labels: int, where: str, others: str) -> None:
    """Refuse tables of texts and labels that nobody wants to hold in memory; `others` is what to ask for instead."""
    if texts * labels > MOST_CELLS:
        numbers = f"{texts * labels:,} numbers, and the server gives {MOST_CELLS:,} at most"
        what = f"{texts:,} texts and {labels:,} labels are {numbers}."
        raise ApiError(413, what, where, f"Send fewer texts at a time, or ask for {others}.")


def _part(model: TextClassifier, texts: list[str], question: Question, told: bool) -> list[Answer]:
    labels, probable = model.labels, model.model.decision.has_probabilities
    ranks = told_labels(question, len(labels))
    shown = told and probable
    replies = ask(model, texts, question, ranks=ranks, with_probabilities=shown and not _is_tree(model))
    answered, orders = replies.answered.tolist(), replies.order.tolist()
    values = _values(replies) if shown else None
    found: list[Answer] = []
    for row, order in enumerate(orders):
        prediction: Any = labels[order[0]] if answered[row] else None
        if replies.sets is not None and answered[row]:
            prediction = [labels[k] for k in replies.sets[row]]
        answer = Answer(prediction)
        if told:
            answer.probabilities = None if values is None else _told(labels, order, values[row])
        if replies.novelty is not None and question.novelty:
            answer.novelty = round(float(replies.novelty[row]), DECIMALS)
        found.append(answer)
    return found


def _is_tree(model: TextClassifier) -> bool:
    return getattr(model.model, "tree", None) is not None


def _values(replies: Any) -> list[list[float]] | None:
    """(n, ranks) probabilities of the labels in order."""
    import numpy as np

    if replies.best is not None:
        best: list[list[float]] = replies.best.tolist()
        return best
    if replies.probabilities is None:
        return None
    values: list[list[float]] = np.take_along_axis(replies.probabilities, replies.order, axis=1).tolist()
    return values


def _told(labels: Any, order: list[int], values: list[float]) -> dict[str, float]:
    return {labels[k]: round(p, DECIMALS) for k, p in zip(order, values, strict=True) if k >= 0}
