"""Gradient descent: walk downhill in small steps.

    repeat   xᵢ = xᵢ - α · ∂f/∂xᵢ (x)     for every parameter xᵢ

α is the learning rate: too small and it takes for ever, too large and it jumps over the minimum. It stops
where the slope is (nearly) zero, which need not be the lowest point if there are several valleys.

References
----------
Surdeanu & Valenzuela-Escárcega, section 3.3, equations 3.9 and 3.10; Jurafsky & Martin, chapter 4.6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from assay.textbook.arithmetic import add, norm
from assay.textbook.inputs import InputError, as_count, as_positive, as_vector
from assay.textbook.steps import Step, Steps, finish

__all__ = ["gradient_descent", "gradient_descent_steps", "numerical_gradient"]

Point = TypeVar("Point", float, Sequence[float])


def gradient_descent_steps(
    f: Callable[[Point], float],
    x: Point,
    gradient: Callable[[Point], Point] | None = None,
    rate: float = 0.1,
    iterations: int = 30,
    tolerance: float = 0.0,
) -> Steps[Point]:
    """Take one step downhill after the other; see `gradient_descent`."""
    as_positive(rate, "rate")
    start: Any = x
    one_number = not hasattr(x, "__len__")
    place = as_vector([start] if one_number else start, "x")
    if not place:
        raise InputError("x is empty. Give the point to start from.")

    def shown(values: Sequence[float]) -> Any:
        return values[0] if one_number else tuple(values)

    for number in range(1, as_count(iterations, "iterations") + 1):
        if gradient is None:
            slope = numerical_gradient(lambda values: f(shown(values)), place)
        else:
            given: Any = gradient(shown(place))
            slope = as_vector([given] if one_number else given, "gradient")
        before, place = place, add(place, slope, times=-rate)
        value = f(shown(place))
        yield Step(
            number,
            seen=f"x = {_text(before)}",
            score=f(shown(before)),
            decision=_direction(slope),
            update=f"x - {rate:g} · slope",
            parameters={"x": shown(place), "f(x)": value},
            why=f"slope {_text(slope)}" if norm(slope) > tolerance else "the slope is zero: done",
            loss=value,
        )
        if norm(slope) <= tolerance:
            break
    result: Point = shown(place)
    return result


def gradient_descent(
    f: Callable[[Point], float],
    x: Point,
    gradient: Callable[[Point], Point] | None = None,
    rate: float = 0.1,
    iterations: int = 30,
    tolerance: float = 0.0,
) -> Point:
    """Look for a minimum of f near x.

    Parameters
    ----------
    f
        The function: of one number, or of a sequence of numbers.
    x
        Where to start.
    gradient
        The derivative of f; by default it is measured with small differences.
    rate
        The learning rate α.
    iterations
        How many steps to take at most.
    tolerance
        Stop when the gradient is no longer than this.

    Examples
    --------
    >>> x = gradient_descent(lambda x: (x + 1) ** 2 + 1, -3.0, lambda x: 2 * (x + 1), rate=0.1, iterations=1)
    >>> round(x, 2)
    -2.6
    """
    return finish(gradient_descent_steps(f, x, gradient, rate, iterations, tolerance))


def numerical_gradient(f: Callable[[list[float]], float], x: Sequence[float], h: float = 1e-6) -> list[float]:
    """Measure each partial derivative: (f(x + h) - f(x - h)) / 2h, one coordinate at a time.

    Examples
    --------
    >>> [round(slope, 6) for slope in numerical_gradient(lambda x: x[0] ** 2 + 3 * x[1], [2.0, 5.0])]
    [4.0, 3.0]
    """
    slopes = []
    for i in range(len(x)):
        up, down = list(x), list(x)
        up[i] += h
        down[i] -= h
        slopes.append((f(up) - f(down)) / (2 * h))
    return slopes


def _direction(slope: Sequence[float]) -> str:
    if len(slope) > 1:
        return "downhill"
    return "right" if slope[0] < 0 else "left" if slope[0] > 0 else "nowhere"


def _text(values: Sequence[float]) -> str:
    numbers = [f"{value:.4g}" for value in values]
    return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
