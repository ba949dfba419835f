"""Explanations of one decision: exact sums, places in the text, and the same every time."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import DataError, ParameterError
from assay.explanation import explain, explain_texts
from assay.features import HashingVectorizer, WordCharVectorizer
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights

WORDS = ["good", "bad", "film", "book", "very", "ÉTÉ", "straße"]
TEXTS = st.lists(st.sampled_from([*WORDS, "unknown", "!", "…", "İ"]), max_size=12).map(" ".join)
WORD_ANALYSIS = Analysis(ngrams=(1, 2))
CHAR_ANALYSIS = Analysis(unit="char_wb", ngrams=(1, 3), tokens="not_space", min_token_length=1, accents="unicode")
SPACED_ANALYSIS = Analysis(unit="char", ngrams=(2, 3), tokens="none", min_token_length=1)


def vocabulary(analysis: Analysis, seed: int) -> Vocabulary:
    rng = np.random.default_rng(seed)
    if analysis.unit == "word":
        terms = [word.lower() for word in WORDS] + ["good film", "very bad", "film book"]
    else:
        terms = ["g", " ", "oo", "ba", " b", "d ", "fil", "ete", "o", "e", "a", "ss", "d f"]
    return Vocabulary.from_terms(analysis, {term: i for i, term in enumerate(rng.permutation(terms).tolist())})


@st.composite
def models(draw: st.DrawFn) -> LinearTextModel:
    """Word, character and hashed blocks under any weighting, for two or more classes."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    norm = draw(st.sampled_from(["l1", "l2", None]))
    blocks = []
    for analysis in (WORD_ANALYSIS, CHAR_ANALYSIS, SPACED_ANALYSIS):
        hashed = draw(st.booleans())
        columns = Hashing(draw(st.sampled_from([1, 7, 1024]))) if hashed else vocabulary(analysis, seed)
        n = columns.n_columns if isinstance(columns, Hashing) else len(columns)
        idf = rng.uniform(1, 3, n) if draw(st.booleans()) else np.empty(0)
        sublinear = draw(st.booleans()) and not hashed  # the logarithm of a negative sum is none
        blocks.append(TextFeatures(analysis, columns, Weighting(draw(st.booleans()), sublinear, norm, idf)))
    n_labels = draw(st.integers(2, 4))
    outputs = 1 if n_labels == 2 else n_labels
    shape = sum(block.n_columns for block in blocks), outputs
    weights = rng.normal(size=shape) * (rng.random(shape) < 0.7)
    weights = weights.astype(draw(st.sampled_from([np.float32, np.float64])))
    kept = SparseWeights.from_table(weights) if outputs > 1 and draw(st.booleans()) else weights
    labels = tuple("abcd"[:n_labels])
    return LinearTextModel(tuple(blocks), kept, rng.normal(size=outputs), labels, "sigmoid")


@settings(max_examples=80, deadline=None)
@given(model=models(), text=TEXTS)
def test_contributions_and_bias_sum_to_the_score_of_every_class(model: LinearTextModel, text: str) -> None:
    explanation = explain(model, text)
    scores = np.atleast_1d(model.decision_function([text])[0])
    expected = scores if len(scores) > 1 else np.array([-scores[0], scores[0]])
    assert explanation.scores.tolist() == expected.tolist()
    for k in range(len(model.labels)):
        terms = [*explanation.contributions[:, k].tolist(), float(explanation.bias[k])]
        # Adding n numbers in any order is off by at most n roundings of the sum of their sizes.
        rounding = len(terms) * np.finfo(float).eps * sum(map(abs, terms))
        assert abs(math.fsum(terms) - explanation.scores[k]) <= rounding


@settings(max_examples=80, deadline=None)
@given(model=models(), text=TEXTS)
def test_characters_and_pieces_share_out_the_whole_contribution(model: LinearTextModel, text: str) -> None:
    explanation = explain(model, text)
    for label in model.labels:
        total = math.fsum(explanation.contributions_to(label))
        size = 1.0 + float(np.abs(explanation.contributions).sum())
        # Thirty occurrences of a hashed column may nearly cancel out, which multiplies the roundings by that number.
        assert math.fsum(explanation.characters(label)) == pytest.approx(total, abs=1e-12 * size)
        pieces = explanation.pieces(label)
        assert "".join(piece.text for piece in pieces) == text
        assert math.fsum(piece.contribution for piece in pieces) == pytest.approx(total, abs=1e-12 * size)


