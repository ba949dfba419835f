"""A workspace: a folder with data as it is, decisions that are only ever added, models and what they came to."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.data.corpus.corpus import Corpus
from assay.data.reading.corrections import text_digest
from assay.errors import DataError, ParameterError
from assay.file_access import is_there
from assay.label_sets import TASKS, LabelSets, Task
from assay.output_files import make_folder
from assay.suggest import check_choice, counted, excerpt, nearest_first, quote, quoted, shortened
from assay.wording import parameter, setting
from assay.workspace.adding import read_new
from assay.workspace.journal import Entry, Journal
from assay.workspace.learning import labelled_corpus, measuring_rows
from assay.workspace.reading import read_texts
from assay.workspace.records import (
    Decision,
    FileTaken,
    Label,
    LabelAdded,
    LabelRenamed,
    Line,
    Passed,
    Stamp,
    Undo,
    line_of,
    require_label,
    require_note,
    require_who,
    require_why,
)
from assay.workspace.settings import JOURNAL, MODELS, RUNS, Settings, is_workspace, read_settings, write_settings
from assay.workspace.sources import place_of
from assay.workspace.state import State, current_state, in_effect
from assay.workspace.texts import DIGITS, Texts

if TYPE_CHECKING:
    from assay.labeling.bought import LabelsBought
    from assay.labeling.picks import Picks
    from assay.labeling.pool import TextPool
    from assay.workspace.status import Status

__all__ = ["Given", "Workspace"]


class Given(NamedTuple):
    """One of several decisions that are recorded together; `who` where it is somebody else."""

    text: str
    label: Label
    why: str = "chosen"
    note: str | None = None
    who: str | None = None


class Workspace:
    r"""A folder with texts, the decisions of people about them, and models.

    The folder is the truth: whatever is held here can be made again from it, and what others write into it meanwhile is
    seen by the next question. `docs/reference/workspace.md` is the written format.

    Parameters
    ----------
    folder
        A workspace that is there already; `Workspace.create` makes one.

    Attributes
    ----------
    folder
        Where it is.
    settings
        What ``workspace.json`` says.

    Examples
    --------
    >>> import tempfile
    >>> place = tempfile.TemporaryDirectory()
    >>> data = Path(place.name, "reviews.csv")
    >>> _ = data.write_text("text\nloved it\nso dull\ngreat fun\n")
    >>> space = Workspace.create(Path(place.name, "reviews"), [data], labels=["pos", "neg"])
    >>> decision = space.record("loved it", "pos", who="ana", why="random")
    >>> len(space.texts), space.label_names, space.decisions[decision.text].label
    (3, ('pos', 'neg'), 'pos')
    >>> space.undo("ana").label, len(space.decisions)
    ('pos', 0)
    >>> place.cleanup()
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.settings = read_settings(self.folder)
        self._journal = Journal(self.folder / JOURNAL)
        self._mutex = threading.RLock()
        self._lines: list[Line] = []
        self._ids: set[str] = set()
        self._state = State(list(self.settings.labels))
        self._texts: Texts | None = None
        self._pool: TextPool | None = None
        self.refresh()

    # -- making ----------------------------------------------------------------------------------------------------

    @classmethod
    @in_our_words
    def create(
        cls,
        folder: str | os.PathLike[str],
        data: Sequence[str | os.PathLike[str]] = (),
        *,
        labels: Sequence[str] = (),
        task: Task | None = None,
        measure: float = 0.1,
        seed: int = 0,
        copy: bool = False,
        **reading: Any,
    ) -> Self:
        """Make a workspace; nothing is written before all of the data could be read.

        Parameters
        ----------
        folder
            Made if it is not there; other files in it are left alone.
        data
            Files or folders, as `assay.read` takes them; labels that come with them are kept.
        labels
            The labels that people are to choose from, beside those of the data.
        task
            "labels" for one label a text, "label-sets" for sets of them; None: what the data shows.
        measure
            The share of the texts that is kept aside: shown in random order, and never trained on.
        seed
            Which texts these are.
        copy
            Copy the data into the folder, instead of saying where it lies.
        reading
            Settings of `assay.read`, such as ``text="review"``.
        """
        home = Path(folder)
        if is_there(home) and is_workspace(home):
            raise ParameterError(
                f"{home}: this is a workspace already. 'assay workspace add {home} DATA' adds data to it."
            )
        if task is not None:
            check_choice("task", task, TASKS)
        if not 0 <= measure <= 0.5:
            raise ParameterError(
                f"{parameter('measure')} must be the share of the texts that is kept aside, from 0 to 0.5. Got "
                f"{shortened(measure)} instead."
            )
        names = [require_label(label) for label in labels]
        settings = Settings(labels=tuple(dict.fromkeys(names)), measure=float(measure), seed=seed)
        if task is not None:
            settings = replace(settings, task=task)
        new = read_new(home, settings, data, task, copy=copy, reading=reading)
        make_folder(home)
        new.copy_files()
        write_settings(home, new.into(home, settings))
        for name in (MODELS, RUNS):
            make_folder(home / name)
        made = cls(home)
        made._journal.notes += new.notes
        return made

    @in_our_words
    def add(self, data: Sequence[str | os.PathLike[str]], *, copy: bool = False, **reading: Any) -> tuple[str, ...]:
        """Add data; a file that is there already, or one that moved or changed, is taken as it is now.

        Returns what was guessed, left out or repaired, in sentences.
        """
        self.refresh()
        task = self.settings.task if self.settings.data else None
        new = read_new(self.folder, self.settings, data, task, copy=copy, reading=reading)
        new.copy_files()
        with self._mutex:
            with self._journal.writing():
                write_settings(self.folder, new.into(self.folder, read_settings(self.folder)))
            self.refresh(again=True)
        return new.notes

    # -- what there is ---------------------------------------------------------------------------------------------

    @property
    def texts(self) -> Corpus:
        """All different texts of the data, without labels; rows elsewhere are rows of it."""
        return self.known.corpus

    @property
    def known(self) -> Texts:
        """The texts with their digests, and with the labels that came with the data."""
        if self._texts is None:
            self._texts = read_texts(self.folder, self.settings)
        return self._texts

    @property
    def task(self) -> Task:
        """What a text is given: one label, or a set of them."""
        return self.settings.task

    @property
    def state(self) -> State:
        """What all lines of the journal come to, those of others too, as far as they have been read."""
        return self._state

    @property
    def label_names(self) -> tuple[str, ...]:
        """The labels that there are now."""
        return tuple(self._state.names)

    @property
    def decisions(self) -> Mapping[str, Decision]:
        """Text → the latest decision about it, by whomever."""
        return self._state.decided

    @property
    def coders(self) -> tuple[str, ...]:
        """Who decided something that still counts."""
        return tuple(who for who, decisions in self._state.by_coder.items() if decisions)

    def decisions_by(self, who: str) -> Mapping[str, Decision]:
        """Text → the latest decision of one person about it."""
        return self._state.by_coder.get(who, {})

    def passed(self, who: str) -> set[int]:
        """The rows of the texts that somebody saw and did not decide."""
        rows = self.known.rows_of(sorted(self._state.passed.get(who, ())))
        return set(rows[rows >= 0].tolist())

    def conflicts(self) -> dict[str, dict[str, Label]]:
        """Texts that people decided differently: text → person → label. The latest decision counts."""
        return self._state.conflicts()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was repaired in the journal since this was opened, in sentences."""
        return tuple(self._journal.notes)

    @property
    def set_aside(self) -> tuple[Path, ...]:
        """Ends of the journal that were cut off and set aside, ever."""
        return tuple(sorted(self.folder.glob(f"{JOURNAL}.torn-*")))

    def label_of(self, row: int) -> Label | None:
        """The label of a text: what was decided, else what the data says; None for none."""
        decision = self._state.decided.get(self.known.id(row))
        return self._state.renamed_label(self.known.labels[row]) if decision is None else decision.label

    def labels(self) -> list[Label | None]:
        """The label of each text, see `label_of`."""
        found = [self._state.renamed_label(label) for label in self.known.labels]
        rows = self.known.rows_of(list(self.decisions)).tolist()
        for row, decision in zip(rows, self.decisions.values(), strict=True):
            if row >= 0:
                found[row] = decision.label
        return found

    def refresh(self, *, again: bool = False) -> None:
        """Read what others have written meanwhile; with `again`, all lines anew."""
        with self._mutex:
            settings = read_settings(self.folder)
            if settings != self.settings:
                self.settings, self._texts, again = settings, None, True
            if again:
                self._journal = _renewed(self._journal)
            fresh, news = self._journal.news()
            self._follow(fresh or again, news)

    # -- deciding --------------------------------------------------------------------------------------------------

    @in_our_words
    def record(
        self,
        text: str | int,
        label: str | Iterable[str],
        *,
        who: str,
        why: str = "chosen",
        note: str | None = None,
    ) -> Decision:
        """Write a decision down; it is on the disk when this returns.

        Parameters
        ----------
        text
            A text of the data, its digest, or its row in `texts`.
        label
            One of `label_names`; or several, where the task is label sets.
        who
            Who decided.
        why
            Why the text was shown, see `assay.workspace.WHYS`.
        note
            What they want to be kept beside it.
        """
        id, decided = self._id(text), self._label(label)
        how = require_who(who), require_why(why), require_note(note)
        with self._mutex, self._journal.writing() as held:
            self._follow(held.fresh, held.news)
            decision = Decision(Stamp.now(how[0]), id, decided, self._before(id), how[1], how[2])
            self._write(held, [decision])
        return decision

    def record_file(
        self, given: Sequence[Given], *, who: str, file: str, sha256: str, new_labels: Sequence[str] = ()
    ) -> tuple[Decision, ...]:
        """Write decisions down that came back in a file: all of them or, whatever happens, none."""
        require_who(who)
        stamp = Stamp.now(who)
        with self._mutex, self._journal.writing() as held:
            self._follow(held.fresh, held.news)
            added = [LabelAdded(_another(stamp), require_label(name), of=stamp.id) for name in new_labels]
            known = {*self.label_names, *new_labels}
            decisions = [self._decision(one, stamp, known) for one in given]
            taken = FileTaken(stamp, file, sha256, len(added) + len(decisions))
            self._write(held, [taken, *added, *decisions])
        return tuple(decisions)

    def pass_over(self, text: str | int, *, who: str, why: str = "chosen", note: str | None = None) -> None:
        """Write down that somebody saw a text and did not decide."""
        line = Passed(Stamp.now(require_who(who)), self._id(text), require_why(why), require_note(note))
        self._add(line)

    def undo(self, who: str) -> Decision | Passed | FileTaken | None:
        """Take back the last thing that somebody decided and that still counts, again and again to the first.

        Returns it; None where there is nothing left.
        """
        with self._mutex, self._journal.writing() as held:
            self._follow(held.fresh, held.news)
            last = self.last_of(who)
            if last is not None:
                self._write(held, [Undo(Stamp.now(who), last.stamp.id)])
        return last

    def last_of(self, who: str) -> Decision | Passed | FileTaken | None:
        """What `undo` would take back."""
        for line in reversed(in_effect(self._lines)):
            own = line.stamp.who == who and getattr(line, "of", None) is None
            if own and isinstance(line, (Decision, Passed, FileTaken)):
                return line
        return None

    def add_label(self, name: str, *, who: str) -> None:
        """Add a label to choose from; one that is there already stays as it is."""
        if require_label(name) not in self.label_names:
            self._add(LabelAdded(Stamp.now(require_who(who)), name))

    def rename_label(self, name: str, to: str, *, who: str, merge: bool = False) -> None:
        """Call a label otherwise, in everything that was decided and in the data's own labels.

        Parameters
        ----------
        name, to
            The label, and its name from now on.
        who
            Who decided.
        merge
            Whether `to` may be a label that there is: the two are one from then on.
        """
        self._require_known(name, set(self.label_names))
        if require_label(to) == name:
            raise ParameterError(f"{quote(name)} is what the label is called already. Give another name.")
        if to in self.label_names and not merge:
            raise ParameterError(
                f"There is a label {quote(to)} already. Use {setting('merge', True)} to make the two one, or give "
                "another name."
            )
        self._add(LabelRenamed(Stamp.now(require_who(who)), name, to))

    # -- learning --------------------------------------------------------------------------------------------------

    def labelled(self) -> Corpus:
        """The texts to train on, with the labels of the data and those decided, which win.

        Texts that are kept for measuring are left out, and so are near-copies of them.
        """
        return labelled_corpus(self)

    def measuring(self) -> Corpus | None:
        """The texts that were shown at random and decided, with their labels: never trained on; None for none."""
        rows = measuring_rows(self)
        return self.with_labels(rows, [self.label_of(row) for row in rows.tolist()], {}) if rows.size else None

    def reserved(self) -> NDArray[np.int64]:
        """The rows of the texts that are kept aside for measuring, in the random order in which they are shown."""
        pool = self.pool
        chosen = np.flatnonzero(pool.aside)
        return chosen[np.argsort(pool.places[chosen], kind="stable")]

    @property
    def pool(self) -> TextPool:
        """The texts as those to choose from; what is found about them is found once."""
        from assay.labeling.pool import TextPool

        if self._pool is None or self._pool.corpus is not self.texts:
            self._pool = TextPool(self.texts, share=self.settings.measure, seed=self.settings.seed)
        return self._pool

    def next(self, n: int = 20, *, who: str | None = None, model: Any = None) -> Picks:
        """The texts to label next, see `assay.labeling.TextPool.pick`; rows are rows of `texts`.

        Parameters
        ----------
        n
            How many at most.
        who
            Who is asked: what they passed over is not picked. None: nobody in particular.
        model
            A classifier that says what it is unsure of; None: one is learned from the labels.
        """
        self.refresh()
        return self.choice(n, who=who, model=model)()

    def choice(self, n: int, *, who: str | None = None, model: Any = None) -> Callable[[], Picks]:
        """What `next` does, with all that it has to know of the workspace now: it may run in another thread."""
        from assay.workspace.picking import choice_of

        return choice_of(self, n, who, model)

    def bought(self, *, worth: float = 0.01) -> LabelsBought:
        """What the labels so far have bought, as they came, and what more would bring: see `labels_bought`."""
        from assay.workspace.picking import bought_by

        self.refresh()
        return bought_by(self, worth)

    def unlabelled(self) -> NDArray[np.int64]:
        """The rows of the texts without a label."""
        decided = np.zeros(len(self.known), bool)
        found = self.known.rows_of(list(self.decisions))
        decided[found[found >= 0]] = True
        given = np.fromiter((label is not None for label in self.known.labels), bool, len(self.known))
        return np.flatnonzero(~decided & ~given)

    @property
    def models(self) -> tuple[Path, ...]:
        """The models that were trained here, the oldest first."""
        return tuple(sorted((self.folder / MODELS).glob("*.assay")))

    @property
    def newest_model(self) -> Path | None:
        """The last of them."""
        return self.models[-1] if self.models else None

    @property
    def next_model(self) -> tuple[Path, Path]:
        """Where the next model goes, and the folder of its run."""
        taken = [int(path.stem) for path in (*self.models, *self.folder.glob(f"{RUNS}/*")) if path.stem.isdecimal()]
        number = f"{max(taken, default=0) + 1:04d}"
        return self.folder / MODELS / f"{number}.assay", self.folder / RUNS / number

    @property
    def data_files(self) -> tuple[Path, ...]:
        """Where the data lies, there or not."""
        return tuple(place_of(self.folder, source) for source in self.settings.data)

    def test_corpus(self, corpus: Corpus) -> Corpus | None:
        """The texts that are kept aside, where they can test a model of a corpus: enough, and of its labels."""
        from assay.workspace.measuring import FEWEST

        aside = self.measuring()
        if aside is None or len(aside) < FEWEST:
            return None
        there = {corpus.label_names[k] for k in np.flatnonzero(corpus.class_counts)}
        known = {aside.label_names[k] for k in np.flatnonzero(aside.class_counts)} <= there
        return aside if known else None

    def since(self, model: Path | None) -> int:
        """How many decisions are newer than a model; all of them where there is none."""
        from assay.workspace.training import last_line_of

        last = None if model is None else last_line_of(self.folder, model)
        known = next((n for n, line in enumerate(self._lines, start=1) if line.stamp.id == last), 0)
        return sum(isinstance(line, Decision) for line in in_effect(self._lines[known:]))

    @property
    def last_line(self) -> str | None:
        """The id of the last line of the journal that was read."""
        return self._lines[-1].stamp.id if self._lines else None

    def train(self, *, quick: bool = False, threads: int | None = None, **settings: Any) -> Path:
        """Train a model on all that was decided, into ``models/``; what it was made of goes to ``runs/``.

        Parameters
        ----------
        quick
            Logistic regression on words and pairs of words, without a search: in about a second.
        threads
            None: every core. It changes no bit of the model.
        settings
            Of `assay.train`.
        """
        from assay.workspace.training import train_in

        return train_in(self, quick=quick, threads=threads, **settings)

    def status(self) -> Status:
        """How far it is: texts, labels, people, the newest model and what it is worth, and what to do next."""
        from assay.workspace.status import status_of

        return status_of(self)

    def with_labels(
        self, rows: NDArray[np.int64], labels: Sequence[Label | None], changes: Mapping[str, Any]
    ) -> Corpus:
        """Some of the texts as a corpus with labels."""
        names = self.label_names
        number = {name: k for k, name in enumerate(names)}
        chosen = self.texts.select(rows)
        if self.task == "label-sets":
            sets = LabelSets.of_rows([[number[name] for name in label or ()] for label in labels], len(names))
            return chosen.with_label_sets(sets, names, changes=changes)
        classes = np.array([number[str(label)] for label in labels], np.int32)
        return chosen.with_labels(classes, names, changes=changes)

    def holding(self) -> Any:
        """The lock of the workspace, for as long as a ``with`` block lasts: nobody else writes meanwhile."""
        return self._journal.writing()

    def __repr__(self) -> str:
        decided = counted(len(self.decisions), "decision", "decisions")
        return f"<Workspace {str(self.folder)!r}: {decided}, {counted(len(self.label_names), 'label', 'labels')}>"

    # -- inside ----------------------------------------------------------------------------------------------------

    def _add(self, line: Line) -> None:
        with self._mutex, self._journal.writing() as held:
            self._follow(held.fresh, held.news)
            self._write(held, [line])

    def _write(self, held: Any, lines: Sequence[Line]) -> None:
        self._follow(False, held.append([line.to_json() for line in lines]))

    def _follow(self, fresh: bool, news: Sequence[Entry]) -> None:
        """Take in new lines; `fresh` says that they are all that there are."""
        found = [line_of(entry.value, f"{self._journal.path}, line {entry.line}") for entry in news]
        known = set() if fresh else self._ids
        self._lines = found if fresh else [*self._lines, *found] if found else self._lines
        self._ids = known | {line.stamp.id for line in found}
        plain = len(self._ids) == len(known) + len(found) and not any(isinstance(line, Undo) for line in found)
        if fresh or not plain:
            self._state = current_state(self._lines, self.settings.labels)
        else:
            for line in found:
                self._state.apply(line)

    def _decision(self, given: Given, stamp: Stamp, known: set[str]) -> Decision:
        """One of the decisions that come with the line of this stamp."""
        id, why, note = self._id(given.text), require_why(given.why), require_note(given.note)
        own = replace(_another(stamp), who=require_who(given.who)) if given.who is not None else _another(stamp)
        return Decision(own, id, self._label(given.label, known), self._before(id), why, note, stamp.id)

    def _id(self, text: str | int) -> str:
        """The digest of a text of this workspace, given by itself, by its digest or by its row."""
        if isinstance(text, (int, np.integer)):
            if not 0 <= text < len(self.known):
                raise ParameterError(f"text must be a row from 0 to {len(self.known) - 1:,}. Got {text} instead.")
            return self.known.id(int(text))
        row = self.known.row(text)
        if row is None:
            row = self.known.row(text_digest(text, DIGITS))
        if row is None:
            raise DataError(
                f"{self.folder}: there is no text {excerpt(text)} in this workspace. Give a text as the data has it, "
                "its digest, or its row."
            )
        return self.known.id(row)

    def _label(self, label: str | Iterable[str], known: set[str] | None = None) -> Label:
        names = set(self.label_names) if known is None else known
        if self.task == "labels":
            if not isinstance(label, str):
                raise ParameterError(
                    f"label must be one label: a text has one in this workspace. Got {shortened(label)} instead."
                )
            return self._require_known(label, names)
        listed = [label] if isinstance(label, str) else list(label)
        wanted = {self._require_known(name, names) for name in listed}
        order = [*self.label_names, *(name for name in listed if name not in self.label_names)]
        return tuple(dict.fromkeys(name for name in order if name in wanted))

    def _require_known(self, name: str, names: set[str]) -> str:
        if name in names:
            return name
        listed = quoted(nearest_first(str(name), self.label_names)) or "none yet"
        raise ParameterError(
            f"There is no label {quote(name)} in this workspace: labels are {listed}. Choose one of them, or add it."
        )

    def _before(self, id: str) -> Label | None:
        decision = self._state.decided.get(id)
        if decision is not None:
            return decision.label
        row = self.known.row(id)
        return None if row is None else self._state.renamed_label(self.known.labels[row])


def _renewed(journal: Journal) -> Journal:
    new = Journal(journal.path)
    new.notes = journal.notes
    return new


def _another(stamp: Stamp) -> Stamp:
    """A stamp of the same person and moment."""
    return replace(stamp, id=Stamp.now(stamp.who).id)
