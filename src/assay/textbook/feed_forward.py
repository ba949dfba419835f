"""A feed-forward network: layers of linear models with a bend between them, trained by back-propagation.

    forward    h₀ = x      z_i = W_i h_{i-1} + b_i      h_i = f(z_i)      the last layer stays linear
               ŷ = softmax(z_last)                       L = -ln ŷ_c
    backward   δ_last = ŷ - y                            y is 1 for the right class, 0 for the others
               δ_i = (W_{i+1}ᵀ δ_{i+1}) ∘ f'(z_i)        ∘: number by number
               ∂L/∂W_i = δ_i h_{i-1}ᵀ                    ∂L/∂b_i = δ_i
    update     W_i = W_i - η ∂L/∂W_i, the same for b_i

With no hidden layer this is multinomial logistic regression. With one it can learn XOR.

References
----------
McDonald, *Classification* (AthNLP 2024), "Hidden layer connections", "A wee example", "Backpropagation and
the chain rule"; Jurafsky & Martin, chapter 4.8 for the gradient at the last layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.textbook.activations import activate, slope
from assay.textbook.inputs import Label, Points, Vector, as_count, as_labels, as_points, as_positive
from assay.textbook.logistic import batches
from assay.textbook.logistic_functions import negative_log_likelihood, softmax
from assay.textbook.multiclass_perceptron import all_classes
from assay.textbook.steps import Step, Steps, finish

__all__ = ["FeedForward", "Layer", "feed_forward", "feed_forward_steps", "network_gradients", "random_layers"]

Matrix = npt.NDArray[np.float64]


class Layer(NamedTuple):
    """Weights and biases of one layer, or the loss's gradient with respect to them."""

    W: Matrix  # (n_out, n_in)
    b: Matrix  # (n_out,)


@dataclass(frozen=True)
class FeedForward:
    """A trained network.

    Parameters
    ----------
    layers
        From the first hidden layer to the output.
    activation
        The bend after every layer but the last.
    classes
        The labels of the outputs.
    """

    layers: tuple[Layer, ...]
    activation: str
    classes: tuple[Label, ...]

    def probabilities(self, x: Vector) -> dict[Label, float]:
        """Give P(y = c | x) for each class c."""
        z, _ = _forward(self.layers, self.activation, np.array(x, dtype=float))
        return dict(zip(self.classes, softmax(z[-1].tolist()), strict=True))

    def predict(self, x: Vector) -> Label:
        """Give the most probable class; of several, the first."""
        probabilities = self.probabilities(x)
        return max(self.classes, key=lambda c: probabilities[c])


def network_gradients(
    layers: Sequence[Layer], activation: str, x: Vector, right: int
) -> tuple[float, list[Layer], list[float]]:
    """Go forward and backward for one example: the loss, the gradient of each layer, and the probabilities.

    Parameters
    ----------
    layers
        The network.
    activation
        The bend after every layer but the last.
    x
        The example.
    right
        The number of its class.

    Examples
    --------
    >>> layers = [Layer(np.zeros((2, 2)), np.zeros(2))]
    >>> loss, gradients, _ = network_gradients(layers, "tanh", [3.0, 2.0], right=1)
    >>> round(loss, 4), gradients[0].b.tolist()
    (0.6931, [0.5, -0.5])
    """
    z, h = _forward(layers, activation, np.array(x, dtype=float))
    y_hat = softmax(z[-1].tolist())
    delta = np.array(y_hat)
    delta[right] -= 1  # ŷ - y
    gradients = []
    for i in reversed(range(len(layers))):
        gradients.append(Layer(np.outer(delta, h[i]), delta))
        if i > 0:
            delta = layers[i].W.T @ delta * slope(activation, z[i - 1])
    return negative_log_likelihood(y_hat, right), gradients[::-1], y_hat


