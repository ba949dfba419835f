"""The sketch of the training texts, made while a solver works."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from assay.modelfile.text_sketch import TextSketch

if TYPE_CHECKING:
    import pyarrow as pa

    from assay.modelfile.attachment import Attachment

__all__ = ["SketchBeside"]


class SketchBeside:
    """What a model remembers of its training texts, begun early and asked for late.

    A solver of two classes keeps one thread busy: the others read the texts meanwhile. Of one thread, nothing is done
    before it is asked for.

    Parameters
    ----------
    texts
        Those that the model is trained on.
    threads
        They change no bit.

    Examples
    --------
    >>> import assay
    >>> beside = SketchBeside(assay.read(["See you at noon on Friday!", "no"]).texts, threads=2)
    >>> beside.begin()
    >>> beside.attachment().settings
    {'texts': 2}
    """

    def __init__(self, texts: pa.ChunkedArray, threads: int) -> None:
        self._texts, self._threads = texts, threads
        self._begun: Future[TextSketch] | None = None

    def begin(self) -> None:
        """Read the texts in another thread, if there is one to spare."""
        if self._threads > 1 and self._begun is None:
            reader = ThreadPoolExecutor(1)
            self._begun = reader.submit(TextSketch.of, self._texts, self._threads - 1)
            reader.shutdown(wait=False)

    def attachment(self) -> Attachment:
        """As a model file keeps it."""
        made = TextSketch.of(self._texts, self._threads) if self._begun is None else self._begun.result()
        return made.to_attachment()
