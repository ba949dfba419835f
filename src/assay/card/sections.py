"""The nine sections of a model card, filled in as far as the model, an evaluation and an audit go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.card.document import Block, Bullets, Grid, Paragraph, Section, Written
from assay.card.results import audit_sections, class_rows, of_sets, result_sections
from assay.data.corpus.changes import change_sentences
from assay.data.corpus.spellings import shown_labels, spellings_sentence
from assay.modelfile.provenance import MadeBy
from assay.suggest import counted

__all__ = ["QUESTIONS", "card_sections", "card_title"]

#: What only a person can know.
QUESTIONS = {
    "developers": "Who made the model, who answers questions about it, and under which licence it may be used.",
    "intended-use": "What the model is meant for: the texts, the decision that follows from its answer, and who takes "
    "that decision.",
    "intended-users": "Who is meant to use it, and what they need to know to do so.",
    "out-of-scope": "What it must not be used for, and which texts it was not made for.",
    "factors": "Which groups of people, kinds of text, instruments and circumstances could make its answers better or "
    "worse, and which of them were looked at.",
    "metrics": "Why these measures fit the purpose, and which mistakes cost most.",
    "evaluation-data": "Where the test texts come from, why they were chosen, and how they differ from those that the "
    "model will meet.",
    "training-data": "Where the training texts come from, who wrote and who labelled them and by which instructions, "
    "and whether they agreed to this use.",
    "ethics": "Whom mistakes would harm and how, what was done about it, and which uses to fear.",
    "caveats": "What else a careful user should know, and what should be looked at next.",
}

_KNOWN = ("data", "vectorizer", "learner", "calibration", "rule", "metric", "seed", "versions", "created")
_SHOWN_CLASSES = 30


def card_title(provenance: Mapping[str, Any], labels: tuple[str, ...]) -> str:
    """A name for a model that was given none."""
    source = (provenance.get("data") or {}).get("source")
    return (
        f"Text classifier trained on {source}"
        if source
        else f"Text classifier of {counted(len(labels), 'label', 'labels')}"
    )


def card_sections(model: Any, evaluation: Mapping[str, Any] | None, audit: Mapping[str, Any] | None) -> list[Section]:
    """Every section of the card of `model`; the person's parts are still empty."""
    provenance = dict(getattr(model, "provenance", {}) or {})
    return [
        *_first(evaluation),
        Section("Model details", [*_details(model, provenance), _ask("developers")]),
        Section("Intended use", []),
        Section("Primary uses", [_ask("intended-use")], 3),
        Section("Primary users", [_ask("intended-users")], 3),
        Section("Out of scope", [_ask("out-of-scope")], 3),
        Section("Factors", [*_factors(audit), _ask("factors")]),
        Section("Metrics", [*_metrics(evaluation), _ask("metrics")]),
        Section("Evaluation data", [*_evaluation_data(evaluation), _ask("evaluation-data")]),
        Section("Training data", [*_training_data(provenance, _gives_sets(model)), _ask("training-data")]),
        *result_sections(evaluation, provenance),
        *audit_sections(audit),
        Section("Ethical considerations", [_ask("ethics")]),
        Section("Caveats and recommendations", [*_caveats(evaluation, audit), _ask("caveats")]),
    ]


def _first(evaluation: Mapping[str, Any] | None) -> Iterator[Section]:
    """What a reader must know before everything else: that the model is of no use, or for some class."""
    verdict = (evaluation or {}).get("verdict") or {}
    useful = verdict.get("kind") == "useful" and (evaluation or {}).get("seen") is None
    if verdict.get("headline") and not useful:
        blocks: list[Block] = [Paragraph(f"{verdict['headline']} {verdict['reason']}")]
        advice = verdict.get("advice")
        yield Section("Read this first", [*blocks, *([Bullets(advice)] if advice else [])])


def _ask(key: str) -> Written:
    return Written(key, QUESTIONS[key])