def random_layers(sizes: Sequence[int], seed: int = 0) -> list[Layer]:
    """Start from small random weights: with zeros, all nodes of a layer would stay the same for ever.

    Examples
    --------
    >>> [layer.W.shape for layer in random_layers([2, 3, 2])]
    [(3, 2), (2, 3)]
    """
    rng = np.random.default_rng(seed)
    return [
        Layer(rng.uniform(-1, 1, (n_out, n_in)) / np.sqrt(n_in), np.zeros(n_out)) for n_in, n_out in pairwise(sizes)
    ]


def feed_forward_steps(
    X: Points,
    y: Iterable[Any],
    hidden: Sequence[int] = (3,),
    activation: str = "tanh",
    rate: float = 0.5,
    epochs: int = 200,
    batch_size: int | None = None,
    seed: int = 0,
    classes: Sequence[Label] | None = None,
) -> Steps[FeedForward]:
    """Learn from one batch after the other; see `feed_forward`."""
    points = as_points(X)
    labels = as_labels(y, len(points))
    names = all_classes(labels, classes)
    as_positive(rate, "rate")
    sizes = [len(points[0]), *(as_count(n, "hidden") for n in hidden), len(names)]
    layers = random_layers(sizes, seed)
    for number, (epoch, batch) in enumerate(batches(len(points), epochs, batch_size, None), start=1):
        passes = [network_gradients(layers, activation, points[i], names.index(labels[i])) for i in batch]
        loss = sum(one_loss for one_loss, _, _ in passes) / len(batch)
        right = sum(names[int(np.argmax(p))] == labels[i] for (_, _, p), i in zip(passes, batch, strict=True))
        layers = [
            Layer(
                layer.W - rate * sum(gradients[k].W for _, gradients, _ in passes) / len(batch),
                layer.b - rate * sum(gradients[k].b for _, gradients, _ in passes) / len(batch),
            )
            for k, layer in enumerate(layers)
        ]
        yield Step(
            number,
            seen=f"{len(batch)} example{'' if len(batch) == 1 else 's'}",
            score=loss,
            decision=f"{right} of {len(batch)} right",
            update=f"{rate:g} × gradient",
            parameters={
                name: value
                for k, layer in enumerate(layers, start=1)
                for name, value in ((f"W{k}", layer.W), (f"b{k}", layer.b))
            },
            why="all right" if right == len(batch) else f"{len(batch) - right} wrong",
            right=right == len(batch),
            loss=loss,
            epoch=epoch,
        )
    return FeedForward(tuple(layers), activation, tuple(names))


def feed_forward(
    X: Points,
    y: Iterable[Any],
    hidden: Sequence[int] = (3,),
    activation: str = "tanh",
    rate: float = 0.5,
    epochs: int = 200,
    batch_size: int | None = None,
    seed: int = 0,
    classes: Sequence[Label] | None = None,
) -> FeedForward:
    """Train a network with the given hidden layers.

    Parameters
    ----------
    X
        One example a row.
    y
        One label an example.
    hidden
        The number of nodes of each hidden layer; () for none.
    activation
        "tanh", "relu", "sigmoid" or "linear".
    rate
        The learning rate η.
    epochs
        Passes over the data.
    batch_size
        How many examples make one update; None for all of them.
    seed
        Decides the first weights.
    classes
        All labels; by default those of `y`, sorted.

    Examples
    --------
    >>> xor = feed_forward([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], hidden=(3,), epochs=300)
    >>> [xor.predict(x) for x in ([0, 0], [0, 1], [1, 0], [1, 1])]
    [0, 1, 1, 0]
    """
    return finish(feed_forward_steps(X, y, hidden, activation, rate, epochs, batch_size, seed, classes))


def _forward(layers: Sequence[Layer], activation: str, x: Matrix) -> tuple[list[Matrix], list[Matrix]]:
    """Give each layer's z, and each layer's input h."""
    z: list[Matrix] = []
    h = [x]
    for layer in layers:
        z.append(layer.W @ h[-1] + layer.b)
        h.append(activate(activation, z[-1]))
    return z, h[:-1]
