"""How far apart two vectors are.

    Euclidean distance   √(Σ (xᵢ - yᵢ)²)
    cosine similarity    cos(x, y) = x · y / (‖x‖ ‖y‖)
    cosine distance      1 - cos(x, y)

References
----------
Zhang, *Natural Language Processing*, chapter 3.1.1; Surdeanu & Valenzuela-Escárcega, section 2.4, equation
2.7.
"""

from __future__ import annotations

from assay.textbook.arithmetic import add, dot, norm
from assay.textbook.inputs import InputError, Points, Vector, as_points
from assay.textbook.steps import Step, Steps, finish

__all__ = ["cosine_distance", "cosine_similarity", "distances", "distances_steps", "euclidean_distance"]


def euclidean_distance(x: Vector, y: Vector) -> float:
    """Give the length of the straight line from x to y.

    Examples
    --------
    >>> euclidean_distance([0, 0], [3, 4])
    5.0
    """
    return norm(add(x, y, times=-1))


def cosine_similarity(x: Vector, y: Vector) -> float:
    """Give the cosine of the angle between x and y: 1 same direction, 0 nothing in common, -1 opposite.

    Examples
    --------
    >>> cosine_similarity([1, 0], [5, 0]), cosine_similarity([1, 0], [0, 1])
    (1.0, 0.0)
    """
    if not norm(x) or not norm(y):
        raise InputError("A vector of zeros has no direction: its cosine is undefined. Leave empty documents out.")
    return dot(x, y) / (norm(x) * norm(y))


def cosine_distance(x: Vector, y: Vector) -> float:
    """Give 1 - cos(x, y).

    Examples
    --------
    >>> cosine_distance([1, 0], [0, 1])
    1.0
    """
    return 1 - cosine_similarity(x, y)


def distances_steps(X: Points) -> Steps[list[tuple[int, int, float, float]]]:
    """Compare one pair of points after the other; see `distances`."""
    points = as_points(X)
    pairs = [(i, j) for i in range(len(points)) for j in range(i + 1, len(points))]
    table = []
    for number, (i, j) in enumerate(pairs, start=1):
        euclidean, cosine = euclidean_distance(points[i], points[j]), cosine_similarity(points[i], points[j])
        table.append((i, j, euclidean, cosine))
        shared = sum(a * b != 0 for a, b in zip(points[i], points[j], strict=True))
        yield Step(
            number,
            seen=f"#{i + 1} and #{j + 1}",
            score=euclidean,
            decision=f"{shared} shared",
            update="measure",
            parameters={"cosine": cosine, "cosine distance": 1 - cosine},
            why="shared dimensions make the cosine" if shared else "nothing shared, cosine 0",
        )
    return table


def distances(X: Points) -> list[tuple[int, int, float, float]]:
    """Give for each pair of points (i, j) its Euclidean distance and its cosine similarity.

    Examples
    --------
    >>> distances([[3, 0], [0, 4]])
    [(0, 1, 5.0, 0.0)]
    """
    return finish(distances_steps(X))
