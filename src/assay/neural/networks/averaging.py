"""The averaging network: the mean of the word vectors, and layers over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import nn

from assay.learners.parameters import check_choice, check_number
from assay.neural.networks.network_classifier import NETWORK_KINDS
from assay.neural.networks.word_network import WordNetworkClassifier
from assay.neural.parts.embedding import WordEmbedding
from assay.neural.parts.layers import ACTIVATIONS, check_sizes, hidden_layers
from assay.neural.parts.network import Network
from assay.neural.parts.network_settings import count, counts, one_of, share
from assay.neural.reading.readers import InputReader

__all__ = ["Averaging", "AveragingNetwork"]


class Averaging(Network):
    """Word vectors → their mean → hidden layers → softmax.

    Parameters
    ----------
    n_words, size, use, word_dropout, vector_dropout
        Of the `WordEmbedding`.
    hidden
        Numbers in each hidden layer.
    activation, dropout
        Of the hidden layers.
    n_classes
        Scores that come out.
    """

    SETTINGS: ClassVar = {
        **WordEmbedding.SETTINGS,
        "hidden": counts,
        "activation": one_of(*ACTIVATIONS),
        "dropout": share,
        "n_classes": count,
    }

    def __init__(
        self,
        *,
        n_words: int,
        size: int,
        use: str,
        word_dropout: float,
        vector_dropout: float,
        hidden: Sequence[int],
        activation: str,
        dropout: float,
        n_classes: int,
    ) -> None:
        super().__init__()
        self.embedding = WordEmbedding(n_words, size, use, word_dropout, vector_dropout)
        sizes = [self.embedding.size, *hidden]
        self.hidden = hidden_layers(sizes, activation, dropout)
        self.output = nn.Linear(sizes[-1], n_classes)

    def forward(self, ids: torch.Tensor, _lengths: torch.Tensor) -> torch.Tensor:
        """Scores (n, n_classes) of texts (n, width)."""
        return self.output(self.hidden(self.embedding.mean(ids)))  # type: ignore[no-any-return]


@NETWORK_KINDS.add
@dataclass(kw_only=True, eq=False, repr=False)
class AveragingNetwork(WordNetworkClassifier):
    """The mean of a text's word vectors, bent by hidden layers: a deep averaging network.

    It does not see the order of words, is the quickest of the networks by far, and reads texts of any length.

    Further parameters are those of `WordNetworkClassifier` and `NetworkClassifier`.

    Parameters
    ----------
    hidden
        Numbers in each hidden layer; () for none, which is a linear model of the mean.
    activation
        "relu", "tanh", "sigmoid" or "gelu".
    dropout
        Share of the hidden numbers that are left out in training.
    word_dropout
        Share of the words of a long text that are left out of its mean in training; of n words, 4 / n less of it.

    Examples
    --------
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess"] * 10
    >>> network = AveragingNetwork(embedding_size=16, hidden=(8,), epochs=30, learning_rate=0.01)
    >>> network.fit(texts, ["pos", "neg"] * 20).predict(["great fun", "dull mess"]).tolist()
    ['pos', 'neg']

    References
    ----------
    Iyyer, Manjunatha, Boyd-Graber & Daumé (2015), Deep unordered composition rivals syntactic methods for text
    classification.
    """

    hidden: Sequence[int] = (100,)
    activation: str = "relu"
    dropout: float = 0.3
    word_dropout: float = 0.6
    max_length: int | None = None

    kind = "averaging"
    network = Averaging

    def _check(self) -> None:
        super()._check()
        check_sizes(self, "hidden")
        check_choice(self, "activation", tuple(ACTIVATIONS))
        check_number(self, "dropout", at_least=0, below=1)

    def _new_network(self, reader: InputReader, n_classes: int) -> Network:
        network = Averaging.built(
            **self._embedding_settings(reader),
            hidden=list(self.hidden),
            activation=self.activation,
            dropout=float(self.dropout),
            n_classes=n_classes,
        )
        network.embedding.start(self._first_vectors(reader))
        return network
