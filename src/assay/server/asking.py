"""What ``POST /predict`` and ``POST /explain`` take, read from JSON.

A body that is as it should be is read in one go. Only one that is not is looked at again, slowly, to say what is wrong
with it, at which place, and what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar

import msgspec

from assay.errors import ParameterError
from assay.server.errors import ApiError, of_assay
from assay.streaming.question import Question
from assay.suggest import excerpt, nearest_first, quote, quoted, shortened

__all__ = ["ExplainRequest", "PredictRequest", "check_object", "check_texts", "decode", "read_body"]

#: Characters of one text: longer than a long book, and no text to give a label.
LONGEST_TEXT = 2_000_000


class PredictRequest(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """Texts and a question about them; the guide to serving describes the fields."""

    texts: list[str]
    model: str | None = None
    proba: bool | None = None
    top: int | None = None
    threshold: float | None = None
    novelty: bool = False
    reject: float | None = None

    @property
    def told(self) -> bool:
        """Whether probabilities are wanted: they are, unless they were refused."""
        return self.proba is not False

    def question(self) -> Question:
        """What the model is asked."""
        if self.top is None and self.threshold is None and self.reject is None and not self.proba and not self.novelty:
            return USUAL
        try:
            return Question(bool(self.proba), self.top, self.threshold, self.novelty, self.reject)
        except ParameterError as error:
            field = next((name for name in ("top", "threshold", "reject") if f"{name} must" in str(error)), "")
            raise of_assay(error, f"field {field!r}", 422) from None


USUAL = Question()


class ExplainRequest(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A text, and what is to be explained about its answer."""

    text: str
    model: str | None = None
    label: str | None = None
    against: str | None = None
    top: int | None = None


Request = TypeVar("Request", PredictRequest, ExplainRequest)

_DECODERS: dict[type, Any] = {
    PredictRequest: msgspec.json.Decoder(PredictRequest),
    ExplainRequest: msgspec.json.Decoder(ExplainRequest),
}

_EXAMPLES: dict[Any, str] = {PredictRequest: '{"texts": ["loved it"]}', ExplainRequest: '{"text": "loved it"}'}

#: Field → what it must be, and the types that JSON gives it.
_KINDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "texts": ("a list of texts", (list,)),
    "text": ("a text", (str,)),
    "model": ("the name of a model", (str, type(None))),
    "label": ("a label", (str, type(None))),
    "against": ("a label", (str, type(None))),
    "proba": ("true or false", (bool, type(None))),
    "novelty": ("true or false", (bool,)),
    "top": ("a whole number such as 3", (int, type(None))),
    "threshold": ("a number such as 0.8", (int, float, type(None))),
    "reject": ("a number such as 0.8", (int, float, type(None))),
}


def read_body(body: bytes, kind: type[Request]) -> Request:
    """The request in a body; an `ApiError` that says what is wrong with it."""
    request = decode(body, kind)
    if isinstance(request, PredictRequest):
        check_texts(request.texts)
    else:
        check_texts([request.text], "field 'text'")
    return request


def decode(body: bytes, kind: type[Request]) -> Request:
    """The body as a request, the texts of which have not been looked at."""
    try:
        request: Request = _DECODERS[kind].decode(body)
        return request
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        _say_why_not(body, kind)


def check_texts(texts: Sequence[str], where: str = "field 'texts'") -> None:
    """Refuse what no text is: none at all, one too long, one with a NUL or with half a character."""
    if not texts:
        raise ApiError(422, "The list of texts is empty.", where, "Give at least one text.")
    for at, text in enumerate(texts):
        # A half of a pair of UTF-16 that stands alone is no character: JSON can write it, and UTF-8 has it not.
        if len(text) <= LONGEST_TEXT and (text.isascii() or _SURROGATES.search(text) is None) and "\0" not in text:
            continue
        place = where if where == "field 'text'" else f"{where}, text {at + 1}"
        if len(text) > LONGEST_TEXT:
            what = f"The text has {len(text):,} characters, and the server takes {LONGEST_TEXT:,} at most."
            raise ApiError(413, what, place, "Cut it into parts, such as chapters.")
        if "\0" in text:
            what = f"The text {excerpt(text)} has a NUL character at {text.index(chr(0)) + 1:,}."
            raise ApiError(
                422, what, place, "Take it out: it is a sign of data that is no text, or of another encoding."
            )
        raise _half_a_character(place)


_SURROGATES = re.compile("[\ud800-\udfff]")


def _half_a_character(where: str) -> ApiError:
    what = "The text has half of a character: an escape such as \\ud83d without its second half."
    return ApiError(400, what, where, "Write the character itself in UTF-8, or both halves.")


def _say_why_not(body: bytes, kind: type[Any]) -> NoReturn:
    """Look for what is wrong with a body."""
    example = f"The body must be like {_EXAMPLES[kind]}."
    found = check_object(body, _EXAMPLES[kind])
    fields = [field.name for field in msgspec.structs.fields(kind)]
    for name in found:
        if name not in fields:
            near = quoted(nearest_first(name, fields))
            raise ApiError(422, f"There is no field {quote(name[:60])}.", "body", f"Fields are {near}.")
    required = fields[0]
    if required not in found:
        raise ApiError(422, f"The field {required!r} is missing.", "body", example)
    for name, value in found.items():
        expected, types = _KINDS[name]
        if type(value) not in types:
            raise _wrong(f"field {name!r}", expected, value)
        if name == "texts":
            for at, item in enumerate(value):
                if type(item) is not str:
                    raise _wrong(f"field 'texts', text {at + 1}", "a text", item)
    raise ApiError(422, "The body has a value that is too large.", "body", example)


def check_object(body: bytes, like: str) -> dict[str, Any]:
    """The object of JSON in a body; an `ApiError` where there is none, which shows what it must be `like`."""
    example = f"The body must be like {like}."
    if not body.strip():
        raise ApiError(400, "The body is empty.", "body", example)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        what = f"The body is not UTF-8: byte {error.start + 1:,} is 0x{body[error.start]:02x}."
        raise ApiError(400, what, "body", "Encode it as UTF-8.") from None
    try:
        found = msgspec.json.decode(body)
    except RecursionError:
        raise ApiError(400, "The JSON is nested too deep.", "body", example) from None
    except msgspec.MsgspecError as error:
        if re.search(r"\\u[dD][89a-fA-F]", text):
            raise _half_a_character("body") from None
        said = re.sub(r"^JSON is malformed: ", "", str(error))
        raise ApiError(400, f"The body is no valid JSON: {said}.", "body", example) from None
    if not isinstance(found, dict):
        what = f"The body is {_called(found)}, and must be an object."
        raise ApiError(400, what, "body", example)
    return found


def _wrong(where: str, expected: str, value: Any) -> ApiError:
    shown = _called(value) if isinstance(value, (list, dict)) else _shown(value)
    return ApiError(422, f"This must be {expected}. Got {shown} instead.", where, f"Give {expected}.")


def _called(value: Any) -> str:
    """What JSON calls a value."""
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else _shown(value)


def _shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return excerpt(value) if isinstance(value, str) else shortened(value)
