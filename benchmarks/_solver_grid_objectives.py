"""What the contestants of the solver grid minimise, evaluated in double precision on anybody's weights.

===========  ===================================================  ==================
family       loss of an example                                   penalty
===========  ===================================================  ==================
svm          squared hinge, each class against the rest           ½‖w‖² + ½b²
hinge        hinge, each class against the rest                   ½‖w‖² + ½b²
softmax      −log P(label | x), a sigmoid for two classes         ½‖w‖², b is free
ovr          logistic, each class against the rest                ½‖w‖² + ½b²
l1-svm       squared hinge, each class against the rest           ‖w‖₁ + ‖b‖₁
l1-logistic  logistic, each class against the rest                ‖w‖₁ + ‖b‖₁
l1-softmax   −log P(label | x)                                    ‖w‖₁, b is free
===========  ===================================================  ==================

The objective is penalty + C · Σ loss, summed over the problems where each class stands against the rest. LIBLINEAR
carries the intercept b as the weight of a constant feature 1, and penalises it; lbfgs and its like leave it free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import log_softmax

__all__ = ["FAMILIES", "Family", "objective", "relative_gap"]

SCORES_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class Family:
    """One objective: its loss, and what is penalised how."""

    loss: str  # "squared hinge", "hinge", "logistic" or "softmax"
    sparse_penalty: bool = False
    penalised_intercept: bool = True


FAMILIES = {
    "svm": Family("squared hinge"),
    "hinge": Family("hinge"),
    "softmax": Family("softmax", penalised_intercept=False),
    "ovr": Family("logistic"),
    "l1-svm": Family("squared hinge", sparse_penalty=True),
    "l1-logistic": Family("logistic", sparse_penalty=True),
    "l1-softmax": Family("softmax", sparse_penalty=True, penalised_intercept=False),
}


def objective(family: Family, C: float, X: Any, y: Any, coef: Any, intercept: Any) -> float:
    """Penalty + C · Σ loss of weights [output][feature]; y are class indices, of two the second is output 0.

    Of label sets, y is a table of booleans, a column a label.
    """
    w, b = np.asarray(coef, np.float64).T, np.asarray(intercept, np.float64)
    penalised = [w, b] if family.penalised_intercept else [w]
    if family.sparse_penalty:
        penalty = sum(float(np.abs(part).sum()) for part in penalised)
    else:
        penalty = sum(0.5 * float(np.vdot(part, part)) for part in penalised)
    step = max(1, SCORES_AT_ONCE // w.shape[1])
    blocks = [slice(start, start + step) for start in range(0, X.shape[0], step)]
    return penalty + C * sum(_loss(family.loss, np.asarray(X[rows] @ w) + b, y[rows]) for rows in blocks)


def relative_gap(reached: float, best: float) -> float:
    """How far an objective is above the best one known, as a part of it."""
    return (reached - best) / best


def _loss(kind: str, scores: Any, y: Any) -> float:
    """Σ loss of scores [row][output]."""
    n_outputs = scores.shape[1]
    if kind == "softmax" and n_outputs > 1:
        return -float(log_softmax(scores, axis=1)[np.arange(len(y)), y].sum())
    positive = np.arange(n_outputs) if n_outputs > 1 else np.ones(1, int)
    margins = np.where(y if y.ndim == 2 else y[:, None] == positive, scores, -scores)
    if kind in ("logistic", "softmax"):
        return float(np.logaddexp(0, -margins).sum())
    slack = np.maximum(0, 1 - margins)
    return float((slack**2).sum() if kind == "squared hinge" else slack.sum())
