"""Folds, fold scores, nested choice, and what is said about them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.feature_extraction.text import (
    CountVectorizer,
    HashingVectorizer,
    TfidfTransformer,
    TfidfVectorizer,
)
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.svm import LinearSVC

import assay
from assay import Corpus
from assay.errors import DataError, ParameterError
from assay.evaluation.protocols.folds import FoldPlan, make_folds
from assay.evaluation.protocols.trainers import FeatureTrainer, TextTrainer, trainer_for
from assay.evaluation.uncertainty.fold_mean import mean_of_folds, of_copies
from assay.evaluation.uncertainty.intervals import corrected_t_interval, wilson_interval
from assay.features import WordCharVectorizer


@pytest.fixture
def pipeline() -> Pipeline:
    return make_pipeline(TfidfVectorizer(), MultinomialNB())


def by_hand(pipeline, corpus, folds) -> np.ndarray:
    """Out-of-fold predictions of pipelines fitted on texts."""
    texts, labels = np.array(corpus.texts.to_pylist()), np.array(corpus.labels.to_pylist())
    said = np.empty(len(corpus), dtype=object)
    for fold in folds:
        said[fold.test] = pipeline.fit(texts[fold.train], labels[fold.train]).predict(texts[fold.test])
    return said


@pytest.mark.parametrize(
    "make",
    [
        lambda: make_pipeline(TfidfVectorizer(min_df=2), MultinomialNB()),
        lambda: make_pipeline(CountVectorizer(binary=True), LogisticRegression()),
        lambda: make_pipeline(make_union(TfidfVectorizer(), CountVectorizer(analyzer="char")), LinearSVC()),
        lambda: make_pipeline(make_union(TfidfVectorizer(norm=None), TfidfVectorizer(binary=True)), LinearSVC()),
        lambda: make_pipeline(HashingVectorizer(n_features=256), LinearSVC()),
        lambda: make_pipeline(WordCharVectorizer(char_ngrams=(2, 3), min_df=2), LinearSVC()),
    ],
    ids=["tfidf", "count", "union", "union of the same counts", "hashing", "words and characters"],
)
def test_shared_counts_give_what_fitting_texts_gives(make, reviews) -> None:
    assert isinstance(trainer_for(make(), reviews, 1), FeatureTrainer)
    result = assay.cross_validate(make(), reviews, folds=4, seed=3)
    assert (result.predictions == by_hand(make(), reviews, result.folds)).all()


def test_every_document_is_tested_once_by_a_model_that_has_not_seen_it(pipeline, reviews) -> None:
    result = assay.cross_validate(pipeline, reviews, folds=5, repeats=2)
    assert len(result.folds) == 10
    for repeat in (0, 1):
        tested = np.concatenate([fold.test for fold in result.folds if fold.repeat == repeat])
        assert sorted(tested) == list(range(len(reviews)))
    assert all(not set(fold.train) & set(fold.test) for fold in result.folds)
    first, second = ([fold.test.tolist() for fold in result.folds if fold.repeat == r] for r in (0, 1))
    assert first != second


def test_stratified_folds_hold_the_classes_in_proportion(reviews) -> None:
    for fold in make_folds(reviews.classes, reviews.label_names, FoldPlan(5)):
        assert abs(np.bincount(reviews.classes[fold.test])[0] - 16) <= 1


def test_groups_stay_together(pipeline, reviews) -> None:
    result = assay.cross_validate(pipeline, reviews, folds=4, groups="year")
    years = np.array(reviews.column("year").to_pylist())
    for fold in result.folds:
        assert not set(years[fold.train]) & set(years[fold.test])
    same = assay.cross_validate(pipeline, reviews, folds=4, groups=years)
    assert (result.predictions == same.predictions).all()


def test_exact_duplicates_are_counted_and_can_be_kept_together(pipeline) -> None:
    texts = [f"good film {i}" for i in range(10)] + [f"bad film {i}" for i in range(10)]
    corpus = Corpus(texts + texts[:3], ["pos"] * 10 + ["neg"] * 10 + ["pos"] * 3, {"source": list(range(23))})
    torn = assay.cross_validate(pipeline, corpus, folds=5, near_copies="ignore")
    (note,) = torn.notes
    assert note.endswith("Pass near_copies='together' to keep copies and near-copies in one fold.")
    assert "documents have an exact copy in another fold" in note
    kept = assay.cross_validate(pipeline, corpus, folds=5, groups="source")
    assert kept.notes == ()
    for fold in kept.folds:
        assert not {corpus.texts[int(i)].as_py() for i in fold.train} & {
            corpus.texts[int(i)].as_py() for i in fold.test
        }


def test_leave_one_out_measures_the_pooled_predictions(pipeline) -> None:
    corpus = Corpus([f"good film {i}" for i in range(6)] + [f"bad film {i}" for i in range(6)], ["p"] * 6 + ["n"] * 6)
    result = assay.cross_validate(pipeline, corpus, leave_one_out=True)
    assert len(result.folds) == 12
    assert result["macro_f1"].value == result.evaluation()["macro_f1"].value
    assert "A fold tests one document or group: metrics are those of the pooled predictions." in result.notes
    grouped = assay.cross_validate(pipeline, corpus, leave_one_out=True, groups=[i // 3 for i in range(12)])
    assert len(grouped.folds) == 4


def test_interval_is_that_of_all_answers_widened(pipeline, reviews) -> None:
    result = assay.cross_validate(pipeline, reviews, folds=5, metrics=["accuracy", "macro_f1"])
    own = result.evaluation()["macro_f1"]
    wider = np.sqrt(1 + 2 * 32 / 128)
    found = result["macro_f1"]
    assert found.value == pytest.approx(result.scores["macro_f1"].mean())
    # Both draw the same 2,000 laws: no tolerance but for rounding.
    assert found.low == pytest.approx(own.value - wider * (own.value - own.low), abs=1e-9)
    assert found.high == pytest.approx(own.value + wider * (own.high - own.value), abs=1e-9)
    assert (found.method, result["accuracy"].method) == ("posterior, corrected", "wilson, corrected")


def test_copies_make_the_interval_as_wide_as_one_of_each_would() -> None:
    random = np.random.default_rng(3)
    texts = [" ".join(f"w{k}" for k in random.integers(0, 500, 20)) for _ in range(60)]
    labels = [str(label) for label in random.choice(["yes", "no"], 60)]
    model = make_pipeline(CountVectorizer(), MultinomialNB())
    once = assay.cross_validate(model, (texts, labels), folds=5)
    twice = assay.cross_validate(model, ([*texts, *(f"{text} " for text in texts)], labels * 2), folds=5)
    widths = [result["accuracy"].high - result["accuracy"].low for result in (once, twice)]
    assert widths[1] == pytest.approx(widths[0], rel=0.1)  # folds differ a little; taken for 120 texts, √2 narrower
    assert of_copies(once.outcomes.correct, once.corpus.near_copies.first) == 1.0
    assert of_copies(np.ones(6, bool), np.array([0, 0, 2, 3, 3, 3])) == pytest.approx(14 / 6)  # nothing to tell by


def test_interval_of_a_function_is_nadeau_and_bengios(pipeline, reviews) -> None:
    from scipy import stats

    def accuracy(y_true, y_pred):
        return float(np.mean(y_true == y_pred))

    result = assay.cross_validate(pipeline, reviews, folds=5, metrics=[accuracy])
    scores = result.scores["accuracy"]
    half = stats.t.ppf(0.975, 4) * np.sqrt((1 / 5 + 32 / 128) * scores.var(ddof=1))
    assert result["accuracy"].interval == pytest.approx((scores.mean() - half, scores.mean() + half))
    assert result["accuracy"].method == "corrected t"
    assert np.isnan(corrected_t_interval(np.array([0.5]), 0.1)).all()


def test_a_mean_of_folds_has_no_interval_where_all_answers_have_none(pipeline) -> None:
    texts = [f"good film {i}" for i in range(30)] + ["odd one", "bad film a", "bad film b"]
    corpus = Corpus(texts, ["p"] * 30 + ["n"] * 3)
    found = assay.cross_validate(pipeline, corpus, folds=3, metrics=["kappa"])["kappa"]
    assert np.isnan(found.low)
    assert "5 are needed" in found.reason


def test_scores_are_those_of_each_fold(pipeline, reviews) -> None:
    def errors(y_true, y_pred):
        return float(np.sum(y_true != y_pred))

    result = assay.cross_validate(pipeline, reviews, folds=4, metrics=["accuracy", "log_loss", errors])
    truth = np.array(reviews.labels.to_pylist())
    for i, fold in enumerate(result.folds):
        wrong = (truth[fold.test] != result.predictions[fold.test]).sum()
        assert result.scores["errors"][i] == wrong
        assert result.scores["accuracy"][i] == pytest.approx(1 - wrong / fold.test.size)
    pooled = result.evaluation()
    assert pooled["log_loss"].value == pytest.approx(result.scores["log_loss"].mean(), rel=1e-9)


def test_result_does_not_depend_on_threads_and_progress_is_told(pipeline, reviews) -> None:
    seen: list[tuple[int, int]] = []
    one = assay.cross_validate(pipeline, reviews, folds=3, threads=1, progress=lambda *done: seen.append(done))
    two = assay.cross_validate(pipeline, reviews, folds=3, threads=2)
    assert one.to_dict() == two.to_dict()
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_function_that_trains_is_called_with_the_training_part(reviews, rule_model) -> None:
    sizes = []

    def train(corpus):
        sizes.append(len(corpus))
        return rule_model("good")

    result = assay.cross_validate(train, reviews, folds=4)
    assert sizes == [120] * 4
    assert (result.predictions == rule_model("good").predict(reviews.texts.to_pylist())).all()


def test_other_models_are_copied_for_each_fold(reviews) -> None:
    class Majority:
        fitted = 0

        def fit(self, texts, labels):
            Majority.fitted += 1
            assert not hasattr(self, "label")
            self.label = max(set(labels), key=list(labels).count)

        def predict(self, texts):
            return [self.label] * len(texts)

    assert isinstance(trainer_for(Majority(), reviews, 1), TextTrainer)
    result = assay.cross_validate(Majority(), reviews, folds=3, threads=1)
    assert Majority.fitted == 3
    assert 0.4 < result["accuracy"].value < 0.6


def test_settings_are_chosen_anew_inside_each_fold(reviews) -> None:
    pipeline = make_pipeline(TfidfVectorizer(), MultinomialNB())
    grid = {
        "multinomialnb__alpha": [0.1, 1000.0],
        "tfidfvectorizer__min_df": [1, 2],
        "tfidfvectorizer__ngram_range": [(1, 1), (1, 2)],
    }
    result = assay.cross_validate(pipeline, reviews, folds=3, param_grid=grid, inner_folds=3, metrics=["log_loss"])
    assert len(result.chosen) == 3
    assert all(chosen["multinomialnb__alpha"] == 0.1 for chosen in result.chosen)
    found = by_hand_nested(pipeline, reviews, result, grid)
    assert [dict(chosen) for chosen in result.chosen] == found


def by_hand_nested(pipeline, corpus, result, grid) -> list[dict[str, object]]:
    """The same choice by scikit-learn's search over the same inner folds, on texts."""
    from sklearn.model_selection import GridSearchCV

    texts, labels = np.array(corpus.texts.to_pylist()), np.array(corpus.labels.to_pylist())
    chosen = []
    for fold in result.folds:
        inner = make_folds(corpus.classes[fold.train], corpus.label_names, FoldPlan(3, small_classes="allow"))
        search = GridSearchCV(
            pipeline, grid, cv=[(f.train, f.test) for f in inner], scoring="neg_log_loss", refit=False
        )
        search.fit(texts[fold.train], labels[fold.train])
        chosen.append(search.best_params_)
    return chosen


