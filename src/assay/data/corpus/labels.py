"""Labels as indices into one list of names, in the order in which the names first come up."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from assay.data.arrays import integer_array, string_array
from assay.data.arrow_functions import cast, dictionary_encode, take, unique

__all__ = ["LabelIndex"]


class LabelIndex:
    """Gives every new label the next number.

    Examples
    --------
    >>> index = LabelIndex()
    >>> index.encode(pa.array(["spam", "ham", "spam"])).to_pylist()
    [0, 1, 0]
    >>> index.encode(pa.array(["ham", "odd"])).to_pylist(), index.names
    ([1, 2], ['spam', 'ham', 'odd'])
    """

    def __init__(self) -> None:
        self._number: dict[str, int] = {}

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
