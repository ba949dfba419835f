"""`assay trace`: an algorithm of the textbook, step by step, on a worked example or on a file."""

from __future__ import annotations

import ast
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.trace_data import TraceData, read_trace_data
from assay.errors import DataError, ParameterError
from assay.textbook import ALGORITHMS, Algorithm, InputError, SettingError, Trace, find_algorithm, options_of
from assay.textbook import trace as run_trace

__all__ = ["describe_algorithm", "list_algorithms", "trace", "trace_cli"]


def trace(
    algorithm: str,
    data: str | None = None,
    *,
    example: str | None = None,
    label: str | None = None,
    text: str | None = None,
    features: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
) -> tuple[Trace, tuple[str, ...]]:
    """Trace an algorithm on a file, or on a worked example.

    Parameters
    ----------
    algorithm
        A name of `assay.textbook.ALGORITHMS`.
    data
        A file: numbers in columns with a header row, or texts, whatever the algorithm needs; "-" for standard input.
    example
        The name of a worked example, instead of a file; the first one if neither is given.
    label, text
        Names of the columns that hold the label and the text; None to guess them.
    features
        Names of the columns to use; all but the label by default.
    options
        The algorithm's other parameters.

    Returns
    -------
    The trace, and sentences that say what was guessed or left out.
    """
    try:
        method = find_algorithm(algorithm)
        if data is None:
            return run_trace(algorithm, example=example, **(options or {})), ()
        if example is not None:
            raise SettingError(f"Both the file {data} and the example {example!r} were given. Give one of them.")
        read = read_trace_data(method, data, label=label, text=text, features=features)
        return _run_on(method, read, options or {}), read.notes
    except SettingError as error:
        raise ParameterError(str(error)) from None
    except InputError as error:
        raise DataError(str(error) if data is None else f"{data}: {error}") from None


def _run_on(method: Algorithm, read: TraceData, options: Mapping[str, Any]) -> Trace:
    return run_trace(method.name, *read.given, features=read.features, **options)


def list_algorithms() -> str:
    """Give the names of all algorithms, one a line, with what they do."""
    width = max(map(len, ALGORITHMS)) + 2
    lines = [f"  {name:{width}}{algorithm.summary}" for name, algorithm in ALGORITHMS.items()]
    return "\n".join(
        [
            "Algorithms that can be traced:",
            "",
            *lines,
            "",
            "assay trace NAME                  its first worked example",
            "assay trace NAME --examples       its examples, options and pictures",
            "assay trace NAME DATA             on a file",
        ]
    )


def describe_algorithm(name: str) -> str:
    """Give an algorithm's source, worked examples, options and pictures."""
    algorithm = find_algorithm(name)
    width = max(len(example.name) for example in algorithm.examples) + 2
    examples = [f"  {e.name:{width}}{e.title} ({e.source})" for e in algorithm.examples]
    return "\n".join(
        [
            f"{algorithm.title}: {algorithm.summary}",
            algorithm.source,
            "",
            "Examples (--example NAME):",
            *examples,
            "",
            f"Options (--set NAME=VALUE): {', '.join(options_of(algorithm))}",
            f"Pictures (--picture NAME):  {', '.join(algorithm.pictures)}",
        ]
    )


def trace_cli(
    algorithm: Annotated[str | None, typer.Argument(help="What to trace; without a name, all are listed.")] = None,
    data: Annotated[str | None, typer.Argument(help="A file of numbers or texts; - for standard input.")] = None,
    example: Annotated[str | None, typer.Option("--example", "-e", help="A worked example instead of a file.")] = None,
    examples: Annotated[bool, typer.Option("--examples", help="Show the examples, options and pictures.")] = False,
    label: Annotated[str | None, typer.Option("--label", help="The column of the labels.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="The column of the texts.")] = None,
    features: Annotated[str, typer.Option("--features", help="The columns to use, with commas between.")] = "",
    settings: Annotated[list[str] | None, typer.Option("--set", "-s", help="An option, such as epochs=3.")] = None,
    output: Annotated[
        list[Path] | None, typer.Option("--output", "-o", help="Write .txt, .html, .json, .svg or .png instead.")
    ] = None,
    picture: Annotated[str | None, typer.Option("--picture", help="Which picture to write to .svg or .png.")] = None,
    width: Annotated[int | None, typer.Option("--width", help="Characters of a line.")] = None,
    limit: Annotated[int, typer.Option("--limit", help="Steps to print; of more, the first and the last.")] = 30,
    all_steps: Annotated[bool, typer.Option("--all", help="Print all steps.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="For algorithms that draw at random.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on the side.")] = False,
) -> None:
    """Show an algorithm of the textbook step by step."""
    if algorithm is None:
        typer.echo(_listing_as_json() if as_json else list_algorithms())
        return
    if examples:
        try:
            typer.echo(describe_algorithm(algorithm))
        except SettingError as error:
            raise ParameterError(str(error)) from None
        return
    options = parse_settings(settings or [])
    if seed is not None:
        options["seed"] = seed
    names = [name.strip() for name in features.split(",") if name.strip()]
    done, notes = trace(algorithm, data, example=example, label=label, text=text, features=names, options=options)
    if not quiet:
        for note in notes:
            typer.echo(note, err=True)
    for path in output or []:
        _save(done, path, picture)
        if not quiet:
            typer.echo(f"Wrote {path}", err=True)
    if as_json:
        typer.echo(done.json())
    elif not output:
        columns = width or (min(shutil.get_terminal_size().columns, 140) if sys.stdout.isatty() else 100)
        typer.echo(done.text(width=columns, limit=len(done.steps) if all_steps else limit))


def parse_settings(settings: Sequence[str]) -> dict[str, Any]:
    """Read options of the form NAME=VALUE; a value that is not Python's is a text.

    Examples
    --------
    >>> parse_settings(["epochs=3", "positive=ham", "hidden=(4, 2)", "batch_size=None"])
    {'epochs': 3, 'positive': 'ham', 'hidden': (4, 2), 'batch_size': None}
    """
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise ParameterError(f"--set {setting}: write it as NAME=VALUE, for example --set epochs=3.")
        try:
            options[name.strip()] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            options[name.strip()] = value
    return options


def _save(done: Trace, path: Path, picture: str | None) -> None:
    try:
        done.save(path, picture)
    except SettingError as error:
        raise ParameterError(str(error)) from None
    except InputError as error:
        raise DataError(str(error)) from None
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}. Choose another place with --output.") from None


def _listing_as_json() -> str:
    rows = [
        {
            "name": name,
            "summary": algorithm.summary,
            "source": algorithm.source,
            "examples": [example.name for example in algorithm.examples],
            "options": options_of(algorithm),
            "pictures": list(algorithm.pictures),
        }
        for name, algorithm in ALGORITHMS.items()
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1)
