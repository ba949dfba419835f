"""A comparison as a page: whether a model is better, what the test means, and the texts on which they differ."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.atomic_file import write_atomically
from assay.evaluation.protocols.comparison import compare
from assay.evaluation.protocols.comparison_result import TESTS, Comparison, Comparisons, p_text
from assay.explanation.presentation import shortened
from assay.label_sets import LabelSets
from assay.report.build import environment
from assay.report.sections.answer import Answer
from assay.report.sections.facts import Fact, Gauge
from assay.report.wording import METRIC_NAMES, metric_name
from assay.suggest import counted

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.protocols.evaluation import Evaluation

__all__ = ["render_comparison", "write_comparison"]

METRICS = ("accuracy", "macro_f1", "weighted_f1", "balanced_accuracy", "log_loss")
MOST_TEXTS = 20  # of a kind
LENGTH = 600  # characters shown of a text

#: What each test does, in words.
MEANING = {
    "bootstrap": "These texts are drawn anew, thousands of times, with repetitions: the p-value says how often chance "
    "alone would bring a difference twice as large as the one found, which is when luck would explain it.",
    "randomization": "The answers of the two are swapped at random, text by text, thousands of times: the p-value says "
    "how often that brings a difference as large as the one found, although no model has an advantage then.",
    "mcnemar": "Only texts count on which one is right and the other wrong: the p-value says how often a coin, thrown "
    "for each of them, would favour one side as much.",
    "mcnemar_mid_p": "Only texts count on which one is right and the other wrong: the p-value says how often a coin, "
    "thrown for each of them, would favour one side as much; an outcome just as extreme counts half.",
}


def write_comparison(
    found: Comparison | Comparisons,
    path: str | os.PathLike[str],
    *,
    evaluations: Mapping[str, Evaluation],
    corpus: Corpus,
) -> None:
    """Write a comparison to one file that needs no other and no network.

    Parameters
    ----------
    found
        Made by `assay.compare` of `evaluations`.
    path
        The file.
    evaluations
        Name of each model → its evaluation, on the same texts.
    corpus
        These texts.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import assay
    >>> corpus = assay.read((["so good", "so bad"] * 5, ["+", "-"] * 5))
    >>> models = {name: assay.TextClassifier(learner=name).fit(corpus) for name in ("nb", "svm")}
    >>> evaluations = {name: assay.evaluate(model, corpus) for name, model in models.items()}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_comparison(
    ...         assay.compare(evaluations), f"{folder}/page.html", evaluations=evaluations, corpus=corpus
    ...     )
    ...     "Is nb or svm better?" in Path(f"{folder}/page.html").read_text(encoding="utf-8")
    True
    """
    page = render_comparison(found, evaluations=evaluations, corpus=corpus)
    write_atomically(path, page.encode("utf-8", "replace"))


def render_comparison(found: Comparison | Comparisons, *, evaluations: Mapping[str, Evaluation], corpus: Corpus) -> str:
    """The same as a string."""
    pairs = found.pairs if isinstance(found, Comparisons) else (found,)
    page: dict[str, Any] = {
        "answer": _answer(found, pairs, evaluations, corpus),
        "level": pairs[0].level,
        "pairs": [_pair(pair, evaluations) for pair in pairs],
        "groups": list(_groups(evaluations, corpus)),
        "links": (("difference", "Difference"), ("agreement", "Who was right"), ("texts", "Texts")),
        **dict.fromkeys(("data", "candidates", "results", "curves", "features", "documents", "repeat")),
    }
    return environment().get_template("comparison.html").render(page)


def _answer(
    found: Comparison | Comparisons,
    pairs: tuple[Comparison, ...],
    evaluations: Mapping[str, Evaluation],
    corpus: Corpus,
) -> Answer:
    first = pairs[0]
    if len(pairs) > 1:
        asked = f"Which of {len(evaluations)} models is best on these {counted(first.n_documents, 'text', 'texts')}?"
        differing = sum(pair.significant for pair in pairs)
        headline = ("", f"{differing} of {len(pairs)} pairs", f" differ{'s' * (differing == 1)} by more than chance.")
    else:
        asked = f"Is {first.first} or {first.second} better?"
        better, worse = first.ranked()
        headline = (
            ("", f"{better} is better", f" than {worse}.") if first.significant else ("It ", "cannot be said", ".")
        )
    gauges = [Gauge(name, evaluation[first.metric]) for name, evaluation in evaluations.items() if _on_scale(first)]
    return Answer(
        PurePath(corpus.source).name, None, asked, headline, found.conclusion, tuple(gauges), _facts(found, pairs)
    )


def _on_scale(pair: Comparison) -> bool:
    return pair.more_is_better and pair.metric in METRIC_NAMES and min(pair.first_value, pair.second_value) >= 0


def _facts(found: Comparison | Comparisons, pairs: tuple[Comparison, ...]) -> tuple[Fact, ...]:
    first = pairs[0]
    facts = [
        *(Fact("Note", note, caution=True) for note in found.notes),
        Fact("Compared by", f"{metric_name(first.metric)}: {METRIC_NAMES.get(first.metric, ('', 'as named'))[1]}."),
        Fact(f"The test: {TESTS[first.test]}", f"{MEANING[first.test]} Here {p_text(first)}." if len(pairs) == 1 else
             f"{MEANING[first.test]} With {len(pairs)} pairs one may win by luck: Holm's correction allows for that."),
        Fact(
            "What it does not say",
            "Whether the difference matters, whether other kinds of text would show it, and whether a training anew "
            "would repeat it.",
            caution=True,
        ),
    ]  # fmt: skip
    return tuple(facts)


def _pair(pair: Comparison, evaluations: Mapping[str, Evaluation]) -> dict[str, Any]:
    """One pair: what was tested first, then other measures with their intervals."""
    both = {name: evaluations[name] for name in (pair.first, pair.second)}
    rows = [_row(pair, tested=True)]
    for metric in METRICS:
        known = all(metric in evaluation.metrics and evaluation[metric].defined for evaluation in both.values())
        if metric == pair.metric or not known:
            continue
        other = compare(both, metric=metric, level=pair.level, n_resamples=pair.n_resamples, seed=pair.seed)
        assert isinstance(other, Comparison)
        rows.append(_row(other, tested=False))
    counts = [
        ("Both right", pair.both_right),
        (f"Only {pair.first} right", pair.only_first),
        (f"Only {pair.second} right", pair.only_second),
        ("Neither right", pair.neither),
    ]
    return {
        "first": pair.first, "second": pair.second, "rows": rows, "counts": counts, "conclusion": pair.conclusion,
    }  # fmt: skip


def _row(pair: Comparison, *, tested: bool) -> dict[str, Any]:
    name = METRIC_NAMES.get(pair.metric, (pair.metric,))[0]
    values = {"first": pair.first_value, "second": pair.second_value, "difference": pair.difference}
    return {"name": name, "tested": tested, **values}


def _groups(evaluations: Mapping[str, Evaluation], corpus: Corpus) -> Iterator[tuple[str, int, list[dict[str, Any]]]]:
    """Texts on which some are right and others wrong; of two models, by who is right."""
    names = list(evaluations)
    right = np.array([evaluation.outcomes.correct for evaluation in evaluations.values()])  # models × texts
    if len(names) == 2:
        kinds = [(f"Only {names[i]} is right", right[i] & ~right[1 - i]) for i in range(2)]
    else:
        kinds = [("Some are right, others wrong", right.any(axis=0) & ~right.all(axis=0))]
    for title, mask in kinds:
        rows = np.flatnonzero(mask)
        if len(rows):
            yield title, len(rows), [_text(evaluations, corpus, int(row)) for row in rows[:MOST_TEXTS]]


def _text(evaluations: Mapping[str, Evaluation], corpus: Corpus, row: int) -> dict[str, Any]:
    answers = []
    for name, evaluation in evaluations.items():
        outcomes = evaluation.outcomes
        answers.append((name, _shown(outcomes, outcomes.predicted, row), bool(outcomes.correct[row])))
        truth = _shown(outcomes, outcomes.truth, row)
    return {
        "truth": truth,
        "answers": answers,
        "place": corpus.origin.place(row).rpartition("/")[2],
        "text": shortened(corpus[row].text, LENGTH),
    }


def _shown(outcomes: Any, given: Any, row: int) -> str:
    """The label of a text, or its labels."""
    if isinstance(given, LabelSets):
        return ", ".join(str(outcomes.labels[k]) for k in given[row]) or "no label"
    return str(outcomes.labels[given[row]])
