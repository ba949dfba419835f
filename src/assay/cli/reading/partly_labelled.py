"""Texts of which some have a label: every text, and the labels that there are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.cli.options.reading import ReadingOptions
    from assay.cli.options.screen import Screen
    from assay.data.corpus.corpus import Corpus
    from assay.data.options import ReadOptions

__all__ = ["read_partly_labelled", "with_model"]


def with_model(names: list[str]) -> tuple[list[str], str | None]:
    """The files of texts and, where the last one is called a model, the model."""
    from assay.errors import ParameterError

    model = names[-1] if len(names) > 1 and names[-1].lower().endswith(".assay") else None
    files = names if model is None else names[:-1]
    if "-" in files:
        raise ParameterError(
            "Standard input can be read only once, and these texts are gone through twice: for all of them, and for "
            "the labels. Write them to a file first."
        )
    return files, model


def read_partly_labelled(
    data: list[str], reading: ReadingOptions, screen: Screen, model: TextClassifier | None = None
) -> tuple[Corpus, dict[int, Any]]:
    """All texts without labels, and the label, or the tuple of labels, of each row that has one.

    With a model, texts and labels are expected as in the data that it was trained on.
    """
    from assay.cli.reading.data import read_data
    from assay.streaming.predict import text_column_of

    expected = None if model is None else text_column_of(model)
    found = None
    if not reading.unlabelled:
        of_model: dict[str, Any] = {}
        if model is not None:
            of_model = {"known_labels": model.labels, "task": model.decision.task}
        found = _labelled_rows(data, reading, screen, expected_text=expected, **of_model)
    if found is not None and found.labels is None:
        return found, {}
    every = replace(
        reading, unlabelled=True, label=None, skip_unlabelled=False, labels_separator=None, one_label=False,
        label_columns=None, merge_labels=False, text=reading.text or (None if found is None else found.text_column),
    )  # fmt: skip
    beside = screen if found is None else replace(screen, quiet=True)
    corpus = read_data(data, every, beside, ask=False, keep=False, expected_text=expected)
    if found is None:
        return corpus, {}
    row_of = {place: row for row, place in enumerate(_places(corpus))}
    return corpus, {row_of[place]: example.label for place, example in zip(_places(found), found, strict=True)}


def _labelled_rows(data: list[str], reading: ReadingOptions, screen: Screen, **expected: Any) -> Corpus | None:
    """The rows that have a label; all rows, without labels, where there is no column of labels.

    None where there is such a column, and nothing in it.
    """
    from assay.cli.reading.data import asking_for_columns
    from assay.cli.reading.models import refuse_models
    from assay.cli.screens.progress import byte_progress
    from assay.data.reading.read import read_with
    from assay.errors import NoRowsLeftError

    refuse_models(data, ": the model comes last, after the files of texts.")

    def read(options: ReadOptions) -> Corpus:
        with byte_progress(screen) as progress:
            return read_with(data[0] if len(data) == 1 else data, replace(options, progress=progress))

    options = reading.checked(keep=False, skip_unlabelled=True, labels_optional=True, **expected)
    try:
        found = asking_for_columns(read, options, screen)
    except NoRowsLeftError:
        return None
    screen.note(note for note in found.notes if "without a label" not in note)  # those are what is to be labelled
    return found


def _places(corpus: Corpus) -> list[tuple[str, int]]:
    """File and row of each text."""
    rows = corpus.origin.rows(range(len(corpus)))
    return list(zip(corpus.origin.files_of_rows(), rows.tolist(), strict=True))
