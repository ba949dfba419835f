"""Where PyTorch, or the library transformers, is not installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .encoders.conftest import LABELS, TEXTS, write_encoder

HIDDEN = "import sys; sys.modules[{!r}] = None\n"
COMMAND = "from assay.cli.main import main; sys.exit(main({!r}))"


def run(code, hidden="torch"):
    code = HIDDEN.format(hidden) + code
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With a file of texts, a small encoder, and two models that were made with it."""
    folder = tmp_path_factory.mktemp("models")
    rows = [f"{text},{label}\n" for text, label in zip(TEXTS, LABELS, strict=True)]
    (folder / "t.csv").write_text("text,label\n" + "".join(rows), encoding="utf-8")
    encoder = write_encoder(folder / "encoder")
    from assay.neural import EncoderClassifier

    for tuning in ("head", "all"):
        network = EncoderClassifier(encoder=encoder, tuning=tuning, epochs=1, threads=1).fit(TEXTS, LABELS)
        network.save(folder / f"{tuning}.assay")
    return folder


def test_a_network_says_how_to_get_it():
    done = run("from assay.neural import ConvolutionalNetwork")
    expected = "ConvolutionalNetwork needs PyTorch, which is not installed. Get it: pip install 'assay[neural]'."
    assert f"MissingExtraError: {expected}" in done.stderr


def test_a_file_with_a_network_says_how_to_get_it(trained, tmp_path):
    trained.save(tmp_path / "m.assay")
    done = run(f"import assay; assay.load({str(tmp_path / 'm.assay')!r})")
    assert "m.assay: this model is a neural network, which needs PyTorch, which is not installed." in done.stderr


@pytest.mark.parametrize("learner", ["cnn", "averaging", "recurrent", "feedforward", "encoder"])
def test_the_command_says_it_without_a_traceback(folder, learner):
    done = run(COMMAND.format(["train", str(folder / "t.csv"), "--learner", learner, "-o", str(folder / "x.assay")]))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    extra = "encoders" if learner == "encoder" else "neural"
    assert f" needs PyTorch, which is not installed. Get it: pip install 'assay[{extra}]'." in done.stderr


def test_without_transformers_the_command_names_the_extra(folder):
    arguments = ["train", str(folder / "t.csv"), "--learner", "encoder", "--encoder", str(folder / "encoder")]
    done = run(COMMAND.format([*arguments, "-o", str(folder / "x.assay")]), hidden="transformers")
    assert done.returncode == 1
    expected = "EncoderClassifier needs transformers, which is not installed. Get it: pip install 'assay[encoders]'."
    assert done.stderr.splitlines()[-1] == f"Error: {expected}"


@pytest.mark.parametrize("tuning", ["head", "all"])
def test_without_transformers_a_model_with_an_encoder_says_how_to_get_it(folder, tuning):
    model = str(folder / f"{tuning}.assay")
    done = run(COMMAND.format(["predict", model, "a great film"]), hidden="transformers")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "needs transformers, which is not installed. Get it: pip install 'assay[encoders]'." in done.stderr
    assert "damaged" not in done.stderr


def test_linear_models_do_not_import_it(shop_model):
    done = run(f"import assay; print(assay.load({str(shop_model)!r}).predict(['where is my parcel'])[0])")
    assert done.stdout.strip() == "delivery", done.stderr
