"""A test far below the cross-validation: that its texts differ from the training texts, and in what most.

What the training texts were like is told by the record of the model: its file is enough, the texts are not needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.evaluation.presenting.percentages import percent
from assay.modelfile.cross_validated import CrossValidated
from assay.suggest import quote

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.metrics.outcomes import Outcomes
    from assay.modelfile.record import ModelRecord
    from assay.prediction.novelty import Novelty

__all__ = ["median_words", "shift_note"]

FAR = 3.0  # standard errors of a difference of two shares
LEAST = 0.05  # of accuracy
LOOKED_AT = 2000  # texts
_WORD = re.compile(r"\w+")


def shift_note(record: ModelRecord, test: Corpus, tested: Outcomes) -> str | None:
    """What to say where accuracy on test texts is far below that of the cross-validation; None where it is not.

    Parameters
    ----------
    record
        Of the model; nothing is said where it was not cross-validated.
    test, tested
        Texts that the model has not seen, and its answers.
    """
    crossed = CrossValidated.told_in(record.provenance)
    if crossed is None or not crossed.texts:
        return None
    n, m, right = crossed.texts, tested.n_documents, int(tested.correct.sum())
    before, after = crossed.right / n, right / m
    pooled = (crossed.right + right) / (n + m)
    error = float(np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m)))
    if before - after < max(LEAST, FAR * error):
        return None
    size, how = max(_differences(record, crossed, test), default=(0.0, ""))
    most = (
        f"The largest difference that was found: {how}"
        if size >= 1
        else "In what was compared they are much alike: labels may have been given by another rule there"
    )
    return (
        f"On the test texts {percent(after)} are right, in the cross-validation {percent(before)} were, which is no "
        f"chance: the test texts differ from the training texts. {most}."
    )


def median_words(texts: Corpus) -> float:
    """Words of a text of middle length, of two thousand."""
    return float(np.median([len(_WORD.findall(text)) for text in _sampled(texts)]))


def _differences(record: ModelRecord, crossed: CrossValidated, test: Corpus) -> Iterator[tuple[float, str]]:
    """How the sides differ, each with its size: 1 is what is worth a word."""
    learned = (record.provenance.get("data") or {}).get("classes") or {}
    if learned:
        counts = dict(zip(test.label_names, test.class_counts.tolist(), strict=True))
        names = sorted({*learned, *(name for name, count in counts.items() if count)})
        ours, theirs = (_shares(side, names) for side in (learned, counts))
        k = int(np.abs(theirs - ours).argmax())
        yield (
            float(np.abs(theirs - ours).sum() / 2) / 0.1,
            f"{quote(names[k])} is {percent(theirs[k])} of the test, and {percent(ours[k])} of the training texts",
        )
    lengths = [max(length, 1.0) for length in (crossed.median_words, median_words(test))]
    yield (
        abs(float(np.log2(lengths[1] / lengths[0]))) / 0.5,
        f"half of the test texts have more than {lengths[1]:g} words, half of the others more than {lengths[0]:g}",
    )
    known = _known(record)
    if known is not None and known.usual is not None:
        found = float(known.known_shares(_sampled(test)).mean())
        what = "words and pairs of words" if known.has_words else "characters"
        yield (
            (known.usual - found) / 0.05,
            f"{percent(found)} of their {what} are known from the training texts, rare ones counting more, where "
            f"{percent(known.usual)} would be usual",
        )


def _known(record: ModelRecord) -> Novelty | None:
    try:
        return None if record.novelty is None else record.novelty.novelty()
    except DataError:  # by a method of a newer assay
        return None


def _shares(counts: Mapping[str, Any], names: list[str]) -> NDArray[np.float64]:
    given = np.array([float(counts.get(name, 0)) for name in names])
    return np.asarray(given / max(float(given.sum()), 1.0))


def _sampled(side: Corpus) -> list[str]:
    rows = np.random.default_rng(0).permutation(len(side))[:LOOKED_AT]
    return [side[int(row)].text for row in rows]
