"""`WordVectors`: one vector a word, and what can be asked of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from assay.arguments import in_our_words
from assay.embeddings.settings import check_whole
from assay.embeddings.spelling import nearest_spellings
from assay.errors import DataError, ModelFileError, ParameterError
from assay.features.ngrams.string_arrays import strings_from_arrays, strings_to_arrays
from assay.header_checks import refuse_rest
from assay.suggest import quote, quoted
from assay.tensor_file import read_tensor_file, write_tensor_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FORMAT", "WordVectors"]

FORMAT = "word vectors"
_VERSION = 1

Floats = npt.NDArray[np.float32]


class WordVectors:
    """A vector for each word.

    Parameters
    ----------
    words
        Each once; by custom the most frequent first.
    matrix
        Row i is the vector of word i. Kept as float32.
    counts
        How often each word was seen, where that is known.

    Attributes
    ----------
    words
        A tuple.
    matrix
        (n_words, n_dimensions), float32, not to be written to.
    counts
        int64, or None.

    Examples
    --------
    >>> vectors = WordVectors(["king", "queen", "apple"], [[1.0, 0.1], [0.9, 0.3], [-0.1, 1.0]])
    >>> len(vectors), "queen" in vectors, vectors["apple"].tolist()
    (3, True, [-0.10000000149011612, 1.0])
    >>> [(word, round(cosine, 2)) for word, cosine in vectors.neighbors("king")]
    [('queen', 0.98), ('apple', 0.0)]
    """

    def __init__(self, words: Sequence[str], matrix: Any, counts: Any = None) -> None:
        self.words = _checked_words(words)
        self.matrix = _checked_matrix(matrix, self.words)
        self.counts = None if counts is None else _checked_counts(counts, len(self.words))

    @property
    def n_dimensions(self) -> int:
        """Length of a vector."""
        return int(self.matrix.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def __deepcopy__(self, memo: object) -> WordVectors:
        return self  # nothing in it changes, and scikit-learn's clone would copy the matrix

    def __repr__(self) -> str:
        return f"<WordVectors: {len(self):,} words, {self.n_dimensions} dimensions>"

    def __getitem__(self, words: str | Sequence[str]) -> Floats:
        """The vector of a word, or those of several, one a row."""
        rows = self.row(words) if isinstance(words, str) else np.array([self.row(word) for word in words], dtype=int)
        return np.asarray(self.matrix[rows])

    def row(self, word: str) -> int:
        """Which row of the matrix a word has; an unknown one is answered with the nearest spellings."""
        found = self._rows.get(word)
        if found is None:
            near = nearest_spellings(word, self.words)
            hint = f"Nearest spellings are {quoted(near)}." if near else "None is spelled like it."
            raise ParameterError(f"There is no vector for the word {quote(word)} among {len(self):,}. {hint}")
        return found

    def similarity(self, first: str, second: str) -> float:
        """Cosine of the angle between two words: 1 for the same direction, 0 for a right angle.

        Examples
        --------
        >>> WordVectors(["east", "north"], [[2, 0], [0, 1]]).similarity("east", "north")
        0.0
        """
        return float(self.unit_rows[self.row(first)] @ self.unit_rows[self.row(second)])

    def neighbors(self, word: str, top: int = 10) -> list[tuple[str, float]]:
        """The words of the nearest directions, with their cosines."""
        return self.most_similar([word], top=top)

    @in_our_words
    def most_similar(
        self, positive: str | Sequence[str], negative: str | Sequence[str] = (), top: int = 10
    ) -> list[tuple[str, float]]:
        """Words nearest to a sum of words: *king* - *man* + *woman* is ``most_similar(["king", "woman"], ["man"])``.

        The vectors are brought to length 1 before they are added, and the words that were given are left out (Mikolov
        et al. 2013, called 3CosAdd by Levy & Goldberg 2014).

        Parameters
        ----------
        positive, negative
            Words that are added, and that are taken away.
        top
            How many words.

        Examples
        --------
        >>> words = ["king", "man", "woman", "queen", "tree"]
        >>> vectors = WordVectors(words, [[1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [-1, 0.5, 0.5]])
        >>> vectors.most_similar(["king", "woman"], ["man"], top=1)[0][0]
        'queen'
        """
        check_whole("most_similar", "top", top, least=1)
        added = [self.row(word) for word in _listed(positive)]
        taken = [self.row(word) for word in _listed(negative)]
        if not added and not taken:
            raise ParameterError("most_similar needs at least one word. Give one as 'positive'.")
        target = self.unit_rows[added].sum(axis=0) - self.unit_rows[taken].sum(axis=0)
        cosines = self.unit_rows @ _unit(target)
        cosines[added + taken] = -np.inf
        top = min(top, len(self) - len({*added, *taken}))
        nearest = np.argpartition(-cosines, top - 1)[:top] if 0 < top < len(self) else np.arange(len(self))
        nearest = nearest[np.lexsort((nearest, -cosines[nearest]))][:top]
        return [(self.words[i], float(cosines[i])) for i in nearest]

    def map(self, words: Sequence[str] | None = None) -> Figure:
        """Words in the plane of their two principal components, as a figure (`savefig` writes SVG, PNG and others).

        Parameters
        ----------
        words
            Which; by default the first 50.
        """
        from assay.embeddings.word_map import draw_map

        return draw_map(self, self.words[:50] if words is None else _listed(words))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one safetensors file, in which nothing can run.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     WordVectors(["a", "b"], [[1, 0], [0, 1]]).save(f"{folder}/two.safetensors")
        ...     WordVectors.load(f"{folder}/two.safetensors")
        <WordVectors: 2 words, 2 dimensions>
        """
        content, offsets = strings_to_arrays(self.words)
        arrays: dict[str, npt.NDArray[Any]] = {"words": content, "offsets": offsets, "matrix": self.matrix}
        if self.counts is not None:
            arrays["counts"] = self.counts
        write_tensor_file(path, {"format": FORMAT, "version": _VERSION}, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> WordVectors:
        """Read what `save` wrote; every size in it is checked. Files of other programs: `read_vectors`."""
        file = read_tensor_file(path, {FORMAT: _VERSION}, "file of word vectors")
        arrays = dict(file.arrays)
        try:
            words = strings_from_arrays(arrays.pop("words"), arrays.pop("offsets"))
            matrix, counts = arrays.pop("matrix"), arrays.pop("counts", None)
            if matrix.dtype != np.float32:
                raise ValueError(f"the matrix is of type {matrix.dtype}, not float32")
            refuse_rest(arrays)
            return cls(words, matrix, counts)
        except KeyError as error:
            raise ModelFileError(f"{file.name}: the file is damaged (the array {error} is missing).") from None
        except (TypeError, ValueError) as error:
            raise ModelFileError(f"{file.name}: the file is damaged ({error}).") from None

    @cached_property
    def unit_rows(self) -> Floats:
        """The vectors, each brought to length 1; zeros stay zeros."""
        rows = _unit(self.matrix)
        rows.flags.writeable = False
        return rows

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}


def _checked_words(words: Sequence[str]) -> tuple[str, ...]:
    if isinstance(words, str):
        raise ParameterError(f"The 'words' parameter must be a list of words. Got the text {words!r} instead.")
    listed = tuple(words)
    if not listed:
        raise DataError("There are no words: word vectors need at least one.")
    for i, word in enumerate(listed):
        if not isinstance(word, str):
            raise DataError(f"Word {i + 1} is {quote(word)}, which is no text.")
    if len(set(listed)) < len(listed):
        seen: dict[str, int] = {}
        for i, word in enumerate(listed):
            if word in seen:
                raise DataError(
                    f"The word {quote(word)} is there twice, in rows {seen[word] + 1} and {i + 1}. Give each word one "
                    "vector."
                )
            seen[word] = i
    return listed


def _checked_matrix(matrix: Any, words: Sequence[str]) -> Floats:
    try:
        with np.errstate(over="ignore"):  # what is too large becomes infinity, and is refused as such
            rows = np.array(matrix, dtype=np.float32, order="C", copy=None)
    except (TypeError, ValueError) as error:
        raise DataError(f"The vectors must be a table of numbers, one row a word ({error}).") from None
    if rows.ndim != 2 or not rows.shape[1]:
        raise DataError(f"The vectors must be a table, one row a word. Got an array of shape {rows.shape}.")
    if len(rows) != len(words):
        raise DataError(f"There are {len(words):,} words, but {len(rows):,} vectors. Give each word one vector.")
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        bad = int(np.argmin(finite))
        raise DataError(
            f"The vector of the word {quote(words[bad])} (row {bad + 1}) holds NaN or infinity, as do "
            f"{int((~finite).sum()) - 1:,} more. Leave such words out."
        )
    rows = rows.view()
    rows.flags.writeable = False
    return rows


def _checked_counts(counts: Any, n_words: int) -> npt.NDArray[np.int64]:
    given = np.asarray(counts)
    if given.shape != (n_words,) or given.dtype.kind not in "iu":
        raise DataError(
            f"The counts must be {n_words:,} whole numbers, one a word. Got {given.dtype} of shape {given.shape}."
        )
    if (given < 0).any():
        raise DataError(f"Counts cannot be below 0. Got {given.min()}.")
    return given.astype(np.int64)


def _unit(rows: Floats) -> Floats:
    lengths = np.sqrt(np.einsum("...i,...i->...", rows, rows, dtype=np.float64))[..., None]  # squares need more room
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _listed(words: str | Sequence[str]) -> list[str]:
    return [words] if isinstance(words, str) else list(words)
