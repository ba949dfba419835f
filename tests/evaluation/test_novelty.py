"""Texts from elsewhere: told by what of them is known and how sure the model is, and learned on classes left out."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import assay
from assay.errors import DataError, ParameterError
from assay.evaluation.decisions.novelty_fit import fit_novelty
from assay.features.documents import as_documents
from assay.learners import LinearSVC
from assay.modelfile.attachment import Attachment
from assay.prediction import NoNoveltyError, Novelty
from assay.prediction.known_ngrams import known_shares, read_ngrams
from assay.samples import load_sample
from assay.training import TrainingSettings, run_training

SYLLABLES = ("ka", "to", "mi", "re", "lu", "so", "ne", "pa")


def invented(topic: int, n: int, seed: int) -> list[str]:
    """Texts of small words that all topics have, and of long words of their own."""
    random = np.random.default_rng([topic, seed])
    own = ["".join(np.random.default_rng([topic, k]).choice(SYLLABLES, 4)) for k in range(12)]
    return [" ".join([*random.choice(own, 3), *random.choice(["my", "is", "how", "the", "was"], 3)]) for _ in range(n)]


def topics(n_classes: int, n: int = 40) -> tuple[list[str], list[str]]:
    texts = [text for topic in range(n_classes) for text in invented(topic, n, 0)]
    return texts, [f"topic {i // n}" for i in range(len(texts))]


@pytest.fixture(scope="module")
def model() -> assay.TextClassifier:
    return assay.TextClassifier(calibration="temperature", learn_novelty=True).fit(*topics(6))


def test_texts_of_a_topic_that_was_not_there_are_newer_than_others(model):
    own = model.novelty([text for topic in range(6) for text in invented(topic, 10, 1)])
    new = model.novelty(invented(99, 40, 1))
    assert own.shape == (60,)
    assert ((own >= 0) & (own <= 1)).all()
    assert np.mean(new[:, None] > own) > 0.95  # the area under the ROC curve, ties aside


def test_nonsense_and_nothing_are_as_new_as_can_be(model):
    limit = model.known_texts.limit()
    assert (model.novelty(["asdf qwer zxcv uiop", "", "你好"]) >= limit).all()
    assert model.known_texts.known_shares(["asdf qwer zxcv uiop", ""]).max() < 0.5  # a hash or two may be taken
    assert model.known_texts.known_shares(topics(6)[0]).min() > 0.99  # each was seen in training


def test_a_limit_rejects_as_many_held_out_texts_as_it_says(model):
    known = model.known_texts
    assert np.all(np.diff(known.own) >= 0)
    assert known.limit(0.01) >= known.limit(0.05)
    own, left_out = known.rejected(known.limit(0.05))
    assert own == pytest.approx(0.05, abs=0.011)  # hundredths are kept
    assert left_out > own
    assert known.of_known < 0  # what is known is never newer for it,
    assert known.of_sureness <= 0  # nor what the model is sure of


def test_two_classes_go_by_what_is_known_alone():
    model = assay.TextClassifier(learn_novelty=True).fit(*topics(2))
    known = model.known_texts
    assert known.of_sureness == 0
    assert not known.left_out.size
    assert known.rejected(known.limit())[1] is None
    assert known.own[50] == pytest.approx(1 / 20, abs=0.05)  # the middle of the held-out texts
    assert model.novelty(["asdf qwer"])[0] > model.novelty(invented(0, 1, 5))[0]


def test_a_model_keeps_it_in_its_file_and_the_same_training_gives_the_same_bytes(model, tmp_path):
    texts = [*invented(3, 5, 2), "asdf", ""]
    for name in ("a", "b"):
        again = assay.TextClassifier(calibration="temperature", learn_novelty=True, threads=1 + (name == "b"))
        again.fit(*topics(6)).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    np.testing.assert_array_equal(assay.load(tmp_path / "a").novelty(texts), model.novelty(texts))


def test_the_classifier_of_a_search_knows_it_and_its_labels_are_those_without():
    found = assay.train(*topics(3, 20), budget=1)
    assert found.record.novelty is not None
    assert found.novelty(["asdf qwer"])[0] > max(found.novelty(invented(0, 10, 3)))


@pytest.mark.parametrize("learner", ["nb", "complement-nb", "bernoulli-nb"])
def test_naive_bayes_has_no_decision_function_and_knows_it_too(learner):
    model = assay.TextClassifier(learner=learner, learn_novelty=True).fit(*topics(4))
    own = model.novelty([text for topic in range(4) for text in invented(topic, 10, 1)])
    assert np.mean(model.novelty(invented(99, 40, 1))[:, None] > own) > 0.9


def test_weights_of_classes_that_are_left_out_are_left_out_too():
    weights = {"topic 1": 2.0}
    one = assay.TextClassifier(None, LinearSVC(class_weight=weights), learn_novelty=True).fit(*topics(3, 20))
    other = assay.train(*topics(3, 20), learner="svm", ngrams="1", folds=3, class_weight=weights)
    assert one.record.novelty is not None
    assert other.record.novelty is not None


def test_scripts_without_blanks_are_read_by_characters():
    texts = pa.chunked_array([["这部电影很好", "我喜欢这部电影", "电影很好看", "这部电影不好"] * 3])
    found = fit_novelty(texts, np.zeros(12, np.int32), np.arange(12) % 4, None, np.arange(12), seed=0, threads=1)
    assert found.known.analysis.unit == "char"
    assert found.known_shares(["电影很好"])[0] > 0.9 > 0.1 > found.known_shares(["天气晴朗吗"])[0]


def test_what_is_unknown_of_a_text_is_what_all_others_do_not_have():
    texts = [*invented(2, 8, 9), "one more", "one more"]
    together = np.minimum(np.arange(10), 8)  # the last two are copies
    found = fit_novelty(
        pa.chunked_array([texts]), np.zeros(10, np.int32), np.arange(10) % 5, None, together, seed=0, threads=1
    )
    analysis, n_columns = found.known.analysis, found.known.codes.size
    alone = []
    for k in range(9):
        one, others = (
            read_ngrams(as_documents(part), analysis, n_columns, 1) for part in ([texts[k]], texts[:k] + texts[k + 1 :])
        )
        alone.append(1 - known_shares(one, np.bincount(others.columns, minlength=n_columns), 9)[0])
    np.testing.assert_allclose(found.unknown, np.quantile(alone, np.linspace(0, 1, 101)), atol=1e-9)
    assert found.different == 9


def test_a_model_without_it_says_how_to_get_it(model, tmp_path):
    plain = assay.TextClassifier().fit(*topics(3))
    with pytest.raises(NoNoveltyError, match=r"cannot say how unlike .* TextClassifier\(\.\.\., learn_novelty=True\)"):
        plain.novelty(["a text"])
    with pytest.raises(ParameterError, match=r"'learn_novelty' parameter .* must be True or False\. Got 1"):
        assay.TextClassifier(learn_novelty=1).fit(*topics(3))


def test_what_a_file_says_of_it_is_looked_at(model):
    settings, arrays = model.known_texts.to_data()
    same = Novelty.from_data(settings, arrays)
    np.testing.assert_array_equal(same.own, model.known_texts.own)
    bad = [
        ({**settings, "reading": "tea leaves"}, arrays),
        ({**settings, "scale": None}, arrays),
        ({**settings, "texts": True}, arrays),
        (settings, {**arrays, "codes": arrays["codes"].astype(np.int32)}),
        (settings, {**arrays, "own": arrays["own"][::-1].copy()}),
        (settings, {**arrays, "own": arrays["own"][:50]}),
        (settings, {**arrays, "more": arrays["own"]}),
        (settings, {**arrays, "unknown": arrays["unknown"][::-1] - 1}),
        ({**settings, "different": settings["texts"] + 1}, arrays),
    ]
    for case in bad:
        with pytest.raises(DataError, match=r"What this model file says of novelty is not of the form"):
            Novelty.from_data(*case)
    with pytest.raises(DataError, match=r"made by the method 'crystal ball', which this assay does not know"):
        Attachment("crystal ball").novelty()


def test_a_search_that_learns_novelty_imports_neither_scikit_learn_nor_pandas():
    code = (
        "import sys\n"
        "from assay.samples import load_sample\n"
        "from assay.training import TrainingSettings, run_training\n"
        "settings = TrainingSettings.chosen(learner='nb', ngrams='1', folds=2)\n"
        "run = run_training(load_sample(), settings, threads=1)\n"
        "assert run.model.record.novelty is not None\n"
        "print(sorted({'sklearn', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_novelty_can_be_left_out():
    settings = TrainingSettings.chosen(learner="nb", ngrams="1", folds=2, novelty=False)
    assert run_training(load_sample(), settings, threads=1).model.record.novelty is None
