"""How a corpus shows itself, in a terminal and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.suggest import counted, excerpt, quote
from assay.tables import Table, page_html

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.data.corpus.split import Split

__all__ = ["corpus_html", "corpus_line", "split_html"]

_SHOWN_CLASSES = 6
_SHOWN_ROWS = 5
_SHOWN_PARTS = 20  # classes of a split


def corpus_line(corpus: Corpus) -> str:
    """One line: how many texts, which classes, from where."""
    return f"<Corpus: {counted(len(corpus), 'text', 'texts')}, {_classes(corpus)}, from {corpus.source}>"


def corpus_html(corpus: Corpus) -> str:
    """The line and the first rows as a table."""
    sets = corpus.task == "label-sets"
    rows = [(excerpt(row.text, 120)[1:-1], row.shown_label or "") for row in corpus[:_SHOWN_ROWS]]
    table = Table(f"The first {counted(len(rows), 'row', 'rows')}", ("text", "labels" if sets else "label"), rows)
    return page_html(corpus_line(corpus)[1:-1], [table], corpus.notes)


def split_html(split: Split) -> str:
    """How many texts of each class went into each part."""
    names = tuple(split.report.sizes)
    rows = [("all", *(f"{size:,}" for size in split.report.sizes.values()))]
    if split[0].labels is not None:
        counts = [part.class_counts for part in split]
        rows += [(name, *(f"{n[k]:,}" for n in counts)) for k, name in enumerate(split[0].label_names[:_SHOWN_PARTS])]
        left_out = len(split[0].label_names) - _SHOWN_PARTS
        if left_out > 0:
            rows.append((f"{left_out:,} more", *(f"{n[_SHOWN_PARTS:].sum():,}" for n in counts)))
    kind = "class" if split[0].task == "labels" else "label"
    heading = f"Split of {split[0].source}: {', '.join(names)}"
    return page_html(heading, [Table("Texts", (kind, *names), rows)], split.notes)


def _classes(corpus: Corpus) -> str:
    if corpus.labels is None:
        return "no labels"
    sizes = [(n, name) for name, n in zip(corpus.label_names, corpus.class_counts, strict=True) if n]
    shown = ", ".join(f"{quote(name)} {n:,}" for n, name in sizes[:_SHOWN_CLASSES])
    more = f" and {len(sizes) - _SHOWN_CLASSES} more" if len(sizes) > _SHOWN_CLASSES else ""
    if corpus.task == "label-sets":
        mean = len(corpus.label_sets.members) / max(len(corpus), 1)
        return f"{counted(len(sizes), 'label', 'labels')}, {mean:.2f} a text" + (f" ({shown}{more})" if shown else "")
    return f"{counted(len(sizes), 'class', 'classes')} ({shown}{more})"
