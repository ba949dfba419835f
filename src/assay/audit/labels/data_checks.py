"""The data behind a model: label conflicts, texts both trained on and tested, classes and groups with few examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.audit.labels.label_errors import LabelErrors
from assay.audit.thresholds import Thresholds
from assay.data.corpus.near_copies import copies_of
from assay.evaluation.protocols.seen_texts import SeenTexts
from assay.findings import Finding
from assay.suggest import counted, excerpt, quote, quoted

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["data_findings", "label_error_finding"]

_FEW_TO_LEARN = 30
_SHOWN = 3
_NOTABLE_SHARE = 0.01
_ALARMING_SHARE = 0.05
_EASY = 0.85  # where models often disagree with labels, hard texts explain much of it


def data_findings(
    test: Corpus | None,
    train: Corpus | None,
    groups: Sequence[str],
    limits: Thresholds,
    seen: SeenTexts | None = None,
) -> Iterator[Finding]:
    """What is wrong with the data themselves; `seen` are the test texts that the model knows from its training."""
    for name, corpus in (("training", train), ("test", test)):
        if corpus is not None and corpus.labels is not None:
            yield _conflicts(name, corpus)
            yield from _near_copies(name, corpus)
            yield _small_classes(name, corpus, limits)
    if train is not None and test is not None:
        yield _overlap(train, test)
    elif test is not None and seen is not None:
        yield _remembered(test, seen)
    for column in groups:
        if train is not None and column in train.columns:
            yield _small_groups(train, column)


def _conflicts(name: str, corpus: Corpus) -> Finding:
    conflicts = corpus.profile().conflicts
    if not conflicts.rows:
        return Finding(
            "data",
            "no_conflicts",
            "ok",
            f"Label conflicts in the {name} texts",
            f"No two of the {len(corpus):,} {name} texts are the same and labelled differently.",
            "Every text was compared with every other.",
            "Nobody labelled the same text in two ways.",
            "Texts that say the same in other words were not compared.",
        )
    shown = conflicts.examples[0]
    return Finding(
        "data",
        "conflicts",
        "concern" if conflicts.rows >= _NOTABLE_SHARE * len(corpus) else "notice",
        f"Label conflicts in the {name} texts",
        f"{counted(conflicts.rows, 'text stands', 'texts stand')} also under another label "
        f"({conflicts.rows / len(corpus):.1%} of {len(corpus):,}), such as {excerpt(shown.text)} "
        f"({quoted(shown.labels)}; {shown.places[0]}).",
        "Certain: the texts are the same, letter by letter.",
        "The labels depend on who gave them, or on something that the text does not say; no model can be right on "
        "both.",
        "Which of the labels is right.",
    )


def _near_copies(name: str, corpus: Corpus) -> Iterator[Finding]:
    profile = corpus.profile()
    if not profile.near_copies.rows:
        return
    one, other = profile.near_copies.examples[:2]
    yield Finding(
        "data",
        "near_copies",
        "notice",
        f"Near-copies among the {name} texts",
        f"{counted(profile.near_copies.rows, 'text is', 'texts are')} nearly the same as another "
        f"({profile.near_copies.rows / len(corpus):.1%} of {len(corpus):,}; "
        f"{counted(profile.near_copy_groups, 'group', 'groups')}), such as {excerpt(one.text, 40)} ({one.places[0]}) "
        f"and {excerpt(other.text, 40)} ({other.places[0]}).",
        "Certain: they have most of their words, three in a row, in common.",
        "They count as often as they stand there; on both sides of a split they would make the test too easy.",
        "Which of them were meant to be there more than once.",
    )
    if not profile.near_conflicts.rows:
        return
    one, other = profile.near_conflicts.examples[:2]
    rows = profile.near_conflicts.rows
    yield Finding(
        "data",
        "near_conflicts",
        "concern" if rows >= _NOTABLE_SHARE * len(corpus) else "notice",
        f"Different labels of near-copies among the {name} texts",
        f"{counted(rows, 'text stands', 'texts stand')}, nearly the same, also under another label "
        f"({rows / len(corpus):.1%} of {len(corpus):,}), such as {excerpt(one.text, 40)} ({quoted(one.labels)}; "
        f"{one.places[0]}) and {excerpt(other.text, 40)} ({quoted(other.labels)}; {other.places[0]}).",
        "Certain that the texts are nearly the same; a word that differs may be the one that matters.",
        "The labels depend on who gave them, or on a detail.",
        "Which of the labels is right, and whether the difference between the texts explains it.",
    )


def _small_classes(name: str, corpus: Corpus, limits: Thresholds) -> Finding:
    fewest = _FEW_TO_LEARN if name == "training" else limits.fewest
    counts = corpus.class_counts
    one, many = ("label", "labels") if corpus.task == "label-sets" else ("class", "classes")
    small = [
        (corpus.label_names[k], int(counts[k])) for k in np.argsort(counts, kind="stable") if 0 < counts[k] < fewest
    ]
    if not small:
        return Finding(
            "data",
            "enough_examples",
            "ok",
            f"Examples of each {one} in the {name} texts",
            f"Every {one} has {fewest} {name} texts or more (the smallest {int(counts[counts > 0].min()):,}).",
            "Counted.",
            "There is something to learn from, and to measure on.",
            f"Whether the texts of a {one} are of all its kinds.",
        )
    listed = ", ".join(f"{quote(label)} ({n})" for label, n in small[:6])
    return Finding(
        "data",
        "few_examples",
        "notice",
        f"Few examples in the {name} texts",
        f"{counted(len(small), f'{one} has', f'{many} have')} fewer than {fewest} {name} texts: {listed}.",
        "Counted.",
        f"The model can hardly know these {many}." if name == "training" else "What is measured on them is uncertain.",
        "How good the model would be with more of them.",
    )


def _small_groups(train: Corpus, column: str) -> Finding:
    values = ["(missing)" if v in (None, "") else str(v) for v in train.column(column).to_pylist()]
    names, counts = np.unique(values, return_counts=True)
    small = [(str(name), int(n)) for name, n in zip(names, counts, strict=True) if n < _FEW_TO_LEARN]
    if not small:
        return Finding(
            "data",
            "enough_of_groups",
            "ok",
            f"Training texts by {column}",
            f"Every value of {quote(column)} has {_FEW_TO_LEARN} training texts or more.",
            "Counted.",
            "Every group was there to learn from.",
            "Whether their texts were as varied, and as carefully labelled.",
        )
    listed = ", ".join(f"{quote(name)} ({n})" for name, n in small[:6])
    return Finding(
        "data",
        "few_of_groups",
        "notice",
        f"Training texts by {column}",
        f"{counted(len(small), 'value', 'values')} of {quote(column)} with fewer than {_FEW_TO_LEARN} training texts: "
        f"{listed}.",
        "Counted.",
        "The model had little to learn from about them, and may serve them worse.",
        "Whether it does: see the metrics by group.",
    )


def _overlap(train: Corpus, test: Corpus) -> Finding:
    same, near = copies_of(test.texts, train.texts)
    if not near.any():
        return Finding(
            "data",
            "no_overlap",
            "ok",
            "Texts both trained on and tested",
            f"None of the {len(test):,} test texts is one of the {len(train):,} training texts, or nearly the same.",
            "Every text was compared with the others, also without case, blanks and signatures.",
            "The test is of unseen texts.",
            "Texts by the same author or from the same day may still make the test too easy.",
        )
    sure = "Certain: they are the same, or have most of their words, three in a row, in common."
    return _known_before(test, same, near, "letter by letter", sure)


def _remembered(test: Corpus, seen: SeenTexts) -> Finding:
    """The same by what the model's file remembers of its training texts."""
    sure = "As sure as the fingerprints of the training texts that the model's file keeps; a chance match is very rare."
    if seen.is_sample:
        sure += " They are of a part of the training texts, so there may be more."
    return _known_before(test, seen.same, seen.near, "word by word", sure)


