"""What a verdict on a model of label sets says, in words: beside the best constant answer, never alone."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.corpus.spellings import shown_labels
from assay.evaluation.metrics.outcomes import Label
from assay.evaluation.presenting.headline import NAMED, Headline, listed
from assay.evaluation.presenting.percentages import percent
from assay.evaluation.uncertainty.set_verdict import SetVerdict
from assay.suggest import counted

__all__ = ["set_headline"]


def set_headline(verdict: SetVerdict, seen: tuple[int, int] | None = None) -> Headline:
    """The verdict in words, always with what giving every text the same labels would do.

    Parameters
    ----------
    verdict
        On texts that the model has not seen, if there are any.
    seen
        How many texts the model knows from its training, and how many there were to measure it on.

    Examples
    --------
    >>> from assay.evaluation.metrics.set_outcomes import SetOutcomes
    >>> from assay.evaluation.uncertainty.set_verdict import judge_sets
    >>> from assay.label_sets import LabelSets
    >>> truth = LabelSets.of_rows([[0]] * 8 + [[0, 1]] * 3, 2)
    >>> found = set_headline(judge_sets(SetOutcomes(("news", "sport"), truth, LabelSets.of_rows([[0]] * 11, 2))))
    >>> found.sentence
    'It gives every text the same labels.'
    >>> print(found.reason.partition(" It never")[0])
    Its micro-F1 is 0.880; giving every text “news” has 0.880.
    """
    parts = {
        "nothing": ("It gives ", "no text any label", "."),
        "constant": ("It gives ", "every text the same labels", "."),
        "guessing": ("It is ", "not shown to be better", " than giving every text the same labels."),
        "silent": (
            "It is better than giving every text the same labels, but ",
            f"never gives {_number(verdict.silent)}",
            ".",
        ),
        "useful": ("It is ", "better", " than giving every text the same labels."),
        "no labels": ("No text has a label: ", "nothing shows", " whether it finds any."),
    }[verdict.kind]
    if seen is not None and 2 * seen[0] >= seen[1]:
        parts = ("The model ", "knows these texts", " from its training: this is no test.")
    return Headline(parts, _reason(verdict), tuple(_advice(verdict)), verdict.kind == "useful")


def _reason(verdict: SetVerdict) -> str:
    constant, commonest = _set(verdict.constant), _set(verdict.commonest_set)
    own = "undefined" if verdict.micro_f1 != verdict.micro_f1 else f"{verdict.micro_f1:.3f}"
    said = [f"Its micro-F1 is {own}; giving every text {constant} has {verdict.constant_micro_f1:.3f}."]
    if verdict.silent:
        said.append(f"It never gives {_number(verdict.silent)}.")
    if verdict.unproved and verdict.kind != "nothing":
        also = ", too," if verdict.silent else ""
        said.append(
            f"Never given{also} but had by one or two texts only, which says little: {_number(verdict.unproved)}."
        )
    texts = counted(verdict.n_documents, "text", "texts")
    said.append(
        f"Exactly right are {percent(verdict.exact)} of {texts}; always giving {commonest} would be for "
        f"{percent(verdict.commonest_exact)}."
    )
    return " ".join(said)


def _advice(verdict: SetVerdict) -> list[str]:
    if verdict.kind in ("nothing", "guessing", "constant"):
        return [
            "Choose the thresholds of its labels on out-of-fold probabilities: 'assay train' does so where it "
            "searches, TextClassifier with rule={'metric': 'macro_f1'}. And label more texts."
        ]
    if verdict.silent:
        return ["Label more texts of what it never gives, or lower the thresholds of these labels."]
    return []


def _number(labels: Sequence[Label]) -> str:
    if len(labels) > NAMED:
        return f"{len(labels):,} of the labels that texts have"
    return listed([f"“{name}”" for name in shown_labels(labels)]) if labels else "none"


def _set(labels: Sequence[Label]) -> str:
    if not labels:
        return "no label"
    if len(labels) > NAMED:
        return f"the same {len(labels):,} labels"
    return listed([f"“{name}”" for name in shown_labels(labels)])
