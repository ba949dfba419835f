"""What a regression says of the features, to read and to keep."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import exp, isfinite, isinf, isnan, nan
from typing import Any

from assay.evaluation.uncertainty.estimate import number
from assay.suggest import counted, quote
from assay.tables import Table, page_html, page_text

__all__ = ["Coefficient", "FeatureTest", "Regression"]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """The weight of one column for one class against the reference.

    Attributes
    ----------
    name, label
        The column, and the class.
    estimate, standard_error
        On the scale of log-odds. Infinite, and without an error, where the column separates the classes.
    z, p_value
        Wald's test of 0.
    low, high
        Interval of the estimate.
    holm, benjamini_hochberg
        The p-value adjusted for all features and classes; NaN for controls.
    """

    name: str
    label: str
    is_control: bool
    estimate: float
    standard_error: float
    z: float
    p_value: float
    low: float
    high: float
    holm: float = nan
    benjamini_hochberg: float = nan

    @property
    def odds_ratio(self) -> float:
        """How many times the odds, for one more."""
        return _exp(self.estimate)

    @property
    def odds_interval(self) -> tuple[float, float]:
        """Interval of the odds ratio."""
        return _exp(self.low), _exp(self.high)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; infinite and undefined numbers are text and None."""
        low, high = self.odds_interval
        fields = asdict(self) | {"odds_ratio": self.odds_ratio, "odds_low": low, "odds_high": high}
        return {name: _plain(value) for name, value in fields.items()}


