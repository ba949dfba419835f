from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import DataError, ParameterError
from assay.training import TrainingRun
from assay.training.settings_file import read_settings, settings_text


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_a_run_writes_is_what_it_was(searched: TrainingRun, tmp_path: Path) -> None:
    data = {"data": ['odd "name"\\ \x7f\n.csv'], "text": "Text, long", "label": None, "no_quotes": False}
    file = read_settings(written(tmp_path / "settings.toml", settings_text(searched, data)))
    assert file.settings.recipes == tuple(member.recipe for member in searched.members)
    assert (file.settings.folds, file.settings.holdout, file.settings.seed) == (3, 0.2, 0)
    assert file.data == {"data": data["data"], "text": "Text, long"}


def test_a_file_by_hand_can_leave_a_search_open(tmp_path: Path) -> None:
    text = '[training]\nbudget = "2m"\n[search]\nlearner = "svm"\n[search.features]\nlowercase = false\n'
    settings = read_settings(written(tmp_path / "s.toml", text)).settings
    assert settings.budget == 120
    assert settings.wishes.learner == "svm"
    assert not settings.by_hand


FEATURES = "[[recipes]]\n[[recipes.features]]\n"
LEARNER = FEATURES + "[recipes.learner]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[training", "this is no settings file in TOML"),
        ("[trainings]\n", "There is no setting 'trainings' of a settings file. Settings are 'training'"),
        ("[training]\nseeds = 1\n", "There is no setting 'seeds' of the table [training]. Settings are 'seed'"),
        ("[search]\nlearners = 1\n", "There is no setting 'learners' of the table [search]. Settings are 'learner'"),
        ('[training]\nfolds = "many"\n', "folds must be a whole number or None. Got 'many' instead."),
        ("[[recipes]]\nname = 1\n", "There is no setting 'name' of a recipe. Settings are 'learner', "),
        ("[training]\nfolds = nan\n", "folds must be a whole number or None. Got nan instead."),
        ("[training]\ncombine = true\n", "combine must be a whole number. Got True instead."),
        (LEARNER + "loss = inf\n", "loss must be 'hinge', 'squared_hinge'. Got inf instead."),
        (
            LEARNER + "fit_intercept = 1979-05-27\n",
            "fit_intercept must be True or False. Got datetime.date(",
        ),
        (LEARNER + "l1_ratio = 2\n", "l1_ratio must be between 0 and 1. Got 2 instead."),
        (LEARNER + "max_iterations = 0\n", "max_iterations must be a whole number from 1 to 2,147,483,647. Got 0 in"),
        (LEARNER + "tolerance = inf\n", "tolerance must be a number of at least 0. Got inf instead."),
        (LEARNER + "class_weight = 3\n", "class_weight must be 'balanced', or labels with their factors. Got 3"),
        (LEARNER + "name = []\n", "There is no learner []. Learners are "),
        (FEATURES + "max_df = inf\n", "max_df must be a number of at least 0. Got inf instead."),
        (FEATURES + "norm = 0\n", "norm must be 'l1', 'l2' or None. Got 0 instead."),
        (FEATURES + "max_features = -1\n", "max_features must be at least 1. Got -1 instead."),
        (f"[training]\nseed = {'9' * 5000}\n", "this is no settings file in TOML: Exceeds the limit"),
        (f"[training]\nseed = {'[' * 100_000}\n", "this is no settings file in TOML: maximum recursion depth exceeded"),
    ],
)
def test_a_file_with_a_mistake_is_refused_by_name(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.toml", text)
    with pytest.raises(ParameterError) as raised:
        read_settings(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert message in str(raised.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="there is no such settings file"):
        read_settings(str(tmp_path / "none.toml"))
    with pytest.raises(ParameterError, match=r"this is a folder. The settings file in a run folder is settings.toml."):
        read_settings(str(tmp_path))


def test_a_device_without_end_is_no_settings_file(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("assay.file_access._LONGEST", 1 << 20)
    with pytest.raises(DataError, match=r"^/dev/zero: the file is longer than 1 MB, which is the most here\.$"):
        read_settings("/dev/zero")
    with pytest.raises(ParameterError, match="there is no such settings file"):
        read_settings(str(tmp_path / ("x" * 5000)))
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="there is no such settings file"):
        read_settings(str(tmp_path / "file" / "more"))
