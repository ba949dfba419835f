"""Surdeanu & Valenzuela-Escárcega, section 3.3."""

from __future__ import annotations

import math

import pytest

from assay import textbook


def parabola(x: float) -> float:
    return (x + 1) ** 2 + 1


def slope(x: float) -> float:
    return 2 * (x + 1)


def test_first_steps_on_the_parabola():
    """x = -3 → -2.6 → -2.28 with α = .1."""
    steps = list(textbook.gradient_descent_steps(parabola, -3.0, slope, rate=0.1, iterations=3))
    assert [step.parameters["x"] for step in steps] == pytest.approx([-2.6, -2.28, -2.024])
    assert steps[0].seen == "x = -3"
    assert steps[0].score == 5


def test_thirty_steps_come_close():
    """About -1.001 after approximately 30 iterations."""
    x = textbook.gradient_descent(parabola, -3.0, slope, rate=0.1, iterations=30)
    assert abs(x + 1) < 0.003
    assert round(textbook.gradient_descent(parabola, -3.0, slope, rate=0.1, iterations=34), 3) == -1.001


def test_a_rate_of_one_jumps_for_ever():
    """1, -3, 1, -3, …"""
    steps = textbook.gradient_descent_steps(parabola, -3.0, slope, rate=1.0, iterations=6)
    assert [step.parameters["x"] for step in steps] == [1, -3, 1, -3, 1, -3]


def test_two_parameters_each_follow_their_own_slope():
    """f = (x1 + 1)² + 3 x2 + 1: x1 - .1 (2 x1 + 2), x2 - .1 · 3."""
    steps = textbook.gradient_descent_steps(
        lambda x: (x[0] + 1) ** 2 + 3 * x[1] + 1,
        (2.0, 5.0),
        lambda x: (2 * x[0] + 2, 3),
        rate=0.1,
        iterations=2,
    )
    first, second = steps
    assert first.parameters["x"] == pytest.approx((2 - 0.1 * 6, 5 - 0.3))
    assert second.parameters["x"] == pytest.approx((1.4 - 0.1 * 4.8, 4.4))


def test_any_function_without_its_derivative():
    measured = textbook.gradient_descent(parabola, -3.0, rate=0.1, iterations=30)
    exact = textbook.gradient_descent(parabola, -3.0, slope, rate=0.1, iterations=30)
    assert measured == pytest.approx(exact, abs=1e-6)


def test_it_finds_the_valley_it_starts_in():
    """Figure 3.3: x sin(x)² + 1 from 2.5 ends near 3, though the minimum near -2 is lower."""

    def f(x: float) -> float:
        return x * math.sin(x) ** 2 + 1

    near_three = textbook.gradient_descent(f, 2.5, rate=0.1, iterations=200)
    near_minus_two = textbook.gradient_descent(f, -1.0, rate=0.1, iterations=200)
    assert near_three == pytest.approx(3.1, abs=0.2)
    assert near_minus_two == pytest.approx(-1.8, abs=0.3)
    assert f(near_minus_two) < f(near_three)


def test_it_stops_where_the_ground_is_level():
    steps = list(textbook.gradient_descent_steps(parabola, -1.0, slope, iterations=30))
    assert len(steps) == 1
    assert steps[0].why == "the slope is zero: done"


def test_bad_settings():
    with pytest.raises(textbook.InputError, match=r"rate is 0\. It must be greater than 0"):
        textbook.gradient_descent(parabola, -3.0, rate=0)
    with pytest.raises(textbook.InputError, match=r"iterations is 0\. It must be a whole number, 1 or more"):
        textbook.gradient_descent(parabola, -3.0, iterations=0)
    with pytest.raises(textbook.InputError, match=r"x\[0\] is 'left', not a number"):
        textbook.gradient_descent(parabola, ("left",))
    with pytest.raises(textbook.InputError, match=r"x is empty\. Give the point to start from"):
        textbook.gradient_descent(lambda x: 0.0, ())
