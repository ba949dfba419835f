"""A server with four models, in a process of its own: one label, sets of labels, naive Bayes, one that abstains."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay import TextClassifier
from assay.prediction import DecisionRule
from assay.samples import load_sample

ASSAY = str(Path(sys.executable).with_name("assay"))
TOPICS = ["tax and football", "tax", "football", "weather", "tax vote", "goal and vote", "goal", "rain"] * 4
SETS = [("politics", "sport"), ("politics",), ("sport",), (), ("politics",), ("politics", "sport"), ("sport",), ()] * 4


@dataclass(frozen=True)
class Served:
    """Where the server is, and its models, read from the same files."""

    url: str
    models: dict[str, TextClassifier]
    token: str = ""


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    sample = load_sample()
    labels = tuple(sorted(set(sample.labels.to_pylist())))
    careful = DecisionRule(labels, abstain_below=0.9)
    models = {
        "shop": TextClassifier(learner="logistic").fit(sample),
        "topics": TextClassifier(learner="logistic").fit(TOPICS, SETS),
        "bayes": TextClassifier(learner="nb").fit(sample),
        "careful": TextClassifier(learner="logistic", rule=careful).fit(sample),
    }
    for name, model in models.items():
        model.save(folder / f"{name}.assay")
    with running(*(folder / f"{name}.assay" for name in models)) as url:
        yield Served(url, models)


@pytest.fixture
def served_with_token(shop_model: Path, tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "token").write_text("a-long-secret-of-letters-and-1234567890\n", encoding="utf-8")
    with running(shop_model, "--token-file", tmp_path / "token") as url:
        yield Served(url, {}, "a-long-secret-of-letters-and-1234567890")


@contextmanager
def running(*arguments: Path | str) -> Iterator[str]:
    """The address of a server that runs meanwhile, and ends as it should."""
    words = [ASSAY, "serve", *map(str, arguments), "--port", "0"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with process.stderr as said:
        line = said.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + said.read()
        yield found[0]
        process.terminate()
        assert process.wait(20) == 0
