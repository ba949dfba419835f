"""A corpus in which a text has several labels, or none."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pytest

from assay.data.corpus.chains import cut_chains
from assay.data.corpus.corpus import Corpus, Example
from assay.data.corpus.near_copies import deduplicated
from assay.data.corpus.spellings import merge_spellings
from assay.data.corpus.two_classes import labels_of_all_or_none, require_two_classes
from assay.errors import DataError
from assay.label_sets import LabelSets

ROWS = [
    ("rain stops the cup final", ("sport", "weather")),
    ("a quiet day", ()),
    ("the vote is tomorrow", ("politics",)),
    ("ministers at the cup final", ("sport", "politics")),
]


@pytest.fixture
def corpus():
    return Corpus([text for text, _ in ROWS], [list(labels) for _, labels in ROWS], {"id": [1, 2, 3, 4]})


def sets_of(corpus):
    return [frozenset(label) for _, label in corpus]


def test_sets_are_lists_over_one_dictionary_of_names(corpus):
    assert corpus.task == "label-sets"
    assert corpus.labels.type == pa.large_list(pa.dictionary(pa.int32(), pa.string()))
    assert corpus.labels.to_pylist() == [["sport", "weather"], [], ["politics"], ["sport", "politics"]]
    assert corpus.label_names == ("sport", "weather", "politics")
    assert corpus.label_sets == LabelSets.of_rows([[0, 1], [], [2], [0, 2]], 3)
    assert corpus.class_counts.tolist() == [2, 1, 2]
    with pytest.raises(ValueError, match="read-only"):
        corpus.label_sets.members[0] = 1


def test_one_label_a_text_is_a_set_of_one():
    corpus = Corpus(["a", "b"], ["x", "y"])
    assert corpus.task == "labels"
    assert corpus.label_sets == LabelSets.of_rows([[0], [1]], 2)
    assert corpus.label_numbers.tolist() == [0, 1]


def test_texts_without_labels_have_no_sets():
    with pytest.raises(DataError, match=r"memory: the texts have no labels\. Read them with assay\.read"):
        Corpus(["a"]).label_sets  # noqa: B018


def test_sets_have_no_classes(corpus):
    with pytest.raises(DataError) as error:
        corpus.classes  # noqa: B018
    assert str(error.value) == (
        "memory: a text has a set of labels here ('sport', 'weather'), where one label a text is needed. If what is "
        "written there is one label, read it with labels_separator=False."
    )


@pytest.mark.parametrize(
    "labels",
    [
        [("b", "a"), (), ("a",)],
        [{"a", "b"}, set(), {"a"}],
        [frozenset("ab"), frozenset(), frozenset("a")],
        [["b", "a", "b"], [], ["a", "a"]],
        pa.array([["b", "a"], [], ["a"]]),
        pa.chunked_array([pa.array([["x"], ["b", "a"]]).slice(1), pa.array([[], ["a"]], pa.list_(pa.string()))]),
        pa.array([["b", "a"], [], ["a"]], pa.large_list(pa.large_string())),
    ],
)
def test_every_kind_of_list_gives_the_same_sets(labels):
    corpus = Corpus(["one", "two", "three"], labels)
    assert sets_of(corpus) == [{"a", "b"}, set(), {"a"}]
    assert corpus.fingerprint == Corpus(["one", "two", "three"], [["a", "b"], [], ["a"]]).fingerprint
    assert corpus == Corpus(["one", "two", "three"], [["a", "b"], [], ["a"]])


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([["a"], None], "memory, row 2: the labels are missing. Give a list of strings, or [] for none."),
        (
            [["a"], "b"],
            "memory, row 2: the labels are 'b', of type str, among sets of labels. Give a list",
        ),
        (
            [["a"], [1]],
            "memory: the label 1 is of type int. A Corpus is made of strings; assay.read turns other labels",
        ),
        ([["a"], [["b"]]], "memory: the label ['b'] is of type list. A Corpus is made of strings; assay.read turns"),
        (pa.array([["a"], [None]]), "memory, row 2: the label is missing."),
    ],
)
def test_what_is_no_set_of_strings_is_refused(labels, said):
    with pytest.raises(DataError) as error:
        Corpus(["one", "two"], labels)
    assert str(error.value).startswith(said)


def test_rows_slices_and_selections_keep_their_sets(corpus):
    assert corpus[0] == Example(*ROWS[0])
    assert corpus[1].label == ()
    assert [tuple(row) for row in corpus] == ROWS
    assert list(corpus[1:3]) == [Example(*row) for row in ROWS[1:3]]
    assert list(corpus[::-2]) == [Example(*row) for row in ROWS[::-2]]
    assert corpus[1:3].label_sets == LabelSets.of_rows([[], [2]], 3)
    picked = corpus.select([3, 0, 3])
    assert picked.label_sets == corpus.label_sets.take(np.array([3, 0, 3]))
    assert corpus.select(corpus.label_sets.having(0)).column("id").to_pylist() == [1, 4]
    assert corpus[1:2].class_counts.tolist() == [0, 0, 0]


def test_a_copy_is_equal_and_so_are_its_sets(corpus):
    again = pickle.loads(pickle.dumps(corpus[1:]))
    assert again == corpus[1:]
    assert again.label_sets == corpus[1:].label_sets
    assert again.fingerprint == corpus[1:].fingerprint != corpus.fingerprint


def test_the_table_has_the_lists(corpus):
    table = corpus.to_arrow()
    assert table.column_names == ["text", "label", "id"]
    assert table["label"].to_pylist()[3] == ["sport", "politics"]


def test_equality_is_of_names_and_not_of_numbers(corpus):
    other = corpus.with_label_sets(
        LabelSets.of_rows([[1, 2], [], [0], [0, 2]], 3), ["politics", "weather", "sport"], changes={}
    )
    assert other == corpus
    assert other.fingerprint == corpus.fingerprint
    assert corpus != corpus.with_label_sets(corpus.label_sets, ["sport", "weather", "city"], changes={})
    one_each = Corpus(["a", "b"], [["x"], ["y"]])
    assert one_each != Corpus(["a", "b"], ["x", "y"])
    assert one_each.fingerprint != Corpus(["a", "b"], ["x", "y"]).fingerprint


def test_fingerprints_of_one_label_a_text_stay_as_they_were():
    corpus = Corpus(["loved it", "dull", "great fun"], ["pos", "neg", "pos"])
    assert corpus.fingerprint == "800c3338a4b4a85ba7b2747b9d51c61fb0ceca77d57800ef31203dc4c3e87602"


def test_where_a_set_ends_counts_in_the_fingerprint():
    one = Corpus(["a", "b"], [["x", "y"], []])
    assert one.fingerprint != Corpus(["a", "b"], [["x"], ["y"]]).fingerprint


def test_other_sets_have_as_many_texts(corpus):
    with pytest.raises(DataError, match="memory: the columns differ in length: 'text' has 4 rows, 'label' has 1 row"):
        corpus.with_label_sets(LabelSets.of_rows([[0]], 1), ["x"], changes={})


def test_a_corpus_of_sets_shows_itself(corpus):
    assert (
        repr(corpus) == "<Corpus: 4 texts, 3 labels, 1.25 a text ('sport' 2, 'weather' 1, 'politics' 2), from memory>"
    )
    assert repr(corpus[1:2]) == "<Corpus: 1 text, 0 labels, 0.00 a text, from memory>"
    assert "sport, weather" in corpus._repr_html_()


def test_spellings_are_merged_inside_sets():
    corpus = merge_spellings(Corpus(["a", "b", "c"], [["Sport", "sport"], ["sport", "city"], ["sport"]]))
    assert [label for _, label in corpus] == [("sport",), ("sport", "city"), ("sport",)]
    assert corpus.notes == (
        "labels that differ only in case or blanks were merged: 'Sport' (1) into 'sport' (3)",
        "1 text had several spellings of one label, which counts once",
    )
    assert corpus.changes == {"merged_labels": {"sport": {"sport": 3, "Sport": 1}}}


def test_copies_conflict_where_their_sets_differ():
    texts = ["The ship sails on Monday at nine.", "the ship sails on monday at nine", "no", "no"]
    corpus = Corpus(texts, [["a", "b"], ["b", "a"], ["a"], []])
    assert not corpus.near_copies.conflicts(corpus.label_numbers).any()
    assert corpus.profile().conflicts.rows == 2
    assert corpus.profile().conflicts.examples[0].labels == ("a", "")
    differs = Corpus(texts[:2], [["a", "b"], ["b"]])
    assert differs.near_copies.conflicts(differs.label_numbers).tolist() == [True, True]
    assert deduplicated(differs).notes == (
        "1 row was left out as a copy or near-copy of an earlier one, 1 of them under other labels than it",
    )


def test_a_chain_does_not_swallow_all_texts_of_a_label():
    form, one, other = np.arange(40), np.array([0, 1]), np.array([1, 2])
    sets = LabelSets.of_rows([[0, 1], [0, 1], [1]] + [[0]] * 37, 2)
    first, n_cut = cut_chains(form, one, other, sets)
    assert n_cut == 1
    assert first[:3].tolist() == [0, 0, 2]
    assert cut_chains(form, one, other, None)[0][:3].tolist() == [0, 0, 0]


def test_a_corpus_where_some_texts_have_a_label_can_be_learned(corpus):
    require_two_classes(corpus)
    require_two_classes(Corpus(["a", "b"], [["x"], []]))
    assert labels_of_all_or_none(corpus[:1]) == (("sport", "weather"), ("politics",))


@pytest.mark.parametrize(
    ("labels", "what"),
    [
        ([[], []], "no text has any label"),
        ([["x", "y"], ["y", "x"]], "all 2 texts have the same labels, 'x', 'y'"),
    ],
)
def test_sets_that_are_all_the_same_teach_nothing(labels, what):
    with pytest.raises(DataError) as error:
        require_two_classes(Corpus(["a", "b"], labels))
    assert str(error.value) == (
        f"memory: {what}. A classifier needs at least one label that some texts have and others have not. Is another "
        "column meant? Name it with assay.read(…, label=…)."
    )
