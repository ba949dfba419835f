"""A trained run with hostile texts, its report, and a browser to open it in."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import assay
from assay import compare
from assay.audit import audit
from assay.card import write_card
from assay.clustering import cluster_texts
from assay.explanation.importance import group_importance
from assay.explanation.model_page import model_page
from assay.explanation.presentation import explanation_page
from assay.explanation.prototypes import class_prototypes
from assay.explanation.weights import top_features
from assay.report import write_report
from assay.report.audit import write_audit
from assay.report.clusters import write_clusters
from assay.report.comparison import write_comparison
from assay.report.evaluation import write_evaluation
from assay.samples import load_sample
from assay.training import TrainingRun, TrainingSettings, run_training

SCRIPT = "<script>document.title = 'taken over'</script>"
IMAGE = "<img src=x onerror=\"document.title = 'taken over'\">"


@pytest.fixture(scope="session")
def run_of() -> Callable[..., TrainingRun]:
    """Train quickly on a corpus."""

    def train(corpus: Any, **chosen: Any) -> TrainingRun:
        settings = TrainingSettings.chosen(**({"learner": "svm", "ngrams": "1-2", "holdout": 0.25} | chosen))
        return run_training(corpus, settings, threads=2)

    return train


@pytest.fixture(scope="session")
def hostile_corpus() -> assay.Corpus:
    """The sample, with markup in every text and a class whose name is markup."""
    sample = load_sample()
    names = {"praise": f"praise {IMAGE}"}
    texts = [f"{text} {SCRIPT} {IMAGE}" for text in sample.texts.to_pylist()]
    labels = [names.get(label, label) for label in sample.labels.to_pylist()]
    return assay.read((texts, labels))


@pytest.fixture(scope="session")
def hostile_run(run_of: Callable[..., TrainingRun], hostile_corpus: assay.Corpus) -> TrainingRun:
    return run_of(hostile_corpus, learner="logistic", folds=3)


@pytest.fixture(scope="session")
def hostile_report(hostile_run: TrainingRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(hostile_run, path, model="shop.assay")
    return path


@pytest.fixture(scope="session")
def hostile_pages(
    hostile_run: TrainingRun, hostile_corpus: assay.Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A folder with the pages that other commands write, of the same texts."""
    folder = tmp_path_factory.mktemp("pages")
    found = audit(hostile_run.model, hostile_corpus, swaps=["gender", "ethnicity"])
    write_audit(found, folder / "audit.html", model=f"{IMAGE}.assay")
    write_clusters(cluster_texts(hostile_corpus, k=range(2, 5)), folder / "clusters.html")
    write_card(hostile_run.model, folder / "card.html", hostile_run.evaluation, found)
    part = hostile_corpus.split(test=0.3, seed=1)[1]
    models = {f"{IMAGE}.assay": hostile_run.model, "nb": assay.TextClassifier(learner="nb").fit(part)}
    evaluations = {name: assay.evaluate(model, part, n_resamples=200) for name, model in models.items()}
    first = next(iter(models))
    write_evaluation(evaluations[first], folder / "evaluation.html", model=hostile_run.model, corpus=part, name=first)
    write_comparison(compare(evaluations), folder / "comparison.html", evaluations=evaluations, corpus=part)
    explained = explanation_page(hostile_run.model.explain(part[0].text).to_html(), where=first)
    (folder / "explanation.html").write_text(explained, encoding="utf-8")
    learned = hostile_run.model.model
    pages = {
        "learned": model_page(top_features(learned, top=5), where=first),
        "counted": model_page(top_features(learned, part, top=5), where=first),
        "groups": model_page(groups=group_importance(learned, part, n_resamples=200), where=first),
        "prototypes": model_page(prototypes=class_prototypes(learned, part, documents=2), where=first),
    }
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def long_labels_report(run_of: Callable[..., TrainingRun], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of classes that are named by a sentence, by a word without end, and by two lines."""
    names = ["What a customer wrote about the delivery " * 4, "Donaudampfschifffahrtsgesellschaft" * 5, "one\ntwo"]
    texts = [f"reason {k % 3 if k % 4 else k % 5} word{k % 37} word{k % 11}" for k in range(150)]
    path = tmp_path_factory.mktemp("long") / "report.html"
    write_report(run_of(assay.read((texts, [names[k % 3] for k in range(150)])), learner="nb", ngrams="1-2"), path)
    return path


@pytest.fixture(scope="session")
def many_classes_report(run_of: Callable[..., TrainingRun], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of 40 classes whose names are long."""
    labels = [f"card_payment_{'declined' if k % 2 else 'reversed'}_for_reason_number_{k}" for k in range(40)] * 12
    texts = [f"reason {k % 40} word{k % 37} word{k % 11} word{k % 7}" for k in range(len(labels))]
    path = tmp_path_factory.mktemp("many") / "report.html"
    write_report(run_of(assay.read((texts, labels)), learner="nb", ngrams="1-1"), path)
    return path


class Browser:
    """Chromium without a window, driven through its debugging pipe: messages are JSON, each ended by a zero byte."""

    def __init__(self, program: str, folder: str) -> None:
        (their_read, self._write), (self._read, their_write) = os.pipe(), os.pipe()

        def put_in_place() -> None:  # Chromium reads from descriptor 3 and writes to 4
            high_read, high_write = os.dup2(their_read, 100), os.dup2(their_write, 101)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        options += ["--remote-debugging-pipe", "--disable-background-networking", f"--user-data-dir={folder}"]
        self._process = subprocess.Popen(
            [program, *options, "about:blank"],
            preexec_fn=put_in_place,
            pass_fds=(3, 4, their_read, their_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(their_read)
        os.close(their_write)
        self._number, self._rest, self._session = 0, b"", None
        self.requests: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._read, 1 << 16)
            assert part, "the browser ended"
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        return message

    def open(self, path: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Show a file in a window of this size, in one of the colour schemes."""
        self.requests.clear()
        phone = width < 600
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Page.navigate", url=path.as_uri())
        while self.run("document.readyState") != "complete" or self.run("location.protocol") != "file:":
            pass

    def run(self, script: str) -> Any:
        """Value of a JavaScript expression in the page; exceptions fail the test."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Scroll to an element and press it with the mouse."""
        spot = self.run(
            f"(() => {{ const it = document.querySelector({json.dumps(selector)});"
            "it.scrollIntoView({block: 'center', behavior: 'instant'}); const box = it.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)

    def type(self, selector: str, text: str) -> None:
        """Write into a field."""
        self.click(selector)
        self.ask("Input.insertText", text=text)

    def picture(self) -> bytes:
        """What the window shows, as PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot")["data"])

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._read)
        os.close(self._write)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("there is no Chromium to open the report in (Debian: apt install chromium)")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        opened = Browser(program, folder)
        yield opened
        opened.close()
