"""Features in the order of what they tell, as a table to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from assay.arguments import in_our_words
from assay.errors import DataError
from assay.features.columns.measures import MEASURES, FeatureMeasures, Measure, l1_weights, measure_features
from assay.features.ngrams.column_choice import descending
from assay.suggest import check_choice

__all__ = ["FeatureRanking", "RankedFeature", "check_measure", "rank_features"]

_HEAD = ["", "feature", "documents", "label", "share"]  # the score stands third


@dataclass(frozen=True)
class RankedFeature:
    """One line of a ranking.

    Attributes
    ----------
    rank
        From 1.
    feature
        Name, or number of the column.
    score
        By the ranking's measure.
    frequency
        Documents that have the feature.
    label, share
        The class that it points to, and which share of the documents with the feature are of that class.
    """

    rank: int
    feature: str
    score: float
    frequency: int
    label: Any
    share: float


@dataclass(frozen=True, eq=False)
class FeatureRanking(Sequence[RankedFeature]):
    """Features, the most telling first; of equals, the one with the lower column. Lines are made when looked at.

    Attributes
    ----------
    measure
        What they are ranked by.
    measured
        What was measured of all columns.
    scores
        Of all columns.
    columns
        Column of each feature in the matrix, in the order of the ranking.
    names
        Of all columns, if they are known.
    """

    measure: Measure
    measured: FeatureMeasures
    scores: npt.NDArray[np.float64]
    columns: npt.NDArray[np.intp]
    names: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(self.columns)

    @overload
    def __getitem__(self, index: int) -> RankedFeature: ...
    @overload
    def __getitem__(self, index: slice) -> list[RankedFeature]: ...
    def __getitem__(self, index: int | slice) -> RankedFeature | list[RankedFeature]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        column, found = int(self.columns[place]), self.measured
        frequency, telling = int(found.document_frequency[column]), int(found.telling_class[column])
        return RankedFeature(
            place + 1,
            str(column if self.names is None else self.names[column]),
            float(self.scores[column]),
            frequency,
            found.classes.tolist()[telling] if telling >= 0 else None,
            float(found.telling_count[column] / max(frequency, 1)),
        )

    def __str__(self) -> str:
        table = [[*_HEAD[:2], self.measure, *_HEAD[2:]], *map(_cells, self)]
        widths = [max(len(row[i]) for row in table) for i in range(6)]
        return "\n".join(_aligned(row, widths) for row in table)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in [*_HEAD[:2], self.measure, *_HEAD[2:]])
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in _cells(line)) for line in self)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def to_dicts(self) -> list[dict[str, Any]]:
        """Each line as plain values, ready for a DataFrame or JSON."""
        return [asdict(line) for line in self]


@in_our_words
def rank_features(
    X: Any,
    y: Any,
    names: Sequence[str] | None = None,
    *,
    measure: Measure = "information-gain",
    label: Any = None,
    top: int | None = 20,
    min_df: int = 1,
    C: float = 1.0,
    n_jobs: int | None = None,
) -> FeatureRanking:
    """Rank the features of a matrix by what they tell about the labels.

    Parameters
    ----------
    X, y
        Documents by features, and their labels.
    names
        Of the columns, such as a vectorizer's ``get_feature_names_out()``.
    measure
        ``"information-gain"``, ``"chi2"``, ``"pmi"``, ``"gini"``, ``"df"`` or ``"l1"``.
    label
        Rank by what tells this class from all others; None: by what tells the classes apart.
    top
        How many lines; None for all.
    min_df
        Leave out features that fewer documents have: pointwise mutual information makes much of rare ones.
    C
        Of ``"l1"``: the smaller, the fewer features have a score above 0.
    n_jobs
        Threads; None for every core.

    Examples
    --------
    >>> X = [[1, 0, 1], [2, 0, 0], [0, 1, 1], [0, 3, 0]]
    >>> print(rank_features(X, ["+", "+", "-", "-"], ["good", "bad", "film"], measure="chi2"))
       feature  chi2  documents  label  share
    1  good        4          2  +       100%
    2  bad         4          2  -       100%
    3  film        0          2  +        50%
    """
    check_measure(measure, "rank_features")
    measured = measure_features(X, y, label=label, n_jobs=n_jobs)
    scores = (
        l1_weights(X, y, C=C, label=label, measured=measured, n_jobs=n_jobs)
        if measure == "l1"
        else measured.scores(measure)
    )
    if names is not None and len(names) != len(scores):
        raise DataError(f"There are {len(names)} names for the {len(scores)} columns of X. Give one a column.")
    allowed = np.flatnonzero(measured.document_frequency >= min_df)
    order = allowed[descending(scores[allowed], top)]
    return FeatureRanking(measure, measured, scores, order, names)


def check_measure(measure: object, owner: str) -> None:
    """Complain about a measure that is none."""
    check_choice(f"The 'measure' parameter of {owner}", measure, MEASURES)


def _aligned(row: list[str], widths: list[int]) -> str:
    rank, feature, score, documents, label, share = row
    return (
        f"{rank:>{widths[0]}}  {feature:<{widths[1]}}  {score:>{widths[2]}}  {documents:>{widths[3]}}  "
        f"{label:<{widths[4]}}  {share:>{widths[5]}}"
    )


def _cells(line: RankedFeature) -> list[str]:
    score, documents = f"{line.score:.4g}", f"{line.frequency:,}"
    return [str(line.rank), line.feature, score, documents, str(line.label), f"{line.share:.0%}"]
