"""Label sets: what is measured, shown and compared, and the messages of what cannot be."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import assay
from assay.errors import DataError, ParameterError
from assay.evaluation import SetEvaluation, learning_curve
from assay.evaluation.metrics.set_catalogue import parse_set_metric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.metrics.set_reading import sets_from_model
from assay.evaluation.presenting.set_headline import set_headline
from assay.evaluation.uncertainty.set_verdict import judge_sets
from assay.label_sets import LabelSets

NAMES = ("art", "news", "sport")
WORDS = {"art": ("paint", "song", "film"), "news": ("vote", "law", "party"), "sport": ("ball", "goal", "team")}


def sample(n: int = 160, seed: int = 0, noise: float = 0.35) -> assay.Corpus:
    random = np.random.default_rng(seed)
    texts, labels = [], []
    for number in range(n):
        own = [label for label, share in zip(NAMES, (0.2, 0.5, 0.3), strict=True) if random.random() < share]
        words = [random.choice(WORDS[label]) for label in own if random.random() > noise]
        words += [random.choice(WORDS[label]) for label in NAMES if random.random() < noise / 3]
        texts.append(" ".join([*words, f"text{number}"]))
        labels.append(own)
    return assay.Corpus(texts, labels)


def pipeline(**settings: object) -> object:
    return make_pipeline(CountVectorizer(), OneVsRestClassifier(LogisticRegression(**settings)))


@pytest.fixture(scope="module")
def corpus() -> assay.Corpus:
    return sample()


@pytest.fixture(scope="module")
def model(corpus: assay.Corpus) -> object:
    train = sample(300, seed=1).select(np.arange(300))
    table = train.label_sets.table().astype(int)[:, [train.label_names.index(name) for name in corpus.label_names]]
    return pipeline(C=5).fit(train.texts.to_pylist(), table)


@pytest.fixture(scope="module")
def result(model: object, corpus: assay.Corpus) -> SetEvaluation:
    found = assay.evaluate(model, corpus, n_resamples=200)
    assert isinstance(found, SetEvaluation)
    return found


def test_a_corpus_of_label_sets_gives_an_evaluation_of_label_sets(result: SetEvaluation) -> None:
    assert result.task == "label-sets"
    assert result.n_documents == 160
    for name in ("micro_f1", "macro_f1", "samples_f1", "weighted_f1", "subset_accuracy", "hamming_loss", "p@1"):
        assert result[name].low <= result[name].value <= result[name].high, name
    assert result["f1:art"].value == result.by_label["art"]["f1"].value
    assert set(result.calibration["art"]) == {"log_loss", "brier", "calibration_error"}
    assert not np.isnan(result["brier:art"].low)
    assert result["calibration_error"].value == pytest.approx(
        np.mean([found["calibration_error"].value for found in result.calibration.values()])
    )


def test_the_worst_label_comes_first(result: SetEvaluation) -> None:
    f1 = [result.by_label[label]["f1"].value for label in result.worst_first]
    assert f1 == sorted(f1)


def test_everything_is_shown_and_kept(result: SetEvaluation) -> None:
    page, html, kept = str(result), result._repr_html_(), json.loads(json.dumps(result.to_dict()))
    for text in ("micro average", "By label, the worst first", "giving every text"):
        assert text in page
        assert text in html
    assert kept["kind"] == "set_evaluation"
    assert kept["metrics"]["micro_f1"]["value"] == result["micro_f1"].value
    assert [each["label"] for each in kept["labels"]] == list(result.worst_first)
    assert repr(result).startswith("<SetEvaluation of 160 texts, 3 labels: micro_f1=0.")
    assert list(result.to_frame("labels")["metric"][:3]) == ["f1", "precision", "recall"]
    assert len(result.to_frame()) == len(result.metrics)


def test_texts_to_browse_are_those_that_lack_a_label_or_have_it_wrongly(
    result: SetEvaluation, corpus: assay.Corpus
) -> None:
    truth, said = result.outcomes.truth, result.outcomes.predicted
    k = result.labels.index("art")
    missed, spurious = result.missed("art", 1000), result.spurious("art", 1000)
    assert len(missed) == (truth.having(k) & ~said.having(k)).sum() > 1
    assert len(spurious) == (~truth.having(k) & said.having(k)).sum() > 0
    assert [each.probability for each in missed] == sorted(each.probability for each in missed)
    assert missed[0].text == corpus.texts[missed[0].position].as_py()
    assert "art" in missed[0].truth
    assert "lacks 'art'" in str(missed[0])
    assert "was given 'art'" in str(spurious[0])


def outcomes_of(truth: list[list[int]], said: list[list[int]], labels: tuple[str, ...] = NAMES) -> SetOutcomes:
    return SetOutcomes(labels, *(LabelSets.of_rows(rows, len(labels)) for rows in (truth, said)))


def test_confused_labels_are_said_where_another_is_true() -> None:
    truth = [[0], [0], [0, 1], [1], [2]]
    said = [[1], [0, 1], [0, 1], [1], [2]]
    found = SetEvaluation(outcomes_of(truth, said)).confused_labels()
    assert [(pair.said, pair.true, pair.texts, pair.instead) for pair in found] == [("news", "art", 2, 1)]
    assert found[0].expected == 2 * 3 / 5


def test_errors_that_come_together_are_those_above_chance() -> None:
    truth = [[0, 1], [0, 1], [2], [], [], []]
    said = [[], [], [], [], [], []]
    found = SetEvaluation(outcomes_of(truth, said)).errors_together()
    assert [(pair.first, pair.second, pair.texts) for pair in found] == [("art", "news", 2)]


KINDS = [
    ("no text any label", [[0]] * 20 + [[1]] * 5, [[]] * 25),
    ("every text the same labels", [[0]] * 20 + [[1]] * 5, [[0]] * 25),
    ("not shown to be better", [[0]] * 20 + [[1]] * 5, [[0]] * 12 + [[1]] * 13),
    ("never gives “news”", [[0, 2]] * 10 + [[1, 2]] * 4 + [[]] * 10, [[0, 2]] * 10 + [[2]] * 4 + [[]] * 10),
    ("nothing shows", [[]] * 6, [[0]] + [[]] * 5),
]


@pytest.mark.parametrize(("words", "truth", "said"), KINDS)
def test_the_headline_does_not_flatter(words: str, truth: list[list[int]], said: list[list[int]]) -> None:
    found = SetEvaluation(outcomes_of(truth, said))
    assert words in found.headline.sentence
    assert not found.verdict.trustworthy or words == "nothing shows"
    assert "always giving" in found.headline.reason


def test_a_useful_model_stands_beside_the_best_constant_answer() -> None:
    truth = [[0], [1], [0, 1], [2]] * 10
    found = SetEvaluation(outcomes_of(truth, [*truth[:36], [1], [0], [2], [0]]))
    assert found.verdict.kind == "useful"
    assert found.verdict.constant == ("art", "news")
    assert found.verdict.constant_micro_f1 == pytest.approx(2 * 40 / (2 * 40 + 50))
    assert found.headline.sentence == "It is better than giving every text the same labels."


def test_intervals_that_cannot_be_trusted_are_withheld_with_their_reason() -> None:
    truth = [[0]] * 30 + [[1]] * 29 + [[2]]
    found = SetEvaluation(outcomes_of(truth, [[0]] * 30 + [[1]] * 20 + [[0]] * 9 + [[2]]))
    assert found["macro_f1"].reason.startswith("only 1 text has 'sport'; 2 are needed, which about 60 more texts")
    assert found["macro_precision"].reason == found["macro_f1"].reason
    assert not np.isnan(found["micro_f1"].low)
    few = SetEvaluation(outcomes_of(truth, [*truth[:-2], [0], [2]]))
    assert few["micro_f1"].reason == "it hangs on the texts with a mistake, of which there are 1; 5 are needed"
    only_spurious = SetEvaluation(outcomes_of(truth, [[0]] * 30 + [[1]] * 20 + [[0, 1]] * 9 + [[2]]))
    assert only_spurious["micro_recall"].reason == (
        "it hangs on the texts with a mistake of this kind, of which there are 0; 2 are needed"
    )
    assert any(note.startswith("There is no interval of macro_f1") for note in few.notes)
    never = SetEvaluation(outcomes_of(truth, [[0]] * 30 + [[1]] * 20 + [[0]] * 10))
    assert never["precision:sport"].reason == "'sport' was never given"
    assert "Labels never given: precision leaves them out of macro averages: 'sport'." in never.notes


UNDEFINED = [
    ("precision:art", [[1]], [[1]], "'art' was never given"),
    ("recall:art", [[1]], [[0]], "no text has 'art'"),
    ("f1:art", [[1]], [[1]], "no text has 'art' and none was given it"),
    ("micro_precision", [[1]], [[]], "no label was given to any text"),
    ("micro_recall", [[]], [[0]], "no text has a label"),
    ("samples_f1", [[]], [[]], "no text has a label and none was given one"),
]


@pytest.mark.parametrize(("name", "truth", "said", "reason"), UNDEFINED)
def test_what_is_0_over_0_says_why(name: str, truth: list[list[int]], said: list[list[int]], reason: str) -> None:
    for interval in ("auto", "percentile"):
        found = SetEvaluation(outcomes_of(truth, said), interval=interval)[name]
        assert not found.defined
        assert found.reason == reason


def test_lists_of_labels_and_tables_are_measured_alike() -> None:
    truth, said = [["a"], ["a", "b"], [], ["b"]], [["a"], ["b"], [], ["a", "b"]]
    by_name = assay.evaluate(truth, said)
    table = assay.evaluate(np.array([[1, 0], [1, 1], [0, 0], [0, 1]]), np.array([[1, 0], [0, 1], [0, 0], [1, 1]]))
    assert by_name["micro_f1"].value == table["micro_f1"].value == pytest.approx(0.75)
    assert by_name.labels == ("a", "b")
    assert table.labels == (0, 1)
    assert assay.evaluate(truth, said, zero_division=1)["samples_f1"].value > by_name["samples_f1"].value


class Fixed:
    """A model that says what it is told to."""

    def __init__(self, said: object, labels: tuple[str, ...] | None = None, probabilities: object = None) -> None:
        self.said = said
        if labels is not None:
            self.labels = labels
        if probabilities is not None:
            self.predict_proba = lambda texts: probabilities

    def predict(self, texts: object) -> object:
        return self.said


def test_a_model_that_names_its_labels_may_have_others_in_another_order() -> None:
    corpus = assay.Corpus(["x", "y", "z"], [["a"], ["b", "new"], []])
    said = [("b", "old"), ("b",), ()]
    found = sets_from_model(Fixed(said, ("old", "b", "a"), np.full((3, 3), 0.25)), corpus)
    assert found.labels == ("old", "b", "a", "new")
    assert found.truth.names(found.labels) == [("a",), ("b", "new"), ()]
    assert found.predicted.names(found.labels) == [("old", "b"), ("b",), ()]
    assert found.probabilities is not None
    assert found.probabilities[:, 3].tolist() == [0, 0, 0]
    assert found.notes[0].startswith("The model does not know the label 'new'")


def test_probabilities_of_scikit_learns_multi_output_are_those_of_each_label(corpus: assay.Corpus) -> None:
    table = corpus.label_sets.table().astype(int)
    texts = corpus.texts.to_pylist()
    several = make_pipeline(
        CountVectorizer(), MultiOutputClassifier(DecisionTreeClassifier(max_depth=2, random_state=0))
    )
    found = sets_from_model(several.fit(texts, table), corpus)
    assert found.probabilities is not None
    assert found.probabilities.shape == table.shape
    assert found.predicted == LabelSets.of_table(found.probabilities > 0.5)


MESSAGES = [
    (lambda c: assay.evaluate([["a"], ["b"]], [["a"]]), "y_true has 2 sets of labels but y_pred has 1"),
    (lambda c: assay.evaluate([["a"]], [["c"]]), "y_pred, row 1: the label 'c' is not among the labels: 'a'"),
    (lambda c: assay.evaluate([[]], [[]]), r"No text has a label, so that the labels are not known. Pass labels=\["),
    (lambda c: assay.evaluate([["a", 1]], [["a"]]), "Labels are of several kinds"),
    (lambda c: assay.evaluate([["a"]], [["a"]], labels=["a", "a"]), "labels holds a label twice"),
    (lambda c: assay.evaluate(np.array([[2, 0]]), np.array([[1, 0]])), "y_true holds 2 where a table of label sets"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(3)[:2]), "y_pred has 3 columns where there are 2 labels"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2), np.eye(3)), r"probabilities has shape \(3, 3\) where \(2, 2\)"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2), 2 * np.eye(2)), "row 1, label 0: the value is 2, outside"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2), np.eye(2) * np.nan), "the value is nan, no number"),
    (lambda c: assay.evaluate(np.eye(2)[:0], np.eye(2)[:0]), "The test set is empty"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2), stratified=True).metrics, "stratified=True keeps the number"),
    (lambda c: assay.evaluate(Fixed(["art"] * 160), c), "The corpus has sets of labels, and the model gives one label"),
    (lambda c: assay.evaluate(Fixed(np.zeros((160, 2), int)), c), "The model's tables have 2 columns and the corpus 3"),
    (lambda c: assay.evaluate(Fixed(np.zeros((9, 3), int)), c), "the model's list of predictions has 9"),
    (
        lambda c: assay.evaluate(Fixed(np.zeros((160, 3), int), probabilities=np.zeros((160, 2))), c),
        r"predict_proba has shape \(160, 2\) where \(160, 3\)",
    ),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2))["accuracy"], "Exactly the right set is 'subset_accuracy'"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2))["p@3"], "k of 'p@3' must be between 1 and the number of labels"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2))["p@1"], "'p@1' needs probabilities or scores"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2))["brier"], "'brier' needs probabilities"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2))["brier:0"], "'brier:0' needs probabilities"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2)).missed("x"), "There is no label 'x'. Labels are"),
    (lambda c: assay.evaluate(np.eye(2), np.eye(2)).to_frame("x"), r"to_frame\(\) makes a table of"),
    (lambda c: parse_set_metric(5, ("a",)), "A metric is a name such as 'micro_f1'"),  # type: ignore[arg-type]
    (
        lambda c: SetOutcomes(("a",), LabelSets.of_rows([[0]], 1), LabelSets.of_rows([], 1)),
        "predicted has 0 sets of 1 labels where 1 sets of 1 are needed",
    ),
]


@pytest.mark.parametrize(("action", "message"), MESSAGES)
def test_what_cannot_be_measured_is_said(action, message: str, corpus: assay.Corpus) -> None:
    with pytest.raises((DataError, ParameterError), match=message):
        action(corpus)


# Comparing, folds and curves ------------------------------------------------------------------------------


def test_models_of_label_sets_are_compared_by_whole_texts(model: object, corpus: assay.Corpus) -> None:
    table = corpus.label_sets.table().astype(int)
    constant = make_pipeline(CountVectorizer(), DummyClassifier(strategy="most_frequent"))
    constant.fit(corpus.texts.to_pylist(), table)
    found = assay.compare(model, constant, corpus, n_resamples=500)
    assert found.metric == "micro_f1"
    assert found.significant
    assert found.ranked() == ("A", "B")
    assert found.both_right + found.only_first + found.only_second + found.neither == 160
    same = assay.compare(model, model, corpus, metric="hamming_loss", n_resamples=200)
    assert same.n_different == 0
    assert not same.significant
    assert assay.compare(model, constant, corpus, test="mcnemar").metric == "subset_accuracy"
    assert assay.compare(model, constant, corpus, test="randomization", n_resamples=200).p_value < 0.05
    three = assay.compare({"one": model, "two": constant, "three": constant}, corpus, n_resamples=200)
    assert three["two", "three"].adjusted_p_value == 1
    by_function = assay.compare(
        model, constant, corpus, metric=lambda truth, said: float((truth == said).mean()), n_resamples=50
    )
    assert by_function.difference.value > 0


def test_probabilities_of_one_label_are_compared(model: object, corpus: assay.Corpus) -> None:
    vague = pipeline(C=0.001).fit(corpus.texts.to_pylist(), corpus.label_sets.table().astype(int))
    found = assay.compare(model, vague, corpus, metric="brier:news", n_resamples=300)
    assert found.difference.value < 0
    assert found.difference.low < found.difference.high < 0
    with pytest.raises(ParameterError, match="Compare that of one label, such as 'calibration_error:"):
        assay.compare(model, vague, corpus, metric="calibration_error")
    with pytest.raises(ParameterError, match="McNemar's test compares accuracies"):
        assay.compare(model, vague, corpus, metric="micro_f1", test="mcnemar")


def test_sets_and_single_labels_are_not_compared() -> None:
    with pytest.raises(DataError, match="A gives sets of labels and B one label a document"):
        assay.compare(assay.evaluate(np.eye(2), np.eye(2)), assay.evaluate(["a", "b"], ["a", "b"]))
    with pytest.raises(DataError, match="Row 2: the true label is"):
        assay.compare(assay.evaluate(np.eye(2), np.eye(2)), assay.evaluate(np.eye(2)[[0, 0]], np.eye(2)))


def test_cross_validation_and_curves_of_label_sets(corpus: assay.Corpus) -> None:
    result = assay.cross_validate(pipeline(C=5), corpus, folds=4, threads=1)
    assert set(result.metrics) == {"micro_f1", "macro_f1"}
    assert result["micro_f1"].low < result["micro_f1"].value < result["micro_f1"].high
    assert isinstance(result.evaluation(), SetEvaluation)
    assert all(isinstance(said, tuple) for said in result.predictions)
    json.dumps(result.to_dict())
    # every text was answered by a model that had not seen it: in the corpus's order, whatever the folds
    assert result.outcomes.truth == corpus.label_sets
    chosen = assay.cross_validate(
        pipeline(),
        corpus,
        folds=2,
        inner_folds=2,
        param_grid={"onevsrestclassifier__estimator__C": [1e-4, 5.0]},
        metrics="samples_f1",
        threads=1,
    )
    assert [each["onevsrestclassifier__estimator__C"] for each in chosen.chosen] == [5.0, 5.0]
    curve = learning_curve(pipeline(C=5), corpus, metric="micro_f1", folds=3, sizes=(0.2, 1.0), threads=1)
    assert curve.estimates[1].value > curve.estimates[0].value
    by_function = assay.cross_validate(lambda part: _trained(part), corpus, folds=2, threads=1)
    assert by_function["micro_f1"].value > 0.3


def _trained(part: assay.Corpus) -> object:
    return pipeline(C=5).fit(part.texts.to_pylist(), part.label_sets.table().astype(int))


def test_labels_of_one_or_two_texts_that_are_never_given_are_named_apart():
    truth = LabelSets.of_rows([[0]] * 20 + [[1]] * 20 + [[0, 2]] * 2 + [[3]] * 4, 4)
    said = LabelSets.of_rows([[0]] * 20 + [[1]] * 20 + [[0]] * 2 + [[]] * 4, 4)
    verdict = judge_sets(SetOutcomes(("news", "sport", "city", "rain"), truth, said))
    assert (verdict.kind, verdict.silent, verdict.unproved) == ("silent", ("rain",), ("city",))
    assert verdict.to_dict()["never_given_of_few"] == ["city"]
    assert "It never gives “rain”. Never given, too, but had by one or two texts only, which says little: “city”." in (
        set_headline(verdict).reason
    )


def test_probabilities_are_beside_what_the_shares_of_labels_say():
    truth = LabelSets.of_rows([[0], [0], [0, 1], [], [1], [1], [], [0]], 3)
    said = np.column_stack([truth.having(0) * 0.8 + 0.1, 1 - truth.having(1), np.zeros(8)])
    found = SetEvaluation(SetOutcomes(("good", "wrong", "nowhere"), truth, truth, said))
    assert found.base_brier == pytest.approx({"good": 0.25, "wrong": 15 / 64, "nowhere": 0.0})
    assert [item["base_brier"] for item in found.to_dict()["labels"] if item["label"] == "good"] == [0.25]
    line = (
        "Probabilities say more than the label's share of the texts does (a lower Brier score) for 1 of 2 labels, not"
    )
    assert f"{line} for 'wrong'." in " ".join(str(found).split())
