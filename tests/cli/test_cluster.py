"""``assay cluster`` through the installed command."""

from __future__ import annotations

import json
import random

import pyarrow.csv
import pyarrow.parquet
import pytest

TOPICS = {"animals": ["cat", "dog", "horse"], "money": ["bank", "stock", "loan"]}


@pytest.fixture
def texts(tmp_path):
    rng = random.Random(0)
    lines = ["text,topic"]
    for _ in range(40):
        topic = rng.choice(list(TOPICS))
        lines.append(f"{' '.join(rng.choices(TOPICS[topic], k=5))},{topic}")
    (tmp_path / "texts.csv").write_text("\n".join([*lines, "<b>?</b> \x1b[31m cat,animals"]))
    return "texts.csv"


def test_clusters_are_shown_with_words_texts_and_agreement(run, texts):
    shown = run("cluster", texts, "-k", "2", "--label", "topic")
    assert shown.returncode == 0
    assert "2 clusters of 41 texts" in shown.stdout
    assert "NMI 1.000, ARI 1.000, purity 1.000" in shown.stdout
    assert "animals 100%" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_assignments_and_a_page_are_written(run, texts, tmp_path):
    shown = run("cluster", texts, "-k", "2", "--label=topic", "-o", "out.csv", "--html", "page.html")
    assert shown.returncode == 0
    assert "→ out.csv" in shown.stderr
    table = pyarrow.csv.read_csv(tmp_path / "out.csv")
    assert table.column_names == ["text", "label", "cluster", "name", "distance"]
    assert len(set(zip(table["label"].to_pylist(), table["cluster"].to_pylist(), strict=True))) == 2
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<b>?</b>" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert run("cluster", texts, "-o", "out.parquet", "-k", "3").returncode == 0
    assert pyarrow.parquet.read_table(tmp_path / "out.parquet").num_rows == 41


def test_the_number_is_chosen_and_said(run, texts):
    shown = run("cluster", texts, "-k", "2-4", "--unlabelled")
    assert shown.returncode == 0
    assert "How many clusters" in shown.stdout
    assert "k = 2, of 3 tried from 2 to 4" in " ".join(shown.stdout.split())
    assert "NMI" not in shown.stdout


def test_json_holds_the_same(run, texts):
    shown = run("cluster", texts, "-k", "2", "--label=topic", "--json", "--threads", "1", "--seed", "3")
    assert (shown.returncode, shown.stderr) == (0, "")
    found = json.loads(shown.stdout)
    assert found["kind"] == "clusters"
    assert {tuple(cluster["labels"]) for cluster in found["clusters"]} == {("animals",), ("money",)}


def test_vectors_and_pairs_of_words_are_taken(run, texts, tmp_path):
    words = {"cat": "1 0", "dog": "1 0.1", "horse": "0.9 0", "bank": "0 1", "stock": "0.1 1", "loan": "0 0.9"}
    lines = [f"{len(words)} 2", *(f"{word} {vector}" for word, vector in words.items())]
    (tmp_path / "words.vec").write_text("\n".join(lines) + "\n")
    shown = run("cluster", texts, "-k", "2", "--label=topic", "--vectors", "words.vec")
    assert shown.returncode == 0, shown.stderr
    assert "NMI 1.000" in shown.stdout
    assert run("cluster", texts, "-k", "2", "--ngrams", "1-2", "--mini-batch", "--quiet").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-k", "many"], 2, "-k is 'many'. Give a number such as 8, a range such as 5-20, or auto."),
        (["-k", "5-3"], 2, "-k is '5-3'"),
        (["-k", "0"], 2, "--clusters is 0. Ask for at least 1 cluster."),
        (["-k", "-3"], 2, "--clusters is -3."),
        (
            ["-k", "100"],
            3,
            "There are 41 documents, fewer than the 100 clusters that were asked for. Ask for at most 41.",
        ),
        (["-k", "2-40"], 3, "too few to choose among up to 40 clusters"),
        (["--metric", "cosin"], 2, "--metric is 'cosin'. There are 'cosine' and 'euclidean'."),
        (["--ngrams", "2-1"], 2, "--ngrams is '2-1'. Give a length such as 1"),
        (["--html", "texts.csv"], 2, "texts.csv would be written over texts.csv, which is read."),
        (["-o", "nowhere/out.csv", "-k", "2"], 3, "the folder 'nowhere' does not exist"),
        (["--vectors", "nowhere.vec"], 3, "nowhere.vec"),
    ],
)
def test_mistakes_are_said_with_the_way_out(run, texts, arguments, code, message):
    shown = run("cluster", texts, *arguments)
    assert shown.returncode == code, shown.stderr
    assert message in " ".join(shown.stderr.split())
    assert "Traceback" not in shown.stderr


def test_progress_is_shown_on_a_terminal(on_terminal, texts, tmp_path):
    shown = on_terminal("stderr", "cluster", tmp_path / texts, "-k", "2-3")
    assert b"naming clusters: 41 texts" in shown


AMBIGUOUS = "text,colour,size\n" + "".join(
    f"the {animal} number {i} sat here for a long while,{colour},{size}\n"
    for i in range(12)
    for animal, colour, size in (("cat", "red", "big"), ("dog", "blue", "small"))
)


def test_clustering_asks_for_no_label_column(run, tmp_path):
    (tmp_path / "pets.csv").write_text(AMBIGUOUS)
    done = run("cluster", "pets.csv", "-k", "2", "--stop-words", "english")
    assert done.returncode == 0, done.stderr
    assert "no column is taken for labels, since 'colour', 'size' could hold them" in done.stderr
    assert "Against the labels" not in done.stdout


def test_unknown_stop_words_are_found_before_anything_is_read(run):
    done = run("cluster", "missing.csv", "--stop-words", "englsh")
    assert (done.returncode, done.stdout) == (2, "")
    assert "There are no stop words 'englsh'. Give a language, one of 'english', " in done.stderr


def test_vectors_that_are_not_there_are_found_before_anything_is_read(run):
    done = run("cluster", "missing.csv", "--vectors", "gone.vec")
    assert (done.returncode, done.stdout) == (3, "")
    assert (
        "Error: gone.vec: there is no such file. --vectors names it; check the spelling and the folder." in done.stderr
    )


def test_labels_that_are_there_in_part_need_not_cost_any_text(run, tmp_path):
    rows = [f"{' '.join(words)} {i},{topic if i % 2 else ''}" for i in range(6) for topic, words in TOPICS.items()]
    (tmp_path / "half.csv").write_text("\n".join(["text,label", *rows]))
    refused = run("cluster", "half.csv", "-k", "2")
    assert refused.returncode == 3
    assert (
        "column 'label' is empty. Use --unlabelled to take all texts and no labels, or --skip-unlabelled"
        in refused.stderr
    )
    assert "2 clusters of 12 texts" in run("cluster", "half.csv", "-k", "2", "--unlabelled").stdout
