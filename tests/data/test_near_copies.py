"""Groups of near-copies: what belongs together, what is cut, and what splits and --dedupe make of it."""

from __future__ import annotations

import html

import numpy as np
import pytest

import assay
from assay import Corpus
from assay.data.corpus.near_copies import deduplicated
from assay.errors import ParameterError


def words(seed, n):
    rng = np.random.default_rng(seed)
    return [f"w{number}" for number in rng.integers(0, 5000, n)]


def mails(n):
    """n e-mails, and each once more with a blank, in capitals, or with a signature."""
    texts = [" ".join(words(i, 15 + i % 20)) for i in range(n)]
    changed = [
        (text + " ", text.upper(), text + "\n-- \nAnna Smith\nAcme Inc., Sales")[i % 3] for i, text in enumerate(texts)
    ]
    return texts + changed


def labels_of(n, seed=0):
    return list(np.random.default_rng(seed).choice(["yes", "no"], n)) * 2


def test_groups_hold_exact_and_near_copies():
    text = "the parcel has arrived at last, thank you"
    corpus = Corpus([text, "no", text, text + "!", "no"], ["a", "b", "a", "b", "b"])
    found = corpus.near_copies
    assert found.first.tolist() == [0, 1, 0, 0, 1]
    assert found.near.tolist() == [True, False, True, True, False]  # "no" stands there twice, exactly the same
    assert (found.n_groups, found.n_rows) == (1, 3)
    assert found.conflicts(corpus.classes).tolist() == [True, False, True, True, False]
    assert corpus.near_copies is found


@pytest.mark.parametrize(
    "copy",
    [
        html.escape,
        lambda text: html.escape(html.escape(text)),
        lambda text: text.replace(" ", "&nbsp;"),
        lambda text: "".join(f"&#{ord(c)};" for c in text),
        lambda text: f"<HTML><body class='x'><p>{html.escape(text)}</p></body></HTML>".replace("\n", "<br />\n"),
        lambda text: text.replace("é", "&eacute;"),
    ],
)
def test_the_html_of_a_text_has_the_form_of_the_text(copy):
    text = 'On Monday <anna@acme.org> wrote:\n"I\'ve paid 3 < 4 & more for R&D; the café is <closed>"\nBye, Anna'
    corpus = Corpus([text, copy(text), "something else altogether, and long enough"])
    assert corpus.near_copies.first.tolist() == [0, 0, 2]


def test_what_only_looks_like_markup_is_part_of_a_short_text():
    texts = [
        "vector<int>",
        "vector<float>",
        "x < y",
        "x y",
        "AT&T",
        "AT&amp;T",
        "<3",
        "&foo;",
        "yes<br>",
        "yes",
        "< b >",
        "a",
    ]
    assert Corpus(texts).near_copies.first.tolist() == [0, 1, 2, 3, 4, 4, 6, 7, 8, 8, 10, 11]


def test_lines_in_another_order_are_near_copies_and_other_orders_of_the_same_letters_are_not():
    random = np.random.default_rng(0)
    lines = [" ".join(words(i, 5)) for i in range(20)]
    bases = ["".join(random.permutation(list("acgt" * 20))) for _ in range(2)]
    corpus = Corpus(["\n".join(lines), "\n".join(random.permutation(lines)), *bases])
    assert corpus.near_copies.first.tolist() == [0, 0, 2, 3]


@pytest.mark.parametrize("group", [None, "sender"])
def test_split_keeps_near_copies_on_one_side_and_says_so(group):
    corpus = Corpus(mails(120), labels_of(120), {"sender": [i % 60 for i in range(240)]})
    parts = corpus.split(test=0.25, group=group)
    train, test = ({text.lower().strip()[:60] for text in part.texts.to_pylist()} for part in parts)
    assert not train & test
    assert parts.report.near_copies.n_rows == 240
    assert (
        "split: 240 rows are nearly the same as another (120 groups); each group was kept on the same side"
        in parts.report.notes
    )
    for part in parts:  # what the parts know of their groups is what they would find themselves
        fresh = Corpus(part.texts, [example.label for example in part])
        assert part.near_copies.first.tolist() == fresh.near_copies.first.tolist()
    apart = corpus.split(test=0.25, near_copies="ignore")
    assert apart.report.near_copies is None
    assert not any("nearly" in note for note in apart.report.notes)


