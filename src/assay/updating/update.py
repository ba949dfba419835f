"""`assay.update`: a model, and labels that came since, make the next model."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.arguments import in_our_words
from assay.data.corpus.corpus import Corpus
from assay.data.options import ReadOptions
from assay.data.reading.read import read_given, read_with
from assay.errors import DataError, ParameterError, UnclearColumnError
from assay.loading import load
from assay.modelfile.lineage import Parent
from assay.modelfile.provenance import model_reference
from assay.suggest import excerpt
from assay.threads import count_threads
from assay.training.watching import Silent, Watcher
from assay.updating.again import TrainingAgain
from assay.updating.known_training import known_training
from assay.updating.new_labels import NewLabels, take_new_labels
from assay.updating.old_data import find_old_data, old_data
from assay.updating.result import ModelUpdate, WorseModelError
from assay.wording import setting

__all__ = ["read_new_labels", "update"]


@in_our_words
def update(
    model: Any,
    corrections: Any,
    *,
    data: Any = None,
    test: Any = None,
    settings: str | os.PathLike[str] | None = None,
    new_labels: bool = False,
    only_known: bool = False,
    other_data: bool = False,
    even_if_worse: bool = False,
    threads: int | None = None,
    watcher: Watcher | None = None,
) -> ModelUpdate:
    """Train a model again with labels that people gave since, and say whether it is better now.

    Nothing is written: ``update(…).model.save(…)`` does.

    Parameters
    ----------
    model
        The file of a model, or a classifier.
    corrections
        Labelled texts, in any form that `assay.read` takes: a label in the place of the old one where the text is one
        that the model learned from, letter by letter, and a new text elsewhere. A label ``-``, where no label is called
        so, leaves the text out. A column ``why`` says why a text was shown to a person; those with ``random`` are
        tested on and not learned from.
    data
        What the model was trained on; None: where the run folder beside the model says it is.
    test
        Labelled texts to compare the old and the new model on, which neither learned from; None: those that were held
        out when it was trained, or else a part of the old texts without which two more models are trained.
    settings
        The settings.toml of the training, where it does not lie in the run folder beside the model.
    new_labels
        Take labels that the model does not have for new classes.
    only_known
        Refuse texts that the old data does not have.
    other_data
        Take `data` that is not, by its digest, what the model was trained on.
    even_if_worse
        Give the new model also where it is clearly worse, instead of raising a `WorseModelError`.
    threads
        None: every core. It changes no bit of the model.
    watcher
        Is told how far it is.

    Examples
    --------
    >>> from assay import TextClassifier
    >>> texts, labels = ["loved it", "so dull", "great fun", "a dull mess"], ["pos", "neg", "pos", "pos"]
    >>> model = TextClassifier().fit(texts, labels)
    >>> found = update(model, (["a dull mess", "what a joy"], ["neg", "pos"]), data=(texts, labels))
    >>> found.counts.replaced, found.counts.added, found.model.provenance["data"]["rows"]
    (1, 1, 5)
    """
    path, classifier = _classifier(model)
    new = read_new_labels(classifier, corrections, allow_new=new_labels)
    brought = None if test is None else read_new_labels(classifier, test, allow_new=True).corpus
    parent = _parent(classifier, path)
    how = count_threads(threads), watcher or Silent()
    known = known_training(classifier, path, parent.sha256, None if settings is None else os.fspath(settings))
    given = find_old_data(known) if data is None else (_labelled(data, classifier), None)
    if isinstance(given, str):
        raise DataError(
            f"The data that the model was trained on is not to be found: {given}. Name it with {setting('data')}."
        )
    old = old_data(known, classifier, *given, other=other_data)
    found = TrainingAgain(classifier, parent, known, old, new, brought, *how).update(only_known=only_known)
    if found.is_worse and not even_if_worse:
        raise WorseModelError(
            f"The updated model is clearly worse than the old one: {found.verdict} Nothing was written. Look at the "
            f"new labels, or use {setting('even_if_worse', True)} to take it all the same.",
            found,
        )
    return found


def read_new_labels(model: Any, corrections: Any, *, allow_new: bool) -> NewLabels:
    """Labelled texts for a model, from a file or from memory."""
    task = model.decision.task
    if isinstance(corrections, str | os.PathLike):
        expected = model.provenance.get("data", {}).get("text_column")
        options = ReadOptions(known_labels=model.labels, task="label-sets" if task == "label-sets" else None)
        try:
            corrections = read_with(corrections, replace(options, expected_text=expected))
        except UnclearColumnError:
            raise
        except DataError:  # a list of texts to label calls its columns otherwise than the training data
            corrections = read_with(corrections, options)
    corpus = corrections if isinstance(corrections, Corpus) else read_given(corrections)
    return take_new_labels(corpus, model.labels, task, allow_new=allow_new)


def _classifier(model: Any) -> tuple[Path | None, Any]:
    if isinstance(model, str | os.PathLike):
        return Path(model), load(model)
    if not hasattr(model, "record") or not hasattr(model, "save"):
        raise ParameterError(f"model must be the file of a model, or a classifier. Got {excerpt(repr(model))} instead.")
    return None, model


def _labelled(data: Any, model: Any) -> Corpus:
    """The old data, from a file or from memory."""
    if isinstance(data, str | os.PathLike):
        options = ReadOptions(task="label-sets" if model.decision.task == "label-sets" else None)
        data = read_with(data, options)
    corpus = data if isinstance(data, Corpus) else read_given(data)
    if corpus.labels is None:
        raise DataError(f"{corpus.source}: the old data has no labels. Say which column holds them.")
    return corpus


def _parent(model: Any, path: Path | None) -> Parent:
    """The file of the old model, as the new one tells it."""
    if path is not None:
        return Parent(**model_reference(path))
    with TemporaryDirectory() as folder:
        saved = Path(folder, "model.assay")
        model.save(saved)
        return Parent("in memory", model_reference(saved)["sha256"])
