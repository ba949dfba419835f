"""What leaving words out showed, as JSON, as plain text and as HTML; each says that it is not exact."""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any

from assay.explanation.presentation import STYLE, by_label, coloured_html, headline, removal_sentence
from assay.suggest import quote

if TYPE_CHECKING:
    from assay.explanation.occlusion import Occlusion

__all__ = ["HOW_OCCLUSION", "occlusion_dict", "occlusion_html", "occlusion_text"]

HOW_OCCLUSION = (
    "Not exact: each word was left out once, and what the probability lost is shown (occlusion). What words do "
    "together is not seen in it."
)


def occlusion_dict(occlusion: Occlusion, label: str | None = None, against: str | None = None) -> dict[str, Any]:
    """JSON-ready."""
    removal = occlusion.smallest_removal(label)
    words = [piece for piece in occlusion.pieces(label, against) if piece.is_word]
    return {
        "kind": "occlusion",
        "version": 1,
        "exact": False,
        "method": HOW_OCCLUSION,
        "text": occlusion.text,
        "label": occlusion.label,
        "probabilities": by_label(occlusion.labels, occlusion.probabilities),
        **({"labels": [asdict(item) for item in occlusion.decisions]} if occlusion.of_sets else {}),
        "of": occlusion.shown if label is None else label,
        "against": against,
        "pieces": [{"start": p.start, "end": p.end, "text": p.text, "contribution": p.contribution} for p in words],
        "smallest_removal": None if removal is None else {"words": list(removal.words), "label": removal.label},
    }


def occlusion_text(occlusion: Occlusion, top: int = 10) -> str:
    """Plain text for a person."""
    words = occlusion.top(top)
    width = max((len(word.text) for word in words), default=0)
    lines = [f"  {word.text:{width}}  {word.contribution:+z.4f}" for word in words]
    return "\n".join([headline(occlusion), "", *lines, "", removal_sentence(occlusion), HOW_OCCLUSION])


def occlusion_html(occlusion: Occlusion, label: str | None = None, against: str | None = None, top: int = 10) -> str:
    """The text with its words coloured, and the words in a table."""
    shown = occlusion.shown if label is None else label
    question = f"What {quote(shown)} loses" + (f" against {quote(against)}" if against else "") + " without each word"
    rows = "".join(
        f"<tr><td>{escape(word.text)}</td><td>{word.contribution:+z.4f}</td></tr>"
        for word in occlusion.top(top, label, against)
    )
    return (
        f'<div class="assay-explanation"><style>{STYLE}</style>'
        f"<p><strong>{escape(headline(occlusion))}</strong></p><p>{escape(question)}:</p>"
        f'<p class="text" dir="auto">{coloured_html(occlusion.pieces(label, against))}</p>'
        '<div class="wide"><table><thead><tr><th>word</th><th>loss of probability</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        f"<p>{escape(removal_sentence(occlusion, label))}</p><p><small>{HOW_OCCLUSION}</small></p></div>"
    )