def _details(model: Any, provenance: Mapping[str, Any]) -> Iterator[Block]:
    learner, vectorizer = (MadeBy.told_in(provenance, name) or MadeBy("") for name in ("learner", "vectorizer"))
    versions = ", ".join(f"{name} {number}" for name, number in (provenance.get("versions") or {}).items())
    sets = _gives_sets(model)
    task = "text classification with any number of labels a text" if sets else "single-label text classification"
    facts = {
        "Task": f"{task}, {counted(len(model.labels), 'label', 'labels')}",
        "Labels": _listed(model.labels),
        "Training algorithm": learner.name,
        "Its parameters": _parameters(learner),
        "Features": vectorizer.name,
        "Their parameters": _parameters(vectorizer),
        "Number of features": _n_features(model),
        "Calibration of probabilities": provenance.get("calibration") or "none",
        "Decision rule": _rule(model) if sets else provenance.get("rule") or "the label of the highest score",
        "Chosen by": provenance.get("metric"),
        "Seed": provenance.get("seed"),
        "Made from": _parents(model),
        "Made": provenance.get("created"),
        "Made with": versions or None,
    }
    facts |= {name: value for name, value in provenance.items() if name not in _KNOWN and not _nested(value)}
    rows = [(name, str(value)) for name, value in facts.items() if value not in (None, "")]
    yield Grid(("", ""), rows, numeric=False)
    if sets:
        yield from _thresholds(model)


def _gives_sets(model: Any) -> bool:
    return getattr(getattr(model, "decision", None), "task", "labels") == "label-sets"


def _rule(model: Any) -> str:
    """How a label comes to be given."""
    rule = model.decision.rule
    if rule is None:
        return "every label whose probability is at least a half"
    return {
        "each": "every label whose probability reaches its threshold",
        "shared": f"every label whose probability reaches {float(rule.values[0]) if len(rule.values) else 0:.3f}",
        "top": f"the {rule.k} most probable labels",
        "at-least-one": "every label whose probability reaches its threshold, else the one that comes nearest to it",
    }[rule.kind]


def _thresholds(model: Any) -> Iterator[Block]:
    """From which probability on each label is given, where labels differ in it."""
    rule = model.decision.rule
    if rule is None or rule.kind not in ("each", "at-least-one"):
        return
    told = ["never" if value > 1 else f"{value:.3f}" for value in rule.thresholds().tolist()]
    rows = list(zip(shown_labels(rule.labels), told, strict=True))
    yield Grid(("label", "given from the probability"), rows[:_SHOWN_CLASSES])
    if len(rows) > _SHOWN_CLASSES:
        yield Paragraph(f"and {len(rows) - _SHOWN_CLASSES} more, which assay inspect shows.")


def _parameters(part: MadeBy) -> str:
    """Those that are set, as they would be written in a program."""
    plain = {name: value for name, value in part.parameters.items() if value is not None and name != "blocks"}
    return ", ".join(f"{name}={value!r}" for name, value in plain.items())


def _parents(model: Any) -> str | None:
    """The models that it was made from, and what was added since."""
    lineage = getattr(getattr(model, "record", None), "lineage", None)
    if lineage is None:
        return None
    added, replaced = (sum(getattr(update, name) for update in lineage.updates) for name in ("added", "replaced"))
    files = ", ".join(f"{parent.file} (SHA-256 {parent.sha256})" for parent in lineage.parents)
    told = f"{files}; {counted(added, 'text', 'texts')} added, {counted(replaced, 'label', 'labels')} replaced"
    onward = sum(update.way == "onward" for update in lineage.updates)
    return f"{told}; {counted(onward, 'update', 'updates')} onward, without the old texts" if onward else told


def _n_features(model: Any) -> str | None:
    from assay.errors import ParameterError

    try:
        return f"{model.model.n_features:,}"
    except (AttributeError, ParameterError):  # not linear: it has no matrix of weights
        return None


