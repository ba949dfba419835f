"""What a model has learned, as a page of HTML that needs no other file."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from assay.data.corpus.spellings import shown_labels
from assay.explanation.presentation import explanation_page, readable, shortened
from assay.page import in_parts, with_interval
from assay.suggest import counted

if TYPE_CHECKING:
    from assay.explanation.importance import GroupImportance
    from assay.explanation.prototypes import ClassPrototype
    from assay.explanation.weights import FeatureWeight

__all__ = ["model_page"]

_LONGEST = 600  # characters of a text
_EXAMPLE = "for example"
_END = "</section>"


def model_page(
    features: Mapping[str, list[FeatureWeight]] | None = None,
    prototypes: Mapping[str, ClassPrototype] | None = None,
    groups: GroupImportance | None = None,
    *,
    where: str = "",
) -> str:
    """Features that speak for each class, what each class is like, and what groups of features are worth."""
    parts = []
    if features is not None:
        shown = [
            _features(label, items) for label, items in zip(shown_labels(features), features.values(), strict=True)
        ]
        parts += ['<section><h2>What speaks for each class</h2><div class="classes">', *shown, "</div>", _END]
    if prototypes is not None:
        parts += ["<section><h2>What each class is like</h2>", *map(_prototype, prototypes.values()), _END]
    if groups is not None:
        parts += ["<section><h2>What each group of features is worth</h2>", *_groups(groups), _END]
    return explanation_page("".join(parts), "What has the model learned?", where)


def _features(label: str, items: list[FeatureWeight]) -> str:
    in_texts = any(item.inside is not None for item in items)
    leads = any(item.lead is not None for item in items)
    heads = ["feature", "weight", *(["lead"] * leads), *(["texts here", "elsewhere", _EXAMPLE] if in_texts else [])]
    rows = []
    for item in items:
        cells = [readable(item), f"{item.weight:+.4f}", *([] if item.lead is None else [f"{item.lead:+.4f}"])]
        if in_texts:
            cells += [f"{item.inside or 0:,}", f"{item.outside or 0:,}", item.example or ""]
        rows.append(cells)
    kind = "card whole" if in_texts else "card"
    return f'<div class="{kind}"><h3>{in_parts(label)}</h3>{_table(heads, rows)}</div>'


def _groups(groups: GroupImportance) -> list[str]:
    tables = [(table.title, list(table.headers), [list(row) for row in table.rows]) for table in groups.tables()]
    notes = [f'<p class="soft">{escape(note)}</p>' for note in groups.notes]
    return [f"<p>{escape(title)}.</p>{_table(heads, rows)}" for title, heads, rows in tables] + notes


def _prototype(prototype: ClassPrototype) -> str:
    rows = [[readable(item), f"{item.inside:.4f}", f"{item.outside:.4f}"] for item in prototype.features]
    documents = "".join(
        f"<li><p><strong>{document.similarity:.2f}</strong> document {document.position + 1:,}</p>"
        f'<p class="text" dir="auto">{escape(shortened(document.text, _LONGEST))}</p></li>'
        for document in prototype.documents
    )
    heads = ["feature", "mean here", "elsewhere"]
    return (
        f"<h3>{in_parts(prototype.label)}</h3><p>{counted(prototype.n_documents, 'document', 'documents')}; the most "
        f"typical, by their cosine with the mean of all:</p><ol>{documents}</ol>{_table(heads, rows)}"
    )


def _table(heads: list[str], rows: list[list[str]]) -> str:
    # Where there are examples, a phone has no room for weights as well.
    optional = ("weight", "lead") if _EXAMPLE in heads else ()
    kinds = [' class="words"' * (name == _EXAMPLE) + ' class="optional"' * (name in optional) for name in heads]
    head = "".join(f"<th{kind}>{name}</th>" for name, kind in zip(heads, kinds, strict=True))
    lines = ("".join(f"<td{k}>{with_interval(cell)}</td>" for cell, k in zip(row, kinds, strict=True)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div class="wide"><table class="measured"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )
