"""Any source of text as batches that the native core can read: files of all kinds, lists, and token lists.

Files are read piece by piece and never as a whole. Rows without a text are left out and counted in the notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

from assay import _native
from assay.data.corpus.corpus import Corpus
from assay.data.options import ReadOptions
from assay.data.reading.batches import BatchStream
from assay.data.reading.locate import locate
from assay.errors import DataError, ParameterError
from assay.features.documents import as_documents, documents_from_strings
from assay.features.ngrams.analysis import Analysis
from assay.suggest import excerpt, nearest_first, quoted

__all__ = ["Sentences", "TextBatch"]

_ROWS = 10_000
_READING: dict[str, Any] = {
    "text": None,
    "format": None,
    "encoding": None,
    "errors": "strict",
    "delimiter": None,
    "quotes": True,
    "names": None,
    "sheet": None,
}
_SEPARATOR: str = _native.separator


class TextBatch(NamedTuple):
    """Some thousand texts."""

    documents: Any
    """For the native core."""
    share_done: float
    """Share of the source that was read up to here; 0 where the size of the source is not known."""


class Sentences:
    """The texts of a source, in order.

    Parameters
    ----------
    source
        Whatever `assay.read` takes (labels are not looked at), an iterator of texts, or a list or iterator of token
        lists, whose tokens are taken as they are.
    reading
        Settings of `assay.read` for files: `text`, `format`, `encoding`, `errors`, `delimiter`, `quotes`, `names`,
        `sheet`.

    Attributes
    ----------
    tokenized
        Whether the source holds token lists.
    notes
        What was guessed, left out or repaired while reading, in sentences.

    Examples
    --------
    >>> [len(batch.documents) for batch in Sentences(["one text", "another text"])]
    [2]
    >>> Sentences([["one", "text"], ["another", "text"]]).tokenized
    True
    """

    def __init__(self, source: Any, **reading: Any) -> None:
        unknown = sorted(set(reading) - set(_READING))
        if unknown:
            raise ParameterError(
                f"There is no setting {unknown[0]!r} for reading text without labels. There are "
                f"{quoted(nearest_first(unknown[0], list(_READING)))}."
            )
        self._options = ReadOptions.checked(**(_READING | reading), label=False, keep=False, skip_empty=True)
        self.notes: list[str] = []
        first = None
        if isinstance(source, Iterator) and not hasattr(source, "read"):
            first = next(source, None)
            source = chain([] if first is None else [first], source)
        elif isinstance(source, list) and source:
            first = source[0]
        self.tokenized = isinstance(first, list)
        self._source = source

    def analysis(self, *, lowercase: bool) -> Analysis:
        """How the native core finds the words of these texts: runs of letters, digits and underscores."""
        if self.tokenized:
            return Analysis(tokens="separated", min_token_length=1, lowercase=False)
        return Analysis(tokens="words", min_token_length=1, lowercase=lowercase)

    def __iter__(self) -> Iterator[TextBatch]:
        if self.tokenized:
            yield from self._token_lists()
        elif isinstance(self._source, Corpus):
            yield TextBatch(as_documents(self._source), 1.0)
        elif isinstance(self._source, chain):
            while rows := list(islice(self._source, _ROWS)):
                yield TextBatch(documents_from_strings(rows), 0.0)
        else:
            yield from self._pieces()

    def _token_lists(self) -> Iterator[TextBatch]:
        total = len(self._source) if isinstance(self._source, list) else 0
        rows = iter(self._source)
        done = 0
        while batch := list(islice(rows, _ROWS)):
            joined = [_joined(tokens, done + number) for number, tokens in enumerate(batch, start=1)]
            done += len(batch)
            yield TextBatch(documents_from_strings(joined), done / total if total else 0.0)

    def _pieces(self) -> Iterator[TextBatch]:
        _, readers = locate(self._source, self._options)
        total = max(1, sum(reader.size for reader in readers))
        done = 0
        for reader in readers:
            stream = BatchStream(reader, self._options)
            for batch in stream:
                yield TextBatch(as_documents(batch.texts), min(1.0, (done + batch.position) / total))
            done += reader.size
            self.notes += stream.notes


def _joined(tokens: Any, row: int) -> str:
    """One text of which the native core makes the same tokens again."""
    if not isinstance(tokens, list | tuple) or not all(isinstance(token, str) for token in tokens):
        raise DataError(
            f"row {row}: {_shown(tokens)} where a list of tokens was expected, as in the rows before. Give every "
            "sentence as a list of strings, or every one as one string."
        )
    text = _SEPARATOR.join(tokens)
    if text.count(_SEPARATOR) != max(0, len(tokens) - 1):
        raise DataError(
            f"row {row}: a token holds the control character U+001F, which assay needs to keep tokens apart. "
            "Replace it by a space."
        )
    return _SEPARATOR.join(filter(None, tokens)) if "" in tokens else text


def _shown(value: Any) -> str:
    return excerpt(value) if isinstance(value, str) else f"{type(value).__name__} {excerpt(repr(value))}"
