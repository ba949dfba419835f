"""Labels as indices into one list of names, in the order in which the names first come up; sets of them as well."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from assay.data.arrays import integer_array, joined_integers, string_array
from assay.data.arrow_functions import cast, dictionary_encode, take, unique
from assay.label_sets import LabelSets

__all__ = ["LabelIndex", "holds_sets", "joined_sets", "set_array"]


class LabelIndex:
    """Gives every new label the next number.

    Parameters
    ----------
    names
        Labels that have a number already, from 0.

    Examples
    --------
    >>> index = LabelIndex()
    >>> index.encode(pa.array(["spam", "ham", "spam"])).to_pylist()
    [0, 1, 0]
    >>> index.encode(pa.array(["ham", "odd"])).to_pylist(), index.names
    ([1, 2], ['spam', 'ham', 'odd'])
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._number = {name: number for number, name in enumerate(names)}

    @property
    def names(self) -> list[str]:
        """The labels so far."""
        return list(self._number)

    def encode(self, labels: pa.Array) -> pa.Array:
        """Return the numbers of some labels, which must not be null."""
        encoded = labels if pa.types.is_dictionary(labels.type) else dictionary_encode(labels)
        first_seen = unique(encoded.indices)  # a dictionary from elsewhere may be in another order
        numbers = np.zeros(len(encoded.dictionary), np.int32)
        for index in first_seen.to_pylist():
            name = str(encoded.dictionary[index].as_py())
            numbers[index] = self._number.setdefault(name, len(self._number))
        return take(integer_array(numbers), encoded.indices)

    def chunked(self, numbers: list[pa.Array]) -> pa.ChunkedArray:
        """Put chunks of numbers together with the final list of names."""
        names = cast(string_array(self.names), pa.string())
        kind = pa.dictionary(pa.int32(), pa.string())
        return pa.chunked_array([pa.DictionaryArray.from_arrays(chunk, names) for chunk in numbers], kind)

    def encode_sets(self, labels: pa.LargeListArray) -> LabelSets:
        """Return the sets of some lists of labels, none of which is null; a label that is said twice counts once.

        Examples
        --------
        >>> index = LabelIndex()
        >>> sets = index.encode_sets(pa.array([["sport", "city"], [], ["city", "city"]], pa.large_list(pa.string())))
        >>> [row.tolist() for row in sets], index.names
        ([[0, 1], [], [1]], ['sport', 'city'])
        """
        offsets = joined_integers(labels.offsets)
        numbers = joined_integers(self.encode(labels.values.slice(offsets[0], offsets[-1] - offsets[0])))
        n_classes = len(self._number)
        return LabelSets(offsets - offsets[0], numbers, n_classes).renumbered(np.arange(n_classes), n_classes)

    def chunked_sets(self, sets: list[LabelSets]) -> pa.ChunkedArray:
        """Put chunks of sets together with the final list of names."""
        names = cast(string_array(self.names), pa.string())
        return pa.chunked_array([set_array(chunk, names) for chunk in sets], _SETS)


_SETS = pa.large_list(pa.dictionary(pa.int32(), pa.string()))


def set_array(sets: LabelSets, names: pa.StringArray) -> pa.LargeListArray:
    """Sets as Arrow keeps them: lists of labels over one dictionary of names."""
    members = pa.DictionaryArray.from_arrays(integer_array(sets.members), names)
    return pa.LargeListArray.from_arrays(integer_array(sets.offsets), members)


def holds_sets(labels: pa.ChunkedArray | None) -> bool:
    """Whether labels are sets, and not one a text."""
    return labels is not None and pa.types.is_large_list(labels.type)


def joined_sets(labels: pa.ChunkedArray, n_classes: int) -> LabelSets:
    """The sets of all chunks, see `set_array`.

    Examples
    --------
    >>> names = pa.array(["a", "b"])
    >>> chunk = set_array(LabelSets.of_rows([[0, 1], [], [1]], 2), names)
    >>> [row.tolist() for row in joined_sets(pa.chunked_array([chunk.slice(1), chunk]), 2)]
    [[], [1], [0, 1], [], [1]]
    """
    ends, members = [np.zeros(1, np.int64)], [np.empty(0, np.int32)]
    for chunk in labels.chunks:
        offsets = joined_integers(chunk.offsets)
        ends.append(offsets[1:] - offsets[0] + ends[-1][-1])
        members.append(joined_integers(chunk.values.indices)[offsets[0] : offsets[-1]])
    return LabelSets(np.concatenate(ends), np.concatenate(members), n_classes)
