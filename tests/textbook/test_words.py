"""Surdeanu & Valenzuela-Escárcega, chapter 7: co-occurrence, SVD, word2vec."""

from __future__ import annotations

import numpy as np
import pytest

from assay import textbook
from assay.textbook import worked


def test_company_of_the_bagel():
    """Section 7.1, c = 3: cheese 2, cream 2, and twelve ones."""
    vector = textbook.cooccurrence(worked.BAGEL, c=3).vector("bagel")
    twice = {"cheese": 2, "cream": 2}
    once = [
        "A",
        "also",
        "American",
        "and",
        "as",
        "cuisine",
        "is",
        "known",
        "sliced",
        "The",
        "typically",
        "with",
    ]
    assert vector == {**twice, **dict.fromkeys(once, 1)}
    assert list(vector) == sorted(vector, key=str.lower)
    assert len(vector) == 14


def test_windows_of_the_bagel():
    """Section 7.1: three windows."""
    windows = [step.seen for step in textbook.cooccurrence_steps(worked.BAGEL, c=3, word="bagel")]
    assert windows == [
        "A [bagel] and cream cheese",
        "also known as [bagel] with cream cheese",
        "American cuisine The [bagel] is typically sliced",
    ]


def test_cooccurrence_matrix_is_symmetric():
    found = textbook.cooccurrence(worked.BAGEL, c=3)
    C = found.matrix()
    assert C.shape == (len(found.words),) * 2
    assert (C == C.T).all()
    row = C[found.words.index("bagel")]
    assert dict(zip(found.words, row.tolist(), strict=True))["cream"] == 2


def test_unknown_words_are_answered_with_the_nearest():
    with pytest.raises(textbook.InputError, match=r"word is 'bagle'\. It must be one of 'bagel'"):
        textbook.cooccurrence(worked.BAGEL).vector("bagle")
    with pytest.raises(textbook.InputError, match="The text has no words"):
        textbook.cooccurrence("...")


def test_decomposition_is_numpys():
    """Section 7.2, equation 7.1: C = U Σ Vᵀ with orthogonal columns and falling singular values."""
    C = textbook.cooccurrence(worked.BAGEL, c=3).matrix().astype(float)
    U, sigma, Vt = textbook.svd(C)
    assert sigma == pytest.approx(np.linalg.svd(C, compute_uv=False)[: len(sigma)])
    assert len(sigma) == np.linalg.matrix_rank(C)
    assert U * sigma @ Vt == pytest.approx(C, abs=1e-9)
    assert pytest.approx(np.eye(len(sigma)), abs=1e-9) == U.T @ U
    assert Vt @ Vt.T == pytest.approx(np.eye(len(sigma)), abs=1e-9)
    assert all(np.diff(sigma) <= 1e-9)


def test_low_rank_loses_what_the_left_out_topics_hold():
    """Section 7.2: C_k is the best approximation of rank k; its error is √(σ²_{k+1} + …)."""
    C = textbook.cooccurrence(worked.BAGEL, c=3).matrix().astype(float)
    parts = textbook.svd(C)
    for k in (1, 2, 5):
        error = np.linalg.norm(C - textbook.low_rank(parts, k))
        assert error == pytest.approx(np.sqrt(np.sum(parts.sigma[k:] ** 2)))
    steps = list(textbook.svd_steps(C))
    assert len(steps) == len(parts.sigma)
    assert steps[-1].why == "nothing is missing"
    with pytest.raises(textbook.InputError, match="k is 99 and the matrix has rank"):
        textbook.low_rank(parts, 99)


