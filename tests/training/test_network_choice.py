"""Networks in the settings of a training."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.embeddings import WordVectors
from assay.errors import ParameterError
from assay.neural import AveragingNetwork
from assay.training import Recipe, TrainingSettings, run_training

POSITIVE, NEGATIVE = ("great", "fun", "loved", "fine"), ("dull", "mess", "poor", "boring")
TEXTS = [f"a {words[i % 4]} film, {words[i // 4 % 4]} and long{i}" for i in range(24) for words in (POSITIVE, NEGATIVE)]
LABELS = ["pos", "neg"] * 24
SMALL = {"embedding_size": 8, "hidden": [6], "learning_rate": 0.02, "epochs": 20, "batch_size": 8}


def test_train_gives_a_network_where_one_is_asked_for():
    model = assay.train(TEXTS, LABELS, learner="averaging", learner_settings=SMALL, threads=1, seed=3)
    assert isinstance(model, AveragingNetwork)
    assert model.seed == 3
    assert model.predict(["great fun", "a dull mess"]).tolist() == ["pos", "neg"]


def test_a_run_holds_out_a_test_and_notes_what_was_trained():
    settings = TrainingSettings.chosen(learner="averaging", learner_settings=SMALL, class_weight="neg=2,pos=1")
    run = run_training((TEXTS, LABELS), settings, threads=1)
    assert len(run.test) == 10
    assert run.evaluation.accuracy.value > 0.5
    assert run.name.startswith("averaging network, embedding_size=8, hidden=[6]")
    assert run.model.class_weight == {"neg": 2.0, "pos": 1.0}
    assert run.to_dict()["chosen"][0]["network"]["name"] == "averaging"


def test_a_network_recipe_survives_plain_values():
    recipe = Recipe.of_network("cnn", {"widths": [2, 3], "dropout": 0.1})
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    assert recipe.network.classifier(seed=1, threads=1, checkpoint=None).widths == [2, 3]
    assert recipe.features == "word vectors"


def test_vectors_are_given_as_a_file(tmp_path):
    WordVectors(["great", "dull"], np.eye(2)).save(tmp_path / "two.vectors")
    settings = {"learner": "averaging", "vectors": tmp_path / "two.vectors", "learner_settings": {"epochs": 1}}
    model = assay.train(TEXTS, LABELS, **settings, threads=1)
    assert model.model.network.settings["size"] == 2
    assert model.provenance["learner"]["parameters"]["vectors"] == "two.vectors"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"learner_settings": {"filter": 3}},
            "There is no setting 'filter' of the convolutional network. Settings are",
        ),
        ({"learner_settings": {"seed": 3}}, "There is no setting 'seed' of the convolutional network"),
        ({"C": 1.0}, r"C is for linear learners, and 'cnn' is a network\. Got 1\.0"),
        ({"vectors": WordVectors(["a"], [[1.0]])}, r"vectors must be the path of a file where learner='cnn'"),
        ({"folds": 3}, "folds must be 0 for a network"),
    ],
)
def test_settings_that_a_network_does_not_have_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        TrainingSettings.chosen(learner="cnn", **settings)


def test_a_network_that_there_is_not_is_refused():
    with pytest.raises(ParameterError, match=r"There is no network 'gnn'\. Networks are 'cnn', "):
        Recipe.from_dict({"network": {"name": "gnn"}})
