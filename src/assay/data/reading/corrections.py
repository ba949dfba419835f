"""Corrected labels: the list of likely label errors, after a person has gone through it.

One row a text, in any format that `assay.read` takes, columns and rows in any order, further columns ignored:

============= ==========================================================================================
file, row     where the text stands in the data; no row where the file itself is the text
text          the text, to be read by the person
label         the label that it has in the data
likely_label  what other texts make likely; nothing is done with it
correct_label what the person decided: empty for nothing, a label, or ``-`` to leave the text out
text_sha256   a digest of the text, which notices that the data has changed; without it, `text` is compared
============= ==========================================================================================

Where texts have sets of labels, a row is of a text and one of the labels: "fees" says that the text has it, "not fees"
that it lacks it, in each of the three columns. A text may stand in several rows.

Names of columns count without regard to case and blanks. A spreadsheet writes some labels anew (``007`` as 7, ``+1`` as
1), and people type blanks and capitals: such a label is read as the one of the data that it must be, and that is said.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import numpy as np
from numpy.typing import NDArray

from assay.data.columns.column_names import plain_name
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.spellings import merged_names
from assay.data.options import ReadOptions
from assay.data.reading.label_meant import label_meant
from assay.data.reading.read import read_with
from assay.errors import DataError
from assay.label_sets import LabelSets
from assay.suggest import all_of, excerpt, nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["COLUMNS", "LEAVE_OUT", "Corrections", "plain_text", "text_digest"]

COLUMNS = ("file", "row", "text", "label", "likely_label", "correct_label", "text_sha256")
LEAVE_OUT = "-"
_NOT = re.compile(r"\s*not\s+", re.IGNORECASE)
_NEEDED = ("file", "row", "correct_label")
_AGAIN = "Make the list of likely label errors again ('assay audit')"


def text_digest(text: str, digits: int = 16) -> str:
    """A text's digest as the list has it; no spreadsheet takes it for a number.

    Examples
    --------
    >>> text_digest("loved it")
    'sha256:7da23a1fb964df37'
    """
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:digits]}"


@dataclass(frozen=True)
class _Correction:
    place: str  # in the list, for messages
    file: str
    row: int
    text: str
    label: str
    correct: str
    digest: str | None

    @property
    def where(self) -> str:
        """Where the text stands in the data."""
        return f"{self.file}, row {self.row}" if self.row else self.file


class Corrections:
    """What a person decided about some labels.

    Parameters
    ----------
    path
        The list.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        options = ReadOptions(
            text="text", label="label", labels_separator=False, keep=True, keep_empty=True, skip_unlabelled=True
        )
        try:
            table = read_with(self.name, options)
        except DataError as error:
            found = str(error).partition(": there is no column ")[2]
            if not found:
                raise
            raise DataError(
                f"{self.name}: this is no list of corrections, which has the columns 'file', 'row', 'text', 'label' "
                f"and 'correct_label': it has no column {found.partition(' for ')[0]}. {_AGAIN}, and write into its "
                "column 'correct_label'."
            ) from None
        named = {plain_name(name): name for name in reversed(tuple(table.columns))}
        missing = [name for name in _NEEDED if plain_name(name) not in named]
        if missing:
            raise DataError(
                f"{self.name}: this list of corrections has no column {quoted(missing)}. Its columns are "
                f"{quoted(['text', 'label', *table.columns])}. {_AGAIN}, and write into its column 'correct_label'."
            )
        self.sha256 = hashlib.sha256(Path(self.name).read_bytes()).hexdigest()
        columns = {
            name: _strings(table, named[plain_name(name)])
            for name in (*_NEEDED, "text_sha256")
            if plain_name(name) in named
        }
        self.n_listed = len(table)
        self._rows = [
            _correction(table, {name: values[index] for name, values in columns.items()}, index)
            for index, decision in enumerate(columns["correct_label"])
            if decision.strip()
        ]
        self._refuse_contradictions()

    def __len__(self) -> int:
        return len(self._rows)

    def require_some(self) -> None:
        """Refuse a list in which nobody has decided anything."""
        if not self._rows:
            rows = all_of(self.n_listed, "row", "rows")
            raise DataError(
                f"{self.name}: its column 'correct_label' is empty in {rows}: was it saved? Write the right labels "
                f"into it, or train without {setting('corrections')}."
            )

    def require_files(self, corpora: Sequence[Corpus]) -> None:
        """Refuse corrections of files that are not among the data."""
        files = list(dict.fromkeys(name for corpus in corpora for name in corpus.origin.files))
        for correction in self._rows:
            if not any(_same_file(correction.file, corpus.origin.files) for corpus in corpora):
                raise DataError(
                    f"{correction.place}: it is about {quote(correction.file)}, which is not among the data: "
                    f"{quoted(nearest_first(correction.file, files), 5)}. Correct the data that the list was made of."
                )

    def apply(self, corpus: Corpus) -> Corpus:
        """Return the corpus with corrected labels, without the texts that are to be left out.

        Corrections of other files are passed over, see `require_files`. A row whose label has been corrected in the
        data itself is right already.
        """
        if corpus.task == "label-sets":
            return self._applied_to_sets(corpus)
        names, classes = list(corpus.label_names), corpus.classes.copy()
        keep = np.ones(len(corpus), bool)
        read_as: dict[str, str] = {}
        for correction, row in self._rows_of(corpus):
            self._check_label(corpus, row, correction)
            if correction.correct.strip() == LEAVE_OUT and LEAVE_OUT not in names:
                keep[row] = False
                continue
            label = self._label(corpus, correction)
            if label != correction.correct:
                read_as[correction.correct] = label
            classes[row] = names.index(label)
        changes = self._told(int((classes != corpus.classes)[keep].sum()), keep, read_as)
        kept = corpus if keep.all() else corpus.select(keep)
        return kept.with_labels(classes[keep], names, changes=changes)

    def _applied_to_sets(self, corpus: Corpus) -> Corpus:
        """The same where each correction is of one label of a text's set."""
        names, before = list(corpus.label_names), corpus.label_sets
        if twin := next((name for name in names if _NOT.match(name) and _subject(name) in names), None):
            raise DataError(
                f"{self.name}: in a list of corrections {quote(twin)} says that a text lacks {quote(_subject(twin))}, "
                f"and the data has a label {quote(twin)} of its own. Correct the sets in the data itself."
            )
        rows = [set(row.tolist()) for row in before]
        keep = np.ones(len(corpus), bool)
        read_as: dict[str, str] = {}
        for correction, row in self._rows_of(corpus):
            if correction.correct.strip() == LEAVE_OUT and LEAVE_OUT not in names:
                keep[row] = False
                continue
            label, has = self._decision(corpus, correction)
            said = label if has else f"not {label}"
            if said != correction.correct:
                read_as[correction.correct] = said
            (rows[row].add if has else rows[row].discard)(names.index(label))
        sets = LabelSets.of_rows(rows, before.n_classes)
        changes = self._told(int((sets.table() != before.table())[keep].sum()), keep, read_as)
        kept = corpus if keep.all() else corpus.select(keep)
        return kept.with_label_sets(sets.take(keep), names, changes=changes)

    def _rows_of(self, corpus: Corpus) -> Iterator[tuple[_Correction, int]]:
        """The corrections of texts of a corpus, with their rows in it, where the text is what was corrected."""
        wanted = [(c, _same_file(c.file, corpus.origin.files)) for c in self._rows]
        index = _rows_by_place(corpus, {name for _, name in wanted if name is not None})
        for correction, file in wanted:
            if file is None:
                continue
            row = index.get((file, correction.row))
            where = correction.where
            if row is None:
                raise DataError(f"{correction.place}: there is no labelled text at {where} in the data. {_AGAIN}.")
            text, digest = corpus[row].text, correction.digest
            if not (text_digest(text) == digest if digest else plain_text(text) == plain_text(correction.text)):
                raise DataError(
                    f"{correction.place}: the data has changed since the list was made: {where} is now "
                    f"{excerpt(text)}, and was {excerpt(correction.text)}. {_AGAIN}."
                )
            yield correction, row

    def _told(self, corrected: int, keep: NDArray[np.bool_], read_as: dict[str, str]) -> dict[str, object]:
        """What was done, for `Corpus.changes`."""
        done: dict[str, object] = {
            "file": PurePath(self.name).name,
            "sha256": self.sha256,
            "corrected": corrected,
            "left_out": int((~keep).sum()),
        }
        return {"corrections": done | ({"read_as": read_as} if read_as else {})}

    def _check_label(self, corpus: Corpus, row: int, correction: _Correction) -> None:
        """Complain about a label that is no longer what was corrected."""
        label = corpus[row].label
        known = {correction.label, correction.correct}
        known |= {meant for name in known if (meant := label_meant(name, corpus.label_names)) is not None}
        if label not in known | {merged_names({name: 1}, corpus.label_names).get(name) for name in known}:
            raise DataError(
                f"{correction.place}: the data has changed since the list was made: the label at "
                f"{correction.where} is now {quote(str(label))}, and was {quote(correction.label)}. Corrections are "
                "written into the column 'correct_label'; leave 'label' as it is."
            )

    def _label(self, corpus: Corpus, correction: _Correction) -> str:
        """The corrected label; where spellings were merged, in the spelling that was kept."""
        meant = _meant(corpus, correction.correct)
        if meant is None:
            label = correction.correct
            raise DataError(
                f"{correction.place}: no text of the data has the label {quote(label)} that 'correct_label' says. "
                f"Labels there are {quoted(nearest_first(label, corpus.label_names))}; {quote(LEAVE_OUT)} leaves the "
                "text out."
            )
        return meant

    def _decision(self, corpus: Corpus, correction: _Correction) -> tuple[str, bool]:
        """The label of a set that a row is about, and whether the text is to have it."""
        about = _said_of(corpus, correction.label)
        if about is None:
            raise DataError(
                f"{correction.place}: no text of the data has the label {quote(_subject(correction.label))}, which "
                f"this row is about. {_AGAIN}."
            )
        decided = _said_of(corpus, correction.correct)
        if decided is None or decided[0] != about[0]:
            raise DataError(
                f"{correction.place}: 'correct_label' says {quote(correction.correct)}, and the row is about one label "
                f"of a set: write {quote(about[0])} if the text has it, {quote(f'not {about[0]}')} if not, or "
                f"{quote(LEAVE_OUT)} to leave the text out."
            )
        return decided

    def _refuse_contradictions(self) -> None:
        """Complain about a text, or a label of its set, that the list decides twice, and differently."""
        decided: dict[tuple[str, int, str], _Correction] = {}
        for correction in self._rows:
            key = correction.file, correction.row, _subject(correction.label)
            first = decided.setdefault(key, correction)
            if first.correct.strip() != correction.correct.strip():
                where = correction.where
                raise DataError(
                    f"{correction.place}: 'correct_label' says {quote(correction.correct)} of {where}, and "
                    f"{quote(first.correct)} in {first.place}. Keep one of them."
                )


