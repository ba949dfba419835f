"""Word vectors among the recipes of a search."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.embeddings import EmbeddingVectorizer, WordVectors
from assay.errors import DataError, ParameterError
from assay.features import JoinedVectorizer, TfidfVectorizer
from assay.training import Recipe, TrainingSettings, run_training
from assay.training.candidates import candidate_recipes
from assay.training.settings_file import read_settings, settings_text
from assay.training.vector_block import VectorBlock

WORDS = [f"w{i}" for i in range(60)]


@pytest.fixture(scope="module")
def vectors():
    matrix = np.random.default_rng(0).normal(size=(60, 4)) * 0.3
    matrix[:, 0] += np.repeat([1, -1], 30)
    return WordVectors(WORDS, matrix, np.arange(60, 0, -1))


@pytest.fixture(scope="module")
def corpus():
    random = np.random.default_rng(1)
    texts = [" ".join(random.choice(part, 3)) for part in (WORDS[:30], WORDS[30:]) for _ in range(30)]
    return assay.read((texts, ["+"] * 30 + ["-"] * 30))


@pytest.fixture
def file(vectors, tmp_path):
    vectors.save(tmp_path / "v.safetensors")
    return str(tmp_path / "v.safetensors")


def test_the_search_tries_vectors_beside_the_first_way_of_reading(file):
    wishes = TrainingSettings.chosen(vectors=file).wishes
    found = candidate_recipes(wishes, n_texts=100, spaces=True)
    joined = [recipe for recipe in found if "word vectors" in recipe.features]
    assert {recipe.features for recipe in joined} == {"words 1–2 + word vectors"}
    assert {recipe.learner.name for recipe in joined} == {"svm", "logistic"}
    without = candidate_recipes(TrainingSettings.chosen().wishes, n_texts=100, spaces=True)
    assert [recipe for recipe in found if recipe not in joined] == without


def test_what_is_chosen_by_hand_is_used_with_vectors_only(file):
    wishes = TrainingSettings.chosen(vectors=file, learner="svm", ngrams="1", chars="2-3").wishes
    (recipe,) = candidate_recipes(wishes, n_texts=100, spaces=True)
    assert recipe.name == "linear SVM, C=1, words 1 + characters 2–3 + word vectors"


def test_a_model_chosen_by_hand_is_that_of_a_joined_vectorizer(corpus, vectors):
    ours = assay.train(corpus, vectors=vectors, learner="svm", ngrams="1")
    parts = [("words", TfidfVectorizer(sublinear_tf=True)), ("vectors", EmbeddingVectorizer(vectors, length=2))]
    theirs = assay.TextClassifier(JoinedVectorizer(parts), "svm").fit(corpus)
    texts = [*corpus.texts.to_pylist(), "w3 unknown", ""]
    # float32 against float64 features, and solvers that stop within 1e-3 of the optimum
    assert ours.decision_function(texts) == pytest.approx(theirs.decision_function(texts), abs=0.02)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_with_vectors_is_repeated_to_the_same_bytes(corpus, file, tmp_path, threads):
    run = run_training(corpus, TrainingSettings.chosen(vectors=file, learner="svm", folds=3), threads=threads)
    assert any("word vectors" in member.recipe.features for member in run.members)
    run.model.save(tmp_path / "first.assay")
    (tmp_path / "settings.toml").write_text(settings_text(run, {}), encoding="utf-8")
    again = run_training(corpus, read_settings(str(tmp_path / "settings.toml")).settings, threads=3 - threads)
    again.model.save(tmp_path / "again.assay")
    assert (tmp_path / "again.assay").read_bytes() == (tmp_path / "first.assay").read_bytes()


def test_folds_have_the_features_of_the_whole(corpus, vectors):
    from assay.training.fold_matrices import FoldMatrices
    from assay.training.refit import text_matrix

    block = VectorBlock.of(vectors)
    words = candidate_recipes(TrainingSettings.chosen(ngrams="1").wishes, n_texts=10, spaces=True)[0].blocks[0]
    matrices = FoldMatrices(corpus.texts, 1)
    matrices.count([words, block])
    everything = np.arange(len(corpus))
    train, test = matrices.part((words, block), everything, everything[:5])
    whole = text_matrix(corpus.texts, (words, block), 2)
    dense = np.zeros(whole.X.shape)
    dense[np.repeat(np.arange(len(dense)), np.diff(whole.X.indptr)), whole.X.indices] = whole.X.data
    # N-grams have other columns; vectors come last.
    assert train.toarray()[:, -4:] == pytest.approx(dense[:, -4:], abs=1e-6)
    assert (test.toarray() == train.toarray()[:5]).all()
    assert matrices.size(block) == 4 * len(corpus)
    matrices.forget([words])
    with pytest.raises(KeyError):
        matrices.part((words, block), everything, everything)


def test_a_model_does_not_know_where_its_vectors_lay(corpus, file):
    run = run_training(corpus, TrainingSettings.chosen(vectors=file, learner="svm", ngrams="1"))
    assert run.model.provenance["vectorizer"]["parameters"]["blocks"][-1]["vectors"] == "v.safetensors"


def test_too_many_classes_to_search_leave_the_vectors_out(corpus, file, monkeypatch):
    monkeypatch.setattr("assay.training.train._MOST_SCORES", 10)
    run = run_training(corpus, TrainingSettings.chosen(vectors=file))
    assert run.members[0].recipe.learner.name == "complement-nb"


@pytest.mark.parametrize("learner", ["nb", "complement-nb", "nbsvm"])
def test_learners_of_counts_take_no_vectors(file, learner):
    with pytest.raises(ParameterError, match="learns from counts, and word vectors have values below 0"):
        TrainingSettings.chosen(vectors=file, learner=learner)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"vectors": "v.vec", "lenght": 1}, r"no setting 'lenght' of word vectors\. Settings are 'length'"),
        ({"vectors": "v.vec", "length": 0}, r"length must be a number above 0\. Got 0\.0"),
        ({"vectors": "v.vec", "a": -1}, r"a must be a number above 0\. Got -1\.0"),
    ],
)
def test_wrong_settings_of_vectors_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        Recipe.from_dict({"features": [settings]})


FEATURES = """
[features.words]
ngrams = [1, 1]
[features.lexicons]
first = ["w1", "w2"]
[features.vectors]
file = "v.safetensors"
weighting = "idf"
length = 2.0
[features.scaling]
lexicons = "max-abs"
"""


def test_a_settings_file_describes_vectors_beside_other_features(corpus, file, tmp_path):
    (tmp_path / "settings.toml").write_text(FEATURES + '[learner]\nname = "svm"\n')
    run = run_training(corpus, read_settings(str(tmp_path / "settings.toml")).settings)
    assert run.members[0].recipe.features == "words + lexicons + word vectors"
    run.model.save(tmp_path / "first.assay")
    (tmp_path / "again.toml").write_text(settings_text(run, {}), encoding="utf-8")
    again = run_training(corpus, read_settings(str(tmp_path / "again.toml")).settings)
    again.model.save(tmp_path / "again.assay")
    assert (tmp_path / "again.assay").read_bytes() == (tmp_path / "first.assay").read_bytes()


def test_a_settings_file_may_describe_vectors_alone(corpus, file, tmp_path):
    (tmp_path / "settings.toml").write_text('[features.vectors]\nfile = "v.safetensors"\n')
    run = run_training(corpus, read_settings(str(tmp_path / "settings.toml")).settings)
    assert [block.kind for block in run.model.model.features] == ["embeddings"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("vectors = 3", r"features\.vectors must be a table with a 'file' of word vectors\. Got 3"),
        ("vectors = {length = 2}", r"must be a table with a 'file'"),
        ("vectors = {file = 'v.safetensors', lenght = 2}", r"no setting 'lenght' in features\.vectors.* are 'length'"),
        ("vectors = {file = 'none.vec'}", r"none\.vec: no such file"),
    ],
)
def test_a_wrong_table_of_vectors_is_refused(file, tmp_path, table, message):
    (tmp_path / "settings.toml").write_text(f"[features]\n{table}\n")
    with pytest.raises((ParameterError, DataError), match=message):
        read_settings(str(tmp_path / "settings.toml"))


def test_vectors_that_are_not_there_are_missed_before_any_text_is_read(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        TrainingSettings.chosen(vectors=tmp_path / "nothing.vec")


def test_settings_of_a_run_with_vectors_in_memory_cannot_be_repeated(corpus, vectors, tmp_path):
    run = run_training(corpus, TrainingSettings.chosen(vectors=vectors, learner="svm", ngrams="1"))
    (tmp_path / "settings.toml").write_text(settings_text(run, {}), encoding="utf-8")
    settings = read_settings(str(tmp_path / "settings.toml")).settings
    with pytest.raises(ParameterError, match=r"word vectors were in no file\. Save the vectors"):
        run_training(corpus, settings)
