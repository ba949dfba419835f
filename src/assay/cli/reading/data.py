"""Reading data for a command: progress while it lasts, notes when it is done."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from assay.cli.screens.console import notes
from assay.terminal import visible

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.data.corpus.corpus import Corpus
    from assay.data.options import Progress, ReadOptions

Result = TypeVar("Result")

__all__ = ["asking_for_columns", "read_data", "read_labelled", "require_file", "say_notes", "separator"]


def read_data(
    data: list[str], *, delimiter: str | None = None, quiet: bool = False, ask: bool = True, **settings: Any
) -> Corpus:
    """Read what a command was given, with the settings of `ReadOptions`; progress and notes go to standard error.

    Where labels look like spellings of one, and `ask` is true, the person is asked whether to merge them.
    """
    from assay.cli.reading.models import refuse_models
    from assay.cli.reading.spellings import settle_spellings
    from assay.data.options import ReadOptions
    from assay.data.reading.read import read_with

    refuse_models(data)
    given: dict[str, Any] = {"format": None, "encoding": None, "errors": "strict", "names": None}
    given |= {"keep": True, "label": None, **settings}
    options = ReadOptions.checked(delimiter=separator(delimiter), **given)

    def read(options: ReadOptions) -> Corpus:
        with progress_bar(quiet=quiet) as progress:
            return read_with(data[0] if len(data) == 1 else data, replace(options, progress=progress))

    corpus = asking_for_columns(read, options, quiet=quiet)
    say_notes(corpus.notes, quiet=quiet)
    return settle_spellings(corpus, options.known_labels, quiet=quiet) if ask else corpus


def asking_for_columns(read: Callable[[ReadOptions], Result], options: ReadOptions, *, quiet: bool) -> Result:
    """Read; where it is not clear which column is meant, ask a person and read again, or pass the error on."""
    from assay.cli.screens.asking import can_ask, choose
    from assay.cli.screens.console import notes
    from assay.errors import UnclearColumnError

    while True:
        try:
            return read(options)
        except UnclearColumnError as error:
            if not can_ask(quiet=quiet):
                raise
            unclear = error
        question = f"Which column holds the {unclear.parameter}s?"
        chosen = choose(question, [f"{name}  {example}" for name, example in unclear.columns])
        if chosen is None:
            raise unclear
        name = unclear.columns[chosen][0]
        notes().print(f"--{unclear.parameter} {visible(shlex.quote(name))} says it at once.", soft_wrap=True)
        options = replace(options, **{unclear.parameter: name})  # type: ignore[arg-type]


def read_labelled(
    data: list[str], model: TextClassifier, *, delimiter: str | None, quiet: bool, **settings: Any
) -> Corpus:
    """Read labelled texts for a model; they are expected in the column that its training data had them in."""
    from assay.errors import DataError
    from assay.streaming.predict import text_column_of

    of_model: dict[str, Any] = {"expected_text": text_column_of(model), "known_labels": model.labels}
    corpus = read_data(data, delimiter=delimiter, quiet=quiet, **of_model, **settings)
    if corpus.labels is None:
        raise DataError(f"{corpus.source}: the texts have no labels. Say which column holds them with --label.")
    return corpus


def require_file(path: str, option: str) -> None:
    """Complain before anything slow about a file that an option names and that is not there."""
    from assay.errors import DataError
    from assay.file_access import is_there

    if not is_there(path):
        raise DataError(f"{path}: there is no such file. {option} names it; check the spelling and the folder.")


def separator(delimiter: str | None) -> str | None:
    """A delimiter as a person would type it."""
    return "\t" if delimiter in ("tab", r"\t") else delimiter


def say_notes(sentences: Iterable[str], *, quiet: bool) -> None:
    """Say on standard error what was guessed, left out or repaired."""
    console = notes(quiet=quiet)
    for sentence in sentences:
        console.print(f"Note: {visible(sentence)}.", soft_wrap=not console.is_terminal)


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress | None]:
    """What `read` calls with the bytes done and the bytes there are; nothing where nobody would see it."""
    console = notes(quiet=quiet)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield advance
