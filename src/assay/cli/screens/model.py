"""A model or a network as a person reads it: what it was made of, what it knows, what weighs most."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.screens.tables import indented, plain_table
from assay.data.corpus.spellings import shown_labels
from assay.features.ngrams.text_features import Hashing, TextFeatures
from assay.modelfile.cross_validated import CrossValidated
from assay.modelfile.provenance import MadeBy
from assay.prediction.set_rule import SetRule
from assay.suggest import counted, excerpt, quote
from assay.terminal import one_line, visible

if TYPE_CHECKING:
    from rich.console import Console

    from assay.classifier.text_classifier import TextClassifier

__all__ = ["model_facts", "network_facts", "show_model"]

SHOWN_CLASSES = 20
TOP = 5
MOST_CAPS = 3


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
        "label_type": inside.label_type,
        "features": [block_facts(block) for block in inside.features],
        "n_features": inside.n_features,
        "weights": {"shape": list(weights.shape), "type": str(weights.dtype)},
        "bias": [float(value) for value in inside.bias],
        "link": inside.link,
        "calibration": None if inside.calibration is None else inside.calibration.method,
        "rule": None if inside.rule is None else inside.rule.kind,
        "task": inside.task,
        "thresholds": _thresholds(inside),
        "has_probabilities": inside.decision.has_probabilities,
        "top_features": {
            label: [{"feature": item.feature, "kind": item.kind, "weight": item.weight} for item in found]
            for label, found in top_features(inside, top=top, by="weight").items()
        },
        "cap": None if inside.cap is None else inside.cap.values.tolist(),
        "novelty": novelty_facts(model),
        "lineage": None if model.record.lineage is None else model.record.lineage.to_dict(),
        "provenance": model.provenance,
    }


def _thresholds(inside: Any) -> dict[str, float] | None:
    """Of each label of a model that gives several a text; None where there are none."""
    values = inside.rule.thresholds() if isinstance(inside.rule, SetRule) else None
    return None if values is None else dict(zip(inside.labels, values.tolist(), strict=True))


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
        "novelty": novelty_facts(model),
        "lineage": None if model.record.lineage is None else model.record.lineage.to_dict(),
        "provenance": model.provenance,
    }


def novelty_facts(model: Any) -> list[dict[str, float | None]] | None:
    """Thresholds of novelty, and which share of held-out texts, and of texts of left-out classes, each rejects."""
    if model.record.novelty is None:
        return None
    known, found = model.known_texts, []
    for share in (0.01, 0.05):
        limit = known.limit(share)
        found.append({"threshold": limit, "training_texts": share, "left_out_classes": known.rejected(limit)[1]})
    return found


def novelty_told(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What the thresholds of novelty do, a line each."""
    for number, row in enumerate(facts["novelty"] or ()):
        new = row["left_out_classes"]
        also = "" if new is None else f" and {new:.0%} of texts of classes that were left out"
        yield (
            "texts from elsewhere" if number == 0 else "",
            f"--reject {row['threshold']:.3f} stops {row['training_texts']:.0%} of texts like the training texts{also}",
        )


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
    several = facts.get("task") == "label-sets"
    what = f"{n:,} labels, several a text" if several else f"{n:,} classes"
    console.print(Text(f"{visible(facts['file'])}: a {kind} of {what}, {facts['bytes'] / 1e6:,.1f} MB", "bold"))
    console.print()
    rows = plain_table()
    rows.add_column("", style="dim")
    rows.add_column("", overflow="fold")
    rows.show_header = False
    for name, value in described(facts) if kind == "model" else described_network(facts):
        rows.add_row(name, visible(value))
    console.print(indented(rows))
    console.print()
    table = plain_table("label" if several else "class", numbers=["texts"])
    telling = facts.get("top_features")  # a network has no weight a feature
    if telling is not None:
        table.add_column("what speaks most for it", overflow="fold")
    counts = class_counts(facts)
    names = shown_labels(facts["labels"])
    for name, label in zip(names[:SHOWN_CLASSES], facts["labels"], strict=False):
        cells = [one_line(name, 40), f"{counts[label]:,}" if label in counts else ""]
        if telling is not None:
            cells.append(", ".join(visible(excerpt(item["feature"], 40)) for item in telling[label][:TOP]))
        table.add_row(*cells)
    if n > SHOWN_CLASSES:
        table.add_row(f"{n - SHOWN_CLASSES:,} more", style="dim")
    console.print(indented(table))


