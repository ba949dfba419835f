"""word2vec, skip-gram with negative sampling: vectors that are good at guessing the neighbours.

Every word has two vectors: vⁱ for when it is in the middle, vᵒ for when it is a neighbour. At each position
of the text, with P the words around w and N words drawn at random from those not around it,

    cost       C = -[ Σ_{p in P} ln σ(vᵒ_p · vⁱ_w)  +  Σ_{q in N} ln σ(-vᵒ_q · vⁱ_w) ]
    gradient   ∂C/∂vᵒ_j = (σ(vᵒ_j · vⁱ_w) - t_j) vⁱ_w          t_j = 1 for a neighbour, 0 for a drawn word
               ∂C/∂vⁱ_w = Σ_j (σ(vᵒ_j · vⁱ_w) - t_j) vᵒ_j
    update     v = v - α · gradient, for vⁱ_w and every vᵒ_j
    drawing    p(w) ∝ freq(w)^¾      rare words a little more often than they come
    result     (vⁱ + vᵒ) / 2

References
----------
Surdeanu & Valenzuela-Escárcega, section 7.4, equation 7.5 and Algorithm 6; McDonald, *Classification* (AthNLP
2024); Mikolov et al. (2013).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.textbook.cooccurrence import words_of
from assay.textbook.inputs import InputError, as_count, as_label, as_positive
from assay.textbook.logistic_functions import sigmoid
from assay.textbook.steps import Step, Steps, finish

__all__ = [
    "WordVectors",
    "skipgram",
    "skipgram_cost",
    "skipgram_gradients",
    "skipgram_steps",
    "word_probabilities",
]

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WordVectors:
    """Two vectors a word; `average` is what is used.

    Parameters
    ----------
    words
        The vocabulary, in the order of the rows.
    input
        vⁱ, one row a word.
    output
        vᵒ, one row a word.
    """

    words: tuple[str, ...]
    input: Matrix
    output: Matrix

    @property
    def average(self) -> Matrix:
        """(vⁱ + vᵒ) / 2."""
        mean: Matrix = (self.input + self.output) / 2
        return mean

    def vector(self, word: str) -> list[float]:
        """Give the average vector of one word."""
        as_label(word, self.words, "word")
        row: list[float] = self.average[self.words.index(word)].tolist()
        return row


def word_probabilities(frequencies: Sequence[float], exponent: float = 0.75) -> list[float]:
    """Give p(w) ∝ freq(w)^¾.

    Examples
    --------
    >>> [round(p, 3) for p in word_probabilities([16, 1])]
    [0.889, 0.111]
    """
    powers = [frequency**exponent for frequency in frequencies]
    return [power / sum(powers) for power in powers]


def skipgram_cost(v_in: Matrix, v_out: Matrix, targets: Sequence[int]) -> float:
    """Give C for one position.

    Parameters
    ----------
    v_in
        vⁱ of the word in the middle.
    v_out
        vᵒ of the neighbours and of the drawn words, one a row.
    targets
        1 for each row that is a neighbour, 0 for each that was drawn.

    Examples
    --------
    >>> round(skipgram_cost(np.zeros(2), np.ones((3, 2)), [1, 0, 0]), 4)
    2.0794
    """
    scores = v_out @ v_in
    return -sum(float(np.log(sigmoid(z if t else -z))) for z, t in zip(scores, targets, strict=True))


def skipgram_gradients(v_in: Matrix, v_out: Matrix, targets: Sequence[int]) -> tuple[Matrix, Matrix]:
    """Give ∂C/∂vⁱ and ∂C/∂vᵒ, one row a word of `v_out`.

    Examples
    --------
    >>> on_input, on_output = skipgram_gradients(np.zeros(2), np.ones((2, 2)), [1, 0])
    >>> on_input.tolist()
    [0.0, 0.0]
    """
    errors = np.array([sigmoid(z) for z in v_out @ v_in]) - np.array(targets)
    return errors @ v_out, np.outer(errors, v_in)


def skipgram_steps(
    text: str | Sequence[str],
    dimensions: int = 10,
    c: int = 3,
    negatives: int = 5,
    rate: float = 0.05,
    epochs: int = 5,
    seed: int = 0,
    start: tuple[Matrix, Matrix] | None = None,
) -> Steps[WordVectors]:
    """Move the vectors at one position of the text after the other; see `skipgram`."""
    tokens = words_of(text) if isinstance(text, str) else list(text)
    words = tuple(dict.fromkeys(tokens))
    if len(words) < 2:
        raise InputError(f"The text has {len(words)} different words. Neighbours need at least two.")
    as_count(c, "c")
    as_count(negatives, "negatives", least=0)
    as_positive(rate, "rate")
    row_of = {word: row for row, word in enumerate(words)}
    frequencies = Counter(tokens)
    probabilities = np.array(word_probabilities([frequencies[word] for word in words]))
    rng = np.random.default_rng(seed)
    shape = (len(words), as_count(dimensions, "dimensions"))
    if start is None:
        start = (rng.uniform(-0.5, 0.5, shape) / shape[1], rng.uniform(-0.5, 0.5, shape) / shape[1])
    V_in, V_out = start[0].copy(), start[1].copy()
    number = 0
    for epoch in range(1, as_count(epochs, "epochs") + 1):
        for i, word in enumerate(tokens):
            number += 1
            w = row_of[word]
            P = sorted({row_of[other] for other in tokens[max(0, i - c) : i] + tokens[i + 1 : i + 1 + c]})
            outside = [row for row in range(len(words)) if row not in P and row != w]
            N: list[int] = []
            if outside and negatives:
                p = probabilities[outside] / probabilities[outside].sum()
                N = rng.choice(outside, size=min(negatives, len(outside)), replace=False, p=p).tolist()
            targets = [1] * len(P) + [0] * len(N)
            cost = skipgram_cost(V_in[w], V_out[P + N], targets)
            on_input, on_output = skipgram_gradients(V_in[w], V_out[P + N], targets)
            V_in[w] -= rate * on_input
            V_out[P + N] -= rate * on_output
            yield Step(
                number,
                seen=f"{word} among {' '.join(words[row] for row in P)}",
                score=cost,
                decision=" ".join(words[row] for row in N) or "none",
                update="neighbours closer, the others away",
                parameters={f"vⁱ({word})": V_in[w]},
                why=f"∂C/∂vⁱ has length {float(np.linalg.norm(on_input)):.3g}",
                loss=cost,
                epoch=epoch,
            )
    return WordVectors(words, V_in, V_out)


def skipgram(
    text: str | Sequence[str],
    dimensions: int = 10,
    c: int = 3,
    negatives: int = 5,
    rate: float = 0.05,
    epochs: int = 5,
    seed: int = 0,
    start: tuple[Matrix, Matrix] | None = None,
) -> WordVectors:
    """Learn two vectors a word from a text.

    Parameters
    ----------
    text
        A string, of which the words are taken, or a list of tokens, taken as it is.
    dimensions
        How long the vectors are.
    c
        How far the window reaches to each side.
    negatives
        How many words are drawn against each window.
    rate
        The learning rate α.
    epochs
        Passes over the text.
    seed
        Decides the first vectors and the drawn words.
    start
        The first vⁱ and vᵒ, one row a word in order of appearance, instead of small random ones.

    Examples
    --------
    >>> vectors = skipgram("bread and butter and jam and bread", dimensions=4, c=1)
    >>> vectors.average.shape
    (4, 4)
    """
    return finish(skipgram_steps(text, dimensions, c, negatives, rate, epochs, seed, start))
