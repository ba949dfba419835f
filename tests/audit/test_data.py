"""Data checks and robustness: planted faults are found, clean data are left in peace."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.audit import audit, confident_errors, find_label_errors
from assay.audit.labels.data_checks import label_error_finding
from assay.audit.texts.perturbations import PERTURBATIONS, perturbed
from assay.features import TfidfVectorizer
from assay.learners import LinearSVC
from assay.prediction import DecisionRule
from assay.samples import load_sample


def kinds(result, severity=None):
    return {finding.kind for finding in result.findings if severity in (None, finding.severity)}


def test_planted_label_errors_are_found(comments):
    corpus = comments(800, noise=0.06)
    wrong = np.flatnonzero(corpus.column("wrong").to_pylist())
    errors = find_label_errors(corpus)
    found = np.array([suspect.position for suspect in errors.suspects])
    assert np.isin(wrong, found).mean() > 0.9
    assert np.isin(found, wrong).mean() > 0.9
    assert errors.found_planted > 0.9
    assert errors.suspects[0].margin >= errors.suspects[-1].margin


def test_nothing_is_called_a_label_error_where_models_only_guess(comments):
    corpus = comments(300)
    random = np.random.default_rng(0)
    guessed = assay.Corpus(corpus.texts, [str(label) for label in random.choice(["keep", "remove"], 300)])
    errors = find_label_errors(guessed)
    assert (errors.suspects, errors.guessing, sorted(errors.unjudged)) == ((), True, ["keep", "remove"])
    model = assay.TextClassifier(learner="logistic").fit(guessed)
    result = audit(model, train=guessed, swaps=(), robustness=False)
    assert kinds(result, "unknown") == {"label_errors_unknown"}
    assert "no better than by guessing" in next(f.seen for f in result.findings if f.severity == "unknown")


def test_nothing_is_said_of_a_label_that_models_never_recognise(comments):
    corpus = comments(600)
    labels = corpus.labels.to_pylist()
    for row in np.random.default_rng(1).choice(600, 8, replace=False):
        labels[row] = "other"
    errors = find_label_errors(assay.Corpus(corpus.texts, labels), plant=False)
    assert errors.unjudged == ("other",)
    assert not any(suspect.label == "other" for suspect in errors.suspects)
    assert errors.to_dict()["unjudged"] == ["other"]
    assert "Of 'other' nothing can be said: the models never recognise it." in label_error_finding(errors, "test").sure


def test_an_audit_begins_with_a_model_that_has_one_answer_for_all(comments):
    corpus = comments(200)
    rare = assay.Corpus(corpus.texts, ["remove" if row % 20 == 0 else "keep" for row in range(200)])
    model = assay.TextClassifier(learner=LinearSVC(C=0.01)).fit(rare)
    result = audit(model, rare, swaps=(), robustness=False, label_errors=False)
    assert (result.findings[0].kind, result.findings[0].severity) == ("no_better_than_guessing", "concern")
    assert result.findings[0].seen.startswith("It says “keep” to every text. Of 10 texts of “remove” it found none.")
    fine = audit(assay.TextClassifier().fit(corpus), corpus, swaps=(), robustness=False, label_errors=False)
    assert "no_better_than_guessing" not in kinds(fine)


def test_planted_label_errors_are_found_in_real_messages():
    corpus = load_sample()
    rng = np.random.default_rng(0)
    rows = rng.choice(len(corpus), 30, replace=False)
    classes = corpus.classes.copy()
    classes[rows] = (classes[rows] + rng.integers(1, 5, 30)) % 5
    planted = assay.Corpus(corpus.texts, [corpus.label_names[k] for k in classes])
    errors = find_label_errors(planted, plant=False)
    found = {suspect.position for suspect in errors.suspects}
    assert len(found & set(rows.tolist())) >= 18
    right = [s for s in errors.suspects if s.position in rows and s.suggested == corpus[s.position].label]
    assert len(right) >= 15


def test_clean_labels_are_left_in_peace(comments):
    for seed in range(3):
        errors = find_label_errors(comments(600, seed), plant=False)
        assert len(errors.suspects) <= 3


def test_the_verdict_on_label_errors(comments):
    model = assay.TextClassifier(learner="logistic").fit(comments(400))
    noisy = audit(model, train=comments(600, noise=0.08), swaps=())
    [finding] = [f for f in noisy.findings if "label errors" in f.title]
    assert finding.severity == "concern"
    assert "labels that were falsified on purpose, the same search found" in finding.sure
    assert "read the list before anything is changed" in finding.cannot_show
    clean = audit(model, train=comments(600), swaps=())
    assert clean.concerns == ()
    assert "few_label_errors" in kinds(clean, "ok")


def test_confident_learning_counts_a_class_that_is_always_unsure_by_its_own_measure():
    P = np.array([[0.6, 0.4], [0.55, 0.45], [0.45, 0.55], [0.1, 0.9], [0.2, 0.8], [0.05, 0.95], [0.97, 0.03]])
    rows, suggested = confident_errors(P, np.array([0, 0, 0, 1, 1, 0, 1]))
    assert rows.tolist() == [6, 5]
    assert suggested.tolist() == [0, 1]


def test_label_conflicts_copies_and_few_examples_are_found(comments):
    train, test = comments(300, 1), comments(100, 2)
    texts, labels = train.texts.to_pylist(), train.labels.to_pylist()
    texts += [texts[0]] * 5 + ["one of a kind"] * 3
    labels += ["fine" if labels[0] == "toxic" else "toxic"] * 5 + ["rare"] * 3
    both = test.texts.to_pylist()[:-4] + texts[10:14]
    region = ["north"] * (len(texts) - 4) + ["south"] * 4
    train = assay.Corpus(texts, labels, {"region": region})
    test = assay.Corpus(both, test.labels.to_pylist(), {"region": ["north", "south"] * 50})
    model = assay.TextClassifier(learner="logistic").fit(train)
    result = audit(
        model, test, train=train, swaps=(), groups=["region"], robustness=False, label_errors=False, n_resamples=20
    )
    found = {finding.kind: finding for finding in result.findings if finding.part == "data"}
    assert found["overlap"].severity == "concern"
    assert (
        "4 test texts are among the training texts, too (4.0%; 4 letter by letter, 0 nearly the same)"
        in found["overlap"].seen
    )
    assert found["conflicts"].severity == "concern"
    assert "6 texts stand also under another label" in found["conflicts"].seen
    assert "'rare' (3)" in found["few_examples"].seen
    assert "'south' (4)" in found["few_of_groups"].seen


def test_clean_data_are_fine(comments):
    result = audit(
        assay.TextClassifier(learner="logistic").fit(comments(400, 1)),
        comments(200, 2),
        train=comments(400, 1),
        swaps=(),
    )
    assert {finding.severity for finding in result.findings if finding.part == "data"} == {"ok"}
    assert {"no_overlap", "no_conflicts", "enough_examples"} <= kinds(result, "ok")


def test_a_class_of_one_text_stops_only_the_search_for_label_errors(comments):
    corpus = comments(100)
    single = assay.Corpus([*corpus.texts.to_pylist(), "odd"], [*corpus.labels.to_pylist(), "odd"])
    result = audit(assay.TextClassifier(learner="logistic").fit(corpus), train=single, swaps=())
    assert "label_errors_unknown" in kinds(result, "unknown")


def test_a_model_that_minds_the_case_is_found(comments):
    vectorizer = TfidfVectorizer(lowercase=False)
    model = assay.TextClassifier(vectorizer, "logistic").fit(comments(600))
    result = audit(model, comments(300, 1), swaps=(), label_errors=False)
    found = {finding.kind: finding for finding in result.findings if finding.part == "robustness"}
    assert found["case"].severity == "concern"
    assert "upper case" in found["case"].sure
    assert "McNemar's exact test" in found["case"].sure
    assert found["emoji"].severity == "ok"


def test_a_model_that_does_not_mind_is_robust(comments):
    model = assay.TextClassifier(learner="logistic").fit(comments(600))
    result = audit(model, comments(300, 1), swaps=(), label_errors=False)
    found = {finding.kind: finding.severity for finding in result.findings if finding.part == "robustness"}
    assert {found[kind] for kind in ("case", "punctuation", "emoji")} == {"ok"}


def test_without_labels_changed_answers_are_still_counted(comments):
    model = assay.TextClassifier(TfidfVectorizer(lowercase=False), "logistic").fit(comments(600))
    result = audit(model, assay.read(comments(200, 1).texts.to_pylist()), swaps=())
    found = {finding.kind: finding for finding in result.findings}
    assert found["case"].severity == "notice"
    assert "without labels, it is not known whether for the worse" in found["case"].sure


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_changes_are_repeatable_and_survive_odd_texts(name):
    texts = ["", " ", "a", "Hello, World! This is surprisingly long.", "日本語 テキスト", "x" * 500]
    assert perturbed(name, texts, 3) == perturbed(name, texts, 3)
    assert len(perturbed(name, texts, 3)) == len(texts)


def test_a_model_that_abstains_can_be_audited(comments):
    rule = DecisionRule(("fine", "toxic"), abstain_below=0.7)
    model = assay.TextClassifier(learner="logistic", rule=rule).fit(comments(400))
    result = audit(model, comments(200, 1), swaps=["gender"], label_errors=False)
    assert any("no answer" in change.examples[0] for change in result.robustness if change.examples)
