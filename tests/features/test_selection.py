"""Ranking and selecting features."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from assay.errors import DataError, ParameterError
from assay.features import CountVectorizer, FeatureSelector, measure_features, rank_features
from assay.features.columns.measures import MEASURES

TEXTS = ["good good film", "good fun", "bad film", "bad mess", "so so film", "so so"]
LABELS = ["pos", "pos", "neg", "neg", "mid", "mid"]


@pytest.fixture
def counted():
    vectorizer = CountVectorizer()
    return vectorizer.fit_transform(TEXTS), vectorizer.get_feature_names_out()


@pytest.mark.parametrize("measure", MEASURES)
def test_what_marks_a_class_comes_before_what_does_not(counted, measure):
    X, names = counted
    ranked = [line.feature for line in rank_features(X, LABELS, names, measure=measure, C=10.0)]
    assert set(ranked[:3]) & {"good", "bad", "so"}
    if measure != "df":
        assert ranked.index("good") < ranked.index("film")


def test_a_ranking_is_a_table(counted):
    X, names = counted
    ranking = rank_features(X, LABELS, names, measure="chi2", top=2)
    assert str(ranking).splitlines() == [
        "   feature  chi2  documents  label  share",
        "1  bad         6          2  neg     100%",
        "2  good        6          2  pos     100%",
    ]
    assert ranking.to_dicts()[0] == {
        "rank": 1,
        "feature": "bad",
        "score": pytest.approx(6),
        "frequency": 2,
        "label": "neg",
        "share": 1.0,
    }
    assert "<td>bad</td>" in ranking._repr_html_()
    assert ranking[-1] == ranking[1]
    assert ranking[:1] == [ranking[0]]
    assert len(ranking) == 2


def test_names_are_escaped_in_html():
    ranking = rank_features([[1], [0]], ["a", "b"], ["<b>"])
    assert "<td>&lt;b&gt;</td>" in ranking._repr_html_()


def test_one_class_against_the_others(counted):
    X, names = counted
    ranking = rank_features(X, LABELS, names, measure="pmi", label="mid")
    assert ranking[0].feature == "so"
    assert {line.label for line in ranking} == {"mid"}


def test_rare_features_are_left_out_when_asked(counted):
    X, names = counted
    assert {line.feature for line in rank_features(X, LABELS, names, min_df=2)} == {"bad", "film", "good", "so"}


@pytest.mark.parametrize("top", [0, 1, 3, 5, 100, None])
def test_the_top_of_a_ranking_is_the_beginning_of_the_whole(top):
    rng = np.random.default_rng(0)
    X, y = (rng.random((30, 40)) < 0.2).astype(float), rng.integers(0, 2, 30)
    whole = rank_features(X, y, top=None)
    assert whole.columns.tolist() == np.argsort(-whole.scores, kind="stable").tolist()
    assert rank_features(X, y, top=top).columns.tolist() == whole.columns.tolist()[:top]


def test_presence_is_what_counts_whatever_the_weights(counted):
    X, _ = counted
    weighted = X.astype(np.float32) * 0.37
    assert (measure_features(X, LABELS).chi2 == measure_features(weighted, LABELS).chi2).all()


def test_stored_zeros_are_no_presence():
    X = sparse.csr_array((np.array([0.0, 1.0]), np.array([0, 0]), np.array([0, 1, 2])), shape=(2, 1))
    assert measure_features(X, ["a", "b"]).document_frequency.tolist() == [1]


def test_a_document_counts_once_however_often_a_column_is_stored():
    X = sparse.csr_array((np.ones(3), np.array([0, 0, 0]), np.array([0, 2, 3])), shape=(2, 1))
    assert measure_features(X, ["a", "b"]).document_frequency.tolist() == [2]


def test_the_selector_keeps_columns_in_their_order(counted):
    X, names = counted
    selector = FeatureSelector("chi2", k=3).fit(X, LABELS)
    assert selector.get_feature_names_out(names).tolist() == ["bad", "good", "so"]
    assert selector.transform(X).toarray().tolist() == X[:, selector.get_support(indices=True)].toarray().tolist()
    assert len(selector.scores_) == X.shape[1]
    assert len(selector.ranking_) == 3


def test_a_threshold_selects_too(counted):
    X, _ = counted
    assert FeatureSelector("df", k=None, threshold=2).fit(X, LABELS).get_support().sum() == 1
    strict = FeatureSelector("l1", k=None, C=0.5).fit(X, LABELS)
    assert 0 < strict.get_support().sum() < X.shape[1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"measure": "chi"}, "The 'measure' parameter of FeatureSelector must be one of 'chi2', .*Got 'chi' instead"),
        ({"k": 0}, "The 'k' parameter of FeatureSelector must be a whole number of at least 1 or None. Got 0"),
        ({"min_df": None}, "The 'min_df' parameter of FeatureSelector must be a whole number of at least 1. Got None"),
        ({"C": 0}, "The 'C' parameter of FeatureSelector must be above 0. Got 0"),
        ({"label": "positive"}, "There is no label 'positive' in y. Labels are 'pos'"),
    ],
)
def test_bad_settings_are_refused(counted, settings, message):
    with pytest.raises(ParameterError, match=message):
        FeatureSelector(**settings).fit(counted[0], LABELS)


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        (
            [[1.0], [2.0]],
            ["a", "a"],
            DataError,
            "y: all 2 rows have the label 'a'. Selecting features needs examples of two classes at least",
        ),
        ([[1.0], [2.0]], ["a"], DataError, r"X has 2 rows, but y has shape \(1,\). Give one label a row"),
        ([[1.0], [2.0]], None, ParameterError, "requires y to be passed, but the target y is None. Give the labels"),
        ([1.0, 2.0], ["a", "b"], DataError, r"X must be a matrix, documents by features. Got shape \(2,\)"),
        ([[np.nan], [2.0]], ["a", "b"], DataError, "X holds NaN or infinity"),
        (np.empty((0, 1)), [], DataError, "y holds no label"),
    ],
)
def test_bad_data_is_refused(X, y, error, message):
    with pytest.raises(error, match=message):
        measure_features(X, y)


def test_names_must_fit():
    with pytest.raises(DataError, match="There are 1 names for the 2 columns of X"):
        rank_features([[1, 0], [0, 1]], ["a", "b"], ["one"])


def test_l1_looks_at_the_likeliest_of_very_many_columns(monkeypatch):
    from assay.features.columns import measures

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = (rng.random((60, 30)) < 0.3).astype(float)
    X[:, 7] = y
    monkeypatch.setattr(measures, "_L1_COLUMNS", 5)
    scores = measures.l1_weights(X, y)
    likeliest = np.argsort(-measure_features(X, y).chi2, kind="stable")[:5]
    assert scores.argmax() == 7
    assert set(np.flatnonzero(scores)) <= set(likeliest.tolist())
