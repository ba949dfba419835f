"""A model card: what a reader should know before using the model, in Markdown."""

from __future__ import annotations

from assay.training.recipes import LEARNERS
from assay.training.run import TrainingRun

__all__ = ["card_text"]


def card_text(run: TrainingRun) -> str:
    """The card of a trained model."""
    sections = [
        ("Model card", _summary(run)),
        ("What it does", _purpose(run)),
        ("What it was made of", _making(run)),
        ("How good it is", _quality(run)),
        ("What to know before using it", _limits(run)),
    ]
    return "\n".join(f"{'#' if i == 0 else '##'} {heading}\n\n{text}\n" for i, (heading, text) in enumerate(sections))


def _summary(run: TrainingRun) -> str:
    data = run.model.provenance["data"]
    made = run.model.provenance["versions"]["assay"]
    return (
        f"A classifier of texts into {len(run.labels):,} classes, trained by assay {made} on {data['rows']:,} texts "
        f"of {data['source']}."
    )


def _purpose(run: TrainingRun) -> str:
    shares = run.model.provenance["data"]["classes"]
    total = sum(shares.values())
    rows = [f"| {_cell(label)} | {shares[label]:,} | {shares[label] / total:.1%} |" for label in run.labels]
    return (
        "It gives each text one of these labels.\n\n| label | training texts | share |\n|---|---:|---:|\n"
        + "\n".join(rows)
    )


def _making(run: TrainingRun) -> str:
    lines = [
        f"- {LEARNERS[member.recipe.learner.name]} ({member.recipe.learner.strength}) on {member.recipe.features}"
        for member in run.members
    ]
    if len(run.members) > 1:
        lines.append("\nThe scores of these are added up; the sum is one linear model.")
    if run.searched:
        tried = len({trial.recipe for trial in run.trials})
        lines.append(f"\nChosen among {tried} recipes by cross-validated {run.settings.metric} on the training texts.")
    calibrated = run.cross_validation is not None
    lines.append(
        "\nProbabilities are calibrated on texts that had been held out in cross-validation."
        if calibrated
        else "\nProbabilities, if it gives any, are those of its learner and not calibrated."
    )
    lines.append(f"\nSHA-256 of the training data: `{run.model.provenance['data']['sha256']}`")
    return "\n".join(lines)


def _quality(run: TrainingRun) -> str:
    if run.evaluation is None:
        return "No texts were held out: nothing is known about texts that it has not seen."
    names = ("accuracy", "macro_f1", "balanced_accuracy", "matthews")
    rows = [f"| {name} | {run.evaluation[name]} |" for name in names]
    text = f"On {run.evaluation.n_documents:,} test texts that had no part in training, with 95 % intervals:\n\n"
    text += "| metric | value |\n|---|---|\n" + "\n".join(rows)
    if run.comparison is not None:
        text += f"\n\nAlways saying {run.baseline.label!r} would give {run.comparison.metric} "
        text += f"{run.comparison.second_value:.3f}."
    return text


def _limits(run: TrainingRun) -> str:
    general = [
        "It knows the kind of text that it was trained on; on other topics, periods, languages or sources it may be "
        "much worse, and its probabilities wrong.",
        "It gives one of its labels to every text, also to one that fits none of them.",
        "It has learned whatever bias stands in the labels. Look at its mistakes before it decides about people.",
    ]
    return "\n".join(f"- {note}{'' if note.endswith('.') else '.'}" for note in [*run.notes, *general])


def _cell(text: str) -> str:
    """Safe in a table of Markdown."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
