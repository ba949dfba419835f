"""``assay inspect`` of a model, through the installed command."""

from __future__ import annotations

import json
import shutil

import pytest

import assay


def test_model_is_shown_with_labels_features_weights_and_provenance(run, shop_model):
    shown = run("inspect", shop_model)
    assert (shown.returncode, shown.stderr) == (0, "")
    words = " ".join(shown.stdout.split())
    assert "shop.assay: a model of 5 classes" in words
    assert "trained on shop_messages.csv, column 'text': 549 texts" in words
    assert "learner LogisticRegression(" in words
    assert "words 1–2, lowercase, sublinear, idf, norm l2" in words
    assert "delivery 178 'parcel'" in words
    assert "probabilities yes" in words


def test_json_holds_the_same_facts(run, shop_model):
    facts = json.loads(run("inspect", shop_model, "--json").stdout)
    model = assay.load(shop_model)
    assert (facts["kind"], facts["version"], facts["labels"]) == ("model", 1, list(model.labels))
    assert facts["n_features"] == model.model.n_features == facts["features"][0]["columns"]
    assert facts["bytes"] == shop_model.stat().st_size
    assert set(facts["top_features"]) == set(model.labels)
    assert facts["provenance"]["data"] == model.provenance["data"]


def test_model_is_known_by_its_bytes_not_only_by_its_name(run, shop_model, tmp_path):
    shutil.copy(shop_model, tmp_path / "renamed.bin")
    assert "renamed.bin: a model of 5 classes" in run("inspect", "renamed.bin").stdout


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.assay", b"text,label\na,b\n", "x.assay: this is no model"),
        ("x.assay", b"", "x.assay: this is no model"),
        ("cut.assay", None, "cut.assay: this is no model, or the file is damaged"),
    ],
)
def test_what_is_no_model_is_said(run, shop_model, tmp_path, name, content, message):
    (tmp_path / name).write_bytes(shop_model.read_bytes()[:1000] if content is None else content)
    shown = run("inspect", name)
    assert (shown.returncode, shown.stdout) == (3, "")
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr


def test_hostile_provenance_stays_text(run, tmp_path):
    model = assay.TextClassifier(learner="logistic").fit(["good", "bad"], ["[bold]+[/bold]", "\x1b[2J-"])
    model.provenance.update({"data": "[red]", "learner": "\x1b[31m", "versions": ["x"], "created": "[/]"})
    model.save(tmp_path / "odd.assay")
    shown = run("inspect", "odd.assay")
    assert shown.returncode == 0
    assert "\x1b" not in shown.stdout
    assert "[bold]+[/bold]" in shown.stdout
