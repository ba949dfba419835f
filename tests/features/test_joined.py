"""N-grams and hand-made features in one vectorizer."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.pipeline import FeatureUnion

from assay.errors import ParameterError
from assay.features import (
    CountVectorizer,
    FeatureSelector,
    FunctionFeatures,
    HashingVectorizer,
    JoinedVectorizer,
    LexiconFeatures,
    TemplateFeatures,
    TfidfVectorizer,
    WordCharVectorizer,
)

TEXTS = ["Good good film!", "so dull, not good", "GREAT fun", "a dull mess", "", "naïve fun 😀"]
LABELS = ["pos", "neg", "pos", "neg", "neg", "pos"]


def parts():
    return [
        ("words", TfidfVectorizer()),
        ("both", WordCharVectorizer(char_ngrams=(2, 3))),
        ("lists", LexiconFeatures({"positive": ["good", "fun", "great"], "negative": ["dull"]}, negation=2)),
        ("templates", TemplateFeatures({"case": "case", "length": "log-text-length"})),
        ("hashed", HashingVectorizer(n_features=16)),
        ("functions", FunctionFeatures({"characters": len})),
    ]


def test_columns_are_those_of_a_feature_union():
    joined, union = JoinedVectorizer(parts()), FeatureUnion(parts())
    np.testing.assert_array_equal(joined.fit_transform(TEXTS).toarray(), union.fit_transform(TEXTS).toarray())
    np.testing.assert_array_equal(joined.transform(TEXTS[::-1]).toarray(), union.transform(TEXTS[::-1]).toarray())


def test_names_are_those_of_a_feature_union():
    named = [(name, part) for name, part in parts() if name != "hashed"]
    joined, union = JoinedVectorizer(named).fit(TEXTS), FeatureUnion(named).fit(TEXTS)
    assert joined.get_feature_names_out().tolist() == union.get_feature_names_out().tolist()


def test_fitting_and_transforming_gives_the_same_bits():
    joined = JoinedVectorizer(parts(), scaling={"lists": "z-score", "templates": "max-abs", "functions": "log"})
    fitted = joined.fit_transform(TEXTS)
    again = joined.transform(TEXTS)
    for name in ("data", "indices", "indptr"):
        assert (getattr(fitted, name) == getattr(again, name)).all()
    assert fitted.has_sorted_indices


def test_hand_made_parts_are_scaled():
    lists = LexiconFeatures({"positive": ["good"], "negative": ["dull"]})
    X = JoinedVectorizer([("lists", lists)], scaling={"lists": "z-score"}).fit_transform(["good", "dull dull"])
    assert X.toarray().tolist() == [[1.0, -1.0], [-1.0, 1.0]]


def test_selection_cuts_the_vocabulary_before_weighting():
    selection = {"words": FeatureSelector("chi2", k=2)}
    joined = JoinedVectorizer([("words", TfidfVectorizer())], selection=selection)
    X = joined.fit_transform(TEXTS, LABELS)
    kept = joined.get_feature_names_out().tolist()
    assert kept == ["words__dull", "words__fun"]
    expected = TfidfVectorizer(vocabulary=["dull", "fun"]).fit_transform(TEXTS)
    np.testing.assert_array_equal(X.toarray(), expected.toarray())
    np.testing.assert_array_equal(joined.transform(TEXTS).toarray(), X.toarray())


def test_selection_of_template_columns():
    selection = {"templates": FeatureSelector("information-gain", k=2)}
    joined = JoinedVectorizer([("templates", TemplateFeatures(["lower"]))], selection=selection)
    X = joined.fit_transform(TEXTS, LABELS)
    assert joined.get_feature_names_out().tolist() == ["templates__lower=dull", "templates__lower=fun"]
    np.testing.assert_array_equal(joined.transform(TEXTS).toarray(), X.toarray())


def test_threads_reach_the_parts():
    joined = JoinedVectorizer([("words", TfidfVectorizer()), ("case", TemplateFeatures(["case"]))], n_jobs=1).fit(TEXTS)
    assert joined.parts_["words"].n_jobs == 1


def test_parts_are_set_by_name():
    joined = JoinedVectorizer([("words", TfidfVectorizer())]).set_params(words__min_df=2, n_jobs=1)
    assert joined.get_params()["words__min_df"] == 2
    assert joined.fit(TEXTS).get_feature_names_out().tolist() == ["words__dull", "words__fun", "words__good"]
    assert isinstance(joined.set_params(words=CountVectorizer()).parts[0][1], CountVectorizer)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"parts": []}, "must hold at least one vectorizer. Got none"),
        ({"parts": [("words", object())]}, "The part 'words' of JoinedVectorizer must be a vectorizer of assay.featur"),
        ({"scaling": {"word": "log"}}, "'scaling' names the part 'word', which is not there. There are 'words'"),
        ({"selection": {"word": FeatureSelector()}}, "'selection' names the part 'word', which is not there"),
        ({"scaling": {"lists": "z"}}, "The scaling of the part 'lists' must be one of 'z-score'.*Got 'z'"),
        ({"scaling": {"words": "log"}}, "The part 'words' is a TfidfVectorizer, whose n-grams have their own weights"),
        ({"selection": {"lists": FeatureSelector()}}, "The part 'lists' is a LexiconFeatures, of which no columns can"),
        ({"selection": {"both": FeatureSelector()}}, "The part 'both' is a WordCharVectorizer, of which no columns"),
        ({"selection": {"words": FeatureSelector()}, "y": None}, "goes by labels: give them to fit. Got None"),
        ({"selection": {"words": FeatureSelector(threshold=99)}}, "The selection of the part 'words' leaves no column"),
        (
            {
                "parts": [("hashed", TemplateFeatures(["lower"], n_features=8))],
                "selection": {"hashed": FeatureSelector()},
            },
            "The part 'hashed' is hashed: it has no columns to choose from",
        ),
    ],
)
def test_bad_settings_are_refused(settings, message):
    y = settings.pop("y", LABELS)
    with pytest.raises(ParameterError, match=message):
        JoinedVectorizer(**({"parts": parts()} | settings)).fit(TEXTS, y)


def test_names_of_parts_must_differ():
    with pytest.raises(ValueError, match="Names provided are not unique"):
        JoinedVectorizer([("a", CountVectorizer()), ("a", CountVectorizer())]).fit(TEXTS)
