"""From texts and labels to what a network is trained on and what it is stopped by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assay.classifier.learned_novelty import random_folds
from assay.classifier.training_data import corpus_of, label_arrays, sorted_sets, training_corpus
from assay.errors import DataError
from assay.evaluation.decisions.novelty_fit import fit_novelty
from assay.label_sets import Task
from assay.label_types import LabelType
from assay.modelfile.provenance import data_provenance
from assay.neural.reading.batches import NetworkExamples
from assay.neural.reading.readers import InputReader
from assay.prediction.novelty import Novelty
from assay.suggest import quote

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = [
    "Prepared",
    "class_numbers",
    "cut_notes",
    "divided",
    "prepare_texts",
    "small_class_notes",
    "words_novelty",
]


@dataclass(frozen=True, eq=False)
class Prepared:
    """Examples and their classes.

    Attributes
    ----------
    labels, label_type
        Names of the classes, in order, and the type in which they were given.
    reader
        How texts are read.
    train, train_classes
        To learn from; of a text in pieces, every piece has the class of the text. Where texts have several labels, the
        classes are a table of 0 and 1, float32, a column a label.
    held_out, held_out_classes
        To stop by, if any; the classes are those of the texts.
    notes
        What a reader should know, in sentences.
    provenance
        Of the data.
    texts
        All of them, as they were given; None where there are rows of numbers in their place.
    novelty
        How texts are told that are unlike the training texts; None where that is not wanted, or there are no texts.
    """

    labels: tuple[str, ...]
    label_type: LabelType
    reader: InputReader
    train: NetworkExamples
    train_classes: NDArray[Any]
    held_out: NetworkExamples | None
    held_out_classes: NDArray[Any]
    notes: tuple[str, ...]
    provenance: dict[str, Any]
    texts: pa.ChunkedArray | None = None
    novelty: Novelty | None = None

    @property
    def task(self) -> Task:
        """What a text is given: one label, or several."""
        return "label-sets" if self.train_classes.ndim == 2 else "labels"


def prepare_texts(classifier: NetworkClassifier, texts: Any, labels: Any, threads: int) -> Prepared:
    """Hold some texts out, learn from the others how to read, and read them."""
    corpus = training_corpus(texts, labels)
    names, _ = label_arrays(corpus)
    notes = small_class_notes(corpus)
    train, held_out = divided(corpus, classifier.validation, classifier.seed, notes)
    reader = classifier._learn_reader(train, threads)
    examples = reader.read(train.texts, threads)
    notes += _length_notes(reader, examples, len(train))
    classes = class_numbers(train, names)
    return Prepared(
        names,
        corpus.label_type,
        reader,
        examples,
        classes if examples.text_of is None else classes[examples.text_of],
        None if held_out is None else reader.read(held_out.texts, threads),
        np.empty(0, np.int64) if held_out is None else class_numbers(held_out, names),
        tuple(notes),
        data_provenance(corpus),
        corpus.texts,
        words_novelty(corpus, classifier.seed, threads) if classifier.learn_novelty else None,
    )


def words_novelty(corpus: Corpus, seed: int, threads: int) -> Novelty:
    """How texts are told that are unlike these, by their words alone: training without some classes takes too long."""
    classes = np.zeros(len(corpus), np.int32)
    folds, together = random_folds(corpus, seed), corpus.first_occurrences
    return fit_novelty(corpus.texts, classes, folds, None, together, seed=seed, threads=threads)


def divided(corpus: Corpus, wanted: Any, seed: int, notes: list[str]) -> tuple[Corpus, Corpus | None]:
    """The texts to train on, and those to stop by.

    Parameters
    ----------
    corpus
        All texts.
    wanted
        Share of them to stop by, or other texts.
    seed
        Of the split.
    notes
        Gets what there is to say.
    """
    if not isinstance(wanted, int | float):
        held_out = corpus_of(*wanted) if isinstance(wanted, tuple) else corpus_of(wanted, None)
        if held_out.task != corpus.task:
            raise DataError(
                f"{held_out.source}: of the validation texts and the training texts, one have sets of labels and the "
                "others one label each. Give labels of the same kind for both."
            )
        strange = sorted(set(held_out.label_names) - set(corpus.label_names))
        if strange:
            raise DataError(
                f"{held_out.source}: the label {quote(strange[0])} of the validation texts does not occur in the "
                "training texts. Leave such texts out, or add some of them to the training texts."
            )
        return corpus, held_out
    if wanted == 0:
        return corpus, None
    try:
        train, held_out = corpus.split(test=max(1, round(wanted * len(corpus))), seed=seed)
    except DataError:
        notes.append(
            f"{len(corpus):,} texts are too few to hold some out for early stopping: all of them were trained on, for "
            "all epochs"
        )
        return corpus, None
    return train, held_out


def small_class_notes(corpus: Corpus) -> list[str]:
    """What to say about classes of one text."""
    once = [name for name, count in zip(corpus.label_names, corpus.class_counts, strict=True) if count == 1]
    if not once:
        return []
    shown = ", ".join(map(quote, once[:5])) + (f" and {len(once) - 5:,} more" if len(once) > 5 else "")
    return [f"Classes with one text only, which was trained on and could not be held out: {shown}"]


def _length_notes(reader: InputReader, examples: NetworkExamples, n_texts: int) -> list[str]:
    most = getattr(reader, "max_length", None)
    if examples.text_of is None:
        return cut_notes(getattr(examples, "cut", 0), n_texts, most, unit=reader.kind)
    pieces = np.bincount(examples.text_of, minlength=n_texts)
    how = "read in pieces of {:,}, whose scores are averaged"
    return cut_notes(int((pieces > 1).sum()), n_texts, most, unit=reader.kind, how=how)


def cut_notes(
    cut: int, n_texts: int, most: int | None, *, unit: str = "words", how: str = "cut off after {:,}"
) -> list[str]:
    """What to say about texts that are longer than what is read of them at once, if there are any."""
    if most is None or not cut:
        return []
    return [
        f"{cut:,} of {n_texts:,} training texts have more than {most:,} {unit} and were {how.format(most)} (max_length)"
    ]


def class_numbers(corpus: Corpus, names: tuple[str, ...]) -> NDArray[Any]:
    """The class of each text, as a number in the order of the labels; of sets of labels, a table of 0 and 1."""
    if corpus.task == "label-sets":
        return sorted_sets(corpus, names).table().astype(np.float32)
    number = {name: k for k, name in enumerate(names)}
    place = np.array([number.get(name, -1) for name in corpus.label_names], dtype=np.int64)
    return place[corpus.classes]
