"""`agree`: how far people who labelled the same texts agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import cast

import numpy as np

from assay.agreement.coefficients import Level, alpha, cohen, fleiss, percent
from assay.agreement.interval import with_interval
from assay.agreement.ratings import MISSING, Ratings
from assay.agreement.result import Agreement, Pair
from assay.agreement.settling import settle
from assay.arguments import in_our_words
from assay.data.corpus.spellings import spelling_sets
from assay.errors import DataError, ParameterError
from assay.suggest import check_choice, counted, nearest_first, quote, quoted
from assay.wording import parameter, setting

__all__ = ["agree"]

LEVELS = ("nominal", "ordinal", "interval")


@in_our_words
def agree(ratings: Ratings, *, scale: str = "nominal", order: Sequence[str] | None = None) -> Agreement:
    """Measure how far coders agree.

    Parameters
    ----------
    ratings
        Who said what, see `Ratings.of_columns`.
    scale
        What the labels are: ``"nominal"``, names; ``"ordinal"``, steps of a scale; ``"interval"``, numbers whose
        differences count. It concerns Krippendorff's alpha.
    order
        The steps of an ordinal scale, the lowest first; numbers need none.

    Examples
    --------
    >>> ann, ben = list("yynynnyynn"), list("yynynnynyn")
    >>> found = agree(Ratings.of_columns([ann, ben], ["ann", "ben"]))
    >>> print(found.alpha, found.pairs[0].kappa, found.pairs[0].confusion.tolist())
    0.620 0.600 [[4, 1], [1, 4]]
    """
    check_choice(parameter("scale"), scale, LEVELS)
    of_sets = any(isinstance(value, tuple) for value in ratings.values)
    if of_sets and scale != "nominal":
        raise DataError(
            f"A text has a set of labels here, and {setting('scale', scale)} is for one label a text. Leave it out: "
            "sets are compared by what they share."
        )
    numbers = None if scale == "nominal" else _numbers(ratings, scale, order)
    level = cast(Level, "masi" if of_sets else scale)
    whole = (ratings.table != MISSING).all(axis=1)
    names = sorted({label for value in ratings.values for label in value}) if of_sets else []
    settled = settle(ratings)
    return Agreement(
        ratings=ratings,
        level=level,
        percent=with_interval(percent(ratings)),
        alpha=with_interval(alpha(ratings, level, numbers)),
        fleiss=with_interval(fleiss(ratings)) if whole.any() else None,
        pairs=tuple(_pair(ratings, a, b) for a, b in combinations(range(len(ratings.coders)), 2)),
        of_labels={name: with_interval(alpha(ratings.of_label(name))) for name in names},
        settled=settled,
        notes=tuple(_notes(ratings, int(whole.sum()), int(settled.tied.sum()), int(settled.likely_tied.sum()))),
    )


def _pair(ratings: Ratings, a: int, b: int) -> Pair:
    both = ratings.table[:, [a, b]]
    both = both[(both != MISSING).all(axis=1)]
    confusion = np.zeros((len(ratings.values),) * 2, np.int64)
    np.add.at(confusion, (both[:, 0], both[:, 1]), 1)
    first, second, nothing = ratings.coders[a], ratings.coders[b], ("",) * len(both)
    of_both = Ratings((first, second), ratings.values, both, nothing, nothing)
    kappa = with_interval(cohen(of_both))
    return Pair(first, second, len(both), with_interval(percent(of_both)), kappa, confusion)


def _numbers(ratings: Ratings, scale: str, order: Sequence[str] | None) -> list[float]:
    """The values as numbers: their places in the order, or what they say."""
    if order is not None:
        twice = [value for place, value in enumerate(order) if value in order[:place]]
        if twice:
            raise ParameterError(f"{setting('order')} names {quote(twice[0])} twice. Name every label once.")
        missing = [value for value in ratings.values if value not in order]
        if missing:
            raise DataError(
                f"{setting('order')} has no {quote(missing[0])}, which a coder said. It says "
                f"{quoted(nearest_first(missing[0], order))}. Name every label, the lowest first."
            )
        return [float(list(order).index(value)) for value in ratings.values]
    found = []
    for value in ratings.values:
        try:
            number = float(value.replace(",", "."))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            way_out = f" Say their order, the lowest first, with {setting('order')}." if scale == "ordinal" else ""
            raise DataError(f"The label {quote(value)} is no number, which {setting('scale', scale)} needs.{way_out}")
        found.append(number)
    return found


def _notes(ratings: Ratings, n_whole: int, n_tied: int, n_likely_tied: int) -> list[str]:
    notes = []
    names = [value for value in ratings.values if isinstance(value, str)]
    for variants in spelling_sets(names):
        notes.append(f"{quoted(variants)} differ only in case or blanks, and count as different labels")
    empty = int((ratings.table == MISSING).sum())
    if empty:
        notes.append(f"{counted(empty, 'cell is empty', 'cells are empty')}: these coders said nothing of these texts")
    if 0 < n_whole < len(ratings.table):
        notes.append(f"Fleiss' kappa is of the {n_whole:,} texts that all coders have labelled")
    if n_tied:
        notes.append(f"{counted(n_tied, 'text has', 'texts have')} no majority: as many said another label")
    if n_likely_tied:
        notes.append(
            f"Of {counted(n_likely_tied, 'text', 'texts')} two labels are equally probable in Dawid and Skene's model; "
            "the first by the alphabet is taken"
        )
    if len(ratings.coders) == 2:
        notes.append("Of two coders nobody can tell who is right where they differ: settle these texts by talking")
    return notes
