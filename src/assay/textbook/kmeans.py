"""k-means: groups of points that lie close together.

    choose k points as the first centres
    repeat
        assign     each point to its nearest centre
        re-centre  each centre to the mean of its points
    until no point changes its cluster

Each assignment and each re-centring can only lower the sum of squared distances to the centres, so it ends;
where it ends depends on the start.

References
----------
Zhang, *Natural Language Processing*, chapter 3.1.2, Algorithm 1.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.textbook.arithmetic import mean
from assay.textbook.distances import euclidean_distance
from assay.textbook.inputs import InputError, Points, SettingError, as_count, as_points
from assay.textbook.steps import Step, Steps, finish

__all__ = ["Clusters", "kmeans", "kmeans_steps"]


@dataclass(frozen=True)
class Clusters:
    """What k-means found.

    Parameters
    ----------
    assignment
        For each point the number of its cluster, from 0.
    centres
        The mean of each cluster's points.
    inertia
        The sum of squared distances of the points to their centres.
    """

    assignment: tuple[int, ...]
    centres: tuple[tuple[float, ...], ...]
    inertia: float

    @property
    def groups(self) -> list[list[int]]:
        """The points of each cluster, counted from 1 as in the books."""
        members: list[list[int]] = [[] for _ in self.centres]
        for i, cluster in enumerate(self.assignment, start=1):
            members[cluster].append(i)
        return members


def kmeans_steps(
    X: Points, k: int = 2, start: Points | None = None, seed: int = 0, iterations: int = 100
) -> Steps[Clusters]:
    """Assign and re-centre, one step an iteration; see `kmeans`."""
    points = as_points(X)
    if not 1 <= k <= len(points):
        raise SettingError(f"k is {k}. It must be between 1 and the number of points, {len(points)}.")
    centres = random.Random(seed).sample(points, k) if start is None else as_points(start, "start")
    if len(centres) != k or len(centres[0]) != len(points[0]):
        raise InputError(
            f"start has {len(centres)} centres of {len(centres[0])} features. "
            f"It must have {k}, one for each cluster, of {len(points[0])} features."
        )
    yield Step(
        1,
        seen=f"{len(points)} points",
        score=None,
        decision="",
        update="start: k points, drawn" if start is None else "start: as given",
        parameters={f"c{c}": centre for c, centre in enumerate(centres, start=1)},
        why="the end depends on the start",
    )
    assignment: list[int] = []
    for number in range(2, as_count(iterations, "iterations") + 2):
        before = assignment
        assignment = [
            min(range(k), key=lambda c, point=point: euclidean_distance(point, centres[c]))  # type: ignore[misc]
            for point in points
        ]
        moved = [i for i in range(len(points)) if not before or assignment[i] != before[i]]
        for c in range(k):
            members = [point for point, cluster in zip(points, assignment, strict=True) if cluster == c]
            if members:  # a centre that lost all its points stays where it was
                centres[c] = mean(members)
        inertia = sum(euclidean_distance(p, centres[c]) ** 2 for p, c in zip(points, assignment, strict=True))
        found = Clusters(tuple(assignment), tuple(tuple(centre) for centre in centres), inertia)
        yield Step(
            number,
            seen=f"{len(points)} points",
            score=inertia,
            decision=" ".join("{" + ", ".join(map(str, group)) + "}" for group in found.groups),
            update="re-centre" if moved else "none",
            parameters={f"c{c}": centre for c, centre in enumerate(found.centres, start=1)},
            why=f"{len(moved)} of {len(points)} moved" if moved else "nothing moved: done",
            loss=inertia,
        )
        if not moved:
            break
    return found


def kmeans(X: Points, k: int = 2, start: Points | None = None, seed: int = 0, iterations: int = 100) -> Clusters:
    """Group points into k clusters.

    Parameters
    ----------
    X
        One point a row.
    k
        How many clusters.
    start
        The first centres; by default k different points, drawn with `seed`.
    seed
        Decides which points are drawn.
    iterations
        Where to stop if points still move.

    Examples
    --------
    >>> kmeans([[0, 0], [0, 1], [5, 5], [5, 6]], k=2, start=[[0, 0], [0, 1]]).groups
    [[1, 2], [3, 4]]
    """
    return finish(kmeans_steps(X, k, start, seed, iterations))
