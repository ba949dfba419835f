"""How unlike the training texts a text is: what of it is known, and how sure the model is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.features.ngrams.analysis import Analysis
from assay.prediction.known_ngrams import KnownNgrams
from assay.prediction.probabilities import Floats, log_odds, sigmoid, softmax
from assay.prediction.scoring import documents_of
from assay.threads import count_threads

__all__ = ["METHOD", "QUANTILES", "NoNoveltyError", "Novelty", "reading_of", "sureness_of"]

#: The name under which a model file keeps it.
METHOD = "known-ngrams"

#: Which quantiles of the novelty of held-out texts are kept: every hundredth.
QUANTILES = np.linspace(0, 1, 101)

_SUREST = 20.0  # log-odds: more says nothing more
_READINGS = {"words": Analysis(ngrams=(1, 2)), "characters": Analysis(unit="char", ngrams=(1, 3), tokens="none")}
_NOTHING = np.empty(0)


class NoNoveltyError(ParameterError):
    """Novelty was asked of a model that does not know it."""

    def __init__(self) -> None:
        super().__init__(
            "This model cannot say how unlike its training texts a text is: it was not trained to. 'assay train' with "
            "cross-validation (folds, or a search) and TextClassifier(..., learn_novelty=True) make models that can, "
            "of texts that have one label each."
        )


@dataclass(frozen=True, eq=False)
class Novelty:
    """From texts and their scores to numbers between 0 and 1, the greater the newer.

    novelty = 1 / (1 + exp(-(intercept + of_known · √share + of_sureness · s))), where share is what of the text is
    known (`KnownNgrams`) and s the log-odds of the likeliest label under softmax(scale · scores).

    Attributes
    ----------
    known
        The n-grams of the training texts.
    intercept, of_known, of_sureness, scale
        Numbers of the formula. `of_sureness` is 0 where no class could be left out.
    own
        Novelty of training texts, each looked at by a model that had not seen it: its hundredths, rising.
    left_out
        The same of texts of classes that the model did not know; empty where no class could be left out.
    usual
        What of the held-out training texts was known, on average; None in files that do not say it.
    unknown
        What of a training text is unknown to all others: its hundredths, rising. New texts of the same source are as
        unknown; `own` is of models that knew fewer texts. Copies count once. Empty in files that do not say it.
    different
        Training texts, copies counted once; None in files that do not say it.
    """

    known: KnownNgrams
    intercept: float
    of_known: float
    of_sureness: float = 0.0
    scale: float = 1.0
    own: Floats = field(default_factory=lambda: _NOTHING)
    left_out: Floats = field(default_factory=lambda: _NOTHING)
    usual: float | None = None
    unknown: Floats = field(default_factory=lambda: _NOTHING)
    different: int | None = None

    @property
    def has_words(self) -> bool:
        """Whether words and pairs of words are looked at, and not characters."""
        return self.known.analysis == _READINGS["words"]

    def of(self, texts: Any, scores: Any, *, threads: int | None = None) -> Floats:
        """Novelty of each text, (n,), of which the model's scores are known."""
        return self.of_parts(self.known_shares(texts, threads=threads), sureness_of(scores, self.scale))

    def known_shares(self, texts: Any, *, threads: int | None = None) -> Floats:
        """What of each text is known, from 0 to 1: words and pairs of words, rare ones counting more."""
        return self.known.shares(documents_of(texts), count_threads(threads))

    def of_parts(self, shares: Floats, sureness: Floats) -> Floats:
        """Novelty of texts of which the known share and the sureness are given."""
        return sigmoid(self.intercept + self.of_known * np.sqrt(shares) + self.of_sureness * sureness)

    def limit(self, share: float = 0.01) -> float:
        """The novelty that this share of the training texts had at least when they were held out."""
        return float(np.interp(1 - share, QUANTILES, self.own))

    def rejected(self, limit: float) -> tuple[float, float | None]:
        """Which share of held-out training texts, and of texts of left-out classes, have at least this novelty."""
        shares = [
            None if not part.size else float(np.mean(np.interp(_FINE, QUANTILES, part) >= limit))
            for part in (self.own, self.left_out)
        ]
        return shares[0] or 0.0, shares[1]

    # -- keeping -------------------------------------------------------------------------------------------------------

    def to_data(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain settings, and arrays."""
        reading = next(name for name, analysis in _READINGS.items() if analysis == self.known.analysis)
        settings = {
            "reading": reading,
            "texts": self.known.n_texts,
            "intercept": self.intercept,
            "known": self.of_known,
            "sureness": self.of_sureness,
            "scale": self.scale,
        }
        said = {"usual": self.usual, "different": self.different}
        settings |= {name: value for name, value in said.items() if value is not None}
        arrays: dict[str, NDArray[Any]] = {"codes": self.known.codes, "own": self.own}
        parts = {"left_out": self.left_out, "unknown": self.unknown}
        return settings, arrays | {name: part for name, part in parts.items() if part.size}

    @classmethod
    def from_data(cls, settings: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Novelty:
        """The inverse, for data of unknown origin."""
        numbers = [settings.get(name) for name in ("intercept", "known", "sureness", "scale")]
        codes, own = arrays.get("codes", _NOTHING), arrays.get("own", _NOTHING)
        left_out, unknown = arrays.get("left_out", _NOTHING), arrays.get("unknown", _NOTHING)
        texts, usual, different = settings.get("texts"), settings.get("usual"), settings.get("different")
        fits = (
            settings.get("reading") in _READINGS
            and (usual is None or (isinstance(usual, float) and 0 <= usual <= 1))
            and all(isinstance(number, float) and np.isfinite(number) for number in numbers)
            and type(texts) is int
            and 0 < texts < 2**62
            and (different is None or (type(different) is int and 0 < different <= texts))
            and codes.dtype == np.uint8
            and codes.ndim == 1
            and 0 < codes.size < 2**31
            and set(arrays) <= {"codes", "own", "left_out", "unknown"}
            and own.shape == QUANTILES.shape
            and all(part.shape in (QUANTILES.shape, (0,)) for part in (left_out, unknown))
            and all((np.diff(part) >= 0).all() for part in (own, left_out, unknown))
        )
        if not fits:
            sizes = {name: values.shape for name, values in arrays.items()}
            raise DataError(
                f"What this model file says of novelty is not of the form that assay writes: its settings are "
                f"{dict(settings)!r:.300}, its arrays {sizes}."
            )
        intercept, of_known, of_sureness, scale = (float(number) for number in numbers if number is not None)
        known = KnownNgrams(_READINGS[settings["reading"]], int(settings["texts"]), codes)
        own, left_out, unknown = (part.astype(np.float64) for part in (own, left_out, unknown))
        return cls(known, intercept, of_known, of_sureness, scale, own, left_out, usual, unknown, different)


_FINE = np.linspace(0, 1, 10_001)


def sureness_of(scores: Any, scale: float) -> Floats:
    """The log-odds of the likeliest label under softmax(scale · scores), at most 20."""
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim == 1:
        table = np.column_stack([-table, table])
    return np.minimum(log_odds(softmax(scale * table).max(axis=1)), _SUREST)


def reading_of(name: str) -> Analysis:
    """What the n-grams are, "words" or "characters"."""
    return _READINGS[name]