def test_vectorizer_may_be_replaced_by_the_grid(reviews) -> None:
    pipeline = Pipeline([("text", TfidfVectorizer()), ("learner", LogisticRegression())])
    counts = Pipeline([("counts", CountVectorizer()), ("weights", TfidfTransformer())])
    grid = {"text": [counts], "learner__C": [0.5, 1.0]}
    result = assay.cross_validate(pipeline, reviews, folds=2, param_grid=grid, inner_folds=2)
    assert all(isinstance(chosen["text"], Pipeline) for chosen in result.chosen)
    assert json.dumps(result.to_dict())


def test_class_missing_from_a_training_part_gets_no_probability() -> None:
    texts = [f"good {i}" for i in range(6)] + [f"bad {i}" for i in range(6)] + ["odd"]
    corpus = Corpus(texts, ["pos"] * 6 + ["neg"] * 6 + ["odd"])
    model = make_pipeline(TfidfVectorizer(token_pattern=r"\w+"), MultinomialNB())
    result = assay.cross_validate(model, corpus, folds=3, small_classes="allow")
    assert result.outcomes.probabilities[12, result.labels.index("odd")] == 0.0
    assert "The class 'odd' has 1 document for 3 folds: some folds test none of it." in result.notes


def test_cross_validations_can_be_compared(reviews) -> None:
    first, second = (
        assay.cross_validate(make_pipeline(TfidfVectorizer(), learner), reviews, folds=4)
        for learner in (MultinomialNB(), MultinomialNB(alpha=1e6))
    )
    by_result = assay.compare(first, second)
    by_labels = assay.compare(first.predictions, second.predictions, reviews)
    assert by_result == by_labels


