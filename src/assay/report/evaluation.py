"""An evaluation as a page: how good a model is on these texts, what it confuses, and the mistakes to read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.atomic_file import write_atomically
from assay.evaluation.presenting.percentages import percent, percents
from assay.evaluation.uncertainty.estimate import Estimate
from assay.report.build import environment
from assay.report.sections.answer import Answer, advice_facts, measured_facts
from assay.report.sections.documents import documents_section
from assay.report.sections.facts import Gauge
from assay.report.sections.measured import Measured
from assay.report.sections.results import results_section
from assay.report.sections.set_answer import set_gauges
from assay.report.wording import METRIC_NAMES
from assay.suggest import counted

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.protocols.evaluation import Evaluation
    from assay.evaluation.protocols.set_evaluation import SetEvaluation
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = ["render_evaluation", "write_evaluation"]


def write_evaluation(
    evaluation: Evaluation | SetEvaluation,
    path: str | os.PathLike[str],
    *,
    model: TextClassifier | NetworkClassifier,
    corpus: Corpus,
    name: str = "the model",
) -> None:
    """Write an evaluation to one file that needs no other and no network.

    Parameters
    ----------
    evaluation
        Made by `assay.evaluate`.
    path
        The file.
    model, corpus
        The model and the texts that it was made of: words of the mistakes are coloured by what they contributed.
    name
        What the page calls the model.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import assay
    >>> fitted = assay.TextClassifier(learner="logistic").fit(["so good", "so bad"] * 5, ["+", "-"] * 5)
    >>> test = assay.read((["good", "bad", "so so"], ["+", "-", "-"]))
    >>> found = assay.evaluate(fitted, test)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_evaluation(found, f"{folder}/page.html", model=fitted, corpus=test, name="films")
    ...     "How good is films on these 3 texts?" in Path(f"{folder}/page.html").read_text(encoding="utf-8")
    True
    """
    page = render_evaluation(evaluation, model=model, corpus=corpus, name=name)
    write_atomically(path, page.encode("utf-8", "replace"))


def render_evaluation(
    evaluation: Evaluation | SetEvaluation,
    *,
    model: TextClassifier | NetworkClassifier,
    corpus: Corpus,
    name: str = "the model",
) -> str:
    """The same as a string."""
    on = Measured(evaluation, corpus, held_out=True, given=True)
    page: dict[str, Any] = {
        "answer": _answer(on, name),
        "results": results_section(on, model),
        "unit": "class" if on.sets is None else "label",
        "units": "classes" if on.sets is None else "labels",
        "documents": documents_section(model, on),
        **dict.fromkeys(("data", "candidates", "curves", "features", "repeat", "links")),
    }
    return environment().get_template("evaluation.html").render(page)


def _answer(on: Measured, name: str) -> Answer:
    evaluation = on.evaluation
    n = counted(evaluation.n_documents, "text", "texts")
    source = PurePath(on.corpus.source).name
    said = evaluation.headline
    which = "them" if evaluation.seen is None else "those that it does not know"
    parts, plain = ("", "", ""), ""
    if said is None:
        accuracy = on.accuracy
        parts = ("It gets ", percent(accuracy.value, on.digits), f" of {which} right.")
        plain = (
            f"Measured on {source}. For other texts of the same kind, expect {percents(accuracy, on.digits)} "
            f"({evaluation.level:.0%} interval), provided that the model was not trained on these."
        )
    return Answer(
        source,
        None,
        f"How good is {name} on these {n}?",
        parts if said is None else said.parts,
        plain if said is None else f"{said.reason} Measured on {source}.",
        tuple(_gauges(on)),
        (*advice_facts(said), *measured_facts(on)),
        amiss=said is not None and not said.mild,
    )


def _gauges(on: Measured) -> Iterator[Gauge]:
    if on.sets is not None:
        yield from set_gauges(on.sets)
        return
    outcomes = on.evaluation.unseen_outcomes
    yield Gauge("Accuracy", on.accuracy)
    if on.macro_f1.defined:
        yield Gauge(METRIC_NAMES["macro_f1"][0], on.macro_f1)
    counts = np.bincount(outcomes.truth, minlength=len(outcomes.labels))
    most = int(np.argmax(counts))
    yield Gauge(f"Always “{on.labels[most]}”", Estimate(float(counts[most] / counts.sum())), base=True)
