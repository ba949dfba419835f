"""Cards of models that give sets of labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay import TextClassifier
from assay.card import card_markdown
from assay.card.sections import card_sections
from assay.prediction.set_rule import SetRule
from assay.samples import load_sample


@pytest.fixture(scope="module")
def parts():
    corpus = load_sample(multi_label=True)
    rows = np.arange(len(corpus))
    model = TextClassifier(learner="logistic", threads=1, sketch=False).fit(corpus.select(rows[::2]))
    return model, corpus.select(rows[1::2])


def test_task_thresholds_base_rates_and_figures_of_each_label_are_there(parts):
    model, test = parts
    evaluation = assay.evaluate(model, test)
    card = card_markdown(model, evaluation)
    assert "| Task | text classification with any number of labels a text, 7 labels |" in card
    assert "every label whose probability is at least a half" in card
    assert '  - "multi-label-classification"' in card
    assert 'name: "micro_f1"' in card
    assert "| label | texts | share of the texts |" in card
    share = evaluation.counts.documents[evaluation.labels.index("fees")] / len(test)
    assert f"{share:.1%} |" in card
    assert "### By label" in card
    assert "calibration error" in card
    assert "the most that any constant answer has" in card


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (("each", [0.25] * 6 + [1.5], 0), "| waste | never |"),
        (("shared", [0.25], 0), "every label whose probability reaches 0.250"),
        (("top", [], 2), "the 2 most probable labels"),
        (("at-least-one", [0.25] * 7, 0), "else the one that comes nearest to it"),
    ],
)
def test_every_rule_is_said(parts, rule, said):
    from assay.card.markdown import sections_markdown

    kind, values, k = rule
    changed = replace(parts[0].model, rule=SetRule(parts[0].labels, kind, np.array(values, float), k))
    assert said in sections_markdown(card_sections(changed, None, None))


def test_a_model_that_gives_nothing_is_said_to_first(parts):
    model, test = parts
    never = replace(model.model, rule=SetRule(model.labels, "shared", np.array([1.5])))
    said = card_markdown(model, assay.evaluate(never, test))
    assert said.index("## Read this first") < said.index("## Model details")
    assert "It gives no text any label." in said


def test_texts_that_the_model_knows_are_said_to_be_no_test():
    corpus = load_sample(multi_label=True)
    model = TextClassifier(learner="logistic", threads=1).fit(corpus)
    assert "this is no test" in card_markdown(model, assay.evaluate(model, corpus))
