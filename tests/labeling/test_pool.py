"""Which texts are picked, and which never are."""

from __future__ import annotations

import numpy as np
import pytest

from assay import Corpus, TextClassifier
from assay.errors import DataError, ParameterError
from assay.labeling import TextPool, kept_aside, pick_texts
from assay.labeling.picks import REASONS


def given(labels, rows):
    return {int(row): labels[row] for row in rows}


def some(labels, n, seed=1, without=()):
    rows = [row for row in np.random.default_rng(seed).permutation(len(labels)) if row not in without]
    return given(labels, rows[:n])


@pytest.fixture(scope="module")
def pool(world):
    return TextPool(world[0])


def test_without_labels_typical_texts_of_clusters_are_picked(pool, world):
    picks = pool.pick(12)
    assert {pick.why for pick in picks} == {"cold-start", "random"}
    assert all(pick.suggestion is None for pick in picks)
    assert len({world[1][row] for row in picks.rows}) >= 3
    assert any("typical of a cluster of" in pick.sentence for pick in picks)
    assert picks.n_labelled == 0
    assert picks.n_texts == 600


def test_with_labels_what_is_undecided_is_picked(pool, world):
    picks = pool.pick(20, labels=some(world[1], 60))
    reasons = [pick.why for pick in picks]
    assert len(picks) == 20
    assert set(reasons) <= set(REASONS)
    assert reasons.count("random") == 2
    assert {"uncertain", "random"} <= set(reasons)
    assert all("undecided between" in pick.sentence for pick in picks if pick.why in ("uncertain", "diverse"))
    assert all(0 <= pick.score <= 1 for pick in picks)
    assert all(pick.suggestion in set(world[1]) for pick in picks if pick.why != "random")


def test_what_measures_has_no_suggestion_and_nothing_else_comes_from_it(pool, world):
    for labels in ({}, some(world[1], 80)):
        for pick in pool.pick(40, labels=labels):
            if pick.why == "random":
                assert pick.suggestion is None
                assert pool.aside[pick.row]
            elif pick.why != "suspect":
                assert not pool.aside[pick.row]


def test_random_picks_are_a_fixed_order_whatever_the_labels(pool, world):
    order = [pick.row for pick in pool.pick(200) if pick.why == "random"]
    assert order == sorted(order, key=lambda row: pool.places[row])
    labels = given(world[1], order[:3])
    later = [pick.row for pick in pool.pick(200, labels=labels) if pick.why == "random"]
    assert later[: len(order) - 3] == order[3:]


def test_aside_is_never_learned_from(world):
    texts, labels = world
    pool = TextPool(texts)
    taught = some(labels, 60, without=np.flatnonzero(pool.aside))
    wrong = {int(row): "nonsense" for row in np.flatnonzero(pool.aside)[:30]}
    picks = pool.pick(30, labels=taught | wrong)
    assert all(pick.suggestion != "nonsense" for pick in picks)
    assert "nonsense" not in " ".join(pick.sentence for pick in picks)


def test_a_rare_label_is_looked_for_by_words_and_by_neighbours(pool, world):
    labels = world[1]
    free = [row for row in range(600) if not pool.aside[row]]
    rare = [row for row in free if labels[row] == "space"][:3]
    known = given(labels, [*(row for row in free if labels[row] != "space"), *rare][-123:])
    picks = pool.pick(20, labels=known)
    found = [pick for pick in picks if pick.why.startswith("rare")]
    assert {pick.why for pick in found} == {"rare-word", "rare-neighbor"}
    assert np.mean([labels[pick.row] == "space" for pick in found]) >= 0.5
    by_word = next(pick for pick in found if pick.why == "rare-word")
    assert "for 'space', which has only 3 examples" in by_word.sentence
    assert "an example of 'space'" in next(pick for pick in found if pick.why == "rare-neighbor").sentence


def test_likely_label_errors_come_with_the_likely_right_label(pool, world):
    labels = list(world[1])
    wrong = [row for row in range(600) if labels[row] == "sport" and not pool.aside[row]][:4]
    for row in wrong:
        labels[row] = "food"
    picks = pool.pick(40, labels=given(labels, range(300)))
    suspects = [pick for pick in picks if pick.why == "suspect"]
    assert set(wrong) & {pick.row for pick in suspects}
    assert all((pick.label, pick.suggestion) == ("food", "sport") for pick in suspects if pick.row in wrong)
    assert "labelled 'food', but looks like 'sport'" in [pick.sentence for pick in suspects]
    settled = [pick.row for pick in suspects]
    again = pool.pick(40, labels=given(labels, range(300)), skip=settled)
    assert not set(settled) & set(again.rows)


