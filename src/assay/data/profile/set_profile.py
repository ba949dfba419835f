"""What sets of labels look like: how many labels a text has, which come together, and which tell nothing."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["LabelPair", "SetProfile", "profile_sets"]

_SHOWN_PAIRS = 10
_NEAR_ALL = 0.95
_FEWEST_IMPLIED = 5


@dataclass(frozen=True, slots=True)
class LabelPair:
    """Two labels that come together more often than chance would have it.

    Attributes
    ----------
    labels
        The two.
    count
        Texts that have both.
    lift
        How many times as many as if the one had nothing to do with the other: n · n(a, b) / (n(a) · n(b)).
    """

    labels: tuple[str, str]
    count: int
    lift: float


@dataclass(frozen=True, slots=True)
class SetProfile:
    """What is known of the sets of a corpus.

    Attributes
    ----------
    sizes
        How many texts have no label, one, two, and so on.
    mean
        Labels a text.
    n_sets
        How many different sets there are.
    pairs
        The pairs of labels that have most texts beyond what chance explains, at most ten; two texts at least.
    always_together
        Labels that have exactly the same texts, two at least: one of them says all that the others say.
    never_without
        Pairs (a, b): every text with a, and there are five at least, has b as well, but not the other way round.
    of_nearly_all, of_none
        Labels that 95 of 100 texts have or more, and labels without any text.
    """

    sizes: tuple[int, ...]
    mean: float
    n_sets: int
    pairs: tuple[LabelPair, ...]
    always_together: tuple[tuple[str, ...], ...]
    never_without: tuple[tuple[str, str], ...]
    of_nearly_all: tuple[str, ...]
    of_none: tuple[str, ...]

    @property
    def n_empty(self) -> int:
        """Texts without a label."""
        return self.sizes[0] if self.sizes else 0

    def to_dict(self) -> dict[str, Any]:
        """Return dicts, lists, strings and numbers, ready for JSON."""
        lists = ("sizes", "always_together", "never_without", "of_nearly_all", "of_none")
        plain: dict[str, Any] = {name: [_plain(item) for item in getattr(self, name)] for name in lists}
        pairs = [{**asdict(pair), "labels": list(pair.labels)} for pair in self.pairs]
        return {"sizes": plain.pop("sizes"), "mean": self.mean, "n_sets": self.n_sets, "pairs": pairs, **plain}


def profile_sets(corpus: Corpus) -> SetProfile:
    """Look at the sets of labels of a corpus.

    Examples
    --------
    >>> from assay import Corpus
    >>> sets = [["rain", "weather"], ["rain", "weather"], ["sport"], ["sport", "city"], []]
    >>> found = profile_sets(Corpus(list("abcde"), sets))
    >>> found.sizes, found.always_together, found.pairs[0]
    ((1, 1, 3), (('rain', 'weather'),), LabelPair(labels=('rain', 'weather'), count=2, lift=2.5))
    """
    sets, names = corpus.label_sets, corpus.label_names
    counts = sets.class_counts
    ones = sets.sparse()
    both = (ones.T @ ones).tocoo()
    upper = both.row < both.col
    a, b, together = both.row[upper], both.col[upper], both.data[upper]
    same = (together == counts[a]) & (together == counts[b]) & (together > 1)
    near = (counts >= _NEAR_ALL * len(corpus)) & (counts > 0)
    return SetProfile(
        sizes=tuple(np.bincount(sets.sizes).tolist()),
        mean=len(sets.members) / max(len(corpus), 1),
        n_sets=len(np.unique(corpus.label_numbers)),
        pairs=_pairs(names, counts, a, b, together, len(corpus)),
        always_together=_groups(names, a[same], b[same]),
        never_without=_implied(names, counts, a, b, together, near),
        of_nearly_all=tuple(names[k] for k in np.flatnonzero(near)),
        of_none=tuple(names[k] for k in np.flatnonzero(counts == 0)),
    )


def _pairs(
    names: tuple[str, ...],
    counts: NDArray[np.int64],
    a: NDArray[Any],
    b: NDArray[Any],
    together: NDArray[np.int64],
    n: int,
) -> tuple[LabelPair, ...]:
    expected = counts[a] * counts[b] / max(n, 1)
    more = np.flatnonzero((together > expected) & (together > 1))  # one text is no rule
    order = more[np.lexsort((b[more], a[more], (expected - together)[more]))][:_SHOWN_PAIRS]
    return tuple(
        LabelPair((names[a[i]], names[b[i]]), int(together[i]), float(together[i] / expected[i])) for i in order
    )


def _groups(names: tuple[str, ...], a: NDArray[Any], b: NDArray[Any]) -> tuple[tuple[str, ...], ...]:
    """Labels that are the same, each under the first of them."""
    groups: dict[int, list[int]] = {}
    first = dict[int, int]()
    for one, other in sorted(zip(a.tolist(), b.tolist(), strict=True)):
        root = first.setdefault(one, one)
        if other not in first:
            first[other] = root
            groups.setdefault(root, [root]).append(other)
    return tuple(tuple(names[k] for k in group) for group in groups.values())


def _implied(
    names: tuple[str, ...],
    counts: NDArray[np.int64],
    a: NDArray[Any],
    b: NDArray[Any],
    together: NDArray[np.int64],
    near: NDArray[np.bool_],
) -> tuple[tuple[str, str], ...]:
    """Labels that come only with another, which is not one that nearly all texts have."""
    found = []
    for one, other in ((a, b), (b, a)):
        implied = (together == counts[one]) & (counts[one] < counts[other]) & (counts[one] >= _FEWEST_IMPLIED)
        found += list(zip(one[implied & ~near[other]].tolist(), other[implied & ~near[other]].tolist(), strict=True))
    return tuple((names[one], names[other]) for one, other in sorted(found))


def _plain(item: Any) -> Any:
    return list(item) if isinstance(item, tuple) else item
