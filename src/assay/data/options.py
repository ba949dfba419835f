"""The settings of `read`, checked once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from assay import wording
from assay.data.bytes.encoding import canonical_encoding
from assay.errors import ParameterError
from assay.suggest import nearest_first, quoted
from assay.wording import parameter

__all__ = ["FORMATS", "Progress", "ReadOptions"]

Progress = Callable[[int, int], None]
"""Called with the bytes that are done and the bytes that there are."""

FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "fasttext", "lines", "xlsx", "folder")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller of `read` asked for; the parameters are described there."""

    text: str | None = None
    label: str | Literal[False] | None = None
    format: str | None = None
    encoding: str = "utf-8"
    encoding_given: bool = False
    """Whether UTF-8 was asked for. Otherwise a file that is not UTF-8 is read as what its bytes show."""
    errors: str = "strict"
    delimiter: str | None = None
    quotes: bool = True
    names: tuple[str, ...] | None = None
    sheet: str | None = None
    labels_separator: str | Literal[False] | None = None
    label_columns: tuple[str, ...] = ()
    keep: bool | tuple[str, ...] = True
    skip_unlabelled: bool = False
    skip_empty: bool = False
    merge_labels: bool = False
    dedupe: bool = False
    known_labels: tuple[str, ...] = ()
    """With `merge_labels`: the labels of a model, whose spellings are taken."""
    task: Literal["labels", "label-sets"] | None = None
    """What a model gives that the labels are for: with "label-sets" a cell is read as a set, by the separator that
    makes `known_labels` of it, and with "labels" none is guessed."""
    keep_empty_sets: bool = False
    """Keep texts with an empty set of labels although `skip_unlabelled` leaves out rows without a label."""
    only_unlabelled: bool = False
    """Leave out the rows that have a label, instead of those that have none."""
    keep_unlabelled: bool = False
    """Keep rows without a label, beside those that have one: where a text has one label, theirs is an empty text."""
    keep_empty: bool = False
    """Keep rows without a text, blank lines of a file of lines too: every row of the file gets an answer."""
    expected_text: str | None = None
    """Where `text` is not given: the column that must hold the texts, as in the data that a model was trained on."""
    labels_optional: bool = False
    """Where several columns could hold the labels, take none instead of asking which."""
    patience: float | None = None
    """Read standard input and pipes while they come, and give rows on when the first of them has waited for so many
    seconds (infinity: when there are enough). None copies all of it to a temporary file first."""
    awaited: Callable[[], bool] | None = None
    """Tells whether somebody waits for rows: then those that came are given on as soon as nothing more waits."""
    progress: Progress | None = None

    @property
    def known_encoding(self) -> str | None:
        """The encoding that was asked for; None to find out."""
        return self.encoding if self.encoding_given or self.encoding != "utf-8" else None

    @classmethod
    def checked(
        cls,
        *,
        format: str | None,
        encoding: str | None,
        errors: str,
        delimiter: str | None,
        names: Sequence[str] | None,
        keep: bool | Sequence[str],
        text: str | None,
        label: str | bool | None,
        sheet: str | int | None = None,
        labels_separator: str | Literal[False] | None = None,
        label_columns: Sequence[str] | None = None,
        **others: object,
    ) -> ReadOptions:
        """Check every setting that has only some valid values."""
        if format is not None and format not in FORMATS:
            raise ParameterError(
                f"{parameter('format', of='read')} must be one of {quoted(nearest_first(format, FORMATS))}; left out, "
                f"it is found out. Got {format!r} instead."
            )
        if errors not in ("strict", "replace"):
            raise ParameterError(
                f"{parameter('errors', of='read')} must be 'strict' or 'replace'. Got {errors!r} instead."
            )
        if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n'):
            raise ParameterError(
                f"{parameter('delimiter', of='read')} must be one ASCII character other than a quote or a "
                f"line end, such as ',', ';', '|' or a tab. Got {delimiter!r} instead."
            )
        if label is True:
            raise ParameterError(
                "The 'label' parameter of read must be a column name, None to guess it, or False for data "
                "without labels. Got True instead."
            )
        for setting, column in (("text", text), ("label", label)):
            if isinstance(column, list | tuple):
                way_out = f"write {column[0]!r}" if len(column) == 1 else "join the columns into one before reading"
                if setting == "label" and len(column) > 1:
                    way_out += f", or, where each holds 0 and 1 for one label, give label_columns={column!r}"
                raise ParameterError(
                    f"The '{setting}' parameter of read must be the name of one column. Got {column!r} instead; "
                    f"{way_out}."
                )
        for setting, value in (("names", names), ("keep", keep), ("label_columns", label_columns)):
            if isinstance(value, str):
                raise ParameterError(
                    f"The '{setting}' parameter of read must be a list of column names. Got {value!r} instead; write "
                    f"[{value!r}]."
                )
        if sheet is not None and (isinstance(sheet, bool) or not isinstance(sheet, str | int) or sheet in ("", 0)):
            raise ParameterError(
                "The 'sheet' parameter of read must be the name of a sheet, or its number from 1. Got "
                f"{sheet!r} instead."
            )
        if labels_separator not in (None, False) and not (isinstance(labels_separator, str) and labels_separator):
            raise ParameterError(
                f"{parameter('labels_separator', of='read')} must be what stands between the labels of a cell, such as "
                f"'|', or False where a cell is one label. Got {labels_separator!r} instead."
            )
        if label_columns and (label is not None or labels_separator):
            other = "label" if label is not None else "labels_separator"
            raise ParameterError(
                f"{parameter('label_columns', of='read')} names the columns of all labels, so there is no "
                f"{wording.setting(other)} beside it. Leave one of the two out."
            )
        return cls(
            labels_separator=labels_separator,
            label_columns=tuple(label_columns or ()),
            sheet=None if sheet is None else str(sheet),
            format=format,
            encoding="utf-8" if encoding is None else canonical_encoding(encoding),
            encoding_given=encoding is not None,
            errors=errors,
            delimiter=delimiter,
            names=None if names is None else tuple(names),
            keep=keep if isinstance(keep, bool) else tuple(keep),
            text=text,
            label=label,
            **others,  # type: ignore[arg-type]
        )