def _correction(table: Corpus, values: dict[str, str], index: int) -> _Correction:
    place, (text, label) = table.origin.place(index), table[index]
    row = _row_number(values["row"])
    if row is None:
        raise DataError(f"{place}: the column 'row' holds {excerpt(values['row'])}, which is no number of a row.")
    digest = values.get("text_sha256", "").strip() or None
    return _Correction(place, values["file"], row, text, str(label), values["correct_label"], digest)


def _subject(label: str) -> str:
    """The label that "fees" and "not fees" are about."""
    return _NOT.sub("", label, count=1).strip()


def _said_of(corpus: Corpus, written: str) -> tuple[str, bool] | None:
    """The label that a cell names, and whether it says that the text has it; None where there is no such label."""
    if (meant := _meant(corpus, written)) is not None:
        return meant, True
    meant = _meant(corpus, _NOT.sub("", written, count=1)) if _NOT.match(written) else None
    return None if meant is None else (meant, False)


def _meant(corpus: Corpus, written: str) -> str | None:
    """The label that is written so; where spellings were merged, in the spelling that was kept."""
    if "merged_labels" in corpus.changes:
        written = merged_names({written: 1}, corpus.label_names).get(written, written)
    return label_meant(written, corpus.label_names)


def _row_number(written: str) -> int | None:
    """The number of a row, which a spreadsheet may write as 3.0; 0 for none."""
    found = re.fullmatch(r"([0-9]{1,15})(?:[.,]0*)?", written.strip() or "0")
    return int(found[1]) if found else None


def _strings(table: Corpus, name: str) -> list[str]:
    return ["" if value is None else str(value) for value in table.column(name).to_pylist()]


def _same_file(name: str, files: Sequence[str]) -> str | None:
    """The file of the data that is meant: the same path, or the only one whose name is the same."""
    if name in files:
        return name
    plain = name.replace("\\", "/").rpartition("/")[2]
    found = [file for file in files if PurePath(file).name == plain]
    return found[0] if len(found) == 1 else None


def _rows_by_place(corpus: Corpus, files: set[str]) -> dict[tuple[str, int], int]:
    rows = corpus.origin.rows(np.arange(len(corpus)))
    return {
        (name, int(rows[index])): index for index, name in enumerate(corpus.origin.files_of_rows()) if name in files
    }


def plain_text(text: str) -> str:
    r"""A text as it is after a spreadsheet wrote its line ends anew.

    Examples
    --------
    >>> plain_text("two\r\nlines\n")
    'two\nlines'
    """
    return "\n".join(text.splitlines()).strip()
