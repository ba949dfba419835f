"""The corpus: texts and labels, Arrow-backed, that never change."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.arguments import in_our_words
from assay.data.arrays import boolean_array, check_arrow, integer_array, joined_integers, string_array
from assay.data.arrow_functions import cast, keep_where, take
from assay.data.columns.width import require_equal_lengths
from assay.data.corpus.changes import change_sentences
from assay.data.corpus.corpus_view import corpus_html, corpus_line
from assay.data.corpus.duplicates import first_occurrences
from assay.data.corpus.fingerprint import fingerprint
from assay.data.corpus.incidents import Incident
from assay.data.corpus.labels import LabelIndex, holds_sets, joined_sets
from assay.data.corpus.origin import Origin
from assay.data.corpus.row_selection import row_selection
from assay.errors import DataError
from assay.label_sets import LabelSets
from assay.label_types import LabelType, fitting_type, label_values
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.near_copies import NearCopies
    from assay.data.corpus.split import Split
    from assay.data.profile.profile import Profile

__all__ = ["Corpus", "Example"]


class Example(NamedTuple):
    """One row of a corpus."""

    text: str
    label: str | tuple[str, ...] | None
    """A label, the labels of the text's set, or None without labels."""

    @property
    def shown_label(self) -> str | None:
        """The label as one string, several with commas between them; a label itself may hold one.

        Examples
        --------
        >>> Example("rain in the cup final", ("sport", "weather")).shown_label
        'sport, weather'
        """
        return ", ".join(self.label) if isinstance(self.label, tuple) else self.label


