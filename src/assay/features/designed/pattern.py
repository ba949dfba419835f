r"""Regular expressions that no text can keep busy: the same answers as Python's `re`, in time that grows with the text.

`re` tries one way after the other, and `(a+)+b` has more ways than there is time. Here all ways are followed at once
(Thompson 1968), from the end of the text to its beginning: at every position stands the set of states from which the
rest of the text can be matched, so one walk says of all positions whether a match begins there. Sets that were met
before are not worked out again. Only whether there is a match is asked for, not how long it is; greedy and lazy
repeats are then the same.

What a single character or an assertion means is asked of `re` itself, so that it is the same for every character of
Unicode. What needs memory of the way, such as back-references and look-around, is refused, and so is what is too large
(a repeat counts as so many copies) or too deep.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from functools import cached_property
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

__all__ = ["DEEPEST", "MOST_STATES", "Pattern", "PatternError"]

#: States of a pattern: every character, repeat and alternative is one, a repeated piece once for each copy.
MOST_STATES = 1000
#: Groups, repeats and alternatives inside each other; the parser of `re` gives up at a depth that its caller decides.
DEEPEST = 100

_ROOM = 100_000  # members of sets of states that are remembered
_SHORT, _MANY = 50, 10_000  # letters of a word whose answer is remembered, and such words
_ONE_CHARACTER = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN)
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
_REFUSED = {
    codes.ASSERT: "look-around",
    codes.ASSERT_NOT: "look-around",
    codes.ATOMIC_GROUP: "an atomic group",
    codes.FAILURE: "look-around",
    codes.GROUPREF: "a back-reference",
    codes.GROUPREF_EXISTS: "a condition",
    codes.POSSESSIVE_REPEAT: "a possessive repeat",
}
_ASSERTIONS = {
    codes.AT_BEGINNING: "^",
    codes.AT_BEGINNING_STRING: r"\A",
    codes.AT_BOUNDARY: r"\b",
    codes.AT_NON_BOUNDARY: r"\B",
    codes.AT_END: "$",
    codes.AT_END_STRING: r"\Z",
}
_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}
_FLAGS = re.IGNORECASE | re.ASCII | re.DOTALL | re.MULTILINE
_OF_TYPE = re.ASCII | re.UNICODE | re.LOCALE

Place = tuple[str, str]
"""What assertions look at: the kind of the character before a position, and of those after it; see `_place`."""


class PatternError(ValueError):
    """A regular expression that is not taken."""


class Pattern:
    r"""A regular expression, in Python's writing.

    Parameters
    ----------
    text
        Literals, sets, ``.``, ``\d \s \w`` and their opposites, ``^ $ \A \Z \b \B``, groups, ``|``, repeats and flags.

    Examples
    --------
    >>> Pattern(r"(a+)+b").fullmatch("a" * 10_000 + "c")
    False
    >>> sorted(Pattern(r"\bno+").positions("no, piano noon"))
    [0, 10]
    """

    def __init__(self, text: str) -> None:
        try:
            parsed = _parsed(text)
            self._states = _States(parsed, parsed.state.flags)
            self._longest = int(parsed.getwidth()[1])  # characters of a match
        except RecursionError:
            raise _too_deep() from None
        self._answers: dict[str, bool] = {}  # the same words come again and again
        self._first: dict[str, bool] = {}

    def fullmatch(self, text: str) -> bool:
        """Whether all of the text matches."""
        known = self._answers.get(text)
        if known is None:
            known = self._fullmatch(text)
            if len(text) <= _SHORT:
                if len(self._answers) == _MANY:
                    self._answers.clear()
                self._answers[text] = known
        return known

    def _fullmatch(self, text: str) -> bool:
        machine = self._whole
        reached = machine.last(_place(text, len(text)))
        for i in range(len(text) - 1, -1, -1):
            reached = reached.steps.get(text[i]) or machine.step(reached, text, i)
            if not reached.members:
                return False
        return reached.matches

    def match(self, text: str, position: int) -> bool:
        """Whether a match begins at a position."""
        return position in self._walk(text, position, min(len(text), position + self._longest))

    def may_begin(self, character: str) -> bool:
        """Whether a match could begin with this character; often not, and then nothing else need be looked at."""
        known = self._first.get(character)
        if known is None:
            opened = self._states.opened
            known = 0 in opened or any(state in opened and reads(character) for state, _, reads in self._states.reads)
            if len(self._first) == _MANY:
                self._first.clear()
            self._first[character] = known
        return known

    def positions(self, text: str) -> set[int]:
        """Where matches begin."""
        return self._walk(text, 0, len(text))

    def _walk(self, text: str, begin: int, end: int) -> set[int]:
        machine = self._prefix
        reached = machine.last(_place(text, end))
        found = {end} if reached.matches else set()
        i = end
        for character in reversed(text[begin:end]):
            i -= 1
            reached = reached.steps.get(character) or machine.step(reached, text, i)
            if reached.matches:
                found.add(i)
        return found

    @cached_property
    def _whole(self) -> _Machine:
        return _Machine(self._states, whole=True)

    @cached_property
    def _prefix(self) -> _Machine:
        return _Machine(self._states, whole=False)


def _parsed(text: str) -> Any:
    """What the parser of `re` makes of a pattern, which warns of sets that a later Python may read otherwise."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return _parser.parse(text)
    except OverflowError:
        raise PatternError("a number in it is too large") from None
    except ValueError as error:
        raise PatternError("a number in it is too large" if "digits" in str(error) else str(error)) from None