@dataclass(frozen=True, slots=True)
class FeatureTest:
    """Whether a feature adds anything, over all classes at once.

    Attributes
    ----------
    method
        ``"likelihood ratio"``, ``"Fisher's exact"``, ``"stratified exact"`` (Fisher's among texts that are alike in all
        else), ``"permutation"`` or ``"held-out likelihood ratio"``.
    statistic, degrees
        2 (log-likelihood with the feature - without), and the columns that it has over all classes; NaN and 0 for
        other methods.
    p_value, holm, benjamini_hochberg
        As it is, and adjusted for the number of features.
    n_present
        Texts where the feature is not 0.
    holds
        Whether the test rejects without an association as seldom as it says; False for a likelihood-ratio test that was
        asked for although there are few texts, features were chosen by these labels or coefficients are shrunk.
    """

    name: str
    method: str
    statistic: float
    degrees: int
    p_value: float
    holm: float
    benjamini_hochberg: float
    n_present: int
    holds: bool = True

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {name: _plain(value) for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Regression:
    """What features have to do with the classes. Made by `assay.inference.regress`.

    Attributes
    ----------
    labels
        The classes, the reference first.
    coefficients
        Features and controls, class by class.
    tests
        One for each feature.
    conclusions
        The answer for each feature in a sentence.
    notes
        What a reader should know before believing the numbers.
    """

    source: str
    n_texts: int
    labels: tuple[str, ...]
    controls: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    tests: tuple[FeatureTest, ...]
    log_likelihood: float
    null_log_likelihood: float
    level: float
    conclusions: tuple[str, ...]
    notes: tuple[str, ...]

    def __getitem__(self, name: str) -> FeatureTest:
        from assay.errors import ParameterError
        from assay.suggest import nearest_first, quoted

        by_name = {test.name: test for test in self.tests}
        if name not in by_name:
            raise ParameterError(f"{quote(name)} was not tested. Tested were {quoted(nearest_first(name, by_name))}.")
        return by_name[name]

    def coefficient(self, name: str, label: str | None = None) -> Coefficient:
        """Of a column; for one class, where there are more than two."""
        found = [c for c in self.coefficients if c.name == name and label in (None, c.label)]
        if len(found) != 1:
            from assay.errors import ParameterError

            known = ", ".join(repr((c.name, c.label)) for c in self.coefficients)
            raise ParameterError(f"There is no single coefficient for {quote((name, label))}. There are {known}.")
        return found[0]

    @property
    def pseudo_r2(self) -> float:
        """McFadden's: 1 - log-likelihood / log-likelihood of the shares of the classes alone."""
        return 1 - self.log_likelihood / self.null_log_likelihood

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the shape is described in the guide to tests of features and stays as it is."""
        return {
            "kind": "feature_tests",
            "version": 1,
            "source": self.source,
            "n_texts": self.n_texts,
            "labels": list(self.labels),
            "reference": self.labels[0],
            "controls": list(self.controls),
            "level": self.level,
            "log_likelihood": number(self.log_likelihood),
            "null_log_likelihood": number(self.null_log_likelihood),
            "pseudo_r2": number(self.pseudo_r2),
            "tests": [test.to_dict() for test in self.tests],
            "coefficients": [coefficient.to_dict() for coefficient in self.coefficients],
            "conclusions": list(self.conclusions),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n\n".join([page_text(self.heading, self.tables(), self.conclusions, "Answer"), *self._notes_text()])

    def __repr__(self) -> str:
        shown = ", ".join(f"{test.name} p={p_text(test.p_value)}" for test in self.tests)
        return f"<Regression of {counted(self.n_texts, 'text', 'texts')}: {shown}>"

    def _repr_html_(self) -> str:
        return page_html(self.heading, self.tables(), [*self.conclusions, *self.notes], "Answer")

    @property
    def heading(self) -> str:
        """Data, classes and controls in a line."""
        of = (
            f"{quote(self.labels[1])} against {quote(self.labels[0])}"
            if len(self.labels) == 2
            else f"against {quote(self.labels[0])}"
        )
        beyond = f", beyond {' and '.join(self.controls)}" if self.controls else ""
        return f"{self.source}: {counted(self.n_texts, 'text', 'texts')}, {of}{beyond}"

    def _notes_text(self) -> list[str]:
        return [page_text("", [], self.notes).strip()] if self.notes else []

    def tables(self) -> list[Table]:
        """Tests of the features, and all coefficients."""
        several = len(self.tests) > 1
        rows = []
        for test in self.tests:
            statistic = "" if isnan(test.statistic) else f"{test.statistic:.2f} ({test.degrees})"
            adjusted = (p_text(test.holm), p_text(test.benjamini_hochberg)) if several else ()
            rows.append((test.name, f"{test.n_present:,}", test.method, statistic, p_text(test.p_value), *adjusted))
        headers = ("feature", "texts", "test", "χ² (df)", "p", *(("Holm", "B–H") if several else ()))
        many = len(self.labels) > 2
        lines = [
            (
                f"{c.name} → {c.label}" if many else c.name,
                number_text(c.estimate),
                number_text(c.standard_error),
                number_text(c.z, 2),
                p_text(c.p_value),
                _odds_text(c),
            )
            for c in self.coefficients
        ]
        return [
            Table("Does the feature add anything?", headers, rows),
            Table(
                "Coefficients",
                ("", "log-odds", "std. error", "z", "p", f"odds ratio [{self.level:.0%} interval]"),
                lines,
            ),
        ]


def p_text(p: float) -> str:
    """A p-value to read: ``0.0123``, ``<0.0001``."""
    if isnan(p):
        return "–"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def number_text(value: float, decimals: int = 3) -> str:
    """A number to read; an infinite one says so."""
    if isnan(value):
        return "–"
    return f"{value:.{decimals}f}" if isfinite(value) else ("∞" if value > 0 else "-∞")


def _odds_text(c: Coefficient) -> str:
    if isnan(c.low):
        return "∞" if c.estimate == float("inf") else "0" if isinf(c.estimate) else "–"
    low, high = c.odds_interval
    return f"{c.odds_ratio:.3g} [{low:.3g}, {high:.3g}]"


def _exp(value: float) -> float:
    if isnan(value):
        return nan
    return exp(value) if value < 709 else float("inf")


def _plain(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return value if isfinite(value) else None if isnan(value) else ("Infinity" if value > 0 else "-Infinity")
