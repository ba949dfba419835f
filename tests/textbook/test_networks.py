"""McDonald, *Classification* (AthNLP 2024): networks, back-propagation, convolution."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay import textbook
from assay.textbook import worked


def test_toy_network_at_work():
    """McDonald, "Backpropagation at work": ∂L/∂y = 4, ∂L/∂w1 = 2 · 2 = 4, ∂L/∂u1 = 4 · h1 = 16."""
    h1, h2, y = textbook.forward(worked.TOY_INPUTS, worked.TOY_W, worked.TOY_U)
    assert (h1, h2, y) == (4, 4, 3)
    gradients = textbook.backpropagate(worked.TOY_INPUTS, worked.TOY_W, worked.TOY_U, worked.TOY_TARGET)
    assert gradients.y == 4
    assert gradients.h[0] == 2
    assert gradients.w[0] == 4
    assert gradients.u[0] == 4 * h1 == 16
    assert gradients.loss == (y - worked.TOY_TARGET) ** 2 == 4


@pytest.mark.parametrize("seed", range(3))
def test_every_derivative_of_the_toy_network(seed):
    """McDonald, "Full derivation examples": 2 (y - y′) h1, 2 (y - y′) u1 x1; all by finite differences."""
    rng = np.random.default_rng(seed)
    x, w, u, target = (
        rng.normal(size=4).tolist(),
        rng.normal(size=4).tolist(),
        rng.normal(size=2).tolist(),
        0.7,
    )
    gradients = textbook.backpropagate(x, w, u, target)
    h1, _, y = textbook.forward(x, w, u)
    assert gradients.u[0] == pytest.approx(2 * (y - target) * h1)
    assert gradients.w[0] == pytest.approx(2 * (y - target) * u[0] * x[0])

    def loss(x, w, u):
        return (textbook.forward(x, w, u)[2] - target) ** 2

    assert gradients.u == pytest.approx(textbook.numerical_gradient(lambda v: loss(x, w, v), u), abs=1e-6)
    assert gradients.w == pytest.approx(textbook.numerical_gradient(lambda v: loss(x, v, u), w), abs=1e-6)
    assert gradients.x == pytest.approx(textbook.numerical_gradient(lambda v: loss(v, w, u), x), abs=1e-6)


def test_toy_network_has_its_shape():
    with pytest.raises(textbook.InputError, match="4 inputs, 4 weights w and 2 weights u; given 1, 4, 2"):
        textbook.forward([1], [1, 2, 3, 4], [1, 2])


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid", "linear"])
def test_back_propagation_through_two_hidden_layers(activation):
    """McDonald, "Backpropagation and the chain rule": every ∂L/∂W and ∂L/∂b against finite differences."""
    layers = textbook.random_layers([3, 4, 2, 3], seed=5)
    layers = [textbook.Layer(layer.W, layer.b + 0.1) for layer in layers]
    x, right = [0.4, -1.2, 0.7], 2
    _, gradients, _ = textbook.network_gradients(layers, activation, x, right)
    for k, layer in enumerate(layers):
        for part in (0, 1):

            def loss(values, k=k, part=part):
                changed = [list(other) for other in layers]
                changed[k][part] = np.array(values).reshape(layers[k][part].shape)
                return textbook.network_gradients([textbook.Layer(*c) for c in changed], activation, x, right)[0]

            measured = textbook.numerical_gradient(loss, layer[part].ravel().tolist())
            assert gradients[k][part].ravel().tolist() == pytest.approx(measured, abs=1e-6)


def test_wee_example_has_the_slides_shapes():
    """McDonald, "A wee example": x in R², h = tanh(W x + b) in R³, two classes, log-loss."""
    layers = textbook.random_layers([2, 3, 2])
    assert [layer.W.shape for layer in layers] == [(3, 2), (2, 3)]
    loss, _, p = textbook.network_gradients(layers, "tanh", [1.0, -1.0], right=0)
    h = np.tanh(layers[0].W @ [1.0, -1.0] + layers[0].b)
    assert loss == pytest.approx(-math.log(textbook.softmax((layers[1].W @ h).tolist())[0]))
    assert sum(p) == pytest.approx(1)


@pytest.mark.parametrize(("activation", "hidden"), [("tanh", (3,)), ("sigmoid", (4,)), ("relu", (8,))])
def test_a_hidden_layer_learns_xor(activation, hidden):
    """Surdeanu & Valenzuela-Escárcega, section 2.7, promise it; a linear model cannot."""
    rate = 2.0 if activation == "sigmoid" else 0.5
    network = textbook.feed_forward(worked.SQUARE, worked.XOR, hidden, activation, rate=rate, epochs=600, seed=1)
    assert [network.predict(x) for x in worked.SQUARE] == list(worked.XOR)


def test_without_a_hidden_layer_or_without_a_bend_xor_is_not_learned():
    for hidden, activation in (((), "tanh"), ((3,), "linear")):
        network = textbook.feed_forward(worked.SQUARE, worked.XOR, hidden, activation, epochs=300)
        assert [network.predict(x) for x in worked.SQUARE] != list(worked.XOR)


def test_no_hidden_layer_is_multinomial_logistic_regression():
    layers = [textbook.Layer(np.zeros((2, 2)), np.zeros(2))]
    _, gradients, _ = textbook.network_gradients(layers, "tanh", [3, 2], right=0)
    (step,) = textbook.multinomial_logistic_steps([[3, 2]], ["+"], classes=["+", "-"], rate=1.0, epochs=1)
    assert (-gradients[0].W[0]).tolist() == pytest.approx(step.parameters["w[+]"])


def test_unknown_activation():
    with pytest.raises(textbook.InputError, match=r"activation is 'tan'\. It must be one of 'tanh', 'relu'"):
        textbook.feed_forward(worked.SQUARE, worked.XOR, activation="tan", epochs=1)


def test_filters_slide_over_the_sentence():
    """McDonald, "Convolutional neural networks": receptive field of two words, stride 1, relu."""
    found = textbook.convolve(worked.SENTENCE_VECTORS, worked.FILTERS, worked.FILTER_BIASES, n=2)
    assert found.shape == (7, 2)
    # "not good": negation before praise fires with 2·1 + 1 - 2; "great fun": praise and praise with 2 + 1 - 1
    assert found[3].tolist() == [0, 1]
    assert found[5].tolist() == [1, 1]
    assert found[6].tolist() == [2, 0]
    assert textbook.max_pooling(found) == [2, 1]
    assert textbook.average_pooling(found) == pytest.approx([(1 + 2) / 7, 2 / 7])


def test_convolution_by_hand():
    found = textbook.convolve([[1, 2], [3, 4], [5, 6]], [[1, 0, 0, -1]], [0.5], n=2, activation="linear")
    assert found.tolist() == [[1 - 4 + 0.5], [3 - 6 + 0.5]]
    assert textbook.convolve([[1], [2], [3], [4]], [[1, 1]], n=2, stride=2).tolist() == [[3], [7]]


def test_a_short_text_is_filled_with_zeros():
    assert textbook.convolve([[1.0]], [[2, 5]], n=2).tolist() == [[2.0]]


def test_filters_must_fit_the_window():
    with pytest.raises(textbook.InputError, match="A filter over 2 vectors of 1 numbers has 2 weights and one bias"):
        textbook.convolve([[1.0], [2.0]], [[1, 2, 3]], n=2)
