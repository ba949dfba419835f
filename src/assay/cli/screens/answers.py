"""A model's answers to texts that were typed in: without pyarrow and rich, so that they come at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.streaming.question import Question

__all__ = ["answers_to", "show_answers"]


def answers_to(texts: list[str], model: TextClassifier, question: Question) -> list[dict[str, Any]]:
    """For each text, its label and the probabilities of labels, the best first; null where the model has none."""
    from assay.streaming.replies import DECIMALS, ask

    labels, probable = model.labels, model.model.decision.has_probabilities
    replies = ask(model, texts, question, ranks=question.top or len(labels), with_probabilities=probable)
    found: list[dict[str, Any]] = []
    for row, text in enumerate(texts):
        order = replies.order[row]
        prediction = labels[order[0]] if replies.answered[row] else None
        values = None
        if replies.probabilities is not None:
            values = {labels[k]: round(float(replies.probabilities[row, k]), DECIMALS) for k in order}
        found.append({"text": text, "prediction": prediction, "probabilities": values})
    return found


def show_answers(answers: list[dict[str, Any]], question: Question) -> None:
    """Print the label of each text; with probabilities, the labels from the most to the least probable."""
    from assay.terminal import one_line, visible

    for answer in answers:
        if len(answers) > 1:
            typer.echo(f"{one_line(answer['text'], 60)}:")
        if not (question.proba or question.top):
            typer.echo(visible(answer["prediction"] or "(no label is probable enough)"))
            continue
        width = max(len(visible(label)) for label in answer["probabilities"])
        for label, probability in answer["probabilities"].items():
            typer.echo(f"{visible(label):<{width}}  {probability:.4f}")
