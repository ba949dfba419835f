"""Words as points in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from assay.errors import ParameterError
from assay.figures import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from assay.embeddings.word_vectors import WordVectors

__all__ = ["draw_map", "principal_plane"]


def draw_map(vectors: WordVectors, words: Sequence[str]) -> Figure:
    """A figure with each word at its place in the `principal_plane`."""
    if len(words) < 3:
        raise ParameterError(f"A map needs at least 3 words. Got {len(words)}.")
    places, shares = principal_plane(vectors[words])
    figure = new_figure(7.0, 5.6)
    axes = figure.add_subplot()
    axes.scatter(places[:, 0], places[:, 1], s=12, color="#0072B2", gid="words")
    for word, (x, y) in zip(words, places, strict=True):
        axes.annotate(word, (x, y), xytext=(3, 3), textcoords="offset points", fontsize=9, parse_math=False)
    axes.set_xlabel(f"first principal component ({shares[0]:.0%} of the variance)")
    axes.set_ylabel(f"second principal component ({shares[1]:.0%})")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def principal_plane(rows: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Places of rows along the two directions in which they differ most, (n, 2), and the shares of variance.

    The sign of a direction is that which makes its greatest place positive.

    Examples
    --------
    >>> places, shares = principal_plane(np.array([[0, 0, 5], [2, 0, 5], [4, 1, 5]], dtype=np.float32))
    >>> places.round(1).tolist(), shares.round(2).tolist()
    ([[-2.0, -0.2], [-0.1, 0.3], [2.1, -0.2]], [0.98, 0.02])
    """
    centred = rows.astype(np.float64) - rows.mean(axis=0, dtype=np.float64)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    variance = (sizes**2).sum()
    left, sizes = np.hstack([left, np.zeros((len(rows), 1))])[:, :2], np.append(sizes, 0.0)[:2]
    places = left * sizes
    signs = np.sign(places[np.abs(places).argmax(axis=0), [0, 1]])
    shares = sizes**2 / variance if variance > 0 else np.zeros(2)
    return places * np.where(signs == 0, 1, signs), shares
