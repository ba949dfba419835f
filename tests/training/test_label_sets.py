"""`assay.train` where texts have several labels: the search, thresholds from held-out texts, the test at the end."""

import numpy as np
import pytest

import assay
from assay.data.corpus.corpus import Corpus
from assay.errors import DataError
from assay.label_sets import LabelSets
from assay.training.likely_sets import best_threshold, sets_by_label, sets_by_shared_threshold
from assay.training.settings import TrainingSettings
from assay.training.train import run_training
from assay.training.yardstick import Yardstick

WORDS = {"law": ["vote", "court"], "money": ["bank", "tax"], "sport": ["ball", "goal"]}


def noisy_topics(n, seed=0, noise=0.2):
    """Texts whose words tell their labels, but not always."""
    random = np.random.default_rng(seed)
    texts, labels = [], []
    for i in range(n):
        mine = [name for name in WORDS if random.random() < 0.4]
        said = [str(random.choice(WORDS[name])) for name in WORDS if (name in mine) != (random.random() < noise)]
        texts.append(" ".join([f"text{i}", *random.choice(["the", "of", "and", "in"], 4).tolist(), *said]))
        labels.append(mine)
    return Corpus(texts, labels)


@pytest.fixture(scope="module")
def run():
    return run_training(noisy_topics(300), TrainingSettings.chosen(seed=3))


def test_a_search_finds_what_tells_the_labels(run):
    assert run.task == "label-sets"
    assert run.settings.metric == "micro_f1"
    assert run.evaluation["micro_f1"].value > run.verdict.constant_micro_f1 + 0.1
    assert run.verdict.kind == "useful"
    assert run.model.model.calibration.independent
    assert run.model.model.rule.thresholds().shape == (3,)


def test_the_cross_validated_figure_is_of_thresholds_from_other_folds(run):
    found = run.cross_validation["micro_f1"]
    assert abs(found.value - run.evaluation["micro_f1"].value) < 0.15  # 60 test texts; two standard errors are 0.1


def test_all_of_it_can_be_written_down(run):
    told = run.to_dict()
    assert told["evaluation"]["kind"] == "set_evaluation"
    assert told["baseline"]["label"] == list(run.baseline.label)
    assert told["verdict"]["kind"] == "useful"


def test_the_same_seed_gives_the_same_model_for_any_number_of_threads(tmp_path):
    corpus = noisy_topics(150)
    settings = TrainingSettings.chosen(learner="svm", holdout=0.0, seed=1)
    for threads in (1, 2):
        run_training(corpus, settings, threads=threads).model.save(tmp_path / str(threads))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_by_hand_nothing_is_searched():
    model = assay.train(noisy_topics(80, noise=0), learner="svm", ngrams="1-1")
    assert model.predict(["the court and the ball"]).tolist() == [("law", "sport")]


def test_labels_that_have_nothing_to_do_with_texts_are_announced():
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice(["one", "two", "three", "four", "five"], 6)) + f" n{i}" for i in range(200)]
    labels = [[name for name in WORDS if random.random() < 0.3] for _ in texts]
    run = run_training(Corpus(texts, labels), TrainingSettings.chosen(learner="svm", folds=3))
    assert run.verdict.kind in ("guessing", "constant", "silent", "nothing")
    assert run.headline is not None


def test_a_test_file_of_one_label_a_text_is_refused():
    with pytest.raises(DataError, match="it has one label a text, and the training data sets of labels"):
        run_training(noisy_topics(60), TrainingSettings(), test=Corpus(["a", "b"], ["law", "money"]))


def test_a_label_that_training_never_saw_is_named():
    with pytest.raises(DataError, match="row 2: the label 'weather'"):
        run_training(noisy_topics(60), TrainingSettings(), test=Corpus(["a", "b"], [["law"], ["law", "weather"]]))


def test_the_best_threshold_is_that_of_the_largest_f1():
    random = np.random.default_rng(1)
    for _ in range(50):
        scores, positive = np.round(random.normal(size=30), 1), random.random(30) < 0.3
        if not positive.any():
            continue

        def f1(at, scores=scores, positive=positive):
            return 2 * (positive & (scores >= at)).sum() / ((scores >= at).sum() + positive.sum())

        assert f1(best_threshold(scores, positive)) == pytest.approx(max(f1(at) for at in scores), rel=1e-12)
    assert best_threshold(np.zeros(3), np.zeros(3, bool)) == np.inf


def test_averages_over_labels_have_a_threshold_a_label():
    truth = LabelSets.of_rows([[0, 1], [0], [1], []], 2)
    scores = np.array([[9.0, -1.0], [8.0, -3.0], [-0.5, -2.0], [-0.6, -4.0]])
    assert sets_by_label(scores, truth) == truth
    assert sets_by_shared_threshold(scores, truth) != truth
    assert Yardstick("macro_f1", ("a", "b"), "label-sets")(truth, scores) == 1.0
    assert Yardstick("micro_f1", ("a", "b"), "label-sets")(truth, scores) < 1.0
