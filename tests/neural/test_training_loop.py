"""The loop by itself, on a network and numbers that have nothing to do with texts."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest
import torch
from torch import nn

from assay.errors import ModelFileError, ParameterError
from assay.neural.loop import training_loop
from assay.neural.loop.checkpoint import Checkpoint
from assay.neural.loop.losses import loss_function
from assay.neural.loop.optimizers import OPTIMISERS, Optimiser
from assay.neural.loop.training_loop import DivergenceError, HeldOut, Plan, train_network
from assay.neural.reading.batches import TrainingBatches
from assay.neural.reading.number_rows import NumberRows

SIX_EPOCHS = Plan(6, schedule="linear", warm_up=0.1)


def problem(n=60, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4)).astype(np.float32)
    return NumberRows(X), (X[:, 0] * X[:, 1] > 0).astype(np.int64)


def new_network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.2), nn.Linear(8, 2))


class Watcher:
    """Remembers, and presses Ctrl-C where it is asked to."""

    def __init__(self, interrupt=None):
        self.interrupt, self.steps, self.epochs = interrupt, [], []

    def step(self, epoch, epochs, step, steps, loss):
        self.steps.append((epoch, step))
        if (epoch, step) == self.interrupt:
            os.kill(os.getpid(), signal.SIGINT)

    def epoch(self, number, epochs, found, best):
        self.epochs.append((number, found, best))


def train(network, *, name="adam", rate=0.02, plan=SIX_EPOCHS, measure=None, checkpoint=None, watcher=None, **how):
    examples, classes = problem()
    batches = TrainingBatches(examples, classes, 16, seed=3)
    how |= {"measure": measure, "checkpoint": checkpoint, "watcher": watcher}
    return train_network(network, batches, loss_function("cross-entropy"), Optimiser(network, name, rate), plan, **how)


def weights(network):
    return {name: values.tolist() for name, values in network.state_dict().items()}


@pytest.mark.parametrize("name", OPTIMISERS)
def test_every_optimiser_makes_the_loss_smaller(name):
    network = new_network()
    history = train(network, name=name, rate=0.3 if name == "sgd" else 0.05, plan=Plan(10))
    assert history.epochs[-1].loss < history.epochs[0].loss
    assert not network.training


@pytest.mark.parametrize("place", [(1, 1), (2, 3), (3, 4)])
@pytest.mark.parametrize("name", OPTIMISERS)
def test_interrupted_and_resumed_training_ends_with_the_same_bits(tmp_path, place, name):
    whole, broken = new_network(), new_network()
    torch.manual_seed(5)
    expected = train(whole, name=name)
    checkpoint = Checkpoint(tmp_path / "checkpoint", "a purpose")
    torch.manual_seed(5)
    with pytest.raises(KeyboardInterrupt):
        train(broken, name=name, checkpoint=checkpoint, watcher=Watcher(place))
    assert checkpoint.path.exists()
    torch.manual_seed(99)  # what is random goes on from the file, not from here
    resumed, watcher = new_network(), Watcher()
    history = train(resumed, name=name, checkpoint=checkpoint, watcher=watcher)
    assert watcher.steps[0] == ((place[0], place[1] + 1) if place[1] < 4 else (place[0] + 1, 1))
    assert weights(resumed) == weights(whole)
    assert [(epoch.loss, epoch.rate) for epoch in history.epochs] == [
        (epoch.loss, epoch.rate) for epoch in expected.epochs
    ]
    assert not checkpoint.path.exists()


def test_a_second_ctrl_c_ends_at_once():
    class Impatient(Watcher):
        def step(self, *place):
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            raise AssertionError("went on")

    before = signal.getsignal(signal.SIGINT)  # a background job ignores it
    with pytest.raises(KeyboardInterrupt):
        train(new_network(), watcher=Impatient())
    assert signal.getsignal(signal.SIGINT) is before


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        train(new_network(), checkpoint=Checkpoint(path, "one"), watcher=Watcher((1, 2)))
    with pytest.raises(ParameterError, match=r"an interrupted training with other data or settings\. Delete the file"):
        train(new_network(), checkpoint=Checkpoint(path, "another"))


def test_a_damaged_checkpoint_is_refused(tmp_path):
    path = tmp_path / "checkpoint"
    path.write_bytes(b"nonsense")
    with pytest.raises(ModelFileError, match="this is no training, or the file is damaged"):
        train(new_network(), checkpoint=Checkpoint(path, "one"))
    path.unlink()
    with pytest.raises(KeyboardInterrupt):
        train(new_network(), checkpoint=Checkpoint(path, "one"), watcher=Watcher((1, 2)))
    with pytest.raises(ModelFileError, match=r"file of an interrupted training is damaged .* Delete it to begin anew"):
        train(nn.Linear(4, 2), checkpoint=Checkpoint(path, "one"))


def scripted(values):
    """Held-out results as they are given, one an epoch."""
    left = iter(values)

    def measure(network):
        assert not network.training
        value = next(left)
        return HeldOut(-value, value, value)

    return measure


def test_it_stops_when_it_gets_no_better_and_keeps_the_best_weights():
    seen, network = [], new_network()

    def after_step(network):
        seen.append(weights(network))

    plan = Plan(50, patience=3)
    history = train(network, plan=plan, measure=scripted([1, 3, 2, 2, 3, 5]), after_step=after_step)
    assert [epoch.held_out_metric for epoch in history.epochs] == [1, 3, 2, 2, 3]
    assert history.best == 2
    assert weights(network) == seen[2 * 4 - 1]


def test_the_watcher_is_told_of_every_update_and_epoch():
    watcher = Watcher()
    train(new_network(), plan=Plan(2), measure=scripted([1, 0]), watcher=watcher)
    assert watcher.steps == [(epoch, step) for epoch in (1, 2) for step in (1, 2, 3, 4)]
    assert [(number, best) for number, _, best in watcher.epochs] == [(1, True), (2, False)]


def test_nan_is_named_with_its_likely_cause_and_the_best_weights_are_kept():
    network, kept = new_network(), {}

    def poison(network):
        poison.steps += 1
        if poison.steps == 8:
            kept.update(weights(network))
        if poison.steps == 10:
            with torch.no_grad():
                network[0].weight.fill_(torch.nan)

    poison.steps = 0
    message = (
        r"The loss became nan in epoch 3, update 3\. The likely cause is a learning rate that is too high, 0\.02: "
        r"divide it by ten, or limit the gradient with clip=1\.0\. The weights of epoch 2 are kept\."
    )
    with pytest.raises(DivergenceError, match=message) as caught:
        train(network, after_step=poison)
    assert weights(network) == kept
    assert len(caught.value.history.epochs) == 2


def test_nan_from_the_first_update_on_is_blamed_on_the_numbers():
    def always(scores, classes):
        return scores.sum() * torch.inf

    network = new_network()
    batches = TrainingBatches(*problem(), 16, seed=3)
    with pytest.raises(
        DivergenceError, match=r"look for enormous numbers .* No epoch had ended: there is no model"
    ) as e:
        train_network(network, batches, always, Optimiser(network, "sgd", 0.1), Plan(3))
    assert e.value.history is None


def test_sparse_tables_are_changed_as_full_ones_are_by_plain_descent():
    """One update of each: SGD and Adagrad look at nothing but the gradient of the rows that a batch has."""
    for name in ("sgd", "adagrad"):
        found = []
        for sparse in (True, False):
            torch.manual_seed(0)
            network = nn.Embedding(6, 3, sparse=sparse)
            optimiser = Optimiser(network, name, 0.5)
            for _ in range(3):
                network(torch.tensor([1, 4, 4])).pow(2).sum().backward()
                optimiser.step()
            found.append(network.weight.detach())
        torch.testing.assert_close(found[0], found[1])


def test_clipping_shortens_all_gradients_together():
    network = nn.ModuleDict({"table": nn.Embedding(5, 2, sparse=True), "layer": nn.Linear(2, 2)})
    optimiser = Optimiser(network, "sgd", 1.0)
    network["layer"](network["table"](torch.tensor([1, 1, 3]))).pow(2).sum().backward()
    before = [p.grad.to_dense().clone() for p in optimiser.parameters]
    length = optimiser.clip(0.5)
    assert length == pytest.approx(float(torch.cat([g.flatten() for g in before]).norm()), rel=1e-5)
    after = torch.cat([p.grad.to_dense().flatten() for p in optimiser.parameters])
    assert float(after.norm()) == pytest.approx(0.5, rel=1e-5)


def test_l2_shrinks_layers_and_not_word_vectors():
    network = nn.ModuleDict({"table": nn.Embedding(3, 2, sparse=True), "layer": nn.Linear(2, 1)})
    optimiser = Optimiser(network, "sgd", 0.1, l2=1.0)
    table, layer = network["table"].weight.detach().clone(), network["layer"].weight.detach().clone()
    (0 * network["layer"](network["table"](torch.tensor([0, 1, 2])))).sum().backward()
    optimiser.step()
    torch.testing.assert_close(network["layer"].weight.detach(), 0.9 * layer)
    torch.testing.assert_close(network["table"].weight.detach(), table)


def test_ctrl_c_after_the_last_update_of_an_epoch_is_not_lost(tmp_path):
    class AtTheEnd(Watcher):
        def epoch(self, number, epochs, found, best):
            if number == epochs:
                os.kill(os.getpid(), signal.SIGINT)

    checkpoint = Checkpoint(tmp_path / "checkpoint", "a purpose")
    with pytest.raises(KeyboardInterrupt):
        train(new_network(), checkpoint=checkpoint, watcher=AtTheEnd())
    watcher = Watcher()
    assert len(train(new_network(), checkpoint=checkpoint, watcher=watcher).epochs) == 6
    assert watcher.steps == []


def break_after(step):
    """After so many updates, weights that give no number any more."""

    def poison(network):
        poison.steps += 1
        if poison.steps == step:
            with torch.no_grad():
                network[0].weight.fill_(torch.nan)

    poison.steps = 0
    return poison


def test_an_epoch_whose_last_update_broke_the_weights_does_not_count(tmp_path):
    network, checkpoint = new_network(), Checkpoint(tmp_path / "checkpoint", "a purpose")
    message = r"The loss became nan in epoch 2, after its last update\. The likely .* The weights of epoch 1 are kept"
    with pytest.raises(DivergenceError, match=message) as caught:
        train(network, after_step=break_after(8), checkpoint=checkpoint)
    assert caught.value.history.best == 1
    assert all(np.isfinite(values).all() for values in weights(network).values())
    assert not checkpoint.path.exists()


def test_where_the_only_epoch_broke_the_weights_there_is_no_model():
    with pytest.raises(
        DivergenceError, match=r"epoch 1, after its last update\..* No epoch had ended: there is no model"
    ):
        train(new_network(), plan=Plan(1), after_step=break_after(4))


def test_a_held_out_loss_that_is_no_number_ends_the_training_with_the_best_weights():
    with pytest.raises(DivergenceError, match=r"The loss became nan in epoch 3, .* The weights of epoch 1 are kept"):
        train(new_network(), plan=Plan(9), measure=scripted([2, 1, np.nan]))


def test_the_look_at_the_last_batch_changes_nothing(monkeypatch):
    found = []
    for look in (training_loop._loss_now, lambda *_: 0.0):
        monkeypatch.setattr(training_loop, "_loss_now", look)
        network = new_network()
        torch.manual_seed(5)
        train(network)
        found.append(weights(network))
    assert found[0] == found[1]


def test_checkpoints_are_written_every_few_seconds_and_not_after_every_short_epoch(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(Checkpoint, "write", lambda self, *_: written.append(self))
    for seconds, expected in ((3600, 0), (-1, 6)):
        monkeypatch.setattr(training_loop, "KEEP_EVERY", seconds)
        written.clear()
        train(new_network(), checkpoint=Checkpoint(tmp_path / "checkpoint", "a purpose"))
        assert len(written) == expected
