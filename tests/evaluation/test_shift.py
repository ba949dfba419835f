"""A test far below the cross-validation is said to be of other texts, with the largest difference."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.corpus.corpus import Corpus
from assay.evaluation.decisions.novelty_fit import fit_novelty
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.protocols.shift import median_words, shift_note
from assay.evaluation.uncertainty.forecast import Forecast
from assay.modelfile.attachment import Attachment
from assay.modelfile.cross_validated import CrossValidated
from assay.modelfile.provenance import data_provenance
from assay.modelfile.record import ModelRecord
from assay.samples import load_sample
from assay.training import TrainingSettings, run_training


def texts(n: int, words: range, length: int, share: float, seed: int) -> Corpus:
    random = np.random.default_rng(seed)
    rows = [" ".join(f"w{i}" for i in random.choice(words, length)) for _ in range(n)]
    return Corpus(rows, ["a" if i < share * n else "b" for i in range(n)])


def answers(n: int, right: float) -> Outcomes:
    truth = np.zeros(n, np.int32)
    return Outcomes(("a", "b"), truth, (np.arange(n) >= right * n).astype(np.int32))


@pytest.fixture(scope="module")
def record() -> ModelRecord:
    """Of a model of 400 texts of eight words, half of them "a", of which 80 % were right."""
    train = texts(400, range(50), 8, 0.5, 0)
    crossed = CrossValidated("accuracy", 0.8, 0.76, 0.84, 400, 320, median_words(train))
    folds = np.arange(400) % 5
    known = fit_novelty(train.texts, np.zeros(400, np.int32), folds, None, np.arange(400), seed=0, threads=1)
    told = {"data": data_provenance(train), "cross_validation": crossed.to_dict()}
    return ModelRecord(told, novelty=Attachment.of_novelty(known))


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (texts(300, range(50), 8, 0.9, 1), "'a' is 90% of the test, and 50% of the training texts"),
        (texts(300, range(50), 40, 0.5, 1), "half of the test texts have more than 40 words, half of the others more"),
        (texts(300, range(30, 80), 8, 0.5, 1), "of their words and pairs of words are known from the training texts, "),
        (texts(300, range(50), 8, 0.5, 1), "labels may have been given by another rule there"),
    ],
)
def test_the_largest_difference_is_named_with_numbers(record: ModelRecord, test: Corpus, said: str) -> None:
    note = shift_note(record, test, answers(300, 0.5))
    assert note is not None
    assert note.startswith("On the test texts 50% are right, in the cross-validation 80% were, which is no chance")
    assert said in note


@pytest.mark.parametrize("right", [0.78, 0.9])
def test_a_test_that_is_as_good_as_chance_allows_gets_no_note(record: ModelRecord, right: float) -> None:
    assert shift_note(record, texts(300, range(50), 40, 0.9, 1), answers(300, right)) is None


def test_a_record_without_novelty_or_without_a_figure_says_what_it_can(record: ModelRecord) -> None:
    without = ModelRecord(record.provenance)
    note = shift_note(without, texts(300, range(30, 80), 8, 0.5, 1), answers(300, 0.5))
    assert note is not None
    assert "labels may have been given by another rule" in note
    assert shift_note(ModelRecord(), texts(300, range(50), 8, 0.9, 1), answers(300, 0.5)) is None


@pytest.mark.parametrize("changed", [{"right": 401}, {"texts": True}, {"value": "0.8"}, {"median_words": None}])
def test_a_figure_of_another_form_is_not_believed(record: ModelRecord, changed: dict[str, object]) -> None:
    told = record.provenance["cross_validation"]
    assert CrossValidated.told_in({"cross_validation": told}) is not None
    assert CrossValidated.told_in({"cross_validation": told | changed}) is None


@pytest.mark.parametrize(
    "forecast", [Forecast(0.5, 10.0, 20.0), Forecast(0.5, 10.0, np.inf), Forecast(0.5, reason="few")]
)
def test_forecasts_are_kept_as_plain_values(forecast: Forecast) -> None:
    assert Forecast.told(json.loads(json.dumps(forecast.to_dict()))) == forecast
    assert Forecast.told({"goal": 0.5, "low": 10.0, "high": None, "reason": None}) is None
    assert Forecast.told({"goal": "half"}) is None


def test_a_training_with_a_foreign_test_notes_it_and_so_does_a_later_evaluation(tmp_path: Path) -> None:
    shop = load_sample()
    settings = TrainingSettings.chosen(learner="nb", ngrams="1", folds=3)
    labels = shop.labels.to_pylist()
    other = [f"{text} indeed" for text in shop.texts.to_pylist()[::2]]  # of other words, and the labels moved on
    names = sorted(set(labels))
    moved = [names[(names.index(label) + 1) % len(names)] for label in labels[::2]]
    turned = Corpus([text[::-1] for text in other], moved)
    run = run_training(shop, settings, test=turned, threads=1)
    assert any("the test texts differ from the training texts" in note for note in run.notes)
    assert not any("differ from" in note for note in run_training(shop, settings, threads=1).notes)
    path = tmp_path / "m.assay"
    run.model.save(path)
    found = assay.evaluate(assay.load(path), turned)
    assert found.shift in found.notes
    assert found.shift == run.evaluation.shift
    assert "would be usual" in found.shift
    assert assay.evaluate(assay.load(path), shop).shift is None
