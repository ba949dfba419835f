"""Groups: planted gaps are found, groups that do not differ are left in peace."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.audit import audit
from assay.errors import DataError


class Fixed:
    """A model whose answers stand in the texts: 'toxic 0.93 …'."""

    labels = ("fine", "toxic")

    def predict(self, texts):
        return np.array(["toxic" if p > 0.5 else "fine" for p in self.predict_proba(texts)[:, 1]])

    def predict_proba(self, texts):
        said = np.array([float(text.split()[1]) for text in texts])
        return np.column_stack([1 - said, said])


def answered(n=1200, seed=0, extra=0.0, groups=("north", "south")):
    """Texts of several groups; the last gets `extra` more false positives."""
    rng = np.random.default_rng(seed)
    group = rng.choice(groups, n)
    toxic = rng.random(n) < 0.4
    flagged = np.where(toxic, rng.random(n) < 0.85, rng.random(n) < 0.1 + extra * (group == groups[-1]))
    said = np.where(flagged, rng.uniform(0.6, 1, n), rng.uniform(0, 0.4, n))
    texts = [f"text {p:.3f} {i}" for i, p in enumerate(said)]
    labels = np.where(toxic, "toxic", "fine").tolist()
    return assay.Corpus(texts, labels, {"region": group.tolist(), "age": rng.integers(18, 90, n).tolist()})


def audited(corpus, columns=("region",), **settings):
    settings = {"swaps": (), "robustness": False, "label_errors": False, "n_resamples": 200, **settings}
    return audit(Fixed(), corpus, groups=list(columns), **settings)


def test_a_gap_of_false_positives_is_found_and_named():
    result = audited(answered(extra=0.2))
    found = {finding.title: finding for finding in result.concerns}
    gap = found["False positive rate of 'toxic' by region"]
    assert "'north'" in gap.seen
    assert "against" in gap.seen
    assert "a gap of 0.174." in gap.seen
    assert "Fisher's exact test, p < 0.0001 after Holm's correction" in gap.sure
    assert "bear more of the mistakes" in gap.could_mean
    assert "It cannot show why" in gap.cannot_show
    assert "False negative rate of 'toxic' by region" not in found


def test_every_metric_is_measured_with_interval_and_test():
    [result] = audited(answered(extra=0.2)).groups
    north, south = result.rows
    names = ("accuracy", "macro_f1", "roc_auc", "log_loss", "recall:toxic", "f1:fine", "false positive rate:toxic")
    for name in names:
        assert north.metrics[name].defined, name
        difference = north.differences[name].difference
        assert difference.low <= difference.value <= difference.high, name
        expected = north.metrics[name].value - south.metrics[name].value
        assert difference.value == pytest.approx(expected), name
        assert 0 <= north.differences[name].p_value <= 1, name
    assert north.differences["accuracy"].p_value < 0.001
    assert north.differences["macro_f1"].p_value < 0.02


def test_metrics_of_a_group_are_those_of_its_texts_alone():
    corpus = answered(300)
    [result] = audited(corpus).groups
    for row in result.rows:
        inside = np.array(corpus.column("region").to_pylist()) == row.group
        alone = assay.evaluate(Fixed(), corpus.select(inside), n_resamples=50)
        assert row.n == alone.n_documents
        for name in ("accuracy", "macro_f1", "brier"):
            assert row.metrics[name].value == pytest.approx(alone[name].value)


def test_groups_that_do_not_differ_give_no_alarm():
    alarms = [audited(answered(seed=seed, groups=("a", "b", "c", "d"))).concerns for seed in range(20)]
    assert sum(map(bool, alarms)) <= 2, "5 % of 20 are expected at most"


def test_a_clear_but_tiny_difference_is_no_concern():
    result = audited(answered(40_000, extra=0.025), n_resamples=20)
    assert result.concerns == ()
    [finding] = [f for f in result.findings if f.title.startswith("False positive rate")]
    assert "but by less than 0.05" in finding.seen


def test_numbers_are_cut_into_ranges():
    [result] = audited(answered(), ["age"]).groups
    assert result.rows[0].group.startswith("18 to ")
    assert len(result.rows) == 5


def test_small_groups_are_not_judged():
    corpus = answered(200)
    region = ["tiny" if i < 6 else value for i, value in enumerate(corpus.column("region").to_pylist())]
    result = audited(assay.Corpus(corpus.texts, corpus.labels.cast("large_string"), {"region": region}))
    [small] = [finding for finding in result.findings if finding.kind == "small_groups"]
    assert small.severity == "unknown"
    assert "'tiny' (6)" in small.seen


def test_missing_values_are_a_group():
    corpus = answered(200)
    region = [None if i % 2 else "north" for i in range(200)]
    [result] = audited(assay.Corpus(corpus.texts, corpus.labels.cast("large_string"), {"region": region})).groups
    assert [row.group for row in result.rows] == ["(missing)", "north"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["north"] * 100, "column 'region' has one value only, 'north', in all 100 rows: there are no groups"),
        ([f"id{i}" for i in range(100)], "column 'region' has 100 different values, .* too many groups"),
    ],
)
def test_columns_that_are_no_groups_are_refused(values, message):
    corpus = answered(100)
    with pytest.raises(DataError, match=message):
        audited(assay.Corpus(corpus.texts, corpus.labels.cast("large_string"), {"region": values}))


def test_an_unknown_column_is_answered_with_the_nearest():
    with pytest.raises(DataError, match=r"no other column 'regoin'\. They are 'region'"):
        audited(answered(50), ["regoin"])


def test_a_label_that_the_model_never_gives_counts_as_a_mistake():
    corpus = answered(100)
    labels = ["spam" if i == 7 else label for i, label in enumerate(corpus.labels.to_pylist())]
    [result] = audited(assay.Corpus(corpus.texts, labels, {"region": corpus.column("region")})).groups
    of_group = {row.group: row for row in result.rows}[corpus.column("region")[7].as_py()]
    assert of_group.metrics["recall:spam"].value == 0
