"""A network to be trained, as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import ParameterError
from assay.suggest import nearest_first, quoted, refuse_unknown

if TYPE_CHECKING:
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = ["NETWORKS", "NetworkChoice"]

#: Name of each network → what it is called in sentences.
NETWORKS = {
    "cnn": "convolutional network",
    "averaging": "averaging network",
    "recurrent": "recurrent network",
    "feedforward": "feed-forward network",
    "encoder": "pre-trained encoder",
}
_CLASSES = {
    "cnn": "ConvolutionalNetwork",
    "averaging": "AveragingNetwork",
    "recurrent": "RecurrentNetwork",
    "feedforward": "FeedForward",
    "encoder": "EncoderClassifier",
}
# The training itself says what these are.
_NOT_CHOSEN = {"seed", "threads", "checkpoint", "learn_novelty", "sketch", "verbose"}


@dataclass(frozen=True)
class NetworkChoice:
    """A network of `assay.neural` with its settings.

    Attributes
    ----------
    network
        One of `NETWORKS`.
    settings
        Those that are not as usual, by name; the values as JSON, so that recipes can be compared.
    """

    network: str
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, network: str, settings: Mapping[str, Any]) -> NetworkChoice:
        """A choice, after a look at the names in it."""
        if network not in NETWORKS:
            known = quoted(nearest_first(network, NETWORKS))
            raise ParameterError(f"There is no network {network!r}. Networks are {known}.")
        made = cls(network, tuple((name, json.dumps(value)) for name, value in settings.items()))
        known_settings = sorted(set(made._class()().get_params()) - _NOT_CHOSEN)
        refuse_unknown(settings, known_settings, f"of the {NETWORKS[network]}")
        return made

    @property
    def name(self) -> str:
        """In a few words."""
        given = [f"{name}={value}" for name, value in self._settings().items()]
        return ", ".join([NETWORKS[self.network], *given])

    @property
    def features(self) -> str:
        """What it looks at, in a few words."""
        if self.network == "encoder":
            lowest_highest = self._settings().get("ngrams")
            words = "words {}–{} + ".format(*lowest_highest) if lowest_highest else ""
            return f"{words}sentence vectors"
        return "words 1–2" if self.network == "feedforward" else "word vectors"

    @property
    def files(self) -> tuple[str, ...]:
        """Files and folders that it reads."""
        given = self._settings()
        return tuple(str(given[name]) for name in ("vectors", "encoder") if given.get(name) is not None)

    def classifier(
        self, *, seed: int, threads: int, checkpoint: Path | None, learn_novelty: bool = True, sketch: bool = True
    ) -> NetworkClassifier:
        """The classifier, not yet trained."""
        how: dict[str, Any] = {"seed": seed, "threads": threads, "checkpoint": checkpoint}
        how |= {"learn_novelty": learn_novelty, "sketch": sketch}
        made: NetworkClassifier = self._class()(**self._settings(), **how)
        return made

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for a settings file."""
        return {"name": self.network, "settings": self._settings()}

    def _settings(self) -> dict[str, Any]:
        return {name: json.loads(value) for name, value in self.settings}

    def _class(self) -> Any:
        import assay.neural

        return getattr(assay.neural, _CLASSES[self.network])
