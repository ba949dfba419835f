"""What `assay.compare` gives: the difference, how sure it is, and what may be concluded."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from assay.errors import ParameterError
from assay.evaluation.uncertainty.estimate import Estimate, number
from assay.optional import require
from assay.suggest import counted
from assay.tables import Page, Shown, Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TESTS", "Comparison", "Comparisons", "p_text"]

TESTS = {
    "bootstrap": "paired bootstrap test",
    "randomization": "approximate randomization",
    "mcnemar": "McNemar's exact test",
    "mcnemar_mid_p": "McNemar's test with mid-p",
}


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Two models on the same documents. Made by `assay.compare`.

    Attributes
    ----------
    first, second
        The models' names.
    metric
        Name of what was measured.
    first_value, second_value
        The metric of each.
    difference
        First minus second, with its bootstrap interval.
    p_value
        How often chance alone would give such a difference.
    adjusted_p_value
        Corrected for the number of pairs (Holm); None where there is one pair only.
    both_right, only_first, only_second, neither
        Documents by who gave them their true label.
    notes
        What a reader should know before believing the numbers: documents that a model knows from its training.
    """

    first: str
    second: str
    metric: str
    first_value: float
    second_value: float
    difference: Estimate
    p_value: float
    test: str
    alternative: str
    level: float
    n_documents: int
    n_resamples: int
    seed: int
    both_right: int
    only_first: int
    only_second: int
    neither: int
    n_different: int
    more_is_better: bool = True
    adjusted_p_value: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def decisive_p_value(self) -> float:
        """The adjusted p-value where there is one."""
        return self.p_value if self.adjusted_p_value is None else self.adjusted_p_value

    @property
    def significant(self) -> bool:
        """Whether the p-value is at most 1 - level."""
        return self.decisive_p_value <= 1 - self.level + 1e-12

    @property
    def is_at_odds(self) -> bool:
        """Whether the test finds a difference, and the interval leaves open which side it is on."""
        return self.significant and self.difference.low <= 0 <= self.difference.high

    @property
    def conclusion(self) -> str:
        """What may be concluded, and what may not, in one sentence."""
        if not self.difference.defined:
            return f"Nothing can be concluded: {self.metric} is undefined for {self.first} or {self.second}."
        if self.n_different == 0:
            to = "this document" if self.n_documents == 1 else f"every one of these {self.n_documents:,} documents"
            return f"{self.first} and {self.second} gave the same label to {to}, so nothing here tells them apart."
        side = "one-sided" if self.alternative != "two-sided" else "two-sided"
        adjusted = "" if self.adjusted_p_value is None else " after Holm's correction"
        evidence = (
            f"{self.metric} {_signed(self.difference.value)}, {self._interval()}; {TESTS[self.test]}, {side}, "
            f"{p_text(self)}{adjusted}"
        )
        if self.significant:
            better, worse = self.ranked()
            return (
                f"{better} is better than {worse} on documents like these {self.n_documents:,} "
                f"({evidence}), but this says nothing about other kinds of text or about models trained anew."
            )
        fitting = "many a true difference" if isnan(self.difference.low) else "any true difference in the interval"
        return (
            f"It cannot be concluded that {self._claim()} ({evidence}), nor that the two are equally good: "
            f"{'this document' if self.n_documents == 1 else f'these {self.n_documents:,} documents'} would fit "
            f"{fitting}."
        )

    def _interval(self) -> str:
        low, high = self.difference.interval
        if isnan(low):
            return f"no interval since {self.difference.reason}"
        return f"{self.level:.0%} interval {_signed(low)} to {_signed(high)}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: every attribute, and the conclusion."""
        return {
            "kind": "comparison",
            "version": 1,
            **{name: getattr(self, name) for name in ("first", "second", "metric")},
            "first_value": number(self.first_value),
            "second_value": number(self.second_value),
            "difference": self.difference.to_dict(),
            **{name: getattr(self, name) for name in _PLAIN_FIELDS},
            "significant": self.significant,
            "conclusion": self.conclusion,
            "notes": list(self.notes),
        }

    def to_frame(self) -> pd.DataFrame:
        """One row in a pandas table."""
        return Comparisons((self,)).to_frame()

    def __repr__(self) -> str:
        found = f"{self.metric} {_signed(self.difference.value)}, {p_text(self)}"
        found += ", on documents that were learned from" if self.notes else ""
        return f"<Comparison of {self.first} and {self.second} on {self.n_documents} documents: {found}>"

    def _page(self) -> Page:
        heading = f"{self.first} against {self.second} on {counted(self.n_documents, 'document', 'documents')}"
        rows = [
            (f"{self.metric} of {self.first}", _value_text(self.first_value)),
            (f"{self.metric} of {self.second}", _value_text(self.second_value)),
            ("difference", self.difference.cell(4)),
            (f"p-value ({TESTS[self.test]}, {self.alternative})", p_text(self).removeprefix("p = ")),
        ]
        counts = [
            ("both right", f"{self.both_right:,}"),
            (f"only {self.first} right", f"{self.only_first:,}"),
            (f"only {self.second} right", f"{self.only_second:,}"),
            ("neither right", f"{self.neither:,}"),
        ]
        tables = [Table("Comparison", ("", "value"), rows), Table("Agreement", ("", "documents"), counts)]
        return heading, tables, [*self.notes, self.conclusion], "Conclusion"

    def ranked(self) -> tuple[str, str]:
        """The names, that of the model with the better value first."""
        ahead = (self.difference.value > 0) == self.more_is_better
        return (self.first, self.second) if ahead else (self.second, self.first)

    def _claim(self) -> str:
        if self.alternative == "two-sided":
            return f"{self.first} and {self.second} differ"
        better, worse = (self.first, self.second) if self.alternative == "greater" else (self.second, self.first)
        return f"{better} is better than {worse}"


