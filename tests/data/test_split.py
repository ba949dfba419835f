"""Splits: deterministic, stratified, by group, without leaks."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.corpus.corpus import Corpus
from assay.data.corpus.duplicates import first_occurrences
from assay.errors import DataError, ParameterError


def numbered(n, labels="ab", **columns):
    return Corpus([f"text {i}" for i in range(n)], [labels[i % len(labels)] for i in range(n)], columns)


def texts_of(corpus):
    return corpus.texts.to_pylist()


@pytest.mark.parametrize(("test", "size"), [(0.2, 20), (0.25, 25), (30, 30), (0.01, 1), (1, 1), (97, 97)])
def test_the_test_part_has_the_size_asked_for(test, size):
    parts = numbered(100).split(test=test)
    assert [len(part) for part in parts] == [100 - size, size]
    assert parts.report.sizes == {"train": 100 - size, "test": size}


def test_three_parts_come_in_the_order_train_dev_test():
    train, dev, test = numbered(100).split(test=0.2, dev=0.1)
    assert (len(train), len(dev), len(test)) == (70, 10, 20)
    assert sorted(texts_of(train) + texts_of(dev) + texts_of(test)) == sorted(texts_of(numbered(100)))


def test_rows_keep_their_order_and_their_place():
    corpus = numbered(50, id=list(range(50)))
    train, test = corpus.split()
    for part in (train, test):
        assert part.column("id").to_pylist() == sorted(part.column("id").to_pylist())
        row = part.column("id").to_pylist()[3]
        assert part.origin.place(3) == f"memory, row {row + 1}"


def test_the_same_seed_gives_the_same_parts_and_another_seed_others():
    one, again, other = (numbered(100).split(seed=seed)[1] for seed in (0, 0, 1))
    assert one == again
    assert one != other


def test_the_parts_are_the_same_in_every_version():
    assert texts_of(numbered(10).split(test=0.4)[1]) == ["text 1", "text 2", "text 3", "text 8"]


def test_chunks_do_not_matter():
    texts = [f"text {i}" for i in range(30)]
    labels = ["a", "b", "a"] * 10
    chunked = Corpus(pa.chunked_array([texts[:7], texts[7:8], [], texts[8:]]), labels)
    assert chunked.split()[1] == Corpus(texts, labels).split()[1]


def test_every_part_has_the_shares_of_the_classes():
    corpus = Corpus([f"text {i}" for i in range(1000)], ["a"] * 700 + ["b"] * 250 + ["c"] * 50)
    train, dev, test = corpus.split(test=0.2, dev=0.1)
    assert train.class_counts.tolist() == [490, 175, 35]
    assert dev.class_counts.tolist() == [70, 25, 5]
    assert test.class_counts.tolist() == [140, 50, 10]


def test_without_stratification_only_the_size_is_kept():
    corpus = Corpus([f"text {i}" for i in range(1000)], ["a"] * 500 + ["b"] * 500)
    test = corpus.split(stratify=False)[1]
    assert len(test) == 200
    assert 60 < test.class_counts[0] < 140
    assert test.class_counts[0] != 100


def test_texts_without_labels_are_split():
    train, test = Corpus([f"text {i}" for i in range(10)]).split(test=0.3)
    assert (len(train), len(test)) == (7, 3)


def test_copies_of_a_text_go_to_the_same_side_and_are_counted():
    corpus = Corpus([f"text {i % 60}" for i in range(100)], ["a" if i % 60 < 30 else "b" for i in range(100)])
    for seed in range(5):
        parts = corpus.split(test=0.3, seed=seed)
        train, test = parts
        assert not set(texts_of(train)) & set(texts_of(test))
        assert abs(len(test) - 30) <= 2
        assert parts.report.duplicate_rows == 40
        assert parts.report.duplicated_texts == 40
        note = "split: 40 rows repeat an earlier text; all copies of a text were kept on the same side"
        assert parts.notes == (note,)
        assert train.notes[-1] == note


def test_texts_that_only_look_alike_may_be_parted():
    corpus = Corpus(["a", "a ", "A", "à", "á"] * 4, ["x", "y"] * 10)
    assert corpus.split(test=0.4, near_copies="ignore").report.duplicate_rows == 15


def test_groups_stay_together():
    authors = [f"author {i % 12}" for i in range(120)]
    corpus = numbered(120, author=authors)
    parts = corpus.split(test=0.25, group="author")
    train, test = parts
    assert not set(train.column("author").to_pylist()) & set(test.column("author").to_pylist())
    assert len(test) == 30
    assert parts.report.groups == 12


def test_groups_that_share_a_text_stay_together():
    corpus = Corpus(
        [f"text {i}" for i in range(20)] + ["shared", "shared"],
        list("ab" * 11),
        {"author": [i // 2 for i in range(20)] + [0, 9]},
    )
    for seed in range(8):
        train, test = corpus.split(test=0.3, seed=seed, group="author")
        for part in (train, test):
            assert (0 in part.column("author").to_pylist()) == (9 in part.column("author").to_pylist())


def test_a_class_of_one_example_is_trained_on_and_said():
    corpus = Corpus([f"text {i}" for i in range(11)], ["a"] * 5 + ["b"] * 5 + ["c"])
    for seed in range(5):
        parts = corpus.split(test=0.4, seed=seed)
        assert parts[0].class_counts[2] == 1
        assert parts.report.missing == {"train": (), "test": ("c",)}
        assert parts.notes == ("split: the test part has no example of 'c': there are too few",)


def test_every_class_is_trained_on():
    corpus = Corpus([f"text {i}" for i in range(20)], [f"l{i // 2}" for i in range(20)])
    for seed in range(5):
        train, _ = corpus.split(test=0.5, seed=seed)
        assert (train.class_counts > 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": 0}, r"The 'test' parameter of split must be a share between 0 and 1, or a number of rows below 10"),
        ({"test": 1.5}, r"Got 1\.5 instead\."),
        ({"test": 10}, r"Got 10 instead\."),
        ({"test": -1}, r"Got -1 instead\."),
        ({"test": True}, r"Got True instead\."),
        ({"test": "0.2"}, r"Got '0\.2' instead\."),
        ({"test": 0.2, "dev": 1.0}, r"The 'dev' parameter of split .* Got 1\.0 instead\."),
        ({"test": 0.5, "dev": 0.5}, r"must leave rows for training\. Got test=0\.5 and dev=0\.5 for 10 rows instead\."),
        ({"seed": -1}, r"The 'seed' parameter of split must be an integer of at least 0\. Got -1 instead\."),
        ({"seed": 0.5}, r"Got 0\.5 instead\."),
    ],
)
def test_settings_that_cannot_be(options, message):
    with pytest.raises(ParameterError, match=message):
        numbered(10).split(**options)


def test_too_few_units():
    corpus = Corpus(["same"] * 10, ["a", "b"] * 5)
    with pytest.raises(DataError) as caught:
        corpus.split()
    assert str(caught.value) == (
        "memory: 10 rows, copies counted once, are too few for train and test with test=0.2: nothing is left for "
        "'test'. Take a larger share, or more data."
    )
    with pytest.raises(DataError, match=r"with test=0\.2, dev=0\.2: nothing is left for 'dev', 'test'\."):
        corpus.split(test=0.2, dev=0.2)


def test_a_group_column_that_is_not_there_or_not_filled():
    with pytest.raises(DataError, match=r"there is no other column 'author'\. They are 'writer'\.$"):
        numbered(10, writer=["w"] * 10).split(group="author")
    with pytest.raises(DataError, match=r"^memory, row 4: column 'writer' is missing, so the row belongs to no group"):
        numbered(10, writer=["w"] * 3 + [None] * 7).split(group="writer")


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.sampled_from("abcdefghij"), min_size=4, max_size=60),
    seed=st.integers(0, 1000),
    share=st.floats(0.05, 0.6),
    data=st.data(),
)
def test_nothing_leaks_whatever_the_data(texts, seed, share, data):
    n = len(texts)
    labels = data.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    groups = data.draw(st.lists(st.integers(0, 8), min_size=n, max_size=n))
    corpus = Corpus(texts, labels, {"group": groups, "row": list(range(n))})
    try:
        train, test = corpus.split(test=share, seed=seed, group="group")
    except DataError:
        return
    except ParameterError:
        assert round(share * n) in (0, n)
        return
    assert not set(texts_of(train)) & set(texts_of(test))
    assert not set(train.column("group").to_pylist()) & set(test.column("group").to_pylist())
    assert sorted(train.column("row").to_pylist() + test.column("row").to_pylist()) == list(range(n))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=3), max_size=50))
def test_first_occurrences_are_those_of_a_dictionary(texts):
    expected = [texts.index(text) for text in texts]
    cut = len(texts) // 3
    chunked = pa.chunked_array([texts[:cut], texts[cut:]], pa.large_string())
    assert first_occurrences(chunked).tolist() == expected
    assert first_occurrences(chunked).dtype == np.int64


def test_a_notebook_shows_the_classes_of_each_part():
    corpus = Corpus([f"text {i % 95}" for i in range(100)], ["<b>" if i % 4 else "rest" for i in range(100)])
    parts = corpus.split(test=0.2, dev=0.1)
    html = parts._repr_html_()
    assert "Split of memory: train, dev, test" in html
    counts = [part.class_counts[part.label_names.index("rest")] for part in parts]
    assert "rest</td>" + "".join(f"<td style='text-align:right'>{n}</td>" for n in counts) in html
    assert "5 rows repeat an earlier text" in html
    assert "<b>" not in html
    many = Corpus([f"text {i}" for i in range(100)], [f"l{i % 25}" for i in range(100)]).split(test=0.25)
    assert "5 more</td><td style='text-align:right'>15</td><td style='text-align:right'>5</td>" in many._repr_html_()
    assert "all</td>" in Corpus(["a", "b", "c", "d"]).split(test=0.5)._repr_html_()


def several(n=400):
    """Texts with sets of labels: every second, every fifth and every fortieth text has the label, some have none."""
    labels = [[name for name, every in (("a", 2), ("b", 5), ("rare", 40)) if i % every == 0] for i in range(n)]
    return Corpus([f"text {i}" for i in range(n)], labels, {"author": [str(i // 4) for i in range(n)]})


def test_every_part_has_its_share_of_every_label_of_sets():
    corpus = several()
    train, dev, test = parts = corpus.split(test=0.2, dev=0.1, seed=5)
    assert corpus.class_counts.tolist() == [200, 80, 10]
    assert [part.class_counts.tolist() for part in parts] == [[140, 56, 7], [20, 8, 1], [40, 16, 2]]
    assert [len(part) for part in parts] == [280, 40, 80]
    assert parts[2] == corpus.split(test=0.2, dev=0.1, seed=5)[2] != corpus.split(test=0.2, dev=0.1, seed=6)[2]
    assert {name for _, name in train} >= {(), ("a", "b", "rare")}
    assert dev.label_names == test.label_names == corpus.label_names


def test_groups_of_texts_with_sets_stay_together():
    corpus = several()
    train, test = corpus.split(test=0.25, group="author", seed=1)
    assert not set(train.column("author").to_pylist()) & set(test.column("author").to_pylist())
    assert np.abs(test.class_counts - corpus.class_counts / 4).max() <= 1
    assert len(test) == 100


def test_copies_of_texts_with_sets_go_to_the_same_side():
    texts = [f"text number {chr(97 + i % 20)}" for i in range(60)]
    corpus = Corpus(texts, [["a"] * (i % 2) + ["b"] * (i % 3 == 0) for i in range(60)])
    parts = corpus.split(test=0.3, seed=2)
    assert not set(parts[0].texts.to_pylist()) & set(parts[1].texts.to_pylist())
    assert parts.report.duplicate_rows == 40


def test_a_label_of_one_text_is_trained_on_and_said():
    corpus = Corpus([f"text {i}" for i in range(10)], [["only", "a"]] + [["a"], []] * 4 + [[]])
    parts = corpus.split(test=0.3, seed=3)
    assert parts.report.missing == {"train": (), "test": ("only",)}
    assert "label</th>" in parts._repr_html_()


def test_sets_are_split_without_strata_too():
    train, test = several().split(test=0.2, stratify=False, seed=1)
    assert (len(train), len(test)) == (320, 80)
