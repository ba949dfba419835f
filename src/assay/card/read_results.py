"""Results that another command wrote as JSON, and whether they are of the model that the card is about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.errors import AssayError, DataError
from assay.file_access import read_short_text
from assay.suggest import shortened
from assay.wording import setting

__all__ = ["made_of", "read_result", "require_model"]

_COMMANDS = {"evaluation": "evaluate", "set_evaluation": "evaluate", "audit": "audit"}


def read_result(path: Path, kind: str) -> dict[str, Any]:
    """A result of one kind, ``"evaluation"`` or ``"audit"``; an evaluation may also be the metrics.json of a run."""
    # Where something else is there, nobody should be told to write over it.
    command = f"assay {_COMMANDS[kind]} … --json > {f'{kind}.json' if path.exists() else path}"
    made = f"'{command}'"
    try:
        found = json.loads(read_short_text(path), parse_constant=_refuse_constant)
    except FileNotFoundError:
        raise DataError(f"no such file: {path}. Make it with {made}.") from None
    except AssayError:
        raise
    except (ValueError, RecursionError, IsADirectoryError) as error:
        raise DataError(f"{path}: this is not JSON ({error}). Make it with {made}.") from None
    held = found.get("kind") if isinstance(found, dict) else type(found).__name__
    if held == "training" and kind == "evaluation":
        return _evaluation_of_run(path, found)
    if held != kind and (kind, held) != ("evaluation", "set_evaluation"):
        raise DataError(f"{path}: this is {held!r}, where {kind!r} is needed. Make it with {made}.")
    return dict(found)


def require_model(result: Mapping[str, Any], path: Path, model: Mapping[str, str]) -> None:
    """Refuse a result that says it is of another model than this one, by name and SHA-256."""
    of = result.get("model")
    if of is not None and not isinstance(of, Mapping):
        raise DataError(f"{path}: its 'model' is {shortened(of)}, which names none.")
    if of is None or of.get("sha256") == model["sha256"]:
        return
    command = f"assay {_COMMANDS[result['kind']]} {model['file']} … --json"
    raise DataError(
        f"{path}: this {result['kind']} is of another model: of {of.get('file')} (SHA-256 {of.get('sha256')}), and the "
        f"card of {model['file']} (SHA-256 {model['sha256']}). Make it with '{command}'."
    )


@contextmanager
def made_of(results: Iterable[Path]) -> Iterator[None]:
    """What goes wrong with results that somebody has changed is their fault."""
    try:
        yield
    except AssayError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        named = " or ".join(map(str, results))
        if not named:
            raise
        raise DataError(
            f"{named}: a value in it is missing or of the wrong kind ({type(error).__name__}: {error}). Make it anew, "
            "and change nothing in it."
        ) from error


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"it holds {constant}, which is no number")


def _evaluation_of_run(path: Path, run: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(run.get("evaluation"), Mapping):
        raise DataError(
            f"{path}: nothing was held out in this run, so there is no evaluation in it. Measure the model for the "
            f"card with {setting('test')}."
        )
    return {**run["evaluation"], "model": run.get("model")}
