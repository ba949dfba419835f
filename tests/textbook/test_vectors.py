"""Zhang, *Natural Language Processing*, chapter 3.1: vectors, tf-idf, distances, clusters."""

from __future__ import annotations

from itertools import combinations

import pytest

from assay import textbook
from assay.textbook import worked

COUNT_TABLE = """
a       1 1 0 2
ah      0 0 1 0
book    1 1 0 1
bought  1 0 0 0
boy     0 0 0 1
I       0 0 1 1
is      0 1 0 0
know    0 0 1 0
reading 0 1 0 1
saw     0 0 0 1
Tim     1 1 1 0
,       0 0 1 0
.       1 0 1 0
"""

LOG2_TABLE = """
a       .415 .415 0    .83
ah      0    0    2.0  0
book    .415 .415 0    .415
bought  2.0  0    0    0
boy     0    0    0    2.0
I       0    0    1.0  1.0
is      0    2.0  0    0
know    0    0    2.0  0
reading 0    1.0  0    1.0
saw     0    0    0    2.0
Tim     .415 .415 .415 0
,       0    0    2.0  0
.       1.0  0    1.0  0
"""

NATURAL_TABLE = [
    [0.0959, 0.4621, 0.0959, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
    [0.0719, 0.0000, 0.0719, 0.1733, 0.1733, 0.0000, 0.0000, 0.0000, 0.0000],
    [0.1438, 0.0000, 0.0000, 0.1733, 0.0000, 0.3466, 0.0000, 0.0000, 0.0000],
    [0.0000, 0.0000, 0.0575, 0.0000, 0.1386, 0.0000, 0.2773, 0.2773, 0.2773],
]


def columns_of(table: str) -> list[list[float]]:
    """Read a printed table, words down and documents across, as one vector a document."""
    rows = [[float(value) for value in line.split()[1:]] for line in table.strip().splitlines()]
    return [list(column) for column in zip(*rows, strict=True)]


def practice_vectors() -> list[list[float]]:
    return textbook.tfidf(worked.TIM_PRACTICE, stop_words=worked.TIM_STOP_WORDS, form="length-normalised")


def test_count_table():
    """Zhang, chapter 3.1, table (a)."""
    assert textbook.count_vectors(worked.TIM_DOCUMENTS, worked.TIM_WORDS) == columns_of(COUNT_TABLE)


def test_log2_table():
    """Zhang, chapter 3.1, table (b): printed to three places at most."""
    vectors = textbook.tfidf(worked.TIM_DOCUMENTS, worked.TIM_WORDS, form="raw")
    assert vectors == [pytest.approx(column, abs=5e-4) for column in columns_of(LOG2_TABLE)]


def test_practice_counts():
    """Zhang, chapter 3.1, Python practice 1."""
    words = textbook.vocabulary(worked.TIM_PRACTICE, worked.TIM_STOP_WORDS)
    assert words == ["Tim", "bought", "book", "is", "reading", "ah", "I", "saw", "boy"]
    counts = textbook.count_vectors(worked.TIM_PRACTICE, stop_words=worked.TIM_STOP_WORDS)
    assert counts == [
        [1, 1, 1, 0, 0, 0, 0, 0, 0],
        [1, 0, 1, 1, 1, 0, 0, 0, 0],
        [2, 0, 0, 1, 0, 1, 0, 0, 0],
        [0, 0, 1, 0, 1, 0, 1, 1, 1],
    ]
    assert [sum(column) for column in zip(*counts, strict=True)] == [4, 1, 3, 2, 2, 1, 1, 1, 1]
    assert textbook.document_frequencies(counts) == [3, 1, 3, 2, 2, 1, 1, 1, 1]
    assert textbook.term_frequencies(counts)[2] == [0.5, 0, 0, 0.25, 0, 0.25, 0, 0, 0]


def test_practice_term_frequencies():
    """Zhang, chapter 3.1, Python practice 2, steps 8 and 9: three, four, four and five words a document."""
    counts = textbook.count_vectors(worked.TIM_PRACTICE, stop_words=worked.TIM_STOP_WORDS)
    assert [sum(row) for row in counts] == [3, 4, 4, 5]
    assert [[round(value, 4) for value in row] for row in textbook.term_frequencies(counts)] == [
        [0.3333, 0.3333, 0.3333, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.25, 0.0, 0.25, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0],
        [0.5, 0.0, 0.0, 0.25, 0.0, 0.25, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.2, 0.0, 0.2, 0.0, 0.2, 0.2, 0.2],
    ]


def test_practice_idf():
    """Zhang, chapter 3.1, Python practice 2, step 10."""
    counts = textbook.count_vectors(worked.TIM_PRACTICE, stop_words=worked.TIM_STOP_WORDS)
    idf = textbook.inverse_document_frequencies(counts)
    assert [round(value, 4) for value in idf] == [
        0.2877,
        1.3863,
        0.2877,
        0.6931,
        0.6931,
        1.3863,
        1.3863,
        1.3863,
        1.3863,
    ]


def test_length_normalised_table():
    """Zhang, chapter 3.1, Python practice 2, step 11."""
    assert [[round(value, 4) for value in row] for row in practice_vectors()] == NATURAL_TABLE


def test_distances_of_the_practice_documents():
    """Zhang, chapter 3.1, Python practice 3: d1 to d2 and d1 to d4."""
    d1, d2, _d3, d4 = practice_vectors()
    assert round(textbook.euclidean_distance(d1, d2), 4) == 0.5242
    assert round(textbook.euclidean_distance(d1, d4), 4) == 0.6885
    assert round(textbook.cosine_similarity(d1, d2), 4) == 0.1079
    assert round(textbook.cosine_similarity(d1, d4), 4) == 0.0228
    assert round(textbook.cosine_distance(d1, d2), 4) == 0.8921
    assert textbook.distances(practice_vectors())[0] == (
        0,
        1,
        pytest.approx(0.5242, abs=5e-5),
        pytest.approx(0.1079, abs=5e-5),
    )


def test_a_word_of_every_document_weighs_nothing():
    assert textbook.tfidf(["a b", "a c"], form="length-normalised")[0][0] == 0
    assert textbook.tfidf(["a b", "a c"], words=["a", "absent"]) == [[0, 0], [0, 0]]


def test_great_great_buy():
    """Surdeanu & Valenzuela-Escárcega, section 2.2."""
    assert textbook.count_vectors(["This is a great great buy"], ["buy", "great", "bad"]) == [[1, 2, 0]]


def test_stop_words_of_the_book_leave_the_telling_words():
    """Zhang, chapter 3.1: the list of common stop words has 15 entries."""
    assert len(textbook.STOP_WORDS) == 15
    assert textbook.vocabulary(["the book is about a boy ."], textbook.STOP_WORDS) == ["book", "is", "boy"]


def test_bigrams_of_tims_book():
    """Zhang, chapter 3.3.1: four bigrams."""
    assert textbook.bigrams("Tim bought a book .") == ["Tim bought", "bought a", "a book", "book ."]
    assert textbook.bigrams(["alone"]) == []


@pytest.mark.parametrize(("k", "groups"), [(2, [[1, 2, 4], [3]]), (3, [[1, 2], [3], [4]])])
def test_clusters_of_the_four_documents(k, groups):
    """Zhang, chapter 3.1.2: 2-means [1 1 0 1], 3-means [0 0 1 2]; the best of all starts from k of the documents."""
    vectors = textbook.tfidf(worked.TIM_DOCUMENTS, worked.TIM_WORDS)
    runs = [textbook.kmeans(vectors, k, start=list(start)) for start in combinations(vectors, k)]
    best = min(runs, key=lambda run: run.inertia)
    assert sorted(best.groups) == groups


def test_kmeans_stops_when_nothing_moves():
    start, *steps = textbook.kmeans_steps([[0], [1], [8], [9]], k=2, start=[[0], [1]])
    assert start.parameters == {"c1": (0,), "c2": (1,)}
    assert steps[-1].update == "none"
    assert [step.decision for step in steps] == ["{1} {2, 3, 4}", "{1, 2} {3, 4}", "{1, 2} {3, 4}"]
    assert steps[0].parameters == {"c1": (0,), "c2": (6,)}
    losses = [step.loss for step in steps]
    assert losses == sorted(losses, reverse=True)


def test_a_centre_without_points_stays():
    run = textbook.kmeans([[0], [1]], k=2, start=[[0], [50]])
    assert run.centres == ((0.5,), (50.0,))
    assert run.groups == [[1, 2], []]


def test_kmeans_draws_the_same_start_for_the_same_seed():
    vectors = [list(point) for point in worked.TOPIC_COUNTS]
    assert textbook.kmeans(vectors, 3, seed=4) == textbook.kmeans(vectors, 3, seed=4)


def test_scaling():
    """Jurafsky & Martin, chapter 4.3.2, equations 4.9 and 4.10."""
    z = textbook.standardize([[1, 10], [2, 10], [3, 10]])
    assert [row[0] for row in z] == pytest.approx([-1.2247, 0, 1.2247], abs=1e-4)
    assert [row[1] for row in z] == [0, 0, 0]
    assert textbook.normalize([[1, 10], [2, 10], [3, 10]]) == [[0, 0], [0.5, 0], [1, 0]]
