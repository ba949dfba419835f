"""An explanation on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from assay.cli.screens.tables import indented, plain_table
from assay.explanation.presentation import (
    decision_sentence,
    default_rival,
    headline,
    labels_to_show,
    readable,
    removal_sentence,
    strengths,
    threshold_rows,
)
from assay.suggest import quote
from assay.terminal import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from assay.explanation.decision import Explanation
    from assay.explanation.nearest import NearDocument
    from assay.explanation.words import TextPiece

__all__ = ["coloured_text", "show_explanation"]

# Black letters on three tints each, which are readable on dark and on light terminals. Where there are no colours,
# what speaks most for the class is bold, and what speaks most against it is underlined.
FOR = ("black on #cfe5f5", "black on #8cc4ea", "bold black on #4aa3df")
AGAINST = ("black on #fbe0cc", "black on #f5b585", "underline black on #ee8c45")
STEPS = (0.12, 0.35, 0.7)
WIDEST = 100
BESIDE = 80  # columns from which two tables stand side by side


def show_explanation(
    explanation: Explanation,
    console: Console,
    *,
    label: str | None = None,
    against: str | None = None,
    top: int = 10,
    nearest: Sequence[NearDocument] | None = None,
) -> None:
    """The decision, the coloured text, the words and the features, and which words the decision hangs on."""
    if label is None and against is None:
        against = default_rival(explanation)
    width = min(console.width, WIDEST)
    explanation.contributions_to(label, against)  # complains about a label before anything is printed
    console.print(Text(visible(headline(explanation)), style="bold"), width=width)
    if explanation.of_sets:
        console.print()
        console.print(indented(decision_table(explanation)))
    for name in labels_to_show(explanation, label):
        show_label(explanation, console, name, against, top, width)
    if nearest is not None:
        show_nearest(nearest, console, width)


def show_label(
    explanation: Explanation, console: Console, label: str | None, against: str | None, top: int, width: int
) -> None:
    """The coloured text, the words and the features of one label, and which words it hangs on."""
    shown = explanation.shown if label is None else label
    pieces = explanation.pieces(label, against)
    console.print()
    if explanation.of_sets:
        console.print(Text(visible(decision_sentence(explanation.decision_about(label))), style="bold"), width=width)
        console.print()
    console.print(Padding(coloured_text(pieces), (0, 0, 0, 2), expand=False), width=width)
    console.print()
    versus = f" and not {quote(against)}" if against else ""
    console.print(Text(visible(f"What speaks for {quote(shown)}{versus}, by word and by feature:")), width=width)
    words, features = word_table(pieces, top), feature_table(explanation, label, against, top)
    if console.width >= BESIDE:
        grid = Table.grid(padding=(0, 6, 0, 0))
        grid.add_row(words, features)
        console.print(indented(grid))
    else:
        console.print(indented(words), "", indented(features), sep="\n")
    console.print()
    console.print(Text(visible(removal_sentence(explanation, label))), width=width)


def decision_table(explanation: Explanation) -> Table:
    """Every label of a set: whether it is given, its probability and its threshold."""
    table = plain_table("label", "", numbers=["probability", "given from", "distance"])
    for item in explanation.decisions:
        style = "bold" if item.given else ""
        numbers = (item.probability, item.threshold), ("" if item.distance is None else f"{item.distance:+z.3f}")
        told = ["" if number is None else f"{number:.1%}" for number in numbers[0]]
        table.add_row(Text(visible(item.label), style=style), "given" if item.given else "", *told, numbers[1])
    return table


def show_nearest(nearest: Sequence[NearDocument], console: Console, width: int) -> None:
    """The documents most like the text."""
    console.print()
    console.print(Text("The documents most like it:" if nearest else "No document has a feature of the text."))
    for near in nearest:
        told = f"  {near.similarity:.2f}  {'' if near.label is None else visible(near.label) + ', '}"
        told += f"document {near.position + 1:,}; shared: {visible(', '.join(near.shared))}"
        console.print(Text(told), width=width)
        console.print(Padding(Text(one_line(near.text, 240), style="dim"), (0, 0, 0, 8), expand=False), width=width)


def word_table(pieces: Sequence[TextPiece], top: int) -> Table:
    """Words with what all their features contribute, the most first."""
    total: dict[str, float] = {}
    for piece in pieces:
        if piece.is_word and piece.contribution:
            total[piece.text] = total.get(piece.text, 0.0) + piece.contribution
    table = plain_table("word", numbers=["contribution"])
    for word in sorted(total, key=lambda word: -abs(total[word]))[:top]:
        table.add_row(visible(word), signed(total[word]))
    return table


def feature_table(explanation: Explanation, label: str | None, against: str | None, top: int) -> Table:
    """Features, those that are left together, bias and score."""
    items = explanation.top(top, label, against)
    table = plain_table("feature", numbers=["value", "weight", "contribution"])
    for item in items:
        table.add_row(visible(readable(item)), f"{item.value:.3f}", f"{item.weight:+.3f}", signed(item.contribution))
    left = explanation.contributions_to(label, against).sum() - sum(item.contribution for item in items)
    if (others := len(explanation.columns) - len(items)) > 0:
        table.add_row(Text(f"{others:,} more", style="dim"), "", "", f"{left:+z.4f}")
    table.add_row(Text("bias", style="dim"), "", "", f"{explanation.bias_for(label, against):+z.4f}")
    score = f"{explanation.score_for(label, against):+z.4f}"
    table.add_row(Text("score", style="bold"), "", "", Text(score, style="bold"))
    for name, value in threshold_rows(explanation, label):
        table.add_row(Text(name, style="dim"), "", "", f"{value:+z.4f}")
    return table


def signed(contribution: float) -> Text:
    """A number in the colour of its side."""
    return Text(f"{contribution:+z.4f}", style="blue" if contribution > 0 else "dark_orange3")


def coloured_text(pieces: Sequence[TextPiece]) -> Text:
    """The text, its words coloured by what they contribute."""
    text = Text()
    for piece, strength in zip(pieces, strengths(pieces), strict=True):
        step = sum(abs(strength) >= least for least in STEPS)
        style = "" if step == 0 else (FOR if strength > 0 else AGAINST)[step - 1]
        text.append(visible(piece.text), style=style)
    return text
