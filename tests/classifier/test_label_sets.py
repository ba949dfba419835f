"""`TextClassifier` where texts have several labels."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.preprocessing import MultiLabelBinarizer

import assay
from assay.classifier.text_classifier import TextClassifier
from assay.data.corpus.corpus import Corpus
from assay.errors import DataError, ParameterError
from assay.label_sets import LabelSets
from assay.prediction.set_rule import SetRule

WORDS = {"law": ["vote", "court"], "money": ["bank", "tax"], "sport": ["ball", "goal"]}


def topics(n=60):
    """Texts whose words tell their labels; every eighth has none, every third several."""
    random = np.random.default_rng(5)
    texts, labels = [], []
    for i in range(n):
        mine = [name for k, name in enumerate(WORDS) if (i >> k) & 1]
        said = [str(random.choice(WORDS[name])) for name in mine]
        texts.append(" ".join(["the", *said, "of", f"day{i % 7}"]))
        labels.append(mine)
    return texts, labels


TEXTS, LABELS = topics()
TABLE = np.array([[int(name in mine) for name in WORDS] for mine in LABELS])
ASKED = [TEXTS[5], TEXTS[2], "nothing"]  # of law and sport, of money, of none


@pytest.mark.parametrize(
    "learner", ["svm", "logistic", "nb", "complement-nb", "bernoulli-nb", "nbsvm", "perceptron", "averaged-perceptron"]
)
def test_every_linear_learner_learns_sets(learner, tmp_path):
    vectorizer = assay.features.CountVectorizer() if learner.endswith("nb") else None
    model = TextClassifier(vectorizer, learner).fit(TEXTS, LABELS)
    assert model.labels == ("law", "money", "sport")
    assert model.score(TEXTS, LABELS) > 0.9
    assert model.decision_function(ASKED).shape == (3, 3)
    model.save(tmp_path / "m.assay")
    again = assay.load(tmp_path / "m.assay")
    assert again.predict(ASKED).tolist() == model.predict(ASKED).tolist()
    assert np.array_equal(again.decision_function(TEXTS), model.decision_function(TEXTS))


def test_a_voted_perceptron_refuses_sets():
    with pytest.raises(DataError, match="but VotedPerceptron learns one label a row"):
        TextClassifier(learner="voted-perceptron").fit(TEXTS, LABELS)


def test_predict_answers_in_the_form_that_fit_was_given():
    of_lists = TextClassifier().fit(TEXTS, LABELS)
    assert of_lists.predict(ASKED).tolist() == [("law", "sport"), ("money",), ()]
    of_table = TextClassifier().fit(TEXTS, TABLE)
    said = of_table.predict(ASKED)
    assert isinstance(said, np.ndarray)
    assert said.tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 0]]
    assert of_table.classes_.tolist() == [0, 1, 2]
    for form in (sparse.csr_matrix, sparse.csr_array):
        of_sparse = TextClassifier().fit(TEXTS, form(TABLE)).predict(ASKED)
        assert isinstance(of_sparse, form)
        assert np.array_equal(of_sparse.toarray(), said)


@pytest.mark.parametrize("sparse_output", [False, True])
def test_answers_go_back_through_the_binarizer_that_made_the_table(sparse_output):
    binarizer = MultiLabelBinarizer(sparse_output=sparse_output)
    model = TextClassifier().fit(TEXTS, binarizer.fit_transform(LABELS))
    assert binarizer.inverse_transform(model.predict(ASKED)) == [("law", "sport"), ("money",), ()]


def test_a_table_with_named_columns_is_not_robbed_of_its_names():
    with pytest.raises(
        DataError, match=r"a table with the columns 'law', 'money', 'sport'\. Give its numbers, labels\.to"
    ):
        TextClassifier().fit(TEXTS, pd.DataFrame(TABLE, columns=list(WORDS)))


def test_lists_in_lists_are_called_lists():
    with pytest.raises(DataError, match=r"of different types: \['law'\] \(row 1, a list\) and 'law' \(row 2, a text\)"):
        TextClassifier().fit(["a", "b"], [[["law"]], ["law"]])


def test_calibration_thresholds_and_cap_are_of_each_label(tmp_path):
    rule = {"metric": "macro_f1", "kind": "at-least-one"}
    model = TextClassifier(calibration="isotonic", rule=rule).fit(TEXTS, LABELS)
    inside = model.model
    assert (inside.task, inside.calibration.independent, inside.rule.kind) == ("label-sets", True, "at-least-one")
    p = model.predict_proba(ASKED)
    assert p.shape == (3, 3)
    assert (p <= inside.cap.values).all()
    assert all(len(labels) >= 1 for labels in model.predict(ASKED))
    model.save(tmp_path / "m.assay")
    assert np.array_equal(assay.load(tmp_path / "m.assay").predict_proba(ASKED), p)


def test_a_given_rule_decides():
    model = TextClassifier(learner="logistic", rule=SetRule(("law", "money", "sport"), "top", np.empty(0), 2))
    assert all(len(labels) == 2 for labels in model.fit(TEXTS, LABELS).predict(ASKED))


def test_threads_change_no_bit(tmp_path):
    for threads in (1, 2):
        model = TextClassifier(calibration="sigmoid", rule={"metric": "micro_f1"}, threads=threads)
        model.fit(TEXTS, LABELS).save(tmp_path / f"{threads}.assay")
    assert (tmp_path / "1.assay").read_bytes() == (tmp_path / "2.assay").read_bytes()


def test_one_label_is_enough():
    model = TextClassifier().fit(TEXTS, [[name for name in mine if name == "sport"] for mine in LABELS])
    assert model.predict(["a goal", "a bank"]).tolist() == [("sport",), ()]
    assert model.decision_function(["a goal"]).shape == (1, 1)


def test_scores_of_labels_of_another_kind_are_refused():
    model = TextClassifier().fit(TEXTS, LABELS)
    with pytest.raises(DataError, match="its texts have one label each, and this model gives sets of labels"):
        model.score(TEXTS, [mine[0] if mine else "none" for mine in LABELS])
    with pytest.raises(ParameterError, match="learn_novelty=True trains without some of the classes"):
        TextClassifier(learn_novelty=True).fit(TEXTS, LABELS)
    with pytest.raises(DataError, match="no text has any label"):
        TextClassifier().fit(["a", "b"], [[], []])


def test_a_corpus_is_as_good_as_lists():
    corpus = Corpus(TEXTS, LABELS)
    ours, theirs = TextClassifier().fit(corpus), TextClassifier().fit(TEXTS, LABELS)
    assert np.array_equal(ours.model.weights, theirs.model.weights)
    assert ours.score(corpus) == theirs.score(TEXTS, LABELS)
    assert corpus.label_sets == LabelSets.of_table(TABLE[:, [list(WORDS).index(name) for name in corpus.label_names]])


def test_classifiers_are_cross_validated_and_measured_by_the_names_of_the_labels():
    corpus = Corpus(TEXTS, LABELS)
    found = assay.cross_validate(TextClassifier(), corpus, folds=3, metrics=["micro_f1"])
    assert found["micro_f1"].value > 0.8
    of_columns = TextClassifier().fit(TEXTS, corpus.label_sets.table().astype(int))  # knows numbers of columns only
    assert assay.evaluate(of_columns, corpus)["micro_f1"].value == 1.0
    with pytest.raises(DataError, match="The texts have one label each, and the model gives sets of labels"):
        assay.evaluate(TextClassifier().fit(corpus), (["a b", "c d"], ["law", "money"]))


def test_a_warning_of_a_label_without_texts_names_it():
    corpus = assay.Corpus(["vote", "ball", "rain"], [["law"], ["sport"], ["law"]])
    with pytest.warns(UserWarning, match=r"^Label 'sport': no row, or every row, has it\."):
        assay.TextClassifier().fit(
            corpus.select(np.array([0, 2, 2])).with_label_sets(
                LabelSets.of_rows([[0], [], [0]], 2), ("law", "sport"), changes={}
            )
        )
