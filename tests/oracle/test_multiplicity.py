"""Adjusted p-values: their definitions, and the order among them that holds to the last bit."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from assay.evaluation.uncertainty.multiplicity import benjamini_hochberg, holm

p_values = st.lists(st.floats(0, 1), max_size=30)


@given(p_values.filter(bool))
@pytest.mark.parametrize(("ours", "theirs"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])
def test_adjusted_values_are_those_of_statsmodels(ours, theirs, ps):
    # Theirs divides or multiplies in another order.
    assert ours(ps) == pytest.approx(multipletests(ps, method=theirs)[1], abs=1e-12)


@given(p_values)
@example([0.7567132718536664, 0.5, 0.4])  # p m / m may lie above p
@example([0.3, 0.3, 0.3])
def test_adjusted_values_lie_between_the_p_value_and_1_and_hochbergs_nowhere_above_holms(ps):
    for p, b, h in zip(ps, benjamini_hochberg(ps), holm(ps), strict=True):
        assert p <= b <= h <= 1


@given(p_values)
@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_a_larger_p_value_has_no_smaller_adjusted_value(adjust, ps):
    adjusted = [value for _, value in sorted(zip(ps, adjust(ps), strict=True))]
    assert adjusted == sorted(adjusted)
