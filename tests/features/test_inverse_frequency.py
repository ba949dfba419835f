"""Inverse document frequencies, and the logarithms that they are made of."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.features.ngrams.inverse_frequency import inverse_document_frequencies
from assay.logarithms import log


def test_a_feature_of_every_document_weighs_1_and_rarer_ones_more():
    # One logarithm and one sum, each rounded once.
    assert inverse_document_frequencies(np.array([9, 4]), 9).tolist() == pytest.approx([1, math.log(2) + 1], rel=1e-12)
    found = inverse_document_frequencies(np.array([8, 4]), 8, smooth=False)
    assert found.tolist() == pytest.approx([1, math.log(2) + 1], rel=1e-12)


def test_a_feature_that_no_document_has_weighs_without_limit_unless_smoothed():
    assert inverse_document_frequencies(np.array([0]), 5, smooth=False).tolist() == [math.inf]
    assert np.isfinite(inverse_document_frequencies(np.array([0]), 5)).all()


def test_logarithms_are_the_c_librarys():
    numbers = np.random.default_rng(0).uniform(0, 1e6, (100, 7))
    assert log(numbers).tolist() == [[math.log(x) for x in row] for row in numbers.tolist()], "the same function"
    assert log(numbers[:, ::2]).shape == (100, 4), "columns that do not lie side by side"
    assert np.isnan(log(-1.0))
