"""Where PyTorch is not installed."""

from __future__ import annotations

import subprocess
import sys

HIDDEN = "import sys; sys.modules['torch'] = None\n"


def run(code):
    return subprocess.run([sys.executable, "-c", HIDDEN + code], capture_output=True, text=True, check=False)


def test_a_network_says_how_to_get_it():
    done = run("from assay.learners.neural import ConvolutionalNetwork")
    expected = "ConvolutionalNetwork needs PyTorch, which is not installed. Get it: pip install 'assay[neural]'."
    assert f"MissingExtraError: {expected}" in done.stderr


def test_a_file_with_a_network_says_how_to_get_it(trained, tmp_path):
    trained.save(tmp_path / "m.assay")
    done = run(f"import assay; assay.load({str(tmp_path / 'm.assay')!r})")
    assert "m.assay: this model is a neural network, which needs PyTorch, which is not installed." in done.stderr


def test_the_command_says_it_without_a_traceback(tmp_path):
    (tmp_path / "t.csv").write_text("text,label\na b,x\nc d,y\n", encoding="utf-8")
    code = "from assay.cli.main import main; sys.exit(main(['train', {!r}, '--learner', 'cnn']))"
    done = run(code.format(str(tmp_path / "t.csv")))
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ConvolutionalNetwork needs PyTorch")


def test_linear_models_do_not_import_it(shop_model):
    done = run(f"import assay; print(assay.load({str(shop_model)!r}).predict(['where is my parcel'])[0])")
    assert done.stdout.strip() == "delivery", done.stderr