def test_split_of_texts_that_are_not_alike_is_the_same_with_and_without():
    corpus = Corpus([" ".join(words(i, 12)) for i in range(100)], labels_of(50))
    one, other = corpus.split(), corpus.split(near_copies="ignore")
    assert [part.fingerprint for part in one] == [part.fingerprint for part in other]


def test_unknown_way_is_refused():
    with pytest.raises(ParameterError, match=r"must be 'together', .* or 'ignore'. Got 'apart' instead"):
        Corpus(["a", "b"]).split(near_copies="apart")


def chain(n):
    """Texts of twenty words, each without the first of the one before and with a new one."""
    return [" ".join(f"x{k}" for k in range(i, i + 20)) for i in range(n)]


def test_chain_through_more_than_a_quarter_of_the_rows_is_cut():
    others = [" ".join(words(i, 12)) for i in range(20)]
    corpus = Corpus(chain(40) + others, ["a", "b"] * 30)
    found = corpus.near_copies
    assert max(np.bincount(found.first)) <= 15
    assert found.links_cut >= 2
    assert len(np.unique(found.first[:40])) == found.links_cut + 1
    sentences = found.sentences("kept")
    assert sentences[1].startswith("a chain of near-copies would have held a quarter of the rows or a whole class: it")
    assert f"cut at its {found.links_cut} weakest links," in sentences[1]


def test_chain_through_all_of_a_class_is_cut_at_its_weakest_link():
    links = chain(5)
    texts = [*links[:2], *links[3:], *(" ".join(words(i, 12)) for i in range(60))]  # two words apart in the middle
    corpus = Corpus(texts, ["rare"] * 4 + ["often"] * 60)
    assert corpus.near_copies.first[:4].tolist() == [0, 0, 2, 2]
    assert corpus.near_copies.links_cut == 1
    assert "it was cut at its weakest link, so a few" in corpus.near_copies.sentences("kept")[1]
    assert Corpus(texts).near_copies.first[:4].tolist() == [0] * 4  # without labels there is nothing to swallow


def test_pair_is_no_chain():
    texts = [" ".join(words(i, 12)) for i in range(3)]
    corpus = Corpus([*texts, texts[0] + " you", texts[0].upper()], ["a", "b", "b", "a", "a"])
    assert corpus.near_copies.first.tolist() == [0, 1, 2, 0, 0]
    assert corpus.near_copies.links_cut == 0


def test_dedupe_keeps_the_first_of_each_group_and_says_how_many_are_gone():
    texts = mails(30)
    kept = assay.read((texts, ["a"] * 30 + ["b"] * 30), dedupe=True)
    assert kept.texts.to_pylist() == texts[:30]
    assert kept.notes[-1] == (
        "30 rows were left out as a copy or near-copy of an earlier one, 30 of them under another label than it"
    )
    assert assay.read(kept, dedupe=True) is kept
    assert len(deduplicated(Corpus(texts))) == 30


def test_profile_names_groups_and_labels_that_differ():
    texts = mails(20)
    labels = ["a", "b"] * 20
    labels[20:24] = ["b", "a", "b", "a"]
    profile = Corpus(texts, labels).profile()
    assert (profile.near_copies.rows, profile.near_copy_groups) == (40, 20)
    assert profile.near_conflicts.rows == 8
    kinds = {finding.kind: finding for finding in profile.findings}
    assert kinds["near_copies"].what.startswith("40 rows are nearly the same as another (20 groups): '")
    assert "dedupe=True" in kinds["near_copies"].advice
    assert kinds["near_conflicts"].what.startswith("8 rows have a text that, nearly the same, stands under another")
    assert "('a') and" in kinds["near_conflicts"].what
    assert profile.to_dict()["near_copies"]["rows"] == 40


def test_empty_corpus_has_no_groups():
    assert Corpus([]).near_copies.n_rows == 0