def test_a_model_says_what_it_is_unsure_of(pool, world):
    texts, labels = world
    model = TextClassifier(learner="logistic").fit(texts[:100], labels[:100])
    picks = pool.pick(10, model=model)
    shares = model.predict_proba(texts)
    margin = np.sort(shares, axis=1)
    unsure = margin[:, -1] - margin[:, -2]
    own = [pick for pick in picks if pick.why in ("uncertain", "diverse")]
    assert len(own) >= 7, "a model that was trained on few texts also leaves some to chance"
    assert all(unsure[pick.row] <= np.quantile(unsure, 0.1) for pick in own)
    assert all(pick.suggestion == model.predict([pick.text])[0] for pick in own)


def test_a_model_of_scores_alone_is_enough(pool, world):
    texts, labels = world
    model = TextClassifier(learner="svm").fit(texts[:100], labels[:100])
    picks = pool.pick(10, model=model)
    assert not any("%" in pick.sentence for pick in picks)
    assert any(pick.why == "uncertain" for pick in picks)


def test_sets_of_labels(world):
    texts, labels = world
    sets = [(label,) if row % 3 else tuple(sorted({label, "odd"})) for row, label in enumerate(labels)]
    pool = TextPool(texts)
    picks = pool.pick(15, labels=some(sets, 120))
    unsure = [pick for pick in picks if pick.why in ("uncertain", "diverse")]
    assert unsure
    assert all(isinstance(pick.suggestion, tuple) for pick in unsure)
    assert all(pick.sentence.partition("unsure about ")[1] for pick in unsure)


def test_the_same_picks_whatever_the_threads_and_from_one_call_to_the_next(world):
    texts, labels = world
    known = some(labels, 90)
    told = [TextPool(texts, threads=threads).pick(30, labels=known).to_dict() for threads in (1, 2, 3)]
    assert told[0] == told[1] == told[2]
    assert pick_texts(texts, 30, labels=known).to_dict() == told[0]
    assert pick_texts(texts, 30, labels=known, seed=1).to_dict() != told[0]


def test_a_list_of_labels_is_the_same_as_labels_by_row(pool, world):
    known = some(world[1], 50)
    listed = [known.get(row) for row in range(600)]
    assert pool.pick(10, labels=listed).to_dict() == pool.pick(10, labels=known).to_dict()


def test_labels_of_a_corpus_are_not_looked_at(world):
    assert TextPool(Corpus(*world)).pick(10).to_dict() == TextPool(world[0]).pick(10).to_dict()


def test_copies_and_near_copies_are_not_picked_together(world):
    texts, labels = world
    crowd = []
    for text in texts[:30]:
        crowd += [text, text, text.upper() + "!", text + " indeed", f"Re: {text}"]
    pool = TextPool(crowd)
    group = pool.corpus.near_copies.first
    for known in ({}, given(np.repeat(labels[:30], 5).tolist(), range(60))):
        picks = pool.pick(20, labels=known)
        groups = [group[row] for row in picks.rows]
        assert len(groups) == len(set(groups)) > 0
        assert not set(groups) & {group[row] for row in known}


def test_texts_like_one_that_measures_are_not_learned_from(world):
    texts = world[0]
    pool = TextPool([*texts, *(text + " indeed" for text in texts)])
    group = pool.corpus.near_copies.first
    measuring = set(group[pool.aside].tolist())
    picks = pool.pick(60)
    assert not measuring & {group[pick.row] for pick in picks if pick.why != "random"}


def test_empty_texts_are_no_need_of_a_model(world):
    pool = TextPool(Corpus(["", "  ", "...", *world[0][:60]]), share=0)
    picks = pool.pick(60)
    assert not {0, 1, 2} & set(picks.rows)


def test_texts_without_any_word_are_picked_by_chance_alone():
    picks = TextPool(["?", "!!", "…", "--"] * 3, share=0.5).pick(5)
    assert all(pick.why == "random" for pick in picks)


