"""What the model learned from: classes, lengths, what should be put right, and how the data was divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.data.corpus.changes import change_sentences
from assay.data.corpus.spellings import label_counts, shown_labels
from assay.data.profile.finding import DataFinding
from assay.data.profile.set_profile import SetProfile, profile_sets
from assay.suggest import counted

if TYPE_CHECKING:
    from assay.data.profile.lengths import Lengths
    from assay.data.profile.profile import Profile
    from assay.training.run import TrainingRun

__all__ = ["ClassRow", "DataSection", "data_section"]

MOST_CLASSES = 60


@dataclass(frozen=True)
class ClassRow:
    """A class and its texts."""

    label: str
    train: int
    test: int | None
    share: float  # of all texts
    width: float  # of its bar: 1 for the largest class


@dataclass(frozen=True)
class DataSection:
    """What the section shows."""

    sentence: str
    changes: tuple[str, ...]
    classes: tuple[ClassRow, ...]
    more_classes: int
    lengths: tuple[tuple[str, Lengths], ...]
    findings: tuple[DataFinding, ...]
    looked: bool
    sets: SetProfile | None = None  # how many labels a text has, and which come together


def data_section(run: TrainingRun) -> DataSection:
    """The data of a run."""
    counts = label_counts(run.train)
    of_test = None if run.test is None else label_counts(run.test)
    profile: Profile | None = run.profile
    sets = None
    if run.task == "label-sets":
        sets = profile_sets(run.train) if profile is None else profile.label_sets
    n_texts = None if sets is None else len(run.train) + (0 if run.test is None else len(run.test))
    rows = _rows(counts, of_test, n_texts)
    lengths = () if profile is None else (("words", profile.words), ("characters", profile.characters))
    return DataSection(
        _sentence(run),
        tuple(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in change_sentences(run.train.changes)),
        rows[:MOST_CLASSES],
        max(0, len(rows) - MOST_CLASSES),
        tuple((name, found) for name, found in lengths if found is not None),
        () if profile is None else profile.findings,
        profile is not None,
        sets,
    )


def _rows(train: dict[str, int], test: dict[str, int] | None, n_texts: int | None) -> tuple[ClassRow, ...]:
    total = {label: n + (test or {}).get(label, 0) for label, n in train.items()}
    total |= {label: n for label, n in (test or {}).items() if label not in train}
    everything, most = n_texts or sum(total.values()), max(total.values()) or 1
    ordered = sorted(total.items(), key=lambda item: -item[1])
    names = shown_labels(label for label, _ in ordered)
    return tuple(
        ClassRow(name, train.get(label, 0), None if test is None else test.get(label, 0), n / everything, n / most)
        for name, (label, n) in zip(names, ordered, strict=True)
    )


def _sentence(run: TrainingRun) -> str:
    n = counted(len(run.train), "text", "texts")
    sets = run.task == "label-sets"
    classes = counted(len(run.labels), *(("label", "labels") if sets else ("class", "classes")))
    if run.test is None:
        return f"{n} {'with' if sets else 'in'} {classes}, all of them used for the training."
    if run.split is None:
        return (
            f"{n} {'with' if sets else 'in'} {classes} to learn from, and"
            f" {len(run.test):,} of another file to be measured on."
        )
    alike = ""
    if run.split.duplicate_rows:
        n_alike = counted(run.split.duplicate_rows, "repetition", "repetitions")
        alike = f" Texts that occur more than once ({n_alike}) stayed on one side."
    if run.split.near_copies is not None and run.split.near_copies.n_rows:
        near = run.split.near_copies
        groups = counted(near.n_groups, "group", "groups")
        n_near = counted(near.n_rows, "text", "texts")
        alike += (
            f" So did texts that are nearly the same ({n_near} in {groups})."
            if alike
            else f" Texts that are nearly the same ({n_near} in {groups}) stayed on one side."
        )
    return (
        f"{n} {'with' if sets else 'in'} {classes} to learn from; "
        f"{counted(len(run.test), 'more was', 'more were')} drawn at random, "
        f"{'label by label' if sets else 'class by class'}, and set aside to measure the result.{alike}"
    )
