"""A model's answers to texts that were typed in: without pyarrow and rich, so that they come at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.streaming.question import Question

__all__ = ["answers_to", "show_answers"]


def answers_to(texts: list[str], model: TextClassifier, question: Question) -> list[dict[str, Any]]:
    """For each text, its label (or the list of its labels) and the probabilities of labels, the best first.

    Null stands where the model has none. Where the model can say it, also how unlike its training texts the text is.
    """
    from assay.streaming.replies import DECIMALS, ask

    labels, probable = model.labels, model.model.decision.has_probabilities
    also = {"with_probabilities": probable, "with_novelty": model.record.novelty is not None}
    replies = ask(model, texts, question, ranks=question.top or len(labels), **also)
    found: list[dict[str, Any]] = []
    for row, text in enumerate(texts):
        order = replies.order[row]
        prediction: Any = labels[order[0]] if replies.answered[row] else None
        if replies.sets is not None and replies.answered[row]:
            prediction = [labels[k] for k in replies.sets[row]]
        values = None
        if replies.probabilities is not None:
            values = {labels[k]: round(float(replies.probabilities[row, k]), DECIMALS) for k in order}
        found.append({"text": text, "prediction": prediction, "probabilities": values})
        if replies.novelty is not None:
            found[-1]["novelty"] = round(float(replies.novelty[row]), DECIMALS)
    return found


def unlike_notes(answers: list[dict[str, Any]], model: TextClassifier) -> list[str]:
    """A sentence for each text that is as unlike the training texts as hardly one of them is, and not empty."""
    from assay.terminal import one_line

    if model.record.novelty is None:
        return []
    known, notes = model.known_texts, []
    limit, shares = known.limit(), known.known_shares([answer["text"] for answer in answers])
    for answer, share in zip(answers, shares, strict=True):
        if answer["novelty"] >= limit and answer["prediction"] is not None and answer["text"].strip():
            notes.append(
                f"'{one_line(answer['text'], 40)}' is unlike the training texts ({share:.0%} of it was seen in them; "
                "of 100 of them, one looks as new): its label may mean nothing"
            )
    return notes


def show_answers(answers: list[dict[str, Any]], question: Question) -> None:
    """Print the label of each text; with probabilities, the labels from the most to the least probable."""
    from assay.terminal import one_line, visible

    for answer in answers:
        if len(answers) > 1:
            typer.echo(f"{one_line(answer['text'], 60)}:")
        if not (question.proba or question.top):
            typer.echo(_label(answer, question) + _novelty(answer, question))
            continue
        width = max(len(visible(label)) for label in answer["probabilities"])
        given = answer["prediction"] if isinstance(answer["prediction"], list) else []
        for label, probability in answer["probabilities"].items():
            typer.echo(f"{visible(label):<{width}}  {probability:.4f}{'  given' if label in given else ''}")
        if question.novelty:
            typer.echo(f"{'novelty':<{width}}  {answer['novelty']:.4f}")


def _label(answer: dict[str, Any], question: Question) -> str:
    """The label, or the labels of a set in one line."""
    from assay.terminal import visible

    said = answer["prediction"]
    if isinstance(said, list):
        return ", ".join(map(visible, said)) if said else "(none of the labels)"
    return visible(said or _no_label(answer, question))


def _no_label(answer: dict[str, Any], question: Question) -> str:
    if question.reject is not None and answer["novelty"] >= question.reject:
        return "(too unlike the training texts)"
    return "(no label is probable enough)"


def _novelty(answer: dict[str, Any], question: Question) -> str:
    return f"  novelty {answer['novelty']:.4f}" if question.novelty else ""
