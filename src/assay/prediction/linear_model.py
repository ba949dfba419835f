"""A linear text classifier as data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.features.columns.blocks import FeatureBlock
from assay.features.ngrams.text_features import Hashing, TextFeatures
from assay.header_checks import within
from assay.label_sets import Task
from assay.label_tree import UNREACHED, LabelTree, ReachedLabels
from assay.label_types import LabelType
from assay.prediction.calibration import Calibration
from assay.prediction.decision import Decision
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.probabilities import Floats, Link
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.scoring import Scorer, TreeScorer, documents_of, finite_scores
from assay.prediction.set_decision import decision_of
from assay.prediction.set_rule import SetRule
from assay.prediction.weights import SparseWeights, Weights
from assay.threads import count_threads

__all__ = ["LinearTextModel", "count_outputs"]


@dataclass(frozen=True, eq=False)
class LinearTextModel:
    """Everything that prediction needs: which features, what they weigh, and what follows the scores.

    score[k] = bias[k] + Σ_j value of feature j in the text · weights[j, k].

    Parameters
    ----------
    features
        Blocks of columns, side by side: models over different features fold into one.
    weights
        (n_features, n_labels), or (n_features, 1) for two labels, whose one score is above 0 for the second; a score
        for every label where a text may have several. float32 or float64, finite.
    bias
        float64, one for each column of the weights.
    labels
        Names of the classes, in order.
    link, calibration, rule, cap, label_type
        What follows the scores, see `Decision`.
    task
        What a text is given: "labels", one label, or "label-sets", several or none.
    tree
        Of thousands of labels, a tree whose nodes the columns of the weights are; a label is scored by its way.

    Examples
    --------
    >>> from assay.features.ngrams.analysis import Analysis
    >>> from assay.features.ngrams.text_features import TextFeatures, Weighting
    >>> from assay.features.ngrams.vocabulary import Vocabulary
    >>> words = Vocabulary.from_terms(Analysis(), {"good": 0, "bad": 1})
    >>> features = TextFeatures(Analysis(), words, Weighting())
    >>> model = LinearTextModel((features,), np.array([[1.0], [-2.0]]), np.zeros(1), ("neg", "pos"), "sigmoid")
    >>> model.predict(["good good film", "not bad"]).tolist()
    ['pos', 'neg']
    >>> model.decision_function(["good good film"]).tolist()
    [2.0]
    """

    features: tuple[FeatureBlock, ...]
    weights: Weights
    bias: Floats
    labels: tuple[str, ...]
    link: Link | None = None
    calibration: Calibration | None = None
    rule: DecisionRule | SetRule | None = None
    cap: ProbabilityCap | None = None
    label_type: LabelType = "text"
    task: Task = "labels"
    tree: LabelTree | None = None

    def __post_init__(self) -> None:
        n_outputs = count_outputs(len(self.labels), self.task)
        if self.tree is not None:
            n_outputs = self.tree.n_nodes
            self._check_tree(self.tree)
        expected = (sum(block.n_columns for block in self.features), n_outputs)
        if tuple(self.weights.shape) != expected:
            raise ParameterError(
                f"The weights have shape {tuple(self.weights.shape)}, but {expected[0]} features and "
                f"{len(self.labels)} labels need {expected}."
            )
        if self.weights.dtype not in (np.float32, np.float64):
            raise ParameterError(f"The weights must be float32 or float64. Got {self.weights.dtype} instead.")
        if self.bias.shape != (n_outputs,) or self.bias.dtype != np.float64:
            raise ParameterError(
                f"The bias must be {n_outputs} float64 numbers. Got shape {self.bias.shape}, {self.bias.dtype} instead."
            )
        kept = self.weights.data if isinstance(self.weights, SparseWeights) else self.weights
        if not (within(kept) and within(self.bias)):
            raise ParameterError("The weights and the bias must be finite numbers. Got NaN or infinity among them.")
        _ = self.decision

    @cached_property
    def decision(self) -> Decision:
        """What follows the scores."""
        parts = self.link, self.calibration, self.rule, self.cap, self.label_type
        return decision_of(self.task)(self.labels, *parts)

    def _check_tree(self, tree: LabelTree) -> None:
        if tree.n_labels != len(self.labels) or self.task != "label-sets":
            raise ParameterError(
                f"The label tree has {tree.n_labels:,} labels for sets, and the model {len(self.labels):,} of the task "
                f"{self.task!r}. Both must be the same."
            )
        if not isinstance(self.weights, SparseWeights):
            raise ParameterError("The weights of a label tree must be sparse: SparseWeights.from_table makes them so.")

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer(self.features, self.weights, self.bias)

    @cached_property
    def _tree_scorer(self) -> TreeScorer:
        assert self.tree is not None
        assert isinstance(self.weights, SparseWeights)
        return TreeScorer(self.features, self.tree, self.weights, self.bias)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def n_features(self) -> int:
        """Columns of all blocks."""
        return int(self.weights.shape[0])

    def expect(self, characters: int) -> None:
        """Prepare, in other threads, for texts of so many characters in all that are still being read."""
        for block in self.features:
            if isinstance(block, TextFeatures) and not isinstance(block.columns, Hashing):
                block.columns.expect(characters)

    def prepare(self) -> None:
        """Make every table now that texts would be quicker with; else they are made when enough texts have come."""
        if self.tree is None:
            self._scorer.prepare()

    def decision_function(self, texts: Any, *, threads: int | None = None) -> Floats:
        """Scores (n, n_labels); where a text has one of two labels, (n,): above 0 for the second."""
        if self.tree is not None:
            return self.reached(texts, threads=threads).table(UNREACHED)
        scores = finite_scores(self._scorer.score(documents_of(texts), count_threads(threads)))
        return scores[:, 0] if self.task == "labels" and scores.shape[1] == 1 else scores

    def reached(self, texts: Any, *, threads: int | None = None) -> ReachedLabels:
        """Of a label tree, the labels that the search came to for each text, and their scores."""
        found = self._tree_scorer.reached(documents_of(texts), count_threads(threads))
        finite_scores(found.values)
        return found

    def scored(self, texts: Any, *, threads: int | None = None) -> Floats | ReachedLabels:
        """What the decision takes: the scores of all labels, or those that a label tree came to."""
        return (self.decision_function if self.tree is None else self.reached)(texts, threads=threads)

    def predict_proba(self, texts: Any, *, threads: int | None = None) -> Floats:
        """Probability of each label, (n, n_labels); 0 for labels that the search of a label tree did not come to."""
        self.decision.require_probabilities()
        return self.decision.probabilities(self.scored(texts, threads=threads))

    def predict(self, texts: Any, *, threads: int | None = None) -> NDArray[Any]:
        """Label of each text, as text; None where the rule abstains. Of label sets, a tuple a text."""
        return self.decision.predict(self.scored(texts, threads=threads))


def count_outputs(n_labels: int, task: Task) -> int:
    """Scores of a text: one for each label, but of two labels, of which a text has one, only that of the second."""
    return 1 if task == "labels" and n_labels == 2 else n_labels
