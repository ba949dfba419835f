"""What a verdict says, in the words of every screen, page and card: a headline, the reason, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.data.corpus.spellings import shown_labels
from assay.evaluation.presenting.forecast_words import forecast_sentence
from assay.evaluation.presenting.percentages import percent
from assay.evaluation.uncertainty.forecast import Forecast
from assay.evaluation.uncertainty.intervals import wilson_interval
from assay.evaluation.uncertainty.set_verdict import SetVerdict
from assay.evaluation.uncertainty.verdict import ClassFound, Verdict
from assay.modelfile.cross_validated import CrossValidated
from assay.suggest import counted
from assay.terminal import one_line
from assay.wording import setting

__all__ = ["Circumstances", "Headline", "headline", "verdict_dict"]

NAMED = 3  # classes named one by one
ENOUGH = 100  # examples of a class, from which a model usually learns something if there is anything to be learned
LONGEST = 60  # characters of a label in a sentence


@dataclass(frozen=True)
class Circumstances:
    """What is known of a training beside its outcomes, for the advice.

    Attributes
    ----------
    learned_from
        Training texts of each class; empty where that is not known.
    metric
        What recipes were compared by.
    weighed
        Whether class weights and thresholds were part of the search, or of what was chosen by hand.
    more
        Of some labels, how many texts are likely to be needed.
    """

    learned_from: Mapping[str, int]
    metric: str | None = None
    weighed: bool = False
    more: Mapping[str, Forecast] | None = None

    @classmethod
    def told_in(cls, provenance: Mapping[str, Any]) -> Circumstances:
        """What the file of a model says of its training."""
        parts = provenance.get("members") or [provenance]
        settings = [(part.get("learner") or {}).get("parameters") or {} for part in parts]
        weighed = bool(provenance.get("rule")) or any(own.get("class_weight") for own in settings)
        crossed = CrossValidated.told_in(provenance)
        told = {} if crossed is None else {label: Forecast.told(values) for label, values in crossed.more.items()}
        more = {label: forecast for label, forecast in told.items() if forecast is not None}
        return cls((provenance.get("data") or {}).get("classes") or {}, provenance.get("metric"), weighed, more)


@dataclass(frozen=True)
class Headline:
    """A verdict in words.

    Attributes
    ----------
    parts
        The sentence: before its main word, the main word, and after it.
    reason
        Why, in numbers.
    advice
        What to do, a sentence each.
    mild
        Whether the model is of use, though accuracy does not show it.
    """

    parts: tuple[str, str, str]
    reason: str
    advice: tuple[str, ...]
    mild: bool = False

    @property
    def sentence(self) -> str:
        """The headline as one sentence."""
        return "".join(self.parts)


def headline(
    verdict: Verdict, known: Circumstances | None = None, seen: tuple[int, int] | None = None
) -> Headline | None:
    """The verdict in words; None where accuracy may be the headline.

    Parameters
    ----------
    verdict
        On texts that the model has not seen, if there are any.
    known
        Of its training.
    seen
        How many texts the model knows from its training, and how many there were to measure it on.

    Examples
    --------
    >>> from assay.evaluation.metrics.outcomes import from_labels
    >>> from assay.evaluation.uncertainty.verdict import judge
    >>> found = headline(judge(from_labels(["keep"] * 196 + ["remove"] * 4, ["keep"] * 200)))
    >>> found.sentence
    'It says “keep” to every text.'
    >>> print(found.reason)
    Of 4 texts of “remove” it found none. It is right for 98.0% of 200 texts only because so many are “keep”.
    """
    if verdict.trustworthy:
        return None if seen is None or 2 * seen[0] < seen[1] else _no_test(*seen)
    names = dict(zip([f.label for f in verdict.classes], _shown(verdict.classes), strict=True))
    reason = _reason(verdict, names)
    if seen is not None:
        reason += f" {counted(seen[0], 'text', 'texts')} more, known to it from its training, can be no test."
    return Headline(_parts(verdict, names), reason, tuple(_advice(verdict, names, known)), verdict.kind == "found")


def _no_test(seen: int, n_texts: int) -> Headline:
    some = f"All {n_texts:,}" if seen == n_texts > 1 else f"{seen:,} of {counted(n_texts, 'text', 'texts')}"
    return Headline(
        ("The model ", "knows these texts", " from its training: this is no test."),
        f"{some} {'is' if seen == 1 else 'are'}, or nearly {'is' if seen == 1 else 'are'}, what it learned from.",
        ("Measure it on texts that it has not seen.",),
    )


def verdict_dict(verdict: Verdict | SetVerdict, said: Headline | None) -> dict[str, Any]:
    """A verdict and its words, JSON-ready; what is said is None where nothing is amiss."""
    words: dict[str, Any] = {"headline": None, "reason": None, "advice": []}
    if said is not None:
        words = {"headline": said.sentence, "reason": said.reason, "advice": list(said.advice)}
    return verdict.to_dict() | words


def _shown(classes: Sequence[ClassFound]) -> list[str]:
    return [f"“{one_line(name, LONGEST)}”" for name in shown_labels(str(found.label) for found in classes)]


def _parts(verdict: Verdict, names: Mapping[Any, str]) -> tuple[str, str, str]:
    match verdict.kind:
        case "constant":
            (said,) = (found for found in verdict.classes if found.called)
            return "It says ", names[said.label], " to every text."
        case "guessing" if verdict.accuracy > verdict.always:
            return "It is ", "not shown to be better", " than guessing."
        case "guessing":
            return "It is ", "no better than guessing", "."
        case "silent":
            also_said = any(verdict.of(label).called for label in verdict.silent)
            return f"It never {'finds' if also_said else 'says'} ", _some(verdict, names), "."
    rare = [found for found in verdict.classes if found.documents and found.label != verdict.commonest]
    if len(rare) == 1:
        return "It finds ", percent(rare[0].hits / rare[0].documents), f" of {names[rare[0].label]}."
    share = float(np.mean([found.hits / found.documents for found in verdict.classes if found.documents]))
    return "It finds ", percent(share), " of a class on average."


def _some(verdict: Verdict, names: Mapping[Any, str]) -> str:
    if len(verdict.silent) > NAMED:
        return f"{len(verdict.silent)} of its {len(verdict.classes)} classes"
    return listed([names[label] for label in verdict.silent])


def _reason(verdict: Verdict, names: Mapping[Any, str]) -> str:
    digits = int(verdict.n_documents >= 2000 or max(verdict.accuracy, verdict.always) > 0.95)
    right, always = percent(verdict.accuracy, digits), percent(verdict.always, digits)
    texts = counted(verdict.n_documents, "text", "texts")
    common = names[verdict.commonest]
    if verdict.kind == "constant" and verdict.accuracy >= verdict.always:
        missed = _missed(verdict, names)
        return f"{missed}It is right for {right} of {texts} only because so many are {common}."
    if verdict.kind in ("constant", "guessing"):
        return (
            f"{_missed(verdict, names)}It is right for {right} of {texts}; always saying {common} would be right for "
            f"{always}."
        )
    if verdict.kind == "silent":
        return (
            f"{_missed(verdict, names)}That it is right for {right} of {texts} does not show this: always saying "
            f"{common} would be right for {always}."
        )
    rare = [found for found in verdict.classes if found.documents and found.label != verdict.commonest]
    details = ""
    if len(rare) == 1 and rare[0].called:
        one = rare[0]
        low, high = (percent(end) for end in wilson_interval(one.hits, one.documents))
        details = (
            f"That is {one.hits:,} of {counted(one.documents, 'text', 'texts')} (95% interval {low} to {high}); of "
            f"{one.called:,} that it calls so, {one.hits:,} {'is' if one.hits == 1 else 'are'}. "
        )
    return (
        f"{details}Accuracy says little here: it is right for {right} of {texts}, and always saying {common} would be "
        f"right for {always}."
    )


def _missed(verdict: Verdict, names: Mapping[Any, str]) -> str:
    """How few texts of the weak classes were found; nothing where there are too many such classes to name."""
    weak = [found for found in verdict.weak if found.documents]
    if not weak or len(weak) > NAMED:
        return ""
    told = [
        f"of {counted(found.documents, 'text', 'texts')} of {names[found.label]} it found {found.hits or 'none'}"
        for found in weak
    ]
    joined = listed(told)
    return f"{joined[:1].upper()}{joined[1:]}. "


def _advice(verdict: Verdict, names: Mapping[Any, str], known: Circumstances | None) -> list[str]:
    weak = [found for found in verdict.weak if found.documents]
    known = known or Circumstances({})
    if not weak:  # every class is recognised, some too seldom
        told = [found.label for found in verdict.classes if str(found.label) in (known.more or {})]
        return [_more_texts(label, names[label], known) for label in told[:NAMED]]
    advice = []
    if verdict.kind == "guessing" and verdict.accuracy > verdict.always:  # it may be better: this test cannot tell
        advice.append(f"Test it on more texts: {verdict.n_documents:,} do not show whether it is better.")
    crowded_out = any(_is_crowded_out(found, verdict) for found in weak)
    enough = all(known.learned_from.get(str(found.label), 0) >= ENOUGH for found in weak)
    if verdict.kind in ("guessing", "constant") and enough and not crowded_out:
        # So many examples show something of whatever there is; how guessing grows with them means nothing.
        least = min(known.learned_from[str(found.label)] for found in weak)
        return [
            *advice,
            f"Let a person label some of the texts again without seeing the labels: {least:,} examples and more were "
            "learned from, and if nobody can tell the classes by the texts alone, no more of them will help.",
        ]
    if len(weak) > NAMED:
        advice.append(f"Label more texts of the {len(weak)} classes that it does not recognise.")
    else:
        advice += [_more_texts(found.label, names[found.label], known) for found in weak]
    # Weights and thresholds help a class to be said that others crowd out, and no other.
    if not crowded_out:
        return advice
    if known.weighed:
        advice.append("Class weights and thresholds were tried: what is missing is more examples, or clearer ones.")
    else:
        by = (
            ""
            if known.metric in (None, "macro_f1", "balanced_accuracy")
            else (f"with {setting('metric', 'macro_f1')}, which counts every class the same, or ")
        )
        advice.append(
            f"Train it again {by}with {setting('class_weight', 'balanced')}, which makes mistakes on rare classes cost "
            "more."
        )
        advice.append(
            "Or set a threshold for the rare class, so that less doubt keeps it from being said: "
            "assay.evaluation.choose_rule, in the guide to calibration."
        )
    return advice


def _is_crowded_out(found: ClassFound, verdict: Verdict) -> bool:
    """Whether a class has less than two thirds of an equal share of the texts."""
    n_classes = sum(other.documents > 0 for other in verdict.classes)
    return 3 * found.documents * n_classes < 2 * verdict.n_documents


def _more_texts(label: Any, name: str, known: Circumstances) -> str:
    learned = known.learned_from.get(str(label))
    had = "" if learned is None else f": there {'was' if learned == 1 else 'were'} {learned:,} to learn from"
    more = (known.more or {}).get(str(label))
    return f"Label more texts of {name}{had}." + (f" {forecast_sentence(more)}" if more else "")


def listed(parts: Sequence[str]) -> str:
    """One, two and three: `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
