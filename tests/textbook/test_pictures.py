"""Pictures: what can be drawn, what is on it, and what is said when it cannot be."""

from __future__ import annotations

import subprocess
import sys

import pytest

from assay import textbook
from assay.textbook import ALGORITHMS, worked

FIRST_EXAMPLES = {"perceptron": "lexicon", "voted-perceptron": "lexicon", "logistic-regression": "lexicon"}
EVERY_PICTURE = [(name, kind) for name, algorithm in ALGORITHMS.items() for kind in algorithm.pictures]


def trace_for(name: str, kind: str) -> textbook.Trace:
    example = "positive-words" if (name, kind) == ("logistic-regression", "descent") else FIRST_EXAMPLES.get(name)
    options = {"epochs": 8} if name in ("feed-forward", "skip-gram") else {}
    return textbook.trace(name, example=example, **options)


@pytest.mark.parametrize(("name", "kind"), EVERY_PICTURE)
def test_every_picture_is_drawn(name, kind):
    figure = trace_for(name, kind).picture(kind)
    for ax in figure.axes:
        assert ax.has_data() or ax.patches or ax.texts or not ax.axison
    assert any(ax.get_title(loc="left") for ax in figure.axes)


@pytest.mark.parametrize("kind", sorted({kind for _, kind in EVERY_PICTURE}))
def test_every_kind_of_picture_is_a_small_file_without_a_date(kind, tmp_path):
    name = next(name for name, other in EVERY_PICTURE if other == kind)
    trace_for(name, kind).save(tmp_path / "picture.svg", kind)
    svg = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert "<svg" in svg
    assert "<dc:date>" not in svg
    assert len(svg) < 60_000


def test_the_same_picture_is_the_same_file(tmp_path):
    for name in ("a.svg", "b.svg", "a.png", "b.png"):
        textbook.trace("counting").save(tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def texts(figure) -> list[str]:
    (ax, *_) = figure.axes
    return [text.get_text() for text in ax.texts]


def test_boundary_is_drawn_after_every_update_or_said_to_be_outside():
    trace = textbook.trace("perceptron", example="lexicon")
    updates = [str(step.number) for step in trace.steps if not step.right]
    assert set(updates) <= {
        number for text in texts(trace.picture("boundary")) for number in text.removeprefix("outside: ").split(", ")
    }


def test_one_feature_gives_a_threshold_that_moves():
    (ax,) = textbook.trace("perceptron", example="positive-words").picture("boundary").axes
    thresholds = ax.lines[0].get_xdata()
    assert thresholds[0] == pytest.approx(-0.1)  # 10 x + 1 = 0
    assert thresholds[-1] == 2


def labels(figure) -> list[str]:
    (ax,) = figure.axes
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_average_is_drawn_beside_the_weights_on_the_way():
    """Section 2.6: the totals 70 and -35 give a boundary at 0.5, though the last weights have it at 2."""
    trace = textbook.trace("average-over-examples", example="positive-words")
    assert "result, 0.5" in labels(trace.picture("boundary"))
    assert "result" in labels(textbook.trace("average-over-examples", example="lexicon").picture("boundary"))


def test_names_of_boundaries_do_not_stand_on_each_other():
    (ax,) = textbook.trace("linear-svm", example="lexicon").picture("boundary").axes
    named = [text for text in ax.texts if text.get_text().replace(", ", "").isdigit()]
    places = [text.xy for text in named]
    width, height = (high - low for low, high in (ax.get_xlim(), ax.get_ylim()))
    for i, (x, y) in enumerate(places):
        assert all(abs(x - u) > 0.04 * width or abs(y - v) > 0.04 * height for u, v in places[i + 1 :])


def test_contour_shows_the_way_from_start_to_end():
    trace = textbook.trace("gradient-descent", example="bowl")
    (ax,) = trace.picture("descent").axes
    way = next(line for line in ax.lines if len(line.get_xdata()) == len(trace.steps) + 1)
    assert (way.get_xdata()[0], way.get_ydata()[0]) == (3, 3)
    assert way.get_xdata()[-1] == pytest.approx(trace.result[0])


def test_centres_wander_from_the_start():
    trace = textbook.trace("k-means")
    (ax,) = trace.picture("centres").axes
    first_way = ax.lines[0]
    assert tuple(first_way.get_xydata()[0]) == worked.TOPIC_COUNTS[0]
    assert tuple(first_way.get_xydata()[-1]) == trace.result.centres[0]


def test_loss_curve_shows_every_step():
    trace = textbook.trace("linear-svm")
    (ax,) = trace.picture("loss").axes
    assert list(ax.lines[0].get_ydata()) == [step.loss for step in trace.steps]


def test_more_than_two_features_have_no_boundary():
    trace = textbook.trace("perceptron", example="reviews")
    with pytest.raises(
        textbook.InputError,
        match=r"A boundary is drawn in one or two dimensions, and the data has 5 features "
        r"\(good, excellent, bad, horrible, boring\)\. Choose two of them, or read the steps instead",
    ):
        trace.picture("boundary")
    with pytest.raises(textbook.InputError, match=r"No picture of this trace can be drawn\. A boundary is drawn in"):
        trace.picture()
    assert trace.pictures == ()
    assert "<svg" not in trace.html()


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("voted-perceptron", "regions", "Regions are drawn in two dimensions, and the data has 1 feature"),
        ("k-means", "centres", "Centres are drawn in two dimensions, and the data has 1 feature"),
        ("k-means", "boundary", "There is no picture 'boundary' of k-means. There are: centres, loss"),
    ],
)
def test_reasons_are_given(name, kind, message):
    data = ([[0], [1], [5]], ["-", "-", "+"]) if name != "k-means" else ([[0], [1], [5]],)
    with pytest.raises(textbook.InputError, match=message.replace(".", r"\.")):
        textbook.trace(name, *data).picture(kind)


def test_one_point_has_no_boundary():
    trace = textbook.trace("logistic-regression", example="one-step")
    assert "boundary" not in trace.pictures
    with pytest.raises(textbook.InputError, match="A boundary is drawn between points, and there is one point only"):
        trace.picture("boundary")


def test_other_reasons():
    with pytest.raises(
        textbook.InputError, match="The way downhill is drawn for one or two parameters, and there are 3"
    ):
        textbook.trace("logistic-regression", example="lexicon").picture("descent")
    with pytest.raises(textbook.InputError, match="A loss curve needs at least two steps"):
        textbook.trace("logistic-regression", example="one-step").picture("loss")
    with pytest.raises(textbook.InputError, match="The bars compare two classes, and there are 3"):
        textbook.trace("naive-bayes", ["a", "b", "c"], ["x", "y", "z"]).picture("bars")
    with pytest.raises(textbook.InputError, match="A map needs two dimensions, and there is one"):
        textbook.trace("skip-gram", "a b a b c", dimensions=1, epochs=1).picture("map")
    with pytest.raises(textbook.InputError, match="A matrix of 1000 cells is too large to draw"):
        textbook.trace("count-vectors", [" ".join(f"w{i}" for i in range(1000))]).picture("matrix")


def test_the_textbook_alone_imports_no_matplotlib():
    code = (
        "import sys; from assay import textbook; textbook.trace('perceptron').text(); "
        "print(sorted({'matplotlib', 'sklearn', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_textbook_imports_nothing_else_of_the_package():
    code = (
        "import sys, assay; own = set(sys.modules); "
        "from assay import textbook; textbook.trace('perceptron', example='lexicon').html(); "
        "further = set(sys.modules) - own; "
        "print(sorted(m for m in further if m.startswith('assay.') and not m.startswith('assay.textbook')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
