"""What the lines of a journal come to: which labels there are, and what each text is, by whom and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from assay.workspace.records import Decision, FileTaken, Label, LabelAdded, LabelRenamed, Line, Passed, Undo

__all__ = ["State", "current_state", "in_effect", "names_of"]


@dataclass
class State:
    """The outcome of some lines, one after the other.

    Attributes
    ----------
    names
        The labels that there are now, in the order in which they came up.
    renamed
        Labels of the data, which are not rewritten → what they are called now.
    decided
        Text → its latest decision, by whomever.
    by_coder
        Person → text → their latest decision.
    first
        Text → its first decision, which says why the text was shown.
    passed
        Person → the texts that they saw and did not decide.
    files
        The files of decisions that were taken, by the digest of their content.
    """

    names: list[str]
    renamed: dict[str, str] = field(default_factory=dict)
    decided: dict[str, Decision] = field(default_factory=dict)
    by_coder: dict[str, dict[str, Decision]] = field(default_factory=dict)
    first: dict[str, Decision] = field(default_factory=dict)
    passed: dict[str, set[str]] = field(default_factory=dict)
    files: dict[str, FileTaken] = field(default_factory=dict)

    def apply(self, line: Line) -> None:
        """Follow a line, which must be no `Undo`."""
        if isinstance(line, Decision):
            self.names += [name for name in names_of(line.label) if name not in self.names]
            self.decided[line.text] = line
            self.first.setdefault(line.text, line)
            self.by_coder.setdefault(line.stamp.who, {})[line.text] = line
            self.passed.get(line.stamp.who, set()).discard(line.text)
        elif isinstance(line, Passed):
            self.passed.setdefault(line.stamp.who, set()).add(line.text)
        elif isinstance(line, LabelAdded):
            if line.label not in self.names:
                self.names.append(line.label)
        elif isinstance(line, LabelRenamed):
            self._rename(line)
        elif isinstance(line, FileTaken):
            self.files[line.sha256] = line

    def renamed_label(self, label: Label | None) -> Label | None:
        """What a label of the data, or a set of them, is called now."""
        if label is None or isinstance(label, str):
            return None if label is None else self.renamed.get(label, label)
        return tuple(dict.fromkeys(self.renamed.get(name, name) for name in label))

    def conflicts(self) -> dict[str, dict[str, Label]]:
        """Texts for which the latest decisions of people differ: text → person → label."""
        by_text: dict[str, dict[str, Label]] = {}
        for who, decisions in self.by_coder.items():
            for text, decision in decisions.items():
                by_text.setdefault(text, {})[who] = decision.label
        return {text: said for text, said in by_text.items() if len({_as_set(label) for label in said.values()}) > 1}

    def counts(self) -> Counter[str]:
        """How many decided texts each label has."""
        return Counter(name for decision in self.decided.values() for name in names_of(decision.label))

    def _rename(self, line: LabelRenamed) -> None:
        if line.label not in self.names:
            return  # taken out already: by the same renaming on another machine, for instance
        place = self.names.index(line.label)
        if line.to in self.names:
            del self.names[place]
        else:
            self.names[place] = line.to
        for label, now in list(self.renamed.items()):
            if now == line.label:
                self.renamed[label] = line.to
        self.renamed[line.label] = line.to
        for decisions in (self.decided, self.first, *self.by_coder.values()):
            for text, decision in decisions.items():
                if line.label in names_of(decision.label):
                    decisions[text] = replace(decision, label=_with(decision.label, line.label, line.to))


def current_state(lines: Sequence[Line], names: Iterable[str]) -> State:
    """What some lines come to, those that were undone left out; `names` are the labels from the beginning.

    Examples
    --------
    >>> from assay.workspace.records import Stamp
    >>> stamps = [Stamp(str(n), "2026-03-02T10:00:00.000Z", "ana") for n in range(3)]
    >>> first, second = (Decision(stamps[n], "sha256:0", label) for n, label in enumerate(["spam", "ham"]))
    >>> undo = Undo(stamps[2], undoes=second.stamp.id)
    >>> current_state([first, second, undo], ["ham", "spam"]).decided["sha256:0"].label
    'spam'
    """
    state = State(list(dict.fromkeys(names)))
    for line in in_effect(lines):
        state.apply(line)
    return state


def in_effect(lines: Sequence[Line]) -> list[Line]:
    """The lines that were not undone, without the undoing; what is there twice under one id counts once."""
    undone: set[str] = set()
    kept: list[Line] = []
    for line in reversed(lines):
        if line.stamp.id in undone or getattr(line, "of", None) in undone:
            continue
        if isinstance(line, Undo):
            undone.add(line.undoes)
        else:
            kept.append(line)
    return list({line.stamp.id: line for line in reversed(kept)}.values())


def names_of(label: Label) -> tuple[str, ...]:
    """The labels of a text, one or several.

    Examples
    --------
    >>> names_of("spam"), names_of(("city", "sport"))
    (('spam',), ('city', 'sport'))
    """
    return (label,) if isinstance(label, str) else label


def _as_set(label: Label) -> frozenset[str]:
    return frozenset(names_of(label))


def _with(label: Label, name: str, to: str) -> Label:
    """A label, or a set of them, in which one is called otherwise."""
    if isinstance(label, str):
        return to
    return tuple(dict.fromkeys(to if one == name else one for one in label))