def test_tiny_pools_give_what_there_is():
    picks = pick_texts(["one text"], 20, share=0)
    assert [pick.text for pick in picks] == ["one text"]
    assert picks.notes == (
        "1 text picked, of 20 asked for: the others are labelled, skipped, empty, or copies and near-copies of texts "
        "that are picked or labelled",
    )
    assert len(pick_texts(["one text", "another"], 20, share=0)) == 2


def test_everything_labelled_is_said(world):
    texts, labels = world
    picks = pick_texts(texts[:20], labels=labels[:20])
    assert len(picks) == 0
    assert picks.notes == ("all 20 texts are labelled already",)


def test_one_label_is_not_enough_to_learn_and_that_is_said(pool):
    picks = pool.pick(10, labels={0: "sport", 1: "sport"})
    assert {pick.why for pick in picks} <= {"cold-start", "random"}
    assert picks.notes == ("there is one label only, 'sport': until there are two, typical texts are picked",)


def test_skipped_texts_are_not_shown_again(pool, world):
    known = some(world[1], 60)
    first = pool.pick(15, labels=known).rows
    assert not set(first) & set(pool.pick(15, labels=known, skip=first).rows)


def test_somebody_elses_texts_for_measuring_are_drawn_in_their_order(world):
    pool = TextPool(world[0], aside=[7, 3, 500, 11], share=0.2)
    assert [pick.row for pick in pool.pick(15) if pick.why == "random"] == [7, 3, 500]
    assert np.flatnonzero(pool.aside).tolist() == [3, 7, 11, 500]


def test_who_stops_early_has_seen_every_reason(pool, world):
    picks = pool.pick(40, labels=some(world[1], 200))
    there = {pick.why for pick in picks} - {"diverse"}
    assert {pick.why for pick in picks[:24]} >= there


def test_what_is_kept_aside_goes_by_the_text_alone(world):
    texts = world[0]
    aside = kept_aside(texts)
    assert 0.06 < aside.mean() < 0.14
    assert kept_aside(texts[::-1]).tolist() == aside[::-1].tolist()
    assert kept_aside([text.upper() + "!" for text in texts]).tolist() == aside.tolist()
    assert kept_aside([*texts, "another"])[:600].tolist() == aside.tolist()
    assert (kept_aside(texts, 0.3) >= aside).all()
    assert kept_aside(texts, seed=1).tolist() != aside.tolist()
    assert not kept_aside(texts, 0).any()


def test_a_page_has_the_picks(pool):
    picks = pool.pick(2)
    assert "2 of 600 texts to label next; 0 are labelled" in str(picks)
    assert "cold-start" in picks._repr_html_()
    assert picks[:1] == (picks[0],)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n": 0}, "n is 0. Ask for at least 1 text"),
        ({"n": True}, "n is True. Ask for at least 1 text"),
        ({"labels": ["a"]}, "There are 600 texts and 1 labels. Give one entry a text"),
        ({"labels": "sport"}, "labels must be one entry a text"),
        ({"labels": {600: "a"}}, "labels has an entry for row 600, and the texts are rows 0 to 599"),
        ({"labels": {0: "a", 1: ["b"]}}, r"labels\[0\] is one label, 'a', and labels\[1\] a set"),
        ({"labels": {3: 1.5}}, r"labels\[3\] is 1\.5, of type float"),
        ({"labels": {3: ""}}, r"labels\[3\] is an empty text"),
        ({"skip": [700]}, "skip names row 700, and the texts are rows 0 to 599"),
    ],
)
def test_what_cannot_be_is_refused(pool, settings, message):
    with pytest.raises((DataError, ParameterError), match=message):
        pool.pick(**settings)


def test_a_model_of_another_kind_is_refused(pool, world):
    texts, labels = world
    model = TextClassifier().fit(texts[:50], [[label] for label in labels[:50]])
    with pytest.raises(DataError, match="The texts have one label each, and the model gives sets of labels"):
        pool.pick(5, labels={0: "sport", 1: "food"}, model=model)
    with pytest.raises(ParameterError, match=r"model must be a classifier, such as assay\.load gives, or None"):
        pool.pick(5, model="model.assay")


@pytest.mark.parametrize("share", [-0.1, 0.6])
def test_a_share_that_leaves_too_little_is_refused(share):
    with pytest.raises(ParameterError, match=r"share is the share of the texts that is kept aside .* from 0 to 0\.5"):
        TextPool(["a text"], share=share)