@settings(max_examples=40, deadline=None)
@given(model=models(), text=TEXTS)
def test_the_lead_over_another_class_is_the_difference_of_their_scores(model: LinearTextModel, text: str) -> None:
    explanation = explain(model, text)
    first, second = model.labels[:2]
    lead = explanation.score_for(first, second)
    if len(model.labels) == 2:
        assert lead == explanation.scores[0]
    else:
        assert lead == explanation.scores[0] - explanation.scores[1]
    terms = [*explanation.contributions_to(first, second).tolist(), explanation.bias_for(first, second)]
    assert math.fsum(terms) == pytest.approx(lead, abs=1e-12 * (1 + sum(map(abs, terms))))


@settings(max_examples=25, deadline=None)
@given(model=models(), texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_the_same_text_gives_the_same_explanation_alone_and_among_others(
    model: LinearTextModel, texts: list[str]
) -> None:
    together = [explanation.to_dict() for explanation in explain_texts(model, texts)]
    assert together == [explain(model, text).to_dict() for text in texts]
    assert together == [explanation.to_dict() for explanation in explain_texts(model, texts, threads=1)]


@pytest.fixture(scope="module")
def shop() -> assay.TextClassifier:
    from assay.samples import load_sample

    return assay.TextClassifier(WordCharVectorizer(), "logistic").fit(load_sample())


def test_the_decision_is_that_of_the_model(shop: assay.TextClassifier) -> None:
    text = "My parcel never arrived"
    explanation = shop.explain(text)
    assert explanation.label == shop.predict([text])[0] == explanation.ranking[0]
    assert explanation.probabilities is not None
    assert explanation.probabilities.tolist() == shop.predict_proba([text])[0].tolist()
    assert repr(explanation).startswith("<Explanation of 'My parcel never arrived': 'delivery', ")


def test_top_features_name_value_weight_and_places(shop: assay.TextClassifier) -> None:
    best = shop.explain("A parcel. My PARCEL!").top(1)[0]
    assert (best.feature, best.kind, best.places) == ("parcel", "word", ((2, 8), (13, 19)))
    assert best.contribution == best.value * best.weight
    assert len(shop.explain("A parcel. My PARCEL!").top(None)) == len(shop.explain("A parcel. My PARCEL!").columns)


def test_a_text_without_known_features_is_explained_by_the_bias() -> None:
    model = assay.TextClassifier(learner="logistic").fit(["so good", "so bad"], ["+", "-"])
    for text in ("", "xyzzy"):
        explanation = model.explain(text)
        assert explanation.top() == []
        assert explanation.scores.tolist() == explanation.bias.tolist()
        assert explanation.characters().tolist() == [0.0] * len(text)
        assert explanation.smallest_removal() is None


def test_hashed_features_get_their_names_from_the_text() -> None:
    classifier = assay.TextClassifier(HashingVectorizer(n_features=2**12), "logistic")
    classifier.fit(["loved it", "so dull", "great fun", "a dull mess"], ["pos", "neg", "pos", "neg"])
    assert {item.feature for item in classifier.explain("Loved this dull film").top(2)} == {"loved", "dull"}


def test_names_that_share_a_hash_are_both_said() -> None:
    analysis = Analysis()
    blocks = (TextFeatures(analysis, Hashing(1, alternate_sign=False), Weighting()),)
    model = LinearTextModel(blocks, np.array([[1.0]]), np.zeros(1), ("-", "+"))
    assert explain(model, "good bad good").top()[0].feature == "good / bad"


def test_an_undecided_model_names_the_nearest_class(shop: assay.TextClassifier) -> None:
    labels = shop.labels
    rule = DecisionRule(labels, abstain_below=0.99)
    explanation = explain(replace(shop.model, rule=rule), "the")
    assert explanation.label is None
    assert str(explanation).startswith("Undecided; ")
    assert explanation.to_dict()["label"] is None


def test_other_things_than_one_text_are_refused(shop: assay.TextClassifier) -> None:
    with pytest.raises(DataError, match=r"explain takes one text, as a str\. Got list instead"):
        shop.explain(["a", "b"])  # type: ignore[arg-type]


def test_unknown_classes_are_refused_with_the_nearest_first(shop: assay.TextClassifier) -> None:
    with pytest.raises(ParameterError, match=r"no class 'return'. Its classes are 'returns', "):
        shop.explain("hello").characters("return")
    with pytest.raises(ParameterError, match="held against itself: 'praise'"):
        shop.explain("hello").top(3, "praise", "praise")
