"""`read`: labelled text from anywhere into a `Corpus`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from assay.arguments import in_our_words
from assay.data.columns.choosing import ColumnChoice, distinct_names
from assay.data.columns.label_form import LabelForm
from assay.data.columns.separator import guess_separator
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.near_copies import deduplicated
from assay.data.corpus.spellings import label_counts, merge_spellings
from assay.data.formats.pieces import FileReader, Wanted
from assay.data.options import Progress, ReadOptions
from assay.data.reading.file_columns import choose, guessed_form
from assay.data.reading.gather import Gatherer
from assay.data.reading.label_cells import labels_as_sets
from assay.data.reading.locate import locate
from assay.errors import DataError
from assay.label_types import LabelType
from assay.suggest import nearest_first, quote, quoted
from assay.wording import settings_of_read

__all__ = ["read", "read_given", "read_with"]


@in_our_words
def read(
    source: Any,
    *,
    text: str | None = None,
    label: str | Literal[False] | None = None,
    format: str | None = None,
    encoding: str | None = None,
    errors: str = "strict",
    delimiter: str | None = None,
    quotes: bool = True,
    names: Sequence[str] | None = None,
    sheet: str | int | None = None,
    labels_separator: str | Literal[False] | None = None,
    label_columns: Sequence[str] | None = None,
    keep: bool | Sequence[str] = True,
    skip_unlabelled: bool = False,
    skip_empty: bool = False,
    merge_labels: bool = False,
    dedupe: bool = False,
    progress: Progress | None = None,
) -> Corpus:
    """Read labelled texts, or texts without labels.

    What was guessed, left out or repaired stands in the `notes` of the corpus.

    Parameters
    ----------
    source
        A file (CSV, TSV, Excel's .xlsx, JSON Lines, Parquet, Arrow/Feather, fastText lines, plain lines; also
        compressed as .gz, .zst or .bz2), a list of files, a glob, a folder with a sub-folder for each class, ``"-"``
        for standard input, or data in memory: a list of texts, a tuple ``(texts, labels)``, a list of tuples
        ``(text, label)``, a dict of columns, or anything that speaks Arrow (DataFrames, Series, tables). In memory, the
        labels of a text may be a list, a tuple or a set; those of all texts an array or a sparse matrix of 0 and 1.
    text, label
        The names of the columns; None to guess them. ``label=False`` reads texts without labels.
    format
        ``"csv"``, ``"tsv"``, ``"jsonl"``, ``"parquet"``, ``"arrow"``, ``"fasttext"``, ``"lines"``, ``"xlsx"``
        or ``"folder"``; None to find out.
    encoding
        What text files are written in; None for UTF-8, or what a file shows that is not UTF-8.
    errors
        ``"strict"`` refuses bytes that are not valid in the encoding, ``"replace"`` puts U+FFFD in their
        place.
    delimiter
        What separates the values in a CSV file; None to find out among comma, semicolon, tab and vertical
        bar.
    quotes
        Whether values in a CSV file may be quoted; False takes quotes as part of the text.
    names
        Names for the columns of a CSV file or a sheet without a header row.
    sheet
        The name of the sheet of a spreadsheet, or its number from 1; None takes the first that is not empty.
    labels_separator
        What stands between the labels of a cell where a text may have several, such as ``"|"``; False where a cell is
        one label whatever stands in it. None takes a separator that the cells clearly show, and says so. Lists of
        labels need none.
    label_columns
        Where each label has a column of its own that holds 0 and 1: their names, or patterns such as ``"topic_*"``.
    keep
        Which other columns to keep: all (True), none (False), or those in a list.
    skip_unlabelled, skip_empty
        Leave out rows whose label, or text, is missing or empty, instead of refusing them.
    merge_labels
        Take labels that differ only in case or blanks for one class, under the most frequent of their spellings (see
        `assay.data.corpus.spellings`). Otherwise labels are taken as they stand.
    dedupe
        Keep one text, the first, of each group of copies and near-copies (see `Corpus.near_copies`).
    progress
        Called now and then with the bytes done and the bytes there are.

    Examples
    --------
    >>> read((["loved it", "so dull"], ["pos", "neg"]))
    <Corpus: 2 texts, 2 classes ('pos' 1, 'neg' 1), from list>
    >>> corpus = read({"review": ["loved it", "so dull"], "stars": [5, 1]})
    >>> corpus.notes
    ("dict: texts are in column 'review' and labels are in column 'stars' (guessed; text= and
    label= say otherwise)",)
    >>> corpus[0]
    Example(text='loved it', label='5')
    >>> read({"text": ["rain in the cup final"], "topics": ["sport|weather"]}, labels_separator="|")[0].label
    ('sport', 'weather')
    """
    if isinstance(source, Corpus):
        merged = merge_spellings(source) if merge_labels else source
        return deduplicated(merged) if dedupe else merged
    options = ReadOptions.checked(
        text=text,
        label=label,
        format=format,
        encoding=encoding,
        errors=errors,
        delimiter=delimiter,
        quotes=quotes,
        names=names,
        sheet=sheet,
        labels_separator=labels_separator,
        label_columns=label_columns,
        keep=keep,
        skip_unlabelled=skip_unlabelled,
        skip_empty=skip_empty,
        merge_labels=merge_labels,
        dedupe=dedupe,
        progress=progress,
    )
    return read_with(source, options)


def read_given(source: Any, *own: str, **settings: Any) -> Corpus:
    """`read` for a function that was given data in any form, and has itself at most the `own` settings of reading."""
    with settings_of_read(*own):
        return read(source, **settings)


def read_with(source: Any, options: ReadOptions) -> Corpus:
    """Read a source with settings that are checked already; see `read`."""
    progress = options.progress
    described, readers = locate(source, options)
    gatherer = Gatherer(options)
    total = sum(reader.size for reader in readers)
    done = 0
    choice = None
    for reader in readers:
        sample = reader.sample()
        choice = choice or choose(reader, sample, options)
        wanted = _wanted(reader, distinct_names(sample.column_names), choice, options)
        for piece in reader.pieces(wanted):
            gatherer.take(piece, wanted, reader)
            if progress is not None:
                progress(min(done + piece.position, total), total)
        done += reader.size
    if progress is not None:
        progress(total, total)
    assert choice is not None, "locate gives at least one reader"
    notes = [note for note in (choice.note, choice.form.note) if note]
    notes += [note for reader in readers for note in reader.notes]
    columns = {} if readers[0].has_fixed_columns else {"text_column": choice.text, "label_column": choice.label}
    labelled = choice.label is not None or bool(choice.form.columns)
    corpus = gatherer.corpus(described, notes, labelled=labelled, **columns)
    if labelled:
        corpus = _with_sets(corpus, choice.form, readers[0], options, gatherer.label_type)
    if options.merge_labels:
        corpus = merge_spellings(corpus, options.known_labels)
    return deduplicated(corpus) if options.dedupe else corpus


def _wanted(reader: FileReader, names: list[str], choice: ColumnChoice, options: ReadOptions) -> Wanted:
    essential = [name for name in (choice.text, choice.label, *choice.form.columns) if name is not None]
    asked = essential if isinstance(options.keep, bool) else [*essential, *options.keep]
    there = set(names)
    for name in asked:
        if name not in there:
            raise DataError(
                f"{reader.name}: there is no column {quote(name)}. The columns are "
                f"{quoted(nearest_first(name, names))}."
            )
    others = [name for name in names if name not in essential]
    if options.keep is not True:
        kept = set(options.keep or ())
        others = [name for name in others if name in kept]
    return Wanted(choice.text, choice.label, others, choice.form)


def _with_sets(
    corpus: Corpus, form: LabelForm, reader: FileReader, options: ReadOptions, label_type: LabelType
) -> Corpus:
    """The corpus with sets of labels, where cells hold them; all cells together may show what the first did not."""
    if not form.gives_sets or (form.one_a_cell and options.task == "label-sets"):
        form = guessed_form(label_counts(corpus), reader, options)
        corpus = corpus._replaced(notes=(*corpus.notes, form.note)) if form.note else corpus
    if not form.gives_sets:
        weak = guess_separator(label_counts(corpus)) if options.labels_separator is None else None
        unsaid = weak is not None and reader.format != "fasttext" and not reader.has_fixed_columns
        return corpus._replaced(notes=(*corpus.notes, weak.note(corpus.source))) if weak and unsaid else corpus
    return labels_as_sets(
        corpus,
        form,
        label_type=label_type,
        skip_empty=options.skip_unlabelled and not options.keep_empty_sets,
        names=form.columns or reader.label_names,
    )
