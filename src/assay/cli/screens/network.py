"""A network as a person reads it: what it was made of, its size, and how it learned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.screens.excerpts import excerpt
from assay.cli.screens.model import class_counts, made_by, trained_on
from assay.cli.screens.tables import indented, plain_table
from assay.modelfile.provenance import MadeBy
from assay.suggest import counted
from assay.terminal import visible

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["is_network", "network_facts", "reads_whole_texts", "show_network"]

SHOWN_CLASSES = 20


def is_network(model: Any) -> bool:
    """Whether a classifier is a network."""
    return hasattr(model, "history_")


def reads_whole_texts(model: Any) -> bool:
    """Whether a linear model has features that stand nowhere in a text, such as sentence vectors of an encoder."""
    from assay.explanation.columns import of_whole_texts

    inside = model.model
    return any(map(of_whole_texts, getattr(inside, "features", ()))) and inside.decision.has_probabilities


def network_facts(model: Any, path: str) -> dict[str, Any]:
    """What there is to know about the file of a network, JSON-ready."""
    inside = model.model
    return {
        "kind": "network",
        "version": 1,
        "file": path,
        "bytes": Path(path).stat().st_size,
        "network": type(model).__name__,
        "labels": list(model.labels),
        "label_type": inside.label_type,
        "settings": inside.network.settings,
        "n_parameters": inside.n_parameters,
        "has_probabilities": inside.decision.has_probabilities,
        "history": model.history_.to_dict(),
        "lineage": None if model.record.lineage is None else model.record.lineage.to_dict(),
        "provenance": model.provenance,
    }


def show_network(facts: dict[str, Any], console: Console) -> None:
    """Print what `network_facts` found."""
    from rich.text import Text

    n = len(facts["labels"])
    console.print(Text(f"{visible(facts['file'])}: a network of {n:,} classes, {facts['bytes'] / 1e6:,.1f} MB", "bold"))
    console.print()
    rows = plain_table()
    rows.add_column("", style="dim")
    rows.add_column("", overflow="fold")
    rows.show_header = False
    for name, value in _described(facts):
        rows.add_row(name, visible(value))
    console.print(indented(rows))
    console.print()
    table = plain_table()
    table.add_column("class", overflow="fold")
    table.add_column("texts", justify="right")
    counts = class_counts(facts)
    for label in facts["labels"][:SHOWN_CLASSES]:
        table.add_row(excerpt(label, 40), f"{counts[label]:,}" if label in counts else "")
    if n > SHOWN_CLASSES:
        table.add_row(counted(n - SHOWN_CLASSES, "more class", "more classes"), "", style="dim")
    console.print(indented(table))


def _described(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is worth a line, with its name."""
    made = facts["provenance"]
    yield from trained_on(made)
    yield "network", str(MadeBy.told_in(made, "learner") or facts["network"])
    yield "sizes", ", ".join(f"{name} {value}" for name, value in facts["settings"].items())
    yield "parameters", f"{facts['n_parameters']:,}"
    history = facts["history"]
    yield "epochs", f"{len(history['epochs'])}, the best was number {history['best']}"
    yield "probabilities", "yes" if facts["has_probabilities"] else "no: scores only"
    yield from made_by(facts)