def test_topics_name_their_words():
    C = [[4, 4, 0, 0], [4, 4, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    assert textbook.topics(textbook.svd(C), ["bagel", "bread", "cat", "dog"], n=2) == [
        ["bagel", "bread"],
        ["cat", "dog"],
    ]


def test_words_in_the_same_company_get_similar_vectors():
    """Section 7.1: similar words have similar vectors."""
    text = [
        "the",
        "cat",
        "drinks",
        "milk",
        "the",
        "dog",
        "drinks",
        "water",
        "the",
        "cat",
        "eats",
        "fish",
        "the",
        "dog",
        "eats",
        "meat",
    ]
    found = textbook.cooccurrence(text, c=2)
    parts = textbook.svd(found.matrix())
    vectors = dict(zip(found.words, (parts.U * parts.sigma)[:, :2].tolist(), strict=True))
    assert textbook.cosine_similarity(vectors["cat"], vectors["dog"]) > textbook.cosine_similarity(
        vectors["cat"], vectors["drinks"]
    )


def test_negative_samples_come_by_frequency_to_three_quarters():
    """Section 7.4: p(w) ∝ freq(w)^¾."""
    p = textbook.word_probabilities([81, 16, 1])
    assert p == pytest.approx([27 / 36, 8 / 36, 1 / 36])


def test_skipgram_gradients_are_those_of_the_cost():
    """Section 7.4, equation 7.5: every ∂C/∂v against finite differences."""
    rng = np.random.default_rng(0)
    v_in, v_out, targets = rng.normal(size=4), rng.normal(size=(3, 4)), [1, 0, 1]
    on_input, on_output = textbook.skipgram_gradients(v_in, v_out, targets)
    measured = textbook.numerical_gradient(lambda v: textbook.skipgram_cost(np.array(v), v_out, targets), v_in.tolist())
    assert on_input.tolist() == pytest.approx(measured, abs=1e-7)
    measured = textbook.numerical_gradient(
        lambda v: textbook.skipgram_cost(v_in, np.array(v).reshape(3, 4), targets), v_out.ravel().tolist()
    )
    assert on_output.ravel().tolist() == pytest.approx(measured, abs=1e-7)


def test_skipgram_pulls_neighbours_together():
    """Figure 7.2: neighbours' output vectors come closer to the input vector, the others go away."""
    vectors = textbook.skipgram(worked.BAGEL, dimensions=8, c=2, negatives=5, rate=0.1, epochs=30, seed=1)
    scores = dict(zip(vectors.words, vectors.output @ vectors.input[vectors.words.index("bagel")], strict=True))
    near = np.mean([scores[word] for word in ("and", "cream", "with", "typically")])
    far = np.mean([scores[word] for word in ("home", "may", "toasted", "it")])
    assert near > far + 1


def test_skipgram_returns_the_average_and_repeats():
    """Algorithm 6, lines 20 to 22: (vⁱ + vᵒ) / 2."""
    one = textbook.skipgram(worked.BAGEL, dimensions=3, epochs=1, seed=7)
    two = textbook.skipgram(worked.BAGEL, dimensions=3, epochs=1, seed=7)
    assert (one.average == two.average).all()
    assert one.average == pytest.approx((one.input + one.output) / 2)
    assert one.vector("bagel") == one.average[1].tolist()
    losses = [step.loss for step in textbook.skipgram_steps(worked.BAGEL, dimensions=5, epochs=30, rate=0.1)]
    n = len(losses) // 30
    assert sum(losses[-n:]) < sum(losses[:n])


def test_skipgram_starts_where_it_is_told_and_updates_only_what_it_touched():
    """Algorithm 6, lines 10 to 17: vⁱ of the word, vᵒ of P and N, all from the same cost."""
    start = (np.full((3, 2), 0.5), np.full((3, 2), 0.25))
    steps = textbook.skipgram_steps(["a", "b", "c"], dimensions=2, c=1, negatives=1, rate=0.1, epochs=1, start=start)
    first = next(steps)
    on_input, _ = textbook.skipgram_gradients(start[0][0], start[1][[1, 2]], [1, 0])
    assert first.seen == "a among b"
    assert first.decision == "c"
    assert first.parameters["vⁱ(a)"] == pytest.approx(tuple(0.5 - 0.1 * on_input))
    assert start[0].tolist() == [[0.5, 0.5]] * 3


def test_skipgram_needs_neighbours():
    with pytest.raises(textbook.InputError, match="The text has 1 different words"):
        textbook.skipgram("bagel bagel bagel")
