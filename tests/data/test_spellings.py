from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.spellings import merge_spellings, merged_names, shown_labels, spelling_key, spelling_sets

LABELS = ["Spam", "spam", "ham", "spam ", "Spam"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Spam", "spam"),
        ("spam ", "\tspam"),
        ("a  b", "a b"),
        ("a\xa0b", "A B"),
        ("SS", "ß"),
        ("ｓpam", "spam"),
    ],
)
def test_case_blanks_and_compatible_characters_make_no_other_label(one: str, other: str) -> None:
    assert spelling_key(one) == spelling_key(other)


@pytest.mark.parametrize(("one", "other"), [("not-spam", "not spam"), ("a_b", "a b"), ("e", "é"), ("ab", "a b")])
def test_anything_else_does(one: str, other: str) -> None:
    assert spelling_key(one) != spelling_key(other)


def test_labels_are_taken_as_they_stand_unless_merging_is_asked_for() -> None:
    assert assay.read((list("abcde"), LABELS)).label_names == ("Spam", "spam", "ham", "spam ")


def test_the_most_frequent_spelling_is_the_name_and_the_first_of_equals() -> None:
    merged = assay.read((list("abcde"), LABELS), merge_labels=True)
    assert merged.label_names == ("Spam", "ham")
    assert merged.classes.tolist() == [0, 0, 1, 0, 0]
    assert merged_names({"b": 2, "A": 3, "B": 2, "a": 3}) == {"B": "b", "a": "A"}


def test_what_was_merged_is_in_the_notes_and_with_the_model() -> None:
    corpus = assay.read((list("abcde"), LABELS), merge_labels=True)
    said = "labels that differ only in case or blanks were merged: 'spam' (1), 'spam ' (1) into 'Spam' (2)"
    assert corpus.notes[-1] == said
    model = assay.train(corpus, learner="nb", ngrams="1")
    assert model.provenance["data"]["merged_labels"] == {"Spam": {"Spam": 2, "spam": 1, "spam ": 1}}
    assert pickle.loads(pickle.dumps(corpus)).changes == corpus.changes
    assert corpus[:2].changes == corpus.changes


def test_a_corpus_whose_labels_are_all_different_stays_as_it_is() -> None:
    corpus = Corpus(["a", "b"], ["x", "y"])
    assert merge_spellings(corpus) is corpus
    assert merge_spellings(Corpus(["a"])).labels is None


def test_train_merges_where_asked() -> None:
    model = assay.train(["good", "fine", "bad"], ["pos", "Pos", "neg"], learner="nb", ngrams="1", merge_labels=True)
    assert model.labels == ("neg", "pos")


def test_the_spelling_of_a_model_wins_over_a_more_frequent_one() -> None:
    assert merged_names({"SPAM": 9, "ham": 1}, known=["spam", "ham"]) == {"SPAM": "spam"}
    assert merged_names({"SPAM": 9, "spam": 1}, known=["spam", "SPAM"]) == {}


def test_labels_are_quoted_where_it_matters() -> None:
    assert shown_labels(["Spam", "spam", "ham"]) == ("'Spam'", "'spam'", "ham")
    assert shown_labels(["spam", " ham", 3]) == ("spam", "' ham'", "3")


@given(st.lists(st.tuples(st.text("aAbB \u00a0ß", max_size=4), st.integers(1, 3)), max_size=12))
def test_after_merging_no_two_labels_are_spellings_of_one(labels: list[tuple[str, int]]) -> None:
    counts = dict(labels)
    renamed = merged_names(counts)
    left = [renamed.get(label, label) for label in counts]
    assert spelling_sets(left) == ()
    assert set(left) <= set(counts)
