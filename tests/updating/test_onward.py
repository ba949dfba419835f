"""`assay.updating.update_onward`: a model goes on from its file alone, and says what it cannot do."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import TextClassifier, update
from assay.data.corpus.corpus import Corpus
from assay.errors import DataError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, NgramSettings, TfidfVectorizer, WordCharVectorizer
from assay.features.ngrams.analysis import Analysis
from assay.learners import (
    NBSVM,
    AveragedPerceptron,
    BernoulliNB,
    ComplementNB,
    LinearSVC,
    LogisticRegression,
    MultinomialNB,
    Perceptron,
)
from assay.training import TrainingSettings, run_training
from assay.training.learner_settings import LearnerSettings
from assay.training.recipes import Recipe
from assay.updating import WorseModelError, update_onward

LINEAR = [LinearSVC(), LogisticRegression(C=3.0), NBSVM(), Perceptron(), AveragedPerceptron(), MultinomialNB()]


def topics(n: int, seed: int = 0, names: tuple[str, ...] = ("law", "sport", "weather")) -> Corpus:
    """Texts of several labels, each with words of its own."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for k in range(n):
        label = names[k % len(names)]
        own = [f"{label}{rng.integers(6)}" for _ in range(2)]
        texts.append(" ".join([*(f"word{j}" for j in rng.integers(60, size=6)), *own]))
        labels.append(label)
    return Corpus(texts, labels)


def reviews(n: int, seed: int = 0) -> Corpus:
    """The same of two labels."""
    return topics(n, seed, names=("neg", "pos"))


def merged(old: Corpus, new: Corpus) -> Corpus:
    """Both, one after the other."""
    return Corpus([text for text, _ in (*old, *new)], [label for _, label in (*old, *new)])


def with_why(corpus: Corpus, why: str) -> Corpus:
    return corpus.with_column("why", [why] * len(corpus))


def kept_and_loaded(model: TextClassifier, tmp_path) -> TextClassifier:
    model.save(tmp_path / "kept.assay")
    return assay.load(tmp_path / "kept.assay")


def same_words(of: Corpus) -> Corpus:
    """New texts made of the words of old ones, which bring no new word and no old text."""
    return Corpus([" ".join(reversed(text.split())) for text, _ in of], [label for _, label in of])


@pytest.mark.parametrize("learner", [MultinomialNB(alpha=0.5), ComplementNB(), ComplementNB(norm=True), BernoulliNB()])
@pytest.mark.parametrize("make", [reviews, topics])
def test_naive_bayes_onward_is_training_again_with_the_same_words(tmp_path, learner, make):
    old, new = make(60), same_words(make(60)[:21])
    model = kept_and_loaded(TextClassifier(CountVectorizer(), learner).fit(old), tmp_path)
    found = update_onward(model, new).model
    wanted = TextClassifier(CountVectorizer(), learner).fit(merged(old, new))
    # Counts are whole numbers, kept exactly; the weights are the same logarithms of them.
    np.testing.assert_allclose(weights_of(found), weights_of(wanted), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.model.bias, wanted.model.bias, rtol=1e-9, atol=1e-9)


def weights_of(model: TextClassifier) -> np.ndarray:
    kept = model.model.weights
    return kept if isinstance(kept, np.ndarray) else kept.to_table()


def test_naive_bayes_of_a_search_goes_on_with_its_factor(tmp_path):
    old, new = topics(150), same_words(topics(150)[:30])
    settings = TrainingSettings.chosen(learner="nb", ngrams="1-1", folds=3, novelty=False)
    model = kept_and_loaded(run_training(old, settings, threads=1).model, tmp_path)
    factor = model.record.state.settings["factor"]
    found = update_onward(model, new).model
    idf = model.model.features[0].weighting.idf
    assert (found.model.features[0].weighting.idf == idf).all()
    vocabulary = {name: k for k, name in enumerate(model.model.features[0].names())}
    counts = CountVectorizer(vocabulary=vocabulary).fit_transform(merged(old, new).texts.to_pylist())
    recipe = model.provenance["vectorizer"]["parameters"]["blocks"][0]
    assert (recipe["sublinear"], recipe["norm"], recipe["binary"]) == (True, "l2", False)
    values = counts.astype(float)
    values.data = 1 + np.log(values.data)
    values = values.multiply(idf).tocsr()
    vectors = values.multiply(1 / np.sqrt(values.multiply(values).sum(axis=1)).reshape(-1, 1)).tocsr()
    truth = np.array([label for _, label in merged(old, new)])
    alpha = model.provenance["learner"]["parameters"]["alpha"]
    wanted = factor * MultinomialNB(alpha=alpha).fit(vectors, truth).coef_.T
    np.testing.assert_allclose(weights_of(found), wanted, rtol=1e-4)  # the file keeps the counts in single precision


