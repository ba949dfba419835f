"""A person and the texts of a workspace: a text is shown, a key decides, that is on the disk, the next is shown."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING

from assay.cli.labeling.card import help_lines, key_lines, text_lines, wide_pages
from assay.cli.labeling.keyboard import END, Keyboard
from assay.cli.labeling.keys import ACTIONS, label_keys
from assay.errors import ParameterError
from assay.suggest import counted, excerpt, nearest_first, quote, quoted
from assay.terminal import visible
from assay.workspace.picking import Picker, Shown
from assay.workspace.records import Decision, FileTaken, require_label
from assay.workspace.texts import read_label

if TYPE_CHECKING:
    from assay.cli.options.screen import Screen
    from assay.workspace import Workspace

__all__ = ["label_texts"]


_MANY = 5_000  # texts, of which it takes a moment to choose the first


def label_texts(space: Workspace, who: str, screen: Screen, *, retrain: int, by_lines: bool) -> int:
    """Ask for labels until there are no texts left, or somebody ends it; returns how many were given."""
    if retrain < 0:
        raise ParameterError(f"--retrain must be a number of labels, or 0 for never. Got {retrain} instead.")
    if not len(space.texts):
        raise ParameterError(
            f"{space.folder}: there are no texts yet. Add some: assay workspace add {space.folder} DATA."
        )
    if len(space.texts) > _MANY:
        _say(f"Looking at {counted(len(space.texts), 'text', 'texts')} …")
    with Keyboard(by_lines=by_lines) as keyboard:
        session = _Session(space, who, keyboard, retrain)
        session.run()
    if not screen.silent:
        _say(f"{counted(session.given, 'label', 'labels')} → {space.folder}. {space.status().next_step}")
    return session.given


class _Session:
    """What is on the screen, and what a key does."""

    def __init__(self, space: Workspace, who: str, keyboard: Keyboard, retrain: int) -> None:
        self.space, self.who, self.keyboard = space, who, keyboard
        self.picker = Picker(space, who, every=retrain)
        self.given = 0
        self._shown: Shown | None = None
        self._chosen: list[str] = []
        self._note: str | None = None
        self._page = 0

    @property
    def sets(self) -> bool:
        """Whether a text may have several labels."""
        return self.space.task == "label-sets"

    def run(self) -> None:
        """One text after the other."""
        if not self.space.label_names:
            _say("There are no labels yet.")
            self._new_label()
        while (shown := self.picker.next()) is not None:
            self.space.refresh()  # others may have added labels
            self._shown, self._chosen, self._note, self._page = shown, [], None, 0
            self.keyboard.forget()
            self._show()
            while self._shown is shown:
                if not self._answer(self.keyboard.key()):
                    return
        _say("There are no more texts to label.")

    def _answer(self, key: str) -> bool:
        """Do what a key, or a line, says; False to end."""
        assert self._shown is not None, "a text is shown"
        keys = label_keys(self.space.label_names)
        action = ACTIONS.get(key[:1]) if len(key) == 1 or key[:1] in (":", "+") or key[:2] == "n " else None
        rest = key[1:].strip()
        if key == END or action == "quit":
            return False
        if key in keys:
            self._label(keys[key])
        elif self.keyboard.by_lines and key in self.space.label_names:
            self._label(key)
        elif action == "undo":
            self._undo()
        elif action == "skip":
            self.space.pass_over(self._shown.row, who=self.who, why=self._shown.why, note=self._note)
            self._shown = None
        elif action == "note":
            self._note = rest or self.keyboard.line("Note: ") or None
            self._prompt()
        elif action == "more":
            self._page += 1
            self._show()
        elif action == "new label":
            self._new_label(rest)
            self._prompt()
        elif action == "label by name":
            self._by_name(rest or self.keyboard.line("Label: "))
        elif action == "help":
            for line in help_lines(sets=self.sets):
                _say(line)
            self._prompt()
        elif self.sets and key in ("\n", ""):
            if self.keyboard.by_lines or key == "\n":
                self._decide(self._chosen)
        elif key.strip():
            self._unknown(key)
        return True

    def _label(self, name: str) -> None:
        if not self.sets:
            self._decide(name)
        elif name in self._chosen:
            self._chosen.remove(name)
            self._prompt()
        else:
            self._chosen.append(name)
            self._prompt()

    def _decide(self, label: str | list[str]) -> None:
        """Write it down; only then the text is done."""
        assert self._shown is not None, "a text is shown"
        decision = self.space.record(self._shown.row, label, who=self.who, why=self._shown.why, note=self._note)
        _say(f"  → {read_label(decision.label)}")
        self.given += 1
        self._shown = None
        self.picker.labelled()

    def _undo(self) -> None:
        """Take the last decision back, and show its text again."""
        assert self._shown is not None, "a text is shown"
        last = self.space.last_of(self.who)
        if last is None:
            _say("There is nothing to take back.")
            return
        if isinstance(last, FileTaken):
            asked = f"Take back {last.file}, with {counted(last.lines, 'line', 'lines')}? Type yes: "
            if self.keyboard.line(asked).casefold() != "yes":
                self._prompt()
                return
            self.space.undo(self.who)
            self._prompt()
            return
        self.space.undo(self.who)
        row = self.space.known.row(last.text)
        if isinstance(last, Decision):
            self.given = max(self.given - 1, 0)
            _say(f"  taken back: {read_label(last.label)}")
        else:
            _say("  shown again, as it was passed over")
        if row is None:
            _say("  Its text is not in the data now.")
            return
        self.picker.put_back(self._shown)
        self.picker.put_back(Shown(row, last.why, "shown again"))
        self._shown = None

    def _new_label(self, name: str = "") -> None:
        name = name or self.keyboard.line("New label (nothing for none): ")
        if name:
            try:
                self.space.add_label(require_label(name), who=self.who)
            except ParameterError as error:
                _say(str(error))

    def _by_name(self, name: str) -> None:
        """The label of this name, or the only one that begins so."""
        names = self.space.label_names
        found = [label for label in names if label == name] or [
            label for label in names if name and label.casefold().startswith(name.casefold())
        ]
        if len(found) == 1:
            self._label(found[0])
        elif name:
            self._unknown(name)
        else:
            self._prompt()

    def _unknown(self, key: str) -> None:
        near = quoted(nearest_first(key, self.space.label_names), 5)
        _say(f"{excerpt(key)} is no key and no label; labels are {near or 'none yet'}. ? shows the keys.")

    def _show(self) -> None:
        """The text, as much as there is room for, where it stands, why it is shown, and the keys."""
        assert self._shown is not None, "a text is shown"
        width, height = wide_pages()
        row = self._shown.row
        lines, more = text_lines(self.space.texts[row].text, self._page, width - 2, height)
        if not lines:
            self._page = 0
            lines, more = text_lines(self.space.texts[row].text, 0, width - 2, height)
        left = len(self.space.unlabelled())
        _say("─" * width)
        said = self._shown.sentence or self._shown.why
        place = self.space.texts.origin.place(row)
        header = visible(f"{place} · {said} · {self.given:,} given, {left:,} without a label")
        for line in textwrap.wrap(header, width):
            _say(line)
        _say("")
        for line in lines:
            _say(f"  {line}")
        if more:
            _say("  … m shows more")
        _say("")
        self._prompt()

    def _prompt(self) -> None:
        """The keys, and what is chosen so far."""
        width, _ = wide_pages()
        keys = label_keys(self.space.label_names)
        others = len(self.space.label_names) - len(keys)
        for line in key_lines(keys, self._chosen, others, width, sets=self.sets):
            _say(line)
        if self._note:
            _say(f"note: {visible(quote(self._note))}")
        sys.stderr.write("> ")
        sys.stderr.flush()


def _say(line: str) -> None:
    sys.stderr.write(visible(line) + "\n")
