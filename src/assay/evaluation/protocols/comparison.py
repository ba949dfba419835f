"""`assay.compare`: whether the difference between models is real."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from assay.arguments import in_our_words
from assay.errors import ParameterError
from assay.evaluation.metrics.catalogue import AREAS, AVERAGES, DocumentMetric, LabelMetric, parse_metric
from assay.evaluation.metrics.outcomes import Label, Outcomes, choices
from assay.evaluation.metrics.set_catalogue import OneLabelMetric, parse_set_metric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.protocols.comparison_result import TESTS, Comparison, Comparisons, p_text
from assay.evaluation.protocols.operands import paired_outcomes
from assay.evaluation.protocols.seen_texts import SeenTexts
from assay.evaluation.uncertainty.difference_interval import difference_interval
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import (
    acceleration,
    bca_interval,
    check_level,
    percentile_interval,
    widening_of_few,
)
from assay.evaluation.uncertainty.measuring import NO_SPREAD, check_interval
from assay.evaluation.uncertainty.metric_value import MetricLike, metric_of
from assay.evaluation.uncertainty.multiplicity import holm
from assay.evaluation.uncertainty.resampling import Cells, Documents, Floats, Resampling
from assay.evaluation.uncertainty.set_measuring import label_outcomes
from assay.evaluation.uncertainty.set_resampling import SetTexts
from assay.evaluation.uncertainty.significance import (
    bootstrap_p_value,
    check_alternative,
    mcnemar_p_value,
    randomization_p_value,
)
from assay.evaluation.uncertainty.user_metric import FunctionSampler
from assay.suggest import counted
from assay.wording import parameter, setting

__all__ = ["compare"]

Measured = Outcomes | SetOutcomes
Sampler = Cells | Documents | SetTexts | FunctionSampler

OF_REPEATS = 1.08  # spread of average precision in samples over that in resamples: 1.03 to 1.11 in simulations


@in_our_words
def compare(
    *models: Any,
    corpus: Any = None,
    metric: MetricLike | None = None,
    test: str = "bootstrap",
    alternative: str = "two-sided",
    names: Sequence[str] | None = None,
    labels: Sequence[Label] | None = None,
    metric_uses: str = "labels",
    interval: str = "auto",
    level: float = 0.95,
    n_resamples: int = 10_000,
    stratified: bool = False,
    seed: int = 0,
    threads: int | None = None,
) -> Comparison | Comparisons:
    """Compare models on the same documents.

    ``compare(a, b, corpus)`` gives a `Comparison`; ``compare(a, b, c, corpus)`` or ``compare({"svm": a, …},
    corpus)`` compares every pair and corrects for their number by Holm's method.

    Parameters
    ----------
    models
        Two or more models, followed by the corpus; or evaluations or cross-validations of the same documents;
        or predicted labels, followed by the true ones.
    corpus
        The documents, where they are not the last of `models`.
    metric
        A name (`assay.evaluation.metrics.catalogue`) or a function of ``(y_true, y_pred)`` of which more is better.
        Default: ``"macro_f1"``, for McNemar ``"accuracy"``; of label sets ``"micro_f1"`` and ``"subset_accuracy"``.
    test
        ``"bootstrap"`` (Berg-Kirkpatrick et al. 2012), ``"randomization"`` (Noreen 1989), ``"mcnemar"``
        (exact) or ``"mcnemar_mid_p"``. Where every bootstrap resample shows the same lead, as of two documents of which
        one model got both and the other none, the bootstrap has no doubt to measure: randomization takes its place, and
        `Comparison.test` says so; as it does of macro averages of label sets, of whose rare labels resamples have none.
    alternative
        ``"two-sided"``: the models differ, as the interval asks; ``"greater"``: the first model is better; ``"less"``.
    names
        What to call the models. Default: A, B, …
    labels
        Every label, where predictions may hold some that the truth does not.
    metric_uses
        What a metric function takes as its second argument: ``"labels"`` or ``"probabilities"``.
    interval
        Of the difference. ``"auto"``: from both models' own intervals, and none, with its reason, where one of those
        would not hold; of a function, and with ``"percentile"`` or ``"bca"`` of any metric: that of the resamples.
    level
        Coverage of the interval; 1 - level is the level of the test.
    n_resamples, seed
        Resamples of the interval and of the test, and where their randomness comes from.
    stratified
        Keep the number of documents of each true class in every bootstrap resample.
    threads
        None: every processor. The result does not depend on it.

    Examples
    --------
    >>> truth = ["y", "y", "y", "y", "y", "n", "n", "n", "n", "n"]
    >>> a = ["y", "y", "y", "n", "y", "y", "n", "n", "y", "n"]
    >>> b = ["y", "n", "y", "y", "n", "n", "y", "n", "y", "y"]
    >>> result = compare(a, b, truth, metric="accuracy")
    >>> round(result.difference.value, 2)
    0.2
    """
    if test not in TESTS:
        raise ParameterError(f"{parameter('test')} must be one of {choices(test, TESTS)}. Got {test!r} instead.")
    check_interval(interval)
    systems, found_names, seen = paired_outcomes(models, corpus, names, labels)
    several = len(systems) > 2
    settings = _Settings(
        _chosen_metric(metric, test, isinstance(systems[0], SetOutcomes)),
        test,
        check_alternative(alternative),
        metric_uses,
        interval,
        check_level(level),
        Resampling(n_resamples, seed, stratified, threads),
    )
    pairs = []
    for i, j in combinations(range(len(systems)), 2):
        pair = _compare_pair(systems[i], systems[j], found_names[i], found_names[j], settings)
        known = {name: texts for name, texts in ((found_names[i], seen[i]), (found_names[j], seen[j])) if texts}
        pairs.append(replace(pair, notes=_notes(known, systems[i], systems[j], pair, settings)))
    if not several:
        return pairs[0]
    adjusted = holm([pair.p_value or _resolution(pair) for pair in pairs])
    return Comparisons(tuple(replace(pair, adjusted_p_value=p) for pair, p in zip(pairs, adjusted, strict=True)))


def _notes(
    known: Mapping[str, SeenTexts], a: Measured, b: Measured, pair: Comparison, settings: _Settings
) -> tuple[str, ...]:
    """Which documents the two know from their training, and what the difference is without those."""
    if not known:
        return ()
    notes = [f"{name}: {seen.sentence}" for name, seen in known.items()]
    rows = np.flatnonzero(~np.logical_or.reduce([seen.near for seen in known.values()]))
    if rows.size == 0 or (isinstance(a, Outcomes) and np.unique(a.truth[rows]).size < 2):
        left = "None is left" if not rows.size else "Those that are left are of one class: they do not serve"
        return (*notes, f"{left} to say which is better on new texts.")
    rest = _compare_pair(a.among(rows), b.among(rows), pair.first, pair.second, settings)
    texts = counted(rows.size, "document", "documents")
    return (*notes, f"Without them, on {texts}: {rest.metric} {rest.difference.cell(4)}, {p_text(rest)}.")


def _resolution(pair: Comparison) -> float:
    """The smallest p-value that so many resamples can tell from 0."""
    return 1 / pair.n_resamples if pair.test == "bootstrap" else 0.0


@dataclass(frozen=True)
class _Settings:
    metric: MetricLike
    test: str
    alternative: str
    metric_uses: str
    interval: str
    level: float
    plan: Resampling


def _chosen_metric(metric: MetricLike | None, test: str, of_sets: bool) -> MetricLike:
    if not test.startswith("mcnemar"):
        return ("micro_f1" if of_sets else "macro_f1") if metric is None else metric
    accuracy = "subset_accuracy" if of_sets else "accuracy"
    if metric not in (None, accuracy):
        raise ParameterError(
            f"McNemar's test compares accuracies. Got {setting('metric', metric)}. Use "
            f"{setting('metric', accuracy)}, or {setting('test', 'bootstrap')} or "
            f"{setting('test', 'randomization')}, "
            "which take any metric."
        )
    return accuracy


def _compare_pair(a: Measured, b: Measured, first: str, second: str, settings: _Settings) -> Comparison:
    sampler, name, sign = _sampler(a, b, settings)
    values = sampler.observed[:, 0]
    lead = sign * float(values[0] - values[1])
    resampled = _lead(sampler.bootstrap(), sign)
    # Two documents on which one model is right and the other wrong give nothing but such resamples, and no doubt. How
    # often chance would deal the answers so is what randomization counts.
    unsure = (np.ptp(resampled) == 0 and lead) or _leaves_out_labels(sampler)
    test = "randomization" if settings.test == "bootstrap" and unsure else settings.test
    if test.startswith("mcnemar"):
        only_first, only_second = int((a.correct & ~b.correct).sum()), int((~a.correct & b.correct).sum())
        p = mcnemar_p_value(only_first, only_second, settings.alternative, test == "mcnemar_mid_p")
    elif test == "bootstrap":
        chance = _widening(sampler, name, a.n_documents) * (resampled - lead)
        p = bootstrap_p_value(lead, lead + chance, settings.alternative)
    else:
        p = randomization_p_value(lead, _lead(sampler.randomize(), sign), settings.alternative)
    return Comparison(
        first,
        second,
        name,
        float(values[0]),
        float(values[1]),
        _difference(_measured_by(a, b, sampler), sampler, sign * lead, sign * resampled, settings),
        1.0 if np.isnan(lead) else p,
        test,
        settings.alternative,
        settings.level,
        a.n_documents,
        settings.plan.n_resamples,
        settings.plan.seed,
        both_right=int((a.correct & b.correct).sum()),
        only_first=int((a.correct & ~b.correct).sum()),
        only_second=int((~a.correct & b.correct).sum()),
        neither=int((~a.correct & ~b.correct).sum()),
        n_different=_n_different(a, b, sampler),
        more_is_better=sign > 0,
    )


def _sampler(a: Measured, b: Measured, settings: _Settings) -> tuple[Sampler, str, int]:
    metric = settings.metric
    if callable(metric):
        name = getattr(metric, "__name__", "metric")
        shown = "metric" if name == "<lambda>" else name
        return FunctionSampler([a, b], metric, settings.plan, settings.metric_uses), shown, 1
    if isinstance(a, SetOutcomes) and isinstance(b, SetOutcomes):
        return _set_sampler(a, b, metric, settings.plan)
    assert isinstance(a, Outcomes)
    assert isinstance(b, Outcomes)
    parsed = parse_metric(metric, a.labels)
    if isinstance(parsed, LabelMetric):
        return Cells([a, b], [parsed], settings.plan), metric, 1
    return Documents([a, b], [parsed], settings.plan), metric, parsed.sign


def _leaves_out_labels(sampler: Sampler) -> bool:
    """Whether resamples lack labels that few texts have: equal models were called different in 8 of 100 sets so."""
    if not isinstance(sampler, SetTexts):
        return False
    metric = sampler.metrics[0]
    return isinstance(metric, LabelMetric) and metric.code[1] == AVERAGES["macro"]


def _set_sampler(a: SetOutcomes, b: SetOutcomes, name: str, plan: Resampling) -> tuple[Sampler, str, int]:
    metric = parse_set_metric(name, a.labels)
    if not isinstance(metric, OneLabelMetric):
        return SetTexts([a, b], [metric], plan), name, metric.sign
    if metric.label < 0:
        raise ParameterError(
            f"{name!r} is a mean over labels of errors that chance makes larger: two of them cannot be compared. "
            f"Compare that of one label, such as '{name}:{a.labels[0]}'."
        )
    pair = [label_outcomes(system, metric, metric.label) for system in (a, b)]
    inner = DocumentMetric(metric.kind, metric.kind, 1 if metric.kind in AREAS else -1)
    return Documents(pair, [inner], plan), name, metric.sign


def _measured_by(a: Measured, b: Measured, sampler: Sampler) -> tuple[Measured, Measured]:
    """What the sampler measures: of one label's probabilities, its outcomes against its absence."""
    if isinstance(sampler, Documents):
        return sampler.systems[0], sampler.systems[1]
    return a, b


