"""What an audit looks like in a window of 80 columns."""

from __future__ import annotations

from assay.audit.people.probes import TermList
from assay.findings import Finding, said_once


def finding(seen: str, severity: str = "concern", sure: str = "Clear.") -> Finding:
    return Finding("swaps", "swap", severity, "A term", seen, sure, "It may harm.", "Other terms were not tried.")


def test_what_two_verdicts_share_is_said_once() -> None:
    first, second, third = said_once([finding("One."), finding("Two."), finding("Three.", sure="Not clear.")])
    assert [text for _, text in first] == ["One.", "Clear.", "It may harm.", "Other terms were not tried."]
    assert second == [("", "Two."), ("How sure, could mean, cannot show: ", "as above.")]
    assert third == [("", "Three."), ("How sure: ", "Not clear."), ("Could mean, cannot show: ", "as above.")]


def test_an_a_before_a_filler_becomes_an_where_it_must() -> None:
    quality = {"quality": ("wonderful", "ordinary")}
    terms = TermList("x", "", {"a": ("she",), "b": ("he",)}, ("{term} wrote a {quality} review.",), quality)
    assert terms.probe().texts[::2] == ("She wrote a wonderful review.", "She wrote an ordinary review.")