def test_shown_and_kept(pipeline, reviews) -> None:
    result = assay.cross_validate(pipeline, reviews, folds=4, repeats=2)
    text = str(result)
    assert text.startswith("Cross-validation of 160 documents in 4 folds, 2 times, with 95% intervals")
    assert "lowest" in text
    assert "macro_f1" in result._repr_html_()
    assert repr(result).startswith("<CrossValidation of 8 folds: accuracy=")
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert found["n_folds"] == 4
    assert len(found["scores"]["accuracy"]) == 8
    assert len(found["predictions"]) == 160
    frame = result.to_frame()
    assert list(frame.columns) == ["repeat", "fold", "n_train", "n_test", "accuracy", "macro_f1"]


def test_undefined_fold_scores_are_left_out_and_said() -> None:
    texts = [f"good {i}" for i in range(8)] + [f"bad {i}" for i in range(8)] + ["odd", "odd too"]
    corpus = Corpus(texts, ["pos"] * 8 + ["neg"] * 8 + ["odd"] * 2)
    model = make_pipeline(TfidfVectorizer(), MultinomialNB())
    settings = {"folds": 4, "small_classes": "allow"}
    result = assay.cross_validate(model, corpus, metrics=["recall:odd", "precision:odd"], **settings)
    assert any(note == "recall:odd is undefined in 2 of 4 folds, which its mean leaves out." for note in result.notes)
    assert result["recall:odd"].value == 0.0
    assert result["precision:odd"].reason == "it is undefined in every fold"


