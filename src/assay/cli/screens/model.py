"""A model or a network as a person reads it: what it was made of, what it knows, what weighs most."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.screens.tables import indented, plain_table
from assay.data.corpus.spellings import shown_labels
from assay.features.ngrams.text_features import Hashing, TextFeatures
from assay.suggest import counted, excerpt, quote
from assay.terminal import one_line, visible

if TYPE_CHECKING:
    from rich.console import Console

    from assay.classifier.text_classifier import TextClassifier

__all__ = ["model_facts", "network_facts", "show_model"]

SHOWN_CLASSES = 20
TOP = 5


def model_facts(model: TextClassifier, path: str, *, top: int = 10) -> dict[str, Any]:
    """What there is to know about a model file, JSON-ready."""
    from assay.explanation.weights import top_features

    inside = model.model
    weights = inside.weights
    return {
        "kind": "model",
        "version": 1,
        "file": path,
        "bytes": Path(path).stat().st_size,
        "labels": list(model.labels),
        "features": [block_facts(block) for block in inside.features],
        "n_features": inside.n_features,
        "weights": {"shape": list(weights.shape), "type": str(weights.dtype)},
        "bias": [float(value) for value in inside.bias],
        "link": inside.link,
        "calibration": None if inside.calibration is None else inside.calibration.method,
        "rule": None if inside.rule is None else inside.rule.kind,
        "has_probabilities": inside.decision.has_probabilities,
        "top_features": {
            label: [{"feature": item.feature, "kind": item.kind, "weight": item.weight} for item in found]
            for label, found in top_features(inside, top=top, by="weight").items()
        },
        "provenance": model.provenance,
    }


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
        "settings": inside.network.settings,
        "n_parameters": inside.n_parameters,
        "has_probabilities": inside.decision.has_probabilities,
        "history": model.history_.to_dict(),
        "provenance": model.provenance,
    }


def block_facts(block: Any) -> dict[str, Any]:
    """One block of columns: its kind; of n-grams, how texts are read and what becomes of counts."""
    if not isinstance(block, TextFeatures):
        return {"kind": block.kind, "columns": block.n_columns, "hashed": block.is_hashed}
    weighting = block.weighting
    return {
        "kind": "n-grams",
        "columns": block.n_columns,
        "hashed": isinstance(block.columns, Hashing),
        **block.analysis.to_dict(),
        "stop_words": len(block.analysis.stop_words),
        "binary": weighting.binary,
        "sublinear": weighting.sublinear,
        "idf": bool(len(weighting.idf)),
        "norm": weighting.norm,
    }


def show_model(facts: dict[str, Any], console: Console) -> None:
    """Print what `model_facts` or `network_facts` found."""
    from rich.text import Text

    n, kind = len(facts["labels"]), facts["kind"]
    console.print(Text(f"{visible(facts['file'])}: a {kind} of {n:,} classes, {facts['bytes'] / 1e6:,.1f} MB", "bold"))
    console.print()
    rows = plain_table()
    rows.add_column("", style="dim")
    rows.add_column("", overflow="fold")
    rows.show_header = False
    for name, value in described(facts) if kind == "model" else described_network(facts):
        rows.add_row(name, visible(value))
    console.print(indented(rows))
    console.print()
    table = plain_table()
    table.add_column("class", overflow="fold")
    table.add_column("texts", justify="right")
    telling = facts.get("top_features")  # a network has no weight a feature
    if telling is not None:
        table.add_column("what speaks most for it", overflow="fold")
    counts = part(part(facts["provenance"], "data"), "classes")
    names = shown_labels(facts["labels"])
    for name, label in zip(names[:SHOWN_CLASSES], facts["labels"], strict=False):
        cells = [one_line(name, 40), f"{counts[label]:,}" if isinstance(counts.get(label), int) else ""]
        if telling is not None:
            cells.append(", ".join(visible(excerpt(item["feature"], 40)) for item in telling[label][:TOP]))
        table.add_row(*cells)
    if n > SHOWN_CLASSES:
        table.add_row(counted(n - SHOWN_CLASSES, "more class", "more classes"), style="dim")
    console.print(indented(table))


def described(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is worth a line, with its name."""
    made = facts["provenance"]
    yield from trained_on(made)
    if "learner" in made:
        yield "learner", called(made["learner"])
    for number, block in enumerate(facts["features"]):
        yield ("features" if number == 0 else ""), block_text(block)
    yield "weights", " × ".join(f"{size:,}" for size in facts["weights"]["shape"]) + f", {facts['weights']['type']}"
    probabilities = "yes" if facts["has_probabilities"] else "no: scores only"
    if facts["calibration"]:
        probabilities += f", calibrated ({facts['calibration']})"
    yield "probabilities", probabilities
    if facts["rule"]:
        yield "decision rule", facts["rule"]
    yield from made_by(made)


def described_network(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The same of a network."""
    made = facts["provenance"]
    yield from trained_on(made)
    yield "network", called(made["learner"]) if "learner" in made else facts["network"]
    yield "sizes", ", ".join(f"{name} {value}" for name, value in facts["settings"].items())
    yield "parameters", f"{facts['n_parameters']:,}"
    history = facts["history"]
    yield "epochs", f"{len(history['epochs'])}, the best was number {history['best']}"
    yield "probabilities", "yes" if facts["has_probabilities"] else "no: scores only"
    yield from made_by(made)


def trained_on(made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The data that a provenance names."""
    data = part(made, "data")
    if data:
        column = f", column {quote(data['text_column'])}" if data.get("text_column") else ""
        rows = data.get("rows")
        yield (
            "trained on",
            f"{data.get('source')}{column}" + (f": {counted(rows, 'text', 'texts')}" if isinstance(rows, int) else ""),
        )


def made_by(made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What else a provenance says."""
    if "seed" in made:
        yield "seed", str(made["seed"])
    if part(made, "versions"):
        yield "made by", ", ".join(f"{name} {version}" for name, version in part(made, "versions").items())
    if "created" in made:
        yield "made at", str(made["created"])
    if part(made, "data").get("sha256"):
        yield "data's SHA-256", str(made["data"]["sha256"])


def part(facts: dict[str, Any], name: str) -> dict[str, Any]:
    """A part of the provenance, which may have come from anywhere: nothing where it is not what it should be."""
    found = facts.get(name)
    return found if isinstance(found, dict) else {}


def called(learner: Any) -> str:
    """A learner with its settings, as it is written in Python."""
    if not isinstance(learner, dict):
        return str(learner)
    settings = ", ".join(f"{name}={value!r}" for name, value in part(learner, "parameters").items())
    return f"{learner.get('class')}({settings})" if settings else str(learner.get("class"))


def block_text(block: dict[str, Any]) -> str:
    """One block of features in a line."""
    if block["kind"] == "embeddings":
        return f"{block['columns']:,} dimensions of word vectors"
    if block["kind"] != "n-grams":
        return f"{block['columns']:,} {block['kind']}{', hashed' if block['hashed'] else ''}"
    low, high = block["ngrams"]
    unit = {"word": "words", "char": "characters", "char_wb": "characters inside words"}.get(block["unit"], "tokens")
    parts = [f"{block['columns']:,} {unit} {low}" + (f"–{high}" if high > low else "")]
    parts += [name for name in ("hashed", "lowercase", "binary", "sublinear", "idf") if block[name]]
    parts += [f"norm {block['norm']}"] if block["norm"] else []
    return ", ".join(parts)
