"""One line of JSON, exactly: numbers as they were written, and what is wrong with a line that is not an object."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from assay.errors import DataError
from assay.suggest import excerpt, quote
from assay.wording import setting

__all__ = ["Number", "as_written", "field", "kind_of", "parse_object", "refuse_nested"]

JsonObject = dict[str, Any]

_DEEPEST = 200  # objects and arrays inside each other; Python gives up at a depth that depends on its version


class Number(str):
    """A number as it was written."""

    __slots__ = ()


class _RepeatedKeyError(ValueError):
    """An object has a key twice."""


def parse_object(line: str, file: str, number: int) -> JsonObject:
    """Parse a line that should be one object.

    Examples
    --------
    >>> parse_object('{"text": "fine", "stars": 4.50}', "r.jsonl", 1)
    {'text': 'fine', 'stars': '4.50'}
    """
    where = f"{file}, row {number}"
    try:
        value = _DECODER.decode(line)
    except json.JSONDecodeError as error:
        raise _invalid(file, where, line, error) from error
    except _RepeatedKeyError as error:
        raise DataError(
            f"{where}: the key {excerpt(error.args[0])} stands twice in one object. Keep one of them."
        ) from error
    except ValueError as error:
        raise DataError(f"{where}: {error.args[0]} is not JSON. Write null or a number instead.") from error
    except RecursionError as error:
        raise _too_deep(where, line) from error
    if line.count("[") + line.count("{") > _DEEPEST and _depth(value) > _DEEPEST:
        raise _too_deep(where, line)
    if not isinstance(value, dict):
        is_table = isinstance(value, list) and any(isinstance(item, dict) for item in value)
        hint = f" A file that is one array is turned into JSON Lines {_conversion(file, '.[]')}." if is_table else ""
        raise DataError(
            f"{where}: the line holds {kind_of(value)} and not an object like "
            f'{{"text": "…", "label": "…"}}: {excerpt(line)}.{hint}'
        )
    return value


def field(value: JsonObject, name: str) -> Any:
    """Return a field of an object, or of an object inside it when the name has dots.

    Examples
    --------
    >>> field({"review": {"body": "fine"}}, "review.body")
    'fine'
    """
    if name in value or "." not in name:
        return value.get(name)
    inner: Any = value
    for key in name.split("."):
        inner = inner.get(key) if isinstance(inner, dict) else None
    return inner


def as_written(value: Any) -> str | None:
    """Return strings, numbers, true and false as they stood in the file, and anything nested as JSON."""
    return value if value is None or isinstance(value, str) else _as_json(value)


def kind_of(value: Any) -> str:
    """Say what a value is: "an array"."""
    kinds = {dict: "an object", list: "an array", Number: "a number", str: "a string", bool: "true or false"}
    return kinds.get(type(value), "null")


def refuse_nested(name: str, value: JsonObject, where: str) -> None:
    """Refuse a text or a label that is not a plain value, and name a field inside it."""
    inner = field(value, name)
    if isinstance(inner, dict | list):
        inside = (
            f" Name a field inside it, such as {quote(name + '.' + next(iter(inner)))}." if _has_keys(inner) else ""
        )
        raise DataError(
            f"{where}: {quote(name)} holds {kind_of(inner)} and not a text or label: "
            f"{excerpt(_as_json(inner))}.{inside}"
        )


def _has_keys(value: JsonObject | list[Any]) -> bool:
    return isinstance(value, dict) and bool(value)


def _depth(value: Any) -> int:
    """How many objects and arrays stand inside each other."""
    depth, inside = 0, [value]
    while inside := [item for item in inside if isinstance(item, (dict, list))]:
        depth += 1
        inside = [item for part in inside for item in (part.values() if isinstance(part, dict) else part)]
    return depth


def _too_deep(where: str, line: str) -> DataError:
    return DataError(
        f"{where}: more than {_DEEPEST} objects or arrays stand inside each other: {excerpt(line)}. Take the nested "
        "part out."
    )


def _refuse_constant(constant: str) -> Any:
    raise ValueError(constant)


def _unrepeated(pairs: list[tuple[str, Any]]) -> JsonObject:
    result = dict(pairs)
    if len(result) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise _RepeatedKeyError(next(key for key, count in counts.items() if count > 1))
    return result


_DECODER = json.JSONDecoder(
    parse_int=Number, parse_float=Number, parse_constant=_refuse_constant, object_pairs_hook=_unrepeated
)


def _as_json(value: Any) -> str:
    if isinstance(value, dict):
        inside = (f"{json.dumps(key, ensure_ascii=False)}: {_as_json(inner)}" for key, inner in value.items())
        return "{" + ", ".join(inside) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_json, value)) + "]"
    return value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def _invalid(file: str, where: str, line: str, error: json.JSONDecodeError) -> DataError:
    if "\0" in line:
        return DataError(
            f"{where}: the line holds a NUL byte (0x00). If the file is UTF-16, use "
            f"{setting('encoding', 'utf-16')}; otherwise remove the byte, for example with tr -d '\\000'."
        )
    if error.msg == "Extra data" and line[error.pos : error.pos + 1] == "{":
        return DataError(f"{where}: more than one object on the line. Write each object on a line of its own.")
    if line.strip() in ("{", "["):
        return DataError(
            f"{where}: not JSON Lines: the JSON goes over several lines. Write each object on one line, "
            f"{_conversion(file, '.[]' if line.strip() == '[' else '.')}."
        )
    return DataError(
        f"{where}: invalid JSON at character {error.pos + 1}, {excerpt(line[error.pos :], 30)}: {error.msg}. "
        f"The line is {excerpt(line)}. Correct it or take it out."
    )


def _conversion(file: str, path: str) -> str:
    return f"for example with jq -c '{path}' {file}"
