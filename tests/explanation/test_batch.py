"""Many texts explained together."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import _native
from assay.explanation import explain, explain_texts
from assay.features import HashingVectorizer, JoinedVectorizer, LexiconFeatures, TfidfVectorizer
from assay.prediction.decision_rule import DecisionRule

TEXTS = [
    "Loved it, café noir",
    "so DULL 😀 dull",
    "great fun, İstanbul",
    "a dull mess",
    "",
    "ﬁne   spaces\n",
    "why? why!",
]
TRAINING = [text or "?" for text in TEXTS]
LABELS = ["pos", "neg", "pos", "neg", "neg", "pos", "why"]
VECTORIZERS = {
    "words": TfidfVectorizer(ngram_range=(1, 3)),
    "characters": TfidfVectorizer(analyzer="char", ngram_range=(1, 3), strip_accents="unicode"),
    "inside": TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4)),
    "hashed": HashingVectorizer(ngram_range=(1, 2), n_features=32),
    "joined": JoinedVectorizer(
        [
            ("words", TfidfVectorizer()),
            ("lists", LexiconFeatures({"good": ["fun"]})),
            ("chars", TfidfVectorizer(analyzer="char", ngram_range=(2, 2))),
        ]
    ),
}


@pytest.fixture(scope="module", params=VECTORIZERS)
def vectorizer(request):
    return VECTORIZERS[request.param]


@pytest.mark.parametrize("n_labels", [2, 3])
def test_a_batch_says_what_its_items_say(vectorizer, n_labels):
    labels = LABELS if n_labels == 3 else [label.replace("why", "pos") for label in LABELS]
    model = assay.TextClassifier(vectorizer, "logistic").fit(TRAINING, labels).model
    found = explain_texts(model, TEXTS, threads=2)
    assert len(found) == len(TEXTS)
    assert found.labels.tolist() == model.predict(TEXTS).tolist()
    for i, text in enumerate(TEXTS):
        item, alone = found[i], explain(model, text)
        assert (item.text, item.label) == (text, found.labels[i]) == (alone.text, alone.label)
        own = slice(found.indptr[i], found.indptr[i + 1])
        # sums are taken in the same order, so that the same bits come out
        assert (
            found.contributions[own].tolist() == item.contributions_to().tolist() == alone.contributions_to().tolist()
        )
        characters = found.characters[found.offsets[i] : found.offsets[i + 1]]
        assert characters.tolist() == item.characters().tolist()
        total = characters.sum() + item.unplaced() + item.bias_for()
        assert total == pytest.approx(item.score_for(), abs=1e-12)
    assert [item.text for item in found[1:3]] == TEXTS[1:3]
    assert found[-1].text == TEXTS[-1]


def test_the_same_bits_come_from_any_number_of_threads():
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice(["a1", "b2", "c3", "é4"], 30)) for _ in range(300)]
    model = assay.TextClassifier(learner="logistic").fit(texts, random.choice(["x", "y", "z"], 300).tolist()).model
    one, two = (explain_texts(model, texts, threads=threads) for threads in (1, 2))
    assert (one.characters == two.characters).all()
    assert (one.contributions == two.contributions).all()


def test_where_the_rule_abstains_the_nearest_class_is_explained():
    rule = DecisionRule(("neg", "pos", "why"), abstain_below=0.99)
    classifier = assay.TextClassifier(learner="logistic", rule=rule).fit(TRAINING, LABELS)
    found = explain_texts(classifier.model, TEXTS)
    assert found.labels.tolist() == [None] * len(TEXTS)
    assert [found.model.labels[k] for k in found.classes] == [item.ranking[0] for item in found]


def test_no_texts_have_no_explanations():
    model = assay.TextClassifier(learner="logistic").fit(TRAINING, LABELS).model
    found = explain_texts(model, [])
    assert (len(found), len(found.characters), len(found.contributions), len(found.labels)) == (0, 0, 0, 0)


def test_arrays_that_do_not_fit_are_refused():
    model = assay.TextClassifier(learner="logistic").fit(TRAINING, LABELS).model
    block = model.features[0]
    from assay.features.documents import documents_from_strings

    documents = documents_from_strings(["so dull"])
    whole, none = np.array([0, 7]), np.zeros(0, dtype=np.int32)

    def share(row_begin, columns, contributions, offsets, characters):
        _native.share_among_texts(
            documents, block.analysis.native, block.columns.native, 0, False, row_begin, columns, contributions, 0,
            offsets, characters, 1,
        )  # fmt: skip

    with pytest.raises(ValueError, match="contributions has 1 values where 0 are needed"):
        share(np.array([0, 0]), none, np.zeros(1), whole, np.zeros(7))
    with pytest.raises(ValueError, match="row_begin must rise from 0 to 0"):
        share(np.array([0, 1]), none, np.zeros(0), whole, np.zeros(7))
    with pytest.raises(ValueError, match="character_begin must rise from 0 to 6"):
        share(np.array([0, 0]), none, np.zeros(0), whole, np.zeros(6))

    def one(starts, ends, first, length):
        numbers = np.array([starts]), np.array([ends]), np.array([0]), np.array([1]), np.array([first])
        kinds = np.int32, np.int32, np.int32, np.int8, np.int64
        arrays = [values.astype(kind) for values, kind in zip(numbers, kinds, strict=True)]
        row = np.array([0], dtype=np.int32), np.ones(1)
        _native.share_contributions(*arrays, np.array([length], dtype=np.int32), *row, np.zeros(3))

    with pytest.raises(ValueError, match="symbol 0 ends before it begins"):
        one(2, 1, 0, 1)
    with pytest.raises(ValueError, match="occurrence 0 is of symbols that are not there"):
        one(0, 1, 0, 2)
