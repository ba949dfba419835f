"""Decisions that come back in a table: texts that somebody went through elsewhere, in a spreadsheet for instance.

One row a text, in any format that `assay.read` takes, columns and rows in any order:

================================ ====================================================================================
text_id, text_sha256, id or text which text it is: its digest, or itself; where both are there they have to agree
label, correct_label             what was decided; the second in a list of label errors (`assay audit`). Empty: nothing
                                 yet. ``-``: none of the labels, where texts have sets of them
why, reason                      why the text was shown; "chosen" if it is not there
note                             what is to be kept beside the decision
who                              who decided, where that is not the same for all rows
================================ ====================================================================================

Names of columns count without regard to case and blanks; further columns are ignored. Labels are read as people and
spreadsheets write them (see `assay.data.reading.label_meant`), texts also with other ends of lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from assay.data.columns.column_names import plain_name
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.origin import joined_places
from assay.data.options import ReadOptions
from assay.data.reading.corrections import plain_text, text_digest
from assay.data.reading.label_meant import label_meant, without_apostrophe
from assay.data.reading.locate import reader_of_path
from assay.data.reading.read import read_with
from assay.errors import DataError, ParameterError
from assay.suggest import counted, excerpt, nearest_first, quote, quoted
from assay.wording import setting
from assay.workspace.records import Label, require_label, require_note, require_who, require_why
from assay.workspace.sources import digest_of, require_lasting
from assay.workspace.state import names_of
from assay.workspace.texts import DIGITS, read_label

if TYPE_CHECKING:
    from assay.workspace.workspace import Given, Workspace

__all__ = ["Taken", "take_file"]

NONE_OF_THEM = "-"
_IDS = ("textid", "textsha256", "id")
_LABELS = ("correctlabel", "label", "labels")
_ENOUGH = 1000  # characters of a text that a spreadsheet cut, to know it by


@dataclass(frozen=True)
class Taken:
    """What came of a table of decisions.

    Attributes
    ----------
    recorded
        Decisions that were written down.
    changed
        How many of them give a text another label than it had.
    known
        Rows that said what the same person had decided already.
    empty
        Rows in which nothing is decided yet.
    new_labels
        Labels that there were not before.
    read_as
        How labels were written → which they were taken for.
    """

    recorded: int
    changed: int
    known: int
    empty: int
    new_labels: tuple[str, ...]
    read_as: Mapping[str, str]

    @property
    def sentences(self) -> list[str]:
        """What is to be known, in sentences."""
        told = [(self.known, "row says", "rows say", "what was decided before")]
        told += [(self.empty, "row has", "rows have", "no label yet")]
        said = [f"{counted(n, one, many)} {what}" for n, one, many, what in told if n]
        if self.new_labels:
            said.append(f"new labels: {quoted(self.new_labels)}")
        if self.read_as:
            pairs = (f"{quote(written)} is read as {quote(label)}" for written, label in self.read_as.items())
            said.append(", ".join(list(pairs)[:5]))
        return said


@dataclass(frozen=True)
class _Row:
    place: str
    row: int  # of the workspace
    label: Label
    who: str
    why: str
    note: str | None


def take_file(
    space: Workspace,
    path: str,
    *,
    who: str,
    new_labels: bool = False,
    text: str | None = None,
    label: str | None = None,
    **reading: Any,
) -> Taken:
    """Take the decisions of a table into a workspace: all of them, or none where anything is wrong.

    Parameters
    ----------
    space
        The workspace.
    path
        The table.
    who
        Who decided, where no column says it.
    new_labels
        Whether labels that the workspace does not have are new ones, and not mistakes.
    text, label
        The columns, where they are called otherwise.
    reading
        Further settings of `assay.read`.
    """
    from assay.workspace.workspace import Given

    require_lasting(path)
    space.refresh()
    table, columns = _read(space, path, text, label, reading)
    places = [table.origin.place(index) for index in range(len(table))]
    labels, names, read_as, empty = _labels(space, table, places, new_labels=new_labels)
    filled = {index: found for index, found in enumerate(labels) if found is not None}
    rows = _rows(space, table, columns, places, list(filled))
    whys, notes, people = (_strings(table, columns.get(name)) for name in ("why", "note", "who"))
    decided = []
    for (k, found), row in zip(filled.items(), rows, strict=True):
        with _at(places[k]):
            person = require_who(people[k].strip() or who)
            why, note = require_why(whys[k].strip() or "chosen"), require_note(notes[k])
        decided.append(_Row(places[k], row, found, person, why, note))
    kept = _without_contradictions(space, decided)
    new = [one for one in kept if not _is_known(space, one)]
    given: list[Given] = [Given(space.known.id(o.row), o.label, o.why, o.note, o.who) for o in new]
    changed = sum(space.label_of(one.row) not in (None, one.label) for one in new)
    if given or names:
        digest = digest_of(Path(path))
        space.record_file(given, who=who, file=PurePath(path).name, sha256=digest, new_labels=names)
    return Taken(len(given), changed, len(decided) - len(new), empty, tuple(names), read_as)


def _read(
    space: Workspace, path: str, text: str | None, label: str | None, reading: Mapping[str, Any]
) -> tuple[Corpus, dict[str, str]]:
    """The table with the column of the labels, and what its other columns are called that count."""
    usual: dict[str, Any] = {"format": None, "encoding": None, "errors": "strict", "delimiter": None, "names": None}
    options = ReadOptions.checked(**(usual | dict(reading)), keep=True, text=text, label=label)
    reader = reader_of_path(path, options)
    names = reader.sample().column_names
    plain = {plain_name(name): name for name in reversed(names)}
    columns: dict[str, str] = {name: plain[name] for name in ("why", "note", "who") if name in plain}
    if "why" not in columns and "reason" in plain:
        columns["why"] = plain["reason"]
    ids = next((plain[name] for name in _IDS if name in plain), None)
    own = ["text", *(plain_name(str(source.reading.get("text", ""))) for source in space.settings.data)]
    texts = text or next((plain[name] for name in own if name in plain), None)
    labels = label or next((plain[name] for name in _LABELS if name in plain), None)
    if labels is None:
        raise DataError(
            f"{path}: there is no column for what was decided, such as 'label'. The columns are {quoted(names)}. Say "
            f"which it is with {setting('label')}."
        )
    if space.task == "label-sets" and plain_name(labels) == _LABELS[0] and "likelylabel" in plain:
        raise DataError(
            f"{path}: this list of label errors says one label a row, and texts of this workspace have sets of labels. "
            "Write each text once, with all of its labels, into a table with the columns 'text' and 'labels'."
        )
    if ids is None and texts is None:
        raise DataError(
            f"{path}: there is no column that says which texts these are, such as 'id' or 'text'. The columns are "
            f"{quoted(names)}. Say which holds the texts with {setting('text')}."
        )
    if ids is not None:
        columns["id"] = ids
    if texts is not None:
        columns["text"] = texts
    of_task = {
        "task": space.task,
        "known_labels": (*space.label_names, NONE_OF_THEM),
        "labels_separator": options.labels_separator,
    }
    if space.task == "labels":
        of_task["labels_separator"] = False
    found = read_with(
        path,
        replace(
            options,
            text=texts or ids,
            label=labels,
            keep_unlabelled=True,
            keep_empty=True,
            **of_task,  # type: ignore[arg-type]
        ),
    )
    return found, columns


def _labels(
    space: Workspace, table: Corpus, places: Sequence[str], *, new_labels: bool
) -> tuple[list[Label | None], list[str], dict[str, str], int]:
    """The label of each row, None where it is empty; labels that are new; how others were read; how many are empty."""
    known = space.label_names
    meant: dict[str, str] = {}
    new: list[str] = []
    unknown: dict[str, list[str]] = {}
    found: list[Label | None] = []
    for index, (_, cell) in enumerate(table):
        names = [name for name in names_of(cell or ()) if name.strip()]
        for name in names:
            if name in meant or (name == NONE_OF_THEM and space.task == "label-sets" and name not in known):
                continue
            label = label_meant(name, [*known, *new])
            if label is None and new_labels:
                with _at(places[index]):
                    label = require_label(name.strip())
                new.append(label)
            if label is None:
                unknown.setdefault(name, []).append(places[index])
            else:
                meant[name] = label
        if not names:
            found.append(None)
        elif space.task == "labels":
            if len(names) > 1:
                raise DataError(
                    f"{places[index]}: there are {len(names)} labels, {quoted(names, 5)}, and a text of this workspace "
                    "has one. Keep one of them. Nothing was taken."
                )
            found.append(meant.get(names[0], names[0]))
        else:
            chosen = {meant[name] for name in names if name in meant}
            found.append(tuple(name for name in (*known, *new) if name in chosen))
    if unknown:
        _refuse_unknown(space, unknown)
    read_as = {written: label for written, label in meant.items() if written != label}
    return found, new, read_as, sum(label is None for label in found)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Say where in the table something is that a line of the journal cannot hold."""
    try:
        yield
    except ParameterError as error:
        raise DataError(f"{place}: {error} Nothing was taken.") from None


