"""Likely label errors by confident learning.

Every text gets probabilities from models that were not trained on it (out-of-fold). A class's own average probability,
over the texts that carry its label, is the confidence that counts as high for it. Texts that are confidently of some
class say how many of each label are truly of another; so many, those with the widest margins, are likely errors. To
learn how well this works on these very data, some labels are falsified on purpose and looked for.

Where texts have sets of labels, each label is looked at by itself, see `set_label_errors`: a likely error is a label
that is missing, or one too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.audit.labels.confident import confident_errors, judged_classes
from assay.audit.labels.out_of_fold import out_of_fold
from assay.audit.labels.set_label_errors import find_set_errors, planted_in_sets
from assay.evaluation.metrics.outcomes import Outcomes

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["LabelErrors", "SuspectLabel", "find_label_errors"]

Floats = NDArray[np.float64]
_PLANTED = 0.05


@dataclass(frozen=True)
class SuspectLabel:
    """A text whose label is likely wrong.

    Attributes
    ----------
    position
        In the corpus, from 0.
    place, file, row
        Where it stands, in words, and as the reader of the file counts: row 0 where the file itself is the text.
    label, suggested
        As it is labelled, and what it looks like; of sets, one label and its absence: "fees" and "not fees".
    margin
        P(suggested) - P(label), out of fold.
    """

    position: int
    place: str
    file: str
    row: int
    text: str
    label: str
    suggested: str
    margin: float


@dataclass(frozen=True)
class LabelErrors:
    """Likely label errors of a corpus.

    Attributes
    ----------
    suspects
        The likeliest first.
    accuracy
        Share of texts whose label, or exactly whose set of labels, the out-of-fold models give them, too.
    found_planted
        Share of labels falsified on purpose that were found among the suspects; NaN where this was not tried.
    by_pair
        Suspects by (label, suggested).
    unjudged
        Labels of which nothing can be said: the out-of-fold models never recognised them, so that every text of theirs
        looks wrong; of sets, they were never sure enough. All labels, where the models do no better than guessing: then
        `guessing` is true.
    """

    n_texts: int
    suspects: tuple[SuspectLabel, ...]
    accuracy: float
    n_planted: int
    found_planted: float
    by_pair: dict[tuple[str, str], int]
    unjudged: tuple[str, ...] = ()
    guessing: bool = False
    of_sets: bool = False  # whether texts have sets of labels

    @property
    def n_suspect_texts(self) -> int:
        """Texts with a likely error; of sets, one may have several."""
        return len({suspect.position for suspect in self.suspects})

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "n_texts": self.n_texts,
            "n_suspects": len(self.suspects),
            "accuracy": self.accuracy,
            "n_planted": self.n_planted,
            "found_planted": None if np.isnan(self.found_planted) else self.found_planted,
            "unjudged": list(self.unjudged),
            "guessing": self.guessing,
            "by_pair": [{"label": a, "suggested": b, "texts": n} for (a, b), n in self.by_pair.items()],
            "suspects": [
                {
                    "position": s.position,
                    "place": s.place,
                    "file": s.file,
                    "row": s.row,
                    "text": s.text,
                    "label": s.label,
                    "suggested": s.suggested,
                    "margin": s.margin,
                }
                for s in self.suspects
            ],
        }


@in_our_words
def find_label_errors(
    corpus: Corpus, *, model: Any = None, plant: bool = True, seed: int = 0, threads: int | None = None
) -> LabelErrors:
    """Look for label errors in a corpus by 5-fold cross-validation.

    Parameters
    ----------
    corpus
        Labelled texts; every class needs two at least.
    model
        An unfitted model with probabilities; by default logistic regression (C = 10) on words and pairs of words.
    plant
        Falsify 5 % of the labels in a second run, to see how many of them are found.
    seed
        Of folds and falsified labels.
    threads
        None for every core.
    """
    n_planted, share = 0, float("nan")
    unjudged: tuple[str, ...] = ()
    guessing = False
    if corpus.task == "label-sets":
        found, accuracy, unjudged = find_set_errors(corpus, model, seed, threads)
        if plant:
            n_planted, share = planted_in_sets(corpus, model, found, _PLANTED, seed, threads)
        told = [suspect.told(corpus.label_names) for suspect in found]
        guessing = len(unjudged) == np.count_nonzero(corpus.class_counts)
    else:
        probabilities, classes, names = _out_of_fold(corpus, model, seed, threads)
        judged = judged_classes(probabilities, classes)
        rows, suggested = confident_errors(probabilities, classes)
        rows, suggested = rows[judged[classes[rows]]], suggested[judged[classes[rows]]]
        margins = probabilities[rows, suggested] - probabilities[rows, classes[rows]]
        accuracy = float(np.mean(probabilities.argmax(axis=1) == classes))
        if plant:
            n_planted, share = _planted(corpus, model, set(rows.tolist()), seed, threads)
        told = [
            (int(row), names[classes[row]], names[k], float(m))
            for row, k, m in zip(rows, suggested, margins, strict=True)
        ]
        unjudged = tuple(name for k, name in enumerate(names) if not judged[k] and (classes == k).any())
        guessing = not judged.any()
    suspects = _suspects(corpus, told)
    pairs: dict[tuple[str, str], int] = {}
    for suspect in suspects:
        pairs[suspect.label, suspect.suggested] = pairs.get((suspect.label, suspect.suggested), 0) + 1
    by_pair = dict(sorted(pairs.items(), key=lambda item: -item[1]))
    of_sets = corpus.task == "label-sets"
    return LabelErrors(len(corpus), suspects, accuracy, n_planted, share, by_pair, unjudged, guessing, of_sets)


def _suspects(corpus: Corpus, told: Sequence[tuple[int, str, str, float]]) -> tuple[SuspectLabel, ...]:
    """Row, label, suggestion and margin, with where the text stands."""
    files = corpus.origin.files_of_rows()
    return tuple(
        SuspectLabel(
            row,
            corpus.origin.place(row),
            files[row],
            int(corpus.origin.rows([row])[0]),
            corpus.texts[row].as_py(),
            label,
            suggested,
            margin,
        )
        for row, label, suggested, margin in told
    )


def _out_of_fold(
    corpus: Corpus, model: Any, seed: int, threads: int | None
) -> tuple[Floats, NDArray[np.intp], list[str]]:
    outcomes = out_of_fold(corpus, model, "accuracy", seed, threads)
    assert isinstance(outcomes, Outcomes), "the corpus has one label a text"
    assert outcomes.probabilities is not None, "logistic regression has probabilities"
    return outcomes.probabilities, outcomes.truth.astype(np.intp), [str(label) for label in outcomes.labels]


def _planted(corpus: Corpus, model: Any, suspects: set[int], seed: int, threads: int | None) -> tuple[int, float]:
    """How many labels were falsified, of those that were not suspect, and the share of them that is found."""
    from assay.data.corpus.corpus import Corpus

    generator = np.random.default_rng([seed, 4])
    counts = corpus.class_counts
    present = np.flatnonzero(counts)
    free = np.array([row for row in range(len(corpus)) if row not in suspects and counts[corpus.classes[row]] > 5])
    n = round(_PLANTED * len(free))
    if n < 5:
        return 0, float("nan")
    rows = generator.choice(free, n, replace=False)
    classes = corpus.classes.copy()
    for row in rows:
        others = present[present != classes[row]]
        classes[row] = generator.choice(others)
    left = np.bincount(classes, minlength=len(counts))
    if (left[present] < 2).any():
        return 0, float("nan")
    falsified = Corpus(corpus.texts, [corpus.label_names[k] for k in classes], source=corpus.source)
    probabilities, truth, _ = _out_of_fold(falsified, model, seed, threads)
    found, _ = confident_errors(probabilities, truth)
    found = found[judged_classes(probabilities, truth)[truth[found]]]
    return n, float(np.isin(rows, found).mean())