MESSAGES = [
    ({"folds": 1}, ParameterError, "folds must be a whole number of at least 2. Got 1 instead."),
    ({"folds": 200}, DataError, "There are 160 documents, fewer than the 200 folds. Use folds=160 or fewer, or more"),
    (
        {"folds": 90},
        DataError,
        "The class 'pos' has 80 documents, fewer than the 90 folds, so not every fold can hold one. Use folds=80 or "
        "fewer, or pass small_classes='allow'.",
    ),
    ({"folds": 30, "groups": "year"}, DataError, "There are 25 groups, fewer than the 30 folds."),
    ({"repeats": 0}, ParameterError, "repeats must be a whole number from 1 to 10,000. Got 0 instead."),
    (
        {"leave_one_out": True, "repeats": 2},
        ParameterError,
        "repeats must be 1 with leave_one_out: every repeat would be the same. Got 2.",
    ),
    ({"small_classes": "ok"}, ParameterError, "small_classes must be 'error' or 'allow'. Got 'ok' instead."),
    ({"groups": "yaer"}, ParameterError, "The corpus has no column 'yaer' to group by. Columns are 'year', 'source'."),
    ({"groups": [1, 2]}, DataError, "There are 2 groups for 160 documents. Give one group for each document."),
    ({"param_grid": []}, ParameterError, "param_grid holds no combination of settings. Got []."),
    ({"metrics": ["acuracy"]}, ParameterError, "There is no metric 'acuracy'. Metrics are 'accuracy'"),
]


