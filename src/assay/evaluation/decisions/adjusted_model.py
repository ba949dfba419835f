"""A model with a calibration and a decision rule put after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.prediction.calibration import Calibration
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.probability_cap import ProbabilityCap

__all__ = ["AdjustedModel"]


class AdjustedModel:
    """What a fitted model says, calibrated and decided.

    Parameters
    ----------
    model
        Fitted; its ``classes_`` or ``labels`` are those of the calibration, in any order.
    calibration
        Turns its probabilities or scores into probabilities. None: they are taken as they are.
    rule
        Turns probabilities into labels. None: the most probable one.
    cap
        The largest probability of a label, see `choose_cap`. None: 1.

    Attributes
    ----------
    labels
        Order of the columns of `predict_proba`.
    """

    def __init__(
        self,
        model: Any,
        calibration: Calibration | None = None,
        rule: DecisionRule | None = None,
        cap: ProbabilityCap | None = None,
    ) -> None:
        given = calibration or rule or cap
        if given is None:
            raise ParameterError("AdjustedModel needs a calibration, a rule or a cap. Got none of them.")
        declared = getattr(model, "labels", None)
        own = tuple(np.asarray(declared if declared is not None else model.classes_).tolist())
        if set(own) != set(given.labels):
            raise ParameterError(
                f"The model's labels {list(own)!r} are not those of the adjustment, {list(given.labels)!r}. Fit both "
                "on the same labels."
            )
        self.labels = given.labels
        self.rule = rule or DecisionRule(given.labels)
        self.calibration = calibration
        self.cap = None if cap is None else cap.reordered(given.labels)
        self._model = model
        self._columns = [own.index(label) for label in self.labels]

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Calibrated probabilities, columns in the order of `labels`."""
        of_scores = self.calibration is not None and not self.calibration.of_probabilities
        ask = self._model.decision_function if of_scores else self._model.predict_proba
        table = np.asarray(ask(texts), dtype=np.float64)
        if table.ndim == 1:
            table = np.column_stack([-table, table])
        table = table[:, self._columns]
        if self.calibration is not None:
            table = self.calibration.apply(table)
        return table if self.cap is None else self.cap.apply(table)

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """Labels by the rule; None where it abstains."""
        return self.rule.predict(self.predict_proba(texts))
