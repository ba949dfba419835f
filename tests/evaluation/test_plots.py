"""Figures hold what they should and leave no global state."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import assay
from assay.errors import DataError
from assay.evaluation.protocols.evaluation import Evaluation


def evaluated(n_classes: int, scores_only: bool = False) -> Evaluation:
    random = np.random.default_rng(0)
    truth = np.r_[np.arange(n_classes), random.integers(0, n_classes, 30 * n_classes)]
    table = random.normal(size=(truth.size, n_classes)) + 2 * np.eye(n_classes)[truth]
    p = np.exp(table) / np.exp(table).sum(axis=1, keepdims=True)
    scores = {"scores": table} if scores_only else {"probabilities": p}
    names = np.array([f"class {k:02d}" for k in range(n_classes)])
    said = names[table.argmax(axis=1)]
    return assay.evaluate(names[truth], said, labels=names.tolist(), n_resamples=10, **scores)


def titles(figure) -> list[str]:
    return [axes.get_title(loc="left").split(" (")[0] for axes in figure.axes if axes.get_title(loc="left")]


@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_every_panel_is_drawn(n_classes: int) -> None:
    figure = evaluated(n_classes).plot()
    assert titles(figure) == ["Confusion", "Reliability", "ROC curves", "Precision and recall"]
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_confusion_shows_every_count() -> None:
    result = evaluated(3)
    axes = result.plot("confusion").axes[0]
    assert [int(text.get_text()) for text in axes.texts] == result.confusion.counts.ravel().tolist()


def test_coverage_ends_at_the_accuracy_of_all_answers() -> None:
    result = evaluated(3)
    line = result.plot("coverage").axes[0].lines[0]
    assert line.get_xdata()[-1] == 1.0
    assert line.get_ydata()[-1] == result.accuracy.value
    found = result.coverage(0.6)
    place = int(np.searchsorted(line.get_xdata(), found.coverage.value))
    assert line.get_ydata()[place] == found.accuracy.value
    with pytest.raises(DataError, match="Coverage needs probabilities or scores, and there are none"):
        assay.evaluate(["a", "b"], ["a", "a"], n_resamples=10).plot("coverage")


def test_scores_alone_have_no_reliability() -> None:
    assert "Reliability" not in titles(evaluated(3, scores_only=True).plot())


def test_labels_alone_have_a_confusion_matrix() -> None:
    assert titles(assay.evaluate(["a", "b"], ["a", "a"], n_resamples=10).plot()) == ["Confusion"]


def test_many_classes_show_the_curves_with_the_smallest_areas() -> None:
    legend = evaluated(12).plot("roc").axes[0].get_legend()
    assert len(legend.get_texts()) == 6
    assert legend.get_title().get_text() == "the 6 lowest of 12"


def test_chosen_panels_are_drawn_in_order() -> None:
    assert titles(evaluated(2).plot(["roc", "confusion"])) == ["ROC curves", "Confusion"]


def test_no_curve_to_draw_says_why() -> None:
    result = assay.evaluate(
        ["a", "a"], ["a", "a"], [[0.9, 0.1], [0.8, 0.2]], labels=["a", "b"], allow_one_class=True, n_resamples=10
    )
    with pytest.raises(DataError, match="There is no curve to draw: no label has documents of it and of others"):
        result.plot("roc")


def test_pyplot_is_not_needed() -> None:
    evaluated(2).plot("confusion")
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()
