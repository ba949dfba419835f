"""What a line of ``labels.jsonl`` says: a decision, that one is taken back, that a text was passed over, and so on.

Every line has ``id``, ``time`` (UTC), ``who`` and ``do``, which says what kind it is; the classes below are the kinds.
`docs/reference/workspace.md` is the written format.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, Self, TypeAlias

from assay.errors import DataError, ParameterError
from assay.suggest import excerpt, quoted, shortened

__all__ = [
    "WHYS",
    "Decision",
    "FileTaken",
    "Label",
    "LabelAdded",
    "LabelRenamed",
    "Line",
    "Passed",
    "Stamp",
    "Undo",
    "line_of",
    "require_label",
    "require_note",
    "require_who",
    "require_why",
]

#: One label, or several where the task is label sets.
Label: TypeAlias = str | tuple[str, ...]

#: Why a text was shown; "review-…" are the reasons of ``assay predict --review``.
WHYS = ("random", "uncertain", "diverse", "rare-word", "rare-neighbor", "suspect", "cold-start", "chosen")

_WHY = re.compile(r"[a-z][a-z0-9-]{0,39}")
_TEXT = re.compile(r"sha256:[0-9a-f]{32}")
_LONGEST = {"label": 1_000, "who": 100, "note": 10_000, "time": 40, "id": 100, "file": 1_000}


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every line begins with."""

    id: str
    time: str
    who: str

    @classmethod
    def now(cls, who: str) -> Self:
        """Of somebody who does something now."""
        time = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return cls(secrets.token_hex(8), time, who)


@dataclass(frozen=True, slots=True)
class Decision:
    """A label, or a set of labels, for a text and all its copies.

    Attributes
    ----------
    stamp
        When and by whom.
    text
        The digest of the text.
    label
        What was decided, as it is called now: a later renaming is followed.
    before
        The label that the text had then, by the data or by a decision; None for none.
    why
        Why the text was shown, see `WHYS`.
    note
        What the person wrote beside it.
    of
        The id of the `FileTaken` that it came with; None where somebody was asked.
    """

    do: ClassVar[str] = "label"
    stamp: Stamp
    text: str
    label: Label
    before: Label | None = None
    why: str = "chosen"
    note: str | None = None
    of: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The line."""
        name = "label" if isinstance(self.label, str) else "labels"
        more = {"note": self.note, "of": self.of}
        return {
            **_stamped(self),
            "text": self.text,
            name: _plain(self.label),
            "before": _plain(self.before),
            "why": self.why,
            **{key: value for key, value in more.items() if value is not None},
        }


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody saw a text and did not decide."""

    do: ClassVar[str] = "pass"
    stamp: Stamp
    text: str
    why: str = "chosen"
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The line."""
        note = {} if self.note is None else {"note": self.note}
        return {**_stamped(self), "text": self.text, "why": self.why, **note}


@dataclass(frozen=True, slots=True)
class Undo:
    """An earlier line does not count any more; of a `FileTaken`, all that came with it."""

    do: ClassVar[str] = "undo"
    stamp: Stamp
    undoes: str

    def to_json(self) -> dict[str, Any]:
        """The line."""
        return {**_stamped(self), "undoes": self.undoes}


@dataclass(frozen=True, slots=True)
class LabelAdded:
    """From now on there is one more label."""

    do: ClassVar[str] = "add-label"
    stamp: Stamp
    label: str
    of: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The line."""
        return {**_stamped(self), "label": self.label, **({} if self.of is None else {"of": self.of})}


@dataclass(frozen=True, slots=True)
class LabelRenamed:
    """What was called `label` so far is called `to`; where there was a `to` already, the two are one from now on."""

    do: ClassVar[str] = "rename-label"
    stamp: Stamp
    label: str
    to: str

    def to_json(self) -> dict[str, Any]:
        """The line."""
        return {**_stamped(self), "label": self.label, "to": self.to}


@dataclass(frozen=True, slots=True)
class FileTaken:
    """A file of decisions was taken back: the next `lines` lines came with it."""

    do: ClassVar[str] = "file"
    stamp: Stamp
    file: str
    sha256: str
    lines: int

    def to_json(self) -> dict[str, Any]:
        """The line."""
        return {**_stamped(self), "file": self.file, "sha256": self.sha256, "lines": self.lines}


Line: TypeAlias = Decision | Passed | Undo | LabelAdded | LabelRenamed | FileTaken


def line_of(value: dict[str, Any], place: str) -> Line:
    """The line that an object of JSON stands for; an error, with its place, where it stands for none.

    Examples
    --------
    >>> stamp = {"id": "a1", "time": "2026-03-02T10:00:00.000Z", "who": "ana"}
    >>> line_of(stamp | {"do": "undo", "undoes": "a0"}, "labels.jsonl, line 3").undoes
    'a0'
    >>> line_of(stamp | {"do": "undoo"}, "labels.jsonl, line 3")
    Traceback (most recent call last):
        ...
    assay.errors.DataError: labels.jsonl, line 3: 'do' is 'undoo', which is none of 'label', 'pass', 'undo',
    'add-label', 'rename-label', 'file'. A newer assay may know it; else put the line right, or take it out.
    """
    try:
        return _line(value)
    except ValueError as error:
        raise DataError(
            f"{place}: {error}. A newer assay may know it; else put the line right, or take it out."
        ) from None


