"""How a training goes: what it stops by, what counts in it, what becomes of one that breaks off."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest
import torch
from sklearn.base import clone

import assay
from assay.errors import DataError, ParameterError
from assay.neural import AveragingNetwork, ConvolutionalNetwork, FeedForward
from assay.neural.loop.training_loop import DivergenceError
from assay.neural.networks.averaging import Averaging

from .conftest import LABELS, NEW, TEXTS


def test_training_stops_by_texts_that_are_given(network):
    held_out = assay.read((["great fun", "dull mess"], ["pos", "neg"]))
    by_corpus = clone(network).set_params(validation=held_out, epochs=2).fit(TEXTS, LABELS)
    by_pair = clone(network).set_params(validation=(["great fun", "dull mess"], ["pos", "neg"]), epochs=2)
    by_pair.fit(TEXTS, LABELS)
    assert by_corpus.history_.to_dict() == by_pair.history_.to_dict()
    with pytest.raises(DataError, match="the label 'odd' of the validation texts does not occur in the training texts"):
        network.set_params(validation=(["great"], ["odd"])).fit(TEXTS, LABELS)


@pytest.mark.parametrize("stop_by", ["loss", "accuracy", "macro_f1"])
def test_training_stops_by_what_is_asked_for(stop_by):
    settings = {"embedding_size": 4, "hidden": (), "patience": 1, "epochs": 40, "threads": 1}
    network = AveragingNetwork(**settings, validation=0.1, stop_by=stop_by)
    history = network.fit(TEXTS, LABELS).history_
    assert history.metric == ("accuracy" if stop_by == "loss" else stop_by)
    merits = [(epoch.held_out_metric if stop_by != "loss" else 0, -epoch.held_out_loss) for epoch in history.epochs]
    assert history.best == merits.index(max(merits)) + 1


def test_balanced_classes_weigh_more_where_they_are_few():
    texts, labels = ["good film"] * 30 + ["bad film"] * 3, ["pos"] * 30 + ["neg"] * 3
    plain, balanced = (
        FeedForward(hidden=(), epochs=30, learning_rate=0.02, validation=0, class_weight=weight, threads=1).fit(
            texts, labels
        )
        for weight in (None, "balanced")
    )
    assert balanced.predict_proba(["film"])[0, 0] > plain.predict_proba(["film"])[0, 0] + 0.1


def test_label_smoothing_makes_it_less_sure():
    sure, careful = (
        FeedForward(hidden=(), epochs=60, learning_rate=0.05, validation=0, label_smoothing=share, threads=1)
        for share in (0.0, 0.3)
    )
    texts = ["great fun"]
    assert careful.fit(TEXTS, LABELS).predict_proba(texts).max() < sure.fit(TEXTS, LABELS).predict_proba(texts).max()


def test_a_rate_far_too_high_is_named_and_the_best_epoch_stays_usable():
    network = FeedForward(hidden=(4,), optimiser="sgd", learning_rate=1e30, epochs=9, validation=0, threads=1)
    with pytest.raises(DivergenceError, match="The likely cause is a learning rate that is too high, 1e\\+30"):
        network.fit(TEXTS, LABELS)


def test_a_network_that_diverges_later_keeps_the_model_of_its_best_epoch():
    class Poison:
        def step(self, *_):
            pass

        def epoch(self, number, epochs, found, best):
            if number == 2:
                with torch.no_grad():
                    network_of[0].output.weight.fill_(torch.inf)

    network_of = []
    network = AveragingNetwork(embedding_size=4, epochs=9, threads=1)
    build = network._new_network
    network._new_network = lambda *arguments: network_of.append(build(*arguments)) or network_of[0]
    with pytest.raises(DivergenceError, match=r"The weights of epoch \d are kept"):
        network.fit(TEXTS, LABELS, watcher=Poison())
    assert np.isfinite(network.predict_proba(["great fun"])).all()


class InterruptIn:
    """Presses Ctrl-C in an epoch."""

    def __init__(self, epoch):
        self.wanted = epoch

    def step(self, epoch, *_):
        if epoch == self.wanted:
            os.kill(os.getpid(), signal.SIGINT)

    def epoch(self, *_):
        pass


def test_an_interrupted_fit_goes_on(tmp_path):
    settings = {"embedding_size": 8, "filters": 4, "epochs": 3, "threads": 1}
    whole = ConvolutionalNetwork(**settings).fit(TEXTS, LABELS)
    broken = ConvolutionalNetwork(**settings, checkpoint=tmp_path / "kept")
    with pytest.raises(KeyboardInterrupt):
        broken.fit(TEXTS, LABELS, watcher=InterruptIn(2))
    with pytest.raises(ParameterError, match="an interrupted training with other data or settings"):
        clone(broken).set_params(filters=5).fit(TEXTS, LABELS)
    with pytest.raises(ParameterError, match="an interrupted training with other data or settings"):
        clone(broken).fit(TEXTS[1:], LABELS[1:])
    broken.fit(TEXTS, LABELS)
    assert broken.decision_function(NEW).tolist() == whole.decision_function(NEW).tolist()


def test_verbose_writes_a_line_an_epoch(capsys):
    FeedForward(epochs=2, verbose=True, threads=1).fit(TEXTS, LABELS)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("epoch 1/2: loss 0.")


def test_threads_are_those_that_were_asked_for_and_given_back_afterwards(monkeypatch):
    seen = set()
    forward = Averaging.forward

    def noting(self, *inputs):
        seen.add(torch.get_num_threads())
        return forward(self, *inputs)

    monkeypatch.setattr(Averaging, "forward", noting)
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        network = AveragingNetwork(embedding_size=4, epochs=1, threads=1).fit(TEXTS, LABELS)
        assert torch.get_num_threads() == 3
        network.predict(["great fun"])
        assert torch.get_num_threads() == 3
        with pytest.raises(DataError):
            network.predict([3])
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
    assert seen == {1}


def test_a_file_tells_the_settings_without_texts_and_folders(tmp_path):
    (tmp_path / "words.vec").write_text("2 3\ngreat 1 0 0\ndull 0 1 0\n", encoding="utf-8")
    secret = (["a private text", "another one"], ["pos", "neg"])
    network = AveragingNetwork(vectors=tmp_path / "words.vec", validation=secret, epochs=1, threads=1)
    network.set_params(checkpoint=tmp_path / "kept").fit(TEXTS, LABELS).save(tmp_path / "m.assay")
    content = (tmp_path / "m.assay").read_bytes()
    assert b"private" not in content
    assert str(tmp_path).encode() not in content
    told = assay.load(tmp_path / "m.assay").provenance["learner"]["parameters"]
    assert told["vectors"] == "words.vec"
    assert told["validation"]["rows"] == 2
    assert len(told["validation"]["sha256"]) == 64


def test_a_training_goes_on_only_with_the_vectors_and_held_out_texts_that_it_began_with(tmp_path):
    class Vectors:
        def __init__(self, matrix):
            self.words, self.matrix = ("great", "dull"), np.array(matrix)

    def of(matrix, texts):
        settings = {"vectors": Vectors(matrix), "validation": (texts, ["pos", "neg"]), "epochs": 2, "threads": 1}
        return AveragingNetwork(**settings, checkpoint=tmp_path / "kept")

    one, two = [[1.0, 0.0], [0.0, 1.0]], ["great", "dull"]
    with pytest.raises(KeyboardInterrupt):
        of(one, two).fit(TEXTS, LABELS, watcher=InterruptIn(1))
    for other in (of([[1.0, 0.0], [0.0, 2.0]], two), of(one, ["great", "so dull"])):
        with pytest.raises(ParameterError, match="an interrupted training with other data or settings"):
            other.fit(TEXTS, LABELS)
    assert len(of(one, two).fit(TEXTS, LABELS).history_.epochs) == 2
