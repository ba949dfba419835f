"""The confusion matrix of many classes as a drawing: only what is not zero is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

__all__ = ["matrix_figure"]

SIDE = 12  # of a cell
MOST_CLASSES = 100
LONGEST_NAME = 26
CELL = Markup('<rect {0} width="{1}" height="{1}" class="{2}" fill-opacity="{3}"><title>{4}</title></rect>')


def matrix_figure(labels: Sequence[str], counts: NDArray[Any]) -> Markup:
    """SVG in the colours of the page; pointing at a cell says what it is.

    Where there are more than 100 classes, those with the most mistakes are drawn.
    """
    mistakes = counts.sum(axis=0) + counts.sum(axis=1) - 2 * np.diag(counts)
    drawn = np.sort(np.argsort(-mistakes, kind="stable")[:MOST_CLASSES])
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    names = [_short(labels[k]) for k in drawn]
    margin = 6 * max(map(len, names)) + 8
    size = len(drawn) * SIDE
    parts = [
        Markup('<svg role="img" viewBox="0 0 {0} {0}" class="large-matrix" aria-label="Confusion matrix">').format(
            margin + size + 2
        ),
        Markup('<rect x="{0}" y="{0}" width="{1}" height="{1}" class="ground"/>').format(margin, size),
    ]
    for i, name in enumerate(names):
        middle = margin + (i + 0.75) * SIDE
        parts.append(Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(margin - 4, middle, name))
        parts.append(
            Markup('<text transform="translate({} {}) rotate(-90)">{}</text>').format(middle, margin - 4, name)
        )
    for i, truth in enumerate(drawn):
        for j in np.flatnonzero(counts[truth, drawn]):
            said = drawn[j]
            place = Markup('x="{}" y="{}"').format(margin + j * SIDE, margin + i * SIDE)
            kind = "right" if truth == said else "wrong"
            opacity = f"{0.15 + 0.85 * float(shares[truth, said]):.2f}"
            title = f"{counts[truth, said]} of “{labels[truth]}” said to be “{labels[said]}”"
            parts.append(CELL.format(place, SIDE - 1, kind, opacity, title))
    return Markup("").join([*parts, Markup("</svg>")])


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
