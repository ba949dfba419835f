"""One thing to know about a corpus: what was found, where, and the way out."""

from __future__ import annotations

from dataclasses import asdict, dataclass

__all__ = ["SEVERITIES", "DataFinding"]

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class DataFinding:
    """One thing to know about a corpus.

    Parameters
    ----------
    kind
        A short name for programs, such as ``"duplicates"``; the same in every version.
    severity
        ``"error"``: training cannot work or would mislead. ``"warning"``: look at it. ``"note"``: good to
        know.
    what
        What was found, with its number.
    where
        File and row of the first places, or the labels concerned.
    advice
        The way out.
    """

    kind: str
    severity: str
    what: str
    where: str
    advice: str

    def to_dict(self) -> dict[str, str]:
        """Return the fields."""
        return asdict(self)