def _training_data(provenance: Mapping[str, Any], sets: bool) -> Iterator[Block]:
    data = provenance.get("data")
    if not data:
        yield Paragraph("The model file does not say what the model was trained on.")
        return
    yield Grid(
        ("", ""),
        [
            ("Source", str(data.get("source"))),
            ("Texts", f"{data.get('rows', 0):,}"),
            ("SHA-256 of texts and labels", str(data.get("sha256"))),
        ],
        numeric=False,
    )
    for sentence in change_sentences(data):
        yield Paragraph(f"{sentence[:1].upper()}{sentence[1:]}.")
    unmerged = spellings_sentence(data.get("classes") or {})
    if unmerged is not None:
        yield Paragraph(f"{unmerged}. The model takes them for different classes.")
    yield from _class_table(data.get("classes") or {}, data.get("rows") if sets else None)
    vectorizer = MadeBy.told_in(provenance, "vectorizer")
    if vectorizer is not None:
        yield Paragraph(
            f"Preprocessing: texts are turned into numbers by {vectorizer.name} with the parameters under "
            "Model details; nothing else is done to them."
        )


def _class_table(classes: Mapping[str, int], n_texts: int | None = None) -> Iterator[Block]:
    """Texts of each label, and their share; of all texts, `n_texts`, where a text may have several labels, or none."""
    total = n_texts or sum(classes.values())
    if not any(classes.values()):
        return
    ordered = sorted(classes.items(), key=lambda item: -item[1])
    names = shown_labels(label for label, _ in ordered)
    shown = zip(names[:_SHOWN_CLASSES], ordered, strict=False)
    rows = [(name, f"{count:,}", f"{count / total:.1%}") for name, (_, count) in shown]
    if len(ordered) > _SHOWN_CLASSES:
        rest = sum(count for _, count in ordered[_SHOWN_CLASSES:])
        rows.append(
            (f"{len(ordered) - _SHOWN_CLASSES} more labels", f"{rest:,}", "" if n_texts else f"{rest / total:.1%}")
        )
    yield Grid(("label", "texts", "share" if n_texts is None else "share of the texts"), rows)


def _evaluation_data(evaluation: Mapping[str, Any] | None) -> Iterator[Block]:
    if evaluation is None:
        yield Paragraph("No evaluation was given when this card was made.")
        return
    data = evaluation.get("data") or {}
    if data:
        yield Grid(
            ("", ""),
            [
                ("Source", str(data["source"])),
                ("Texts", f"{data['rows']:,}"),
                ("SHA-256 of texts and labels", str(data["sha256"])),
            ],
            numeric=False,
        )
    classes = {str(row["label"]): int(row["documents"]) for row in class_rows(evaluation)}
    yield from _class_table(classes, int(evaluation["n_documents"]) if of_sets(evaluation) else None)


def _metrics(evaluation: Mapping[str, Any] | None) -> Iterator[Block]:
    if evaluation is None:
        return
    yield Paragraph(
        f"Every figure below stands with its {evaluation['level']:.0%} interval, or without one where there "
        "are too few texts to trust it. How they are made and what each measure means is explained in assay's guide to "
        "evaluation."
    )


def _factors(audit: Mapping[str, Any] | None) -> Iterator[Block]:
    if audit is None:
        yield Paragraph("No audit was given when this card was made.")
        return
    looked_at = [f"texts by the values of '{group['column']}'" for group in audit.get("groups", [])]
    looked_at += [f"sentences that differ only in a term of '{swap['name']}'" for swap in audit.get("swaps", [])]
    if audit.get("robustness"):
        looked_at.append("changes of spelling, case, punctuation, emoji and length")
    if looked_at:
        yield Paragraph("The audit looked at:")
        yield Bullets(list(dict.fromkeys(looked_at)))  # every label was looked at on its own


def _caveats(evaluation: Mapping[str, Any] | None, audit: Mapping[str, Any] | None) -> Iterator[Block]:
    notes = list(evaluation.get("notes", [])) if evaluation is not None else []
    if evaluation is None:
        notes.append("How well the model does was not measured when this card was made.")
    if audit is None:
        notes.append("The model was not audited when this card was made.")
    else:
        notes += dict.fromkeys(
            finding["cannot_show"] for finding in audit.get("findings", []) if finding["severity"] != "ok"
        )
    if notes:
        yield Bullets(notes)


def _listed(labels: tuple[str, ...]) -> str:
    shown = ", ".join(shown_labels(labels)[:_SHOWN_CLASSES])
    return shown + (f" and {len(labels) - _SHOWN_CLASSES} more" if len(labels) > _SHOWN_CLASSES else "")


def _nested(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple))
