"""Training by a settings file that describes the features: no Python to write."""

from __future__ import annotations

import pytest

import assay
from assay.errors import AssayError
from assay.samples import SHOP_MESSAGES
from assay.training.settings_file import read_settings, settings_text
from assay.training.train import run_training

SETTINGS = """
[training]
holdout = 0.25

[learner]
name = "logistic"
C = 10.0

[features.words]
min_df = 2

[features.lexicons]
thanks = "thanks.txt"
money = ["refund", "price", "pay", "charged"]

[features.templates]
asks = 'presence(lower = "?")'
money = "count(in(money))"

[features.scaling]
lexicons = "max-abs"

[features.selection.words]
measure = "chi2"
k = 200
"""


@pytest.fixture
def settings_file(tmp_path):
    (tmp_path / "thanks.txt").write_text("; gratitude\nthanks\nthank you\nlovely\n")
    file = tmp_path / "settings.toml"
    file.write_text(SETTINGS)
    return file


def test_a_settings_file_trains_and_tests_a_model(settings_file, tmp_path):
    run = run_training(assay.read(SHOP_MESSAGES), read_settings(str(settings_file)).settings, threads=1)
    assert run.name == "logistic regression, C=10, words + lexicons + templates"
    assert run.evaluation.metrics["accuracy"].value > 0.6
    assert [block.n_columns for block in run.model.model.features] == [200, 1, 2]
    run.model.save(tmp_path / "model.assay")
    text = ["Where is my refund? Thank you"]
    assert (assay.load(tmp_path / "model.assay").predict(text) == run.model.predict(text)).all()


def test_the_settings_that_a_run_writes_repeat_it_from_anywhere(settings_file, tmp_path, monkeypatch):
    corpus = assay.read(SHOP_MESSAGES)
    run = run_training(corpus, read_settings(str(settings_file)).settings, threads=1)
    (tmp_path / "run").mkdir()
    written = tmp_path / "run" / "settings.toml"
    written.write_text(settings_text(run, {}))
    monkeypatch.chdir(tmp_path / "run")
    again = run_training(corpus, read_settings("settings.toml").settings, threads=2)
    run.model.save(tmp_path / "a.assay")
    again.model.save(tmp_path / "b.assay")
    assert (tmp_path / "a.assay").read_bytes() == (tmp_path / "b.assay").read_bytes()


def test_the_command_takes_such_a_file(settings_file, tmp_path, capsys):
    from assay.cli.main import run

    command = [
        "train",
        str(SHOP_MESSAGES),
        "--settings",
        str(settings_file),
        "-o",
        str(tmp_path / "m.assay"),
        "--quiet",
    ]
    assert run(command) == 0
    assert run(["predict", str(tmp_path / "m.assay"), "I want a refund", "--quiet"]) == 0
    assert run(["inspect", str(tmp_path / "m.assay")]) == 0
    assert run(["explain", str(tmp_path / "m.assay"), "Thank you, lovely!"]) == 0
    assert "thanks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("thanks.txt", "thank.txt"),
            r"settings.toml: .*thank.txt: there is no such lexicon file. In that folder are 't",
        ),
        (
            ("count(in(money))", "count(in(money)"),
            r"settings.toml: template 'money' .*, column 16: a '\)' must come here",
        ),
        (
            ("[learner]", "[search]\nlearner = 'svm'\n[learner]"),
            r"settings.toml: The tables \[features\] and \[learner\]",
        ),
        (
            ("[features.words]", "[features.word]"),
            "settings.toml: There is no setting 'word' in features. Settings are",
        ),
        (
            ("holdout = 0.25", "folds = 5"),
            "settings.toml: folds must be 0 where a settings file describes the features",
        ),
    ],
)
def test_mistakes_are_named_before_any_data_is_read(settings_file, change, message):
    settings_file.write_text(SETTINGS.replace(*change))
    with pytest.raises(AssayError, match=message):
        read_settings(str(settings_file))
