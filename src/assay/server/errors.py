"""What the server refuses, said as the command line says it: what was wrong, where, and the way out.

Every error answer is ``{"error": {"what": …, "where": …, "way_out": …}}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from assay.errors import AssayError, NotEnoughMemoryError
from assay.suggest import counted, nearest_first, quote, quoted

__all__ = ["ApiError", "error_body", "of_assay", "unknown_model", "v2_error_body"]

# What was wrong ends with the value that was found, where that is said.
_SENTENCE = re.compile(r"(.*?\.(?: Got .*? instead\.)?)(?: (.*))?")

_LONGEST = 1000  # characters of a part of an error: what a client sent is quoted, and may be long


class ApiError(Exception):
    """An answer that says why there is no other.

    Parameters
    ----------
    status
        Of HTTP.
    what, where, way_out
        Sentences, but `where` is a place: a field, a header, a row of the body.
    headers
        More headers of the answer, names in lower case.
    """

    def __init__(
        self, status: int, what: str, where: str, way_out: str, headers: Iterable[tuple[bytes, bytes]] = ()
    ) -> None:
        super().__init__(what)
        self.status, self.what, self.where, self.way_out = status, what, where, way_out
        self.headers = tuple(headers)


def error_body(error: ApiError) -> bytes:
    """The JSON of an error answer.

    Examples
    --------
    >>> print(error_body(ApiError(404, "There is no model 'a'.", "path", "Models are 'b'.")).decode())
    {"error":{"what":"There is no model 'a'.","where":"path","way_out":"Models are 'b'."}}
    """
    said = {"what": error.what, "where": error.where, "way_out": error.way_out}
    return msgspec.json.encode({"error": {name: _shown(value) for name, value in said.items()}})


def v2_error_body(error: ApiError) -> bytes:
    """The same as the Open Inference protocol has it: one sentence after another.

    Examples
    --------
    >>> v2_error_body(ApiError(422, "The list of texts is empty.", "inputs[0]", "Give at least one text."))
    b'{"error":"inputs[0]: The list of texts is empty. Give at least one text."}'
    """
    return msgspec.json.encode({"error": f"{_shown(error.where)}: {_shown(error.what)} {_shown(error.way_out)}"})


def of_assay(error: AssayError, where: str, status: int = 400) -> ApiError:
    """An error of the library: its first sentence says what was wrong, the others are the way out.

    Examples
    --------
    >>> from assay.errors import DataError
    >>> found = of_assay(DataError("row 3: column 'text' is empty. Fill it."), "the body")
    >>> found.what, found.way_out
    ("row 3: column 'text' is empty.", 'Fill it.')
    """
    if isinstance(error, NotEnoughMemoryError):
        status = 503
    what, rest = _SENTENCE.fullmatch(re.sub(r"\s+", " ", str(error)).strip().rstrip(".") + ".").groups()  # type: ignore[union-attr]
    return ApiError(status, what, where, rest or "Change it and ask again.")


def unknown_model(name: str, known: list[str], where: str) -> ApiError:
    """No model of that name is served; those that are, nearest first."""
    served = quoted(nearest_first(name, known))
    way_out = f"The server has {counted(len(known), 'model', 'models')}: {served}."
    return ApiError(404, f"There is no model {quote(name[:60])}.", where, way_out)


def _shown(text: str) -> str:
    """Shortened, and without halves of characters, which UTF-8 does not have."""
    kept = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return kept.encode("utf-8", "replace").decode()