@pytest.mark.parametrize("learner", LINEAR, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("make", [reviews, topics])
def test_without_new_texts_to_learn_from_nothing_changes(tmp_path, learner, make):
    old = make(60)
    model = kept_and_loaded(TextClassifier(None, learner).fit(old), tmp_path)
    drawn = with_why(make(30, seed=5), "random")  # these are tested on only
    found = update_onward(model, drawn)
    assert (found.counts.added, found.counts.kept_for_test) == (0, 30)
    assert weights_of(found.model).tobytes() == weights_of(model).tobytes()
    assert found.model.model.bias.tobytes() == model.model.bias.tobytes()
    assert found.model.record.state is model.record.state
    assert found.model.predict(old.texts).tolist() == model.predict(old.texts).tolist()
    assert not found.comparison.significant


@pytest.mark.parametrize("learner", LINEAR, ids=lambda one: type(one).__name__)
def test_new_texts_are_learned_and_old_ones_are_not_forgotten(tmp_path, learner):
    old, test = topics(120), topics(60, seed=3)
    new = Corpus([f"word{k} meadow stadium{k % 3}" for k in range(12)], ["sport"] * 12)
    model = kept_and_loaded(TextClassifier(None, learner).fit(old), tmp_path)
    found = update_onward(model, new).model
    assert found.predict(["a meadow"]).tolist() == ["sport"]
    if not isinstance(learner, Perceptron):  # which forgets: its steps are as large as ever
        assert found.score(test) >= model.score(test) - 0.05
    assert found.model.n_features > model.model.n_features
    names = found.model.features[0].names()
    assert names == sorted(names)


@pytest.mark.parametrize("learner", LINEAR, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("names", [("law", "sport"), ("law", "sport", "weather")])
def test_new_labels_are_learned(tmp_path, learner, names):
    old, test = topics(120, names=names), topics(60, seed=3, names=names)
    model = kept_and_loaded(TextClassifier(None, learner).fit(old), tmp_path)
    new = topics(40, seed=4, names=("money", "sport"))
    found = update_onward(model, new, new_labels=True)
    assert found.model.labels == tuple(sorted({*names, "money"}))
    assert found.new_labels == ("money",)
    if isinstance(learner, Perceptron | AveragedPerceptron):  # which forget: they know nothing of old texts
        assert found.model.score(new) >= 0.7
    else:
        again = update(model, new, data=old, new_labels=True).model
        for part in (test, topics(60, seed=6, names=("money", "law"))):
            assert found.model.score(part) >= again.score(part) - 0.1
    if found.model.decision.has_probabilities:
        np.testing.assert_allclose(found.model.predict_proba(test.texts).sum(axis=1), 1)


@pytest.mark.parametrize("learners", [("svm",), ("logistic",), ("svm", "logistic", "nbsvm")])
def test_a_model_whose_scores_are_logarithms_of_odds_goes_on(tmp_path, learners):
    old, test = topics(120), topics(90, seed=3)
    words = NgramSettings(Analysis(ngrams=(1, 1)))
    recipes = tuple(Recipe((words,), LearnerSettings(learner)) for learner in learners)
    settings = TrainingSettings(recipes=recipes, folds=3, novelty=False)
    model = kept_and_loaded(run_training(old, settings, threads=1).model, tmp_path)
    assert ("members" in model.provenance, "scale" in model.provenance) == (len(learners) > 1, len(learners) == 1)
    new = Corpus([f"{text} meadow" for text, _ in topics(30, seed=8, names=("sport",))], ["sport"] * 30)
    found = update_onward(model, new)
    assert found.model.score(test) >= model.score(test) - 0.03
    before, after = (one.predict_proba(["a meadow"])[0, 1] for one in (model, found.model))
    assert after > before
    assert found.model.model.link == model.model.link
    assert "cross_validation" not in found.model.provenance


def test_the_vectorizers_go_on(tmp_path):
    old = topics(90)
    new = Corpus(["a meadow here", "the meadow there"], ["sport", "sport"])
    for vectorizer, grows in [
        (HashingVectorizer(n_features=2**12), False),
        (CountVectorizer(vocabulary=["law1", "sport1", "weather1", "meadow"]), False),
        (WordCharVectorizer(dtype=np.float32), True),
        (TfidfVectorizer(min_df=2), True),
        (TfidfVectorizer(max_features=20), False),
    ]:
        model = kept_and_loaded(TextClassifier(vectorizer).fit(old), tmp_path)
        found = update_onward(model, new).model
        assert (found.model.n_features > model.model.n_features) == grows


def test_words_that_are_rarer_than_min_df_get_no_column(tmp_path):
    model = kept_and_loaded(TextClassifier(TfidfVectorizer(min_df=2)).fit(topics(60)), tmp_path)
    found = update_onward(model, Corpus(["lonely meadow", "a meadow"], ["sport", "sport"])).model
    assert set(found.model.features[0].names()) - set(model.model.features[0].names()) == {"meadow"}


def test_frequent_words_are_held_more_than_rare_ones(tmp_path):
    old = Corpus([*topics(200).texts.to_pylist(), "seldom here"], [*(label for _, label in topics(200)), "law"])
    model = kept_and_loaded(TextClassifier(TfidfVectorizer()).fit(old), tmp_path)
    found = update_onward(model, Corpus(["seldom word1"] * 1, ["sport"])).model
    columns = {name: k for k, name in enumerate(found.model.features[0].names())}
    moved = np.abs(weights_of(found) - weights_of(model))[:, found.labels.index("sport")]
    assert moved[columns["seldom"]] > 3 * moved[columns["word1"]] > 0


def test_a_stronger_pull_moves_less():
    model = TextClassifier().fit(topics(90))
    new = topics(30, seed=5, names=("sport", "law", "weather"))
    wrong = Corpus(new.texts, [label for _, label in topics(30)])
    moved = []
    for strength in (0.1, 1.0, 10.0):
        found = update_onward(model, wrong, strength=strength, even_if_worse=True).model
        old = set(model.model.features[0].names())
        rows = [k for k, name in enumerate(found.model.features[0].names()) if name in old]
        moved.append(float(np.linalg.norm(weights_of(found)[rows] - weights_of(model))))
    assert moved[0] > moved[1] > moved[2] > 0


class TestMeasuring:
    """What is compared before and after, and what never enters it."""

    def test_doubtful_texts_never_enter_the_test(self):
        model = TextClassifier().fit(reviews(60))
        doubtful = update_onward(model, with_why(reviews(150, seed=5), "uncertain"))
        assert doubtful.comparison is None
        assert "too few" in doubtful.measured_by

    def test_without_a_reason_a_fifth_is_kept_from_one_more_model(self):
        model = TextClassifier().fit(reviews(60))
        found = update_onward(model, reviews(200, seed=5))
        assert found.counts.added == 200
        assert 20 <= found.comparison.n_documents <= 60
        assert "one more model" in found.measured_by
        again = update_onward(model, reviews(200, seed=5))
        assert again.comparison.n_documents == found.comparison.n_documents

    def test_texts_that_the_model_has_learned_from_are_not_tested_on(self):
        old = reviews(60)
        model = TextClassifier().fit(old)
        found = update_onward(model, with_why(old, "random"))
        assert found.counts.kept_for_test == 0
        assert "is nearly the same as one" in found.notes[0] or "are nearly the same as one" in found.notes[0]

    def test_of_texts_learned_before_the_old_label_is_said_to_count(self):
        old = reviews(60)
        found = update_onward(TextClassifier().fit(old), Corpus([old[0].text, "quite new"], ["pos", "pos"]))
        assert found.counts.met == 1
        assert "still counts beside the new one" in found.notes[0]
        assert found.counts.sentence == "2 texts are learned from, 1 of them was learned from before"

    def test_a_model_that_is_clearly_worse_is_refused(self):
        model = TextClassifier().fit(reviews(100))
        more = reviews(300, seed=4)
        wrong = Corpus(more.texts, ["neg" if label == "pos" else "pos" for _, label in more])
        with pytest.raises(WorseModelError, match="clearly worse than the old one") as caught:
            update_onward(model, wrong, test=reviews(200, seed=6))
        assert caught.value.update.way == "onward"
        assert update_onward(model, wrong, test=reviews(200, seed=6), even_if_worse=True).is_worse


class TestAfterTheScores:
    """Calibrations, caps and rules are made again where the new texts are enough for it."""

    def test_few_texts_keep_the_old_calibration(self):
        model = TextClassifier(calibration="sigmoid").fit(topics(90))
        found = update_onward(model, topics(20, seed=5))
        kept, now = model.model.calibration, found.model.model.calibration
        assert kept.arrays["slopes"].tolist() == now.arrays["slopes"].tolist()
        assert "the calibration is that of the old model" in " ".join(found.notes)
        assert "200 are needed" in " ".join(found.notes)

    def test_enough_texts_fit_it_again(self):
        model = TextClassifier(calibration="sigmoid", rule={"metric": "macro_f1"}).fit(topics(90))
        found = update_onward(model, topics(240, seed=5))
        kept, now = model.model.calibration, found.model.model.calibration
        assert kept.arrays["slopes"].tolist() != now.arrays["slopes"].tolist()
        said = " ".join(found.notes)
        assert "the calibration and decision rule of the model was fitted again to 240 new texts" in said
        assert "the rule (weights) is the old one" in said
        assert found.model.score(topics(60, seed=7)) > 0.9

    def test_doubtful_texts_are_no_part_of_it(self):
        model = TextClassifier(calibration="sigmoid").fit(topics(90))
        found = update_onward(model, with_why(topics(240, seed=5), "uncertain"))
        assert "there are 0 new texts without a reason" in " ".join(found.notes)

    def test_a_calibration_without_a_curve_for_a_new_label_goes(self):
        model = TextClassifier(calibration="sigmoid").fit(topics(90))
        found = update_onward(model, topics(20, seed=5, names=("money", "law")), new_labels=True)
        assert found.model.model.calibration is None
        assert "has no curve for the new labels" in " ".join(found.notes)

    def test_a_temperature_and_the_cap_are_for_more_labels_too(self):
        model = TextClassifier(calibration="temperature").fit(topics(90))
        found = update_onward(model, topics(20, seed=5, names=("money", "law")), new_labels=True)
        assert found.model.model.calibration.labels == ("law", "money", "sport", "weather")
        assert found.model.model.cap.values.max() == model.model.cap.values.max()
        np.testing.assert_allclose(found.model.predict_proba(["word1 money2"]).sum(), 1)


def test_lineage_and_what_is_remembered_go_on(tmp_path):
    old, new = reviews(60), reviews(20, seed=5)
    TextClassifier(learn_novelty=True).fit(old).save(tmp_path / "first.assay")
    once = update_onward(tmp_path / "first.assay", new)
    once.model.save(tmp_path / "second.assay")
    twice = update_onward(tmp_path / "second.assay", reviews(5, seed=6))
    twice.model.save(tmp_path / "third.assay")
    lineage = assay.load(tmp_path / "third.assay").record.lineage
    assert [parent.file for parent in lineage.parents] == ["first.assay", "second.assay"]
    assert [(one.way, one.added) for one in lineage.updates] == [("onward", 20), ("onward", 5)]
    data = twice.model.provenance["data"]
    assert (data["rows"], sum(data["classes"].values())) == (85, 85)
    assert "sha256" not in data
    again = update_onward(tmp_path / "third.assay", new)
    assert again.counts.met == 20  # the sketch knows the texts of updates, too


def test_a_state_goes_through_updates_without_loss(tmp_path):
    old, parts = reviews(60), [same_words(reviews(60)[:10]), same_words(reviews(60)[10:30])]
    model = TextClassifier(CountVectorizer(), MultinomialNB()).fit(old)
    for part in parts:
        model = kept_and_loaded(update_onward(model, part).model, tmp_path)
    wanted = TextClassifier(CountVectorizer(), MultinomialNB()).fit(merged(merged(old, parts[0]), parts[1]))
    np.testing.assert_allclose(weights_of(model), weights_of(wanted), rtol=1e-9, atol=1e-9)


def test_an_averaged_perceptron_goes_on_as_in_memory(tmp_path):
    old, new = topics(60), same_words(topics(60)[:21])
    vectorizer, learner = CountVectorizer(dtype=np.float64), AveragedPerceptron(max_iter=4)
    model = TextClassifier(vectorizer, learner).fit(old)
    fitted, labels = model.learner_, np.array([label for _, label in new])
    n_passes = fitted.n_iter_
    found = update_onward(kept_and_loaded(model, tmp_path), new).model
    matrix = model.vectorizer_.transform(new.texts.to_pylist())
    from assay.learners.solvers.averaged_perceptron import run_epochs
    from assay.learners.solvers.examples import Examples
    from assay.learners.solvers.labelled_rows import LabelledRows

    rows = LabelledRows(matrix, np.searchsorted(fitted.classes_, labels).astype(np.int32), tuple(fitted.classes_))
    examples = Examples.prepare(rows, shuffle=True)
    state = fitted.learned_state().weights
    run_epochs(lambda some, order: state.learn(some, order, fitted.solver_settings()), examples, 0, n_passes)
    np.testing.assert_allclose(weights_of(found), state.mean().weights, rtol=1e-9, atol=1e-9)


def test_labels_keep_their_type_as_far_as_they_can():
    texts = [f"word{k % 7} {'sun' if k % 2 else 'rain'}" for k in range(40)]
    model = TextClassifier().fit(texts, [k % 2 for k in range(40)])
    found = update_onward(model, (["sun shine", "hail storm", "hail"], [1, 5, 5]), new_labels=True).model
    assert found.predict(["hail storm", "sun"]).tolist() == [5, 1]
    named = update_onward(model, (["sun shine", "hail storm", "hail"], ["1", "bad", "bad"]), new_labels=True).model
    assert named.predict(["hail storm", "sun"]).tolist() == ["bad", "1"]


class TestRefusals:
    """What needs the old texts is refused, with the reason and the way out."""

    @pytest.mark.parametrize(
        ("learner", "why"),
        [
            (LinearSVC(loss="hinge"), "the plain hinge loss has no curvature"),
            (LinearSVC(penalty="l1"), "the l1 penalty has no curvature"),
            (LinearSVC(multi_class="crammer_singer"), "in one problem"),
            (MultinomialNB(class_prior=[0.2, 0.3, 0.5]), "its priors were given"),
            (LogisticRegression(l1_ratio=0.5, solver="saga"), "the l1 penalty has no curvature"),
        ],
    )
    def test_learners_that_cannot(self, learner, why):
        model = TextClassifier(None, learner).fit(topics(60))
        with pytest.raises(DataError, match=why) as caught:
            update_onward(model, topics(6, seed=2))
        assert "cannot learn onward from its file alone" in str(caught.value)
        assert "data=" in str(caught.value)

    def test_sets_of_labels(self):
        model = TextClassifier().fit(
            Corpus(["sun rain", "rain fog", "fog ice", "ice sun"], [["x"], ["y"], ["x", "y"], []])
        )
        with pytest.raises(DataError, match="sets of labels, for which only training again is built"):
            update_onward(model, Corpus(["sun"], [["x"]]))

    def test_files_without_what_naive_bayes_goes_on_from(self):
        model = TextClassifier(None, MultinomialNB()).fit(topics(60))
        model.record.state = None
        with pytest.raises(
            DataError, match="MultinomialNB goes on from more than its weights, and this file, which an"
        ):
            update_onward(model, topics(6, seed=2))

    def test_counts_that_belong_to_other_weights(self):
        model, other = (TextClassifier(CountVectorizer(), MultinomialNB()).fit(topics(60, seed=k)) for k in (0, 1))
        assert model.model.n_features == other.model.n_features
        model.record.state = other.record.state
        with pytest.raises(DataError, match="the counts that it keeps are not those that its weights were made of"):
            update_onward(model, topics(6, seed=2))

    def test_a_state_that_does_not_fit(self):
        model = TextClassifier(CountVectorizer(), MultinomialNB()).fit(topics(60))
        arrays = dict(model.record.state.arrays)
        arrays["features"] = arrays["features"] + 1_000_000
        from dataclasses import replace

        model.record.state = replace(model.record.state, arrays=arrays)
        with pytest.raises(DataError, match="keeps for going on \\('class-counts'\\) is not of the form"):
            update_onward(model, topics(6, seed=2))

    def test_a_model_that_does_not_say_what_it_learned_from(self):
        bare = TextClassifier.from_parts(TextClassifier().fit(topics(60)).model)
        with pytest.raises(DataError, match="from how many texts of each label"):
            update_onward(bare, topics(6, seed=2))

    def test_strength(self):
        with pytest.raises(ParameterError, match="strength must be a number above 0"):
            update_onward(TextClassifier().fit(topics(60)), topics(6), strength=0)

    def test_labels_that_nobody_knows(self):
        with pytest.raises(DataError, match="does not know the label 'money'"):
            update_onward(TextClassifier().fit(topics(60)), topics(6, names=("money",)))
