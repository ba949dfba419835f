"""What `Word2Vec` promises beyond single updates, which tests/oracle compares with the textbook's."""

from __future__ import annotations

import numpy as np
import pytest

from assay.embeddings import Word2Vec
from assay.errors import DataError, NotFittedError, ParameterError

SMALL = {"dimensions": 12, "min_count": 1, "epochs": 2}


def animal_texts(n=300, seed=0):
    """Texts in which animals stand in one kind of company and vehicles in another."""
    rng = np.random.default_rng(seed)
    animals, vehicles = ["cat", "dog", "horse", "cow"], ["car", "bus", "truck", "van"]
    texts = []
    for _ in range(n):
        texts.append(f"the {rng.choice(animals)} eats {rng.choice(['hay', 'meat', 'grass'])} and sleeps in the barn")
        texts.append(f"a {rng.choice(vehicles)} burns {rng.choice(['fuel', 'petrol', 'diesel'])} on the long road")
    return texts


def cosine(word2vec, one, other):
    a, b = (word2vec.input_matrix_[word2vec.words_.index(word)] for word in (one, other))
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize("model", ["skip-gram", "cbow"])
def test_words_in_like_company_get_like_vectors(model):
    settings = {"dimensions": 20, "min_count": 1, "epochs": 10, "rate": 0.1, "sample": 0, "window": 3}
    found = Word2Vec(model=model, **settings).fit(animal_texts())
    assert cosine(found, "cat", "horse") > 0.8
    assert cosine(found, "car", "truck") > 0.8
    assert cosine(found, "cat", "truck") < cosine(found, "cat", "horse") - 0.3


@pytest.mark.parametrize("model", ["skip-gram", "cbow"])
@pytest.mark.parametrize("shards", [1, 2, 5])
def test_same_bits_for_every_number_of_threads_and_every_time(model, shards):
    texts = animal_texts(200)
    fits = [Word2Vec(model=model, shards=shards, n_jobs=n, **SMALL).fit(texts) for n in (1, 2, 3, 1)]
    for fit in fits[1:]:
        assert fit.input_matrix_.tobytes() == fits[0].input_matrix_.tobytes()
        assert fit.output_matrix_.tobytes() == fits[0].output_matrix_.tobytes()


def test_another_seed_gives_other_vectors():
    texts = animal_texts(50)
    one, other = (Word2Vec(seed=seed, **SMALL).fit(texts) for seed in (0, 1))
    assert not np.array_equal(one.input_matrix_, other.input_matrix_)


def test_words_go_by_count_and_matrices_have_a_row_for_each():
    found = Word2Vec(**SMALL).fit(animal_texts(50))
    assert found.words_[0] == "the"
    assert found.counts_.tolist() == sorted(found.counts_.tolist(), reverse=True)
    assert found.input_matrix_.shape == found.output_matrix_.shape == (len(found.words_), 12)
    assert found.input_matrix_.dtype == np.float32
    assert np.isfinite(found.input_matrix_).all()
    assert found.output_matrix_.any()
    assert not found.interrupted_


def test_vectors_are_those_of_inputs_outputs_or_both():
    found = Word2Vec(**SMALL).fit(animal_texts(50))
    for which, matrix in [
        ("input", found.input_matrix_),
        ("output", found.output_matrix_),
        ("average", (found.input_matrix_ + found.output_matrix_) / 2),
    ]:
        vectors = found.vectors(which)
        assert list(vectors.words) == found.words_
        assert np.array_equal(vectors.matrix, matrix)
        assert np.array_equal(vectors.counts, found.counts_)
    with pytest.raises(ParameterError, match=r"'which' parameter of vectors must be one of 'output', .* Got 'outputs'"):
        found.vectors("outputs")


def test_vectors_need_learning():
    with pytest.raises(NotFittedError, match="has not learned anything yet"):
        Word2Vec().vectors()


def test_more_text_adds_words_and_moves_known_ones():
    found = Word2Vec(**SMALL).fit(animal_texts(50))
    before = dict(zip(found.words_, found.input_matrix_.copy(), strict=True))
    counts = dict(zip(found.words_, found.counts_.tolist(), strict=True))
    found.partial_fit(["the zebra eats grass", "a zebra and a horse"] * 20)
    assert set(found.words_) == {*before, "zebra"}
    assert found.counts_[found.words_.index("zebra")] == 40
    assert found.counts_[found.words_.index("the")] == counts["the"] + 20
    assert found.counts_.tolist() == sorted(found.counts_.tolist(), reverse=True)
    after = dict(zip(found.words_, found.input_matrix_, strict=True))
    assert not np.array_equal(after["grass"], before["grass"])
    assert np.array_equal(after["truck"], before["truck"])  # it is not in the new text
    assert found.n_words_ == 180


def test_more_text_continues_where_the_first_ended():
    first = Word2Vec(**SMALL).fit(animal_texts(50))
    more = Word2Vec(**SMALL).fit(animal_texts(50)).partial_fit(animal_texts(50, seed=1))
    repeated = Word2Vec(**SMALL).fit(animal_texts(50)).partial_fit(animal_texts(50, seed=1))
    assert more.input_matrix_.tobytes() == repeated.input_matrix_.tobytes()
    assert not np.array_equal(more.input_matrix_, first.input_matrix_)


def test_words_known_already_are_learned_however_rare_they_are():
    settings = SMALL | {"min_count": 3, "sample": 0}
    found = Word2Vec(**settings).fit(animal_texts(50))
    before = found.input_matrix_[found.words_.index("cat")].copy()
    found.partial_fit(["the cat and the unicorn", "the horse and the cow"])
    assert "unicorn" not in found.words_
    assert not np.array_equal(found.input_matrix_[found.words_.index("cat")], before)