def _too_deep() -> PatternError:
    return PatternError(f"more than {DEEPEST} groups, repeats or alternatives stand inside each other")


class _States:
    """The states of a pattern; 0 is the end of a match, where nothing is left to be matched.

    Attributes
    ----------
    start
        Where all of the pattern is left to be matched.
    reads
        State, the state after it, and the character that is read between them.
    silent
        For a state, those from which it is reached without reading, each with the assertion that must hold.
    """

    def __init__(self, parsed: Iterable[Any], flags: int) -> None:
        self.n_states = 1
        self._depth = -1  # the whole stands inside nothing
        self.reads: list[tuple[int, int, Callable[[str], object]]] = []
        self.silent: dict[int, list[tuple[int, re.Pattern[str] | None]]] = {}
        self.start = self._sequence(parsed, flags, 0)

    @property
    def asserts(self) -> bool:
        """Whether it matters what stands around a position."""
        return any(assertion is not None for edges in self.silent.values() for _, assertion in edges)

    @cached_property
    def opened(self) -> set[int]:
        """States that are reached from the start without reading, if every assertion holds."""
        then: dict[int, list[int]] = {}
        for state, edges in self.silent.items():
            for before, _ in edges:
                then.setdefault(before, []).append(state)
        opened, left = {self.start}, [self.start]
        while left:
            further = {state for state in then.get(left.pop(), ()) if state not in opened}
            opened |= further
            left += further
        return opened

    def _sequence(self, nodes: Iterable[Any], flags: int, after: int) -> int:
        """The state from which the nodes are matched one after the other, and then what is left `after` them."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise _too_deep()
        for operation, argument in reversed(list(nodes)):
            after = self._node(operation, argument, flags, after)
        self._depth -= 1
        return after

    def _node(self, operation: Any, argument: Any, flags: int, after: int) -> int:
        if operation in _ONE_CHARACTER:
            state = self._new_state()
            self.reads.append((state, after, _compiled(_one_character(operation, argument), flags).fullmatch))
            return state
        if operation is codes.AT:
            return self._leading_to([after], _compiled(_ASSERTIONS[argument], flags))
        if operation is codes.BRANCH:
            return self._leading_to([self._sequence(branch, flags, after) for branch in argument[1]])
        if operation is codes.SUBPATTERN:
            _, added, removed, nodes = argument
            kept = flags & ~_OF_TYPE if added & _OF_TYPE else flags
            return self._sequence(nodes, (kept | added) & ~removed, after)
        if operation in _REPEATS:
            least, most, nodes = argument
            return self._repeated(least, most, nodes, flags, after)
        raise PatternError(f"it has {_REFUSED.get(operation, operation)}, which could take for ever")

    def _repeated(self, least: int, most: int, nodes: Any, flags: int, after: int) -> int:
        if most is codes.MAXREPEAT:
            loop = self._leading_to([after])
            self._connect(loop, self._sequence(nodes, flags, loop))
            after = loop
        for _ in range(0 if most is codes.MAXREPEAT else most - least):
            after = self._leading_to([self._sequence(nodes, flags, after), after])
        for _ in range(least):
            after = self._leading_to([self._sequence(nodes, flags, after)])
        return after

    def _leading_to(self, others: Iterable[int], assertion: re.Pattern[str] | None = None) -> int:
        state = self._new_state()
        for other in others:
            self._connect(state, other, assertion)
        return state

    def _connect(self, state: int, other: int, assertion: re.Pattern[str] | None = None) -> None:
        self.silent.setdefault(other, []).append((state, assertion))

    def _new_state(self) -> int:
        if self.n_states == MOST_STATES:
            raise PatternError(f"it is too large: more than {MOST_STATES:,} states, of which a repeat makes copies")
        self.n_states += 1
        return self.n_states - 1


class _Reached:
    """States from which the rest of a text can be matched, and where one more character before it leads to."""

    __slots__ = ("matches", "members", "steps")

    def __init__(self, members: frozenset[int], start: int) -> None:
        self.members = members
        self.matches = start in members
        self.steps: dict[str | tuple[str, Place], _Reached] = {}  # with the place where assertions look at it


class _Machine:
    """Walks over a text from its end to its beginning.

    With `whole`, a match must end where the text does; else anywhere.
    """

    def __init__(self, states: _States, *, whole: bool) -> None:
        self._states = states
        self._whole = whole
        self._asserts = states.asserts
        self._known: dict[frozenset[int], _Reached] = {}
        self._room = _ROOM

    def last(self, place: Place) -> _Reached:
        """What is reached at the end of a text."""
        return self._remembered(self._closed({0}, place))

    def step(self, reached: _Reached, text: str, i: int) -> _Reached:
        """What is reached before character i, from what is reached after it."""
        place = _place(text, i)
        step = (text[i], place) if self._asserts else text[i]
        if step in reached.steps:
            return reached.steps[step]
        after = reached.members
        found = {state for state, then, reads in self._states.reads if then in after and reads(text[i])}
        if not self._whole:
            found.add(0)
        before = self._remembered(self._closed(found, place))
        self._room -= 1
        reached.steps[step] = before
        return before

    def _closed(self, members: set[int], place: Place) -> frozenset[int]:
        """The states, and those from which they are reached without reading."""
        left = list(members)
        while left:
            for state, assertion in self._states.silent.get(left.pop(), ()):
                if state not in members and (assertion is None or assertion.match("".join(place), len(place[0]))):
                    members.add(state)
                    left.append(state)
        return frozenset(members)

    def _remembered(self, members: frozenset[int]) -> _Reached:
        if self._room < 0:
            self._known, self._room = {}, _ROOM
        found = self._known.get(members)
        if found is None:
            self._room -= len(members) + 1
            found = self._known[members] = _Reached(members, self._states.start)
        return found


def _place(text: str, i: int) -> Place:
    """A short text that is at its position what a text is at position i, to every assertion."""
    before = _kind(text[i - 1]) if i else ""
    if i == len(text):
        return before, ""
    more = "." if i + 1 < len(text) else ""  # a line end matters more at the very end
    return before, _kind(text[i]) + more


def _kind(character: str) -> str:
    """A character that assertions take for the same."""
    if character.isalnum() or character == "_":
        return "a" if character.isascii() else "é"
    return "\n" if character == "\n" else "."


def _one_character(operation: Any, argument: Any) -> str:
    """A node that reads one character, as it is written."""
    if operation is codes.ANY:
        return "."
    if operation is not codes.IN:
        return f"[{'^' if operation is codes.NOT_LITERAL else ''}{_escaped(argument)}]"
    return f"[{''.join(map(_member, argument))}]"


def _member(item: tuple[Any, Any]) -> str:
    """One member of a set."""
    kind, value = item
    if kind is codes.NEGATE:
        return "^"
    if kind is codes.RANGE:
        return f"{_escaped(value[0])}-{_escaped(value[1])}"
    return _CATEGORIES[value] if kind is codes.CATEGORY else _escaped(value)


def _escaped(point: int) -> str:
    return f"\\U{point:08x}"


def _compiled(text: str, flags: int) -> re.Pattern[str]:
    return re.compile(text, flags & _FLAGS)
