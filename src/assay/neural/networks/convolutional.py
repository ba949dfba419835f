"""The convolutional network: filters that slide over the words and look for short patterns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import nn

from assay.learners.parameters import check_choice, check_number
from assay.neural.networks.network_classifier import NETWORK_KINDS
from assay.neural.networks.word_network import WordNetworkClassifier
from assay.neural.parts.embedding import WordEmbedding
from assay.neural.parts.layers import ACTIVATIONS, check_sizes, masked_max, masked_mean, word_mask
from assay.neural.parts.network import Network
from assay.neural.parts.network_settings import count, counts, one_of, share
from assay.neural.reading.readers import InputReader

__all__ = ["Convolution", "ConvolutionalNetwork", "slide"]

POOLING = ("max", "mean")


class Convolution(Network):
    """Word vectors → filters of several widths → pooling over the words → softmax.

    Parameters
    ----------
    n_words, size, use, word_dropout, vector_dropout
        Of the `WordEmbedding`.
    widths, filters
        Words that a filter sees, and filters of each width.
    layers
        Convolutions one after the other; from the second on, of width 3.
    activation, pooling, dropout
        Between layers, over the words, before the last layer.
    n_classes
        Scores that come out.
    """

    SETTINGS: ClassVar = {
        **WordEmbedding.SETTINGS,
        "widths": counts,
        "filters": count,
        "layers": count,
        "activation": one_of(*ACTIVATIONS),
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
        widths: Sequence[int],
        filters: int,
        layers: int,
        activation: str,
        pooling: str,
        dropout: float,
        n_classes: int,
    ) -> None:
        super().__init__()
        if layers > 100:
            raise ValueError(f"'layers' is {layers}, which is more than 100")
        self.embedding = WordEmbedding(n_words, size, use, word_dropout, vector_dropout)
        self.widths = list(widths)
        self.first = nn.ModuleList(nn.Linear(width * self.embedding.size, filters) for width in widths)
        found = filters * len(widths)
        self.further = nn.ModuleList(nn.Linear(3 * found, found) for _ in range(layers - 1))
        self.activation = ACTIVATIONS[activation]()
        self.pool = masked_max if pooling == "max" else masked_mean
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(found, n_classes)

    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Scores (n, n_classes) of texts (n, width) of the given lengths."""
        mask = word_mask(lengths, ids.shape[1])  # (n, length)
        x = self.activation(slide(self.embedding(ids), self.first, self.widths))  # (n, length, found)
        for layer in self.further:
            x = self.activation(slide(x * mask[..., None], [layer], [3]))
        return self.output(self.dropout(self.pool(x, mask)))  # type: ignore[no-any-return]


def slide(x: torch.Tensor, filters: Iterable[nn.Module], widths: Iterable[int]) -> torch.Tensor:
    """Answers of filters to the words around each word, (n, length, size) → (n, length, filters of all widths).

    A filter over a window of words is a linear function of all their numbers: one product gives what every word
    contributes at every place in every filter, and these shares are added up where they belong. Beyond the ends there
    are zeros, so every word is the middle of a window. On a processor this is quicker than PyTorch's own convolution,
    and than copying the windows.

    Examples
    --------
    >>> pair = nn.Linear(2, 1)
    >>> pair.load_state_dict({"weight": torch.tensor([[10.0, 1.0]]), "bias": torch.tensor([0.0])})
    <All keys matched successfully>
    >>> slide(torch.tensor([[[1.0], [2.0], [3.0]]]), [pair], [2]).tolist()
    [[[1.0], [12.0], [23.0]]]
    """
    n, length, size = x.shape
    both: list[tuple[Any, int]] = list(zip(filters, widths, strict=True))
    # [number of a word][place in the window · filter]
    tables = [layer.weight.view(-1, width, size).permute(2, 1, 0).reshape(size, -1) for layer, width in both]
    shares = (x.reshape(n * length, size) @ torch.cat(tables, dim=1)).view(n, length, -1)
    of_widths = torch.split(shares, [table.shape[1] for table in tables], dim=-1)
    answers = []
    for (layer, width), own in zip(both, of_widths, strict=True):
        answer = layer.bias.expand(n, length, -1).clone()
        for place, at_place in enumerate(torch.split(own, layer.out_features, dim=-1)):
            ahead = place - width // 2  # of the middle word
            first, last = max(0, -ahead), min(length, length - ahead)
            if first < last:
                answer[:, first:last] += at_place[:, first + ahead : last + ahead]
        answers.append(answer)
    return torch.cat(answers, dim=-1)


@NETWORK_KINDS.add
@dataclass(kw_only=True, eq=False, repr=False)
class ConvolutionalNetwork(WordNetworkClassifier):
    """Filters slide over the words; of each, the greatest answer in the text counts.

    It sees phrases of as many words as its filters are wide, wherever in the text they stand.

    Further parameters are those of `WordNetworkClassifier` and `NetworkClassifier`.

    Parameters
    ----------
    widths, filters
        Words that a filter sees, and filters of each width.
    layers
        Convolutions one after the other.
    activation
        "relu", "tanh", "sigmoid" or "gelu".
    pooling
        "max" or "mean" over the words.
    dropout
        Share of the pooled answers that are left out in training.

    Examples
    --------
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess"] * 10
    >>> network = ConvolutionalNetwork(filters=8, embedding_size=16, epochs=15, learning_rate=0.01)
    >>> network.fit(texts, ["pos", "neg"] * 20).predict(["great fun", "a mess"]).tolist()
    ['pos', 'neg']

    References
    ----------
    Kim (2014), Convolutional neural networks for sentence classification. Readable version with its trace:
    `assay.textbook.convolution`.
    """

    widths: Sequence[int] = (3, 4, 5)
    filters: int = 100
    layers: int = 1
    activation: str = "relu"
    pooling: str = "max"
    dropout: float = 0.5

    kind = "convolutional"
    network = Convolution
    usual_size = 300

    def _check(self) -> None:
        super()._check()
        check_number(self, "filters", at_least=1, integer=True)
        check_number(self, "layers", at_least=1, at_most=100, integer=True)
        check_choice(self, "activation", tuple(ACTIVATIONS))
        check_choice(self, "pooling", POOLING)
        check_number(self, "dropout", at_least=0, below=1)
        check_sizes(self, "widths", least=1)

    def _new_network(self, reader: InputReader, n_classes: int) -> Network:
        network = Convolution.built(
            **self._embedding_settings(reader),
            widths=list(self.widths),
            filters=self.filters,
            layers=self.layers,
            activation=self.activation,
            pooling=self.pooling,
            dropout=float(self.dropout),
            n_classes=n_classes,
        )
        network.embedding.start(self._first_vectors(reader))
        return network
