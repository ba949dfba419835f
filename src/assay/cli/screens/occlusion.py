"""``assay explain`` for models without a weight a word: what a decision loses with each word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.suggest import quote

if TYPE_CHECKING:
    from rich.console import Console

    from assay.explanation.occlusion import Occlusion

__all__ = ["explain_network"]


def explain_network(
    classifier: Any,
    text: str,
    *,
    label: str | None,
    against: str | None,
    top: int,
    html: str | None,
    where: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show, print or write what leaving words out shows about a text; the page calls the model `where`."""
    from assay.explanation.occlusion import occlude

    occlusion = occlude(classifier, text)  # a linear model over sentence vectors has an exact explanation, by columns
    if as_json:
        from assay.cli.screens.console import print_json

        print_json(occlusion.to_dict(label, against))
    else:
        from assay.cli.screens.console import results

        show_occlusion(occlusion, results(), label=label, against=against, top=top)
    if html is not None:
        from assay.atomic_file import write_atomically
        from assay.cli.screens.console import notes
        from assay.explanation.presentation import explanation_page
        from assay.terminal import visible

        page = explanation_page(occlusion.to_html(label, against, top), where=where)
        write_atomically(html, page.encode("utf-8", "replace"))
        notes(quiet=quiet or as_json).print(f"→ {visible(html)}", soft_wrap=True)


def show_occlusion(occlusion: Occlusion, console: Console, *, label: str | None, against: str | None, top: int) -> None:
    """The decision, the coloured text, the words, which of them it hangs on, and that this is not exact."""
    from rich.padding import Padding
    from rich.text import Text

    from assay.cli.screens.explanation import WIDEST, coloured_text, word_table
    from assay.cli.screens.tables import indented
    from assay.explanation.occlusion_view import HOW_OCCLUSION
    from assay.explanation.presentation import headline, removal_sentence
    from assay.terminal import visible

    width = min(console.width, WIDEST)
    pieces = occlusion.pieces(label, against)  # complains about a label before anything is printed
    shown = occlusion.label if label is None else label
    versus = f" against {quote(against)}" if against else ""
    console.print(Text(visible(headline(occlusion)), style="bold"), width=width)
    console.print()
    console.print(Padding(coloured_text(pieces), (0, 0, 0, 2), expand=False), width=width)
    console.print()
    console.print(Text(visible(f"What {quote(shown)} loses{versus} without each word:")), width=width)
    console.print(indented(word_table(pieces, top)))
    console.print()
    console.print(Text(visible(removal_sentence(occlusion.smallest_removal()))), width=width)
    console.print(Text(HOW_OCCLUSION, style="dim"), width=width)
