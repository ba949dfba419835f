"""How a corpus shows itself, in a terminal and in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from assay.suggest import counted, excerpt, quote

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["corpus_html", "corpus_line"]

_SHOWN_CLASSES = 6
_SHOWN_ROWS = 5


def corpus_line(corpus: Corpus) -> str:
    """One line: how many texts, which classes, from where."""
    return f"<Corpus: {counted(len(corpus), 'text', 'texts')}, {_classes(corpus)}, from {corpus.source}>"


def corpus_html(corpus: Corpus) -> str:
    """The line and the first rows as a table."""
    rows = "".join(
        f"<tr><td>{escape(excerpt(text, 120)[1:-1])}</td><td>{escape(label or '')}</td></tr>"
        for text, label in corpus[:_SHOWN_ROWS]
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in corpus.notes)
    return (
        f"<div><p>{escape(corpus_line(corpus)[1:-1])}</p>"
        f"<table><thead><tr><th>text</th><th>label</th></tr></thead><tbody>{rows}</tbody></table>"
        f"{f'<ul>{notes}</ul>' if notes else ''}</div>"
    )


def _classes(corpus: Corpus) -> str:
    if corpus.labels is None:
        return "no labels"
    sizes = [(n, name) for name, n in zip(corpus.label_names, corpus.class_counts, strict=True) if n]
    shown = ", ".join(f"{quote(name)} {n:,}" for n, name in sizes[:_SHOWN_CLASSES])
    more = f" and {len(sizes) - _SHOWN_CLASSES} more" if len(sizes) > _SHOWN_CLASSES else ""
    return f"{counted(len(sizes), 'class', 'classes')} ({shown}{more})"
