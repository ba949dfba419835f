"""`assay.evaluate`: what it measures, what it says of 0/0, and how it shows itself."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import assay
from assay import Corpus
from assay.evaluation.protocols.evaluation import Evaluation
from assay.tables import Table, shorten

TRUTH = ["ham", "ham", "spam", "spam", "spam", "ham", "spam", "ham"]
SAID = ["ham", "spam", "spam", "spam", "ham", "ham", "spam", "ham"]
SPAM = [0.1, 0.8, 0.9, 0.7, 0.4, 0.2, 0.95, 0.3]


@pytest.fixture
def spam() -> Evaluation:
    return assay.evaluate(y_true=TRUTH, y_pred=SAID, probabilities=SPAM, n_resamples=200)


def test_model_and_corpus_give_the_same_as_plain_labels(reviews, rule_model) -> None:
    model = rule_model()
    texts = reviews.texts.to_pylist()
    by_model = assay.evaluate(model, reviews)
    plain = assay.evaluate(
        reviews.labels.to_pylist(), model.predict(texts), model.predict_proba(texts), labels=["neg", "pos"]
    )
    assert by_model.to_dict() == plain.to_dict()


def test_texts_and_their_labels_may_follow_the_model(reviews, rule_model) -> None:
    model, expected = rule_model(), assay.evaluate(rule_model(), reviews).to_dict()
    texts, labels = reviews.texts.to_pylist(), reviews.labels.to_pylist()
    given = [
        assay.evaluate(model, texts, labels),
        assay.evaluate(model, pd.Series(texts), np.array(labels)),
        assay.evaluate(model, texts, labels=labels),
        assay.evaluate(model, texts, y_true=labels),
        assay.evaluate(model, Corpus(texts), labels),
        assay.evaluate(model, Corpus(texts, labels[1:] + labels[:1]), labels),  # what is said last
    ]
    assert [evaluation.to_dict() for evaluation in given] == [expected] * len(given)
    assert given[0].mistakes_by_length()


def test_scikit_learn_pipeline_is_a_model(reviews) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    texts, labels = reviews.texts.to_pylist(), reviews.labels.to_pylist()
    probable = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(texts, labels)
    assert assay.evaluate(probable, reviews)["log_loss"].defined
    scoring = make_pipeline(TfidfVectorizer(), LinearSVC()).fit(texts, labels)
    result = assay.evaluate(scoring, reviews)
    assert result["roc_auc"].value > 0.9
    assert "log_loss" not in result.metrics


@pytest.mark.parametrize(
    "make", [list, np.array, pd.Series, pa.array, lambda x: pa.chunked_array([x]).dictionary_encode(), tuple]
)
def test_labels_may_come_from_any_kind_of_array(make) -> None:
    assert assay.evaluate(make(TRUTH), make(SAID)).accuracy.value == 6 / 8


def test_labels_may_be_numbers_or_booleans() -> None:
    assert assay.evaluate([1, 2, 3], [1, 2, 2])["recall:2"].value == 1.0
    assert assay.evaluate([True, False], [True, True])["precision:True"].value == 0.5


def test_model_trained_on_numbers_meets_labels_read_as_text() -> None:
    class Numbers:
        classes_ = np.array([0, 1])

        def predict(self, texts):
            return np.array([len(text) % 2 for text in texts])

    assert assay.evaluate(Numbers(), Corpus(["ab", "abc"], ["0", "1"])).accuracy.value == 1.0


def test_label_that_the_model_does_not_know_counts_as_mistakes_and_is_said(rule_model) -> None:
    corpus = Corpus(["good", "bad", "odd"], ["pos", "neg", "mixed"])
    result = assay.evaluate(rule_model(), corpus)
    assert result.accuracy.value == pytest.approx(2 / 3)
    assert result.notes[0] == "The model does not know the label 'mixed': its documents (1) count as mistakes."


def test_label_that_the_test_set_lacks_is_left_out_of_averages_and_said() -> None:
    class Three:
        labels = ("neg", "pos", "odd")

        def predict(self, texts):
            return ["pos" if "good" in text else "neg" for text in texts]

    result = assay.evaluate(Three(), Corpus(["good", "bad"], ["pos", "neg"]))
    assert result["macro_f1"].value == 1.0
    assert not result["f1:odd"].defined
    assert result["f1:odd"].reason == "no document is 'odd' and none was called so"
    assert "'odd' neither occurs nor was predicted: it is left out of averages." in result.notes


def test_zero_over_zero_is_undefined_with_its_reason() -> None:
    result = assay.evaluate(["a", "b", "c"], ["a", "b", "b"])
    assert str(result["precision:c"]) == "undefined ('c' was never predicted)"
    assert np.isnan(float(result["precision:c"]))
    assert result["f1:c"].value == 0.0
    assert "'c' was never predicted: its precision is undefined and left out of averages." in result.notes
    assert "undefined" in str(result)
    assert result.to_dict()["classes"][2]["metrics"]["precision"]["value"] is None


def test_recall_of_a_label_without_documents_is_undefined() -> None:
    result = assay.evaluate(["a", "b"], ["a", "c"], labels=["a", "b", "c"])
    assert result["recall:c"].reason == "no document is 'c'"
    assert "No document is 'c': its recall is undefined and left out of averages." in result.notes


def test_every_headline_number_has_an_interval_around_it(spam) -> None:
    for name, estimate in spam.metrics.items():
        if name in ("matthews", "kappa", "log_loss", "brier"):  # eight documents are too few for them
            assert estimate.reason
            assert not estimate.method
            continue
        assert estimate.low <= estimate.value <= estimate.high, name
        assert estimate.method in ("wilson", "posterior", "jackknife", "inverted test")


def test_methods_of_intervals_are_as_asked() -> None:
    auto = assay.evaluate(TRUTH, SAID, n_resamples=100)
    assert auto.accuracy.method == "wilson"
    assert auto["recall:spam"].method == "exact"  # of four documents
    assert auto["f1:spam"].method == "wilson"  # of five
    assert auto["macro_f1"].method == "posterior"
    assert assay.evaluate(TRUTH, SAID, interval="bca", n_resamples=100)["macro_f1"].method == "bca"
    percentile = assay.evaluate(TRUTH, SAID, interval="percentile", n_resamples=100)
    assert {estimate.method for estimate in percentile.metrics.values()} == {"percentile"}


def test_same_seed_gives_the_same_numbers_and_threads_do_not_matter() -> None:
    settings = {"probabilities": SPAM, "n_resamples": 300}
    first = assay.evaluate(TRUTH, SAID, **settings, seed=5, threads=1).to_dict()
    second = assay.evaluate(TRUTH, SAID, **settings, seed=5, threads=2).to_dict()
    other = assay.evaluate(TRUTH, SAID, **settings, seed=6, threads=2).to_dict()
    assert first == second
    assert first["metrics"]["macro_f1"] != other["metrics"]["macro_f1"]


def test_level_widens_the_interval() -> None:
    narrow, wide = (assay.evaluate(TRUTH, SAID, level=level, n_resamples=500) for level in (0.8, 0.99))
    assert wide.accuracy.low < narrow.accuracy.low < narrow.accuracy.high < wide.accuracy.high
    assert wide["macro_f1"].low < narrow["macro_f1"].low


def test_perfect_predictions_may_have_been_luck() -> None:
    result = assay.evaluate(TRUTH, TRUTH, n_resamples=500)
    for name in ("accuracy", "macro_f1", "balanced_accuracy", "recall:spam"):
        assert result[name].low < 0.8, name
        assert result[name].high == 1.0, name
    resampled = assay.evaluate(TRUTH, TRUTH, n_resamples=50, interval="percentile")
    assert str(resampled["macro_f1"]) == "1.000"
    (note,) = resampled.notes
    assert note.startswith("There is no interval of accuracy, balanced_accuracy, matthews, kappa, macro_precision, ")
    assert note.endswith(": every resample gave the same value.")


def test_two_documents_leave_nearly_everything_open() -> None:
    result = assay.evaluate(["a", "b"], ["a", "b"], n_resamples=50)
    assert str(result.accuracy) == "1.000 [0.158, 1.000]"
    assert result.accuracy.method == "exact"


def test_an_interval_that_would_not_hold_its_value_is_not_given() -> None:
    # 2,000 classes of one document each: a resample holds fewer than two thirds of them
    random = np.random.default_rng(0)
    truth = np.arange(2000)
    predicted = np.where(random.random(2000) < 0.1, truth, random.integers(0, 2000, 2000))
    result = assay.evaluate(truth, predicted, n_resamples=100)
    macro = result["macro_f1"]
    assert (macro.method, str(macro)) == ("", f"{macro.value:.3f}")
    assert macro.reason == (
        "only 1 text is 0; 2 are needed, which about 2,000 more texts like these would give, and the same goes for "
        "1,999 other classes"
    )
    resampled = assay.evaluate(truth, predicted, n_resamples=100, interval="percentile")["macro_f1"]
    assert resampled.reason == "the resamples do not lie around the value: most classes have too few documents"
    assert result.accuracy.low < result.accuracy.value < result.accuracy.high


def test_one_class_can_be_allowed() -> None:
    result = assay.evaluate(["a", "a"], ["a", "a"], allow_one_class=True, n_resamples=20)
    assert result.accuracy.value == 1.0
    assert result["matthews"].reason == "the truth holds one label only"
    assert result["kappa"].reason == "truth and predictions hold one and the same label only"


def test_coverage_at_a_threshold(spam) -> None:
    found = spam.coverage(0.8)
    # Confidences: .9 .8 .9 .7 .6 .8 .95 .7; at .8 and above: 5 documents, one of them wrong.
    assert found.n_documents == 5
    assert found.coverage.value == 5 / 8
    assert found.accuracy.value == 4 / 5
    assert spam.coverage(0.99).accuracy.reason == "no document has a confidence of 0.99 or more"


def test_reliability_curve_counts_every_document_once(spam) -> None:
    curve = spam.reliability(5)
    assert sum(b.n_documents for b in curve.bins) == 8
    assert all(b.low <= b.confidence <= b.high for b in curve.bins)


def test_probabilities_of_two_labels_may_be_one_column() -> None:
    table = np.column_stack([1 - np.array(SPAM), SPAM])
    one, two = (assay.evaluate(TRUTH, SAID, p, n_resamples=50).to_dict() for p in (SPAM, table))
    assert one == two


def test_dictionary_is_json_without_nan_and_has_the_documented_shape(spam) -> None:
    found = json.loads(json.dumps(spam.to_dict(), allow_nan=False))
    assert list(found) == [
        "kind",
        "version",
        "n_documents",
        "verdict",
        "level",
        "interval",
        "n_resamples",
        "seed",
        "stratified",
        "metrics",
        "classes",
        "confusion",
        "reliability",
        "coverage",
        "seen",
        "notes",
    ]
    assert list(found["metrics"]["accuracy"]) == ["value", "low", "high", "method", "reason"]
    assert list(found["classes"][0]) == ["label", "documents", "predicted", "metrics"]
    assert found["confusion"]["counts"] == [[3, 1], [1, 3]]
    assert found["confusion"]["pooled"] == {
        "true_positives": 6,
        "false_positives": 2,
        "false_negatives": 2,
        "true_negatives": 6,
    }


def test_labels_given_as_an_array_are_kept_as_plain_values() -> None:
    result = assay.evaluate([0, 1], [0, 1], labels=np.array([1, 0]), n_resamples=10)
    assert json.loads(json.dumps(result.to_dict()))["confusion"]["labels"] == [1, 0]


def test_frames(spam) -> None:
    metrics = spam.to_frame()
    assert metrics.loc[metrics.metric == "accuracy", "value"].item() == 0.75
    assert set(spam.to_frame("classes").label) == {"ham", "spam"}
    assert spam.to_frame("confusion").loc["ham", "spam"] == 1


def test_printed_table_can_be_read(spam) -> None:
    text = str(spam)
    assert text.startswith("Evaluation on 8 documents of 2 classes, with 95% intervals")
    lines = text.splitlines()
    assert any(line.split()[:2] == ["accuracy", "0.750"] for line in lines)
    assert any(line.split()[:2] == ["ham", "4"] for line in lines)
    assert "Confusion: truth down, predictions across" in lines
    assert max(map(len, lines)) <= 120


def test_many_classes_are_shown_as_confused_pairs() -> None:
    labels = [f"class {i:02d}" for i in range(15)]
    said = labels.copy()
    said[0] = labels[1]
    text = str(assay.evaluate(labels * 2, said * 2, labels=labels, n_resamples=20))
    assert "Most confused pairs" in text
    assert "class 00 / class 01" in text


def test_notebook_form_escapes_labels() -> None:
    html = assay.evaluate(["<b>", "x"], ["<b>", "<b>"], n_resamples=20)._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_short_form(spam) -> None:
    assert repr(spam) == "<Evaluation of 8 documents, 2 classes: accuracy=0.7500, macro_f1=0.7500>"


def test_confident_mistakes_come_first(reviews, rule_model) -> None:
    result = assay.evaluate(rule_model("good"), reviews, n_resamples=20)
    mistakes = result.mistakes(5)
    assert len(mistakes) == 5
    confidences = [mistake.confidence for mistake in mistakes]
    assert confidences == sorted(confidences, reverse=True)
    for mistake in mistakes:
        assert mistake.truth != mistake.predicted
        assert mistake.text == reviews.texts[mistake.position].as_py()


def test_mistakes_of_plain_labels_have_no_text() -> None:
    (first, second) = assay.evaluate(TRUTH, SAID, n_resamples=20).mistakes()
    assert (first.position, first.text, first.truth, first.predicted) == (1, None, "ham", "spam")
    assert np.isnan(second.confidence)


def test_confused_pairs_count_both_directions() -> None:
    truth = ["a", "a", "a", "b", "b", "c", "c", "c"]
    said = ["a", "b", "b", "a", "b", "c", "b", "c"]
    first, second = assay.evaluate(truth, said, n_resamples=20).confused_pairs()
    assert (first.first, first.second, first.first_as_second, first.second_as_first) == ("a", "b", 2, 1)
    assert (second.first, second.second, second.total) == ("b", "c", 1)


def test_mistakes_by_length_cover_all_documents_in_order(reviews, rule_model) -> None:
    groups = assay.evaluate(rule_model(), reviews, n_resamples=20).mistakes_by_length(4)
    assert sum(group.n_documents for group in groups) == len(reviews)
    starts = [int(group.group.split()[0]) for group in groups]
    assert starts == sorted(starts)
    assert groups[0].group.endswith("characters")


def test_mistakes_by_length_of_equal_texts_are_one_group(rule_model) -> None:
    corpus = Corpus(["good", "poor", "dull"], ["pos", "neg", "pos"])
    (only,) = assay.evaluate(rule_model(), corpus, n_resamples=20).mistakes_by_length()
    assert (only.group, only.n_documents, only.n_mistakes) == ("4 to 4 characters", 3, 1)


def test_mistakes_by_a_column_of_names_and_of_numbers(reviews, rule_model) -> None:
    result = assay.evaluate(rule_model(), reviews, n_resamples=20)
    by_source = result.mistakes_by("source")
    assert {group.group for group in by_source} == {"web", "print"}
    assert by_source[0].error_rate.value >= by_source[1].error_rate.value
    by_year = result.mistakes_by("year", n_bins=3)
    assert len(by_year) == 3
    assert sum(group.n_documents for group in by_year) == len(reviews)


def test_missing_values_of_a_column_are_a_group(rule_model) -> None:
    corpus = Corpus(["good", "bad"], ["pos", "neg"], {"source": ["web", None]})
    groups = assay.evaluate(rule_model(), corpus, n_resamples=20).mistakes_by("source")
    assert {group.group for group in groups} == {"web", "(missing)"}


def test_errors_on_one_page(reviews, rule_model) -> None:
    errors = assay.evaluate(rule_model(), reviews, n_resamples=20).errors(3, columns=["source"])
    text = str(errors)
    assert text.startswith(f"{errors.n_mistakes} mistakes in 160 documents")
    for title in ("Most confident mistakes", "Most confused pairs", "By length", "By source"):
        assert title in text
    assert "By source" in errors._repr_html_()
    found = json.loads(json.dumps(errors.to_dict(), allow_nan=False))
    assert len(found["mistakes"]) == 3
    assert found["groups"]["source"][0]["error_rate"]["value"] >= found["groups"]["source"][1]["error_rate"]["value"]
    first = errors.mistakes[0]
    assert str(first) == f"row {first.position + 1}, 'neg' taken for 'pos' ({first.confidence:.3f}): {first.text}"


def test_errors_of_plain_labels_have_rows_instead_of_texts() -> None:
    errors = assay.evaluate(TRUTH, SAID, n_resamples=20).errors()
    assert "row 2" in str(errors)
    assert errors.to_dict()["mistakes"][0]["confidence"] is None
    assert str(errors.mistakes[0]) == "row 2, 'ham' taken for 'spam'"


def test_long_texts_are_shortened_to_one_line() -> None:
    assert shorten("a\nb  c", 10) == "a b c"
    assert shorten("x" * 20, 10) == "x" * 9 + "…"


def test_a_page_fits_80_columns_and_is_wider_where_there_is_room() -> None:
    truth = np.array(["a label with a long name", "another one", "a third"] * 30)
    result = assay.evaluate(truth, truth[::-1], n_resamples=20)
    assert max(map(len, str(result).splitlines())) <= 80
    assert "recall" in str(result)
    assert max(map(len, result.text(120).splitlines())) > 90


def test_a_table_is_cut_before_it_is_split() -> None:
    long = Table("T", ("text", "n", "m"), [("word " * 30, "1" * 9, "2" * 9)])
    assert long.text(50).splitlines()[2] == "  word word word word word …  111111111  222222222"
    wide = Table("T", ("text", "n", "m"), [("a word", "1" * 30, "2" * 30)])
    assert wide.text(50).splitlines() == [
        "T",
        "  text                                 n",
        "  a word  " + "1" * 30,
        "",
        "  text                                 m",
        "  a word  " + "2" * 30,
    ]
