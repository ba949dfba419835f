"""`assay.updating.update_onward`: new labels, and the file of a model whose old texts are gone, make the next model."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.classifier.text_classifier import TextClassifier
from assay.data.corpus.corpus import Corpus
from assay.errors import ParameterError
from assay.modelfile.cross_validated import CROSS_VALIDATION
from assay.modelfile.held_out_answers import HeldOutAnswers
from assay.modelfile.record import ModelRecord
from assay.modelfile.text_sketch import TextSketch
from assay.prediction.linear_model import LinearTextModel
from assay.suggest import counted
from assay.threads import count_threads
from assay.training.watching import Silent, Watcher
from assay.updating.given import open_model, parent_of, read_new_labels
from assay.updating.held_out import chosen_by_content, fit_for_test
from assay.updating.known_training import frozen_test
from assay.updating.merging import joined
from assay.updating.new_labels import NewLabels
from assay.updating.onward.afterwards import finished
from assay.updating.onward.learning import Learned, Step
from assay.updating.onward.told import told_by
from assay.updating.result import Counts, ModelUpdate, lineage_of, refuse_if_worse
from assay.updating.worth import FEWEST, before_and_after

if TYPE_CHECKING:
    from assay.evaluation.protocols.comparison_result import Comparison

__all__ = ["update_onward"]

Mask = NDArray[np.bool_]


@in_our_words
def update_onward(
    model: Any,
    corrections: Any,
    *,
    test: Any = None,
    new_labels: bool = False,
    even_if_worse: bool = False,
    strength: float = 1.0,
    threads: int | None = None,
    watcher: Watcher | None = None,
) -> ModelUpdate:
    """Go on from a model alone with labels that people gave since, and say whether it is better now.

    Linear learners move as little as the new texts allow, each weight held by as many old texts as had its word; naive
    Bayes adds to its counts; perceptrons pass on. What needs the old texts is refused. Nothing is written.

    Parameters
    ----------
    model
        The file of a model, or a classifier.
    corrections
        Labelled texts, in any form that `assay.read` takes. Of a text that the model has learned from before, the old
        label still counts. A column ``why`` says why a text was shown to a person: those with ``random`` are tested on
        and not learned from, and those with another reason are never tested on.
    test
        Labelled texts to compare before and after on; None: those that earlier updates have kept for it and those that
        were drawn at random, or else a part of the texts that are there for no said reason.
    new_labels
        Take labels that the model does not have for new classes.
    even_if_worse
        Give the new model also where it is clearly worse, instead of raising a `WorseModelError`.
    strength
        Factor, above 0, of what holds the old weights; 1 is what as many old texts as there were hold them by.
    threads
        None: every core. It changes no bit of the model.
    watcher
        Is told how far it is.

    Examples
    --------
    >>> from assay import TextClassifier
    >>> model = TextClassifier().fit(["loved it", "so dull", "great fun", "dull mess"], ["pos", "neg", "pos", "neg"])
    >>> found = update_onward(model, (["what a joy", "joy and fun"], ["pos", "pos"]))
    >>> found.way, found.counts.added, found.model.predict(["joy"]).tolist()
    ('onward', 2, ['pos'])
    """
    if not 0 < strength < np.inf:
        raise ParameterError(f"The pull's strength must be a number above 0. Got {strength!r} instead.")
    path, classifier = open_model(model)
    told = told_by(classifier)
    new = read_new_labels(classifier, corrections, allow_new=new_labels)
    brought = None if test is None else read_new_labels(classifier, test, allow_new=True).corpus
    parent = parent_of(classifier, path)
    step = Step.of(classifier, told, new.names, strength, count_threads(threads))
    watcher = watcher or Silent()
    watcher.stage("learning from the new texts")
    texts = _Texts.of(classifier, new)
    made = step.learned(texts.learned)
    watcher.stage("looking at what follows the scores")
    finished_model, said = finished(made.model, step, texts.learned, texts.usable)
    counts = Counts(added=len(texts.learned), kept_for_test=len(texts.drawn), met=int(texts.met.sum()))
    lineage = lineage_of(classifier, parent, "onward", counts, new.corpus)
    record = _record(classifier, made, finished_model, texts.learned, step.threads)
    record.lineage = lineage
    updated = TextClassifier.from_parts(finished_model, record)
    watcher.stage("comparing before and after")
    frozen = None if path is None else frozen_test(path, parent.sha256)
    comparison, measured_by, held_out, notes = _compared(step, updated, texts, brought, frozen)
    found = ModelUpdate(
        model=updated,
        way="onward",
        counts=counts,
        new_labels=new.names,
        comparison=comparison,
        measured_by=measured_by,
        lineage=lineage,
        notes=(*new.notes, *texts.notes, *_words_said(made), *said, *notes),
        train=texts.learned,
        test=held_out,
    )
    return refuse_if_worse(found, even_if_worse=even_if_worse)


class _Texts:
    """What becomes of the new texts.

    Attributes
    ----------
    learned, drawn
        Those that are learned from, and those that were drawn at random, which are tested on.
    usable
        Of those learned from, whether they may tell how good a model is: nothing says why they were shown, and the old
        model had not learned from them.
    met
        Of those learned from, whether the old model had, too.
    notes
        What should be known of them.
    """

    def __init__(self, new: NewLabels, sketch: TextSketch | None) -> None:
        corpus = new.corpus
        same = near = np.zeros(len(corpus), bool)
        if sketch is not None and len(corpus):
            same, near = sketch.known(corpus.texts)
        self.learned, self.drawn = corpus.select(~new.drawn), corpus.select(new.drawn & ~near)
        self.met, self.usable = same[~new.drawn], (new.unasked & ~near)[~new.drawn]
        self.notes: list[str] = []
        if (new.drawn & near).any():
            what = counted(int((new.drawn & near).sum()), "text drawn at random is", "texts drawn at random are")
            self.notes.append(f"{what} nearly the same as one that the model has learned from, and not tested on")
        if self.met.any():
            what = counted(int(self.met.sum()), "text is", "texts are")
            self.notes.append(
                f"{what} of those that the model has learned from: the old label is not in its file, and still counts "
                "beside the new one"
            )
        if len(new.left_out):
            what = counted(len(new.left_out), "text is", "texts are")
            self.notes.append(f"{what} to be left out, which only a training on the old texts can do: nothing was done")

    @classmethod
    def of(cls, classifier: Any, new: NewLabels) -> _Texts:
        """Held against what the model remembers of its texts."""
        return cls(new, TextSketch.from_attachment(classifier.record.sketch))


def _words_said(made: Learned) -> list[str]:
    return [f"{counted(made.n_words, 'n-gram is', 'n-grams are')} new to the model"] if made.n_words else []


def _compared(
    step: Step, updated: TextClassifier, texts: _Texts, brought: Corpus | None, frozen: Corpus | None
) -> tuple[Comparison | None, str, Corpus | None, list[str]]:
    """Before and after, how that was measured, and what stays held out."""
    old, told = step.classifier, step.told
    how: dict[str, Any] = {"seed": told.seed, "threads": step.threads}
    metric = old.provenance.get("metric")
    test = brought
    if test is None:
        parts = [part for part in (frozen, texts.drawn) if part is not None and len(part)]
        test = joined(parts[0], parts[1], old.decision.label_type) if len(parts) == 2 else parts[0] if parts else None
    notes: list[str] = []
    if test is not None:
        test, notes = _apart(test, texts.learned, step.labels)
        where = "on the given test" if brought is not None else "on texts that no update learns from"
        if brought is not None or len(test) >= FEWEST:
            found = before_and_after(old, updated, test, metric, **how)
            return found, _measured(found, where, len(test)), test, notes
    usable = np.flatnonzero(texts.usable)
    first = texts.learned.near_copies.first
    out = np.zeros(len(texts.learned), bool)
    out[usable] = chosen_by_content(texts.learned, first, told.seed)[usable]
    part, _ = _apart(texts.learned.select(out), texts.learned.select(~out), step.labels)
    if len(part) < FEWEST:
        n = len(part) if test is None else len(test)
        return None, f"{counted(n, 'text is', 'texts are')} there to compare on, too few", test, notes
    without = step.learned(texts.learned.select(~out)).model
    rest = TextClassifier.from_parts(finished_like(updated.model, without))
    found = before_and_after(old, rest, part, metric, **how)
    return (
        found,
        _measured(found, "by one more model, which a fifth of the new texts was kept from, on that fifth", len(part)),
        test,
        notes,
    )


def finished_like(model: LinearTextModel, other: LinearTextModel) -> LinearTextModel:
    """Another model with what follows the scores of the first."""
    return replace(other, calibration=model.calibration, rule=model.rule, cap=model.cap)


def _measured(found: Comparison | None, where: str, n: int) -> str:
    return f"{'too few labels are there to compare ' if found is None else ''}{where}: {counted(n, 'text', 'texts')}"


def _apart(test: Corpus, learned: Corpus, labels: tuple[str, ...]) -> tuple[Corpus, list[str]]:
    """The texts of a test that are not nearly the same as new ones that are learned from."""
    near = np.zeros(len(test), bool)
    if len(learned) and len(test):
        first = joined(learned, test, test.label_type).near_copies.first
        near = np.isin(first[len(learned) :], first[: len(learned)])
    kept, notes = fit_for_test(test, near, labels)
    return test.select(kept), notes


def _record(classifier: Any, made: Learned, model: LinearTextModel, learned: Corpus, threads: int) -> ModelRecord:
    """What the file of the new model says beside its answers."""
    old: ModelRecord = classifier.record
    told = {name: part for name, part in old.provenance.items() if name != CROSS_VALIDATION}
    data = {name: part for name, part in told["data"].items() if name != "sha256"}
    more = dict(zip(learned.label_names, learned.class_counts.tolist(), strict=True))
    sizes = dict(data["classes"])
    for label, n in more.items():
        if n:
            sizes[label] = sizes.get(label, 0) + n
    told["data"] = {**data, "rows": data["rows"] + len(learned), "classes": dict(sorted(sizes.items()))}
    told["created"] = datetime.now(UTC).replace(microsecond=0).isoformat()
    record = ModelRecord(told, state=None if len(learned) else old.state)
    if made.state is not None:
        record.state = made.state.to_attachment(model.weights.dtype)
    sketch = TextSketch.from_attachment(old.sketch)
    if sketch is not None:
        record.sketch = sketch.plus(learned.texts, threads).to_attachment() if len(learned) else old.sketch
    if len(model.labels) == len(classifier.labels):
        record.novelty, record.held_out = old.novelty, old.held_out
        return record
    answers = HeldOutAnswers.from_attachment(old.held_out, len(classifier.labels))
    if answers is not None:
        place = np.array([model.labels.index(label) for label in classifier.labels], np.int32)
        record.held_out = replace(answers, truth=place[answers.truth], given=place[answers.given]).to_attachment()
    return record
