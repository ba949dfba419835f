"""Judgements of similarity and analogies: the numbers are gensim's."""

from __future__ import annotations

import gzip
import math

import numpy as np
import pytest

from assay.embeddings import WordVectors, evaluate_analogies, evaluate_similarity
from assay.errors import DataError, ParameterError


@pytest.fixture(scope="session")
def keyed(random_vectors):
    found = pytest.importorskip("gensim.models.keyedvectors").KeyedVectors(12)
    found.add_vectors(list(random_vectors.words), random_vectors.matrix)
    return found


@pytest.fixture(scope="session")
def pairs(random_vectors, tmp_path_factory):
    """Pairs with comments, unknown words, lines that are none, other cases, and ties."""
    random = np.random.default_rng(1)
    lines = ["# two words and a number", "", "word1\tword2\thuman (mean)"]
    for one, two in random.integers(0, 500, (200, 2)):
        first, second = random_vectors.words[one], random_vectors.words[two]
        lines.append(f"{first.title() if one % 3 else first}\t{second}\t{random.integers(0, 20) / 2}")
    lines += ["unknown\tabc\t3", "abc\tabd", "abc\tabd\tvery"]
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="session")
def questions(random_vectors, tmp_path_factory):
    """Questions of which the nearest word answers some, with other cases and unknown words."""
    random = np.random.default_rng(2)
    lines = [": first section"]
    for i in range(300):
        a, b, c = (random_vectors.words[j] for j in random.choice(500, 3, replace=False))
        if i % 4 == 0:
            c = b.swapcase() if b.swapcase() in random_vectors else c
        best = random_vectors.most_similar([b, c], [a], top=3)
        expected = best[0][0] if i % 3 else best[1][0]
        lines.append(f"{a} {b.title() if i % 5 == 0 else b} {c} {expected if i % 11 else 'nothing'}")
        if i == 150:
            lines += ["", "only three words", ": second: section", ": empty"]
    path = tmp_path_factory.mktemp("questions") / "questions.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("case_sensitive", [False, True])
@pytest.mark.parametrize("restrict", [300_000, 350])
def test_similarity_is_gensims(random_vectors, keyed, pairs, case_sensitive, restrict):
    score = evaluate_similarity(random_vectors, pairs, restrict=restrict, case_sensitive=case_sensitive)
    pearson, spearman, unknown = keyed.evaluate_word_pairs(
        str(pairs), restrict_vocab=restrict, case_insensitive=not case_sensitive
    )
    # The cosines are float32, with seven digits.
    assert score.spearman == pytest.approx(spearman[0], abs=1e-6)
    assert score.pearson == pytest.approx(pearson[0], abs=1e-5)
    assert 100 * score.n_unknown / (score.n_pairs + score.n_unknown) == pytest.approx(unknown)
    assert score.skipped == (3, 205, 206)
    assert str(score).startswith("pairs.tsv: Spearman ")


@pytest.mark.parametrize("case_sensitive", [False, True])
@pytest.mark.parametrize("restrict", [300_000, 350])
def test_analogies_are_gensims(random_vectors, keyed, questions, case_sensitive, restrict):
    score = evaluate_analogies(random_vectors, questions, restrict=restrict, case_sensitive=case_sensitive)
    accuracy, sections = keyed.evaluate_word_analogies(
        str(questions), restrict_vocab=restrict, case_insensitive=not case_sensitive
    )
    assert [section.name for section in score.sections] == [section["section"] for section in sections[:-1]]
    for ours, theirs in zip((*score.sections, score.total), sections, strict=True):
        assert ours.n_correct == len(theirs["correct"])
        assert ours.n_questions == len(theirs["correct"]) + len(theirs["incorrect"])
    assert score.accuracy == pytest.approx(accuracy)
    assert 0 < score.accuracy < 1
    assert score.skipped == (154,)
    assert math.isnan(score.sections[1].accuracy)
    assert str(score).splitlines()[-1].startswith("total ")


