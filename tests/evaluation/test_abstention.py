"""A model that gives some documents no answer: what is measured, and what cannot be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import assay
from assay import Corpus
from assay.errors import DataError
from assay.evaluation import AdjustedModel, choose_rule


class Hesitant:
    """Labels a text by the word in it, and says nothing where there is none."""

    classes_ = ("neg", "pos")

    def predict(self, texts: Sequence[str]) -> list[str | None]:
        return [next((label for label in self.classes_ if label in text), None) for text in texts]

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        said = self.predict(texts)
        return np.array([[0.5, 0.5] if label is None else [label == "neg", label == "pos"] for label in said])


CORPUS = Corpus(["pos", "?", "neg", "pos!", "??", "neg"], ["pos", "pos", "neg", "neg", "neg", "neg"])


def test_documents_without_an_answer_are_left_out_and_said_so() -> None:
    result = assay.evaluate(Hesitant(), CORPUS)
    assert result.n_documents == 4
    assert result.accuracy.value == 3 / 4
    assert result.notes[0] == (
        "The model left 2 of 6 documents (33.3%) without an answer: everything here is of the others."
    )
    assert len(result.corpus) == 4


def test_mistakes_keep_their_place_in_the_test_set() -> None:
    (mistake,) = assay.evaluate(Hesitant(), CORPUS).mistakes()
    assert (mistake.position, mistake.text, mistake.truth, mistake.predicted) == (3, "pos!", "neg", "pos")


def test_a_rule_that_abstains_is_measured_on_what_it_answers(rule_model, reviews) -> None:
    plain = assay.evaluate(rule_model(), reviews)
    rule = choose_rule(plain, abstain=0.25)
    result = assay.evaluate(AdjustedModel(rule_model(), rule=rule), reviews)
    assert result.n_documents == plain.coverage(rule.abstain_below).n_documents
    assert result.accuracy.value == plain.coverage(rule.abstain_below).accuracy.value
    assert sum(group.n_documents for group in result.mistakes_by("source")) == result.n_documents


def test_a_model_that_never_answers() -> None:
    with pytest.raises(DataError, match="The model gave none of the 2 documents an answer: there is nothing to measur"):
        assay.evaluate(Hesitant(), Corpus(["?", "??"], ["pos", "neg"]))


class Other(Hesitant):
    def predict(self, texts: Sequence[str]) -> list[str | None]:
        return [None if text == "neg" else "pos" for text in texts]


def test_models_that_answer_different_documents_cannot_be_compared() -> None:
    with pytest.raises(DataError, match="A gave 4 documents an answer and B 4, and not the same ones"):
        assay.compare(Hesitant(), Other(), CORPUS)
    same = assay.compare(Hesitant(), Hesitant(), CORPUS, metric="accuracy", n_resamples=10)
    assert same.n_documents == 4


def test_cross_validation_needs_every_answer() -> None:
    with pytest.raises(DataError, match="Cross-validation needs an answer for every document, and the model abstains"):
        assay.cross_validate(lambda corpus: Hesitant(), CORPUS, folds=2, near_copies="ignore")


def test_scores_of_a_model_are_checked() -> None:
    class Broken:
        classes_ = ("neg", "pos")

        def predict(self, texts: Sequence[str]) -> list[str]:
            return ["pos"] * len(texts)

        def decision_function(self, texts: Sequence[str]) -> np.ndarray:
            return np.full(len(texts), np.nan)

    with pytest.raises(DataError, match="scores, row 1, label 'neg': the value is nan"):
        assay.evaluate(Broken(), CORPUS)
