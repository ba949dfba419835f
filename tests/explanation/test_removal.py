"""The fewest words whose removal changes a decision."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.explanation import explain
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary
from assay.prediction.linear_model import LinearTextModel


def model_of(weights: dict[str, float], bias: float = -0.5) -> LinearTextModel:
    """Two classes, "no" and "yes"; words count as often as they occur."""
    analysis = Analysis(min_token_length=1)
    words = Vocabulary.from_terms(analysis, {word: i for i, word in enumerate(weights)})
    table = np.array(list(weights.values()))[:, None]
    return LinearTextModel((TextFeatures(analysis, words, Weighting()),), table, np.array([bias]), ("no", "yes"))


@pytest.mark.parametrize(
    ("weights", "text", "words", "left"),
    [
        ({"good": 1.0}, "a good film", ("good",), "a film"),
        # Every occurrence goes, whatever its case.
        ({"good": 1.0}, "Good, good film", ("Good",), ", film"),
        ({"good": 1.0, "fine": 1.0}, "good and fine", ("good", "fine"), "and"),
        # A pair that crosses the border although neither is the strongest word.
        ({"a": 1.0, "b": 0.9, "c": 0.8}, "a b c", ("a", "b", "c"), ""),
        ({"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0, "x": -3.2}, "d c b a x", ("d",), "c b a x"),
    ],
)
def test_the_fewest_words_are_found(weights: dict[str, float], text: str, words: tuple[str, ...], left: str) -> None:
    removal = explain(model_of(weights), text).smallest_removal()
    assert removal is not None
    assert (removal.words, removal.label, removal.text) == (words, "no", left)


def test_words_that_are_not_needed_are_put_back() -> None:
    # Greedily the four strong words go first, but the last three of them suffice with the weaker one.
    weights = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 2.0, "e": 0.1}
    removal = explain(model_of(weights, bias=-4.5), "a b c d e").smallest_removal()
    assert removal is not None
    assert len(removal.words) == 2


def test_where_the_bias_decides_no_removal_helps() -> None:
    assert explain(model_of({"good": 1.0}, bias=2.0), "good film").smallest_removal() is None


def test_a_long_text_is_searched_to_its_last_word() -> None:
    # 300 words that say "yes" a little: 280 of them must go, which a search among 200 does not find.
    weights = {f"w{i}": 0.1 + i * 1e-6 for i in range(300)}
    removal = explain(model_of(weights, bias=-2.0), " ".join(weights)).smallest_removal()
    assert removal is not None
    assert removal.label == "no"
    # beyond 200 words steps are of a twentieth, and two words at a time are put back
    assert 280 <= len(removal.words) <= 290
    assert model_of(weights, bias=-2.0).predict([removal.text]).tolist() == ["no"]


def test_where_none_was_found_it_is_said_what_was_looked_at() -> None:
    from assay.explanation.presentation import removal_sentence

    assert removal_sentence(explain(model_of({"good": 1.0}, bias=1.0), "good")) == (
        "No removal of words was found that changes the decision: one word (200 at most), two (of the 24 most telling)"
        ", and more and more of them up to all, the most telling first, were tried."
    )


def test_of_an_empty_text_it_is_said_that_there_is_nothing_to_remove() -> None:
    from assay.explanation.presentation import removal_sentence

    assert removal_sentence(explain(model_of({"good": 1.0}, bias=1.0), " ")).startswith("There is no word in it: this")


def test_every_removal_is_confirmed_by_the_model() -> None:
    from assay.samples import load_sample

    corpus = load_sample()
    classifier = assay.TextClassifier(learner="svm").fit(corpus)
    for text in corpus.texts.slice(0, 25).to_pylist():
        explanation = classifier.explain(text)
        removal = explanation.smallest_removal()
        if removal is not None:
            assert classifier.predict([removal.text])[0] == removal.label != explanation.label