def described(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is worth a line, with its name."""
    made = facts["provenance"]
    yield from trained_on(made)
    yield from cross_validated(made)
    learner = MadeBy.told_in(made, "learner")
    if learner is not None:
        yield "learner", str(learner)
    for number, block in enumerate(facts["features"]):
        yield ("features" if number == 0 else ""), block_text(block)
    yield "weights", " × ".join(f"{size:,}" for size in facts["weights"]["shape"]) + f", {facts['weights']['type']}"
    probabilities = "yes" if facts["has_probabilities"] else "no: scores only"
    if facts["calibration"]:
        probabilities += f", calibrated ({facts['calibration']})"
    yield "probabilities", probabilities
    if facts["rule"]:
        yield "decision rule", _rule_text(facts)
    if facts["cap"]:
        caps = sorted({f"{share:.3g}" for share in facts["cap"]})
        yield "at most", ", ".join(caps) if len(caps) <= MOST_CAPS else f"from {caps[0]} to {caps[-1]}, by label"
    yield from novelty_told(facts)
    yield from made_by(facts)


def _rule_text(facts: dict[str, Any]) -> str:
    """The rule; of thresholds, between which they lie."""
    if not facts["thresholds"]:
        return str(facts["rule"])
    values = sorted(facts["thresholds"].values())
    if facts["rule"] == "shared" or f"{values[0]:.3g}" == f"{values[-1]:.3g}":
        return f"a label is given from a probability of {values[0]:.3g} on"
    least = " (or the nearest to it, where none is)" if facts["rule"] == "at-least-one" else ""
    return f"a label is given from its own threshold on{least}, between {values[0]:.3g} and {values[-1]:.3g}"


def cross_validated(made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The figure by which it was chosen."""
    told = CrossValidated.told_in(made)
    if told is not None and told.figure is not None:
        yield "cross-validation", told.figure


def described_network(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The same of a network."""
    made = facts["provenance"]
    yield from trained_on(made)
    yield "network", str(MadeBy.told_in(made, "learner") or facts["network"])
    yield "sizes", ", ".join(f"{name} {value}" for name, value in facts["settings"].items())
    yield "parameters", f"{facts['n_parameters']:,}"
    history = facts["history"]
    yield "epochs", f"{len(history['epochs'])}, the best was number {history['best']}"
    yield "probabilities", "yes" if facts["has_probabilities"] else "no: scores only"
    yield from novelty_told(facts)
    yield from made_by(facts)


def trained_on(made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The data that a provenance names."""
    data = made.get("data")
    if data:
        column = f", column {quote(data['text_column'])}" if data.get("text_column") else ""
        rows = f": {counted(data['rows'], 'text', 'texts')}" if "rows" in data else ""
        yield "trained on", f"{data.get('source')}{column}{rows}"


def made_by(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What else a file says of the making of a model."""
    made = facts["provenance"]
    if facts["lineage"]:
        yield "made from", ", ".join(parent["file"] for parent in facts["lineage"]["parents"])
    if "seed" in made:
        yield "seed", str(made["seed"])
    if "versions" in made:
        yield "made by", ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    if "created" in made:
        yield "made at", str(made["created"])
    if "sha256" in made.get("data", {}):
        yield "data's SHA-256", made["data"]["sha256"]


def class_counts(facts: dict[str, Any]) -> dict[str, int]:
    """How many texts each class was trained on, as far as the file says."""
    counts: dict[str, int] = facts["provenance"].get("data", {}).get("classes", {})
    return counts


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
