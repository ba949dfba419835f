"""One model that is served, and the requests that wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from assay.explanation.columns import of_whole_texts
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
    evaluation
        What was measured when it was trained, where that is known.

    Attributes
    ----------
    labels
        Its labels.
    reference, written
        Name and digest, as values and as JSON.
    """

    def __init__(
        self, name: str, digest: str, loaded: TextClassifier, evaluation: Mapping[str, Any] | None = None
    ) -> None:
        self.name, self.digest, self.loaded, self.evaluation = name, digest, loaded, evaluation
        self.labels = tuple(loaded.labels)
        self.reference = {"name": name, "sha256": digest}
        self.written = msgspec.json.encode(self.reference)
        self.join(Places(), Metrics())

    def join(self, places: Places, metrics: Metrics) -> None:
        """Become part of a server: texts wait in its queue, and are counted."""
        self._metrics = metrics
        quick = all(isinstance(block, TextFeatures) for block in self._features)
        quick = bool(self._features) and quick
        self._batcher = Batcher(self._ask, self._count, places, quick=quick, labels=len(self.labels))

    def prepare(self) -> None:
        """Make now what would else be made while somebody waits."""
        prepare = getattr(self.loaded.model, "prepare", None)
        if prepare is not None:
            prepare()

    def submit(self, texts: list[str], question: Question, *, told: bool = True) -> asyncio.Future[list[Answer]]:
        """Let texts wait for their answers, with those of other requests; `told`: whether probabilities are wanted."""
        return self._batcher.submit(texts, question, told=told)

    async def answer(self, texts: list[str], question: Question, *, told: bool = True) -> list[Answer]:
        """The answer to each text, in order."""
        return await self.submit(texts, question, told=told)

    @property
    def is_explained_exactly(self) -> bool:
        """Whether its score is a sum over features, each of which stands somewhere in a text."""
        return bool(self._features) and not any(map(of_whole_texts, self._features))

    @property
    def _features(self) -> tuple[Any, ...]:
        """Blocks of columns; a network has none."""
        return tuple(getattr(self.loaded.model, "features", ()))

    def _ask(self, texts: list[str], question: Question, told: bool) -> list[Answer]:
        return answers_to(self.loaded, texts, question, told=told)

    def _count(self, answers: list[Answer]) -> None:
        self._metrics.answers(self.name, answers)
