"""One model that is served, and the requests that wait for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from assay.features.ngrams.text_features import TextFeatures
from assay.server.answers import Answer, answers_to
from assay.server.batching import Batcher, Places
from assay.server.metrics import Metrics
from assay.streaming.question import Question

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier

__all__ = ["ServedModel"]


class ServedModel:
    """A loaded model under a name.

    Parameters
    ----------
    name
        By which requests ask for it.
    digest
        SHA-256 of its file.
    loaded
        The model.

    Attributes
    ----------
    labels
        Its labels.
    """

    def __init__(self, name: str, digest: str, loaded: TextClassifier) -> None:
        self.name, self.digest, self.loaded = name, digest, loaded
        self.labels = tuple(loaded.labels)
        self.reference = {"name": name, "sha256": digest}
        self.join(Places(), Metrics())

    def join(self, places: Places, metrics: Metrics) -> None:
        """Become part of a server."""
        self.metrics = metrics
        self._batcher = Batcher(self._ask, self._count, places, quick=self._is_quick())

    def submit(self, texts: list[str], question: Question, *, told: bool = True) -> asyncio.Future[list[Answer]]:
        """Let texts wait for their answers, with those of other requests; `told` is whether probabilities are wanted."""
        return self._batcher.submit(texts, question, told=told)

    async def answer(self, texts: list[str], question: Question, *, told: bool = True) -> list[Answer]:
        """The answer to each text, in order."""
        return await self.submit(texts, question, told=told)

    def _ask(self, texts: list[str], question: Question, told: bool) -> list[Answer]:
        return answers_to(self.loaded, texts, question, told=told)

    def _count(self, answers: list[Answer]) -> None:
        self.metrics.answers(self.name, answers)

    def _is_quick(self) -> bool:
        """Whether it is made of n-grams alone: networks and encoders take their time for every text."""
        features = getattr(self.loaded.model, "features", None)
        return features is not None and all(isinstance(block, TextFeatures) for block in features)
