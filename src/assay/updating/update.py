"""`assay.update`: a model, and labels that came since, make the next model."""

from __future__ import annotations

import os
from typing import Any

from assay.arguments import in_our_words
from assay.threads import count_threads
from assay.training.watching import Silent, Watcher
from assay.updating.again import TrainingAgain
from assay.updating.given import open_model, parent_of, read_new_labels, read_old
from assay.updating.known_training import known_training
from assay.updating.old_data import find_old_data, old_data
from assay.updating.result import ModelUpdate, OldTextsGoneError, refuse_if_worse

__all__ = ["update"]


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
        What the model was trained on; None: where the run folder beside the model says it is. Where it is gone,
        `assay.updating.update_onward` goes on from the model alone.
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
    path, classifier = open_model(model)
    new = read_new_labels(classifier, corrections, allow_new=new_labels)
    brought = None if test is None else read_new_labels(classifier, test, allow_new=True).corpus
    parent = parent_of(classifier, path)
    how = count_threads(threads), watcher or Silent()
    known = known_training(classifier, path, parent.sha256, None if settings is None else os.fspath(settings))
    given = find_old_data(known) if data is None else (read_old(data, classifier), None)
    if isinstance(given, str):
        raise OldTextsGoneError(given)
    old = old_data(known, classifier, *given, other=other_data)
    found = TrainingAgain(classifier, parent, known, old, new, brought, *how).update(only_known=only_known)
    return refuse_if_worse(found, even_if_worse=even_if_worse)
