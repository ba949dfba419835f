"""Linear models: the perceptrons, logistic regression, support vector machines, and the way downhill."""

from __future__ import annotations

import math
from typing import Any

from assay.textbook import worked
from assay.textbook.averaged_perceptron import average_over_examples_steps, average_over_updates_steps
from assay.textbook.catalogue.record import Algorithm, Example
from assay.textbook.gradient_descent import gradient_descent_steps
from assay.textbook.label_sets import LabelSetPerceptron, label_set_perceptron_steps
from assay.textbook.linear import BinaryLinear, MulticlassLinear, linear_scores_steps
from assay.textbook.linear_svm import LinearSVM, linear_svm_steps
from assay.textbook.logistic import logistic_regression_steps
from assay.textbook.logistic_functions import cross_entropy, probability_steps, softmax_steps
from assay.textbook.multiclass_perceptron import MulticlassPerceptron, multiclass_perceptron_steps
from assay.textbook.multiclass_svm import multiclass_svm_steps
from assay.textbook.multinomial_logistic import multinomial_logistic_steps
from assay.textbook.perceptron import Perceptron, perceptron_steps
from assay.textbook.rendering.numbers import show, show_number
from assay.textbook.voted_perceptron import VotedPerceptron, voted_perceptron_steps

__all__ = ["LINEAR_MODELS"]

_SURDEANU = "Surdeanu & Valenzuela-Escárcega"
_JURAFSKY = "Jurafsky & Martin, Speech and Language Processing, chapter 4"
_ZHANG = "Zhang, Natural Language Processing, chapter 3"
_MCDONALD = "McDonald, Classification (AthNLP 2024)"

_REVIEWS = Example(
    "reviews",
    "three product reviews",
    f"{_SURDEANU}, section 2.4, Tables 2.4 and 2.5",
    {"X": worked.REVIEWS, "y": worked.REVIEW_LABELS},
    worked.REVIEW_WORDS,
)
_WORDS = Example(
    "positive-words",
    "four reviews by their number of positive words",
    f"{_SURDEANU}, section 2.4, Table 2.6",
    {"X": worked.POSITIVE_WORDS, "y": worked.POSITIVE_WORDS_LABELS},
    ("positive words",),
)
_LEXICON = Example(
    "lexicon",
    "ten reviews by their positive and negative words",
    "made for this textbook",
    {"X": worked.LEXICON_COUNTS, "y": worked.LEXICON_LABELS},
    worked.LEXICON_FEATURES,
)
_TOPICS = Example(
    "topics",
    "nine articles by their sports and money words",
    "made for this textbook",
    {"X": worked.TOPIC_COUNTS, "y": worked.TOPIC_LABELS},
    worked.TOPIC_FEATURES,
)


def _with(example: Example, **options: Any) -> Example:
    return Example(example.name, example.title, example.source, {**example.arguments, **options}, example.features)


def _gate(name: str, y: tuple[int, ...], epochs: int = 100) -> Example:
    return Example(
        name,
        f"the {name.upper()} function",
        f"{_MCDONALD}, what a simple perceptron can and can't do",
        {"X": worked.SQUARE, "y": y, "epochs": epochs},
        ("x1", "x2"),
    )


def parabola(x: float) -> float:
    """Give (x + 1)² + 1."""
    return (x + 1) ** 2 + 1


def slope_of_parabola(x: float) -> float:
    """Give 2 (x + 1)."""
    return 2 * (x + 1)


def slide(x: tuple[float, float]) -> float:
    """Give (x₁ + 1)² + 3 x₂ + 1."""
    return (x[0] + 1) ** 2 + 3 * x[1] + 1


def slope_of_slide(x: tuple[float, float]) -> tuple[float, float]:
    """Give (2 (x₁ + 1), 3)."""
    return (2 * (x[0] + 1), 3)


def bowl(x: tuple[float, float]) -> float:
    """Give (x₁ + 1)² + 4 (x₂ - 1)²."""
    return (x[0] + 1) ** 2 + 4 * (x[1] - 1) ** 2


def two_valleys(x: float) -> float:
    """Give x sin²(x) + 1."""
    return x * math.sin(x) ** 2 + 1


def _hyperplane(model: BinaryLinear) -> str:
    return f"w = {show(model.w)}, b = {show_number(model.b)}; {model.positive} if w · x + b > 0."


def _perceptron(model: Perceptron) -> str:
    end = "no mistake in the last epoch" if model.converged else "still mistakes in the last epoch"
    return f"{_hyperplane(model)[:-1]}. Mistakes per epoch: {show(model.mistakes)}, {end}."


def _votes(model: VotedPerceptron) -> str:
    most = max(model.survivors, key=lambda s: s.votes)
    return (
        f"{len(model.survivors)} weight vectors, {sum(s.votes for s in model.survivors)} votes; "
        f"most votes, {most.votes}, for w = {show(most.w)}, b = {show_number(most.b)}."
    )