def _known_before(test: Corpus, same: NDArray[np.bool_], near: NDArray[np.bool_], exactly: str, sure: str) -> Finding:
    rows = np.flatnonzero(near)
    share = len(rows) / len(test)
    first = [int(row) for row in rows[:_SHOWN]]
    shown = "; ".join(f"{excerpt(test.texts[row].as_py(), 40)} ({test.origin.place(row)})" for row in first)
    n_same = int(same.sum())
    return Finding(
        "data",
        "overlap",
        "concern" if share >= _NOTABLE_SHARE else "notice",
        "Texts both trained on and tested",
        f"{counted(len(rows), 'test text is', 'test texts are')} among the training texts, too ({share:.1%}; "
        f"{n_same:,} {exactly}, {len(rows) - n_same:,} nearly the same): {shown}.",
        sure,
        "Metrics are too good: the model may remember these texts instead of understanding them.",
        "How good it is without them: leave them out and evaluate again.",
    )


def label_error_finding(errors: LabelErrors, name: str) -> Finding:
    """The verdict on likely label errors."""
    share = errors.n_suspect_texts / errors.n_texts
    title = f"Likely label errors in the {name} texts"
    if errors.guessing:
        return Finding(
            "data",
            "label_errors_unknown",
            "unknown",
            title,
            "Models that learned from other texts than these tell the labels no better than by guessing: they agree "
            f"with {errors.accuracy:.1%} of them. So nothing that they say against a label counts.",
            "Nothing can be said.",
            "There may be label errors, or nothing in the texts that tells the labels apart, or too few examples.",
            "This is no sign that all is well. Let a person label some of the texts again.",
        )
    checked = (
        f"Of {errors.n_planted:,} labels that were falsified on purpose, the same search found "
        f"{errors.found_planted:.0%}; in texts that the models get wrong anyway, errors stay hidden"
        if errors.n_planted
        else "There were too few texts to try the search on falsified labels"
    )
    agreed = "exactly with {} of the sets of labels" if errors.of_sets else "with {} of the labels"
    sure = f"{checked}. Out of fold, the models agree {agreed.format(f'{errors.accuracy:.1%}')}."
    if errors.unjudged:
        never = "are never sure enough of it" if errors.of_sets else "never recognise it"
        sure += f" Of {quoted(errors.unjudged, 5)} nothing can be said: the models {never}."
    wrong = (
        "likely lack a label or have one too many"
        if errors.of_sets
        else "are confidently of another class than labelled"
    )
    cannot = (
        "It cannot tell a wrong label from a text that is hard, ironic or of two classes at once: read the list before "
        "anything is changed."
    )
    if share < _NOTABLE_SHARE:
        few = counted(errors.n_suspect_texts, "text is", "texts are")
        return Finding(
            "data",
            "few_label_errors",
            "ok",
            title,
            f"{few} of another label than given, as far as models are confident ({share:.2%} of {errors.n_texts:,})."
            if errors.of_sets
            else f"{few} confidently of another class than labelled ({share:.2%} of {errors.n_texts:,}).",
            sure,
            "The labels are consistent with the texts, as far as words show it.",
            cannot,
        )
    top = errors.suspects[0]
    pairs = "; ".join(f"{quote(a)} that look like {quote(b)}: {n:,}" for (a, b), n in list(errors.by_pair.items())[:3])
    return Finding(
        "data",
        "label_errors",
        "concern" if share >= _ALARMING_SHARE and errors.accuracy >= _EASY else "notice",
        title,
        f"{errors.n_suspect_texts:,} texts ({share:.1%} of {errors.n_texts:,}) {wrong} "
        f"({pairs}). The likeliest: {excerpt(top.text)} is labelled {quote(top.label)}, and looks like "
        f"{quote(top.suggested)} ({top.place}).",
        sure,
        "Labels given in haste, by differing rules or by chance; they cost accuracy and make every metric too low or "
        "too high.",
        cannot,
    )
