"""Whether a model is worth having, as every screen, page and card says it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import assay
from assay.card.write import card_markdown
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.presenting.headline import Circumstances, headline
from assay.evaluation.uncertainty.verdict import judge


def outcomes(*cells: tuple[str, str, int], labels: Sequence[str] = ("keep", "remove")) -> Outcomes:
    """Truth, answer, and how many texts."""
    number = {label: k for k, label in enumerate(labels)}
    truth = np.repeat([number[truth] for truth, _, _ in cells], [n for *_, n in cells])
    said = np.repeat([number[said] for _, said, _ in cells], [n for *_, n in cells])
    return Outcomes(tuple(labels), truth.astype(np.int32), said.astype(np.int32))


@pytest.mark.parametrize(
    ("cells", "kind", "said"),
    [
        ([("keep", "keep", 196), ("remove", "keep", 4)], "constant", "It says “keep” to every text."),
        (
            [("keep", "keep", 190), ("keep", "remove", 6), ("remove", "keep", 4)],
            "guessing",
            "It is no better than guessing.",
        ),
        (
            [("keep", "keep", 5), ("remove", "remove", 2), ("remove", "keep", 1)],
            "guessing",
            "It is not shown to be better than guessing.",
        ),
        (
            [("keep", "keep", 194), ("keep", "remove", 2), ("remove", "remove", 3), ("remove", "keep", 1)],
            "found",
            "It finds 75% of “remove”.",
        ),
        ([("keep", "keep", 100), ("remove", "remove", 30), ("remove", "keep", 20)], "useful", None),
    ],
)
def test_a_model_is_judged_by_what_guessing_would_get(
    cells: list[tuple[str, str, int]], kind: str, said: str | None
) -> None:
    verdict = judge(outcomes(*cells))
    found = headline(verdict)
    assert verdict.kind == kind
    assert (None if found is None else found.sentence) == said


def test_a_class_that_is_never_said_is_the_headline_however_good_the_rest_is() -> None:
    cells = [("a", "a", 300), ("b", "b", 200), ("c", "a", 5), ("a", "b", 10)]
    verdict = judge(outcomes(*cells, labels=("a", "b", "c")))
    assert (verdict.kind, verdict.silent) == ("silent", ("c",))
    found = headline(verdict, Circumstances({"c": 21}, "accuracy"))
    assert found is not None
    assert found.sentence == "It never says “c”."
    assert found.reason.startswith("Of 5 texts of “c” it found none. That it is right for 97.1% of 515 texts does not")
    assert found.advice[0] == "Label more texts of “c”: there were 21 to learn from."
    assert "metric='macro_f1'" in found.advice[1]
    assert "class_weight='balanced'" in found.advice[1]


def test_a_class_that_is_only_said_of_texts_of_others_is_never_found() -> None:
    cells = [("a", "a", 300), ("b", "b", 200), ("c", "a", 5), ("a", "c", 2)]
    verdict = judge(outcomes(*cells, labels=("a", "b", "c")))
    assert (verdict.kind, verdict.silent, verdict.to_dict()["never_said"]) == ("silent", ("c",), [])
    found = headline(verdict)
    assert found is not None
    assert found.sentence == "It never finds “c”."
    fewer = [*cells[:2], ("c", "a", 4), cells[3]]  # 4 may be missed by chance
    assert judge(outcomes(*fewer, labels=("a", "b", "c"))).kind == "useful"


def test_what_was_tried_already_is_not_advised() -> None:
    verdict = judge(outcomes(("keep", "keep", 196), ("remove", "keep", 4)))
    found = headline(verdict, Circumstances({}, "macro_f1", weighed=True))
    assert found is not None
    assert "class_weight" not in " ".join(found.advice)
    assert "Class weights and thresholds were tried" in found.advice[-1]


def test_many_silent_classes_are_counted_not_named() -> None:
    labels = tuple("abcdefgh")
    cells = [("a", "a", 90), ("b", "b", 90), *((label, "a", 4) for label in "cdefgh")]
    found = headline(judge(outcomes(*cells, labels=labels)))
    assert found is not None
    assert found.sentence == "It never says 6 of its 8 classes."
    assert found.advice[0] == "Label more texts of the 6 classes that it does not recognise."


def test_two_texts_of_a_class_are_too_few_to_say_that_it_is_never_said() -> None:
    cells = [("a", "a", 50), ("b", "b", 50), ("c", "a", 2)]
    assert judge(outcomes(*cells, labels=("a", "b", "c"))).kind == "useful"
    crossed = outcomes(("a", "a", 200), ("b", "b", 200), ("c", "b", 8), labels=("a", "b", "c"))
    assert judge(outcomes(*cells, labels=("a", "b", "c")), also=crossed).silent == ("c",)
    said_there = outcomes(("a", "c", 1), ("c", "c", 8), labels=("a", "b", "c"))
    assert judge(outcomes(*cells, labels=("a", "b", "c")), also=said_there).silent == ()


def test_texts_of_one_class_show_nothing_about_guessing() -> None:
    verdict = judge(outcomes(("keep", "keep", 30)))
    assert (verdict.kind, verdict.trustworthy) == ("one class", True)


def test_answers_that_have_nothing_to_do_with_the_texts_are_rarely_called_more_than_guessing() -> None:
    """One-sided tests at 2.5 %, of accuracy and of three classes: together 5 % at most; binomial noise of 400 sets."""
    random = np.random.default_rng(0)
    labels, wrong = ("a", "b", "c"), 0
    for _ in range(400):
        truth, said = (random.choice(3, 120, p=[0.7, 0.2, 0.1]).astype(np.int32) for _ in range(2))
        wrong += judge(Outcomes(labels, truth, said)).kind in ("useful", "found")
    assert wrong <= 0.05 * 400 + 2 * (400 * 0.05 * 0.95) ** 0.5


def test_an_evaluation_says_it_first_in_text_in_json_and_in_the_card() -> None:
    truth, said = ["keep"] * 196 + ["remove"] * 4, ["keep"] * 200
    result = assay.evaluate(truth, said, n_resamples=50)
    assert " ".join(result.text().split()).startswith(
        "Evaluation on 200 documents of 2 classes, with 95% intervals. It says “keep” to every text."
    )
    assert "Trust the interval of accuracy" not in result.text()
    verdict = result.to_dict()["verdict"]
    assert (verdict["kind"], verdict["never_said"]) == ("constant", ["remove"])
    assert verdict["headline"] == "It says “keep” to every text."
    model = assay.TextClassifier().fit(["good one", "bad one", "good film"], ["keep", "remove", "keep"])
    card = card_markdown(model, result)
    assert (
        card.index("## Read this first") < card.index("It says “keep” to every text.") < card.index("## Model details")
    )
    fair = assay.evaluate(["keep", "remove"] * 40, ["keep", "remove"] * 40, n_resamples=50)
    assert "Read this first" not in card_markdown(model, fair)


def test_classes_of_equal_size_are_not_told_to_be_weighed() -> None:
    found = headline(
        judge(outcomes(("keep", "keep", 9), ("keep", "remove", 11), ("remove", "remove", 10), ("remove", "keep", 10)))
    )
    assert found is not None
    assert [advice.partition(" texts")[0] for advice in found.advice] == ["Label more"]


def test_where_many_examples_teach_nothing_no_more_of_them_are_asked_for() -> None:
    none = judge(
        outcomes(("keep", "keep", 60), ("keep", "remove", 50), ("remove", "keep", 55), ("remove", "remove", 45))
    )
    assert none.kind == "guessing"
    found = headline(none, Circumstances({"keep": 400, "remove": 380}))
    assert len(found.advice) == 1
    assert found.advice[0].startswith("Let a person label some of the texts again without seeing the labels: 380 examp")
    few = headline(none, Circumstances({"keep": 40, "remove": 38}))
    assert few.advice[0] == "Label more texts of “remove”: there were 38 to learn from."


def test_a_model_that_may_be_better_is_to_be_tested_on_more_texts() -> None:
    unsure = judge(outcomes(("keep", "keep", 5), ("remove", "remove", 2), ("remove", "keep", 1)))
    assert headline(unsure).advice[0] == "Test it on more texts: 8 do not show whether it is better."
