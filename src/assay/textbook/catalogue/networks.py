"""Networks: back-propagation on paper, feed-forward, convolution."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.textbook import worked
from assay.textbook.backpropagation import Gradients, backpropagate_steps
from assay.textbook.catalogue.record import Algorithm, Example
from assay.textbook.convolution import average_pooling, convolve_steps, max_pooling
from assay.textbook.feed_forward import FeedForward, feed_forward_steps
from assay.textbook.rendering.numbers import show, show_number

__all__ = ["NETWORKS"]

_MCDONALD = "McDonald, Classification (AthNLP 2024)"


def _gradients(gradients: Gradients) -> str:
    return f"L = {show_number(gradients.loss)}; ∂L/∂u = {show(gradients.u)}, ∂L/∂w = {show(gradients.w)}."


def _network(network: FeedForward) -> str:
    sizes = [network.layers[0].W.shape[1], *(len(layer.b) for layer in network.layers)]
    n = sum(layer.W.size + layer.b.size for layer in network.layers)
    return f"Layers of {' → '.join(map(str, sizes))} nodes, {network.activation}, {n} parameters."


def _pooled(found: npt.NDArray[np.float64]) -> str:
    return f"Max pooling {show(max_pooling(found))}, average pooling {show(average_pooling(found))}."


NETWORKS = (
    Algorithm(
        "backpropagation",
        "Back-propagation",
        "the chain rule, one node after the other",
        f"{_MCDONALD}, toy example",
        backpropagate_steps,
        ("x", "w", "u", "target"),
        (
            Example(
                "toy",
                "two hidden nodes, no bends, squared loss",
                f"{_MCDONALD}, toy example: backpropagation at work",
                {"x": worked.TOY_INPUTS, "w": worked.TOY_W, "u": worked.TOY_U, "target": worked.TOY_TARGET},
            ),
        ),
        _gradients,
        ("network",),
        {"seen": "node", "score": "value", "decision": "direction", "update": "formula"},
    ),
    Algorithm(
        "feed-forward",
        "Feed-forward network",
        "layers of linear models with a bend between them",
        f"{_MCDONALD}, neural networks",
        feed_forward_steps,
        ("X", "y"),
        (
            Example(
                "xor",
                "the XOR function with three hidden nodes",
                f"{_MCDONALD}, a wee example; Surdeanu & Valenzuela-Escárcega, section 2.7",
                {"X": worked.SQUARE, "y": worked.XOR, "hidden": (3,), "epochs": 300, "seed": 1},
                ("x1", "x2"),
            ),
            Example(
                "topics",
                "nine articles in three classes",
                "made for this textbook",
                {"X": worked.TOPIC_COUNTS, "y": worked.TOPIC_LABELS, "hidden": (4,), "rate": 0.2, "epochs": 200},
                worked.TOPIC_FEATURES,
            ),
        ),
        _network,
        ("regions", "loss"),
        {"score": "loss"},
    ),
    Algorithm(
        "convolution",
        "Convolution",
        "the same small filters at every position, then pooling",
        f"{_MCDONALD}, convolutional neural networks",
        convolve_steps,
        ("X", "W", "b"),
        (
            Example(
                "film",
                "two filters over pairs of words",
                f"{_MCDONALD}, convolutional neural networks; the sentence is ours",
                {
                    "X": worked.SENTENCE_VECTORS,
                    "W": worked.FILTERS,
                    "b": worked.FILTER_BIASES,
                    "n": 2,
                    "words": list(worked.SENTENCE),
                },
            ),
        ),
        _pooled,
        ("matrix",),
        {"seen": "window", "score": "W·window+b"},
    ),
)
