"""``assay demo``: what assay does, on the sample that comes with it."""

from __future__ import annotations

from dataclasses import asdict
from itertools import zip_longest
from typing import TYPE_CHECKING

from assay.cli.options import Json

if TYPE_CHECKING:
    from rich.table import Table

    from assay.explanation.log_odds import TellingNgram

__all__ = ["demo_cli"]

INTRODUCTION = (
    "Messages that customers send to a shop, each with what it is about. They were written for assay and come with it."
)
EXPLANATION = (
    "What tells the classes apart: words and pairs of words that are clearly more frequent in the messages of one "
    "class than in the others, the clearest first; beside them, how many messages of that class, and how many others, "
    "contain them."
)
NEXT = """\
What to try next
  assay inspect FILE     the same look at your data: CSV, JSON Lines, a folder …
  assay inspect --help   unusual column names, other encodings, output as JSON
  assay --help           all commands"""


def demo_cli(as_json: Json = False) -> None:
    """Show what assay does, on a small data set of its own."""
    from assay.cli.console import print_json, results
    from assay.cli.profile_tables import show_profile
    from assay.cli.tables import indented
    from assay.explanation.log_odds import telling_ngrams
    from assay.samples import load_sample

    corpus = load_sample()
    profile = corpus.profile()
    telling = telling_ngrams(corpus)
    if as_json:
        ngrams = {label: [asdict(item) for item in found] for label, found in telling.items()}
        print_json({"profile": profile.to_dict(), "telling_ngrams": ngrams})
        return
    console = results()
    width = min(console.width, 100)
    console.print(INTRODUCTION, width=width)
    console.print()
    show_profile(profile, console, name="The sample")
    console.print()
    console.print(EXPLANATION, width=width)
    console.print()
    console.print(indented(telling_table(telling)))
    console.print()
    console.print(NEXT, soft_wrap=True)


def telling_table(telling: dict[str, list[TellingNgram]]) -> Table:
    """A column for each class: its most telling n-grams, and in how many texts inside and outside they occur."""
    from rich.text import Text

    from assay.cli.tables import plain_table
    from assay.cli.text import visible

    table = plain_table()
    for label in telling:
        table.add_column(visible(label))
    for row in zip_longest(*telling.values()):
        table.add_row(
            *(
                Text.assemble((visible(item.ngram), "cyan"), (f" {item.inside}/{item.outside}", "dim")) if item else ""
                for item in row
            )
        )
    return table
