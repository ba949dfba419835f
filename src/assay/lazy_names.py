"""The public names of a package: written once, loaded when they are first used.

The ``__init__.pyi`` of a package imports each of its public names from the module that has it, such as ::

    from assay.features.ngrams.count import CountVectorizer as CountVectorizer

Type checkers and editors read that file as it stands. Here it is read when a name is first asked for, so that importing
a package imports none of its modules, and ``import assay`` nothing at all: hence the imports inside of the functions.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own, without importing it

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["lazy_names"]


def lazy_names(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make the ``__getattr__`` of a package, which gives ``__all__`` too, and its ``__dir__``.

    Examples
    --------
    >>> from assay import learners
    >>> learners.__all__[:3]
    ['AveragedPerceptron', 'BernoulliNB', 'ComplementNB']
    >>> learners.LinearSVM
    Traceback (most recent call last):
        ...
    AttributeError: module 'assay.learners' has no attribute 'LinearSVM'
    """
    homes: dict[str, str] = {}

    def find(name: str) -> object:
        import sys
        from importlib import import_module

        if name not in names():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        if not homes:
            homes.update(_homes_of_names(package))
        return sorted(homes)

    return (lambda name: names() if name == "__all__" else find(name)), names


def _homes_of_names(package: str) -> dict[str, str]:
    """The module that each name of the package's stub is imported from; what is declared there is the package's own."""
    import ast
    from pkgutil import get_data

    stub = get_data(package, "__init__.pyi")
    assert stub is not None, package
    homes: dict[str, str] = {}
    for statement in ast.parse(stub).body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            homes |= {alias.name: statement.module for alias in statement.names}
        elif isinstance(statement, ast.AnnAssign):
            homes[ast.unparse(statement.target)] = package
    return homes
