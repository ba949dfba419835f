"""Near-copies among the audited texts are named, and so are their labels where they differ."""

from __future__ import annotations

import numpy as np

from assay import Corpus, TextClassifier
from assay.audit import audit


def test_near_copies_and_their_different_labels_are_findings():
    rng = np.random.default_rng(1)
    texts = [" ".join(f"w{k}" for k in rng.integers(0, 900, 20)) for _ in range(60)]
    labels = ["yes", "no"] * 30
    model = TextClassifier(learner="nb").fit(texts, labels)
    corpus = Corpus([*texts, *(text + "!" for text in texts[:6])], [*labels, "no", "no", "yes", "no", "yes", "no"])
    found = {
        finding.kind: finding
        for finding in audit(model, corpus, swaps=(), robustness=False, label_errors=False).findings
    }
    assert "12 texts are nearly the same as another (18.2% of 66; 6 groups), such as 'w" in found["near_copies"].seen
    assert found["near_conflicts"].severity == "concern"
    assert "2 texts stand, nearly the same, also under another label" in found["near_conflicts"].seen
    assert "near_copies" not in {
        finding.kind
        for finding in audit(model, (texts, labels), swaps=(), robustness=False, label_errors=False).findings
    }


def test_test_texts_that_are_nearly_training_texts_are_a_finding():
    rng = np.random.default_rng(2)
    texts = [" ".join(f"w{k}" for k in rng.integers(0, 900, 20)) for _ in range(100)]
    labels = ["yes", "no"] * 50
    model = TextClassifier(learner="nb").fit(texts[:60], labels[:60])
    test = [texts[0], texts[1].upper(), texts[2] + " ", texts[3] + " Kind regards, Ann", *texts[60:]]
    settings = {"swaps": (), "robustness": False, "label_errors": False}
    found = audit(model, Corpus(test, [*labels[:4], *labels[60:]]), train=Corpus(texts[:60], labels[:60]), **settings)
    overlap = next(finding for finding in found.findings if finding.kind == "overlap")
    assert overlap.severity == "concern"
    assert "4 test texts are among the training texts, too (9.1%; 1 letter by letter, 3 nearly the s" in overlap.seen
    clean = audit(model, Corpus(texts[60:], labels[60:]), train=Corpus(texts[:60], labels[:60]), **settings)
    assert "no_overlap" in {finding.kind for finding in clean.findings}
