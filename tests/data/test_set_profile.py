"""The profile of texts with several labels."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay.data.corpus.corpus import Corpus
from assay.data.profile.set_profile import profile_sets


def corpus_of(*sets):
    return Corpus([f"text {i}" for i in range(len(sets))], [list(labels) for labels in sets])


def finding(corpus, kind):
    found = [finding for finding in corpus.profile().findings if finding.kind == kind]
    assert len(found) == 1, [finding.kind for finding in corpus.profile().findings]
    return found[0]


def test_labels_a_text_are_counted():
    sets = profile_sets(corpus_of("ab", "a", "", "abc", "c", "a"))
    assert sets.sizes == (1, 3, 1, 1)
    assert (sets.mean, sets.n_sets, sets.n_empty) == (8 / 6, 5, 1)


def test_pairs_beyond_chance_come_first_with_their_lift():
    corpus = corpus_of(*["ab"] * 4, *["a"] * 2, *["c"] * 6, *["bc"] * 2, *["d"] * 6)
    sets = profile_sets(corpus)
    assert [(pair.labels, pair.count) for pair in sets.pairs] == [(("a", "b"), 4)]  # b and c less than by chance
    assert sets.pairs[0].lift == 20 * 4 / (6 * 6)


def test_pairs_are_those_of_a_table():
    table = np.random.Generator(np.random.PCG64(3)).random((300, 9)) < 0.3
    corpus = Corpus([f"text {i}" for i in range(300)], [[f"l{k}" for k in np.flatnonzero(row)] for row in table])
    found = {frozenset(pair.labels): (pair.count, pair.lift) for pair in profile_sets(corpus).pairs}
    lifts = {}
    for a in range(9):
        for b in range(a):
            both = int((table[:, a] & table[:, b]).sum())
            expected = table[:, a].sum() * table[:, b].sum() / 300
            lifts[frozenset((f"l{a}", f"l{b}"))] = (both, both / expected, both - expected)
    best = sorted(lifts, key=lambda pair: -lifts[pair][2])[:10]
    assert set(found) == {pair for pair in best if lifts[pair][1] > 1}
    assert all(found[pair] == pytest.approx(lifts[pair][:2]) for pair in found)


def test_labels_with_the_same_texts_always_come_together():
    corpus = corpus_of("xyz", "xyz", "w", "wv", "")
    assert profile_sets(corpus).always_together == (("x", "y", "z"),)  # v has one text only: that is no rule
    found = finding(corpus, "always_together")
    assert (found.severity, found.what, found.where) == ("warning", "3 labels always come together.", "'x', 'y', 'z'")


def test_a_label_that_comes_only_with_another_is_said():
    corpus = corpus_of(*["ab"] * 5, *["a"] * 5, *["c"] * 5)
    assert profile_sets(corpus).never_without == (("b", "a"),)
    found = finding(corpus, "never_without")
    assert (found.severity, found.where) == ("note", "'b' never without 'a'")
    assert found.what == "1 label comes only together with another."


def test_labels_of_nearly_all_texts_and_of_none_are_said():
    corpus = corpus_of(*["ab"] * 12, *["a"] * 12, "b", "c")[:25]
    sets = profile_sets(corpus)
    assert (sets.of_nearly_all, sets.of_none) == (("a",), ("c",))
    assert sets.never_without == ()  # beside what nearly all have
    assert finding(corpus, "nearly_constant_labels").where == "'a' (96.0%)"
    assert finding(corpus, "nearly_constant_labels").what == "1 label is given to nearly every text."
    assert finding(corpus, "labels_without_texts").what == "1 label has no text."


def test_texts_without_a_label_are_a_note():
    found = finding(corpus_of("a", "", "b", ""), "empty_sets")
    assert (found.severity, found.what) == ("note", "2 texts have no label (50.0%).")
    assert "skip_unlabelled=True" in found.advice


def test_one_label_each_is_said():
    found = finding(corpus_of("a", "b", "a"), "one_label_each")
    assert found.what == "Every text has exactly one label."
    assert "labels_separator=False" in found.advice


@pytest.mark.parametrize(
    ("sets", "what", "where"),
    [(["", ""], "No text has any label.", "memory"), (["ab", "ab"], "All 2 texts have the same labels.", "'a', 'b'")],
)
def test_sets_that_teach_nothing_are_an_error(sets, what, where):
    found = finding(corpus_of(*sets), "one_class")
    assert (found.severity, found.what, found.where) == ("error", what, where)


def test_what_is_said_of_classes_is_said_of_labels():
    corpus = corpus_of(*["a"] * 40, "ab", "")
    assert finding(corpus, "single_example").what == "1 label has one example only."
    assert "micro-averages hide the small labels" in finding(corpus, "skewed_classes").advice
    few = corpus_of(*["a"] * 11, *["ab"] * 2)
    assert finding(few, "few_examples").what == "1 label has fewer than 10 examples."


def test_the_profile_is_ready_for_json_and_shows_itself():
    corpus = corpus_of(*["ab"] * 2, *["a"] * 2, "", *["abcdefg"])
    profile = corpus.profile()
    found = json.loads(json.dumps(profile.to_dict()))["label_sets"]
    assert found["sizes"] == [1, 2, 2, 0, 0, 0, 0, 1]
    assert found["pairs"][0] == {"labels": ["a", "b"], "count": 3, "lift": pytest.approx(6 * 3 / (5 * 3))}
    assert list(found) == [
        "sizes",
        "mean",
        "n_sets",
        "pairs",
        "always_together",
        "never_without",
        "of_nearly_all",
        "of_none",
    ]
    html = profile._repr_html_()
    for shown in ("memory: 6 texts with 7 labels, 2.17 a text", "Labels a text", "6 or more", "times chance", "none"):
        assert shown in html
    assert "label_sets" not in Corpus(["a", "b"], ["x", "y"]).profile().to_dict()
