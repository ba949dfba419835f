"""Examples in batches."""

from __future__ import annotations

from itertools import chain

import numpy as np

from assay.neural.reading.batches import TrainingBatches, batches_in_order
from assay.neural.reading.sequences import Sequences


def examples(n=1000):
    sizes = np.random.default_rng(0).integers(0, 50, n)
    begin = np.r_[0, np.cumsum(sizes)]
    return Sequences(begin, np.full(begin[-1], 2, dtype=np.int32))


def rows_of(batches, *arguments):
    return [batch.rows.tolist() for batch in batches.epoch(*arguments)]


def test_an_epoch_shows_every_example_once_in_an_order_of_its_own():
    batches = TrainingBatches(examples(), np.arange(1000), 30, seed=4)
    first, second = rows_of(batches, 0), rows_of(batches, 1)
    assert len(first) == len(batches) == 34
    assert sorted(chain(*first)) == sorted(chain(*second)) == list(range(1000))
    assert first != second
    assert first == rows_of(TrainingBatches(examples(), np.arange(1000), 30, seed=4), 0)
    assert first != rows_of(TrainingBatches(examples(), np.arange(1000), 30, seed=5), 0)


def test_an_epoch_can_be_entered_in_the_middle():
    batches = TrainingBatches(examples(100), np.arange(100), 7, seed=0)
    assert rows_of(batches, 3, 5) == rows_of(batches, 3)[5:]


def test_examples_of_like_length_are_together():
    found = examples()
    padded = sum(batch.inputs[0].numel() for batch in TrainingBatches(found, np.arange(1000), 30, seed=0).epoch(0))
    assert padded < 1.1 * len(found.ids)  # shuffled alone, it is almost twice as many


def test_classes_come_with_their_examples():
    batch = next(TrainingBatches(examples(10), np.arange(10) + 100, 4, seed=0).epoch(0))
    assert batch.targets.tolist() == (batch.rows + 100).tolist()


def test_prediction_sees_the_longest_first_and_not_too_many_words_at_once():
    found = examples()
    seen = []
    for rows, (ids, _) in batches_in_order(found, size=64, most=500):
        assert len(rows) <= 64
        assert ids.numel() <= 500
        seen += rows.tolist()
    assert sorted(seen) == list(range(1000))
    assert found.sizes[seen[0]] == found.sizes.max()


def test_however_many_texts_are_asked_about_only_a_batch_is_padded_at_once(trained, monkeypatch):
    padded, inputs = [], Sequences.inputs

    def noting(self, rows):
        found = inputs(self, rows)
        padded.append(tuple(found[0].shape))
        return found

    monkeypatch.setattr(Sequences, "inputs", noting)
    texts = ["a great film", "dull " * 300] * 1500
    assert trained.predict_proba(texts).shape == (3000, 2)
    assert sum(n for n, _ in padded) == 3000
    assert max(n for n, _ in padded) <= 256
    assert max(n * width for n, width in padded) <= 1 << 14
