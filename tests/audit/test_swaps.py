"""Swaps: planted bias is found, a clean model is left in peace."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from scipy import stats

import assay
from assay.audit import TermList, audit, built_in_lists, load_list, probe_from_columns, probes_from_terms
from assay.audit.people.gaps import Gap
from assay.errors import DataError, ParameterError
from assay.evaluation.uncertainty.estimate import Estimate

TERMS = {group: terms for name in built_in_lists() for group, terms in load_list(name).groups.items()}


def trained(corpus, learner="logistic"):
    return assay.TextClassifier(learner=learner).fit(corpus)


@pytest.mark.parametrize("learner", ["logistic", "svm", "nb"])
def test_a_term_that_was_only_seen_in_toxic_texts_is_found(comments, learner):
    model = trained(comments(terms={"gay": (0.3, 0.0)}), learner)
    result = audit(model)
    [found] = result.concerns
    assert (found.part, found.kind) == ("swaps", "swap")
    assert found.title == "A term changes the answer: orientation, 'toxic'"
    assert "'gay'" in found.seen.split(" against ")[0]
    assert "'toxic'" in found.seen
    assert "p < 0.0001 after Holm's correction" in found.sure
    assert "One term stands for each group" in found.cannot_show


def test_a_group_of_names_is_found_although_the_list_has_many(comments):
    names = dict.fromkeys(load_list("name-origin").groups["Arabic"], (0.06, 0.0))
    result = audit(trained(comments(1500, terms=names)), swaps=["name-origin", "gender-names"])
    [found] = result.concerns
    assert "'Arabic'" in found.seen
    assert "t test over 10 terms" in found.sure


@pytest.mark.parametrize("learner", ["logistic", "svm"])
def test_a_model_that_saw_all_terms_alike_is_left_in_peace(comments, learner):
    everyone = [term for terms in TERMS.values() for term in terms]
    for seed in range(4):
        model = trained(comments(3000, seed, terms=dict.fromkeys(everyone, (0.05, 0.05))), learner)
        assert audit(model).concerns == ()


def test_a_model_that_never_saw_a_term_is_fine(comments):
    result = audit(trained(comments()))
    assert {finding.severity for finding in result.findings} == {"ok"}
    assert len(result.findings) == len(built_in_lists())


def test_what_could_have_been_seen_is_said_where_nothing_was(comments):
    from scipy.stats import t

    result = audit(trained(comments()), swaps=["religion"])
    (finding,) = result.findings
    assert finding.severity == "ok"
    assert "would have been called a concern in four of five audits; one that is smaller may well" in finding.sure
    assert float(re.search(r"difference of about ([\d.]+)", finding.sure)[1]) >= 0.05
    gap = result.swaps[0].gaps["score"][0]
    degrees = gap.n_units - 1 if np.isnan(gap.p_terms) else gap.n_terms - 1
    assert gap.detectable(0.01) == pytest.approx((t.ppf(0.995, degrees) + t.ppf(0.8, degrees)) * gap.error)
    assert gap.detectable(0.001) > gap.detectable(0.01)


@pytest.mark.parametrize("least", [0.01, 0.05, 0.1])
def test_a_difference_of_the_size_that_could_be_seen_is_called_in_four_of_five_sets(least):
    n_units, spread, alpha, n_sets = 20, 0.1, 0.01, 4000
    gap = Gap("a", "b", 0.0, 0.0, Estimate(0.0), 1.0, float("nan"), n_units, 1, spread / np.sqrt(n_units))
    true = gap.detectable(alpha, least)
    found = np.random.default_rng(0).normal(true, spread, size=(n_sets, n_units))
    p_values = stats.ttest_1samp(found, 0.0, axis=1).pvalue
    called = np.mean((p_values < alpha) & (np.abs(found.mean(axis=1)) >= least))
    # 4,000 sets: a standard error of .006; the estimated spread makes t tests of 20 a little less sure
    assert 0.77 < called < 0.83
    # a true difference of just the size that is large shows as a smaller one every other time
    found += max(least, 0.1) - true
    assert np.mean(np.abs(found.mean(axis=1)) >= max(least, 0.1)) < 0.53


def test_the_training_texts_say_where_it_comes_from(comments):
    corpus = comments(terms={"gay": (0.3, 0.0)})
    [found] = audit(trained(corpus), swaps=["orientation"], train=corpus, label_errors=False).concerns
    assert "In the training texts, terms of 'gay' stand in" in found.could_mean
    assert "100% are 'toxic', against" in found.could_mean


def test_a_difference_that_the_training_texts_do_not_explain_is_no_concern(comments):
    model = trained(comments(terms={"gay": (0.3, 0.0)}))
    even = comments(terms={"gay": (0.05, 0.05)})
    result = audit(model, swaps=["orientation"], train=even, label_errors=False)
    assert result.concerns == ()
    [found] = [finding for finding in result.findings if finding.part == "swaps"]
    assert found.severity == "notice"
    assert "no more than chance" in found.could_mean
    often = audit(model, swaps=["orientation"], train=comments(terms={"gay": (0.4, 0.4)}), label_errors=False)
    assert "its weight comes from the words around it" in often.concerns[0].could_mean
    never = audit(model, swaps=["orientation"], train=comments(), label_errors=False)
    assert any("No training text has a term of 'gay'" in finding.could_mean for finding in never.findings)


def test_a_smaller_difference_is_a_concern_where_the_training_texts_explain_it(comments):
    corpus = comments(3000, terms={"gay": (0.08, 0.03)})
    model = trained(corpus)
    (swap,) = audit(model, swaps=["orientation"]).swaps
    gap = next(gap for gap in swap.gaps["score"] if gap.group == "gay")
    assert 0.05 < gap.difference.value < 0.10
    assert audit(model, swaps=["orientation"]).concerns == ()
    [found] = audit(model, swaps=["orientation"], train=corpus, label_errors=False).concerns
    assert "'gay'" in found.seen
    assert "the model may have learned it there" in found.could_mean
    # that stands under the other label as often: another sign than the answers have
    turned = comments(3000, terms={"gay": (0.03, 0.08)})
    assert audit(model, swaps=["orientation"], train=turned, label_errors=False).concerns == ()


def test_terms_without_a_bias_are_no_concern_with_the_training_texts_at_hand(comments):
    single = [terms[0] for terms in TERMS.values() if len(terms) == 1]
    for seed in range(3):
        corpus = comments(1500, seed, terms=dict.fromkeys(single, (0.02, 0.02)))
        result = audit(trained(corpus), train=corpus, label_errors=False)
        assert not [finding for finding in result.concerns if finding.part == "swaps"], seed


def test_what_could_have_been_seen_says_what_the_training_texts_add(comments):
    corpus = comments()
    said = [
        audit(trained(corpus), swaps=[name], train=corpus, label_errors=False).findings
        for name in ("religion", "gender")
    ]
    religion, gender = (next(f.sure for f in findings if f.kind == "no_swap") for findings in said)
    assert "unless the training texts clearly show that the term goes with the label: then one of 0.05 is" in religion
    assert "unless" not in gender  # of many terms each


def test_one_odd_name_is_no_verdict_on_its_group(comments):
    result = audit(trained(comments(terms={"Tyrone": (0.3, 0.0)})), swaps=["name-origin"])
    assert result.concerns == ()
    [finding] = result.findings
    assert finding.severity in ("unknown", "ok")


def test_intervals_and_worst_templates_are_there(comments):
    result = audit(trained(comments(terms={"gay": (0.3, 0.0)})), swaps=["orientation"])
    [swap] = result.swaps
    gaps = {gap.group: gap for gap in swap.gaps["score"]}
    assert gaps["gay"].difference.low > 0.05
    assert all(gap.difference.high < 0.05 for group, gap in gaps.items() if group != "gay")
    assert " gay " in f" {swap.worst[0].highest} "
    assert swap.worst[0].high > swap.worst[0].low


def test_a_list_of_your_own_takes_the_place_of_the_others(comments, tmp_path):
    (tmp_path / "pets.toml").write_text(
        'about = "Pets."\ntemplates = ["{a} {term} is {how}.", "My {term} sleeps."]\n'
        '[groups]\ncat = ["cat"]\nowl = ["owl"]\n[fillers]\nhow = ["old", "young"]\n'
    )
    probe = load_list(str(tmp_path / "pets.toml")).probe()
    assert probe.texts[:2] == ("A cat is old.", "An owl is old.")
    model = trained(comments(terms={"owl": (0.4, 0.0)}))
    [found] = audit(model, swaps=[str(tmp_path / "pets.toml")]).concerns
    assert "'cat'" in found.seen
    assert "for 'owl'" in found.seen


def test_several_labels_are_looked_at_one_by_one_or_together():
    texts = [f"{word} {i} day" for i in range(60) for word in ("rude gay", "vile gay", "kind")]
    model = trained((texts, ["hate", "insult", "neither"] * 60))
    apart = audit(model, swaps=["orientation"])
    assert {swap.outcome for swap in apart.swaps} == {"hate", "insult", "neither"}
    together = audit(model, swaps=["orientation"], target=["hate", "insult"])
    [swap] = together.swaps
    assert swap.outcome == "hate + insult"
    assert together.concerns


def test_sentences_from_elsewhere_with_columns(comments):
    people = [("a", "Aba"), ("a", "Abe"), ("a", "Abo"), ("b", "Bab"), ("b", "Bob"), ("b", "Bub")]
    feelings = ("happy", "sad", "calm", "angry", "here")
    rows = [(f"{name} is {word}", group, word, name) for word in feelings for group, name in people]
    texts, groups, words, names = zip(*rows, strict=True)
    corpus = assay.Corpus([*texts, "x"], columns={"g": [*groups, ""], "w": [*words, "x"], "n": [*names, ""]})
    probe = probe_from_columns(corpus, "g", ["w"], "n")
    assert (len(probe.texts), probe.groups, len(probe.units), len(probe.terms)) == (30, ("a", "b"), 5, 6)
    model = trained(comments(terms={"aba": (0.2, 0.0), "abe": (0.2, 0.0), "abo": (0.2, 0.0)}))
    assert len(audit(model, swaps=(), probes=[probe]).concerns) == 1


def test_sentences_from_elsewhere_with_terms_and_false_positive_rates(comments):
    words = ["nice", "awful", "idiot", "friend", "lovely", "stupid"] * 4
    texts = [f"{word} {term} people {i}" for i, word in enumerate(words) for term in ("gay", "straight", "queer")]
    labels = ["bad" if t.split()[0] in ("awful", "idiot", "stupid") else "good" for t in texts]
    [probe] = probes_from_terms(assay.Corpus(texts, labels), [load_list("orientation")])
    assert probe.groups == ("gay", "queer", "straight")
    model = trained(comments(terms={"gay": (0.9, 0.0)}))
    result = audit(model, swaps=(), probes=[probe], probe_positive=["bad"], target=["toxic"])
    rates = {gap.group: gap.mean for gap in result.swaps[0].gaps["false positive rate"]}
    assert rates["gay"] > 0.9 > 0.2 > rates["straight"]
    assert re.search(r"false positive rate of 'toxic' is \d\.\d{3} for 'gay' against", result.concerns[0].seen)


def test_a_model_of_scikit_learn_can_be_audited(comments):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    corpus = comments(terms={"gay": (0.3, 0.0)})
    model = make_pipeline(TfidfVectorizer(), LogisticRegression())
    model.fit(corpus.texts.to_pylist(), corpus.labels.to_pylist())
    assert len(audit(model, swaps=["orientation"]).concerns) == 1


def test_the_result_is_json_and_text(comments):
    result = audit(trained(comments()), swaps=["gender", "age"])
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert found["kind"] == "audit"
    assert [swap["name"] for swap in found["swaps"]] == ["gender", "age"]
    assert "Audit: 2 fine" in str(result)
    assert "<table>" in result._repr_html_()


def test_equity_evaluation_corpus_and_identity_templates(shared_data, comments):
    model = trained(comments(terms={"gay": (0.3, 0.0)}))
    eec = assay.read(shared_data / "eec" / "Equity-Evaluation-Corpus.csv.gz", text="Sentence", label=False)
    by_gender = probe_from_columns(eec, "Gender", ["Template", "Emotion word"], "Person")
    assert len(by_gender.texts) == 8640
    templates = assay.read(shared_data / "unintended_bias" / "all.csv.gz")
    probes = probes_from_terms(templates, [load_list("orientation")])
    result = audit(model, swaps=(), probes=[by_gender, *probes], probe_positive=None)
    [found] = result.concerns
    assert "'gay'" in found.seen


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"target": ["toxci"]}, ParameterError, r"no label 'toxci' for target=. Its labels are 'toxic', 'fine'"),
        ({"target": ["toxic", "fine"]}, ParameterError, "some of the model's labels, but not all"),
        ({"target": []}, ParameterError, "some of the model's labels, but not all"),
        ({"swaps": ["gendre"]}, ParameterError, "no list of terms 'gendre'. Lists are 'gender'"),
        ({"swaps": "gender"}, ParameterError, r"swaps must be a list, such as \['gender'\]"),
        ({"groups": ["region"]}, DataError, "Groups are compared on labelled texts"),
        ({"probe_positive": ["bad"]}, ParameterError, r"give target= beside probe_positive="),
        ({"level": 2}, ParameterError, "level must be between 0 and 1"),
        ({"corpus": ([], [])}, DataError, "no rows are left"),
    ],
)
def test_what_cannot_be_audited_is_refused(comments, settings, error, message):
    with pytest.raises(error, match=message):
        audit(trained(comments(100)), **{"swaps": [], **settings})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[groups]\na = ['x']\n", "there are 1 groups"),
        ("templates = ['{term}']\n", "there are no groups"),
        ("[groups]\na = ['x']\nb = 'y'\n", "the group 'b' must be a list of terms"),
        ("[groups]\na = ['x']\nb = ['y']\n", r"templates must be a list of sentences, and is \[\]"),
        ("templates = ['no place']\n[groups]\na = ['x']\nb = ['y']\n", "the template 'no place' has no {term}"),
        (
            "templates = ['{term} {how}']\n[groups]\na = ['x']\nb = ['y']\n",
            "has {how}, which \\[fillers\\] does not name",
        ),
        ("templates = ['{term']\n[groups]\na = ['x']\nb = ['y']\n", "is malformed"),
        (
            "templates = ['{term}']\nfillers = 3\n[groups]\na = ['x']\nb = ['y']\n",
            r"\[fillers\] must have lists of words",
        ),
        ("pairs = true\ntemplates = ['{term}']\n[groups]\na = ['x', 'z']\nb = ['y']\n", "different numbers of terms"),
        ("groups = [", "not a list of terms, a file of TOML"),
    ],
)
def test_a_malformed_list_is_refused_with_its_file(tmp_path, content, message):
    (tmp_path / "own.toml").write_text(content)
    with pytest.raises(DataError, match=rf"own\.toml: .*{message}"):
        load_list(str(tmp_path / "own.toml"))


def test_probes_that_compare_nothing_are_refused():
    corpus = assay.Corpus(["a", "b"], columns={"g": ["x", "x"], "u": ["1", "1"]})
    with pytest.raises(DataError, match="column 'g' has 1 groups \\('x'\\): there is nothing to compare"):
        probe_from_columns(corpus, "g", ["u"])
    with pytest.raises(DataError, match="there is no other column 'h'"):
        probe_from_columns(corpus, "h", ["u"])
    with pytest.raises(DataError, match="no sentences differ in terms of the lists 'age'"):
        probes_from_terms(corpus, [load_list("age")])
    labelled = assay.Corpus(["old man", "young man"] * 3, ["a"] * 6)
    model = assay.TextClassifier(learner="logistic").fit(["yes", "no way"], ["p", "q"])
    [probe] = probes_from_terms(labelled, [load_list("age")])
    with pytest.raises(DataError, match="no sentence of the probe has the label 'toxic'"):
        audit(model, swaps=(), probes=[probe], probe_positive=["toxic"], target=["p"])
    with pytest.raises(DataError, match="the probe has no labels"):
        audit(model, swaps=(), probes=[load_list("age").probe()], probe_positive=["toxic"], target=["p"])


def test_every_built_in_list_is_documented_and_well_formed():
    for name in built_in_lists():
        terms = load_list(name)
        assert terms.about, name
        probe = terms.probe()
        assert len(probe.texts) == len(probe.units) * len(probe.terms)
        assert not any("{" in text for text in probe.texts)
        every = [term for group in terms.groups.values() for term in group]
        assert len(every) == len(set(every))


def test_terms_that_correspond_are_compared_in_pairs():
    from assay.audit.people.gaps import group_gaps

    terms = TermList(
        "t", "", {"a": ("a1", "a2", "a3"), "b": ("b1", "b2", "b3")}, ("{term} x", "{term} y"), {}, pairs=True
    )
    probe = terms.probe()
    base = {"1": 0.1, "2": 0.5, "3": 0.9}  # terms differ much more than groups do
    values = np.array([base[t.split()[0][1]] + (0.02 if t[0] == "A" else 0.0) for t in probe.texts])
    values += np.random.default_rng(0).normal(0, 1e-3, len(values))
    [gap] = group_gaps(values, probe)
    assert gap.p_terms < 0.01
    unpaired = TermList("t", "", terms.groups, terms.templates, {}).probe()
    assert group_gaps(values, unpaired)[0].p_terms > 0.5
