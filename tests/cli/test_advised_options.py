"""Whatever option a command advises, it has: tried with data that cannot be read as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.cli.application import load
from assay.cli.main import main

GOOD = "text,label\n" + "".join(f"a good film number {i},pos\na dull film number {i},neg\n" for i in range(12))
BAD = {
    "an empty text": GOOD + ",pos\n",
    "an empty label": GOOD + "so dull,\n",
    "no clear columns": "one,two,three\n" + "a b,c d,e f\n" * 3,
    "no such column": "review,stars\nloved it,5\nso dull,1\n",
    "one class only": "text,label\n" + "".join(f"a good film number {i},pos\n" for i in range(12)),
    "no labels": "text\nloved it\nso dull\n",
    "another encoding": (GOOD + "café “so” dull,neg\n").encode("cp1252"),
    "other spellings of labels": GOOD + "so dull,Neg\n",
    "a label that the model does not know": GOOD + "so so,mixed\n",
    "a row that is too long": GOOD + "so dull,neg,and more\n",
    "a quote that is not closed": GOOD + '"so dull,neg\n',
    "a NUL byte": GOOD + "so\0dull,neg\n",
    "nothing": "",
}
COMMANDS = {
    "train": ["train", "bad.csv", "--learner=nb", "--ngrams=1"],
    "train with corrections": ["train", "good.csv", "--corrections=bad.csv", "-o", "other.assay"],
    "predict": ["predict", "model.assay", "bad.csv"],
    "evaluate": ["evaluate", "model.assay", "bad.csv"],
    "compare": ["compare", "model.assay", "model.assay", "bad.csv"],
    "explain": ["explain", "model.assay", "a good film", "--nearest=2", "--data=bad.csv"],
    "audit": ["audit", "model.assay", "bad.csv"],
    "regress": ["regress", "bad.csv", "--feature=film"],
    "inspect": ["inspect", "bad.csv"],
    "convert": ["convert", "bad.csv", "--to=jsonl"],
    "embed": ["embed", "bad.csv", "-o", "v.vec", "--min-count=1"],
    "card": ["card", "model.assay", "--test=bad.csv"],
    "trace": ["trace", "naive-bayes", "bad.csv"],
    "cluster": ["cluster", "bad.csv", "-k", "2"],
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model to ask."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "good.csv").write_text(GOOD)
    assert main(["train", str(folder / "good.csv"), "--learner=nb", "--ngrams=1", "-q"]) == 0
    return folder / "good.assay"


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_command_has_the_options_that_it_advises(arguments, content, model, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    Path("good.csv").write_text(GOOD)
    Path("model.assay").write_bytes(model.read_bytes())
    main(arguments)
    own = {spelling for item in load(arguments[0]).params for spelling in (*item.opts, *item.secondary_opts)}
    said = capsys.readouterr().err
    left_to_another = r"assay convert … --[a-z-]+" if arguments[0] == "trace" else "pass --allow-one-class to evaluate"
    said = re.sub(left_to_another, "", " ".join(said.split()))
    assert "Usage:" not in said
    assert {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", said)} <= own, said
