"""Coefficients of agreement against the packages krippendorff and statsmodels."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from assay.agreement import Ratings
from assay.agreement.coefficients import alpha, cohen, fleiss
from assay.agreement.ratings import MISSING

CLOSE = 1e-10  # sums of at most some thousand terms of one size


def drawn(seed: int, n: int = 60, coders: int = 4, values: int = 4, empty: float = 0.0) -> Ratings:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, values, (n, 1))
    table = np.where(rng.random((n, coders)) < 0.6, truth, rng.integers(0, values, (n, coders)))
    table[rng.random((n, coders)) < empty] = MISSING
    return Ratings(tuple("ABCDEF"[:coders]), tuple("01234567"[:values]), table, ("",) * n, ("",) * n)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("empty", [0.0, 0.4])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_krippendorff(level, empty, seed):
    ratings = drawn(seed, coders=2 + seed % 3, values=2 + seed, empty=empty)
    numbers = [float(value) for value in ratings.values]
    found = alpha(ratings, level, None if level == "nominal" else numbers).value
    said = np.where(ratings.table == MISSING, np.nan, ratings.table.astype(float)).T
    wanted = krippendorff.alpha(reliability_data=said, level_of_measurement=level)
    assert found == pytest.approx(wanted, abs=CLOSE)


@pytest.mark.parametrize("seed", range(5))
def test_kappas_are_those_of_statsmodels(seed):
    ratings = drawn(seed, coders=2 + seed % 3)
    table = np.zeros((4, 4))
    np.add.at(table, (ratings.table[:, 0], ratings.table[:, 1]), 1)
    assert cohen(ratings).value == pytest.approx(cohens_kappa(table).kappa, abs=CLOSE)
    counts, _ = aggregate_raters(ratings.table, n_cat=4)
    assert fleiss(ratings).value == pytest.approx(fleiss_kappa(counts), abs=CLOSE)
