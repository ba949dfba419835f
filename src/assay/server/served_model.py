"""One model that is served, and the requests that wait for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.server.answers import Answer, answers_to
from assay.streaming.question import Question

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier

__all__ = ["ServedModel"]


@dataclass(eq=False)
class ServedModel:
    """A loaded model under a name.

    Attributes
    ----------
    name
        By which requests ask for it.
    digest
        SHA-256 of its file.
    loaded
        The model.
    """

    name: str
    digest: str
    loaded: TextClassifier
    labels: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.labels = tuple(self.loaded.labels)

    async def answer(self, texts: list[str], question: Question, *, told: bool = True) -> list[Answer]:
        """The answer to each text, in order."""
        return answers_to(self.loaded, texts, question, told=told)
