"""What a model file remembers of its training texts, and what evaluate makes of it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import assay
from assay import Corpus
from assay.modelfile.attachment import Attachment
from assay.modelfile.text_sketch import METHOD, WITHOUT_BAGS, TextSketch
from assay.training import run_training
from assay.training.settings import TrainingSettings

FORMS = [4136891374504145289, 6714003531343680388]
BAGS = [4810013929987526394]
SIGNATURE = [52, 27, 115, 36, 1, 40, 200, 186]


def texts(seed, n, words=25):
    rng = np.random.default_rng(seed)
    return [" ".join(f"w{k}" for k in rng.integers(0, 3000, words)) for _ in range(n)]


def column(values):
    return pa.chunked_array([pa.array(values, pa.large_string())])


def test_copies_and_near_copies_are_known_and_others_are_not():
    kept = texts(0, 200)
    sketch = TextSketch.of(column(kept))
    asked = [*(t.upper() for t in kept[:50]), *(t + "\nkind regards\nAnna" for t in kept[:50]), *texts(1, 500)]
    same, near = sketch.known(column(asked))
    assert same[:50].all()
    assert not same[50:].any()
    assert near[:100].mean() > 0.98  # estimated by 32 places: of a similarity of 0.9
    assert not near[100:].any()


def test_questions_that_differ_in_a_word_are_not_taken_for_each_other():
    kept = [text.split() for text in texts(0, 200, 9)]
    sketch = TextSketch.of(column([" ".join(words) for words in kept]))
    other = [" ".join([*words[:4], "else", *words[5:]]) for words in kept]  # four of seven shingles are left
    assert sketch.known(column(other))[1].mean() < 0.05
    longer = [" ".join([*words, "kind", "regards"]) for words in kept]  # all seven, of nine
    assert sketch.known(column(longer))[1].mean() > 0.8


def test_lines_in_another_order_are_known_and_words_in_any_other_are_not():
    random = np.random.default_rng(7)
    kept = [[text.split() for text in texts(k, 10, 6)] for k in range(60)]  # sixty texts of ten lines of six words

    def written(lines):
        return "\n".join(" ".join(line) for line in lines)

    sketch = TextSketch.of(column([written(lines) for lines in kept]))
    moved = [written([lines[i] for i in random.permutation(10)]) for lines in kept]
    assert sketch.known(column(moved))[1].mean() > 0.9  # of 58 shingles, about 40 are left
    mixed = [" ".join(random.permutation([word for line in lines for word in line])) for lines in kept]
    assert not sketch.known(column(mixed))[1].any()


def test_sketch_of_an_earlier_file_has_no_hashes_of_words_in_any_order_and_is_used_all_the_same():
    kept = texts(0, 40)
    whole = TextSketch.of(column(kept)).to_attachment()
    arrays = {name: array for name, array in whole.arrays.items() if name != "bags"}
    earlier = TextSketch.from_attachment(Attachment(WITHOUT_BAGS, whole.settings, arrays))
    assert len(earlier.bags) == 0
    assert earlier.known(column([kept[0].upper(), *texts(1, 5)]))[1].tolist() == [True] + [False] * 5
    assert TextSketch.from_attachment(Attachment(METHOD, whole.settings, arrays)) is None


def test_shared_boilerplate_makes_no_text_known():
    note = " please note that this message is confidential and meant for the addressee only so delete it otherwise"
    sketch = TextSketch.of(column([text + note for text in texts(0, 200, 10)]))
    assert len(sketch.common) == 15  # of seventeen words
    assert not sketch.known(column([text + note for text in texts(1, 200, 10)]))[1].any()


def test_order_and_repetition_of_texts_leave_no_trace():
    kept = texts(0, 50)
    one, other = (TextSketch.of(column(values)) for values in (kept, [*kept[::-1], *kept]))
    assert np.array_equal(one.forms, other.forms)
    assert np.array_equal(one.signatures, other.signatures)


def test_hashes_stay_what_they_are_in_files():
    sketch = TextSketch.of(column(["The ship sails on Monday at nine", "no"]))
    assert sketch.forms.tolist() == FORMS
    assert sketch.signatures[0, :8].tolist() == SIGNATURE
    assert sketch.bags.tolist() == BAGS


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"forms": np.array([2, 1], np.uint64)},
        {"forms": np.array([1, 2], np.int64)},
        {"signatures": np.zeros((3, 31), np.uint8)},
        {"common": np.array([1, 1], np.uint32)},
        {"sizes": np.ones(2, np.uint16)},
        {"sizes": np.ones(3, np.int32)},
        {"bags": np.ones(2, np.uint64)},
        {"bags": np.ones(3, np.int64)},
    ],
)
def test_sketch_of_other_shape_is_not_used(arrays):
    whole = TextSketch.of(column(texts(0, 3))).to_attachment()
    assert TextSketch.from_attachment(whole) is not None
    given = Attachment(METHOD, whole.settings, {**whole.arrays, **arrays} if arrays else {})
    assert TextSketch.from_attachment(given) is None
    assert TextSketch.from_attachment(Attachment("another", whole.settings, whole.arrays)) is None


def trained(tmp_path, **settings):
    corpus = Corpus(texts(0, 200), ["yes", "no"] * 100)
    how = TrainingSettings.chosen(learner="svm", ngrams="1-1", C=1.0, holdout=0.2, **settings)
    run = run_training(corpus, how)
    path = tmp_path / "m.assay"
    run.model.save(path)
    return run, assay.load(path)


def test_evaluate_warns_of_texts_that_the_model_has_seen(tmp_path):
    run, model = trained(tmp_path)
    assert run.evaluation.seen is None  # the held-out texts are none of the training texts
    new = Corpus(texts(9, 60), ["yes", "no"] * 30)
    assert assay.evaluate(model, new).seen is None
    mixed = Corpus([*run.train.texts.to_pylist()[:40], *new.texts.to_pylist()], ["yes", "no"] * 50)
    found = assay.evaluate(model, mixed)
    assert found.seen.to_dict() == {"same": 40, "near": 0, "sample": False}
    assert found.notes[0].startswith(
        "40 of 100 documents are known to the model from its training (40 the same, 0 nearly"
    )
    assert "Without them, on 60 documents: accuracy 0." in found.notes[0]
    assert found.unseen["accuracy"].value == assay.evaluate(model, new)["accuracy"].value
    assert found.to_dict()["seen"]["metrics_without"]["accuracy"]["value"] == found.unseen["accuracy"].value


def test_training_file_itself_is_no_test(tmp_path):
    run, model = trained(tmp_path)
    found = assay.evaluate(model, run.train)
    assert found.notes[0].startswith("All 160 documents are known to the model from its training")
    assert found.notes[0].endswith("None is left to say how good the model is on new texts.")
    assert "this is no test" in " ".join(str(found).split())
    assert found.unseen == {}


def test_sketch_can_be_left_out(tmp_path):
    run, model = trained(tmp_path, sketch=False)
    assert model.record.sketch is None
    assert assay.evaluate(model, run.train).seen is None


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_no_bit_of_a_sketch(threads):
    kept = column([*texts(0, 300), *texts(100, 120), "no"])
    one, other = TextSketch.of(kept, 1), TextSketch.of(kept, threads)
    for name in ("forms", "signatures", "sizes", "bags", "common"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_signatures_are_kept_once_in_the_order_of_their_bytes():
    kept = TextSketch.of(column([*texts(0, 50), *texts(0, 50)])).signatures
    rows = [bytes(row) for row in kept]
    assert rows == sorted(set(rows))
    assert len(rows) == 50


def test_a_classifier_fitted_in_python_remembers_its_texts_unless_told_not_to(tmp_path):
    kept, labels = texts(3, 60), ["yes", "no"] * 30
    path = tmp_path / "m.assay"
    assay.TextClassifier(learner="nb").fit(kept, labels).save(path)
    shouted = Corpus([text.upper() for text in kept], labels)
    assert assay.evaluate(assay.load(path), shouted).seen.counts == (60, 60)
    assert assay.TextClassifier(sketch=False).fit(kept, labels).record.sketch is None
    with pytest.raises(assay.errors.ParameterError, match="The 'sketch' parameter of TextClassifier must be True or F"):
        assay.TextClassifier(sketch="no").fit(kept, labels)


def test_folds_of_a_cross_validation_make_no_sketch(monkeypatch):
    made = []
    monkeypatch.setattr(TextSketch, "of", classmethod(lambda cls, *_: made.append(1)))
    assay.cross_validate(assay.TextClassifier(learner="nb"), (texts(3, 60), ["yes", "no"] * 30), folds=3)
    assert not made


def test_compare_says_which_texts_a_model_knows_and_what_is_left_without_them(tmp_path):
    run, model = trained(tmp_path)
    new = Corpus(texts(9, 60), ["yes", "no"] * 30)
    other = assay.TextClassifier(learner="logistic", sketch=False).fit(run.train)
    mixed = Corpus([*run.train.texts.to_pylist()[:40], *new.texts.to_pylist()], ["yes", "no"] * 50)
    found = assay.compare({"svm": model, "logistic": other}, mixed)
    assert found.notes[0].startswith("svm: 40 of 100 documents are known to the model from its training")
    alone = assay.compare(model, other, new)
    assert found.notes[1].startswith(f"Without them, on 60 documents: macro_f1 {alone.difference.cell(4)}")
    assert found.notes[0] in " ".join(str(found).split())
    assert "on documents that were learned from" in repr(found)
    assert found.to_dict()["notes"] == list(found.notes)
    assert alone.notes == ()
    assert assay.compare(assay.evaluate(model, mixed), assay.evaluate(other, mixed)).notes[0] == found.notes[0].replace(
        "svm", "A"
    )
    several = assay.compare({"svm": model, "logistic": other, "svm again": model}, mixed)
    assert [note.partition(":")[0] for note in several.notes] == [
        "svm",
        "svm - logistic",
        "svm again",
        "svm - svm again",
        "logistic - svm again",
    ]
    assert assay.compare(model, other, run.train).notes[-1] == "None is left to say which is better on new texts."


def test_a_given_test_of_texts_that_were_learned_from_is_judged_on_the_others():
    random = np.random.default_rng(5)
    learned, new = texts(1, 200), texts(2, 100)
    labels = [str(label) for label in random.choice(["yes", "no"], 300)]
    settings = TrainingSettings.chosen(learner="svm", ngrams="1-2", C=10.0)
    test = Corpus([*learned[:150], *new], [*labels[:150], *labels[200:]])
    run = run_training(Corpus(learned, labels[:200]), settings, test=test)
    assert run.evaluation.accuracy.value > 0.7  # what it knows by heart
    assert run.evaluation.seen.counts == (150, 250)
    assert run.verdict.kind in ("guessing", "constant")
    assert run.verdict.n_documents == run.comparison.n_documents == 100
    assert "150 texts more, known to it from its training, can be no test." in run.headline.reason
    whole = run_training(Corpus(learned, labels[:200]), settings, test=Corpus(learned, labels[:200]))
    assert whole.headline.sentence == "The model knows these texts from its training: this is no test."
    assert whole.comparison is None
