"""A trained run with hostile texts, its report, and a browser to open it in."""

from __future__ import annotations

from collections.abc import Callable
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
