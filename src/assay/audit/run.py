"""`assay.audit.audit`: look for harm and for weak spots in a model and its data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.arguments import in_our_words
from assay.audit.labels.data_checks import data_findings, label_error_finding
from assay.audit.labels.label_errors import LabelErrors, find_label_errors
from assay.audit.people.group_verdicts import group_findings
from assay.audit.people.groups import GroupResult, measure_groups
from assay.audit.people.probes import Probe, TermList, built_in_lists, load_list
from assay.audit.people.swap_verdicts import swap_findings
from assay.audit.people.swaps import SwapResult, probe_swaps
from assay.audit.result import Audit
from assay.audit.scoring import ProbedModel
from assay.audit.texts.robustness import RobustnessResult, measure_robustness
from assay.audit.texts.robustness_verdicts import robustness_findings
from assay.audit.thresholds import Thresholds
from assay.audit.worth import worth_findings
from assay.errors import DataError, ParameterError
from assay.evaluation.protocols.seen_texts import seen_texts
from assay.evaluation.uncertainty.intervals import check_level
from assay.findings import Finding, ordered
from assay.suggest import quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["audit"]


@in_our_words
def audit(
    model: Any,
    corpus: Any = None,
    *,
    groups: Sequence[str] = (),
    swaps: Sequence[str | TermList] | None = None,
    probes: Sequence[Probe] = (),
    probe_positive: Sequence[str] | None = None,
    train: Any = None,
    target: Sequence[str] | None = None,
    robustness: bool = True,
    label_errors: bool = True,
    thresholds: Thresholds | None = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    threads: int | None = None,
) -> Audit:
    """Audit a model: groups, swaps, robustness and data, with a plain verdict on each finding.

    Parameters
    ----------
    model
        A `TextClassifier`, or anything with ``predict`` and ``labels`` or ``classes_``, and ``predict_proba`` or
        ``decision_function``. Of a classifier that gives sets of labels, every label is looked at by itself.
    corpus
        Labelled texts that the model was not trained on, in any form that `assay.read` takes: for groups, robustness
        and checks of the data.
    groups
        Columns of the corpus whose values are compared.
    swaps
        Lists of terms: names of built-in ones (`assay.audit.built_in_lists`), files of TOML, or `TermList`s. None for
        all that are built in, () for none.
    probes
        Further sentences, made by `assay.audit.probe_from_columns` or `probes_from_terms`.
    probe_positive
        Labels of these sentences that truly are the outcome, for false-positive rates.
    train
        The texts that the model was trained on: to look for copies in the corpus and for label errors.
    target
        Labels that together are the outcome to look at, such as everything that gets a text removed. None: every label
        on its own.
    robustness, label_errors
        Whether to look for these.
    thresholds
        How large a difference must be to be called one.
    level
        Coverage of intervals; 1 - level is the chance of any false alarm in each part.
    n_resamples, seed, threads
        Of bootstraps, of everything random, and of the work.

    Examples
    --------
    >>> from assay import TextClassifier
    >>> from assay.samples import load_sample
    >>> corpus = load_sample()
    >>> result = audit(TextClassifier(learner="logistic").fit(corpus), swaps=["gender"])
    >>> [finding.severity for finding in result.findings]
    ['ok']
    """
    check_level(level)
    scorer, limits = ProbedModel(model, target), thresholds or Thresholds()
    test, learnt = _read(corpus, "corpus"), _read(train, "train")
    for name, given in (("corpus", test), ("train", learnt)):
        if given is not None and given.labels is not None and given.task == "label-sets" and scorer.task == "labels":
            raise DataError(
                f"{given.source}: its texts have sets of labels, and this model gives one label each ({name}=). Audit "
                "it on texts with one label each, or a model that was trained on sets of labels."
            )
    if groups and (test is None or test.labels is None):
        raise DataError("Groups are compared on labelled texts: give a corpus with labels beside the model.")
    if probe_positive is not None and target is None:
        raise ParameterError(
            "False-positive rates of a probe need the model's labels that count as positive: give "
            f"{setting('target')} beside {setting('probe_positive')}."
        )
    if test is not None:
        scorer.learn_scale(test.texts)
    findings: list[Finding] = []
    by_group: list[GroupResult] = []
    if groups and test is not None:
        by_group = measure_groups(
            scorer, test, groups, level=level, n_resamples=n_resamples, seed=seed, threads=threads
        )
        findings += group_findings(by_group, limits, level)
    swapped: list[SwapResult] = []
    for terms in _lists(swaps):
        swapped += probe_swaps(scorer, terms.probe(), level=level)
    for probe in probes:
        swapped += probe_swaps(scorer, probe, positive=probe_positive, level=level)
    findings += swap_findings(swapped, limits, level, learnt)
    robust: list[RobustnessResult] = []
    if robustness and test is not None:
        robust = measure_robustness(scorer, test, level=level, seed=seed)
        findings += robustness_findings(robust, limits, level)
    if test is not None and test.labels is not None:
        findings += worth_findings(scorer, test)
    seen = None if test is None or learnt is not None else seen_texts(model, test)
    findings += data_findings(test, learnt, groups, limits, seen)
    suspects = _label_errors(test, learnt, findings, seed, threads) if label_errors else None
    return Audit(
        scorer.labels, ordered(findings), tuple(by_group), tuple(swapped), tuple(robust), suspects, level, seed
    )


def _read(source: Any, name: str) -> Corpus | None:
    from assay.evaluation.metrics.outcomes import as_corpus

    if source is None:
        return None
    corpus: Corpus = as_corpus(source)
    if len(corpus) == 0:
        raise DataError(f"{corpus.source}: there are no texts in it ({name}=).")
    return corpus


def _lists(swaps: Sequence[str | TermList] | None) -> list[TermList]:
    if isinstance(swaps, str):
        raise ParameterError(f"swaps must be a list, such as [{swaps!r}]. Got the text {swaps!r} instead.")
    chosen = built_in_lists() if swaps is None else swaps
    return [terms if isinstance(terms, TermList) else load_list(terms) for terms in chosen]


def _label_errors(
    test: Corpus | None, train: Corpus | None, findings: list[Finding], seed: int, threads: int | None
) -> LabelErrors | None:
    """In the training texts where they are given, else in the others."""
    name, corpus = ("training", train) if train is not None else ("test", test)
    if corpus is None or corpus.labels is None:
        return None
    counts = corpus.class_counts
    single = [name for name, n in zip(corpus.label_names, counts, strict=True) if n == 1]
    if (counts > 0).sum() < (2 if corpus.task == "labels" else 1) or single:
        which = f"of {quoted(single, 5)} there is one text only" if single else "there is one class only"
        findings.append(
            Finding(
                "data",
                "label_errors_unknown",
                "unknown",
                f"Likely label errors in the {name} texts",
                f"They were not looked for: {which}.",
                "Nothing can be said.",
                "There may be label errors.",
                "This is no sign that all is well. Add texts, or leave such classes out.",
            )
        )
        return None
    errors = find_label_errors(corpus, seed=seed, threads=threads)
    findings.append(label_error_finding(errors, name))
    return errors
