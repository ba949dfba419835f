"""`assay.update`: the old texts with new labels make the model that training on them would have made."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import TextClassifier, update
from assay.data.corpus.corpus import Corpus
from assay.errors import DataError, ParameterError
from assay.features import TfidfVectorizer
from assay.learners import LogisticRegression
from assay.training import TrainingSettings, run_training
from assay.updating import WorseModelError

GOOD, BAD = ["fine", "great", "lovely", "superb"], ["dull", "awful", "tedious", "bleak"]


def reviews(n: int, seed: int = 0) -> Corpus:
    """Texts that are told apart by a word each, among others that say nothing."""
    rng = np.random.default_rng(seed)
    others = [f"word{k}" for k in range(60)]
    texts, labels = [], []
    for k in range(n):
        own = rng.choice(GOOD if k % 2 else BAD)
        texts.append(" ".join([*rng.choice(others, 6), own, *rng.choice(others, 3)]))
        labels.append("pos" if k % 2 else "neg")
    return Corpus(texts, labels)


def merged(old: Corpus, new: Corpus) -> Corpus:
    """What the update is to train on, put together by hand."""
    decided = dict(new)
    rows = [(text, decided.get(text, label)) for text, label in old]
    there = {text for text, _ in old}
    rows += [(text, label) for text, label in new if text not in there]
    return Corpus([text for text, _ in rows], [label for _, label in rows])


def corrections(old: Corpus) -> Corpus:
    """Two labels of old texts changed, one confirmed, and three texts more."""
    more = reviews(3, seed=9)
    texts = [*(old[k].text for k in (4, 7, 10)), *(text for text, _ in more)]
    return Corpus(texts, ["pos", "neg", "neg", *(label for _, label in more)])


@pytest.mark.parametrize("learner", ["svm", "logistic", "nb", "averaged-perceptron"])
def test_training_again_gives_the_bytes_of_training_on_the_merged_data(tmp_path, learner):
    old = reviews(60)
    settings = TrainingSettings.chosen(learner=learner, ngrams="1-2")
    model = run_training(old, settings, threads=1).model
    found = update(model, corrections(old), data=old, threads=1)
    wanted = run_training(merged(old, corrections(old)), settings, threads=1).model
    assert found.way == "again"
    assert (found.counts.added, found.counts.replaced, found.counts.confirmed) == (3, 2, 1)
    assert found.model.model.weights.tobytes() == wanted.model.weights.tobytes()
    assert found.model.model.bias.tobytes() == wanted.model.bias.tobytes()
    found.model.record.lineage = None
    names = tmp_path / "found.assay", tmp_path / "wanted.assay"
    found.model.save(names[0])
    wanted.save(names[1])
    assert names[0].read_bytes() == names[1].read_bytes()


@pytest.mark.parametrize("learner", ["svm", "logistic", "nb"])
def test_what_is_read_for_the_comparison_changes_no_byte_of_the_model(learner):
    old = reviews(300)
    settings = TrainingSettings.chosen(learner=learner, ngrams="1-2", features={"min_df": 2})
    model = run_training(old, settings, threads=1).model
    found = update(model, corrections(old), data=old, threads=2)
    assert "two more models" in found.measured_by
    wanted = run_training(merged(old, corrections(old)), settings, threads=1).model
    assert found.model.model.weights.tobytes() == wanted.model.weights.tobytes()
    blocks = found.model.model.features[0], wanted.model.features[0]
    assert blocks[0].names() == blocks[1].names()
    assert blocks[0].weighting.idf.tobytes() == blocks[1].weighting.idf.tobytes()


def test_the_two_models_say_what_two_trainings_say(monkeypatch):
    from assay.updating import again

    old = reviews(300)
    wrong = Corpus([old[k].text for k in range(60)], ["neg" if old[k].label == "pos" else "pos" for k in range(60)])
    settings = TrainingSettings.chosen(learner="svm", ngrams="1-2")
    model = run_training(old, settings, threads=1).model
    found = update(model, wrong, data=old, even_if_worse=True).comparison
    monkeypatch.setattr(again, "settled_recipe", lambda *_: None)
    slowly = update(model, wrong, data=old, even_if_worse=True).comparison
    assert (found.first_value, found.second_value) == (slowly.first_value, slowly.second_value)
    assert found.first_value != found.second_value


def test_calibration_novelty_and_thresholds_are_made_again():
    old = reviews(80)
    settings = TrainingSettings.chosen(learner="svm", ngrams="1-1", folds=5)
    model = run_training(old, settings, threads=1).model
    found = update(model, corrections(old), data=old, threads=1).model
    wanted = run_training(merged(old, corrections(old)), settings, threads=1).model
    assert found.model.weights.tobytes() == wanted.model.weights.tobytes()  # a search puts its calibration there
    assert found.model.cap.values.tolist() == wanted.model.cap.values.tolist()
    assert found.record.novelty.settings == wanted.record.novelty.settings
    assert (found.record.sketch.arrays["forms"] == wanted.record.sketch.arrays["forms"]).all()


def test_a_classifier_of_python_is_fitted_again_with_its_own_settings():
    old = reviews(60)
    parts = TfidfVectorizer(ngram_range=(1, 2), dtype=np.float32), LogisticRegression(C=3.0)
    model = TextClassifier(*parts, calibration="sigmoid").fit(old)
    found = update(model, corrections(old), data=old)
    wanted = TextClassifier(*parts, calibration="sigmoid").fit(merged(old, corrections(old)))
    assert found.model.model.weights.tobytes() == wanted.model.weights.tobytes()
    scores = np.linspace(-2, 2, 9)
    applied = [one.model.calibration.apply(scores).tolist() for one in (found.model, wanted)]
    assert applied[0] == applied[1]


def test_labels_keep_their_type():
    texts, labels = ["loved it", "so dull", "great fun", "a dull mess"], [1, 0, 1, 1]
    model = TextClassifier().fit(texts, labels)
    found = update(model, (["a dull mess", "dull dull"], [0, 0]), data=(texts, labels))
    assert found.model.predict(["dull"]).tolist() == [0]


def test_new_classes_and_new_words_are_learned():
    old = reviews(60)
    model = run_training(old, TrainingSettings.chosen(learner="svm", ngrams="1-1"), threads=1).model
    new = Corpus([f"gadget number{k} broken" for k in range(5)], ["broken"] * 5)
    found = update(model, new, data=old, new_labels=True)
    assert found.model.labels == ("broken", "neg", "pos")
    assert found.new_labels == ("broken",)
    assert found.model.predict(["a gadget"]).tolist() == ["broken"]


def test_every_copy_takes_the_new_label():
    old = Corpus([*(text for text, _ in reviews(40)), "twice said", "twice said"], ["pos", "neg"] * 20 + ["neg", "neg"])
    model = TextClassifier().fit(old)
    found = update(model, Corpus(["twice said"], ["pos"]), data=old)
    assert found.counts.replaced == 2
    assert [label for text, label in found.train if text == "twice said"] == ["pos", "pos"]


def test_a_dash_leaves_a_text_out():
    old = reviews(40)
    model = TextClassifier().fit(old)
    found = update(model, Corpus([old[0].text, old[1].text], ["-", "neg"]), data=old)
    assert (found.counts.removed, found.counts.replaced, len(found.train)) == (1, 1, 39)
    assert old[0].text not in found.train.texts.to_pylist()


def test_lineage_tells_parents_and_what_was_added(tmp_path):
    old = reviews(40)
    TextClassifier().fit(old).save(tmp_path / "first.assay")
    once = update(tmp_path / "first.assay", corrections(old), data=old)
    once.model.save(tmp_path / "second.assay")
    twice = update(tmp_path / "second.assay", reviews(2, seed=3), data=once.train).model
    lineage = twice.record.lineage
    assert [parent.file for parent in lineage.parents] == ["first.assay", "second.assay"]
    assert [(one.way, one.parent, one.added, one.replaced) for one in lineage.updates] == [
        ("again", 0, 3, 2),
        ("again", 1, 2, 0),
    ]
    twice.save(tmp_path / "third.assay")
    assert assay.load(tmp_path / "third.assay").record.lineage == lineage


def test_sets_of_labels_are_trained_again():
    texts = [f"{'sun' if k % 2 else 'rain'} {'goal' if k % 3 else 'vote'} word{k}" for k in range(40)]
    sets = [[*(["weather"] if k % 2 else []), *(["sport"] if k % 3 else [])] for k in range(40)]
    model = TextClassifier().fit(Corpus(texts, sets))
    new = Corpus([texts[0], "sun goal again"], [["weather"], ["sport", "weather"]])
    found = update(model, new, data=Corpus(texts, sets))
    wanted = TextClassifier().fit(Corpus([*texts, "sun goal again"], [["weather"], *sets[1:], ["sport", "weather"]]))
    assert found.counts.replaced == 1
    assert found.model.model.weights.tobytes() == wanted.model.weights.tobytes()


def with_why(corpus: Corpus, why: str) -> Corpus:
    return corpus.with_column("why", [why] * len(corpus))


def test_doubtful_texts_never_enter_the_test_and_random_ones_never_the_training():
    old, new = reviews(60), reviews(30, seed=5)
    model = TextClassifier().fit(old)
    drawn = update(model, with_why(new, "random"), data=old)
    assert (drawn.counts.added, drawn.counts.kept_for_test) == (0, 30)
    assert len(drawn.train) == 60
    assert set(drawn.test.texts.to_pylist()) == set(new.texts.to_pylist())
    assert drawn.comparison.n_documents == 30
    doubtful = update(model, with_why(new, "uncertain"), data=old)
    assert (doubtful.counts.added, doubtful.counts.kept_for_test, doubtful.test) == (30, 0, None)


def test_what_was_held_out_stays_held_out(tmp_path):
    data = reviews(300)
    settings = TrainingSettings.chosen(learner="svm", ngrams="1-1", holdout=0.2)
    run = run_training(data, settings, threads=1)
    model = run.model
    new = Corpus([run.test[0].text, run.train[0].text, "quite new and lovely"], ["pos", "neg", "pos"])
    found = update(model, new, data=data)
    assert set(found.test.texts.to_pylist()) == set(run.test.texts.to_pylist())
    assert len(found.train) == len(run.train) + 1
    assert found.comparison.n_documents == len(run.test)
    assert "held out for the test: there it stays" in " ".join(found.notes)


def test_the_part_that_is_measured_on_is_the_same_in_every_update():
    old = reviews(400)
    model = TextClassifier().fit(old)
    first = update(model, reviews(5, seed=7), data=old)
    second = update(model, reviews(50, seed=8), data=old)
    assert first.comparison.n_documents == second.comparison.n_documents
    assert "two more models" in first.measured_by


def spoiled(old: Corpus) -> Corpus:
    """Labels that somebody set the wrong way round, of texts that go into training."""
    more = reviews(300, seed=4)
    return Corpus(more.texts, ["neg" if label == "pos" else "pos" for _, label in more])


def test_a_model_that_is_clearly_worse_is_refused():
    old = reviews(200)
    model = run_training(old, TrainingSettings.chosen(learner="svm", ngrams="1-1"), threads=1).model
    with pytest.raises(WorseModelError, match="clearly worse than the old one: accuracy") as caught:
        update(model, spoiled(old), data=old)
    assert "even_if_worse=True" in str(caught.value)
    assert caught.value.exit_code == 4
    assert caught.value.update.is_worse
    assert update(model, spoiled(old), data=old, even_if_worse=True).is_worse


def test_near_copies_with_another_label_are_named():
    old = Corpus(
        ["The ship sails on Monday at nine sharp", *reviews(40).texts.to_pylist()], ["neg", *["pos", "neg"] * 20]
    )
    model = TextClassifier().fit(old)
    found = update(model, Corpus(["the ship sails on monday at nine sharp!"], ["pos"]), data=old)
    (note,) = found.notes
    assert "1 new text is nearly the same as an old one with another label, which keeps it" in note
    assert "memory, row 1 ('pos') and memory, row 1 ('neg')" in note


@pytest.fixture(scope="module")
def model() -> TextClassifier:
    return TextClassifier().fit(reviews(40))


class TestRefusals:
    """What cannot be meant is refused, with the way out."""

    old = reviews(40)

    def test_a_label_that_nobody_knows_with_the_nearest_first(self, model):
        with pytest.raises(
            DataError, match=r"list, row 2: the model does not know the label 'poz' \(1 text has it\)"
        ) as caught:
            update(model, (["a", "b"], ["neg", "poz"]), data=self.old)
        assert "Its labels are 'pos', 'neg'." in str(caught.value)
        assert "new_labels=True" in str(caught.value)

    def test_a_label_in_another_spelling_is_read_as_the_one_that_is_meant(self, model):
        found = update(model, ([self.old[0].text], [" POS"]), data=self.old)
        assert found.counts.replaced == 1
        assert "the label ' POS' is read as 'pos'" in found.notes

    def test_the_same_text_with_two_labels(self, model):
        with pytest.raises(DataError, match=r"row 3: the text 'a' has the label 'neg' here, and 'pos' in list, row 1"):
            update(model, (["a", "b", "a"], ["pos", "pos", "neg"]), data=self.old)

    def test_the_same_text_twice_with_one_label_counts_once(self, model):
        found = update(model, (["quite new", "quite new"], ["pos", "pos"]), data=self.old)
        assert found.counts.added == 1
        assert "1 row says again what an earlier row says of the same text" in found.notes

    def test_texts_that_the_old_data_does_not_have(self, model):
        with pytest.raises(DataError, match=r"row 1: the text 'unheard' is not one of the old data \(1 text is not\)"):
            update(model, (["unheard", self.old[0].text], ["pos", "pos"]), data=self.old, only_known=True)

    def test_no_texts(self, model):
        with pytest.raises(DataError, match="there is not one labelled text in it"):
            update(model, Corpus([], []), data=self.old)

    def test_no_labels(self, model):
        with pytest.raises(DataError, match="the texts have no labels"):
            update(model, Corpus(["a"]), data=self.old)

    def test_sets_for_a_model_of_single_labels(self, model):
        with pytest.raises(DataError, match="its texts have sets of labels, and the model gives one label a text"):
            update(model, Corpus(["a"], [["pos", "neg"]]), data=self.old)

    def test_other_data_than_the_model_learned_from(self, model):
        with pytest.raises(
            DataError, match="not known to be the data that the model was trained on: its digest"
        ) as caught:
            update(model, ([self.old[0].text], ["pos"]), data=self.old[:30])
        assert "other_data=True" in str(caught.value)
        found = update(model, ([self.old[0].text], ["pos"]), data=self.old[:30], other_data=True)
        assert len(found.train) == 30

    def test_data_that_is_not_to_be_found(self, model):
        with pytest.raises(
            DataError, match="is not to be found: what the model's file says of its making does not say"
        ):
            update(model, ([self.old[0].text], ["pos"]))

    def test_something_else_than_a_model(self):
        with pytest.raises(ParameterError, match="the file of a model, or a classifier"):
            update(5, (["a"], ["pos"]))

    def test_a_model_whose_training_is_not_known(self):
        bare = TextClassifier.from_parts(TextClassifier().fit(self.old).model)
        with pytest.raises(DataError, match="no run folder beside it, and its file does not say how it was made"):
            update(bare, ([self.old[0].text], ["pos"]), data=self.old)
