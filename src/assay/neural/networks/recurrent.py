"""The recurrent network: it reads word after word and remembers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from assay.learners.parameters import check_choice, check_flag, check_number
from assay.neural.networks.network_classifier import NETWORK_KINDS
from assay.neural.networks.word_network import WordNetworkClassifier
from assay.neural.parts.embedding import WordEmbedding
from assay.neural.parts.layers import masked_max, masked_mean, word_mask
from assay.neural.parts.network import Network
from assay.neural.parts.network_settings import count, one_of, share
from assay.neural.reading.readers import InputReader

__all__ = ["Recurrence", "RecurrentNetwork"]

CELLS: dict[str, type[nn.LSTM | nn.GRU]] = {"lstm": nn.LSTM, "gru": nn.GRU}
POOLING = ("last", "max", "mean", "attention")


class Recurrence(Network):
    """Word vectors → (bi)LSTM or (bi)GRU → pooling over the words → softmax.

    Parameters
    ----------
    n_words, size, use, word_dropout, vector_dropout
        Of the `WordEmbedding`.
    cell, state_size, layers, directions
        The recurrent layers: their kind, numbers in a state, how many are stacked, and whether one ("forward") or both
        ways ("both").
    pooling, dropout
        From the states of all words to one vector, and what is left out between layers in training.
    n_classes
        Scores that come out.
    """

    SETTINGS: ClassVar = {
        **WordEmbedding.SETTINGS,
        "cell": one_of(*CELLS),
        "state_size": count,
        "layers": count,
        "directions": one_of("forward", "both"),
        "pooling": one_of(*POOLING),
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
        cell: str,
        state_size: int,
        layers: int,
        directions: str,
        pooling: str,
        dropout: float,
        n_classes: int,
    ) -> None:
        super().__init__()
        if layers > 100:
            raise ValueError(f"'layers' is {layers}, which is more than 100")
        self.embedding = WordEmbedding(n_words, size, use, word_dropout, vector_dropout)
        self.cell = CELLS[cell](
            self.embedding.size,
            state_size,
            num_layers=layers,
            batch_first=True,
            bidirectional=directions == "both",
            dropout=dropout if layers > 1 else 0.0,
        )
        found = state_size * (2 if directions == "both" else 1)
        self.pooling = pooling
        self.attention = nn.Linear(found, 1) if pooling == "attention" else None
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(found, n_classes)

    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Scores (n, n_classes) of texts (n, width) of the given lengths."""
        vectors = self.embedding(ids)  # (n, width, size)
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        states, last = self.cell(packed)
        states, _ = pad_packed_sequence(states, batch_first=True)  # (n, width, found)
        return self.output(self.dropout(self._pooled(states, last, lengths)))  # type: ignore[no-any-return]

    def _pooled(self, states: torch.Tensor, last: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """One vector a text, (n, found)."""
        mask = word_mask(lengths, states.shape[1])
        if self.pooling == "max":
            return masked_max(states, mask)
        if self.pooling == "mean":
            return masked_mean(states, mask)
        if self.attention is not None:
            scores = self.attention(states)[..., 0].masked_fill(~mask, -torch.inf)  # (n, width)
            weighted: torch.Tensor = scores.softmax(dim=1)[..., None] * states
            return weighted.sum(dim=1)
        # Of an LSTM, states and memories; each (layers · ways, n, size).
        final = last[0] if isinstance(last, tuple) else last
        ways = 2 if self.cell.bidirectional else 1
        return torch.cat(list(final[-ways:]), dim=1)


@NETWORK_KINDS.add
@dataclass(kw_only=True, eq=False, repr=False)
class RecurrentNetwork(WordNetworkClassifier):
    """A state that is carried from word to word, in one direction or both.

    It can see what belongs together over any distance, and is the slowest of the networks.

    Further parameters are those of `WordNetworkClassifier` and `NetworkClassifier`.

    Parameters
    ----------
    cell
        "lstm" or "gru".
    state_size
        Numbers in the state of one direction.
    layers
        Recurrent layers one on the other.
    bidirectional
        Whether a second one reads from the end.
    pooling
        From the states of all words to one vector: the "last" one, "max", "mean", or "attention", a weighted mean
        whose weights are learned.
    dropout
        Share of the numbers that are left out before the last layer, and between recurrent ones, in training.

    Examples
    --------
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess"] * 10
    >>> network = RecurrentNetwork(embedding_size=16, state_size=8, epochs=15, learning_rate=0.01)
    >>> network.fit(texts, ["pos", "neg"] * 20).predict(["great fun", "dull mess"]).tolist()
    ['pos', 'neg']

    References
    ----------
    Hochreiter & Schmidhuber (1997), Long short-term memory; Cho et al. (2014), Learning phrase representations using
    RNN encoder-decoder.
    """

    cell: str = "lstm"
    state_size: int = 100
    layers: int = 1
    bidirectional: bool = True
    pooling: str = "max"
    dropout: float = 0.3

    kind = "recurrent"
    network = Recurrence

    def _check(self) -> None:
        super()._check()
        check_choice(self, "cell", tuple(CELLS))
        check_number(self, "state_size", at_least=1, integer=True)
        check_number(self, "layers", at_least=1, at_most=100, integer=True)
        check_flag(self, "bidirectional")
        check_choice(self, "pooling", POOLING)
        check_number(self, "dropout", at_least=0, below=1)

    def _new_network(self, reader: InputReader, n_classes: int) -> Network:
        network = Recurrence.built(
            **self._embedding_settings(reader),
            cell=self.cell,
            state_size=self.state_size,
            layers=self.layers,
            directions="both" if self.bidirectional else "forward",
            pooling=self.pooling,
            dropout=float(self.dropout),
            n_classes=n_classes,
        )
        network.embedding.start(self._first_vectors(reader))
        return network
