"""What a model is worth on texts that were shown at random and never trained on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.data.corpus.corpus import Corpus

__all__ = ["FEWEST", "Measured", "measured"]

FEWEST = 10  # of fewer texts, an interval says next to nothing


@dataclass(frozen=True)
class Measured:
    """A share, or micro-F1 where texts have sets of labels, with the interval that its true value probably lies in."""

    metric: str
    value: float
    low: float
    high: float
    texts: int

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "metric": self.metric,
            "value": round(self.value, 6),
            "low": round(self.low, 6),
            "high": round(self.high, 6),
            "texts": self.texts,
        }


def measured(model: Any, corpus: Corpus | None) -> Measured | None:
    """Measure a model on the texts that were kept aside; None where they are too few, or tell nothing."""
    if corpus is None or len(corpus) < FEWEST:
        return None
    from assay.evaluation.protocols.evaluation import evaluate

    found = evaluate(model, corpus, allow_one_class=True)
    metric = "micro_f1" if corpus.task == "label-sets" else "accuracy"
    estimate = found[metric]
    if not estimate.defined or estimate.low != estimate.low:
        return None
    return Measured(metric, estimate.value, estimate.low, estimate.high, len(corpus))
