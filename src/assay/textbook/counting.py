"""Learning by counting how often a label came with a symbol.

    P(label | symbol) = count(examples with symbol and label) / count(examples with symbol)

A new sequence gets the label with the highest mean probability over its known symbols.

References
----------
McDonald, *Classification* (AthNLP 2024), "Let's start simple".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.inputs import InputError, Label, as_documents, as_labels
from assay.textbook.steps import Step, Steps, finish

__all__ = ["SymbolCounts", "count_symbols", "count_symbols_steps"]


@dataclass(frozen=True)
class SymbolCounts:
    """Counts of (symbol, label); `probability` and `predict` read them."""

    counts: dict[str, dict[Label, int]]
    labels: tuple[Label, ...]

    def probability(self, label: Label, symbol: str) -> float:
        """Give P(label | symbol)."""
        if symbol not in self.counts:
            raise InputError(f"{symbol!r} was never seen. Known symbols: {' '.join(self.counts)}.")
        seen = self.counts[symbol]
        return seen.get(label, 0) / sum(seen.values())

    def score(self, sequence: str | Sequence[str], label: Label) -> float:
        """Give the mean of P(label | symbol) over the known symbols of a sequence."""
        (symbols,) = as_documents([sequence])
        known = [symbol for symbol in symbols if symbol in self.counts]
        if not known:
            raise InputError(f"No symbol of {' '.join(symbols)!r} was ever seen, so nothing can be said about it.")
        return sum(self.probability(label, symbol) for symbol in known) / len(known)

    def predict(self, sequence: str | Sequence[str]) -> Label:
        """Give the label with the highest score, the first one seen if several have it."""
        return max(self.labels, key=lambda label: self.score(sequence, label))


def count_symbols_steps(sequences: Iterable[str | Sequence[str]], labels: Iterable[Any]) -> Steps[SymbolCounts]:
    """Count one example after the other; see `count_symbols`."""
    examples = as_documents(sequences)
    y = as_labels(labels, len(examples))
    names = tuple(dict.fromkeys(y))
    everything = list(dict.fromkeys(symbol for symbols in examples for symbol in symbols))
    table = SymbolCounts({}, names)
    for number, (symbols, label) in enumerate(zip(examples, y, strict=True), start=1):
        for symbol in dict.fromkeys(symbols):  # a symbol counts once an example
            seen = table.counts.setdefault(symbol, dict.fromkeys(names, 0))
            seen[label] += 1
        yield Step(
            number,
            seen=" ".join(symbols),
            score=None,
            decision=str(label),
            update=f"count with {label}",
            parameters={
                f"P({names[0]}|{s})": table.probability(names[0], s) if s in table.counts else None for s in everything
            },
            why="a probability is a share of what was counted",
        )
    return table


def count_symbols(sequences: Iterable[str | Sequence[str]], labels: Iterable[Any]) -> SymbolCounts:
    """Count how often each symbol comes with each label.

    Examples
    --------
    >>> table = count_symbols(["★ ◇ ○", "★ ♥ △", "★ △ ♠", "◇ △ ○"], [-1, -1, +1, +1])
    >>> table.probability(-1, "★"), table.predict("★ ◇ ♥")
    (0.6666666666666666, -1)
    """
    return finish(count_symbols_steps(sequences, labels))