def test_real_questions_are_scored_as_gensim_does(shared_data, tmp_path):
    """Vectors of the words of the files, which are random but for a few relations."""
    gensim = pytest.importorskip("gensim.models.keyedvectors")
    questions = shared_data / "analogies" / "questions-words.txt"
    if not questions.exists():
        pytest.skip("the analogies are not there")
    lines = questions.read_text().splitlines()
    few = [line for i, line in enumerate(lines) if line.startswith(":") or i % 40 == 0]
    (tmp_path / "few.txt").write_text("\n".join(few) + "\n")
    words = sorted({word for line in lines if not line.startswith(":") for word in line.split()})
    random = np.random.default_rng(0)
    relation = {line.split()[1]: line.split()[0] for line in lines if not line.startswith(":")}
    matrix = {word: random.normal(size=20) for word in words}
    offset = random.normal(size=20)
    for word, base in relation.items():
        matrix[word] = matrix[base] + offset + 0.6 * random.normal(size=20)
    vectors = WordVectors(words, [matrix[word] for word in words])
    keyed = gensim.KeyedVectors(20)
    keyed.add_vectors(words, vectors.matrix)
    score = evaluate_analogies(vectors, tmp_path / "few.txt")
    _, sections = keyed.evaluate_word_analogies(str(tmp_path / "few.txt"))
    assert [s.n_correct for s in score.sections] == [len(s["correct"]) for s in sections[:-1]]
    assert score.total.n_correct > 20
    for name in ("wordsim353.tsv", "simlex999.txt", "EN-MEN-TR-3k.txt"):
        path = shared_data / "wordsim" / name
        expected = keyed.evaluate_word_pairs(str(path))
        assert evaluate_similarity(vectors, path).spearman == pytest.approx(expected[1][0], abs=1e-6)


def test_packed_files_and_spaces_instead_of_tabs_are_read(royal, tmp_path):
    (tmp_path / "pairs.gz").write_bytes(gzip.compress(b"king queen 3\nking tree 1\nking man 2\r\n"))
    assert evaluate_similarity(royal, tmp_path / "pairs.gz").n_pairs == 3


def test_judgements_that_never_change_have_no_correlation(royal, tmp_path):
    (tmp_path / "pairs").write_text("king\tqueen\t3\nking\ttree\t3\n")
    assert math.isnan(evaluate_similarity(royal, tmp_path / "pairs").spearman)


@pytest.mark.parametrize(
    ("judge", "content", "message"),
    [
        (
            evaluate_similarity,
            "a b 1\nking\nc d 2\n",
            r"fewer than two pairs .* 2 pairs have words .* 1 lines are no pai.*line 2",
        ),
        (evaluate_similarity, "", r"fewer than two pairs of words have vectors: 0 pairs"),
        (evaluate_analogies, "", r"there are no questions\. A line is four words"),
        (
            evaluate_analogies,
            "a b c d\n",
            r"line 1: the first line must name a section, such as ': family'\. Found 'a b c d'",
        ),
    ],
)
def test_files_without_anything_to_judge_are_refused(royal, tmp_path, judge, content, message):
    (tmp_path / "file").write_text(content)
    with pytest.raises(DataError, match=message):
        judge(royal, tmp_path / "file")


@pytest.mark.parametrize("judge", [evaluate_similarity, evaluate_analogies])
def test_what_is_no_text_file_is_refused(royal, tmp_path, judge):
    with pytest.raises(DataError, match="no such file"):
        judge(royal, tmp_path / "nothing")
    with pytest.raises(DataError, match="this is a folder"):
        judge(royal, tmp_path)
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not text in UTF-8"):
        judge(royal, tmp_path / "noise")
    (tmp_path / "file").write_text("x")
    with pytest.raises(
        ParameterError, match=r"'restrict' parameter of an evaluation must be a whole number .* Got 0 instead"
    ):
        judge(royal, tmp_path / "file", restrict=0)
