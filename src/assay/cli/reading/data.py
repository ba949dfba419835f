"""Reading data for a command: progress while it lasts, questions where it is unclear, notes when it is done."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from assay.terminal import visible

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.cli.options.reading import ReadingOptions
    from assay.cli.options.screen import Screen
    from assay.data.corpus.corpus import Corpus
    from assay.data.options import ReadOptions
    from assay.workspace.workspace import Workspace

Result = TypeVar("Result")

__all__ = ["asking_for_columns", "read_data", "read_labelled", "read_workspace", "require_file"]


def read_data(data: list[str], reading: ReadingOptions, screen: Screen, *, ask: bool = True, **others: Any) -> Corpus:
    """Read what a command was given; `others` are settings of `ReadOptions` that it did not ask for.

    Where labels look like spellings of one, and `ask` is true, the person is asked whether to merge them.
    """
    from assay.cli.reading.models import refuse_models
    from assay.cli.reading.spellings import settle_spellings
    from assay.cli.screens.progress import byte_progress
    from assay.data.reading.read import read_with
    from assay.workspace.settings import is_workspace

    refuse_models(data)
    if len(data) == 1 and is_workspace(data[0]):
        from assay.workspace.workspace import Workspace

        return read_workspace(Workspace(data[0]), reading, screen)

    def read(options: ReadOptions) -> Corpus:
        with byte_progress(screen) as progress:
            return read_with(data[0] if len(data) == 1 else data, replace(options, progress=progress))

    options = reading.checked(**others)
    corpus = asking_for_columns(read, options, screen)
    screen.note(corpus.notes)
    return settle_spellings(corpus, screen, options.known_labels) if ask else corpus


def read_workspace(space: Workspace, reading: ReadingOptions, screen: Screen) -> Corpus:
    """The labelled texts of a workspace, which knows itself how its data is read."""
    from assay.data.corpus.near_copies import deduplicated
    from assay.data.corpus.spellings import merge_spellings
    from assay.errors import ParameterError

    of_corpus = ("merge_labels", "dedupe", "skip_unlabelled", "skip_empty", "errors")
    for name in reading.given():
        if name not in of_corpus:
            raise ParameterError(
                f"{space.folder}: a workspace knows how its data is read. Leave --{name.replace('_', '-')} out."
            )
    corpus = space.labelled()
    screen.note([*space.notes, *corpus.notes])
    corpus = merge_spellings(corpus) if reading.merge_labels else corpus
    return deduplicated(corpus) if reading.dedupe else corpus


def asking_for_columns(read: Callable[[ReadOptions], Result], options: ReadOptions, screen: Screen) -> Result:
    """Read; where it is not clear which column is meant, ask a person and read again, or pass the error on."""
    from assay.cli.screens.asking import can_ask, choose
    from assay.errors import UnclearColumnError

    while True:
        try:
            return read(options)
        except UnclearColumnError as error:
            if not can_ask(screen):
                raise
            unclear = error
        question = f"Which column holds the {unclear.parameter}s?"
        chosen = choose(question, [f"{name}  {example}" for name, example in unclear.columns])
        if chosen is None:
            raise unclear
        name = unclear.columns[chosen][0]
        screen.say(f"--{unclear.parameter} {visible(shlex.quote(name))} says it at once.")
        options = replace(options, **{unclear.parameter: name})  # type: ignore[arg-type]


def read_labelled(
    data: list[str],
    model: TextClassifier,
    reading: ReadingOptions,
    screen: Screen,
    *,
    unseen: str | None = None,
    keep: bool = True,
) -> Corpus:
    """Read labelled texts for a model; they are expected in the column that its training data had them in.

    What becomes of texts whose label the model never saw is said by `unseen`, as `settle_unseen` has it.
    """
    from assay.errors import DataError
    from assay.streaming.predict import text_column_of

    of_model: dict[str, Any] = {"expected_text": text_column_of(model), "known_labels": model.labels}
    if model.decision.task == "label-sets":
        of_model["task"] = "label-sets"
    corpus = read_data(data, reading, screen, keep=keep, **of_model)
    if corpus.labels is None:
        raise DataError(f"{corpus.source}: the texts have no labels. Say which column holds them with --label.")
    if corpus.task != model.decision.task:
        if model.decision.task == "label-sets":
            raise DataError(
                f"{corpus.source}: read as one label a text, and this model gives sets of labels. Leave --one-label "
                "out."
            )
        raise DataError(
            f"{corpus.source}: its texts have sets of labels, and this model gives one label a text. If what is "
            "written there is one label, read it with --one-label."
        )
    if unseen is None:
        return corpus
    from assay.cli.reading.unseen_labels import settle_unseen

    corpus, remarks = settle_unseen(corpus, model.labels, unseen)
    screen.note(remarks)
    return corpus


def require_file(path: str, option: str) -> None:
    """Complain before anything slow about a file that an option names and that is not there."""
    from assay.errors import DataError
    from assay.file_access import is_there

    if not is_there(path):
        raise DataError(f"{path}: there is no such file. {option} names it; check the spelling and the folder.")
