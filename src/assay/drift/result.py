"""What was found of drift: verdicts, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import isnan, nan
from typing import Any

from assay.drift.answers import LabelTest, SurenessTest
from assay.drift.domain import DomainTest
from assay.drift.risen import RisenTest
from assay.drift.unknown import UnknownTest
from assay.drift.words import ShiftedWord
from assay.errors import ParameterError
from assay.evaluation.uncertainty.estimate import Estimate, number
from assay.findings import Finding, findings_html, findings_text, summary_of
from assay.suggest import nearest_first
from assay.tables import Table

__all__ = ["FIGURES", "Drift"]

#: Numbers that a limit can be set on, and whether more of it is worse (1) or better (-1).
FIGURES = {
    "domain_area": 1,
    "novel_texts": 1,
    "label_distance": 1,
    "sureness": -1,
    "expected_accuracy": -1,
}

_SHOWN_LABELS = 15


@dataclass(frozen=True)
class Drift:
    """What `assay.drift.measure_drift` found.

    Attributes
    ----------
    findings
        Verdicts, the gravest first.
    n_old, n_new
        Texts of before that were given, and new texts, one of each group of copies.
    labels
        Of the model.
    domain, unknown, given, sureness
        Results of the tests, or why one was not made.
    label_shares
        Estimated true shares of the labels among the new texts; or why they are not told.
    expected
        Share of the new texts that the model probably gets right; without a value where that is not told.
    accuracy
        The share of before; without a value where it is not known.
    words
        Words that are more frequent now or were before; without texts of before, words that have risen, and where
        there is none, words that were unknown.
    against
        What the answers were held against.
    notes
        What should be known, in sentences.
    level, seed
        As they were asked for.
    """

    findings: tuple[Finding, ...]
    n_old: int
    n_new: int
    labels: tuple[str, ...]
    domain: DomainTest | RisenTest | str
    unknown: UnknownTest | str
    given: LabelTest | str
    sureness: SurenessTest | str
    label_shares: Sequence[Estimate] | str
    expected: Estimate
    accuracy: Estimate
    words: tuple[ShiftedWord, ...]
    against: str
    notes: tuple[str, ...] = ()
    level: float = 0.95
    seed: int = 0
    figures: dict[str, Estimate] = field(default_factory=dict)

    @property
    def drifted(self) -> bool:
        """Whether a change is both clear and large."""
        return any(finding.severity == "concern" for finding in self.findings)

    @property
    def verdict(self) -> str:
        """The answer, in a sentence."""
        titles = [finding.title for finding in self.findings if finding.severity == "concern"]
        changed = [title[:1].lower() + title[1:] for title in titles]
        if changed:
            return f"The new texts have drifted: {'; '.join(changed)}."
        small = any(finding.severity == "notice" for finding in self.findings)
        if small:
            return "The new texts differ a little from those of before: clearly, but by less than the limits."
        if all(finding.severity == "unknown" for finding in self.findings):
            return "Nothing could be compared."
        return "No drift was found."

    def __getitem__(self, name: str) -> Estimate:
        """One of `FIGURES`; without a value where it could not be measured."""
        if name not in FIGURES:
            known = ", ".join(nearest_first(name, FIGURES))
            raise ParameterError(f"There is no figure {name!r} of drift. There are: {known}.")
        return self.figures.get(name, Estimate(nan, reason="it could not be measured"))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""

        def test(found: Any) -> Any:
            return {"not_made": found} if isinstance(found, str) else _plain(asdict(found))

        shares = self.label_shares
        return {
            "kind": "drift",
            "version": 1,
            "drifted": self.drifted,
            "verdict": self.verdict,
            "texts": {"before": self.n_old, "new": self.n_new, "answers_held_against": self.against},
            "findings": [finding.to_dict() for finding in self.findings],
            "figures": {name: self[name].to_dict() for name in FIGURES},
            "domain": test(self.domain),
            "unknown": test(self.unknown),
            "given": test(self.given),
            "sureness": test(self.sureness),
            "label_shares": {"not_told": shares}
            if isinstance(shares, str)
            else {label: share.to_dict() for label, share in zip(self.labels, shares, strict=True)},
            "expected_accuracy": self.expected.to_dict(),
            "accuracy_before": self.accuracy.to_dict(),
            "words": [
                {"word": w.word, "before": number(w.old), "new": number(w.new), "p": number(w.p_value)}
                for w in self.words
            ],
            "notes": list(self.notes),
            "level": self.level,
            "seed": self.seed,
        }

    def tables(self) -> list[Table]:
        """What was measured."""
        tables = [self._sizes_table()]
        if self.expected.defined:
            rows = [("before", self.accuracy.cell()), ("expected of the new texts", self.expected.cell())]
            tables.append(Table("Accuracy, without a label of the new texts", ("texts", "share right"), rows))
        if isinstance(self.given, LabelTest):
            tables.append(self._labels_table(self.given))
        if self.words:
            compared = not isnan(self.words[0].p_value)
            title = "Words that tell new from old" if compared else "Frequent words that no training text had"
            old_and_new = [(w.word, f"{w.old:.1%}", f"{w.new:.1%}", f"{w.p_value:.2g}") for w in self.words]
            if compared:
                tables.append(Table(title, ("word", "old texts", "new texts", "p"), old_and_new))
            else:
                tables.append(Table(title, ("word", "new texts"), [(word, new) for word, _, new, _ in old_and_new]))
        return tables

    def _sizes_table(self) -> Table:
        """What would have been found four times in five, had it been there."""
        rows = []
        if isinstance(self.unknown, UnknownTest):
            rows.append(("texts wholly unlike those of before", f"{self.unknown.could_be_seen:.1%} of the new texts"))
        if isinstance(self.domain, DomainTest):
            rows.append(("new texts told from old by their words", f"in {self.domain.could_be_seen:.1%} of cases"))
        if isinstance(self.domain, RisenTest):
            rows.append(("a word that no text of before had", f"in {self.domain.could_be_seen:.1%} of the new texts"))
        if isinstance(self.given, LabelTest):
            rows.append(("another share of the commonest label", f"{100 * self.given.could_be_seen:.1f} points"))
        if isinstance(self.sureness, SurenessTest):
            rows.append(("less sure answers", f"{100 * self.sureness.could_be_seen:.1f} points"))
        return Table("What would have been found four times in five, had it been there", ("change", "from"), rows)

    def _labels_table(self, test: LabelTest) -> Table:
        shares = self.label_shares
        order = sorted(range(len(self.labels)), key=lambda k: (-abs(test.new[k] - test.before[k]), k))[:_SHOWN_LABELS]
        estimated = not isinstance(shares, str)
        rows = [
            (
                self.labels[k],
                f"{test.before[k]:.1%}",
                f"{test.new[k]:.1%}",
                *((shares[k].cell(),) if not isinstance(shares, str) else ()),
            )
            for k in order
        ]
        headers = ("label", "given before", "given now", *(("true share now",) if estimated else ()))
        left = len(self.labels) - len(order)
        more = f", the {len(order)} that changed most" if left else ""
        return Table(f"Labels{more}", headers, rows)

    def _heading(self) -> str:
        return f"{self.verdict} ({self.n_new:,} new texts; {summary_of(self.findings)})"

    def __str__(self) -> str:
        notes = "".join(f"\n\n  - {note}" for note in self.notes)
        return findings_text(self._heading(), self.findings, self.tables()) + notes

    def __repr__(self) -> str:
        return f"<Drift: {self.verdict}>"

    def _repr_html_(self) -> str:
        return findings_html(self._heading(), self.findings, self.tables())


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Arrays as lists, estimates as their own plain form."""
    import numpy as np

    def one(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return [float(x) for x in value]
        if isinstance(value, (list, tuple)):
            return [one(x) for x in value]
        if isinstance(value, dict):
            return {name: one(x) for name, x in value.items()}
        return number(value) if isinstance(value, float) else value

    return {name: one(value) for name, value in values.items()}
