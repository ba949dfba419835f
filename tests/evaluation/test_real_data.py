"""The same claims on public data sets, where they are there."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as theirs
from sklearn.pipeline import make_pipeline

import assay
from assay.features import TfidfVectorizer
from assay.learners import MultinomialNB


@pytest.fixture(scope="module")
def questions(shared_data):
    folder = shared_data / "trec6"
    return assay.read(folder / "train.csv.gz"), assay.read(folder / "test.csv.gz")


def test_folds_cut_from_shared_counts_predict_what_refitted_pipelines_predict(questions) -> None:
    train, _ = questions
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True), MultinomialNB(alpha=0.1))
    result = assay.cross_validate(pipeline, train, folds=3)
    texts, labels = np.array(train.texts.to_pylist(), dtype=object), np.array(train.labels.to_pylist())
    fold = result.folds[1]
    refitted = pipeline.fit(texts[fold.train].tolist(), labels[fold.train])
    assert (result.predictions[fold.test] == refitted.predict(texts[fold.test].tolist())).all()
    assert result["accuracy"].low > 0.7


def test_evaluation_agrees_with_scikit_learn(questions) -> None:
    train, test = questions
    model = make_pipeline(TfidfVectorizer(), MultinomialNB(alpha=0.1))
    model.fit(train.texts.to_pylist(), train.labels.to_pylist())
    truth, texts = test.labels.to_pylist(), test.texts.to_pylist()
    result = assay.evaluate(model, test)
    said, table = model.predict(texts), model.predict_proba(texts)
    assert result["macro_f1"].value == pytest.approx(theirs.f1_score(truth, said, average="macro"), abs=1e-12)
    assert result["log_loss"].value == pytest.approx(theirs.log_loss(truth, table, labels=model.classes_), abs=1e-9)
    area = theirs.roc_auc_score(truth, table, multi_class="ovr", labels=model.classes_)
    assert result["roc_auc"].value == pytest.approx(area, abs=1e-12)
    assert sum(group.n_documents for group in result.mistakes_by_length()) == len(test)
