"""Pictures of tables: a matrix as shades, a vector as bars, words on a map."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from assay.textbook.cooccurrence import Cooccurrence
from assay.textbook.counting import SymbolCounts
from assay.textbook.metrics import Confusion
from assay.textbook.naive_bayes import NaiveBayes
from assay.textbook.rendering.numbers import show_number
from assay.textbook.rendering.pictures.style import CLASS_COLOURS, FAINT, new_figure, write_words
from assay.textbook.set_averages import SetAverages
from assay.textbook.svd import SVD
from assay.textbook.vectors import vocabulary

if TYPE_CHECKING:
    from assay.textbook.trace import Trace

__all__ = ["bars", "matrix", "no_bars", "no_matrix", "no_word_map", "word_map"]

_MOST_CELLS = 900
_MOST_BARS = 30


def no_matrix(trace: Trace) -> str | None:
    """Say why the table cannot be drawn."""
    rows, columns, _, _ = _table(trace)
    n = len(rows) * len(columns)
    return None if n <= _MOST_CELLS else f"A matrix of {n} cells is too large to draw. Show fewer documents or words."


def matrix(trace: Trace) -> Figure:
    """Draw a table of numbers as shades with the numbers on them."""
    rows, columns, values, title = _table(trace)
    longest = max(map(len, columns))
    wide = min(max(0.62, 0.085 * longest + 0.25), 1.5)
    figure, (ax,) = new_figure(max(4.4, wide * len(columns) + 2.0), max(2.4, 0.42 * len(rows) + 1.4))
    ax.imshow(values, cmap="Blues", aspect="auto", vmin=min(0.0, values.min()), vmax=values.max() * 1.25 or 1)
    ax.set_xticks(range(len(columns)), columns, rotation=0 if longest < 16 else 45)
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.xaxis.tick_top()
    for (i, j), value in np.ndenumerate(values):
        if value:
            dark = value > 0.62 * values.max() * 1.25
            ax.text(
                j, i, show_number(value, 3), ha="center", va="center", fontsize=8, color="white" if dark else "black"
            )
    ax.set_title(f"{trace.algorithm.title}: {title}")
    return figure


def _table(trace: Trace) -> tuple[list[str], list[str], np.ndarray[Any, Any], str]:
    """Give the rows' and columns' names, the numbers and a title."""
    result, given = trace.result, trace.arguments
    if isinstance(result, Confusion):
        names = [str(label) for label in result.labels]
        counts = [[result.counts[gold, system] for system in result.labels] for gold in result.labels]
        return (
            [f"gold {name}" for name in names],
            [f"system {name}" for name in names],
            np.array(counts, float),
            "decisions",
        )
    if isinstance(result, SetAverages):
        kinds = ("tp", "fp", "fn")
        numbers = [[float(getattr(outcomes, kind)) for kind in kinds] for outcomes in result.by_label.values()]
        return [str(label) for label in result.by_label], [kind.upper() for kind in kinds], np.array(numbers), "counts"
    if "documents" in given:
        words = given.get("words") or vocabulary(given["documents"], given.get("stop_words") or ())
        return [f"d{i + 1}" for i in range(len(result))], list(words), np.array(result, float), "documents by words"
    if "W" in given:
        windows = [step.seen for step in trace.steps]
        return windows, [f"filter {j + 1}" for j in range(result.shape[1])], result, "what each filter found where"
    n = len(given["X"])
    cosines = np.eye(n)
    for i, j, _, cosine in result:
        cosines[i, j] = cosines[j, i] = cosine
    names = [f"#{i + 1}" for i in range(n)]
    return names, names, cosines, "cosine similarity"


def no_bars(trace: Trace) -> str | None:
    """Say why bars cannot be drawn."""
    model = trace.arguments.get("model", trace.result)
    classes = getattr(model, "classes", (1, 2))
    if len(classes) != 2:
        return f"The bars compare two classes, and there are {len(classes)}. Read the steps instead."
    return None


def bars(trace: Trace) -> Figure:
    """Draw one number for each word or symbol, the largest at the top."""
    values, label = _named_values(trace)
    ranked = sorted(values.items(), key=lambda entry: entry[1])[-_MOST_BARS:]
    figure, (ax,) = new_figure(6.4, max(2.2, 0.27 * len(ranked) + 1.1))
    heights = [value for _, value in ranked]
    colours = [CLASS_COLOURS[0] if value >= 0 else CLASS_COLOURS[1] for value in heights]
    ax.barh(range(len(ranked)), heights, color=colours, height=0.7)
    ax.set_yticks(range(len(ranked)), [name for name, _ in ranked])
    ax.tick_params(axis="y", length=0)
    ax.axvline(0, color=FAINT, linewidth=0.8)
    for k, value in enumerate(heights):
        ax.annotate(
            show_number(value, 3),
            (value, k),
            xytext=(4 if value >= 0 else -4, 0),
            textcoords="offset points",
            ha="left" if value >= 0 else "right",
            va="center",
            fontsize=8,
        )
    ax.margins(x=0.12)
    ax.set_xlabel(label)
    ax.set_title(trace.title)
    if all(float(value).is_integer() for value in heights):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def _named_values(trace: Trace) -> tuple[dict[str, float], str]:
    result = trace.result
    if isinstance(result, SymbolCounts):
        first = result.labels[0]
        return {s: result.probability(first, s) for s in result.counts}, f"P({first} | symbol)"
    if isinstance(result, NaiveBayes):
        one, other = result.classes
        leads = {w: math.log(result.likelihood(w, one) / result.likelihood(w, other)) for w in result.words}
        return leads, f"ln P(w | {one}) - ln P(w | {other})"
    if isinstance(result, Cooccurrence):
        word = trace.arguments.get("word") or max(result.words, key=lambda w: result.counts[w].total())
        return {w: float(n) for w, n in result.vector(word).items()}, f"times in the window of {word}"
    if "z" in trace.arguments:
        return {
            f"{step.seen}, z = {step.score:g}": share for step, share in zip(trace.steps, result, strict=True)
        }, "share"
    if "model" in trace.arguments:
        difference = trace.arguments["model"].as_binary(max(result, key=result.get))
        parts = zip(trace.steps, difference.w, trace.arguments["x"], strict=True)
        return {step.seen: w * x for step, w, x in parts}, f"for {difference.positive}, against {difference.negative}"
    return dict(result), "information gain in bits"


def no_word_map(trace: Trace) -> str | None:
    """Say why words cannot be put on a map."""
    return None if _positions(trace).shape[1] >= 2 else "A map needs two dimensions, and there is one."


def word_map(trace: Trace) -> Figure:
    """Draw each word at its first two dimensions."""
    figure, (ax,) = new_figure(6.8, 5.2)
    positions = _positions(trace)[:, :2]
    words = trace.result.words if hasattr(trace.result, "words") else trace.features
    words = words or [f"row {i + 1}" for i in range(len(positions))]
    ax.axhline(0, color="#dddddd", linewidth=0.8, zorder=0)
    ax.axvline(0, color="#dddddd", linewidth=0.8, zorder=0)
    ax.scatter(positions[:, 0], positions[:, 1], s=16, color=CLASS_COLOURS[0])
    ax.margins(0.1)
    write_words(ax, positions, list(words))
    ax.set_xlabel("first dimension")
    ax.set_ylabel("second dimension")
    ax.set_title(f"{trace.algorithm.title}: words on a map")
    return figure


def _positions(trace: Trace) -> np.ndarray[Any, Any]:
    if isinstance(trace.result, SVD):
        scaled: np.ndarray[Any, Any] = trace.result.U * trace.result.sigma
        return scaled
    average: np.ndarray[Any, Any] = trace.result.average
    return average
