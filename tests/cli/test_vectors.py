"""``assay embed``, ``neighbors``, ``analogy`` and ``train --vectors`` through the installed command."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext

import numpy as np
import pytest

import assay
from assay.cli.commands.analogy import signed_words
from assay.cli.commands.embed import embed_cli
from assay.cli.options.screen import Screen
from assay.embeddings import WordVectors, read_vectors
from assay.errors import ParameterError

SENTENCES = [
    "the good film was great fun",
    "the bad film was a dull mess",
    "a great story and good fun",
    "so bad, so dull",
]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(SENTENCES * 60) + "\n")
    return path


@pytest.fixture
def royal(tmp_path):
    path = tmp_path / "royal.vec"
    path.write_text("5 3\nking 1 1 0\nman 0 1 0\nwoman 0 0 1\nqueen 1 0 1\ntree -1 0.5 0.5\n")
    return path


@pytest.mark.parametrize(
    ("method", "name"), [("skip-gram", "v.safetensors"), ("cbow", "v.vec"), ("svd", "v.bin.gz"), ("cbow", "v.txt.gz")]
)
def test_embed_writes_vectors_in_the_format_of_the_name(run, corpus, tmp_path, method, name):
    asked = ("embed", corpus, "-o", name, "--method", method, "-d", "6", "--epochs", "2", "--seed", "3", "--json")
    done = run(*asked)
    assert (done.returncode, done.stderr) == (0, "")
    facts = json.loads(done.stdout)
    vectors = read_vectors(tmp_path / name)
    assert (facts["kind"], facts["words"], facts["dimensions"]) == ("vectors", len(vectors), 6)
    assert facts["text_words"] == 60 * 23
    assert facts["interrupted"] is False
    first = (tmp_path / name).read_bytes()
    assert run(*asked, "--force", "--threads", "1").returncode == 0
    assert (tmp_path / name).read_bytes() == first


def test_embed_says_what_it_wrote(run, corpus):
    done = run("embed", corpus, "-o", "v.safetensors", "-d", "5", "--min-count", "100", "--cased", "--sentences")
    assert done.returncode == 0
    assert done.stdout == ""
    assert re.fullmatch(
        r"\d+ words × 5 dimensions, learned from 1,380 words in [\d.]+ s → v\.safetensors\n", done.stderr
    )
    assert run("embed", corpus, "-o", "w.safetensors", "--quiet").stderr == ""


def test_embed_shows_a_line_of_progress_on_a_terminal(on_terminal, corpus, tmp_path):
    shown = on_terminal("stderr", "embed", corpus, "-o", tmp_path / "v.safetensors", "--epochs", "3").decode()
    assert re.search(r"learning, epoch \d of 3: +\d+%, [\d,]+ words/s", shown)


def test_embed_reads_several_files_and_a_column(run, tmp_path):
    rows = "\n".join(f"{i},{SENTENCES[0]}" for i in range(50))
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("number,words\n" + rows + "\n")
    done = run("embed", "a.csv", "b.csv", "--text", "words", "-o", "v.vec", "-d", "4", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["text_words"] == 600


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("corpus.txt", "-o", "v.pkl"), 2, "v.pkl: the name must end in one of '.safetensors', '.vec'"),
        (("corpus.txt", "-o", "v.safetensors.gz"), 2, "the name must end in one of"),
        (("corpus.txt", "-o", "none/v.vec"), 3, "none/v.vec: the folder 'none' does not exist"),
        (("corpus.txt", "-o", "royal.vec"), 2, "royal.vec: the file exists. Use --force"),
        (
            ("corpus.txt", "-o", "v.vec", "--method", "glove"),
            2,
            "--method must be one of 'svd', 'cbow', 'skip-gram'. Got 'glove'",
        ),
        (
            ("corpus.txt", "-o", "v.vec", "--min-count", "1000"),
            3,
            "No word of the text comes 1,000 times or more, as --min-count 1000 asks for",
        ),
        (("corpus.txt", "-o", "v.vec", "-d", "0"), 2, "--dimensions must be a whole number of at least 1"),
        (("corpus.txt", "-o", "v.vec", "-d", "500", "--method", "svd"), 2, "--dimensions is 500, but a matrix of"),
        (("nothing.txt", "-o", "v.vec"), 3, "nothing.txt"),
        (("empty.txt", "-o", "v.vec"), 3, "empty.txt"),
    ],
)
def test_embed_refuses(run, corpus, royal, tmp_path, arguments, code, message):
    (tmp_path / "empty.txt").write_text("")
    done = run("embed", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert not (tmp_path / "v.vec").exists()


@pytest.mark.parametrize("keep", [True, False])
def test_an_interrupted_embed_writes_what_it_has_learned_only_if_asked(corpus, tmp_path, monkeypatch, capsys, keep):
    def interrupt(progress):
        if progress.stage == "learning":
            raise KeyboardInterrupt

    monkeypatch.setattr("assay.cli.screens.progress.status", lambda screen, doing: nullcontext(interrupt))
    output = tmp_path / "v.safetensors"
    with nullcontext() if keep else pytest.raises(KeyboardInterrupt):
        embed_cli([str(corpus)], output, keep=keep, screen=Screen(as_json=True))
    assert output.exists() == keep
    if keep:
        assert json.loads(capsys.readouterr().out)["interrupted"] is True
        assert len(read_vectors(output)) == 13


def test_neighbors_are_listed_nearest_first(run, royal):
    done = run("neighbors", royal, "king", "--top", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["word", "man", "queen"]
    found = json.loads(run("neighbors", royal, "king", "-n", "1", "--json").stdout)
    assert (found["kind"], found["word"], found["neighbors"][0]["word"]) == ("neighbors", "king", "man")
    assert found["neighbors"][0]["similarity"] == pytest.approx(0.5**0.5, abs=1e-6)


def test_neighbors_are_drawn(run, royal, tmp_path):
    done = run("neighbors", royal, "king", "--map", "map.svg")
    assert done.returncode == 0
    assert done.stderr == "map → map.svg\n"
    assert "<svg" in (tmp_path / "map.svg").read_text()
    assert (
        "a map is drawn as one of '.svg', '.png', '.pdf'" in run("neighbors", royal, "king", "--map", "map.bmp").stderr
    )


@pytest.mark.parametrize(
    "words", [("king", "-", "man", "+", "woman"), ("king - man + woman",), ("+", "king", "+", "woman", "-", "man")]
)
def test_an_analogy_is_a_sum_of_words(run, royal, words):
    done = run("analogy", royal, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1].split()[0] == "queen"
    found = json.loads(run("analogy", royal, *words, "--json").stdout)
    assert (found["kind"], found["positive"], found["negative"]) == ("analogy", ["king", "woman"], ["man"])
    assert [item["word"] for item in found["neighbors"]] == ["queen", "tree"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (["king", "man"], "There is no sign before the word 'man'"),
        (["king", "-"], "A word is missing at the end"),
        (["king", "-", "+", "man"], r"Two signs stand side by side, '-' and '\+'"),
        (["-", "-", "king"], "Two signs stand side by side, '-' and '-'"),
        (["  "], "A word is missing at the end"),
    ],
)
def test_what_is_no_sum_is_refused(parts, message):
    with pytest.raises(ParameterError, match=message):
        signed_words(parts)


def test_a_difference_may_begin_with_a_sign():
    assert signed_words(["-", "man", "+", "king"]) == (["king"], ["man"])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("neighbors", "royal.vec", "quen"), 2, "no vector for the word 'quen' among 5. Nearest spellings are 'queen'"),
        (("neighbors", "royal.vec", "king", "--top", "0"), 2, "--top must be a whole number of at least 1"),
        (("neighbors", "nothing.vec", "king"), 3, "nothing.vec: no such file."),
        (("neighbors", "noise.vec", "king"), 3, "noise.vec, line 1: expected the number of words"),
        (("analogy", "royal.vec", "king", "woman"), 2, "There is no sign before the word 'woman'"),
        (("analogy", "royal.vec", "king", "-", "mann"), 2, "Nearest spellings are 'man'"),
        (("train", "data.csv", "--vectors", "nothing.vec"), 3, "nothing.vec: there is no such file. --vectors"),
        (
            ("train", "data.csv", "--vectors", "royal.vec", "--learner", "nb"),
            2,
            "naive Bayes learns from counts, and word vectors have values below 0. Choose another learner",
        ),
    ],
)
def test_bad_questions_are_answered(run, royal, tmp_path, arguments, code, message):
    (tmp_path / "noise.vec").write_bytes(b"\x00\x01noise")
    (tmp_path / "data.csv").write_text("text,label\na,b\n")
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in " ".join(done.stderr.split())


@pytest.fixture
def labelled(tmp_path):
    """Texts of which half of the words occur once, and vectors that know which of them are alike."""
    random = np.random.default_rng(0)
    words = ["".join(random.choice(list("abcdefghijklmnop"), 6)) for _ in range(400)]
    good, bad = words[:200], words[200:]
    rows = [
        f"{' '.join(random.choice(words, 3))},{label}" for words, label in ((good, "+"), (bad, "-")) for _ in range(40)
    ]
    (tmp_path / "data.csv").write_text("text,label\n" + "\n".join(rows) + "\n")
    matrix = random.normal(size=(400, 6)) * 0.3
    matrix[:, 0] += np.repeat([1, -1], 200)
    WordVectors(words, matrix, np.ones(400, int)).save(tmp_path / "v.safetensors")
    (tmp_path / "new.txt").write_text(f"{good[-1]} {good[7]}\n{bad[-1]} {bad[3]}\n")
    return tmp_path / "data.csv"


def test_train_tries_vectors_beside_ngrams_and_can_be_repeated(run, labelled, tmp_path):
    done = run("train", labelled, "--vectors", "v.safetensors", "-o", "m.assay", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert any("word vectors" in item["name"] for item in result["candidates"])
    assert any("word vectors" in item["name"] for item in result["chosen"])
    settings = (tmp_path / "m.run" / "settings.toml").read_text()
    assert 'vectors = "v.safetensors"' in settings
    again = run("train", "--settings", "m.run/settings.toml", "-o", "again.assay", "--json")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again.assay").read_bytes() == (tmp_path / "m.assay").read_bytes()
    model = assay.load(tmp_path / "m.assay")
    assert model.predict((tmp_path / "new.txt").read_text().splitlines()).tolist() == ["+", "-"]
    assert run("explain", "m.assay", "some text").returncode == 0
    assert "6 dimensions of word vectors" in run("inspect", "m.assay").stdout


def test_train_uses_vectors_with_what_was_chosen_by_hand(run, labelled, tmp_path):
    done = run("train", labelled, "--vectors", "v.safetensors", "--learner", "svm", "--ngrams", "1", "--json")
    assert done.returncode == 0, done.stderr
    (chosen,) = json.loads(done.stdout)["chosen"]
    assert chosen["name"] == "linear SVM, C=1, words 1 + word vectors"
    assert [block.kind for block in assay.load(tmp_path / "data.assay").model.features[1:]] == ["embeddings"]


def test_a_sum_without_spaces_is_explained(run, royal):
    done = run("analogy", royal, "king-man+woman")
    assert done.returncode == 2
    assert "'king-man+woman' is taken for one word. Put spaces around the signs" in done.stderr
