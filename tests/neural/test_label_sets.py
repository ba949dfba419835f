"""Networks where texts have several labels: a sigmoid for each, thresholds from held-out texts."""

import numpy as np
import pytest
import torch
from sklearn.metrics import hinge_loss, log_loss

import assay
from assay.errors import DataError
from assay.neural import AveragingNetwork, ConvolutionalNetwork, FeedForward, MeanTeacher
from assay.neural.loop.losses import set_loss_function

WORDS = {"law": ["vote", "court"], "money": ["bank", "tax"], "sport": ["ball", "goal"]}


def topics(n=120):
    random = np.random.default_rng(5)
    texts, labels = [], []
    for i in range(n):
        mine = [name for k, name in enumerate(WORDS) if (i >> k) & 1]
        said = [str(random.choice(WORDS[name])) for name in mine]
        texts.append(" ".join(["the", *said, "of", f"day{i % 7}"]))
        labels.append(mine)
    return texts, labels


TEXTS, LABELS = topics()


@pytest.mark.parametrize(
    "network",
    [
        AveragingNetwork(epochs=60, learning_rate=0.01, threads=1),
        FeedForward(epochs=40, learning_rate=0.01, threads=1),
        ConvolutionalNetwork(epochs=25, validation=0.2, learning_rate=0.005, threads=1),
        FeedForward(epochs=40, learning_rate=0.01, loss="hinge", class_weight="balanced", threads=1),
    ],
    ids=["averaging", "feed-forward", "convolutional", "hinge"],
)
def test_networks_learn_sets_and_come_back_from_files(network, tmp_path):
    network.fit(TEXTS, LABELS)
    assert network.score(TEXTS, LABELS) > 0.9
    network.save(tmp_path / "n.assay")
    again = assay.load(tmp_path / "n.assay")
    assert again.decision.task == "label-sets"
    assert again.predict(TEXTS[:9]).tolist() == network.predict(TEXTS[:9]).tolist()
    if network.decision.has_probabilities:
        p = again.predict_proba(TEXTS)
        assert p.shape == (len(TEXTS), 3)
        assert (p.sum(axis=1) < 0.5).any()  # texts without labels
        assert (p.sum(axis=1) > 1.5).any()  # texts with several


def test_thresholds_come_from_held_out_texts():
    settings = {"epochs": 5, "threads": 1}
    assert ConvolutionalNetwork(**settings).fit(TEXTS, LABELS).model.rule is None
    assert ConvolutionalNetwork(validation=0.2, **settings).fit(TEXTS, LABELS).model.rule.kind == "each"


def test_losses_are_those_of_each_label():
    random = np.random.default_rng(0)
    scores, targets = random.normal(size=(7, 3)), (random.random((7, 3)) < 0.4).astype(float)
    targets[0], targets[1] = 0, 1
    pair = torch.from_numpy(scores), torch.from_numpy(targets)
    p = 1 / (1 + np.exp(-scores))
    expected = sum(log_loss(targets[:, k], p[:, k]) for k in range(3))
    assert float(set_loss_function("cross-entropy")(*pair)) == pytest.approx(expected, rel=1e-9)
    expected = sum(hinge_loss(targets[:, k], scores[:, k]) for k in range(3))
    assert float(set_loss_function("hinge")(*pair)) == pytest.approx(expected, rel=1e-9)


def test_what_is_for_one_label_a_text_says_so():
    with pytest.raises(DataError, match="MeanTeacher lets two networks agree on one label a text"):
        MeanTeacher(network=AveragingNetwork(epochs=1, threads=1)).fit(TEXTS, LABELS, TEXTS)
    with pytest.raises(DataError, match="one have sets of labels and the others one label each"):
        AveragingNetwork(epochs=1, validation=(TEXTS[:2], ["law", "money"])).fit(TEXTS, LABELS)
