from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import ParameterError
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[training", "this is no settings file in TOML"),
        ("[trainings]\n", "There is no setting 'trainings' of a settings file. Settings are 'training'"),
        ("[training]\nseeds = 1\n", "There is no setting 'seeds' of the table [training]. Settings are 'seed'"),
        ("[search]\nlearners = 1\n", "There is no setting 'learners' of the table [search]. Settings are 'learner'"),
        ('[training]\nfolds = "many"\n', "a setting has a value of the wrong kind"),
        ("[[recipes]]\nname = 1\n", "There is no setting 'name' of a recipe. Settings are 'learner', "),
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
