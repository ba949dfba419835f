"""What `assay.agreement.agree` gives: how far coders agree, where they do not, and which labels to take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assay.agreement.ratings import MISSING, Ratings
from assay.agreement.settling import Settled
from assay.evaluation.uncertainty.estimate import Estimate
from assay.suggest import counted
from assay.tables import Page, Shown, Table, shorten

__all__ = ["Agreement", "Pair"]

_SHOWN = 10


@dataclass(frozen=True, eq=False)
class Pair:
    """Two coders.

    Attributes
    ----------
    first, second
        Their names.
    n_texts
        Texts that both have labelled.
    percent, kappa
        How often they said the same, and Cohen's kappa.
    confusion
        Texts by what the first said (rows) and the second (columns).
    """

    first: str
    second: str
    n_texts: int
    percent: Estimate
    kappa: Estimate
    confusion: NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Shown):
    """How far coders agree.

    Attributes
    ----------
    ratings
        Who said what.
    level
        How far apart two values count: ``"nominal"``, ``"ordinal"``, ``"interval"``, or ``"masi"`` of sets.
    percent, alpha, fleiss
        How often two coders of a text said the same, Krippendorff's alpha, and Fleiss' kappa of the texts that all
        coders have labelled, None where there are none.
    pairs
        Every two coders.
    of_labels
        Of sets of labels: the alpha of each label by itself.
    settled
        A label for each text.
    notes
        What should be known, in sentences.
    """

    ratings: Ratings
    level: str
    percent: Estimate
    alpha: Estimate
    fleiss: Estimate | None
    pairs: tuple[Pair, ...]
    of_labels: dict[str, Estimate]
    settled: Settled
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """What the alpha allows, in a sentence."""
        found = self.alpha
        if not found.defined:
            return f"Krippendorff's alpha is not defined: {found.reason}."
        words = (
            "good enough to rest conclusions on"
            if found.value >= 0.8
            else "good enough for tentative conclusions only"
            if found.value >= 0.667
            else "too low to rest conclusions on"
        )
        sure = ""
        if not np.isnan(found.low):
            above = [limit for limit in (0.8, 0.667) if found.low < limit <= found.high]
            sure = f"; the interval leaves open whether it is above {' and '.join(map(str, above))}" if above else ""
        elif found.reason:
            sure = f"; there is no interval: {found.reason}"
        return f"Krippendorff's alpha is {found.cell()}: by his rule of thumb {words}{sure}."

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        shown = [self.ratings.shown(k) for k in range(len(self.ratings.values))]
        return {
            "kind": "agreement",
            "version": 1,
            "coders": list(self.ratings.coders),
            "values": shown,
            "texts": len(self.ratings.table),
            "labelled_twice": int(self.ratings.pairable.sum()),
            "disagreed": int(self.ratings.disagreed.sum()),
            "level": self.level,
            "percent": self.percent.to_dict(),
            "alpha": self.alpha.to_dict(),
            "fleiss": None if self.fleiss is None else self.fleiss.to_dict(),
            "pairs": [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "texts": pair.n_texts,
                    "percent": pair.percent.to_dict(),
                    "kappa": pair.kappa.to_dict(),
                    "confusion": pair.confusion.tolist(),
                }
                for pair in self.pairs
            ],
            "labels": {name: found.to_dict() for name, found in self.of_labels.items()},
            "reliability": {
                name: round(float(found), 6)
                for name, found in zip(self.ratings.coders, self.settled.reliability, strict=True)
            },
            "tied": int(self.settled.tied.sum()),
            "verdict": self.verdict,
            "notes": list(self.notes),
        }

    def table(self, *, only_disagreed: bool = False) -> pa.Table:
        """A row a text: its place, what each coder said, the majority's and Dawid and Skene's label, and one to decide.

        Of disagreements the least clear come first; `label` is empty there, for a person to fill in.
        """
        ratings, settled = self.ratings, self.settled
        rows = np.arange(len(ratings.table))
        if only_disagreed:
            rows = rows[ratings.disagreed]
            rows = rows[np.argsort(settled.probability[rows], kind="stable")]
        shown = np.array([*(ratings.shown(k) for k in range(len(ratings.values))), ""], dtype=object)
        columns: dict[str, Any] = {
            "place": [ratings.places[k] for k in rows],
            "text": [ratings.texts[k] for k in rows],
        }
        for coder, said in zip(ratings.coders, ratings.table.T, strict=True):
            columns[coder if coder not in columns else f"coder {coder}"] = shown[said[rows]].tolist()
        columns["majority"] = np.where(settled.tied[rows], "", shown[settled.majority[rows]]).tolist()
        columns["dawid_skene"] = shown[settled.likely[rows]].tolist()
        columns["probability"] = ["" if settled.likely[k] == MISSING else f"{settled.probability[k]:.4f}" for k in rows]
        columns["tie"] = ["tie" if settled.tied[k] or settled.likely_tied[k] else "" for k in rows]
        if only_disagreed:
            columns["label"] = [""] * len(rows)
        return pa.table(columns)

    def __repr__(self) -> str:
        return f"<Agreement of {counted(len(self.ratings.coders), 'coder', 'coders')}: alpha {self.alpha.cell()}>"

    def _page(self) -> Page:
        ratings = self.ratings
        n, twice = len(ratings.table), int(ratings.pairable.sum())
        heading = f"Agreement of {len(ratings.coders)} coders on {counted(n, 'text', 'texts')}"
        if twice < n:
            heading += f", {twice:,} of which two or more labelled"
        whole = [
            ("percent agreement", self.percent.cell()),
            (f"Krippendorff's alpha ({self.level})", self.alpha.cell()),
        ]
        if self.fleiss is not None:
            whole.append(("Fleiss' kappa", self.fleiss.cell()))
        pairs = [
            (f"{pair.first} and {pair.second}", f"{pair.n_texts:,}", pair.percent.cell(), pair.kappa.cell())
            for pair in self.pairs
        ]
        tables = [
            Table("All coders", ("", "value [95 % interval]"), whole),
            Table("Two at a time", ("coders", "texts", "percent", "Cohen's kappa"), pairs),
        ]
        if self.of_labels:
            rows = [(shorten(name, 40), found.cell()) for name, found in self.of_labels.items()]
            tables.append(Table("Each label by itself", ("label", "alpha"), rows))
        mixed = self._mixed_up()
        if mixed:
            tables.append(Table("Most often mixed up", ("said by one", "said by another", "times"), mixed))
        reliable = [
            (name, f"{found:.2f}") for name, found in zip(ratings.coders, self.settled.reliability, strict=True)
        ]
        if len(ratings.coders) > 2:  # of two, nothing tells who errs
            title = "How often each coder is right, as Dawid and Skene's model sees it"
            tables.append(Table(title, ("coder", "share"), reliable))
        return heading, tables, [*(f"{note}." for note in self.notes), self.verdict], "What it means"

    def _mixed_up(self) -> list[tuple[str, str, str]]:
        """Which two values were said of the same text most often."""
        total = sum((pair.confusion for pair in self.pairs), np.zeros((1, 1), np.int64))
        both = total + total.T
        one, other = np.triu_indices(len(both), 1)
        times = both[one, other]
        order = np.argsort(-times, kind="stable")[:_SHOWN]
        shown = self.ratings.shown
        return [
            (shorten(shown(int(one[k])), 40), shorten(shown(int(other[k])), 40), f"{times[k]:,}")
            for k in order
            if times[k] > 0
        ]