_PLAIN_FIELDS = tuple(
    name
    for name in Comparison.__dataclass_fields__
    if name not in ("first", "second", "metric", "first_value", "second_value", "difference", "notes")
)


@dataclass(frozen=True, repr=False)
class Comparisons(Shown):
    """Every pair of several models, with p-values corrected by Holm's method."""

    pairs: tuple[Comparison, ...]

    def __getitem__(self, names: tuple[str, str]) -> Comparison:
        for pair in self.pairs:
            if {pair.first, pair.second} == set(names):
                return pair
        known = sorted({name for pair in self.pairs for name in (pair.first, pair.second)})
        raise ParameterError(f"There is no pair {names!r}. Models are {', '.join(map(repr, known))}.")

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def conclusion(self) -> str:
        """Which pairs differ, and about which nothing may be concluded, in one sentence."""
        found = [" is better than ".join(pair.ranked()) for pair in self.pairs if pair.significant]
        open_pairs = [f"{pair.first} and {pair.second}" for pair in self.pairs if not pair.significant]
        parts = []
        if found:
            parts.append("; ".join(found) + " on documents like these")
        if open_pairs:
            parts.append("nothing may be concluded about " + "; ".join(open_pairs) + ", not even that they are equal")
        alpha = 1 - self.pairs[0].level
        return (
            f"At the {alpha:.0%} level with Holm's correction for {len(self.pairs)} pairs: "
            + ", but ".join(parts)
            + "."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Of every pair, each once; what is left of a pair's documents, with the names of the two."""
        told = [
            f"{pair.first} - {pair.second}: {note}" if note == pair.notes[-1] else note
            for pair in self.pairs
            for note in pair.notes
        ]
        return tuple(dict.fromkeys(told))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: the pairs, and the conclusion."""
        return {
            "kind": "comparisons",
            "version": 1,
            "pairs": [pair.to_dict() for pair in self.pairs],
            "conclusion": self.conclusion,
            "notes": list(self.notes),
        }

    def to_frame(self) -> pd.DataFrame:
        """One row a pair in a pandas table."""
        pandas: Any = require("pandas", "Tables made by to_frame()")
        rows = []
        for pair in self.pairs:
            row = pair.to_dict()
            difference = row.pop("difference")
            ends = {"difference": difference["value"], "low": difference["low"], "high": difference["high"]}
            rows.append(
                {**{k: v for k, v in row.items() if k not in ("kind", "version", "conclusion", "notes")}, **ends}
            )
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        significant = sum(pair.significant for pair in self.pairs)
        known = ", some on documents that were learned from" if self.notes else ""
        on = f"{self.pairs[0].n_documents} documents"
        return f"<Comparisons of {len(self)} pairs on {on}: {significant} significant{known}>"

    def _page(self) -> Page:
        first = self.pairs[0]
        rows = [
            (
                f"{pair.first} - {pair.second}",
                pair.difference.cell(4),
                _small(pair.p_value, pair.n_resamples),
                _small(pair.decisive_p_value, pair.n_resamples),
            )
            for pair in self.pairs
        ]
        heading = f"{len(self.pairs)} pairs of models on {counted(first.n_documents, 'document', 'documents')}"
        title = f"{TESTS[first.test]}, {first.alternative}"
        table = Table(title, ("pair", f"{first.metric} difference", "p", "p (Holm)"), rows)
        return heading, [table], [*self.notes, self.conclusion], "Conclusion"


def _signed(value: float) -> str:
    return f"{value:+.4f}"


def _value_text(value: float) -> str:
    return "undefined" if value != value else f"{value:.4f}"


def _small(p: float, n_resamples: int) -> str:
    if p == 0:
        return f"< {1 / n_resamples:.2g}"
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"


def p_text(comparison: Comparison) -> str:
    """The p-value that decides, such as ``p = 0.0312``."""
    text = _small(comparison.decisive_p_value, comparison.n_resamples)
    return f"p {text}" if text.startswith("<") else f"p = {text}"
