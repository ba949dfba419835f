from __future__ import annotations

import re

import pytest

from assay.errors import ParameterError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.training import LearnerSettings, Recipe

RECIPE = Recipe(
    (
        NgramSettings(Analysis(ngrams=(1, 2)), min_df=2),
        NgramSettings(Analysis(unit="char_wb", ngrams=(2, 5), tokens="not_space", min_token_length=1), norm=None),
    ),
    LearnerSettings("logistic", C=3.0, class_weight=(("spam", 2.0),)),
)


def test_a_recipe_survives_being_written_as_plain_values() -> None:
    assert Recipe.from_dict(RECIPE.to_dict()) == RECIPE


def test_what_a_settings_file_leaves_out_has_its_usual_value() -> None:
    block = NgramSettings.from_dict({"ngrams": [1, 3]})
    assert block == NgramSettings(Analysis(ngrams=(1, 3)))
    assert LearnerSettings.from_dict({}) == LearnerSettings()


def test_names_say_what_is_read_and_who_learns() -> None:
    assert RECIPE.name == "logistic regression, C=3, words 1–2 + characters 2–5"
    assert Recipe(RECIPE.blocks[:1], LearnerSettings("nb", alpha=0.1)).name == "naive Bayes, alpha=0.1, words 1–2"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"learner": {"nmae": "svm"}, "features": [{}]},
            "There is no setting 'nmae' of a learner. Settings are 'name'",
        ),
        (
            {"features": [{"ngram": [1, 2]}]},
            "There is no setting 'ngram' of a block of features. Settings are 'ngrams'",
        ),
        ({"learner": {}}, "A recipe needs at least one block of features"),
        ({"learner": {"name": "smv"}, "features": [{}]}, "There is no learner 'smv'. Learners are 'svm'"),
        ({"learner": {"C": -1.0}, "features": [{}]}, "C must be a number above 0. Got -1.0 instead."),
        ({"learner": {"beta": 2}, "features": [{}]}, "beta must be between 0 and 1. Got 2 instead."),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        Recipe.from_dict(settings)
