"""One native update of word2vec against the textbook's gradient, and against finite differences of its cost."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _native
from assay.textbook.word2vec import skipgram_cost, skipgram_gradients

N_WORDS = 30
RATE = 0.5


def matrices(dimensions, seed):
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(0, 0.5, (N_WORDS, dimensions)).astype(np.float32) for _ in range(2))


def after(step, matrices, centre, contexts, drawn):
    found = tuple(matrix.copy() for matrix in matrices)
    step(*found, centre, np.array(contexts, np.int32), np.array(drawn, np.int32), RATE)
    return found


def textbook_step(input_matrix, output_matrix, centre, contexts, drawn):
    """The gradients of every context, all from the vectors before the step."""
    inputs, outputs = input_matrix.astype(np.float64), output_matrix.astype(np.float64)
    rows = [centre, *(word for word in drawn if word != centre)]
    targets = [1] + [0] * (len(rows) - 1)
    new_inputs, new_outputs = inputs.copy(), outputs.copy()
    for context in contexts:
        on_input, on_output = skipgram_gradients(inputs[context], outputs[rows], targets)
        new_inputs[context] -= RATE * on_input
        np.subtract.at(new_outputs, rows, RATE * on_output)
    return new_inputs, new_outputs


words = st.integers(0, N_WORDS - 1)
windows = st.tuples(
    st.sampled_from([1, 3, 8, 13, 100]),
    words,
    st.lists(words, min_size=1, max_size=13),
    st.lists(words, max_size=16),  # more outputs than one pass over the inputs takes
    st.integers(0, 2**32 - 1),
)


@settings(max_examples=120, deadline=None)
@given(windows)
def test_a_step_follows_the_gradient_of_the_textbook(window):
    dimensions, centre, contexts, drawn, seed = window
    before = matrices(dimensions, seed)
    found = after(_native.skip_gram_step, before, centre, contexts, drawn)
    expected = textbook_step(*before, centre, contexts, drawn)
    for ours, theirs in zip(found, expected, strict=True):
        # float32: sums of up to 13 · 17 products of numbers below 10
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-5)


def test_a_step_goes_down_the_cost_by_finite_differences():
    dimensions, centre, contexts, drawn = 5, 3, [1, 2, 4], [7, 8, 9, 10]
    before = matrices(dimensions, seed=0)
    found = after(_native.skip_gram_step, before, centre, contexts, drawn)
    targets = [1, 0, 0, 0, 0]

    def cost(inputs, outputs):
        return sum(skipgram_cost(inputs[context], outputs[[centre, *drawn]], targets) for context in contexts)

    exact = [matrix.astype(np.float64) for matrix in before]
    epsilon = 1e-6
    for which, rows in ((0, contexts), (1, [centre, *drawn])):
        for row in rows:
            for column in range(dimensions):
                costs = []
                for sign in (1, -1):
                    moved = [matrix.copy() for matrix in exact]
                    moved[which][row, column] += sign * epsilon
                    costs.append(cost(*moved))
                slope = (costs[0] - costs[1]) / (2 * epsilon)
                step = (float(found[which][row, column]) - exact[which][row, column]) / RATE
                assert step == pytest.approx(-slope, abs=1e-5)  # float32 steps


@settings(max_examples=60, deadline=None)
@given(windows)
def test_cbow_moves_every_context_by_the_step_of_their_mean(window):
    dimensions, centre, contexts, drawn, seed = window
    inputs, outputs = (matrix.astype(np.float64) for matrix in matrices(dimensions, seed))
    rows = [centre, *(word for word in drawn if word != centre)]
    mean = inputs[contexts].mean(axis=0)
    on_mean, on_output = skipgram_gradients(mean, outputs[rows], [1] + [0] * (len(rows) - 1))
    for context in contexts:
        inputs[context] -= RATE * on_mean
    np.subtract.at(outputs, rows, RATE * on_output)
    found = after(_native.cbow_step, matrices(dimensions, seed), centre, contexts, drawn)
    np.testing.assert_allclose(found[0], inputs, rtol=2e-5, atol=2e-5)  # float32
    np.testing.assert_allclose(found[1], outputs, rtol=2e-5, atol=2e-5)


def test_rows_outside_the_window_stay_as_they_are():
    before = matrices(10, seed=1)
    found = after(_native.skip_gram_step, before, 0, [1, 2], [3])
    assert np.array_equal(found[0][3:], before[0][3:])
    assert np.array_equal(found[1][4:], before[1][4:])
    assert not np.array_equal(found[0][1], before[0][1])


@pytest.mark.parametrize(
    ("centre", "contexts", "drawn", "message"),
    [
        (30, [1], [], "the centre is not one of the words"),
        (0, [], [], "a window needs contexts"),
        (0, [30], [], r"contexts holds 30, outside \[0, 30\)"),
        (0, [1], [-1], r"drawn holds -1, outside \[0, 30\)"),
    ],
)
def test_a_window_of_other_words_is_refused(centre, contexts, drawn, message):
    with pytest.raises(ValueError, match=message):
        after(_native.skip_gram_step, matrices(4, seed=0), centre, contexts, drawn)


@pytest.mark.parametrize(("skip_gram", "digest"), [(True, "80b7c5401cbef807"), (False, "7c06dfc321e4c9f1")])
def test_bits_are_the_same_for_every_width_of_registers(skip_gram, digest):
    # The sanitizers' build has registers of 16 bytes, the usual one of 32: both must come to these numbers.
    rows = [np.arange(-170, 170, dtype=np.float32).reshape(20, 17) / np.float32(divisor) for divisor in (512, 1024)]
    ids = np.array([(7 * at * at + 3 * at) % 21 - 1 for at in range(400)], np.int32)
    trainer = _native.Word2VecTrainer(*rows, np.arange(1.0, 21.0), np.full(20, 0.75), 4, 7, skip_gram, 3, 11)
    trainer.learn(ids, 0, 0.25, 0.125, 2)
    trainer.copy_vectors(*rows)
    assert hashlib.sha256(np.stack(rows).tobytes()).hexdigest()[:16] == digest