def _weights(model: MulticlassLinear) -> str:
    parts = [
        f"{c}: w = {show(w)}, b = {show_number(b)}" for c, w, b in zip(model.classes, model.W, model.b, strict=True)
    ]
    return "; ".join(parts) + "."


def _many(model: MulticlassPerceptron) -> str:
    return f"{_weights(model)} Mistakes per epoch: {show(model.mistakes)}."


def _street(model: LinearSVM) -> str:
    if not any(model.w):
        return f"Every weight is 0: no hyperplane is better than none. {model.negative} for every point."
    support = " ".join(f"#{i + 1}" for i in model.support_vectors)
    return f"{_hyperplane(model)[:-1]}. Margin {show_number(model.margin)}, support vectors {support}."


def _minimum(x: Any) -> str:
    return f"x = {show(x)}."


def _highest(scores: dict[Any, float]) -> str:
    best = max(scores, key=lambda c: scores[c])
    return f"{', '.join(f'{c} {show_number(score)}' for c, score in scores.items())}: {best}."


def _probability(p: float) -> str:
    losses = [show_number(cross_entropy(p, truth)) for truth in (1, 0)]
    return f"P(y = 1) = {show_number(p)}; the loss is {losses[0]} if y is 1 and {losses[1]} if it is 0."


def _shares(p: list[float]) -> str:
    return f"softmax = ({', '.join(f'{share:.2f}' for share in p)})."


def _of_sets(model: LabelSetPerceptron) -> str:
    weights = "; ".join(
        f"{label}: w = {show(w)}, b = {show_number(b)}"
        for label, w, b in zip(model.labels, model.W, model.b, strict=True)
    )
    end = "no mistake in the last pass" if model.converged else "still making mistakes"
    return f"{weights}; {end}."


