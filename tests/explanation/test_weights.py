"""What speaks for each class."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import ParameterError
from assay.explanation import top_features
from assay.explanation.columns import in_context
from assay.features import HashingVectorizer, WordCharVectorizer
from assay.learners import LabelTreeClassifier

TEXTS = ["loved the film", "dull film", "great fun, loved it", "a dull mess", "fun for all", "what a mess"]
LABELS = ["pos", "neg"] * 3


@pytest.mark.parametrize("learner", ["svm", "logistic", "nb", "complement-nb", "averaged-perceptron"])
def test_telling_words_are_found_whatever_the_learner(learner: str) -> None:
    corpus = assay.read((TEXTS, LABELS))
    found = top_features(
        assay.TextClassifier(learner=learner).fit(corpus).model, corpus, top=5
    )  # which is first depends on the order of so few texts
    words = {label: {word for item in items for word in item.feature.split()} for label, items in found.items()}
    assert {"loved", "fun"} <= words["pos"]
    assert "mess" in words["neg"]
    assert not {"dull", "mess"} & words["pos"]


def test_features_are_counted_inside_and_outside_of_their_class() -> None:
    corpus = assay.read((TEXTS, LABELS))
    found = top_features(assay.TextClassifier(learner="logistic").fit(corpus).model, corpus, top=20, by="weight")
    loved = next(item for item in found["pos"] if item.feature == "loved")
    assert (loved.inside, loved.outside, loved.kind) == (2, 0, "word")
    assert loved.lead == pytest.approx(2 * loved.weight)
    assert loved.separation is not None
    assert loved.separation > 0


def test_without_a_corpus_nothing_is_counted() -> None:
    model = assay.TextClassifier(learner="logistic").fit(TEXTS, LABELS).model
    best = top_features(model, top=1)["pos"][0]
    assert (best.inside, best.outside, best.separation) == (None, None, None)


def test_no_feature_is_part_of_a_better_one() -> None:
    corpus = assay.read((TEXTS, LABELS))
    model = assay.TextClassifier(WordCharVectorizer(), "logistic").fit(corpus).model
    for items in top_features(model, corpus, top=8).values():
        names = [item.feature.strip() for item in items if item.kind == "char"]
        assert not any(a != b and a in b for a in names for b in names)


def test_hashed_features_are_named_after_the_corpus_or_by_number() -> None:
    corpus = assay.read((TEXTS, LABELS))
    model = assay.TextClassifier(HashingVectorizer(n_features=2**12), "logistic").fit(corpus).model
    assert "dull" in {item.feature for item in top_features(model, corpus, top=5)["neg"]}
    assert all(item.feature.startswith("column ") for item in top_features(model, top=5)["neg"])


def test_a_class_for_which_nothing_speaks_has_no_features() -> None:
    model = assay.TextClassifier(learner="logistic").fit(TEXTS, LABELS).model
    zeroed = type(model)(model.features, np.zeros_like(model.weights), model.bias, model.labels, model.link)
    assert top_features(zeroed) == {"neg": [], "pos": []}


def test_unknown_orders_are_refused() -> None:
    model = assay.TextClassifier(learner="logistic").fit(TEXTS, LABELS).model
    with pytest.raises(ParameterError, match=r"by must be 'weight' or 'separation'\. Got 'size' instead"):
        top_features(model, by="size")


def test_an_example_in_a_text_without_end_is_found_part_by_part() -> None:
    long = "blank words here " * 10_000 + "and then a jewel comes " + "and more of it " * 10_000
    corpus = assay.read((["a jewel", long, "so dull", "dull thing"], ["pos", "pos", "neg", "neg"]))
    model = assay.TextClassifier(learner="nb").fit(corpus).model
    column = int(model.features[0].columns.terms()["then"])
    assert in_context(model, column, long) == "…words here and then a jewel comes and more of it and more…"
    assert in_context(model, int(model.features[0].columns.terms()["dull"]), long).startswith("blank words here")


def test_asking_for_some_classes_finds_the_same_of_them() -> None:
    corpus = assay.read((["one two", "two six", "six ten", "ten one"] * 2, ["x", "y", "z", "x"] * 2))
    model = assay.TextClassifier(learner="nb").fit(corpus).model
    found = top_features(model, corpus, top=3)
    assert top_features(model, corpus, top=3, labels=["z", "x"]) == {"z": found["z"], "x": found["x"]}
    with pytest.raises(ParameterError, match=r"This model has no class 'w'\. Its classes are"):
        top_features(model, labels=["w"])


def test_weights_of_a_label_tree_are_summed_over_its_way_without_a_table() -> None:
    texts = [f"word{k} word{k % 5} common" for k in range(40)] * 3
    sets = [[f"label{k}"] for k in range(40)] * 3
    learner = LabelTreeClassifier(leaf=4, branches=4, prune=0.01)
    model = assay.TextClassifier(WordCharVectorizer(), learner).fit(assay.read((texts, sets))).model
    assert model.tree is not None
    words = top_features(model, top=2, words=True)
    table = model.tree.over_ways(model.weights.to_table())
    weights = dict(zip(range(table.shape[0]), table[:, model.labels.index("label7")], strict=True))
    best = top_features(model, top=1, by="weight")["label7"][0]
    assert best.weight == pytest.approx(max(weights.values()))
    assert words["label7"][0].feature == "word7"
    assert words["label7"][0].kind == "word"