def _refuse_unknown(space: Workspace, unknown: Mapping[str, Sequence[str]]) -> None:
    name, where = next(iter(unknown.items()))
    others = f"; nor {quoted(list(unknown)[1:], 5)}" if len(unknown) > 1 else ""
    listed = quoted(nearest_first(name, space.label_names))
    new = setting("new_labels", True)
    way = (
        f"Labels are {listed}. Write one of them, or let labels be new with {new}"
        if listed
        else f"It has no labels yet: let these be the first with {new}"
    )
    raise DataError(
        f"{joined_places(where[:5])}: there is no label {quote(name)} in this workspace{others}. {way}. "
        "Nothing was taken."
    )


def _rows(
    space: Workspace, table: Corpus, columns: Mapping[str, str], places: Sequence[str], filled: Sequence[int]
) -> list[int]:
    """The row in the workspace of each of some rows."""
    by_id = "id" in columns
    first = list(table.texts.to_pylist())
    ids = first if by_id and "text" not in columns else _strings(table, columns.get("id"))
    texts = first if "text" in columns else [""] * len(table)
    plain: dict[str, int] = {}
    rows, missing = [], []
    for index in filled:
        row = space.known.row(ids[index].strip()) if ids[index].strip() else None
        if row is not None and texts[index] and not _same(texts[index], space.texts[row].text):
            raise DataError(
                f"{places[index]}: the id is that of {excerpt(space.texts[row].text)}, and the text is "
                f"{excerpt(texts[index])}. Was one column sorted without the others? Nothing was taken."
            )
        if row is None and texts[index]:
            row = space.known.row(text_digest(texts[index], DIGITS))
            if row is None:
                plain = plain or {plain_text(text): row for row, (text, _) in enumerate(space.texts)}
                row = plain.get(plain_text(texts[index]), plain.get(plain_text(without_apostrophe(texts[index]))))
        if row is None:
            missing.append((places[index], texts[index] or ids[index]))
        rows.append(-1 if row is None else row)
    if missing:
        more = f", and {len(missing) - 1:,} more rows" if len(missing) > 1 else ""
        raise DataError(
            f"{missing[0][0]}: there is no text {excerpt(missing[0][1])} in this workspace{more}. Take the rows out, "
            f"or add the texts first: 'assay workspace add {space.folder} FILE'. Nothing was taken."
        )
    return rows


