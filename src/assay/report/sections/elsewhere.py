"""Texts from elsewhere: what a threshold of novelty stops, of texts like the training texts and of unknown classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.report.chart import Axis, Drawing, Line, draw

if TYPE_CHECKING:
    from assay.prediction.novelty import Novelty
    from assay.training.run import TrainingRun

__all__ = ["ElsewhereSection", "elsewhere_section"]


@dataclass(frozen=True)
class ElsewhereSection:
    """What the section shows.

    Attributes
    ----------
    sentence
        What the model can tell, in plain words.
    limit
        The threshold that stops one in a hundred of the texts that are like the training texts.
    figure
        Texts of left-out classes that are stopped, over own texts that are; None where no class could be left out.
    """

    sentence: str
    limit: str
    figure: Drawing | None


def elsewhere_section(run: TrainingRun) -> ElsewhereSection | None:
    """How texts unlike the training texts are told; None of models that cannot say it."""
    if run.model.record.novelty is None:
        return None
    known = run.model.known_texts
    limit = known.limit()
    found = known.rejected(limit)[1]
    stopped = "other topics and other languages"
    if found is not None:
        stopped = f"{found:.0%} of the texts of classes that it was not shown"
    sentence = (
        "It labels every text, also one that has nothing to do with these classes. Its novelty says how unlike the "
        "training texts a text is: a threshold that stops one in a hundred of the texts it is made for stops "
        f"{stopped}."
    )
    figure = None
    if found is not None:
        figure = _figure(known)
    return ElsewhereSection(sentence, f"{limit:.3f}", figure)


def _figure(known: Novelty) -> Drawing:
    costs = np.linspace(0.0, 0.3, 31)
    percent = (100 * costs).tolist()
    stopped = [100 * (known.rejected(known.limit(share))[1] or 0.0) for share in costs]
    return draw(
        [Line(percent, stopped), Line(percent, percent, "", "var(--axis)", (1, 1.65))],
        Axis("texts like the training texts that are stopped, %", 0, 30),
        Axis("of unknown classes, %", 0, 100),
        "texts of unknown classes that are stopped",
    )
