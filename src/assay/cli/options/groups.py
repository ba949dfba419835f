"""Groups of options: a dataclass among the parameters of a command stands for one option a field.

typer reads the signature of a function, an option a parameter. Options that belong together, such as those that say how
data is read, are the annotated fields of a dataclass instead, so that a command takes, checks and passes on one value.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import is_dataclass, replace
from typing import Annotated, Any, get_args, get_origin, get_type_hints

__all__ = ["Only", "ungrouped"]


class Only(tuple[str, ...]):
    """In ``Annotated[Group, Only(names)]``: the command takes these options of a group; the others keep their value."""


def ungrouped(command: Callable[..., None]) -> Callable[..., None]:
    """`command` as typer wants it: with a parameter for each field of the groups among its own.

    The default of a group holds the defaults of its options, which may differ from those of its class.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Size:
    ...     width: int = 80
    ...     height: int = 25
    >>> def draw(shape: str, size: Size = Size(height=24)) -> None:
    ...     print(shape, size)
    >>> inspect.signature(ungrouped(draw))
    <Signature (shape: str, width: int = 80, height: int = 24) -> 'None'>
    >>> ungrouped(draw)(shape="line", width=10, height=1)
    line Size(width=10, height=1)
    """
    signature = inspect.signature(command)
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, tuple[Any, tuple[str, ...]]] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        hint = hints[parameter.name]
        kind, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if not is_dataclass(kind):
            parameters.append(parameter.replace(annotation=hint))
            continue
        fields = get_type_hints(kind, include_extras=True)
        names = next((mark for mark in marks if isinstance(mark, Only)), tuple(fields))
        groups[parameter.name] = parameter.default, names
        parameters += [
            parameter.replace(name=name, annotation=fields[name], default=getattr(parameter.default, name))
            for name in names
        ]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        for group, (default, names) in groups.items():
            given[group] = replace(default, **{name: given.pop(name) for name in names})
        command(**given)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run