class Corpus:
    """Texts, with a label each, with several, or without labels, and any other columns that came with them.

    Made by `assay.read`; a corpus can also be put together from columns.  Parts of a corpus (slices,
    selections, splits) keep its list of label names, so that class 3 means the same label in all of them.

    Parameters
    ----------
    texts
        Strings without nulls.
    labels
        A label for each; or a list, a tuple or a set of labels for each, which may be empty; or None.
    columns
        Other columns by name.
    source
        Where the texts came from, in a few words.
    notes
        What was guessed, left out or repaired on the way, in sentences.
    incidents
        The same for programs: what was left out or repaired, how often and where.
    origin
        The file and row of each text.

    Attributes
    ----------
    changes
        What was done to the labels after they were read, by name (``"merged_labels"``, ``"corrections"``), ready for
        JSON; a part of a corpus keeps that of the whole.

    Examples
    --------
    >>> corpus = Corpus(["loved it", "dull", "great fun"], ["pos", "neg", "pos"])
    >>> len(corpus), corpus.label_names, corpus.classes.tolist()
    (3, ('pos', 'neg'), [0, 1, 0])
    >>> corpus[1]
    Example(text='dull', label='neg')
    >>> [text for text, label in corpus.select(corpus.classes == 0)]
    ['loved it', 'great fun']
    >>> several = Corpus(["rain in the cup final", "no news"], [["sport", "weather"], []])
    >>> several.task, several[0], several.class_counts.tolist()
    ('label-sets', Example(text='rain in the cup final', label=('sport', 'weather')), [1, 1])
    """

    __slots__ = (
        "_cache",
        "_columns",
        "_labels",
        "_texts",
        "changes",
        "incidents",
        "label_column",
        "label_names",
        "label_type",
        "labels_separator",
        "notes",
        "origin",
        "source",
        "text_column",
    )

    label_names: tuple[str, ...]
    """The labels as the user wrote them, in the order in which they first come up; () without labels."""
    label_type: LabelType
    """What labels were before they became text: "text", or what they were given as in memory; see `label_values`."""
    source: str
    notes: tuple[str, ...]
    incidents: tuple[Incident, ...]
    changes: Mapping[str, Any]
    origin: Origin
    text_column: str | None
    """What the file called the column with the texts; None where columns had no names of their own."""
    label_column: str | None
    """The same of the labels; None also where there are none, and where each label has a column of its own."""
    labels_separator: str | None
    """What stood between the labels of a cell in the file; None where it was no cell of several."""
    _texts: pa.ChunkedArray
    _labels: pa.ChunkedArray | None
    _columns: dict[str, pa.ChunkedArray]
    _cache: dict[str, Any]

    def __init__(
        self,
        texts: pa.ChunkedArray | pa.Array | Sequence[str],
        labels: pa.ChunkedArray | pa.Array | Sequence[str] | Sequence[Iterable[str]] | None = None,
        columns: Mapping[str, pa.ChunkedArray | pa.Array | Sequence[Any]] | None = None,
        *,
        source: str = "memory",
        notes: Sequence[str] = (),
        incidents: Sequence[Incident] = (),
        origin: Origin | None = None,
    ) -> None:
        found = _strings(texts, source, "text")
        names: tuple[str, ...] = ()
        encoded = None
        if labels is not None:
            index = LabelIndex()
            if _are_sets(labels):
                encoded = index.chunked_sets([index.encode_sets(_lists(labels, source))])
            else:
                encoded = index.chunked([index.encode(chunk) for chunk in _strings(labels, source, "label").chunks])
            names = tuple(index.names)
        others = {name: _chunked(values) for name, values in (columns or {}).items()}
        require_equal_lengths(source, {"text": found} | ({} if encoded is None else {"label": encoded}) | others)
        self._set(
            _texts=found,
            _labels=encoded,
            _columns=others,
            label_names=names,
            label_type="text",
            source=source,
            notes=tuple(notes),
            incidents=tuple(incidents),
            changes={},
            origin=Origin.counted(source, len(found)) if origin is None else origin,
            text_column=None,
            label_column=None,
            labels_separator=None,
        )

    @classmethod
    def assembled(
        cls,
        texts: pa.ChunkedArray,
        labels: pa.ChunkedArray | None,
        label_names: Sequence[str],
        columns: dict[str, pa.ChunkedArray],
        *,
        label_type: LabelType = "text",
        source: str,
        notes: Sequence[str],
        incidents: Sequence[Incident],
        origin: Origin,
        text_column: str | None = None,
        label_column: str | None = None,
        labels_separator: str | None = None,
    ) -> Corpus:
        """Make a corpus of columns that are known to be right: of the types below, without nulls."""
        return _restore(
            {
                "_texts": texts,
                "_labels": labels,
                "_columns": columns,
                "label_names": tuple(label_names),
                "label_type": fitting_type(label_names, label_type),
                "source": source,
                "notes": tuple(notes),
                "incidents": tuple(incidents),
                "changes": {},
                "origin": origin,
                "text_column": text_column,
                "label_column": label_column,
                "labels_separator": labels_separator,
            }
        )

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_cache", {})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Corpus does not change; {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Corpus does not change; {name!r} cannot be deleted")

    # -- the columns ---------------------------------------------------------------------------------------------------

    @property
    def texts(self) -> pa.ChunkedArray:
        """The texts: large_string, without nulls."""
        return self._texts

    @property
    def task(self) -> Literal["labels", "label-sets"]:
        """Whether a text has one label, or a set of them, which may be empty: "labels" or "label-sets"."""
        return "label-sets" if holds_sets(self._labels) else "labels"

    @property
    def labels(self) -> pa.ChunkedArray | None:
        """The labels: dictionary<int32, string>, the same dictionary in every chunk; None without labels.

        Sets of labels are large_list<dictionary<int32, string>>.
        """
        return self._labels

    @property
    def classes(self) -> npt.NDArray[np.int32]:
        """The labels as indices into `label_names`, where every text has one; see `label_sets`."""
        if self._labels is None:
            raise self._unlabelled()
        if self.task == "label-sets":
            raise DataError(
                f"{self.source}: a text has a set of labels here ({_shown_set(self)}), where one label a text is "
                f"needed. If what is written there is one label, read it with {setting('labels_separator', False)}."
            )
        if "classes" not in self._cache:
            classes = np.concatenate(
                [np.empty(0, np.int32), *(joined_integers(c.indices) for c in self._labels.chunks)]
            )
            classes.flags.writeable = False
            self._cache["classes"] = classes
        return self._cache["classes"]  # type: ignore[no-any-return]

    @property
    def label_sets(self) -> LabelSets:
        """The labels of each text as a set of indices into `label_names`; one label is a set of one.

        Examples
        --------
        >>> Corpus(["a", "b"], ["pos", "neg"]).label_sets.sizes.tolist()
        [1, 1]
        """
        if self.task == "labels":
            return LabelSets.of_classes(self.classes, len(self.label_names))
        if "label_sets" not in self._cache:
            found = joined_sets(self._labels, len(self.label_names))
            found.members.flags.writeable = found.offsets.flags.writeable = False
            self._cache["label_sets"] = found
        return self._cache["label_sets"]  # type: ignore[no-any-return]

    @property
    def label_numbers(self) -> npt.NDArray[np.integer[Any]]:
        """A number for each text, the same for the same labels: its class, or the number of its set.

        Examples
        --------
        >>> Corpus(["a", "b", "c"], [["x", "y"], ["x"], ["y", "x"]]).label_numbers.tolist()
        [0, 1, 0]
        """
        if self.task == "labels":
            return self.classes
        if "label_numbers" not in self._cache:
            self._cache["label_numbers"] = self.label_sets.numbers_of_sets()
        return self._cache["label_numbers"]  # type: ignore[no-any-return]

    @property
    def first_occurrences(self) -> npt.NDArray[np.int64]:
        """For every row the first row with the same text; found once."""
        if "first_occurrences" not in self._cache:
            found = first_occurrences(self._texts)
            found.flags.writeable = False
            self._cache["first_occurrences"] = found
        return self._cache["first_occurrences"]  # type: ignore[no-any-return]

    @property
    def near_copies(self) -> NearCopies:
        """Which texts are the same or nearly the same; found once.

        Examples
        --------
        >>> corpus = Corpus(["Please call me back today.", "please call me back TODAY", "call me back"], list("aba"))
        >>> corpus.near_copies.first.tolist()
        [0, 0, 2]
        """
        if "near_copies" not in self._cache:
            from assay.data.corpus.near_copies import near_copies

            sets = None if self._labels is None else self.label_sets
            self._cache["near_copies"] = near_copies(self._texts, self.first_occurrences, sets)
        return self._cache["near_copies"]  # type: ignore[no-any-return]

    @property
    def label_values(self) -> npt.NDArray[Any]:
        """`label_names` in the type in which labels were given: whole numbers, truth values, or text.

        Examples
        --------
        >>> from assay import read
        >>> read((["loved it", "dull"], [1, 0])).label_values.tolist()
        [1, 0]
        """
        return label_values(self.label_names, self.label_type)

    @property
    def class_counts(self) -> npt.NDArray[np.int64]:
        """How many texts each of `label_names` has; 0 for a label that only the whole corpus has."""
        return self.label_sets.class_counts

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the other columns."""
        return tuple(self._columns)

    def column(self, name: str) -> pa.ChunkedArray:
        """Return one of the other columns."""
        if name not in self._columns:
            known = f"They are {quoted(nearest_first(name, self._columns))}." if self._columns else "There are none."
            raise DataError(f"{self.source}: there is no other column {quote(name)}. {known}")
        return self._columns[name]

    # -- rows ----------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[Example]:
        texts = (text for chunk in self._texts.iterchunks() for text in chunk.to_pylist())
        if self._labels is None:
            return (Example(text, None) for text in texts)
        names = self.label_names
        if self.task == "label-sets":
            return map(Example, texts, self.label_sets.names(names))
        return (Example(text, names[index]) for text, index in zip(texts, self.classes, strict=True))

    @overload
    def __getitem__(self, key: slice) -> Corpus: ...
    @overload
    def __getitem__(self, key: int) -> Example: ...
    def __getitem__(self, key: int | slice) -> Corpus | Example:
        if isinstance(key, slice):
            begin, end, step = key.indices(len(self))
            if step == 1:
                return self._part(lambda column: column.slice(begin, max(end - begin, 0)), np.arange(begin, end))
            return self.select(np.arange(begin, end, step))
        try:
            index = operator.index(key)
        except TypeError:
            raise TypeError(
                f"a Corpus is indexed by an integer or a slice, not by {type(key).__name__}; "
                "for masks and lists of rows there is .select()"
            ) from None
        if not -len(self) <= index < len(self):
            raise IndexError(f"row {index} of a corpus with {len(self)} rows")
        label = None if self._labels is None else self._labels[index].as_py()
        return Example(self._texts[index].as_py(), tuple(label) if isinstance(label, list) else label)

    def select(self, rows: npt.ArrayLike | pa.Array | pa.ChunkedArray) -> Corpus:
        """Return some of the rows.

        Parameters
        ----------
        rows
            A mask, one boolean a row; or row numbers counted from 0, in any order.
        """
        chosen = row_selection(rows, len(self))
        if chosen.dtype == bool:
            mask = boolean_array(chosen.astype(bool))
            return self._part(lambda column: keep_where(column, mask), np.flatnonzero(chosen))
        indices = integer_array(chosen.astype(np.int64))
        return self._part(lambda column: take(column, indices), chosen.astype(np.int64))

    def with_labels(self, classes: npt.ArrayLike, names: Sequence[str], *, changes: Mapping[str, Any]) -> Corpus:
        """Return the same texts with other labels.

        Parameters
        ----------
        classes, names
            For each text an index into the names, which may say the same more than once.
        changes
            What was done: added to the corpus's own `changes`, and to its notes.
        """
        index = LabelIndex()
        written = cast(string_array(list(names)), pa.string())
        numbers = index.encode(pa.DictionaryArray.from_arrays(integer_array(np.asarray(classes, np.int32)), written))
        return self._relabelled(index.chunked([numbers]), index.names, changes)

    def with_label_sets(self, sets: LabelSets, names: Sequence[str], *, changes: Mapping[str, Any]) -> Corpus:
        """Return the same texts with other sets of labels.

        Parameters
        ----------
        sets, names
            For each text indices into the names, which may say the same more than once: the texts of all of these
            are then one label's. Names keep their order, also those that no text has.
        changes
            What was done: added to the corpus's own `changes`, and to its notes.

        Examples
        --------
        >>> corpus = Corpus(["a", "b"], [["Sport", "sport"], ["city"]])
        >>> corpus.with_label_sets(corpus.label_sets, ["sport", "sport", "city"], changes={})[0]
        Example(text='a', label=('sport',))
        """
        require_equal_lengths(self.source, {"text": self._texts, "label": sets})
        kept = list(dict.fromkeys(names))
        place = {name: number for number, name in enumerate(kept)}
        index = LabelIndex(kept)
        merged = sets.renumbered(np.array([place[name] for name in names], np.int64), len(kept))
        return self._relabelled(index.chunked_sets([merged]), kept, changes)

    def with_column(self, name: str, values: pa.ChunkedArray | pa.Array | Sequence[Any]) -> Corpus:
        """Return the same texts with one more of the other columns, or another in its place."""
        column = _chunked(values)
        require_equal_lengths(self.source, {"text": self._texts, name: column})
        return self._replaced(_columns={**self._columns, name: column})

    @in_our_words
    def split(
        self,
        test: float = 0.2,
        dev: float | None = None,
        *,
        seed: int = 0,
        stratify: bool = True,
        group: str | None = None,
        near_copies: str = "together",
    ) -> Split:
        """Divide into (train, test), or (train, dev, test); the same seed gives the same parts.

        Exact duplicates of a text always go to the same side, and so do texts that are nearly the same, so that
        nothing of the test part was seen in training; `report` on the result says how many there were.

        Parameters
        ----------
        test, dev
            The share of the rows (below 1), or their number.
        seed
            Chooses the rows.
        stratify
            Give every part the same shares of the classes, as far as possible.
        group
            A column; rows with the same value in it go to the same side too (one author, one patient).
        near_copies
            "together", or "ignore" to look at exact duplicates only.

        Examples
        --------
        >>> corpus = Corpus([f"text {i % 8}" for i in range(10)], list("abababab") + ["a", "b"])
        >>> parts = corpus.split(test=0.4)
        >>> train, test = parts
        >>> set(train.texts.to_pylist()) & set(test.texts.to_pylist())
        set()
        >>> parts.report.duplicate_rows
        2
        """
        from assay.data.corpus.split import split

        return split(self, test=test, dev=dev, seed=seed, stratify=stratify, group=group, near_copies=near_copies)

    def profile(self) -> Profile:
        """Look at the corpus the way a careful person would, before training on it."""
        from assay.data.profile.profile import profile

        return profile(self)

    # -- the whole -----------------------------------------------------------------------------------------------------

    def to_arrow(self) -> pa.Table:
        """Return a table with the columns "text", "label" (if there are labels) and the others."""
        columns = {"text": self._texts} | ({} if self._labels is None else {"label": self._labels})
        return pa.table(columns | self._columns)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over texts and labels, in hexadecimal; the same however they are stored or were read."""
        if "fingerprint" not in self._cache:
            self._cache["fingerprint"] = fingerprint(self)
        return str(self._cache["fingerprint"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        if len(self) != len(other) or (self._labels is None) != (other._labels is None) or self.task != other.task:
            return False
        same_labels = self._labels is None or _same_labels(self, other)
        return bool(same_labels and self._texts.equals(other._texts) and self._columns == other._columns)

    __hash__ = None  # type: ignore[assignment]  # two corpora are compared by their contents

    def __repr__(self) -> str:
        return corpus_line(self)

    def _repr_html_(self) -> str:
        return corpus_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        names = [name for name in self.__slots__ if name != "_cache"]
        return _restore, ({name: getattr(self, name) for name in names},)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _replaced(self, **values: object) -> Corpus:
        """Return a corpus that differs in some attributes."""
        return _restore({name: getattr(self, name) for name in self.__slots__ if name != "_cache"} | values)

    def _relabelled(self, labels: pa.ChunkedArray, names: Sequence[str], changes: Mapping[str, Any]) -> Corpus:
        return self._replaced(
            _labels=labels,
            label_names=tuple(names),
            label_type=fitting_type(names, self.label_type),
            notes=(*self.notes, *change_sentences(changes)),
            changes={**self.changes, **changes},
        )

    def _unlabelled(self) -> DataError:
        return DataError(f"{self.source}: the texts have no labels. Read them with {setting('label', of_read=True)}.")

    def _part(self, cut: Callable[[pa.ChunkedArray], pa.ChunkedArray], rows: npt.NDArray[np.int64]) -> Corpus:
        return self._replaced(
            _texts=cut(self._texts),
            _labels=None if self._labels is None else cut(self._labels),
            _columns={name: cut(column) for name, column in self._columns.items()},
            origin=self.origin.take(rows),
        )


def _restore(values: dict[str, object]) -> Corpus:
    corpus = object.__new__(Corpus)
    corpus._set(**values)
    return corpus


def _chunked(values: Any) -> pa.ChunkedArray:
    if isinstance(values, pa.ChunkedArray):
        return values
    return pa.chunked_array([values if isinstance(values, pa.Array) else pa.array(values)])


_NO_LISTS = (str, bytes, Mapping, pa.Scalar)


def _strings(values: Any, source: str, what: str) -> pa.ChunkedArray:
    if isinstance(values, pa.Array | pa.ChunkedArray):
        check_arrow(values, source)
    elif isinstance(values, _NO_LISTS) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        raise DataError(
            f"{source}: the {what}s are of type {type(values).__name__}, where a list of strings was expected. Give "
            "one, or read the data with assay.read."
        )
    try:
        if isinstance(values, pa.Array | pa.ChunkedArray):
            found = cast(_chunked(values), pa.large_string())
        else:
            found = pa.chunked_array([string_array([_string(value, source, what) for value in values])])
    except (pa.ArrowException, UnicodeEncodeError) as error:
        raise DataError(
            f"{source}: a {what} is no string: {error}. A Corpus is made of strings; assay.read repairs others, or "
            "says where they are."
        ) from None
    if found.null_count:
        import pyarrow.compute as pc

        row = pc.index(found.is_null(), True).as_py() + 1
        raise DataError(f"{source}, row {row}: the {what} is missing. Leave the row out, or read it with assay.read.")
    return found


def _string(value: Any, source: str, what: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise DataError(
        f"{source}: the {what} {value!r} is of type {type(value).__name__}. A Corpus is made of strings; assay.read "
        "turns other labels into strings."
    )


def _are_sets(labels: Any) -> bool:
    """Whether labels are lists of labels, and not strings."""
    if isinstance(labels, pa.Array | pa.ChunkedArray):
        return bool(pa.types.is_list(labels.type) or pa.types.is_large_list(labels.type))
    return isinstance(labels, Sequence) and any(isinstance(item, SET_TYPES) for item in labels)


SET_TYPES = (list, tuple, set, frozenset)
"""In what the labels of a text may be given in memory."""


def _lists(labels: Any, source: str) -> pa.LargeListArray:
    """Lists of strings, one a text."""
    if isinstance(labels, pa.Array | pa.ChunkedArray):
        check_arrow(labels, source)
        labels = labels.to_pylist()
    offsets = np.zeros(len(labels) + 1, np.int64)
    members: list[Any] = []
    for row, item in enumerate(labels):
        if not isinstance(item, SET_TYPES):
            what = "missing" if item is None else f"{item!r}, of type {type(item).__name__}, among sets of labels"
            raise DataError(f"{source}, row {row + 1}: the labels are {what}. Give a list of strings, or [] for none.")
        members += sorted(item, key=str) if isinstance(item, set | frozenset) else item
        offsets[row + 1] = len(members)
    found = _strings(members, source, "label").combine_chunks()
    return pa.LargeListArray.from_arrays(integer_array(offsets), found)


def _shown_set(corpus: Corpus) -> str:
    """The labels of the text that has most of them."""
    largest = int(np.argmax(corpus.label_sets.sizes)) if len(corpus) else 0
    return quoted(corpus[largest].label or (), 3) if len(corpus) else "no texts"


def _same_labels(one: Corpus, other: Corpus) -> bool:
    number = {name: index for index, name in enumerate(other.label_names)}
    if one.task == "label-sets":
        names = [*other.label_names, *(name for name in one.label_names if name not in number)]
        place = {name: index for index, name in enumerate(names)}
        translated = np.array([place[name] for name in one.label_names], np.int64)
        renumbered = one.label_sets.renumbered(translated, len(names))
        return renumbered == other.label_sets.renumbered(np.arange(len(other.label_names)), len(names))
    translated = np.array([number.get(name, -1) for name in one.label_names], np.int64)
    return bool(np.array_equal(translated[one.classes], other.classes))