def _widening(sampler: Sampler, metric: str, n_documents: int) -> float:
    """What the chance of resamples is multiplied by: it is too small where documents are few.

    That of average precision is smaller still, since repeats smoothen it. That of accuracy holds as it is, and a test
    of it is the textbook's; of functions nothing is known.
    """
    if isinstance(sampler, Documents) and sampler.metrics[0].kind == "average_precision":
        return OF_REPEATS
    as_in_the_books = isinstance(sampler, FunctionSampler) or metric == "accuracy"
    return 1.0 if as_in_the_books else widening_of_few(n_documents)


def _lead(values: Floats, sign: int) -> Floats:
    return sign * (values[:, 0, 0] - values[:, 1, 0])


def _difference(
    systems: tuple[Measured, Measured],
    sampler: Sampler,
    value: float,
    resampled: Floats,
    settings: _Settings,
) -> Estimate:
    if np.isnan(value):
        return Estimate(value, reason="the metric is undefined for one of the models")
    if settings.interval == "auto" and not isinstance(sampler, FunctionSampler):
        metric = sampler.metrics[0] if isinstance(sampler, Documents) else metric_of(str(settings.metric), systems[0])
        return difference_interval(systems, metric, sampler, settings.plan, settings.level)
    column = resampled[:, None]
    if settings.interval == "bca":
        left_out, weights = sampler.left_out()
        a = acceleration(left_out[:, 0] - left_out[:, 1], weights)
        low, high = bca_interval(column, np.array([value]), a, settings.level)
    else:
        low, high = percentile_interval(column, settings.level)
    if low[0] == high[0] and value != 0:
        return Estimate(value, reason=NO_SPREAD)
    method = "bca" if settings.interval == "bca" else "percentile"
    return Estimate(value, float(low[0]), float(high[0]), method)


def _n_different(a: Measured, b: Measured, sampler: Sampler) -> int:
    """Documents on which the two differ: in their label, or for metrics of scores in any probability."""
    if isinstance(a, SetOutcomes):
        assert isinstance(b, SetOutcomes)
        different = a.differs_from(b)
    else:
        assert isinstance(b, Outcomes)
        different = np.not_equal(a.predicted, b.predicted)
    if not isinstance(sampler, Cells):
        for first, second in ((a.probabilities, b.probabilities), (a.scores, b.scores)):
            if first is not None and second is not None:
                different = different | (first != second).any(axis=1)
    return int(different.sum())
