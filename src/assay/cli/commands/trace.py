"""``assay trace``: an algorithm of the textbook, step by step, on a worked example or on a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options.groups import Only
from assay.cli.options.option import OUTPUT, option
from assay.cli.options.reading import PANEL, READING, ReadingOptions
from assay.cli.options.screen import SCREEN, JsonOrQuiet
from assay.cli.options.shared import Force

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.textbook import Trace

__all__ = ["trace", "trace_cli"]

Columns = Annotated[ReadingOptions, Only(("label", "text"))]


def trace_cli(
    algorithm: Annotated[
        str | None, typer.Argument(metavar="ALGORITHM", help="What to trace; without a name, all are listed.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA",
            help="A table of numbers with a header row, or texts, as the algorithm needs them; - for standard input. "
            "Without it, a worked example from the books.",
        ),
    ] = None,
    example: Annotated[
        str | None, option("--example", "-e", metavar="NAME", help="Which worked example; the first by default.")
    ] = None,
    examples: Annotated[bool, option("--examples", help="List its examples, settings and pictures.")] = False,
    settings: Annotated[
        list[str] | None,
        option("--set", "-s", metavar="NAME=VALUE", help="A setting of the algorithm, such as epochs=3."),
    ] = None,
    seed: Annotated[
        int | None, option("--seed", metavar="N", help="Decides what is drawn, where something is drawn.")
    ] = None,
    reading: Columns = READING,
    columns: Annotated[
        str | None,
        option(
            "--columns", metavar="A,B", help="Columns of numbers to use; all but the labels by default.", panel=PANEL
        ),
    ] = None,
    rows: Annotated[
        int | None,
        option(
            "--rows",
            metavar="N",
            min=1,
            help="Rows to take of a longer file, evenly spread, 200 unless given.",
            panel=PANEL,
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            help="Write .txt, .html, .json, .svg or .png instead; may be given several times.",
            panel=OUTPUT,
        ),
    ] = None,
    picture: Annotated[
        str | None, option("--picture", metavar="NAME", help="Which picture .svg and .png show.", panel=OUTPUT)
    ] = None,
    width: Annotated[
        int | None, option("--width", metavar="N", min=20, max=1000, help="Characters of a line.", panel=OUTPUT)
    ] = None,
    limit: Annotated[
        int | None, option("--limit", metavar="N", min=1, help="Steps to print, 30 unless given.", panel=OUTPUT)
    ] = None,
    force: Force = False,
    screen: JsonOrQuiet = SCREEN,
) -> None:
    """Show an algorithm of the textbook step by step.

    Each step says what was seen, the score, the decision, the update, all parameters afterwards, and why. Of a long
    trace the first and the last steps are printed; --limit says how many, and files hold all of them.
    """
    from assay.cli.screens.algorithms import algorithm_page, algorithm_rows, algorithm_table
    from assay.cli.screens.console import print_json, results
    from assay.output_files import check_outputs
    from assay.terminal import visible

    console = results()
    if algorithm is None:
        if screen.as_json:
            print_json(algorithm_rows())
        else:
            console.print(algorithm_table(), soft_wrap=True)
        return
    if examples:
        console.print(algorithm_page(algorithm), soft_wrap=True)
        return
    check_outputs(output or [], [data], force=force)
    chosen = parse_settings(settings or [])
    if seed is not None:
        chosen["seed"] = seed
    names = [name.strip() for name in (columns or "").split(",") if name.strip()]
    done, remarks = trace(
        algorithm,
        data,
        example=example,
        label=reading.label,
        text=reading.text,
        columns=names,
        rows=200 if rows is None else rows,
        settings=chosen,
    )
    for remark in remarks:
        screen.say(f"Note: {remark}")
    for path in output or []:
        save(done, path, picture)
        screen.say(f"Wrote {path}")
    if screen.as_json:
        console.out(done.json(), highlight=False)
    elif not output:
        shown = done.text(width=width or min(max(console.width, 60), 120), limit=limit or 30)
        console.out(visible(shown), highlight=False)


def trace(
    algorithm: str,
    data: str | None = None,
    *,
    example: str | None = None,
    label: str | None = None,
    text: str | None = None,
    columns: Sequence[str] = (),
    rows: int = 200,
    settings: Mapping[str, Any] | None = None,
) -> tuple[Trace, tuple[str, ...]]:
    """Trace an algorithm on a file or on a worked example; give the trace, and what was guessed or left out.

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
    columns
        Names of the columns of numbers to use; all but the label by default.
    rows
        How many rows of a longer file to take, evenly spread.
    settings
        The algorithm's other parameters.
    """
    from assay import textbook
    from assay.cli.reading.textbook_data import read_trace_data
    from assay.cli.screens.algorithms import settings_of
    from assay.errors import DataError, ParameterError

    chosen = dict(settings or {})
    try:
        method = textbook.find_algorithm(algorithm)
        for name in chosen:
            if name in textbook.options_of(method) and name not in settings_of(method):
                raise ParameterError(f"The setting {name!r} can be given in Python only, with assay.textbook.trace.")
        if data is None:
            return textbook.trace(algorithm, example=example, **chosen), ()
        if example is not None:
            raise ParameterError(f"Both the file {data} and the example {example!r} were given. Give one of them.")
        read = read_trace_data(method, data, label=label, text=text, columns=columns, rows=rows)
        return textbook.trace(algorithm, *read.given, features=read.features, **chosen), read.notes
    except textbook.SettingError as error:
        raise ParameterError(str(error)) from None
    except TypeError as error:
        if not chosen:
            raise
        given = ", ".join(f"{name}={value!r}" for name, value in chosen.items())
        raise ParameterError(f"{algorithm} cannot use the settings {given}: {error}.") from None
    except textbook.InputError as error:
        raise DataError(str(error) if data is None else f"{data}: {error}") from None


def parse_settings(settings: Sequence[str]) -> dict[str, Any]:
    """Read settings of the form NAME=VALUE; a value that is not Python's is a text.

    Examples
    --------
    >>> parse_settings(["epochs=3", "positive=ham", "hidden=(4, 2)", "batch_size=None"])
    {'epochs': 3, 'positive': 'ham', 'hidden': (4, 2), 'batch_size': None}
    """
    import ast

    from assay.errors import ParameterError

    chosen: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise ParameterError(f"--set {setting}: write it as NAME=VALUE, for example --set epochs=3.")
        try:
            chosen[name.strip()] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            chosen[name.strip()] = value
    return chosen


def save(done: Trace, path: Path, picture: str | None) -> None:
    """Write a trace to a file of the kind that its name says."""
    from assay.atomic_file import write_atomically
    from assay.errors import DataError, ParameterError
    from assay.textbook import InputError, SettingError

    try:
        write_atomically(path, done.encode(path.suffix, picture))
    except SettingError as error:
        raise ParameterError(f"{path}: {error}") from None
    except InputError as error:
        raise DataError(f"{path}: {error}") from None
