"""Tests that hold where Wald's and the likelihood-ratio test do not.

That is after selection, under a penalty, with many features or few texts. Both ask whether one feature adds to the
controls; neither leans on the normal or the χ² distribution.
"""

from __future__ import annotations

import numpy as np

from assay.inference.newton import Classes, Floats, fit_logistic, log_likelihoods

__all__ = ["held_out_p_value", "permutation_p_value"]

_RIDGE = 1.0  # keeps the estimate of a half from running away; the test is valid for any estimate


def held_out_p_value(
    feature: Floats, controls: Floats, classes: Classes, n_classes: int, *, n_splits: int = 10, seed: int = 0
) -> float:
    """Split likelihood-ratio test: a model with the feature, fitted on one half, must explain the other half better.

    E = L(half; model with the feature fitted on the other half) / max L(half; any model without it). Without an
    effect, E averages at most 1 whatever was estimated how on the other half, so 1/E is a p-value, for every n. E is
    averaged over both roles of the halves and over several divisions. The test is cautious: it needs about twice the
    evidence of the ordinary one.

    Parameters
    ----------
    feature
        (n,).
    controls
        (n, n_controls + 1), the first column all ones.
    classes, n_classes
        Class of each row, and how many there are.
    n_splits
        Divisions into halves.
    seed
        Of the divisions.

    References
    ----------
    Wasserman, Ramdas & Balakrishnan (2020), Universal inference.
    """
    whole = np.column_stack([controls, feature])
    log_ratios = []
    for split in range(n_splits):
        order = np.random.default_rng([seed, split]).permutation(len(feature))
        halves = order[: len(order) // 2], order[len(order) // 2 :]
        for learnt, tested in (halves, halves[::-1]):
            full = fit_logistic(whole[learnt], classes[learnt], n_classes, ridge=_RIDGE)
            null = fit_logistic(controls[tested], classes[tested], n_classes)
            gained = log_likelihoods(whole[tested], classes[tested], full.coefficients).sum() - null.log_likelihood
            log_ratios.append(gained)
    top = max(log_ratios)
    log_mean = top + np.log(np.mean(np.exp(np.array(log_ratios) - top)))
    return float(np.exp(-max(0.0, log_mean)))


def permutation_p_value(
    feature: Floats, controls: Floats, classes: Classes, n_classes: int, *, n_permutations: int = 1999, seed: int = 0
) -> float:
    """Permutation test of the feature's residuals: how often a feature dealt out at random is as telling.

    What the controls say of the feature is taken off by least squares; the rest is shuffled over the texts, and each
    time compared with what the controls leave unexplained of the classes (the score statistic). The p-value is (1 +
    shuffles at least as telling)/(1 + shuffles).

    References
    ----------
    Potter (2005), A permutation test for inference in logistic regression with small- and moderate-sized data sets.
    """
    null = fit_logistic(controls, classes, n_classes)
    scores = np.column_stack([np.zeros(len(controls)), controls @ null.coefficients])
    scores -= scores.max(axis=1, keepdims=True)
    P = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    unexplained = np.eye(n_classes)[classes] - P  # (n, n_classes)
    spread = np.sqrt(np.maximum((P * (1 - P)).mean(axis=0), 1e-12))
    unexplained /= spread
    residual = feature - controls @ np.linalg.lstsq(controls, feature, rcond=None)[0]
    observed = _telling(residual, unexplained)
    generator = np.random.default_rng([seed, 1])
    found = np.array([_telling(generator.permutation(residual), unexplained) for _ in range(n_permutations)])
    return float((1 + np.count_nonzero(found >= observed * (1 - 1e-12))) / (1 + n_permutations))


def _telling(residual: Floats, unexplained: Floats) -> float:
    return float(((residual @ unexplained) ** 2).sum())