def _without_contradictions(space: Workspace, decided: Sequence[_Row]) -> list[_Row]:
    """Each text once a person; an error where somebody decides it twice, and differently."""
    kept: dict[tuple[int, str], _Row] = {}
    for one in decided:
        first = kept.setdefault((one.row, one.who), one)
        if set(names_of(first.label)) != set(names_of(one.label)):
            raise DataError(
                f"{joined_places([first.place, one.place])}: the same text, {excerpt(space.texts[one.row].text)}, has "
                f"two labels: {quote(read_label(first.label))} and {quote(read_label(one.label))}. Keep one of them. "
                "Nothing was taken."
            )
    return list(kept.values())


def _is_known(space: Workspace, one: _Row) -> bool:
    decision = space.decisions_by(one.who).get(space.known.id(one.row))
    return decision is not None and Counter(names_of(decision.label)) == Counter(names_of(one.label))


def _same(written: str, text: str) -> bool:
    """Whether a cell is a text, as spreadsheets write it: with other ends of lines, safe from formulas, or cut."""
    for cell in (written, without_apostrophe(written)):
        shown, whole = plain_text(cell), plain_text(text)
        if shown == whole or (len(shown) >= _ENOUGH and whole.startswith(shown[:_ENOUGH])):
            return True
    return bool(re.fullmatch(r".{20,}(…|\.\.\.)", written, re.DOTALL)) and plain_text(text).startswith(
        plain_text(written.rstrip("….").rstrip())
    )


def _strings(table: Corpus, name: str | None) -> list[str]:
    """A column as texts; empty ones where there is none."""
    if name is None:
        return [""] * len(table)
    return ["" if value is None else str(value) for value in table.column(name).to_pylist()]
