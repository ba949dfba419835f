"""Audits of models that give sets of labels."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay import TextClassifier
from assay.audit import audit, find_label_errors
from assay.audit.scoring import ProbedModel, differ
from assay.errors import DataError
from assay.label_sets import LabelSets
from assay.prediction.set_rule import SetRule
from assay.samples import load_sample


@pytest.fixture(scope="module")
def corpus():
    return load_sample(multi_label=True)


@pytest.fixture(scope="module")
def model(corpus):
    return TextClassifier(learner="logistic", threads=1).fit(corpus)


def test_groups_are_compared_by_exact_sets_and_by_each_labels_rates(model, corpus, tmp_path):
    texts, sets = corpus.texts.to_pylist(), corpus.label_sets.names(corpus.label_names)
    rows = [
        {"text": text, "labels": list(labels), "kind": "short" if len(text) < 75 else "long"}
        for text, labels in zip(texts, sets, strict=True)
    ]
    path = tmp_path / "groups.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    data = assay.read(path, text="text", label="labels")
    found = audit(
        model, data, groups=["kind"], swaps=(), robustness=False, label_errors=False, n_resamples=100, threads=1
    )
    (result,) = found.groups
    assert result.rates[0] == "exactly right"
    said = model.predict(texts)
    for row in result.rows:
        own = [i for i, item in enumerate(rows) if item["kind"] == row.group]
        right = sum(set(said[i]) == set(sets[i]) for i in own)
        assert row.differences["exactly right"].value.value == pytest.approx(right / len(own))
        truth, given = ([float("fees" in part[i]) for i in own] for part in (sets, said))
        missed = sum(t and not g for t, g in zip(truth, given, strict=True)) / sum(truth)
        assert row.metrics["false negative rate:fees"].value == pytest.approx(missed)
        assert {"micro_f1", "macro_f1", "subset_accuracy", "f1:fees"} <= set(row.metrics)
    assert any("exactly right by kind" in finding.title for finding in found.findings)
    assert json.dumps(found.to_dict())


def test_changes_of_the_text_and_swapped_terms_are_tried_on_sets(model, corpus):
    found = audit(model, corpus, swaps=["gender"], label_errors=False, threads=1)
    assert {result.measure for result in found.robustness} == {"exactly right"}
    half = next(result for result in found.robustness if result.name == "first half only")
    for before, said, after, then in half.examples:
        answers = [", ".join(labels) or "no label" for labels in model.predict([before, after])]
        assert answers == [said, then]
    assert len(found.swaps) == 5  # the labels that are given most often
    assert "exactly right" in str(found)


def test_a_label_taken_away_is_likely_missing_and_one_put_there_likely_too_many():
    texts = [f"{word} number {i}" for i in range(40) for word in ("goal match team", "court judge law", "rain")]
    sets = [labels for _ in range(40) for labels in (["sport"], ["law"], [])]
    sets[0], sets[5] = [], ["sport"]
    found = find_label_errors(assay.Corpus(texts, sets), threads=1)
    pairs = {(item.position, item.label, item.suggested) for item in found.suspects[:2]}
    assert pairs == {(0, "not sport", "sport"), (5, "sport", "not sport")}
    assert found.n_suspect_texts >= 2
    assert found.n_planted >= 5
    assert found.found_planted > 0.8
    assert found.of_sets


def test_a_label_with_one_text_is_not_looked_at():
    corpus = assay.Corpus(["red one", "blue two", "green three", "red four"], [["a"], ["a", "b"], [], ["a"]])
    fitted = TextClassifier(learner="logistic", threads=1).fit(corpus)
    found = audit(fitted, corpus, swaps=(), robustness=False)
    assert any("of 'b' there is one text only" in finding.seen for finding in found.findings)


def test_model_of_one_label_refuses_texts_with_sets(corpus):
    single = TextClassifier(learner="logistic").fit(["good", "bad"] * 5, ["+", "-"] * 5)
    with pytest.raises(DataError, match="its texts have sets of labels, and this model gives one label each"):
        audit(single, corpus, swaps=())


def test_a_label_that_the_model_does_not_have_makes_a_set_wrong(model):
    data = assay.Corpus(["a pothole in the road"], [["roads", "weather"]])
    scorer = ProbedModel(model)
    assert differ(LabelSets.of_rows([[scorer.labels.index("roads")]], 7), scorer.truth(data)).tolist() == [True]


def test_several_target_labels_count_as_any_of_them(model, corpus):
    scorer = ProbedModel(model, ["fees", "noise"])
    (name,), answers = scorer.answers(corpus.texts)
    table = model.predict_proba(corpus.texts)
    one, other = (table[:, model.labels.index(label)] for label in ("fees", "noise"))
    assert name == "fees + noise"
    np.testing.assert_allclose(answers.scores[:, 0], 1 - (1 - one) * (1 - other))


def test_scores_stand_in_for_probabilities_of_sets(corpus):
    scorer = ProbedModel(TextClassifier(learner="svm", threads=1).fit(corpus))
    scorer.learn_scale(corpus.texts)
    assert scorer.unit == "score"
    assert scorer.answers(corpus.texts)[1].scores.shape == (178, 5)


def test_texts_that_the_model_learned_from_are_called_so(model, corpus):
    found = audit(model, corpus, swaps=(), robustness=False, label_errors=False)
    (overlap,) = [finding for finding in found.findings if finding.kind == "overlap"]
    assert overlap.severity == "concern"
    assert overlap.seen.startswith(
        "178 test texts are among the training texts, too (100.0%; 178 word by word, 0 nearly"
    )
    new = assay.Corpus(["An altogether new text of ours"], [["fees"]])
    unknown = audit(model, new, swaps=(), robustness=False, label_errors=False)
    assert not [finding for finding in unknown.findings if finding.kind == "overlap"]


def test_the_worth_of_sets_is_beside_the_best_answer_that_is_the_same_for_all(corpus):
    silent = TextClassifier(learner="logistic", rule=SetRule(tuple(sorted(corpus.label_names)), "shared", np.ones(1)))
    found = audit(silent.fit(corpus), corpus, swaps=(), robustness=False, label_errors=False)
    (worth,) = [finding for finding in found.findings if finding.kind == "no_better_than_guessing"]
    assert "the best answer that is the same for every text" in worth.sure
    assert "commonest class" not in worth.sure


def test_texts_of_a_hard_label_are_not_suspect_for_being_hard():
    random = np.random.default_rng(0)
    texts, sets = [], []
    for i in range(400):
        has = random.random() < 0.3
        word = "goal" if random.random() < (0.5 if has else 0.3) else "vote"
        texts.append(f"{word} {' '.join(random.choice(['the', 'a', 'of', 'in', 'on'], 4))} n{i}")
        sets.append(["hard"] if has else [])
    found = find_label_errors(assay.Corpus(texts, sets), plant=False, threads=1)
    assert found.n_suspect_texts < 40  # a label of which its word tells hardly anything


def test_labels_that_nothing_tells_are_not_judged():
    random = np.random.default_rng(1)
    texts = [" ".join(random.choice(["one", "two", "three"], 5)) for _ in range(200)]
    sets = [["a"] if random.random() < 0.4 else [] for _ in texts]
    found = find_label_errors(assay.Corpus(texts, sets), plant=False, threads=1)
    assert (found.suspects, found.unjudged, bool(found.guessing)) == ((), ("a",), True)
