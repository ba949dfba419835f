"""Native counts of pairs against the textbook's, exactly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _native
from assay.embeddings import Cooccurrence
from assay.textbook.cooccurrence import cooccurrence

sentences = st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=12), min_size=1, max_size=6)


def textbook_counts(token_lists, window, words):
    total = np.zeros((len(words), len(words)), np.int64)
    place = {word: row for row, word in enumerate(words)}
    for tokens in token_lists:
        found = cooccurrence(tokens, c=window)
        rows = [place[word] for word in found.words]
        total[np.ix_(rows, rows)] += found.matrix()
    return total


@settings(max_examples=60, deadline=None)
@given(sentences, st.integers(1, 5), st.integers(1, 3))
def test_counts_are_those_of_the_textbook(token_lists, window, threads):
    ours = Cooccurrence(window=window, min_count=1, n_jobs=threads).fit(token_lists)
    assert ours.matrix_.toarray().tolist() == textbook_counts(token_lists, window, ours.words_).tolist()
    assert ours.matrix_.has_canonical_format


def test_counts_of_a_running_text_are_those_of_the_textbook():
    text = "A bagel and cream cheese, also known as bagel with cream cheese, is a food pairing of American cuisine."
    theirs = cooccurrence(text.lower(), c=3)
    ours = Cooccurrence(window=3, min_count=1).fit([text])
    assert sorted(ours.words_) == sorted(theirs.words)
    row = ours.matrix_[ours.words_.index("bagel")].toarray().ravel()
    assert {word: int(count) for word, count in zip(ours.words_, row, strict=True) if count} == theirs.vector("bagel")


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 5000), st.integers(1, 4), st.integers(1, 3), st.integers(1, 200), st.integers(0, 2**32 - 1))
def test_pairs_in_many_runs_and_beyond_the_frequent_words_are_all_counted(n_words, window, threads, capacity, seed):
    # Words beyond the first 2048 are sorted in runs of `capacity` pairs instead of counted in a table.
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, n_words, 300).astype(np.int32)
    ids[rng.random(300) < 0.05] = -1
    counter = _native.PairCounter(n_words, window, capacity, threads)
    runs = counter.add(ids[:100], 0) + counter.add(ids[100 - window : 200], window) + counter.add(ids[200:], 0)
    runs += counter.finish()
    row_begin, columns, counts = _native.merge_pairs(runs, n_words, 1, threads)
    found = {
        (row, int(column)): int(count)
        for row in range(n_words)
        for column, count in zip(
            columns[row_begin[row] : row_begin[row + 1]], counts[row_begin[row] : row_begin[row + 1]], strict=True
        )
    }
    expected: dict[tuple[int, int], int] = {}
    for part in (ids[:200], ids[200:]):  # the second piece was counted with what stands before it, the third was not
        for tokens in np.split(part, np.flatnonzero(part < 0)):
            words = [int(word) for word in tokens if word >= 0]
            for i, word in enumerate(words):
                for other in words[max(0, i - window) : i]:
                    expected[word, other] = expected.get((word, other), 0) + 1
                    expected[other, word] = expected.get((other, word), 0) + 1
    assert found == expected
    merged = _native.merge_pair_runs(runs, n_words)
    again = _native.merge_pairs([merged], n_words, 1, 1)
    assert all(np.array_equal(a, b) for a, b in zip(again, (row_begin, columns, counts), strict=True))


def test_a_count_beyond_32_bits_is_not_lost():
    # Windows so wide that the table might overflow after a few words: it is emptied into a run before.
    counter = _native.PairCounter(2, 2**31, 10, 1)
    ids = np.array([0, 1, 0, 0], np.int32)
    runs = counter.add(ids, 0)
    assert len(runs) > 0
    matrix = _native.merge_pairs(runs + counter.finish(), 2, 1, 1)
    assert [array.tolist() for array in matrix] == [[0, 2, 3], [0, 1, 0], [6, 3, 3]]


def test_pairs_of_words_that_are_not_there_are_refused():
    counter = _native.PairCounter(3, 2, 10, 1)
    with pytest.raises(ValueError, match="word 3 is not one of 3"):
        counter.add(np.array([0, 3], np.int32), 0)
    with pytest.raises(ValueError, match="there are fewer ids than were counted before"):
        counter.add(np.array([0, 1], np.int32), 3)
    run = (np.array([9], np.uint64), np.array([1], np.int64))
    with pytest.raises(ValueError, match="a pair of words that are not there"):
        _native.merge_pairs([run], 3, 1, 1)
    short = (np.array([1, 2], np.uint64), np.array([1], np.int64))
    with pytest.raises(ValueError, match="the counts of a run has 1 values where 2 are needed"):
        _native.merge_pairs([short], 3, 1, 1)