def test_more_text_keeps_to_the_number_of_words():
    found = Word2Vec(max_words=6, **SMALL).fit(animal_texts(50))
    known = set(found.words_)
    assert len(found.partial_fit(["zebra and zebra eat the hay"] * 3).words_) == 6
    assert set(found.words_) == known


def test_partial_fit_first_is_fit():
    texts = animal_texts(20)
    assert np.array_equal(
        Word2Vec(**SMALL).partial_fit(texts).input_matrix_, Word2Vec(**SMALL).fit(texts).input_matrix_
    )


def test_dimensions_cannot_change_on_the_way():
    found = Word2Vec(**SMALL).fit(animal_texts(20))
    found.dimensions = 13
    with pytest.raises(ParameterError, match="learned so far have 12 dimensions, and dimensions=13 now"):
        found.partial_fit(["the cat"])


class InterruptAt:
    """Presses Ctrl-C when the learning comes to its n-th report."""

    def __init__(self, n):
        self.left = n

    def __call__(self, progress):
        if progress.stage == "learning":
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt


def test_interrupt_keeps_what_was_learned_if_asked():
    found = Word2Vec(on_interrupt="keep", on_progress=InterruptAt(1), **SMALL).fit(animal_texts(200))
    assert found.interrupted_
    assert found.output_matrix_.any()
    assert any("Interrupted after" in note for note in found.notes_)


def test_interrupt_leaves_everything_as_it_was_if_not():
    fresh = Word2Vec(on_progress=InterruptAt(1), **SMALL)
    with pytest.raises(KeyboardInterrupt):
        fresh.fit(animal_texts(20))
    assert not hasattr(fresh, "words_")
    found = Word2Vec(**SMALL).fit(animal_texts(20))
    before, counts = found.input_matrix_.copy(), found.counts_.copy()
    found.on_progress = InterruptAt(1)
    with pytest.raises(KeyboardInterrupt):
        found.partial_fit(animal_texts(20, seed=1))
    assert np.array_equal(found.input_matrix_, before)
    assert np.array_equal(found.counts_, counts)


def test_progress_goes_from_reading_through_all_epochs():
    told = []
    Word2Vec(on_progress=told.append, **SMALL).fit(animal_texts(300))
    assert told[0].stage == "reading"
    learning = [progress for progress in told if progress.stage == "learning"]
    assert {progress.epoch for progress in learning} == {1, 2}
    shares = [progress.share_done for progress in learning]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert learning[-1].seconds_left == 0
    assert learning[-1].rate == pytest.approx(0.0001)
    assert learning[-1].words_done == 2 * sum(len(text.split()) for text in animal_texts(300))


def test_steps_without_bounds_are_refused():
    with pytest.raises(ParameterError, match=r"The vectors grew beyond all numbers with rate=1e\+30"):
        Word2Vec(rate=1e30, **SMALL).fit(animal_texts(50))


@pytest.mark.parametrize("source", [["word word word"], [["x"] * 100]])
def test_one_word_repeated_is_refused(source):
    with pytest.raises(DataError, match=r"has only one word to learn, .* vectors need at least two different words"):
        Word2Vec(min_count=1).fit(source)


def test_min_count_that_leaves_nothing_is_refused():
    with pytest.raises(DataError, match=r"No word of the text comes 5 times or more, as min_count=5 asks for: of "):
        Word2Vec().fit(["so few words"])


def test_empty_text_is_refused():
    with pytest.raises(DataError, match="The text has no words"):
        Word2Vec().fit([])


def test_texts_of_one_word_each_move_nothing():
    found = Word2Vec(**SMALL).fit(["lonely", "alone"] * 20)
    assert not found.output_matrix_.any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dimensions": 0}, "'dimensions' parameter of Word2Vec must be a whole number of at least 1. Got 0 instead"),
        ({"window": -1}, "'window' parameter .* Got -1 instead"),
        ({"negatives": 0}, "'negatives' parameter"),
        ({"min_count": "5"}, "'min_count' parameter .* Got '5' instead"),
        ({"epochs": 1.5}, "'epochs' parameter"),
        ({"shards": 0}, "'shards' parameter of Word2Vec must be a whole number from 1 to 256. Got 0 instead"),
        ({"window": 2**31}, "'window' parameter of Word2Vec must be a whole number from 1 to 2147483647"),
        ({"seed": -1}, "'seed' parameter of Word2Vec must be a whole number from 0 to 18446744073709551615"),
        ({"max_words": 1}, "'max_words' parameter of Word2Vec must be a whole number of at least 2"),
        ({"sample": -1e-3}, "'sample' parameter of Word2Vec must be a number of at least 0"),
        ({"rate": float("inf")}, "'rate' parameter .* Got inf instead"),
        ({"rate": 1e-5}, "'rate' parameter of Word2Vec must be a number of at least 0.0001. Got 1e-05 instead"),
        ({"model": "skipgram"}, "'model' parameter of Word2Vec must be one of 'skip-gram', 'cbow'. Got 'skipgram'"),
        ({"unit": "line"}, "'unit' parameter"),
        ({"on_interrupt": "stop"}, "'on_interrupt' parameter of Word2Vec must be one of"),
        ({"n_jobs": 0}, "n_jobs must be a positive number of threads"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        Word2Vec(**settings).fit(["some text"])