LINEAR_MODELS = (
    Algorithm(
        "linear-scores",
        "Linear scores",
        "one weighted sum a class; the highest wins",
        f"{_MCDONALD}, linear classifiers",
        linear_scores_steps,
        ("x", "model"),
        (
            Example(
                "bridge",
                "George Washington Bridge",
                f"{_MCDONALD}, linear classifiers - example",
                {
                    "x": (1, 1, 1, 0, 0),
                    "model": MulticlassLinear(
                        ("per", "loc"), (worked.PERSON_WEIGHTS, worked.LOCATION_WEIGHTS), (0.0, 0.0)
                    ),
                    "names": worked.NAME_FEATURES,
                },
            ),
        ),
        _highest,
        ("bars",),
        {"seen": "feature", "score": "value"},
    ),
    Algorithm(
        "perceptron",
        "Perceptron",
        "learn from mistakes only: add or subtract the example",
        f"{_SURDEANU}, section 2.4, Algorithms 1 and 2",
        perceptron_steps,
        ("X", "y"),
        (_REVIEWS, _WORDS, _LEXICON, _gate("and", worked.AND), _gate("or", worked.OR), _gate("xor", worked.XOR, 6)),
        _perceptron,
        ("boundary",),
        {"score": "w·x+b"},
    ),
    Algorithm(
        "average-over-updates",
        "Averaged perceptron, over updates",
        "the mean of the weights that were given up (the book's Algorithm 3)",
        f"{_SURDEANU}, section 2.6, Algorithm 3",
        average_over_updates_steps,
        ("X", "y"),
        (_WORDS, _REVIEWS, _LEXICON),
        _hyperplane,
        ("boundary",),
        {"score": "w·x+b"},
    ),
    Algorithm(
        "average-over-examples",
        "Averaged perceptron, over examples",
        "the mean of the weights after each example (what practice uses)",
        f"{_SURDEANU}, section 2.6; Freund & Schapire (1999)",
        average_over_examples_steps,
        ("X", "y"),
        (_WORDS, _REVIEWS, _LEXICON),
        _hyperplane,
        ("boundary",),
        {"score": "w·x+b"},
    ),
    Algorithm(
        "voted-perceptron",
        "Voted perceptron",
        "every weight vector on the way has votes for the examples it survived",
        f"{_SURDEANU}, section 2.5",
        voted_perceptron_steps,
        ("X", "y"),
        (_WORDS, _REVIEWS, _LEXICON),
        _votes,
        ("regions",),
        {"score": "w·x+b"},
    ),
    Algorithm(
        "multiclass-perceptron",
        "Multi-class perceptron",
        "+x to the right class, -x to the wrongly chosen one",
        f"{_ZHANG}.2.1 and Algorithm 3.3",
        multiclass_perceptron_steps,
        ("X", "y"),
        (_TOPICS, _REVIEWS),
        _many,
        ("regions",),
        {"score": "θ·φ(x,c)"},
    ),
    Algorithm(
        "label-sets",
        "One against the rest",
        "several labels a text: a perceptron for each label",
        "Tsoumakas & Katakis (2007), Multi-label classification",
        label_set_perceptron_steps,
        ("X", "Y"),
        (
            Example(
                "articles",
                "seven articles with up to two of three labels",
                "made for this textbook",
                {"X": worked.ARTICLES, "Y": worked.ARTICLE_SETS},
                worked.ARTICLE_FEATURES,
            ),
        ),
        _of_sets,
        ("loss",),
        {"score": "w·x+b", "decision": "labels given"},
    ),
    Algorithm(
        "gradient-descent",
        "Gradient descent",
        "walk downhill in small steps, on any function",
        f"{_SURDEANU}, section 3.3",
        gradient_descent_steps,
        ("f", "x"),
        (
            Example(
                "parabola",
                "(x + 1)² + 1 from -3 with α = 0.1",
                f"{_SURDEANU}, section 3.3",
                {"f": parabola, "x": -3.0, "gradient": slope_of_parabola, "rate": 0.1, "iterations": 30},
            ),
            Example(
                "jumping",
                "(x + 1)² + 1 from -3 with α = 1",
                f"{_SURDEANU}, section 3.3",
                {"f": parabola, "x": -3.0, "gradient": slope_of_parabola, "rate": 1.0, "iterations": 6},
            ),
            Example(
                "two-parameters",
                "(x₁ + 1)² + 3 x₂ + 1 from (2, 5) with α = 0.1",
                f"{_SURDEANU}, section 3.3; the start is ours",
                {"f": slide, "x": (2.0, 5.0), "gradient": slope_of_slide, "rate": 0.1, "iterations": 12},
            ),
            Example(
                "two-valleys",
                "x sin²(x) + 1 from 2.5",
                f"{_SURDEANU}, section 3.3, Figure 3.3",
                {"f": two_valleys, "x": 2.5, "rate": 0.1, "iterations": 30},
            ),
            Example(
                "bowl",
                "(x₁ + 1)² + 4 (x₂ - 1)² from (3, 3)",
                "made for this textbook",
                {"f": bowl, "x": (3.0, 3.0), "rate": 0.1, "iterations": 20},
            ),
        ),
        _minimum,
        ("descent", "loss"),
        {"seen": "at", "score": "f there", "decision": "go"},
    ),
    Algorithm(
        "sigmoid",
        "Sigmoid",
        "a weighted sum of features, squashed into a probability",
        f"{_JURAFSKY}.2 and 4.3",
        probability_steps,
        ("x", "w", "b"),
        (
            Example(
                "six-features",
                "one review as six features",
                f"{_JURAFSKY}.3.1, Figure 4.2, and 4.5",
                {"x": worked.SIX_FEATURES, "w": worked.SIX_WEIGHTS, "b": worked.SIX_BIAS, "names": worked.SIX_NAMES},
            ),
        ),
        _probability,
        ("curve",),
        {"seen": "feature", "score": "evidence"},
    ),
    Algorithm(
        "softmax",
        "Softmax",
        "scores shared out into probabilities",
        f"{_JURAFSKY}.7.1",
        softmax_steps,
        ("z",),
        (Example("six-scores", "six scores", f"{_JURAFSKY}.7.1", {"z": worked.SIX_SCORES}),),
        _shares,
        ("bars",),
        {"seen": "class", "score": "z"},
    ),
    Algorithm(
        "logistic-regression",
        "Logistic regression",
        "a probability from a linear score, learned by gradient descent",
        f"{_JURAFSKY}.2 to 4.6",
        logistic_regression_steps,
        ("X", "y"),
        (
            Example(
                "one-step",
                "one step from zero, η = 0.1",
                f"{_JURAFSKY}.6.3",
                {"X": ((3, 2),), "y": (1,), "rate": 0.1, "epochs": 1},
                ("positive words", "negative words"),
            ),
            _with(_LEXICON, rate=0.2, epochs=12),
            _with(_WORDS, rate=0.1, epochs=40, batch_size=None),
            _with(_REVIEWS, rate=1.0, epochs=4),
        ),
        _hyperplane,
        ("boundary", "descent", "loss"),
        {"score": "ŷ"},
    ),
    Algorithm(
        "multinomial-logistic-regression",
        "Multinomial logistic regression",
        "softmax over one linear score a class",
        f"{_JURAFSKY}.7 and 4.8",
        multinomial_logistic_steps,
        ("X", "y"),
        (_with(_TOPICS, rate=0.1, epochs=20),),
        _weights,
        ("regions", "loss"),
        {"score": "ŷ"},
    ),
    Algorithm(
        "linear-svm",
        "Support vector machine",
        "the widest street between two classes, by sub-gradient descent",
        f"{_ZHANG}.1.4 and 3.3.4",
        linear_svm_steps,
        ("X", "y"),
        (_with(_LEXICON, iterations=400), _with(_WORDS, rate=0.2, iterations=200)),
        _street,
        ("boundary", "loss"),
        {"score": "cost", "decision": "in the street"},
    ),
    Algorithm(
        "multiclass-svm",
        "Multi-class support vector machine",
        "the right class must lead by 1",
        f"{_ZHANG}.2.2 and 3.3.4",
        multiclass_svm_steps,
        ("X", "y"),
        (_with(_TOPICS, iterations=400),),
        _weights,
        ("regions", "loss"),
        {"score": "cost"},
    ),
)
