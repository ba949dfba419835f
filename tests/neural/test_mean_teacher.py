"""Agreeing with one's own running mean on texts without labels."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import assay
from assay.errors import DataError, ParameterError
from assay.neural import AveragingNetwork, EncoderClassifier, MeanTeacher
from assay.neural.networks.mean_teacher import WithTeacher
from assay.neural.parts.layers import hidden_layers

from .conftest import LABELS, TEXTS

NETWORK = AveragingNetwork(embedding_size=8, hidden=(6,), epochs=8, learning_rate=0.05, batch_size=8, threads=1)
UNLABELLED = [f"a {word} film" for word in ("great", "dull", "fun", "poor")] * 5


def test_the_teacher_is_the_running_mean_of_the_student():
    student = hidden_layers([2, 2], "tanh", 0.0)
    student.settings = {}
    both = WithTeacher(student, decay=0.75)
    first = [value.clone() for value in both.teacher.parameters()]
    with torch.no_grad():
        for value in student.parameters():
            value.fill_(1.0)
    both.updates += 100  # past the beginning, in which it follows faster
    both.follow()
    for before, value in zip(first, both.teacher.parameters(), strict=True):
        torch.testing.assert_close(value, 0.75 * before + 0.25)


def test_it_learns_and_is_kept_like_any_network(tmp_path):
    model = MeanTeacher(network=NETWORK, decay=0.8).fit(TEXTS, LABELS, UNLABELLED).classifier_
    assert model.score(TEXTS, LABELS) > 0.9
    model.save(tmp_path / "model.assay")
    loaded = assay.load(tmp_path / "model.assay")
    np.testing.assert_array_equal(loaded.predict_proba(TEXTS), model.predict_proba(TEXTS))
    assert loaded.provenance["mean_teacher"]["unlabelled"] == 20
    assert not hasattr(NETWORK, "_model")


def test_the_same_seed_gives_the_same_network():
    one, two = (MeanTeacher(network=NETWORK).fit(TEXTS, LABELS, UNLABELLED).classifier_ for _ in range(2))
    np.testing.assert_array_equal(one.predict_proba(TEXTS), two.predict_proba(TEXTS))


def test_an_interrupted_training_goes_on_only_with_the_same_texts_and_settings(tmp_path, monkeypatch):
    path = tmp_path / "training.checkpoint"
    network = AveragingNetwork(**{**NETWORK.get_params(), "checkpoint": path})
    monkeypatch.setattr("assay.neural.loop.training_loop.KEEP_EVERY", -1.0)  # keep every epoch
    follow = WithTeacher.follow

    def stop_late(self):
        follow(self)
        if self.updates > 20:
            raise KeyboardInterrupt

    with monkeypatch.context() as late:
        late.setattr(WithTeacher, "follow", stop_late)
        with pytest.raises(KeyboardInterrupt):
            MeanTeacher(network=network).fit(TEXTS, LABELS, UNLABELLED)
    assert path.exists()
    for teacher, texts in (
        (MeanTeacher(network=network, weight=1.0), UNLABELLED),
        (MeanTeacher(network=network), ["x"]),
    ):
        with pytest.raises(ParameterError, match="an interrupted training with other data or settings"):
            teacher.fit(TEXTS, LABELS, texts)
    resumed = MeanTeacher(network=network).fit(TEXTS, LABELS, UNLABELLED).classifier_
    whole = MeanTeacher(network=NETWORK).fit(TEXTS, LABELS, UNLABELLED).classifier_
    np.testing.assert_array_equal(resumed.predict_proba(TEXTS), whole.predict_proba(TEXTS))
    assert not path.exists()


@pytest.mark.parametrize("settings", [{"decay": 1.0}, {"weight": -1}, {"ramp_up": -1}], ids=str)
def test_a_setting_that_cannot_be_is_named(settings):
    with pytest.raises(ParameterError, match=f"'{next(iter(settings))}'"):
        MeanTeacher(network=NETWORK, **settings).fit(TEXTS, LABELS, UNLABELLED)


def test_texts_without_labels_are_needed():
    with pytest.raises(DataError, match="There are no texts without labels"):
        MeanTeacher(network=NETWORK).fit(TEXTS, LABELS, [])


@pytest.mark.parametrize(
    ("network", "message"),
    [
        ("cnn", r"'network' parameter of MeanTeacher must be a network .* Got 'cnn' instead"),
        (
            EncoderClassifier(encoder="x"),
            r"EncoderClassifier\(tuning='head'\) leaves .* as they are\. Use tuning='all'",
        ),
    ],
    ids=["a name", "an encoder that stays as it is"],
)
def test_what_cannot_be_taught_is_refused(network, message):
    with pytest.raises(ParameterError, match=message):
        MeanTeacher(network=network).fit(TEXTS, LABELS, UNLABELLED)
