"""New texts held against those of before: verdicts, what is said where nothing can be said, and errors."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.cli.options.drift_limits import check_limits, parse_limits
from assay.drift import measure_drift
from assay.errors import DataError, ParameterError
from assay.modelfile.held_out_answers import METHOD, HeldOutAnswers
from assay.report.drift import render_drift

TOPICS = {"sport": ["goal", "match", "team", "coach", "league"], "food": ["soup", "bread", "salt", "oven", "dinner"]}
PLAIN = ["the", "was", "today", "very", "good", "we", "saw", "a", "new", "old", "in", "town"]


def texts_of(random: np.random.Generator, n: int, shares=(0.5, 0.5), topics=TOPICS) -> tuple[list[str], list[str]]:
    labels = random.choice(list(topics), n, p=shares)
    texts = [" ".join([*random.choice(PLAIN, 7), *random.choice(topics[label], 2)]) for label in labels]
    return texts, labels.tolist()


@pytest.fixture(scope="module")
def model():
    return assay.train(texts_of(np.random.default_rng(0), 400), learner="logistic", ngrams="1-1", folds=3)


def test_texts_of_the_same_source_have_not_drifted(model):
    alarms = [
        measure_drift(model, assay.Corpus(texts_of(np.random.default_rng(seed), 300)[0])).drifted
        for seed in range(1, 21)
    ]
    assert sum(alarms) <= 4  # one expected of twenty; five or more in three of a thousand


def test_other_shares_of_labels_are_found_and_estimated(model):
    texts, labels = texts_of(np.random.default_rng(5), 300, (0.9, 0.1))
    found = measure_drift(model, assay.Corpus(texts))
    kinds = {finding.kind for finding in found.findings if finding.severity == "concern"}
    assert kinds == {"domain", "labels"}  # with the label, its words are more frequent
    share = found.label_shares[found.labels.index("sport")]
    assert share.low <= labels.count("sport") / 300 <= share.high


def test_texts_from_elsewhere_are_found_and_their_words_named(model):
    random = np.random.default_rng(6)
    own, _ = texts_of(random, 250)
    foreign = [" ".join(random.choice(["quark", "proton", "boson", "muon"], 6)) + f" {k}" for k in range(40)]
    old, _ = texts_of(np.random.default_rng(0), 400)
    found = measure_drift(model, assay.Corpus(own + foreign), reference=assay.Corpus(old))
    assert found.drifted
    assert {finding.kind for finding in found.findings if finding.severity == "concern"} >= {"domain", "unknown"}
    named = {word.word for word in found.words if word.new > word.old}
    assert {"quark", "proton", "boson", "muon"} <= named
    assert "The new texts have drifted: " in found.verdict


def test_a_tenth_of_texts_from_elsewhere_is_found_by_the_file_alone(model):
    random = np.random.default_rng(6)
    foreign = [" ".join(random.choice(["quark", "proton", "boson", "muon"], 6)) + f" {k}" for k in range(40)]
    found = measure_drift(model, assay.Corpus(texts_of(random, 360)[0] + foreign))
    kinds = {finding.kind for finding in found.findings if finding.severity == "concern"}
    assert {"domain", "unknown"} <= kinds
    assert {word.word for word in found.words} == {"quark", "proton", "boson", "muon"}
    assert all(word.old == 0 and word.new > 0.05 and word.p_value < 1e-3 for word in found.words)
    assert "a word that no text of before had" in str(found)


def test_a_file_that_does_not_say_what_is_unknown_goes_by_novelty(model, tmp_path):
    model.save(tmp_path / "m.assay")
    older = assay.load(tmp_path / "m.assay")
    kept = older.record.novelty
    arrays = {name: part for name, part in kept.arrays.items() if name != "unknown"}
    settings = {name: value for name, value in kept.settings.items() if name != "different"}
    older.record.novelty = replace(kept, settings=settings, arrays=arrays)
    found = measure_drift(older, assay.Corpus(texts_of(np.random.default_rng(3), 100)[0]))
    assert "that needs texts of before" in found.domain
    assert not isinstance(found.unknown, str)


def test_texts_of_before_that_were_trained_on_say_nothing_of_answers():
    texts, labels = texts_of(np.random.default_rng(0), 200)
    plain = assay.TextClassifier(learner="logistic").fit(texts, labels)
    new = assay.Corpus(texts_of(np.random.default_rng(9), 100)[0])
    found = measure_drift(plain, new, reference=assay.Corpus(texts))
    assert "of the texts of before 0 are new to the model" in found.given
    later = measure_drift(plain, new, reference=texts_of(np.random.default_rng(10), 300))
    assert not isinstance(later.given, str)
    assert later.accuracy.defined
    assert "texts of before that the model was not trained on" in later.against


def test_a_model_that_remembers_nothing_says_so():
    texts, labels = texts_of(np.random.default_rng(0), 60)
    plain = assay.TextClassifier(learner="svm").fit(texts, labels)
    found = measure_drift(plain, assay.Corpus(texts_of(np.random.default_rng(1), 60)[0]))
    assert found.verdict == "Nothing could be compared."
    assert {finding.severity for finding in found.findings} == {"unknown"}


def test_label_sets_are_compared_by_their_texts():
    texts, labels = texts_of(np.random.default_rng(0), 120)
    several = assay.TextClassifier().fit(texts, [[label] for label in labels])
    found = measure_drift(
        several, assay.Corpus(texts_of(np.random.default_rng(1), 120)[0]), reference=assay.Corpus(texts)
    )
    assert "sets of labels" in found.given
    assert not isinstance(found.domain, str)


def test_too_few_texts_are_refused(model):
    with pytest.raises(
        DataError, match=r"3 different texts cannot show whether anything has changed. Give at least 20"
    ):
        measure_drift(model, assay.Corpus(["a b", "c d", "e f", "e f"]))
    with pytest.raises(DataError, match="there are no texts in it"):
        measure_drift(model, assay.Corpus([]))


def test_everything_is_plain_and_stays_the_same(model):
    new = assay.Corpus(texts_of(np.random.default_rng(3), 100)[0])
    first, again = (measure_drift(model, new, seed=1, threads=threads) for threads in (1, 2))
    told = first.to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == again.to_dict()
    assert (told["kind"], told["version"]) == ("drift", 1)


def test_tables_page_and_notebook_show_the_same(model):
    found = measure_drift(model, assay.Corpus(texts_of(np.random.default_rng(3), 100, (0.9, 0.1))[0]))
    assert "true share now" in str(found)
    page = render_drift(found, model="<b>.assay")
    assert "have drifted" in page
    assert "&lt;b&gt;.assay" in page
    assert "true share now" in found._repr_html_()


def test_limits_are_read_and_kept(model):
    found = measure_drift(model, assay.Corpus(texts_of(np.random.default_rng(3), 100)[0]))
    outcomes, missed = check_limits(
        parse_limits(["expected_accuracy=0.2"], ["label_distance=0.0", "domain_area=0.9"]), found
    )
    assert [outcome["passed"] for outcome in outcomes] == [True, False, False]
    assert "domain_area is undefined (it could not be measured), but must be at most 0.9." in missed


@pytest.mark.parametrize(
    ("minima", "maxima", "message"),
    [
        ([], ["novel=0.2"], "there is no figure 'novel' of drift. There are: novel_texts"),
        (["novel_texts=0.2"], [], "of novel_texts, more is worse. Use --max novel_texts=0.2"),
        ([], ["sureness=0.2"], "of sureness, less is worse. Use --min sureness=0.2"),
        ([], ["novel_texts=many"], "write it as FIGURE=VALUE"),
    ],
)
def test_limits_that_cannot_be_meant_are_refused(minima, maxima, message):
    with pytest.raises(ParameterError, match=message.replace(".", r"\.")):
        parse_limits(minima, maxima)


def test_what_a_file_says_of_held_out_answers_is_checked(model, tmp_path):
    model.save(tmp_path / "m.assay")
    kept = assay.load(tmp_path / "m.assay").record.held_out
    answers = HeldOutAnswers.from_attachment(kept, 2)
    assert answers is not None
    assert answers.texts == 400
    assert HeldOutAnswers.from_attachment(replace(kept, method="newer"), 2) is None
    for name, values in (
        ("truth", np.array([5] * kept.arrays["counts"].size, np.int32)),
        ("counts", -kept.arrays["counts"]),
        ("sureness", np.linspace(1, 0, 201)),
        ("extra", np.zeros(2)),
    ):
        with pytest.raises(DataError, match="not of the form that assay writes for 2 labels"):
            HeldOutAnswers.from_attachment(replace(kept, arrays={**kept.arrays, name: values}), 2)
    assert kept.method == METHOD