def require_label(label: str, what: str = "a label") -> str:
    """Refuse what cannot be the name of a label: nothing but blanks, or what a line cannot hold."""
    if not isinstance(label, str) or not label.strip():
        raise ParameterError(f"{what} must be a text that is not empty. Got {shortened(label)} instead.")
    return _sound(label, "label", what)


def require_why(why: str) -> str:
    """Refuse what cannot be a reason: reasons are short words such as those of `WHYS`."""
    if not isinstance(why, str) or not _WHY.fullmatch(why):
        raise ParameterError(f"why must be one of {quoted(WHYS)}, or another short word. Got {shortened(why)} instead.")
    return why


def require_who(who: str) -> str:
    """Refuse what cannot stand for a person."""
    if not isinstance(who, str) or not who.strip() or not who.isprintable():
        raise ParameterError(f"who must be a name of a person, on one line. Got {shortened(who)} instead.")
    return _sound(who, "who", "who")


def require_note(note: str | None) -> str | None:
    """Refuse what a line cannot hold as a note; an empty one is none."""
    return _sound(note, "note", "note") if note else None


def _line(value: dict[str, Any]) -> Line:
    do = _string(value, "do", longest=40)
    stamp = Stamp(_string(value, "id"), _string(value, "time"), _string(value, "who"))
    if do == Decision.do:
        text = _text(value)
        label = _labels(value["labels"]) if "labels" in value else _string(value, "label")
        before, why = _before(value.get("before")), _why(value)
        return Decision(stamp, text, label, before, why, _maybe(value, "note"), _maybe(value, "of", "id"))
    if do == Passed.do:
        return Passed(stamp, _text(value), _why(value), _maybe(value, "note"))
    if do == Undo.do:
        return Undo(stamp, _string(value, "undoes", "id"))
    if do == LabelAdded.do:
        return LabelAdded(stamp, _string(value, "label"), _maybe(value, "of", "id"))
    if do == LabelRenamed.do:
        return LabelRenamed(stamp, _string(value, "label"), _string(value, "to", "label"))
    if do == FileTaken.do:
        lines = value.get("lines")
        if type(lines) is not int or lines < 0:
            raise ValueError(f"'lines' is {shortened(lines)}, which is no number of lines")
        return FileTaken(stamp, _string(value, "file"), _string(value, "sha256", "id"), lines)
    kinds = [kind.do for kind in (Decision, Passed, Undo, LabelAdded, LabelRenamed, FileTaken)]
    raise ValueError(f"'do' is {excerpt(do)}, which is none of {quoted(kinds)}")


def _stamped(line: Line) -> dict[str, Any]:
    return {"id": line.stamp.id, "time": line.stamp.time, "who": line.stamp.who, "do": line.do}


def _plain(label: Label | None) -> str | list[str] | None:
    return list(label) if isinstance(label, tuple) else label


def _string(value: dict[str, Any], name: str, kind: str | None = None, *, longest: int | None = None) -> str:
    found = value.get(name)
    if not isinstance(found, str) or not found:
        raise ValueError(f"'{name}' is {'missing' if name not in value else shortened(found)}, where a text is needed")
    most = longest or _LONGEST[kind or name]
    if len(found) > most:
        raise ValueError(f"'{name}' is {len(found):,} characters long, and {most:,} are the most")
    try:
        return found if found.isascii() else found.encode().decode()
    except UnicodeEncodeError:
        raise ValueError(f"'{name}' is {shortened(found)}, which cannot be written as UTF-8") from None


def _maybe(value: dict[str, Any], name: str, kind: str | None = None) -> str | None:
    return None if value.get(name) is None else _string(value, name, kind)


def _text(value: dict[str, Any]) -> str:
    found = _string(value, "text", "id")
    if not _TEXT.fullmatch(found):
        raise ValueError(f"'text' is {excerpt(found)}, which is no digest of a text (sha256: and 32 digits)")
    return found


def _why(value: dict[str, Any]) -> str:
    found = _string(value, "why", longest=40)
    if not _WHY.fullmatch(found):
        raise ValueError(f"'why' is {excerpt(found)}, which is no reason such as {quoted(WHYS, 3)}")
    return found


def _labels(found: Any) -> tuple[str, ...]:
    if not isinstance(found, list):
        raise ValueError(f"'labels' is {shortened(found)}, where a list of texts is needed")
    return tuple(_string({"label": label}, "label") for label in found)


def _before(found: Any) -> Label | None:
    return found if found is None else _labels(found) if isinstance(found, list) else _string({"label": found}, "label")


def _sound(text: str, kind: str, what: str) -> str:
    try:
        return _string({kind: text}, kind)
    except ValueError as error:
        raise ParameterError(f"{what}: {error}.") from None