@pytest.mark.parametrize(("settings", "error", "message"), MESSAGES, ids=[message[:50] for _, _, message in MESSAGES])
def test_message(settings, error, message: str, pipeline, reviews) -> None:
    with pytest.raises(error) as caught:
        assay.cross_validate(pipeline, reviews, **settings)
    assert message in str(caught.value)


def test_class_with_one_document_says_what_to_do(pipeline) -> None:
    corpus = Corpus(["a one", "a two", "a three", "b"], ["a", "a", "a", "b"])
    message = "The class 'b' has 1 document, fewer than the 2 folds, .* Add documents of it, leave it out, or pass"
    with pytest.raises(DataError, match=message):
        assay.cross_validate(pipeline, corpus, folds=2)


def test_other_messages(reviews, pipeline) -> None:
    with pytest.raises(ParameterError, match=r"Cross-validation needs a model with a fit method, .* Got int instead"):
        assay.cross_validate(3, reviews)
    with pytest.raises(DataError, match=r"Cross-validation needs at least 2 documents. Got 1."):
        assay.cross_validate(pipeline, Corpus(["a"], ["x"]), leave_one_out=True)
    result = assay.cross_validate(pipeline, reviews, folds=2)
    with pytest.raises(
        ParameterError, match=r"'kappa' was not measured on the folds. Measured were 'accuracy', 'macro"
    ):
        result["kappa"]

    class Plain:
        def fit(self, texts, labels): ...

        def predict(self, texts): ...

    with pytest.raises(ParameterError, match=r"Plain has no parameters to tune \(no get_params\)."):
        assay.cross_validate(Plain(), reviews, folds=2, param_grid={"x": [1, 2]})


def test_the_interval_of_a_mean_ends_where_the_metric_does() -> None:
    scores = np.array([0.1, 0.9, 0.2, 1.0])
    low, high = corrected_t_interval(scores, 1 / 3)
    assert low < -0.2
    assert mean_of_folds("macro_f1", scores, 20, 1 / 3).interval == (0.0, 1.0)
    assert mean_of_folds("kappa", scores, 20, 1 / 3).interval == (low, 1.0)
    assert mean_of_folds("log_loss", scores, 20, 1 / 3).interval == (0.0, high)
    assert mean_of_folds("my own", scores, 20, 1 / 3).interval == (low, high)


def test_folds_that_all_score_the_same_do_not_make_the_mean_certain() -> None:
    scores = np.array([0.8, 0.8, 0.8])
    accuracy = mean_of_folds("accuracy", scores, 15, 0.5)
    assert accuracy.method == "wilson"
    assert accuracy.interval == pytest.approx(wilson_interval(12, 15))  # 0.8 × 15 is rounded
    assert str(mean_of_folds("macro_f1", scores, 15, 0.5)) == "0.800"


def test_one_fold_has_no_interval() -> None:
    assert str(mean_of_folds("accuracy", np.array([0.75]), 4, 0.5)) == "0.750"
