"""`regress`: whether features are associated with the classes, beyond what else is known of the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.data.corpus.two_classes import require_two_classes
from assay.errors import DataError, ParameterError
from assay.evaluation.uncertainty.intervals import check_level
from assay.evaluation.uncertainty.multiplicity import benjamini_hochberg, holm
from assay.inference.alternatives import held_out_p_value, permutation_p_value
from assay.inference.design import Design, check_rank
from assay.inference.few_texts import exact_p_value, few_texts_note, has_few_texts
from assay.inference.newton import LogisticFit, fit_logistic
from assay.inference.result import Coefficient, FeatureTest, Regression
from assay.inference.selection import select_features
from assay.inference.separation import Separation, find_separation
from assay.inference.validity import choose_method, validity_notes
from assay.inference.variables import Variable, control_variable, feature_variable
from assay.inference.wording import CAUTION, conclusion, separation_note
from assay.suggest import nearest_first, quote, quoted
from assay.wording import parameter, setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["regress"]

LIKELIHOOD = "likelihood ratio"


@in_our_words
def regress(
    corpus: Any,
    features: Sequence[str] | Mapping[str, Any] = (),
    controls: Sequence[str] = (),
    *,
    categorical: Sequence[str] = (),
    outcome: str | None = None,
    reference: str | None = None,
    method: str = "auto",
    top: int = 0,
    selected: bool = False,
    ridge: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
) -> Regression:
    """Test whether features are associated with the classes, beyond the controls and each other.

    A logistic regression (multinomial for more than two classes) on a few chosen features, fitted without a penalty:
    coefficients with standard errors, Wald's z, odds ratios with intervals; for each feature the likelihood-ratio test
    against the model without it, adjusted for the number of features after Holm and after Benjamini and Hochberg.

    Parameters
    ----------
    corpus
        A `Corpus`, or anything `assay.read` takes, with labels.
    features
        Words and the like, written as `assay.inference.variables` says; or numbers by name, one a text.
    controls
        Columns of the data, or ``"length"``: what the features must add to.
    categorical
        Controls whose numbers are names (a year, a code).
    outcome
        A label: ask for it against all others. None: the last of two labels, or every label against the reference.
    reference
        The label that the others are compared with; by default the first in alphabetical order.
    method
        ``"likelihood"``, ``"held-out"`` (split likelihood ratio) or ``"permutation"``; ``"auto"`` takes the first
        unless `selected`, `ridge` or the number of features makes it invalid, and then the second; and for a feature
        with fewer than 50 texts (or without it, or of the rarest class) an exact test: Fisher's where there is nothing
        else, shuffling beyond controls and other features. The last two test each feature beyond the controls only.
    top
        Besides `features`, so many words that tell the classes apart best on one half of the texts; everything is
        then tested on the other half, where the choice does no harm.
    selected
        Say that the features were chosen by looking at the labels of these very texts.
    ridge
        Penalty on the coefficients of the standardised columns.
    level
        Coverage of the intervals.
    seed
        Of halves and shuffles.

    Examples
    --------
    >>> texts = ["never again", "so good", "never a dull moment", "so dull"] * 10
    >>> labels = ["neg", "pos", "neg", "neg"] * 5 + ["neg", "neg", "pos", "pos"] * 5
    >>> result = regress((texts, labels), ["never"], outcome="neg")
    >>> round(result["never"].p_value, 4), round(result.coefficient("never").odds_ratio, 1)
    (0.1908, 3.0)
    >>> result["never"].method
    "Fisher's exact"
    """
    check_level(level)
    _check_ridge(ridge)
    corpus, features = _labelled(corpus), _named(features)
    labels, classes = _outcomes(corpus, outcome, reference)
    notes: list[str] = []
    if top:
        corpus, classes, words, note = select_features(corpus, classes, labels, top, seed, features)
        features, notes = {**dict.fromkeys(words), **features}, [note]
    if not features:
        raise ParameterError(
            f"There is no feature to test. Name some with {setting('features', ['never'])}, or have some found with "
            f"{setting('top', 10)}."
        )
    variables = _variables(corpus, features, controls, categorical)
    design = Design.of(variables, len(corpus))
    chosen = choose_method(method, design, selected=selected, ridge=ridge)
    asked = method != "auto"
    notes += validity_notes(chosen, design, classes, len(labels), selected=selected, ridge=ridge, asked=asked)
    tested = [v for v in variables if not v.is_control]
    if design.X.shape[1] < len(corpus):
        check_rank(design, corpus.source)
    fit, separation = _fit(design.X, classes, len(labels), ridge)
    if separation is not None:
        notes.insert(0, separation_note(design, separation, labels, classes))
    sound = not selected and ridge == 0
    tests = _tests(design, tested, classes, labels, fit, chosen, ridge, seed, exact=not asked, sound=sound)
    # Wald's test is the likelihood-ratio test's cousin: it is shown of features that had that test, and of controls.
    of_likelihood = {test.name for test in tests if test.method == LIKELIHOOD}
    valid = [v.is_control or v.name in of_likelihood for v in design.variables for _ in v.column_names]
    shown = [chosen == "likelihood" and ridge == 0 and there for there in (True, *valid)]
    coefficients = _coefficients(design, fit, separation, labels, level, valid=shown)
    few = [test.name for test in tests if chosen == "likelihood" and test.method != LIKELIHOOD]
    if few:
        notes.append(few_texts_note(few))
    shares = np.bincount(classes, minlength=len(labels)) / len(corpus)
    null = float(len(corpus) * (shares * np.log(shares)).sum())
    names = tuple(v.name for v in variables if v.is_control)
    return Regression(
        corpus.source,
        len(corpus),
        labels,
        names,
        coefficients,
        tests,
        fit.log_likelihood,
        null,
        level,
        tuple(conclusion(test, v, coefficients, labels, names, level) for test, v in zip(tests, tested, strict=True)),
        (*notes, CAUTION),
    )


def _check_ridge(ridge: float) -> None:
    if not 0 <= ridge < inf:
        raise ParameterError(f"{parameter('ridge')} must be a number of at least 0. Got {ridge!r} instead.")


def _labelled(source: Any) -> Corpus:
    from assay.evaluation.metrics.outcomes import as_corpus

    corpus: Corpus = as_corpus(source)
    if corpus.labels is None:
        raise DataError(
            f"{corpus.source}: there are texts but no labels. Read them with {setting('label', of_read=True)}."
        )
    return corpus


def _named(features: Sequence[str] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(features, Mapping):
        return dict(features)
    if isinstance(features, str):
        raise ParameterError(f"features must be a list, such as [{features!r}]. Got the text {features!r} instead.")
    return dict.fromkeys(features)


def _outcomes(corpus: Corpus, outcome: str | None, reference: str | None) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """The labels, the reference first, and the class of each text."""
    require_two_classes(corpus)
    present = sorted(name for name, n in zip(corpus.label_names, corpus.class_counts, strict=True) if n)
    for name, what in ((outcome, "outcome"), (reference, "reference")):
        if name is not None and name not in present:
            raise ParameterError(
                f"{corpus.source}: there is no label {quote(name)} for {setting(what)}. Labels are "
                f"{quoted(nearest_first(name, present))}."
            )
    if outcome is not None and outcome == reference:
        raise ParameterError(
            f"outcome and reference are the same label, {quote(outcome)}. Name two, or one of them only."
        )
    order = [name for name in present if name not in (outcome, reference)]
    labels = tuple(([reference] if reference else []) + order + ([outcome] if outcome else []))
    codes = np.array([labels.index(name) if name in labels else -1 for name in corpus.label_names], dtype=np.intp)
    classes = codes[corpus.classes]
    if outcome is not None and len(labels) > 2:
        rest = f"not {outcome}"
        return (rest, outcome), (classes == labels.index(outcome)).astype(np.intp)
    return labels, classes


def _variables(
    corpus: Corpus, features: Mapping[str, Any], controls: Sequence[str], categorical: Sequence[str]
) -> list[Variable]:
    strangers = [name for name in categorical if name not in controls]
    if strangers:
        raise ParameterError(f"{quote(strangers[0])} is to be categorical but is no control. Add it to the controls.")
    twice = [name for name in controls if name in features or list(controls).count(name) > 1]
    if twice:
        raise ParameterError(f"{quote(twice[0])} is named twice. Give each feature and each control once.")
    made = [
        feature_variable(corpus, name) if values is None else _given(name, values, len(corpus))
        for name, values in features.items()
    ]
    return made + [control_variable(corpus, name, categorical=name in categorical) for name in controls]


def _given(name: str, values: Any, n: int) -> Variable:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.shape != (n,) or not np.isfinite(numbers).all():
        raise ParameterError(
            f"The feature {name!r} must be {n} finite numbers, one a text. Got shape {numbers.shape}"
            f"{'' if np.isfinite(numbers).all() else ' with NaN or infinity'} instead."
        )
    return Variable(name, numbers[:, None], (name,), "each further one")


def _fit(X: Any, classes: Any, n_classes: int, ridge: float) -> tuple[LogisticFit, Separation | None]:
    penalty = ridge if X.shape[1] < len(X) else max(ridge, 1.0)
    fit = fit_logistic(X, classes, n_classes, ridge=penalty)
    return fit, find_separation(X, classes, n_classes) if fit.far else None


def _tests(
    design: Design,
    tested: Sequence[Variable],
    classes: NDArray[np.intp],
    labels: tuple[str, ...],
    fit: LogisticFit,
    method: str,
    ridge: float,
    seed: int,
    *,
    exact: bool,
    sound: bool,
) -> tuple[FeatureTest, ...]:
    n_classes = len(labels)
    controls = Design.of([v for v in design.variables if v.is_control], len(design.X)).X
    found = []
    for variable in tested:
        statistic, degrees, holds = nan, 0, True
        few = method == "likelihood" and has_few_texts(variable, classes, n_classes)
        if few and exact:
            p, name = exact_p_value(variable, design.without(variable), classes, n_classes, seed)
        elif method == "likelihood":
            holds = sound and not few
            degrees = len(variable.column_names) * (n_classes - 1)
            without = fit_logistic(design.without(variable), classes, n_classes, ridge=ridge).log_likelihood
            statistic = max(0.0, 2 * (fit.log_likelihood - without))
            p, name = _chi_squared_tail(statistic, degrees), LIKELIHOOD
        else:
            # A feature of several columns: the smallest p of them, times their number.
            test = held_out_p_value if method == "held-out" else permutation_p_value
            ps = [test(column, controls, classes, n_classes, seed=seed) for column in variable.columns.T]
            p = min(1.0, min(ps) * len(ps))
            name = "held-out likelihood ratio" if method == "held-out" else "permutation"
        found.append(FeatureTest(variable.name, name, statistic, degrees, p, nan, nan, variable.n_present, holds))
    ps = [test.p_value for test in found]
    adjusted = zip(found, holm(ps), benjamini_hochberg(ps), strict=True)
    return tuple(replace(test, holm=h, benjamini_hochberg=b) for test, h, b in adjusted)


def _coefficients(
    design: Design,
    fit: LogisticFit,
    separation: Separation | None,
    labels: tuple[str, ...],
    level: float,
    *,
    valid: Sequence[bool],
) -> tuple[Coefficient, ...]:
    from scipy.special import ndtr, ndtri

    width = float(ndtri(0.5 + level / 2))
    is_control = [True, *(v.is_control for v in design.variables for _ in v.column_names)]
    errors = fit.standard_errors
    made = []
    for k, label in enumerate(labels[1:]):
        for j, name in enumerate(design.names):
            estimate, error = float(fit.coefficients[j, k]), float(errors[j, k])
            sign = 0 if separation is None else int(separation.signs[j, k])
            if separation is not None and (sign or separation.undetermined[j, k]):
                made.append(Coefficient(name, label, is_control[j], sign * inf if sign else nan, *[nan] * 5))
                continue
            z = estimate / error if valid[j] and error > 0 else nan
            p = float(2 * ndtr(-abs(z)))
            half = width * error if valid[j] else nan
            shown = error if valid[j] else nan
            made.append(
                Coefficient(name, label, is_control[j], estimate, shown, z, p, estimate - half, estimate + half)
            )
    family = [i for i, c in enumerate(made) if not c.is_control and c.p_value == c.p_value]
    ps = [made[i].p_value for i in family]
    for i, h, b in zip(family, holm(ps), benjamini_hochberg(ps), strict=True):
        made[i] = replace(made[i], holm=h, benjamini_hochberg=b)
    return tuple(made)


def _chi_squared_tail(statistic: float, degrees: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic))
