"""What a model's record says of its training texts, made while a solver works."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from assay.modelfile.provenance import data_provenance
from assay.modelfile.text_sketch import TextSketch

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.modelfile.attachment import Attachment

__all__ = ["TextRecord"]


class TextRecord:
    """What the texts were, and what is remembered of them: begun early and asked for late.

    A solver of two classes keeps one thread busy: another reads the texts meanwhile. Of one thread, nothing is done
    before it is asked for.

    Parameters
    ----------
    corpus
        What the model is trained on.
    threads
        They change no bit.
    sketch
        Whether anything is remembered of the texts.

    Examples
    --------
    >>> import assay
    >>> record = TextRecord(assay.read((["See you at noon on Friday!", "no"], ["yes", "no"])), threads=2, sketch=True)
    >>> record.begin()
    >>> record.provenance()["rows"], record.sketch().settings
    (2, {'texts': 2})
    """

    def __init__(self, corpus: Corpus, *, threads: int, sketch: bool) -> None:
        self._corpus, self._threads, self._wanted = corpus, threads, sketch
        self._provenance: Future[dict[str, Any]] | None = None
        self._sketch: Future[TextSketch] | None = None

    def begin(self) -> None:
        """Read the texts in another thread, if there is one to spare."""
        if self._threads == 1 or self._provenance is not None:
            return
        reader = ThreadPoolExecutor(1)
        self._provenance = reader.submit(data_provenance, self._corpus)
        if self._wanted:
            self._sketch = reader.submit(TextSketch.of, self._corpus.texts, self._threads - 1)
        reader.shutdown(wait=False)

    def provenance(self) -> dict[str, Any]:
        """As `data_provenance` says it."""
        return data_provenance(self._corpus) if self._provenance is None else self._provenance.result()

    def sketch(self) -> Attachment | None:
        """As a model file keeps it; None where none is wanted."""
        if not self._wanted:
            return None
        made = TextSketch.of(self._corpus.texts, self._threads) if self._sketch is None else self._sketch.result()
        return made.to_attachment()
