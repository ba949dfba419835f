"""What every network promises, whatever is in it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

import assay
from assay.errors import NotFittedError, ParameterError
from assay.neural import AveragingNetwork

from .conftest import LABELS, NEW, TEXTS


def test_it_learns_predicts_and_scores(network):
    model = network.fit(TEXTS, LABELS)
    assert model is network
    assert model.labels == ("neg", "pos")
    assert model.classes_.tolist() == ["neg", "pos"]
    assert model.predict(NEW[:2]).tolist() == ["pos", "neg"]
    probabilities = model.predict_proba(NEW)
    assert probabilities.shape == (4, 2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert model.decision_function(NEW).shape == (4,)
    assert model.score(TEXTS, LABELS) == 1.0
    assert model.predict([]).shape == (0,)
    check_is_fitted(model)


def test_the_same_seed_gives_the_same_file_and_another_seed_another(network, tmp_path):
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        again = clone(network).set_params(seed=seed, epochs=2)
        again.fit(TEXTS, LABELS).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_training_leaves_the_random_numbers_and_threads_of_others_alone(network):
    torch.manual_seed(7)
    expected, threads = torch.rand(3).tolist(), torch.get_num_threads()
    torch.manual_seed(7)
    network.set_params(epochs=1).fit(TEXTS, LABELS).predict(NEW)
    assert torch.rand(3).tolist() == expected
    assert torch.get_num_threads() == threads


def test_a_saved_network_says_the_same(network, tmp_path):
    network.set_params(epochs=3).fit(TEXTS, LABELS).save(tmp_path / "network.assay")
    loaded = assay.load(tmp_path / "network.assay")
    assert type(loaded) is type(network)
    assert loaded.decision_function(NEW).tolist() == network.decision_function(NEW).tolist()
    assert loaded.history_.to_dict() == network.history_.to_dict()
    assert loaded.provenance["data"] == network.provenance["data"]
    assert "created" in loaded.provenance
    loaded.save(tmp_path / "again.assay")
    assert (tmp_path / "again.assay").read_bytes() == (tmp_path / "network.assay").read_bytes()


def test_half_precision_makes_a_smaller_file(network, tmp_path):
    network.set_params(epochs=3).fit(TEXTS, LABELS)
    network.save(tmp_path / "full")
    network.save(tmp_path / "half", float16=True)
    assert (tmp_path / "half").stat().st_size < (tmp_path / "full").stat().st_size
    difference = assay.load(tmp_path / "half").decision_function(NEW) - network.decision_function(NEW)
    assert np.abs(difference).max() < 0.02  # 11 bits of the weights


def test_company_in_a_batch_does_not_change_a_text(network):
    model = network.set_params(epochs=3).fit(TEXTS, LABELS)
    alone = [float(model.decision_function([text])[0]) for text in NEW]
    together = model.decision_function([*NEW, "a very long text indeed, " * 30])[:4]
    # Sums in another order.
    np.testing.assert_allclose(together, alone, rtol=1e-4, atol=1e-5)


def test_many_classes_have_one_score_each(network):
    texts, labels = [f"word{i % 4} fun" for i in range(40)], [f"class {i % 4}" for i in range(40)]
    model = network.set_params(epochs=2).fit(texts, labels)
    assert model.decision_function(texts).shape == (40, 4)
    np.testing.assert_allclose(model.predict_proba(texts).sum(axis=1), 1)


def test_hinge_gives_scores_and_no_probabilities(network, tmp_path):
    model = network.set_params(loss="hinge").fit(TEXTS, LABELS)
    assert not hasattr(model, "predict_proba")
    assert model.predict(NEW[:2]).tolist() == ["pos", "neg"]
    model.save(tmp_path / "hinge.assay")
    assert not hasattr(assay.load(tmp_path / "hinge.assay"), "predict_proba")


def test_it_can_be_measured_compared_and_cross_validated(network):
    corpus = assay.read((TEXTS, LABELS))
    linear = assay.TextClassifier().fit(corpus)
    model = clone(network).fit(corpus)
    assert assay.evaluate(model, corpus).accuracy.value == 1.0
    assert assay.compare(model, linear, corpus).difference.value == 0.0
    found = assay.cross_validate(network.set_params(epochs=1), corpus, folds=2, threads=1, metrics=["accuracy"])
    assert 0 <= found["accuracy"].value <= 1


def test_before_training_there_is_nothing_to_ask(network):
    with pytest.raises(NotFittedError, match=r"This \w+ is not fitted yet\. Call fit\(texts, labels\), or load one"):
        network.predict(["x"])


def test_unknown_parameters_are_named_with_those_that_there_are(network):
    with pytest.raises(ParameterError, match=r"has no parameter 'epoch'\. They are 'epochs', "):
        network.set_params(epoch=3)


def test_what_is_not_as_usual_is_shown():
    assert repr(AveragingNetwork(hidden=(5,), epochs=3)) == "AveragingNetwork(epochs=3, hidden=(5,))"


def test_networks_that_are_trained_at_the_same_time_do_not_disturb_each_other():
    from concurrent.futures import ThreadPoolExecutor

    def train(seed):
        network = AveragingNetwork(embedding_size=4, epochs=3, seed=seed, threads=1)
        return network.fit(TEXTS, LABELS).decision_function(NEW).tolist()

    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(train, range(3)))
    assert together == [train(seed) for seed in range(3)]
