"""Classes by name, of which higher layers add their own: what a file names is found without a reach upwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from assay.header_checks import choice

__all__ = ["Registry"]

Base = TypeVar("Base")
Added = TypeVar("Added", bound=type[Any])


class Registry(Generic[Base]):
    """Classes by the names that files have for them.

    Whoever reads files sees to it that all classes that they may name have been added before.

    Examples
    --------
    >>> shapes = Registry[object]()
    >>> @shapes.add
    ... class Circle:
    ...     kind = "circle"
    >>> @shapes.later("point")
    ... def _point():
    ...     return tuple
    >>> shapes.named_in({"kind": "circle"}) is Circle, shapes.named_in({"kind": "point"})
    (True, <class 'tuple'>)
    >>> shapes.named_in({"kind": "disc"})
    Traceback (most recent call last):
        ...
    ValueError: 'kind' is 'disc', which is none of ['circle', 'point']
    """

    def __init__(self) -> None:
        self._found_by: dict[str, Callable[[], type[Base]]] = {}

    def add(self, new: Added) -> Added:
        """Add a class under its own `kind`; to be written above it."""
        self._found_by[new.kind] = lambda: new
        return new

    def later(self, kind: str) -> Callable[[Callable[[], type[Base]]], Callable[[], type[Base]]]:
        """Add a function that imports a class, to be written above it: the class is imported when a file names it."""

        def add(find: Callable[[], type[Base]]) -> Callable[[], type[Base]]:
            self._found_by[kind] = find
            return find

        return add

    def named_in(self, description: Any) -> type[Base]:
        """The class that the "kind" of a description names; ValueError where it names none."""
        return self._found_by[choice(description, "kind", sorted(self._found_by))]()
