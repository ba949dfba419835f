"""``POST /predict`` with rows: each is given back in the same format with the answer beside it, while others are read.

The body is kept in a temporary file first: so memory stays bounded whoever reads slowly, a client that sends all before
it reads gets its answer, and what is wrong with the columns is known before the answer begins.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import quote as quote_url

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from assay.errors import AssayError, ParameterError
from assay.server.arrow_packing import refuse_packed
from assay.server.desk import Desk
from assay.server.errors import ApiError, of_assay
from assay.server.metrics import ABSTAINED
from assay.server.requests import refuse_compressed
from assay.server.served_model import ServedModel
from assay.streaming.question import Question
from assay.suggest import excerpt, nearest_first, quote, quoted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BULK_TYPES", "MOST_AT_ONCE", "answer_rows"]

Value = TypeVar("Value")

#: Type of the body → the format that it is read and written in.
BULK_TYPES = {
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/x-ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "application/vnd.apache.arrow.stream": "arrow",
}

#: Bodies of rows that one worker reads at the same time.
MOST_AT_ONCE = 4

_PARTS_AHEAD = 8  # of an answer, that wait for the client
_PART = 1 << 18  # bytes

_SETTINGS = ("model", "text", "proba", "top", "threshold", "novelty", "reject")


async def answer_rows(request: Request) -> Response:
    """An answer to every row of the body."""
    desk: Desk = request.app.state.desk
    content_type = request.headers["content-type"]
    media = content_type.partition(";")[0].strip().lower()
    refuse_compressed(request)
    asked = _settings(request.query_params)
    model, question = desk.models.asked(asked.get("model"), "parameter 'model'"), _question(asked)
    encoding = _charset(content_type)
    if desk.bulk >= MOST_AT_ONCE:
        what = f"The server is reading {MOST_AT_ONCE} bodies of rows already."
        raise ApiError(429, what, "queue", "Send the rows again later.", [(b"retry-after", b"5")])
    request.scope["limits"].lift(desk.settings.bulk_limit)
    note = request.scope["note"]
    note.about(model, 0)
    work = RowsAnswered(desk, model, question)
    try:
        async for part in request.stream():
            work.spool.write(part)
        work.start(BULK_TYPES[media], asked.get("text"), encoding)
        first = await work.parts.get()
        if isinstance(first, BaseException):
            raise _said(first)
    except BaseException:
        work.stop()
        raise

    async def parts() -> AsyncIterator[bytes]:
        part: bytes | BaseException | None = first
        try:
            while part is not None:
                if isinstance(part, BaseException):
                    raise _said(part)
                yield part
                part = await work.parts.get()
        finally:
            note.texts = work.rows
            work.stop()

    told = {"x-assay-model": quote_url(model.name), "x-assay-model-sha256": model.digest}
    shown = f"{media}; charset=utf-8" if media.startswith("text/") else media
    return StreamingResponse(parts(), headers={"content-type": shown, **told})


class _Unwanted(Exception):  # noqa: N818  (nothing is wrong)
    """Nobody waits for the answer any more."""


class RowsAnswered:
    """A thread that reads rows, asks a model about them, and writes them again.

    Attributes
    ----------
    spool
        Where the body is kept.
    parts
        Of the answer; at its end None, or what went wrong.
    rows
        How many were answered so far.
    """

    def __init__(self, desk: Desk, model: ServedModel, question: Question) -> None:
        self._desk, self._model, self._question = desk, model, question
        self._loop = asyncio.get_running_loop()
        self._stopped = False
        self.spool: Any = tempfile.NamedTemporaryFile(prefix="assay-rows-")  # noqa: SIM115  (`stop` closes it)
        self.parts: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue(_PARTS_AHEAD)
        self.rows = 0
        self._waiting: list[bytes] = []
        self._size = 0
        desk.bulk += 1

    def start(self, kind: str, text: str | None, encoding: str | None) -> None:
        """Read the rows."""
        self.spool.flush()
        threading.Thread(target=self._run, args=(kind, text, encoding), name="rows", daemon=True).start()

    def stop(self) -> None:
        """Nobody wants more."""
        if self._stopped:
            return
        self._stopped = True
        self._desk.bulk -= 1
        self.spool.close()
        while not self.parts.empty():  # the thread may wait for room
            self.parts.get_nowait()

    # -- in the thread -------------------------------------------------------------------------------------------------

    def _run(self, kind: str, text: str | None, encoding: str | None) -> None:
        last: BaseException | None = None
        try:
            self._answer(kind, text, encoding)
            self._flush()
        except _Unwanted:
            return
        except BaseException as error:
            last = error
        with suppress(_Unwanted):
            self._give(last)

    def _answer(self, kind: str, text: str | None, encoding: str | None) -> None:
        from assay.data.bytes.streams import MARK_OF_PACKING, ByteSource
        from assay.data.formats.recognition import file_reader
        from assay.data.options import ReadOptions
        from assay.data.reading.batches import BatchStream
        from assay.streaming.ahead import read_ahead
        from assay.streaming.answer_columns import AnswerColumns
        from assay.streaming.predict import text_column_of
        from assay.streaming.writers import ArrowStreamWriter, Writer, open_writer
        from assay.streaming.written_sets import written_sets

        loaded = self._model.loaded
        source = ByteSource(Path(self.spool.name), "body")
        if source.size == 0:
            raise ApiError(400, "The body is empty.", "body", "Send rows, one of whose columns holds the texts.")
        if source.packing() in MARK_OF_PACKING:
            raise ApiError(415, "The body is compressed.", "body", "Send it unpacked: the server unpacks nothing.")
        if kind == "arrow":
            refuse_packed(Path(self.spool.name))
        reading = ReadOptions(
            text=text,
            label=False,
            format=kind,
            encoding=encoding or "utf-8",
            encoding_given=encoding is not None,
            labels_optional=True,
            keep_empty=True,
            expected_text=text_column_of(loaded),
        )
        stream = BatchStream(file_reader(source, reading), reading)
        answers = AnswerColumns(loaded, self._question, stream.columns)
        nested = {*stream.nested, answers.names[0]} if answers.gives_sets else stream.nested
        sink = cast("IO[bytes]", self)
        writer: Writer = (
            ArrowStreamWriter(sink, stream.schema)
            if kind == "arrow"
            else open_writer(sink, kind, delimiter=stream.delimiter, nested=nested)
        )
        with closing(read_ahead(stream, give_up=stream.give_up)) as batches:
            for batch in batches:
                if not len(batch.texts):
                    continue
                found = answers.columns(batch.texts)
                self._count(found[answers.names[0]], len(batch.texts))
                if answers.gives_sets:
                    found[answers.names[0]] = written_sets(found[answers.names[0]], loaded.labels, kind)
                writer.write({**batch.columns, **found})
        writer.close()

    def _count(self, predictions: pa.Array, n: int) -> None:
        """Count the labels of some rows, in the event loop, where all counting is done."""
        import pyarrow as pa
        import pyarrow.compute as pc

        given = pc.list_flatten(predictions) if not pa.types.is_dictionary(predictions.type) else predictions
        told = [(item["values"], item["counts"]) for item in pc.value_counts(given).to_pylist()]
        self._loop.call_soon_threadsafe(self._counted, told, n)

    def write(self, data: bytes) -> int:
        """Take some bytes of the answer, as a file does."""
        if self._stopped:
            raise _Unwanted
        self._waiting.append(bytes(data))
        self._size += len(data)
        if self._size >= _PART:
            self._flush()
        return len(data)

    def flush(self) -> None:
        """Nothing: parts are sent when they are large enough, and at the end."""

    def _flush(self) -> None:
        if self._waiting:
            part = b"".join(self._waiting)
            self._waiting, self._size = [], 0
            self._give(part)

    def _give(self, part: bytes | BaseException | None) -> None:
        """Put a part where the answer takes it from, when there is room."""
        if self._stopped:
            raise _Unwanted
        try:
            asyncio.run_coroutine_threadsafe(self.parts.put(part), self._loop).result()
        except (RuntimeError, CancelledError):  # the server has ended
            raise _Unwanted from None

    # -- in the event loop ---------------------------------------------------------------------------------------------

    def _counted(self, labels: list[tuple[str | None, int]], n: int) -> None:
        self.rows += n
        metrics, name = self._desk.metrics, self._model.name
        metrics.call(name, n)
        for label, times in labels:
            metrics.label(name, ABSTAINED if label is None else label, times)


def _settings(given: QueryParams) -> dict[str, str]:
    """What the query says, each name once."""
    for name, _ in given.multi_items():
        if name not in _SETTINGS:
            near = quoted(nearest_first(name, _SETTINGS))
            raise ApiError(422, f"There is no parameter {quote(name[:60])}.", "query", f"Parameters are {near}.")
        if len(given.getlist(name)) > 1:
            raise ApiError(422, f"The parameter {name!r} is given twice.", "query", "Give it once.")
    return dict(given)


def _question(asked: dict[str, str]) -> Question:
    flags = {
        name: _value(asked, name, {"true": True, "1": True, "false": False, "0": False}.__getitem__, "true or false")
        for name in ("proba", "novelty")
    }
    try:
        return Question(
            proba=bool(flags["proba"]),
            top=_value(asked, "top", int, "a whole number such as 3"),
            threshold=_value(asked, "threshold", _finite, "a number such as 0.8"),
            novelty=bool(flags["novelty"]),
            reject=_value(asked, "reject", _finite, "a number such as 0.8"),
        )
    except ParameterError as error:
        raise of_assay(error, "query", 422) from None


def _value(asked: dict[str, str], name: str, kind: Callable[[str], Value], expected: str) -> Value | None:
    if name not in asked:
        return None
    try:
        return kind(asked[name])
    except (ValueError, LookupError):
        what = f"This must be {expected}. Got {excerpt(asked[name])} instead."
        raise ApiError(422, what, f"parameter {name!r}", f"Give {expected}.") from None


def _finite(written: str) -> float:
    number = float(written)
    if number != number or number in (float("inf"), float("-inf")):
        raise ValueError
    return number


def _charset(content_type: str) -> str | None:
    """The encoding that a Content-Type names."""
    from assay.data.bytes.encoding import canonical_encoding

    for part in content_type.split(";")[1:]:
        name, _, value = part.strip().partition("=")
        if name.lower() == "charset" and (given := value.strip('"')):
            try:
                return canonical_encoding(given)
            except ParameterError:
                what = f"There is no encoding {quote(given[:60])}."
                way_out = "Name one as in 'charset=cp1252', or send the rows in UTF-8."
                raise ApiError(422, what, "header 'Content-Type'", way_out) from None
    return None


def _said(error: BaseException) -> BaseException:
    """What a client is told of an error of the thread."""
    return of_assay(error, "body", 422) if isinstance(error, AssayError) else error
