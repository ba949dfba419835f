"""Telling new texts from old ones by their words."""

from __future__ import annotations

import numpy as np
import pytest

from assay.drift.domain import test_domain as tell_apart

WORDS = [f"w{k}" for k in range(60)]


def written(random: np.random.Generator, n: int, words: list[str] = WORDS) -> list[str]:
    return [" ".join(random.choice(words, 8)) for _ in range(n)]


def test_texts_of_one_source_are_called_different_as_seldom_as_the_level_says():
    p_values = []
    for seed in range(120):
        random = np.random.default_rng(seed)
        texts = written(random, 80)
        p_values.append(tell_apart(texts[:40], texts[40:], level=0.95, seed=seed, threads=1).p_value)
    rejected = np.mean(np.array(p_values) <= 0.1)
    assert 0.02 <= rejected <= 0.19  # .1 expected; three standard errors
    assert 0.35 <= np.median(p_values) <= 0.65


def test_texts_of_other_words_are_told_apart():
    random = np.random.default_rng(1)
    found = tell_apart(
        written(random, 60), written(random, 50, [f"v{k}" for k in range(60)]), level=0.95, seed=0, threads=1
    )
    assert found.area == pytest.approx(1.0)
    assert found.p_value == pytest.approx(1 / 400)  # none of the deals comes near
    assert found.low < 0.5 < found.high < found.could_be_seen < 1
    assert (found.n_old, found.n_new) == (60, 50)


def test_threads_change_nothing():
    random = np.random.default_rng(2)
    sides = written(random, 50), written(random, 50, WORDS[10:])
    one, two = (tell_apart(*sides, level=0.95, seed=3, threads=threads) for threads in (1, 2))
    assert one == two


def test_texts_without_blanks_are_compared_by_characters():
    found = tell_apart(
        ["这部电影很好看"] * 15 + ["我不喜欢这本书"] * 15, ["天气今天很冷"] * 30, level=0.95, seed=0, threads=1
    )
    assert found.p_value < 0.05


def test_texts_that_are_all_the_same_show_nothing():
    found = tell_apart(["one text"] * 30, ["one text"] * 30, level=0.95, seed=0, threads=1)
    assert found.p_value == 1.0
    assert found.area == pytest.approx(0.5)
