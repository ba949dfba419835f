"""A model's answer for texts that were typed in: without pyarrow and rich, so that it comes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier

__all__ = ["answer_texts"]


def answer_texts(
    model: TextClassifier,
    texts: list[str],
    *,
    proba: bool,
    top: int | None,
    threshold: float | None,
    as_json: bool,
) -> None:
    """Print the label of each text; with probabilities, the labels from the most to the least probable."""
    from assay.cli.screens.console import print_json
    from assay.cli.screens.excerpts import excerpt
    from assay.streaming.question import Question
    from assay.terminal import visible

    question = Question(proba, top, threshold)
    answers = [answer(model, text, question) for text in texts]
    if as_json:
        print_json({"kind": "answers", "version": 1, "answers": answers})
        return
    for text, found in zip(texts, answers, strict=True):
        if len(texts) > 1:
            typer.echo(f"{excerpt(text, 60)}:")
        if not (proba or top):
            typer.echo(visible(found["prediction"] or "(no label is probable enough)"))
            continue
        width = max(len(visible(label)) for label in found["probabilities"])
        for label, probability in found["probabilities"].items():
            typer.echo(f"{visible(label):<{width}}  {probability:.4f}")


def answer(model: TextClassifier, text: str, question: Any) -> dict[str, Any]:
    """Prediction and probabilities of one text; the probabilities are null where the model has none."""
    decision = model.model.decision
    if question.needs_probabilities:
        decision.require_probabilities()
    scores = model.decision_function([text])
    chosen = int(decision.classes(scores)[0])
    probabilities = decision.probabilities(scores)[0] if decision.has_probabilities else None
    if question.threshold is not None and probabilities is not None and probabilities[chosen] < question.threshold:
        chosen = -1
    found: dict[str, Any] = {
        "text": text,
        "prediction": model.labels[chosen] if chosen >= 0 else None,
        "probabilities": None,
    }
    if probabilities is not None:
        order = sorted(range(len(probabilities)), key=lambda k: (k != chosen, -probabilities[k]))
        shown = order[: question.top] if question.top is not None else order
        found["probabilities"] = {model.labels[k]: round(float(probabilities[k]), 6) for k in shown}
    return found
