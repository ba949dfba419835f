"""The textbook's back-propagation, written out by hand, against PyTorch's automatic differentiation."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.neural.loop.losses import loss_function
from assay.neural.networks.convolutional import slide
from assay.neural.networks.feed_forward import Layers
from assay.textbook.backpropagation import backpropagate
from assay.textbook.feed_forward import Layer, feed_forward, network_gradients, random_layers

NUMBERS = st.floats(-3, 3, allow_nan=False, width=32)


@settings(max_examples=50, deadline=None)
@given(st.tuples(*[NUMBERS] * 4), st.tuples(*[NUMBERS] * 4), st.tuples(*[NUMBERS] * 2), NUMBERS)
def test_the_network_small_enough_to_draw(x, w, u, target):
    found = backpropagate(x, w, u, target)
    tx, tw, tu = (torch.tensor(values, dtype=torch.float64, requires_grad=True) for values in (x, w, u))
    h = torch.stack([tw[0] * tx[0] + tw[1] * tx[1], tw[2] * tx[2] + tw[3] * tx[3]])
    h.retain_grad()
    loss = ((tu * h).sum() - target) ** 2
    loss.backward()
    assert found.loss == pytest.approx(loss.item(), rel=1e-12, abs=1e-12)
    for ours, theirs in ((found.x, tx), (found.w, tw), (found.u, tu), (found.h, h)):
        np.testing.assert_allclose(ours, theirs.grad.numpy(), rtol=1e-12, atol=1e-12)


def same_network(layers, activation):
    """Our network in double precision with the textbook's weights."""
    sizes = [layer.b.size for layer in layers]
    network = Layers.built(
        n_inputs=layers[0].W.shape[1], listed="no", hidden=sizes[:-1], activation=activation, dropout=0.0,
        n_classes=sizes[-1],
    ).double()  # fmt: skip
    linear = [module for module in network.modules() if isinstance(module, torch.nn.Linear)]
    with torch.no_grad():
        for ours, theirs in zip(linear, layers, strict=True):
            ours.weight.copy_(torch.from_numpy(theirs.W))
            ours.bias.copy_(torch.from_numpy(theirs.b))
    return network, linear


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(1, 6), min_size=0, max_size=3),
    st.sampled_from(["tanh", "relu", "sigmoid"]),
    st.integers(2, 4),
    st.integers(0, 2**31),
)
def test_gradients_of_every_layer_are_those_of_autograd(hidden, activation, n_classes, seed):
    random = np.random.default_rng(seed)
    layers = [
        Layer(layer.W, random.normal(size=layer.b.size)) for layer in random_layers([3, *hidden, n_classes], seed)
    ]
    x, right = random.normal(size=3), int(random.integers(n_classes))
    loss, gradients, probabilities = network_gradients(layers, activation, x.tolist(), right)
    network, linear = same_network(layers, activation)
    scores = network(torch.from_numpy(x)[None])
    value = loss_function("cross-entropy")(scores, torch.tensor([right]))
    value.backward()
    assert loss == pytest.approx(value.item(), rel=1e-10)
    np.testing.assert_allclose(probabilities, scores.softmax(dim=1)[0].detach().numpy(), rtol=1e-10)
    for ours, theirs in zip(gradients, linear, strict=True):
        np.testing.assert_allclose(ours.W, theirs.weight.grad.numpy(), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(ours.b, theirs.bias.grad.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_plain_descent_takes_the_textbooks_steps(activation):
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    y = [0, 1, 1, 0]
    expected = feed_forward(X, y, hidden=(3,), activation=activation, rate=0.5, epochs=20, seed=4)
    network, linear = same_network(random_layers([2, 3, 2], 4), activation)
    optimiser = torch.optim.SGD(network.parameters(), 0.5)
    for _ in range(20):
        optimiser.zero_grad()
        loss_function("cross-entropy")(network(torch.tensor(X, dtype=torch.float64)), torch.tensor(y)).backward()
        optimiser.step()
    for ours, theirs in zip(linear, expected.layers, strict=True):
        np.testing.assert_allclose(ours.weight.detach().numpy(), theirs.W, rtol=1e-9)
        np.testing.assert_allclose(ours.bias.detach().numpy(), theirs.b, rtol=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 2**31))
def test_the_hinge_loss_is_the_margin_of_the_worst_rival(n_classes, n, seed):
    random = np.random.default_rng(seed)
    scores, classes = random.normal(size=(n, n_classes)), random.integers(n_classes, size=n)
    expected = [
        max(0.0, max(1 + row[k] - row[c] for k in range(n_classes) if k != c))
        for row, c in zip(scores, classes, strict=True)
    ]
    found = loss_function("hinge")(torch.from_numpy(scores), torch.from_numpy(classes))
    assert float(found) == pytest.approx(np.mean(expected), abs=1e-12)
    weights = random.uniform(0.1, 2, size=n_classes)
    weighted = loss_function("hinge", class_weights=torch.from_numpy(weights))
    found = weighted(torch.from_numpy(scores), torch.from_numpy(classes))
    assert float(found) == pytest.approx(np.average(expected, weights=weights[classes]), abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 5), st.integers(1, 7), st.integers(0, 2**31))
def test_sliding_filters_are_a_convolution_with_its_gradients(width, length, seed):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(2, length, 3, generator=generator, dtype=torch.float64, requires_grad=True)
    filters = [torch.nn.Linear(3 * wide, 4, dtype=torch.float64) for wide in (width, 2)]
    expected = []
    for wide, layer in zip((width, 2), filters, strict=True):
        padded = torch.nn.functional.pad(x.transpose(1, 2), (wide // 2, wide - 1 - wide // 2))
        weight = layer.weight.view(4, wide, 3).transpose(1, 2)
        expected.append(torch.nn.functional.conv1d(padded, weight, layer.bias).transpose(1, 2))
    found, wanted = slide(x, filters, (width, 2)), torch.cat(expected, dim=-1)
    torch.testing.assert_close(found, wanted)
    leaves = [x, *(value for layer in filters for value in layer.parameters())]
    given = torch.randn(found.shape, generator=generator, dtype=torch.float64)
    for own, theirs in zip(
        torch.autograd.grad(found, leaves, given), torch.autograd.grad(wanted, leaves, given), strict=True
    ):
        torch.testing.assert_close(own, theirs)
