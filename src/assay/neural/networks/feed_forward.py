"""The feed-forward network: hidden layers over n-grams, over hand-made features, or over plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import nn

from assay.classifier.training_data import label_arrays
from assay.errors import DataError, ParameterError
from assay.label_types import label_texts
from assay.learners.parameters import check_choice, check_number
from assay.neural.networks.network_classifier import NETWORK_KINDS, NetworkClassifier
from assay.neural.parts.layers import ACTIVATIONS, check_sizes, hidden_layers
from assay.neural.parts.network import Network
from assay.neural.parts.network_settings import count, counts, one_of, share
from assay.neural.reading.feature_rows import FeatureReader, FeatureRows
from assay.neural.reading.number_rows import NumberReader, prepare_numbers
from assay.neural.reading.preparing import Prepared, prepare_texts
from assay.neural.reading.readers import InputReader

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["FeedForward", "Layers"]


class Layers(Network):
    """Features → hidden layers → scores: z = W h + b, bent by the activation, layer after layer.

    Parameters
    ----------
    n_inputs, listed
        Features, and whether examples come as lists of those that are not 0 ("yes") or as full rows ("no").
    hidden
        Numbers in each hidden layer; with none, it is a linear model.
    activation, dropout
        After each hidden layer.
    n_classes
        Scores that come out.
    """

    SETTINGS: ClassVar = {
        "n_inputs": count,
        "listed": one_of("yes", "no"),
        "hidden": counts,
        "activation": one_of(*ACTIVATIONS),
        "dropout": share,
        "n_classes": count,
    }

    def __init__(
        self, *, n_inputs: int, listed: str, hidden: Sequence[int], activation: str, dropout: float, n_classes: int
    ) -> None:
        super().__init__()
        sizes = [n_inputs, *hidden, n_classes]
        self.first: nn.Module
        self.bias: nn.Parameter | None
        if listed == "yes":
            # W₁ᵀ with one row a feature: the rows of a text's features are added up, and only these have a gradient.
            self.first = nn.EmbeddingBag(n_inputs, sizes[1], mode="sum", sparse=True)
            self.bias = nn.Parameter(torch.zeros(sizes[1]))
        else:
            self.first = nn.Linear(n_inputs, sizes[1])
            self.bias = None
        self.bend = nn.Sequential(ACTIVATIONS[activation](), nn.Dropout(dropout)) if hidden else nn.Identity()
        self.further = hidden_layers(sizes[1:-1], activation, dropout)
        self.output = nn.Linear(sizes[-2], n_classes) if hidden else nn.Identity()

    def start(self) -> None:
        """First weights of a table of features: as small as those of a linear layer over a text's few features."""
        if isinstance(self.first, nn.EmbeddingBag):
            nn.init.uniform_(self.first.weight, -0.1, 0.1)

    def forward(
        self, columns: torch.Tensor, begin: torch.Tensor | None = None, values: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Scores (n, n_classes) of full rows, or of lists of columns, of where each begins, and of values."""
        if self.bias is None:
            z = self.first(columns)
        else:
            z = self.first(columns, begin, per_sample_weights=values) + self.bias
        return self.output(self.further(self.bend(z)))  # type: ignore[no-any-return]


@NETWORK_KINDS.add
@dataclass(kw_only=True, eq=False, repr=False)
class FeedForward(NetworkClassifier):
    """Hidden layers over features of a text.

    Further parameters are those of `NetworkClassifier`.

    Parameters
    ----------
    vectorizer
        One of `assay.features`, whose features are read; None: the 30,000 most frequent words and pairs of words, as
        tf-idf. "numbers": the examples are rows of numbers, not texts.
    hidden
        Numbers in each hidden layer; () for none, which is a linear model.
    activation
        "relu", "tanh", "sigmoid" or "gelu".
    dropout
        Share of the hidden numbers that are left out in training.

    Examples
    --------
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess"] * 10
    >>> network = FeedForward(hidden=(8,), epochs=30, learning_rate=0.02).fit(texts, ["pos", "neg"] * 20)
    >>> network.predict(["great fun", "dull mess"]).tolist()
    ['pos', 'neg']

    References
    ----------
    Readable version, with back-propagation written out: `assay.textbook.feed_forward`.
    """

    vectorizer: Any = None
    hidden: Sequence[int] = (100,)
    activation: str = "relu"
    dropout: float = 0.5

    kind = "feed-forward"
    network = Layers

    def _check(self) -> None:
        super()._check()
        check_sizes(self, "hidden")
        check_choice(self, "activation", tuple(ACTIVATIONS))
        check_number(self, "dropout", at_least=0, below=1)
        if not (self.vectorizer in (None, "numbers") or hasattr(self.vectorizer, "text_features")):
            raise ParameterError(
                "The 'vectorizer' parameter of FeedForward must be a vectorizer of assay.features, 'numbers' for rows "
                f"of numbers, or None. Got {self.vectorizer!r} instead."
            )

    def _prepare(self, texts: Any, labels: Any, threads: int) -> Prepared:
        if isinstance(self.vectorizer, str):
            return prepare_numbers(self, texts, labels)
        prepared = prepare_texts(self, texts, labels, threads)
        assert isinstance(prepared.train, FeatureRows)
        if not len(prepared.train.columns):
            raise DataError(
                f"{prepared.provenance['source']}: none of the {len(prepared.train):,} training texts has a feature: "
                "they are empty, or hold nothing that the vectorizer takes for one. Look at the texts, and at the "
                "vectorizer."
            )
        return prepared

    def score(self, texts: Any, labels: Any = None, sample_weight: Any = None) -> float:
        """Share of the texts, or rows of numbers with `labels`, that get their own label."""
        if self.model.reader.kind == "numbers":
            right = label_texts(self.predict(texts)) == label_texts(np.asarray(labels))
            return float(np.average(right, weights=sample_weight))
        return super().score(texts, labels, sample_weight)

    def _learn_reader(self, corpus: Corpus, threads: int) -> InputReader:
        from sklearn.base import clone

        from assay.features import TfidfVectorizer

        vectorizer = self.vectorizer
        if vectorizer is None:
            settings: dict[str, Any] = {"ngram_range": (1, 2), "sublinear_tf": True, "max_features": 30_000}
            vectorizer = TfidfVectorizer(**settings, dtype=np.float32)
        vectorizer = clone(vectorizer)
        vectorizer.fit(corpus.texts, label_arrays(corpus)[1])
        return FeatureReader(tuple(vectorizer.text_features()))

    def _new_network(self, reader: InputReader, n_classes: int) -> Network:
        assert isinstance(reader, FeatureReader | NumberReader)
        network = Layers.built(
            n_inputs=reader.n_columns,
            listed="yes" if isinstance(reader, FeatureReader) else "no",
            hidden=list(self.hidden),
            activation=self.activation,
            dropout=float(self.dropout),
            n_classes=n_classes,
        )
        network.start()
        return network
