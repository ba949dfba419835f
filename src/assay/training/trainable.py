"""What data must have before anything can be learned from it, and what is said about data that has little."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus.spellings import merged_names
from assay.data.corpus.two_classes import require_two_classes
from assay.errors import DataError
from assay.label_sets import LabelSets
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["check_test_labels", "check_trainable", "small_class_note"]


def check_trainable(corpus: Corpus, together: NDArray[np.int64], *, held_out: bool) -> None:
    """Complain about data that nothing can be learned from.

    Parameters
    ----------
    corpus
        Labelled texts.
    together
        For each row the first row with the same text, or nearly the same.
    held_out
        Whether some of the texts are to be kept for testing, by a search or for the end.
    """
    require_two_classes(corpus)
    counts = corpus.class_counts
    present = np.flatnonzero(counts)
    if len(corpus) > 1 and (together == together[0]).all():
        alike = "the same" if not corpus.first_occurrences.any() else "nearly the same"
        raise DataError(
            f"{corpus.source}: all {len(corpus):,} texts are {alike}, so nothing tells their {present.size} classes "
            f"apart. Is another column meant? Name it with {setting('text', of_read=True)}."
        )
    if not held_out:
        return
    if (counts[present] >= 2).sum() < (1 if corpus.task == "label-sets" else 2):
        raise DataError(
            f"{corpus.source}: {(counts[present] == 1).sum():,} of the {present.size:,} classes have one text only, in "
            f"{len(corpus):,} texts: too few to learn from some and test on others. Give at least five texts of each "
            f"class. Is another column meant? Name it with {setting('label', of_read=True)}."
        )


def check_test_labels(train: Corpus, test: Corpus) -> None:
    """Complain about labels of another kind, and about the first label of a test file that training has never seen."""
    if train.task != test.task:
        kinds = {"labels": "one label a text", "label-sets": "sets of labels"}
        raise DataError(
            f"{test.source}: it has {kinds[test.task]}, and the training data {kinds[train.task]}. Read both alike, "
            f"with {setting('labels_separator', of_read=True)} or without."
        )
    known = {name for name, count in zip(train.label_names, train.class_counts, strict=True) if count}
    for index, count in enumerate(test.class_counts):
        name = test.label_names[index]
        if count and name not in known:
            row = int(np.argmax(test.label_sets.having(index)))
            strange = (
                f"{test.origin.place(row)}: the label {quote(name)} ({count:,} of {len(test):,} test texts have it) "
                "does not occur in the training data."
            )
            if renamed := merged_names({name: int(count)}, sorted(known)):
                raise DataError(
                    f"{strange} It differs only in case or blanks from {quote(renamed[name])}, which does: use "
                    f"{setting('merge_labels', True)} to take them for one."
                )
            raise DataError(
                f"{strange} Labels there are {quoted(nearest_first(name, sorted(known)))}. Correct it, leave these "
                "rows out, or add texts with this label to the training data."
            )


def small_class_note(classes: NDArray[np.int32] | LabelSets, labels: tuple[str, ...], folds: int) -> list[str]:
    """What to say about classes with fewer texts than folds."""
    if isinstance(classes, LabelSets):
        what, counts = "Labels", classes.class_counts
    else:
        what, counts = "Classes", np.bincount(classes, minlength=len(labels))
    small = [f"{quote(labels[k])} ({counts[k]})" for k in np.argsort(counts, kind="stable") if counts[k] < folds]
    if not small:
        return []
    shown = ", ".join(small[:5]) + (f" and {len(small) - 5:,} more" if len(small) > 5 else "")
    return [
        f"{what} with fewer training texts than the {folds} folds of the cross-validation: {shown}. Some folds train "
        "or test without them, and what is said about them is unsure"
    ]
