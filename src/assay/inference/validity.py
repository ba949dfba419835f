"""When the p-values of a regression hold, and what to take where they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.inference.design import Design
from assay.suggest import check_choice, counted
from assay.wording import parameter, setting

__all__ = ["METHODS", "choose_method", "validity_notes"]

METHODS = ("auto", "likelihood", "held-out", "permutation")
_FEW_EVENTS = 10  # texts of the rarest class for each coefficient, below which normal approximations are poor


def choose_method(method: str, design: Design, *, selected: bool, ridge: float) -> str:
    """The test to use: where nothing was asked for, one that holds."""
    check_choice(parameter("method"), method, METHODS)
    too_many = design.X.shape[1] >= len(design.X)
    if method == "likelihood" and too_many:
        raise ParameterError(
            f"{_columns(design.X.shape[1])} for {counted(len(design.X), 'text', 'texts')}: the likelihood has no "
            f"single maximum, and its tests say nothing. Use {_sound_methods()}."
        )
    if method != "auto":
        return method
    return "held-out" if selected or ridge > 0 or too_many else "likelihood"


def _columns(n_columns: int) -> str:
    """How many columns there are beside the intercept."""
    return counted(n_columns - 1, "feature or control", "features and controls")


def _sound_methods() -> str:
    return f"{setting('method', 'held-out')} or {setting('method', 'permutation')}"


def validity_notes(
    method: str, design: Design, classes: NDArray[np.intp], n_classes: int, *, selected: bool, ridge: float, asked: bool
) -> list[str]:
    """What makes p-values doubtful here, and what was done or can be done about it.

    `asked`: the method was, so that nothing else is taken for features of few texts.
    """
    n, n_columns = design.X.shape
    reasons: list[Any] = []
    if selected:
        reasons.append("the features were chosen by looking at the labels of the same texts")
    if ridge > 0:
        reasons.append(f"the coefficients are shrunk by a penalty (ridge {ridge:g})")
    if n_columns >= n:
        there = "there is" if n_columns == 2 else "there are"
        reasons.append(f"{there} {_columns(n_columns)} for {counted(n, 'text', 'texts')}")
    notes = []
    if reasons:
        because = " and ".join(reasons)
        if method == "likelihood":
            notes.append(
                f"These p-values do not hold: {because}. Wald's and the likelihood-ratio test take the features as "
                "given beforehand and the estimates as unshrunk; after that, p-values come out too small. Use "
                f"{_sound_methods()}, or test on texts that were not looked at."
            )
        else:
            notes.append(
                f"Because {because}, Wald's and the likelihood-ratio test do not hold and are not shown. The p-values "
                f"are those of the {method} test, which does not depend on them"
                + (
                    "."
                    if not (selected and method == "permutation")
                    else "; but a choice by these very labels still does."
                )
            )
    smallest = int(np.bincount(classes, minlength=n_classes).min())
    if asked and method == "likelihood" and n_columns < n and smallest < _FEW_EVENTS * (n_columns - 1):
        notes.append(
            f"The rarest class has {counted(smallest, 'text', 'texts')} for {_columns(n_columns)}; below {_FEW_EVENTS} "
            f"for each, standard errors and p-values are rough. Prefer {setting('method', 'permutation')}."
        )
    return notes
