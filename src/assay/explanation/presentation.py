"""An explanation as JSON, as plain text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any

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
    "default_rival",
    "explanation_dict",
    "explanation_html",
    "explanation_page",
    "explanation_text",
    "headline",
    "nearest_html",
    "readable",
    "removal_sentence",
    "shortened",
    "strengths",
]

# Blue speaks for the class, orange against it: readers with any kind of colour vision can tell them apart, and both
# are readable under black and under white letters.
STYLE = (
    ".assay-explanation mark { color: inherit; background: none; border-radius: 4px; }"
    ".assay-explanation mark.for { background: rgba(0, 114, 178, calc(var(--s) * .55)); }"
    ".assay-explanation mark.against { background: rgba(213, 94, 0, calc(var(--s) * .55)); }"
    ".assay-explanation .text { line-height: 1.9; white-space: pre-wrap; overflow-wrap: break-word; }"
)
FAINTEST = 0.06  # of the strongest word; what is fainter is left uncoloured


def explanation_dict(
    explanation: Explanation,
    label: str | None = None,
    against: str | None = None,
    top: int | None = None,
    nearest: Sequence[NearDocument] | None = None,
) -> dict[str, Any]:
    """JSON-ready."""
    shown = explanation.ranking[0] if label is None else label
    removal = explanation.smallest_removal()
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
    lines = [headline(explanation), ""]
    width = max([len("bias"), *(len(readable(item)) for item in explanation.top(top, None, against))])
    for item in explanation.top(top, None, against):
        lines.append(f"  {readable(item):{width}}  {item.contribution:+z.4f}")
    lines.append(f"  {'bias':{width}}  {explanation.bias_for(None, against):+z.4f}")
    lines += ["", removal_sentence(explanation)]
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
    shown = explanation.ranking[0] if label is None else label
    question = f"What speaks for {quote(shown)}" + (f" and not {quote(against)}" if against else "")
    rows = "".join(
        f"<tr><td>{in_parts(readable(item))}</td><td>{item.value:.4f}</td><td>{item.weight:+z.4f}</td>"
        f"<td>{item.contribution:+z.4f}</td></tr>"
        for item in explanation.top(top, label, against)
    )
    bias, score = explanation.bias_for(label, against), explanation.score_for(label, against)
    return (
        f'<div class="assay-explanation"><style>{STYLE}</style>'
        f"<p><strong>{escape(headline(explanation))}</strong></p><p>{escape(question)}:</p>"
        f'<p class="text" dir="auto">{coloured_html(explanation.pieces(label, against))}</p>'
        '<div class="wide"><table><thead><tr><th>feature</th><th>value</th><th>weight</th><th>contribution</th></tr>'
        f"</thead><tbody>{rows}<tr><td>bias</td><td></td><td></td><td>{bias:+z.4f}</td></tr>"
        f"<tr><td>{all_of(len(explanation.columns), 'feature', 'features')} and "
        f"bias</td><td></td><td></td><td>{score:+z.4f}</td></tr></tbody></table></div>"
        f"<p>{escape(removal_sentence(explanation))}</p>{nearest_html(nearest)}</div>"
    )


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
    first, second = explanation.ranking[:2]
    sure = ""
    if explanation.probabilities is not None:
        of = dict(zip(explanation.labels, explanation.probabilities.tolist(), strict=True))
        sure = f" ({of[first]:.0%} sure; next {quote(second)}, {of[second]:.0%})"
    if explanation.label is None:
        return f"Undecided; {quote(first)} is nearest{sure}."
    return f"{quote(explanation.label)}{sure}."


def removal_sentence(explanation: Explanation | Occlusion) -> str:
    """What the decision hangs on, in a sentence."""
    if not explanation.text.strip():
        return "There is no word in it: this is what the model says of a text of which it knows nothing."
    removal = explanation.smallest_removal()
    if removal is None:
        return (
            f"No removal of words was found that changes the decision: one word ({MOST_ALONE} at most), two (of the "
            f"{MOST_PAIRED} most telling), and more and more of them up to all, the most telling first, were tried."
        )
    words = [quote(word) for word in removal.words]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    decided = "it would be undecided" if removal.label is None else f"it would be {quote(removal.label)}"
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
