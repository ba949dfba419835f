"""An explanation as JSON, as plain text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any

from assay.explanation.label_decisions import LabelDecision
from assay.explanation.removal import MOST_ALONE, MOST_PAIRED
from assay.explanation.words import TextPiece
from assay.page import framed, in_parts
from assay.suggest import all_of, quote

if TYPE_CHECKING:
    from assay.explanation.decision import Explanation, FeatureContribution
    from assay.explanation.nearest import NearDocument
    from assay.explanation.occlusion import Occlusion
    from assay.explanation.prototypes import CentroidFeature
    from assay.explanation.weights import FeatureWeight

__all__ = [
    "by_label",
    "coloured_html",
    "decision_sentence",
    "default_rival",
    "explanation_dict",
    "explanation_html",
    "explanation_page",
    "explanation_text",
    "headline",
    "labels_to_show",
    "nearest_html",
    "readable",
    "removal_sentence",
    "shortened",
    "strengths",
    "threshold_rows",
]

# Blue speaks for the class, orange against it: readers with any kind of colour vision can tell them apart, and both
# are readable under black and under white letters.
STYLE = (
    ".assay-explanation mark { color: inherit; background: none; border-radius: 4px; }"
    ".assay-explanation mark.for { background: rgba(0, 114, 178, calc(var(--s) * .55)); }"
    ".assay-explanation mark.against { background: rgba(213, 94, 0, calc(var(--s) * .55)); }"
    ".assay-explanation .text { line-height: 1.9; white-space: pre-wrap; overflow-wrap: break-word; }"
)
MOST_SHOWN = 4  # labels of a set that are explained where nobody names one
FAINTEST = 0.06  # of the strongest word; what is fainter is left uncoloured


def explanation_dict(
    explanation: Explanation,
    label: str | None = None,
    against: str | None = None,
    top: int | None = None,
    nearest: Sequence[NearDocument] | None = None,
) -> dict[str, Any]:
    """JSON-ready."""
    shown = explanation.shown if label is None else label
    removal = explanation.smallest_removal(label)
    probabilities = explanation.probabilities
    pieces = [piece for piece in explanation.pieces(label, against) if piece.contribution or piece.is_word]
    return {
        "kind": "explanation",
        "version": 1,
        "text": explanation.text,
        "label": explanation.label,
        "probabilities": None if probabilities is None else by_label(explanation.labels, probabilities),
        "scores": by_label(explanation.labels, explanation.scores),
        "of": shown,
        "against": against,
        **({"labels": [asdict(item) for item in explanation.decisions]} if explanation.of_sets else {}),
        "score": explanation.score_for(label, against),
        "bias": explanation.bias_for(label, against),
        "features": [
            {**asdict(item), "places": [list(place) for place in item.places]}
            for item in explanation.top(top, label, against)
        ],
        "pieces": [{"start": p.start, "end": p.end, "text": p.text, "contribution": p.contribution} for p in pieces],
        "unplaced": explanation.unplaced(label, against),
        "smallest_removal": None if removal is None else {"words": list(removal.words), "label": removal.label},
        **({} if nearest is None else {"nearest": [near.to_dict() for near in nearest]}),
    }


def explanation_text(explanation: Explanation, top: int = 10) -> str:
    """Plain text for a person."""
    against = default_rival(explanation)
    lines = [headline(explanation)]
    for label in labels_to_show(explanation):
        if explanation.of_sets:
            lines += ["", decision_sentence(explanation.decision_about(label))]
        lines.append("")
        items = explanation.top(top, label, against)
        width = max([len("bias"), *(len(readable(item)) for item in items)])
        lines += [f"  {readable(item):{width}}  {item.contribution:+z.4f}" for item in items]
        lines.append(f"  {'bias':{width}}  {explanation.bias_for(label, against):+z.4f}")
        lines += ["", removal_sentence(explanation, label)]
    return "\n".join(lines)


def explanation_html(
    explanation: Explanation,
    label: str | None = None,
    against: str | None = None,
    top: int = 10,
    nearest: Sequence[NearDocument] | None = None,
) -> str:
    """The text with its words coloured, and the features in a table."""
    against = default_rival(explanation) if label is None and against is None else against
    shown = "".join(_label_html(explanation, name, against, top) for name in labels_to_show(explanation, label))
    return (
        f'<div class="assay-explanation"><style>{STYLE}</style>'
        f"<p><strong>{escape(headline(explanation))}</strong></p>{_decisions_html(explanation)}{shown}"
        f"{nearest_html(nearest)}</div>"
    )


def _label_html(explanation: Explanation, label: str | None, against: str | None, top: int) -> str:
    """What speaks for one label: the coloured text, the features, and which words it hangs on."""
    shown = explanation.shown if label is None else label
    question = f"What speaks for {quote(shown)}" + (f" and not {quote(against)}" if against else "")
    said = f"<h2>{escape(shown)}</h2>" if explanation.of_sets else ""
    if explanation.of_sets:
        said += f"<p>{escape(decision_sentence(explanation.decision_about(label)))}</p>"
    rows = "".join(
        f"<tr><td>{in_parts(readable(item))}</td><td>{item.value:.4f}</td><td>{item.weight:+z.4f}</td>"
        f"<td>{item.contribution:+z.4f}</td></tr>"
        for item in explanation.top(top, label, against)
    )
    every = f"{all_of(len(explanation.columns), 'feature', 'features')} and bias"
    sums = [("bias", explanation.bias_for(label, against)), (every, explanation.score_for(label, against))]
    sums += threshold_rows(explanation, label)
    rows += "".join(f"<tr><td>{name}</td><td></td><td></td><td>{value:+z.4f}</td></tr>" for name, value in sums)
    return (
        f"{said}<p>{escape(question)}:</p>"
        f'<p class="text" dir="auto">{coloured_html(explanation.pieces(label, against))}</p>'
        '<div class="wide"><table><thead><tr><th>feature</th><th>value</th><th>weight</th><th>contribution</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></div><p>{escape(removal_sentence(explanation, label))}</p>"
    )


def threshold_rows(explanation: Explanation, label: str | None = None) -> list[tuple[str, float]]:
    """Of a label of a set: the score that it needs, and by how much its own is above that."""
    if not explanation.of_sets:
        return []
    about = explanation.decision_about(label)
    if about.distance is None or about.score is None:
        return []
    return [("needed", about.score - about.distance), ("distance", about.distance)]


def _decisions_html(explanation: Explanation) -> str:
    """Every label of a set, with its probability and its threshold."""
    if not explanation.of_sets:
        return ""
    rows = "".join(
        f"<tr><td>{in_parts(item.label)}</td><td>{'given' if item.given else ''}</td>"
        + "".join(f"<td>{'' if value is None else format(value, '.3f')}</td>" for value in _numbers(item))
        + "</tr>"
        for item in explanation.decisions
    )
    heads = "".join(f"<th>{name}</th>" for name in ("label", "", "probability", "given from", "distance"))
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _numbers(item: LabelDecision) -> tuple[float | None, float | None, float | None]:
    return item.probability, item.threshold, item.distance


def labels_to_show(explanation: Explanation | Occlusion, label: str | None = None) -> list[str | None]:
    """What is explained: the label that was asked for, else the decision.

    Of a set, each label that was given, or where none was, the one that came nearest to being given.
    """
    if label is not None or not explanation.of_sets:
        return [label]
    given = [item.label for item in explanation.decisions if item.given]
    near = [item for item in explanation.decisions if not item.given and item.distance is not None]
    nearest = max(near, key=lambda item: item.distance or 0.0).label if near else explanation.shown
    return [*given[:MOST_SHOWN]] or [nearest]


def decision_sentence(item: LabelDecision) -> str:
    """Whether a label of a set was given, and from when on it is."""
    said = f"{quote(item.label)} is {'given' if item.given else 'not given'}"
    if item.probability is None:
        assert item.score is not None  # a model has the one or the other
        return f"{said}: its score is {item.score:+z.3f}, and it is given above 0."
    said += f": its probability is {item.probability:.1%}"
    if item.threshold is None:
        return f"{said}, and the most probable labels are given, always as many."
    if item.threshold > 1:
        return f"{said}, and the model never gives it."
    if item.given and item.probability < item.threshold:
        return f"{said}, and from {item.threshold:.1%} on it is given; none reached its own, and this came nearest."
    return f"{said}, and {'it is' if item.given else 'it would be'} given from {item.threshold:.1%} on."


def nearest_html(nearest: Sequence[NearDocument] | None) -> str:
    """The documents most like the text, if they were looked for."""
    if nearest is None:
        return ""
    if not nearest:
        return "<p>No document has a feature of the text.</p>"
    items = "".join(
        f"<li><p><strong>{near.similarity:.2f}</strong>{'' if near.label is None else ' ' + escape(near.label)}, "
        f"document {near.position + 1:,}; shared: {escape(', '.join(near.shared))}</p>"
        f'<p class="text" dir="auto">{escape(shortened(near.text, 400))}</p></li>'
        for near in nearest
    )
    return f"<p>The documents most like it:</p><ol>{items}</ol>"


def shortened(text: str, length: int) -> str:
    """The beginning of a text."""
    return text if len(text) <= length else text[: length - 1] + "…"


def explanation_page(content: str, question: str = "Why this label?", where: str = "") -> str:
    """A piece of HTML under a question, as a page that needs no other file."""
    head = f'<header class="answer alone"><div><h1>{escape(question)}</h1></div></header>'
    return framed(f'{head}<main id="content" class="explained">{content}</main>', title=question, where=where)


def coloured_html(pieces: Sequence[TextPiece]) -> str:
    """The text, escaped, with the words that matter marked and their contribution in a tooltip.

    A mark is of class ``for`` or ``against`` and has its strength, from 0 to 1, in the property ``--s``; the page says
    what that looks like.
    """
    parts = []
    for piece, strength in zip(pieces, strengths(pieces), strict=True):
        written = escape(piece.text)
        if abs(strength) < FAINTEST:
            parts.append(written)
            continue
        kind = "for" if strength > 0 else "against"
        parts.append(
            f'<mark class="{kind}" style="--s:{abs(strength):.2f}" title="{piece.contribution:+z.4f}">{written}</mark>'
        )
    return "".join(parts)


def strengths(pieces: Sequence[TextPiece]) -> list[float]:
    """Contributions as shares of the strongest, from -1 to 1."""
    most = max((abs(piece.contribution) for piece in pieces), default=0.0) or 1.0
    return [piece.contribution / most for piece in pieces]


def headline(explanation: Explanation | Occlusion) -> str:
    """The decision, in a sentence."""
    if isinstance(explanation.label, tuple):
        return _set_headline(explanation.label, explanation)
    first, second = explanation.ranking[:2]
    sure = ""
    if explanation.probabilities is not None:
        of = dict(zip(explanation.labels, explanation.probabilities.tolist(), strict=True))
        sure = f" ({of[first]:.0%} sure; next {quote(second)}, {of[second]:.0%})"
    if explanation.label is None:
        return f"Undecided; {quote(first)} is nearest{sure}."
    return f"{quote(str(explanation.label))}{sure}."


def _set_headline(given: tuple[str, ...], explanation: Any) -> str:
    """The labels that were given, with their probabilities; else the one that came nearest."""
    sure = {
        item.label: "" if item.probability is None else f" ({item.probability:.0%})" for item in explanation.decisions
    }
    named = [f"{quote(label)}{sure[label]}" for label in explanation.ranking if label in given]
    if named:
        return f"{named[0] if len(named) == 1 else ', '.join(named[:-1]) + ' and ' + named[-1]}."
    nearest = labels_to_show(explanation)[-1] or explanation.shown
    return f"No label; {quote(nearest)}{sure[nearest]} is nearest to being given."


def removal_sentence(explanation: Explanation | Occlusion, label: str | None = None) -> str:
    """What the decision, or whether a label of a set is given, hangs on, in a sentence."""
    if not explanation.text.strip():
        return "There is no word in it: this is what the model says of a text of which it knows nothing."
    asked: Any = explanation
    about: LabelDecision | None = asked.decision_about(label) if explanation.of_sets else None
    removal = explanation.smallest_removal() if about is None else asked.smallest_removal(about.label)
    if removal is None:
        changes = "the decision" if about is None else f"whether {quote(about.label)} is given"
        return (
            f"No removal of words was found that changes {changes}: one word ({MOST_ALONE} at most), two (of the "
            f"{MOST_PAIRED} most telling), and more and more of them up to all, the most telling first, were tried."
        )
    words = [quote(word) for word in removal.words]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    if about is not None:
        return f"Without {listed} it would {'not ' if about.given else ''}be given {quote(about.label)}."
    decided = "it would be undecided" if removal.label is None else f"it would be {quote(str(removal.label))}"
    return f"Without {listed} {decided}."


def default_rival(explanation: Explanation) -> str | None:
    """Which class the decision is shown against where nobody says.

    Log probabilities (naive Bayes) are all below zero, and only their differences between classes say anything.
    """
    return explanation.ranking[1] if explanation.model.link == "posterior" and len(explanation.labels) > 2 else None


def readable(item: CentroidFeature | FeatureContribution | FeatureWeight) -> str:
    """A feature's name; that of characters in quotes, as spaces count there; ≈ before a word by its vector."""
    if item.kind == "vector":
        return f"≈ {item.feature}"
    return f"“{item.feature}”" if item.kind == "char" else item.feature


def by_label(labels: Sequence[str], values: Any) -> dict[str, float]:
    """A number for each class."""
    return dict(zip(labels, map(float, values), strict=True))
