"""What every vectorizer of hand-made features, every scaler and selector must do as one of scikit-learn's."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn import exceptions
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.embeddings import EmbeddingVectorizer, WordVectors
from assay.features import (
    FeatureScaler,
    FeatureSelector,
    FunctionFeatures,
    JoinedVectorizer,
    LexiconFeatures,
    TemplateFeatures,
    TfidfVectorizer,
)

TEXTS = ["Good good film!", "so dull, not good", "GREAT fun", "a dull mess", "", "naïve fun 😀", "bad", "nice"] * 2
LABELS = ["pos", "neg", "pos", "neg", "neg", "pos", "neg", "pos"] * 2


def characters(text):
    return float(len(text))


VECTORIZERS = {
    "lexicons": LexiconFeatures({"positive": ["good", "fun"], "negative": ["dull"]}, negation=2),
    "templates": TemplateFeatures(["lower & case[+1]", "log-text-length"]),
    "hashed templates": TemplateFeatures(["lower"], n_features=16),
    "vectors": EmbeddingVectorizer(WordVectors(["good", "dull", "fun"], np.eye(3)[:, :2] + 0.5)),
    "functions": FunctionFeatures({"characters": characters}),
    "joined": JoinedVectorizer(
        [("words", TfidfVectorizer()), ("templates", TemplateFeatures(["case"]))],
        scaling={"templates": "max-abs"},
        selection={"words": FeatureSelector("chi2", k=3)},
    ),
}


def values(X):
    return X.toarray() if hasattr(X, "toarray") else X


@parametrize_with_checks(
    [FeatureScaler(method) for method in ("z-score", "min-max", "max-abs", "log")]
    + [FeatureSelector(measure, k=2) for measure in ("information-gain", "l1")]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(params=VECTORIZERS)
def vectorizer(request):
    return clone(VECTORIZERS[request.param])


def test_fit_returns_itself_and_sets_no_parameter(vectorizer):
    before = str(vectorizer.get_params())
    assert vectorizer.fit(TEXTS, LABELS) is vectorizer
    assert str(vectorizer.get_params()) == before


def test_fitting_and_transforming_is_fit_then_transform(vectorizer):
    together = clone(vectorizer).fit_transform(TEXTS, LABELS)
    assert (values(together) == values(vectorizer.fit(TEXTS, LABELS).transform(TEXTS))).all()


def test_refitting_forgets_what_was(vectorizer):
    fresh = clone(vectorizer).fit(TEXTS[:4], LABELS[:4]).transform(TEXTS)
    again = vectorizer.fit(TEXTS, LABELS).fit(TEXTS[:4], LABELS[:4]).transform(TEXTS)
    assert (values(fresh) == values(again)).all()


def test_there_is_a_name_for_every_column(vectorizer):
    X = vectorizer.fit_transform(TEXTS, LABELS)
    names = vectorizer.get_feature_names_out()
    assert (names.dtype, len(names), len(set(names))) == (object, X.shape[1], X.shape[1])


def test_texts_of_any_form_give_the_same(vectorizer):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    expected = values(vectorizer.fit_transform(TEXTS, LABELS))
    for texts in (tuple(TEXTS), np.array(TEXTS), iter(TEXTS), pandas.Series(TEXTS), pyarrow.array(TEXTS)):
        assert (values(vectorizer.transform(texts)) == expected).all()


def test_no_texts_give_no_rows(vectorizer):
    vectorizer.fit(TEXTS, LABELS)
    assert vectorizer.transform([]).shape == (0, len(vectorizer.get_feature_names_out()))


def test_it_is_asked_before_it_is_fitted(vectorizer):
    for ask in (lambda: vectorizer.transform(TEXTS), vectorizer.get_feature_names_out, vectorizer.text_features):
        with pytest.raises(exceptions.NotFittedError):
            ask()


def test_it_can_be_pickled(vectorizer):
    vectorizer.fit(TEXTS, LABELS)
    again = pickle.loads(pickle.dumps(vectorizer))
    assert (values(again.transform(TEXTS)) == values(vectorizer.transform(TEXTS))).all()


def test_its_blocks_give_the_rows_of_transform(vectorizer):
    from scipy.sparse import csr_array

    from assay.features.columns.blocks import rows_of
    from assay.features.documents import as_documents

    expected = values(vectorizer.fit(TEXTS, LABELS).transform(TEXTS))
    indptr, indices, data = rows_of(vectorizer.text_features(), as_documents(TEXTS), n_threads=1)
    found = csr_array((data, indices, indptr), shape=expected.shape)
    assert (found.toarray() == expected).all()
    assert found.has_sorted_indices


def test_pipelines_unions_and_searches_take_it(vectorizer):
    union = FeatureUnion([("it", vectorizer), ("words", TfidfVectorizer())])
    model = make_pipeline(union, FeatureScaler("max-abs"), FeatureSelector("df", k=5), LogisticRegression())
    search = GridSearchCV(model, {"featureselector__k": [2, 5]}, cv=2).fit(TEXTS, LABELS)
    assert len(search.predict(TEXTS)) == len(TEXTS)


def test_it_says_what_it_is(vectorizer):
    assert type(vectorizer).__name__ in repr(vectorizer)
    tags = vectorizer.__sklearn_tags__()
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array
