"""A tree of linear support vector machines over thousands of labels."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from assay.label_sets import LabelSets
from assay.label_tree import UNREACHED, LabelTree, ReachedLabels
from assay.learners.estimators.base import Learner
from assay.learners.parameters import check_flag, check_number, threads_of
from assay.learners.solvers.label_tree import LabelTreeSettings, fit_label_tree
from assay.learners.solvers.solution import tree_search

__all__ = ["LabelTreeClassifier"]


class LabelTreeClassifier(Learner):
    """Label tree: labels whose texts are alike hang together, and only a few parts of the tree are looked at.

    Labels are divided into leaves of the same size by balanced 2-means of the mean rows of their texts; leaves hang at
    inner nodes, and these at the root. Every node has a support vector machine (squared hinge) that tells it from its
    siblings, learned on the rows that have a label below its parent. A row goes down from the root, at every depth into
    the `beam` nodes with the best scores, and the labels it comes to are scored by their whole way: 1 − √(Σ max(0, 1 −
    s)²) of the scores s of its nodes, or the least of these where each is at least 1. Other labels have the score -10.

    Parameters
    ----------
    C
        Weight of the errors against the length of the weights, at every node.
    leaf
        Labels in a leaf at most. With no more labels than that there is one leaf, and scores are those of `LinearSVC`,
        as far as they are above -10.
    branches
        Nodes that hang at an inner node at most, but for the labels of leaves.
    beam
        Nodes of a depth that are gone into. With as many as there are, the search is exhaustive.
    most
        Labels that a row can be given: of those that the search comes to the best; 0 for all.
    prune
        Weights nearer to 0 than this are dropped.
    fit_intercept
        Whether there is a bias, penalised as a feature of constant 1.
    tol
        Stop when the objective is known to be within this fraction of the optimum.
    max_iter
        Passes of the solver at most.
    random_state
        Seed of the tree and of the order in which rows are visited.
    n_jobs
        Threads; None and -1 take all processors. It changes no bit of the result.

    Attributes
    ----------
    tree_
        Which node hangs at which, a `LabelTree` of `assay.label_tree`.
    coef_, intercept_
        Of the nodes: (n_nodes, n_features), sparse, and (n_nodes,).
    classes_
        The labels: numbers of columns, where sets were learned.
    n_iter_, converged_
        Most passes of the solver at a node. Whether `tol` was reached at all; a `ConvergenceWarning` says when not.

    Examples
    --------
    >>> from assay.learners import LabelTreeClassifier
    >>> X = np.eye(4)[[0, 1, 2, 3, 0, 1, 2, 3]]
    >>> Y = np.eye(4, dtype=int)[[0, 1, 2, 3, 0, 1, 2, 3]]
    >>> model = LabelTreeClassifier(leaf=2, beam=1, C=10).fit(X, Y)
    >>> model.tree_.n_nodes, model.predict(X[:2]).tolist()
    (6, [[1, 0, 0, 0], [0, 1, 0, 0]])

    References
    ----------
    Prabhu et al. (2018), Parabel. Khandagale, Xiao & Babbar (2020), Bonsai. Etter et al. (2022), on quick beam search.
    """

    _takes_dense_rows = False
    tree_: LabelTree

    def __init__(
        self,
        *,
        C: float = 1.0,
        leaf: int = 100,
        branches: int = 100,
        beam: int = 10,
        most: int = 50,
        prune: float = 0.01,
        fit_intercept: bool = True,
        tol: float = 1e-2,
        max_iter: int = 1000,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.leaf = leaf
        self.branches = branches
        self.beam = beam
        self.most = most
        self.prune = prune
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X and their sets of labels, or one label each; each row counts `sample_weight` times."""
        self._check_parameters()
        rows = self._check_training(X, y, sample_weight)
        self._warn_about_constants(rows)
        if not isinstance(rows.classes, LabelSets):
            rows = replace(rows, classes=LabelSets.of_classes(rows.classes, rows.n_classes))
        found = fit_label_tree(rows, self.solver_settings())
        assert found.tree is not None
        self.coef_, self.intercept_, self.tree_ = found.coef, found.intercept, found.tree
        self.n_iter_, self.converged_ = int(found.iterations.max()), found.converged
        self.classes_ = rows.labels
        if not found.converged:
            warnings.warn(
                f"{type(self).__name__} stopped at a node after max_iter={self.max_iter} passes without reaching "
                f"tol={self.tol:g}. Raise max_iter, lower C={self.C:g} or scale the features.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def solver_settings(self) -> LabelTreeSettings:
        """The parameters as the solver has them."""
        return LabelTreeSettings(
            C=float(self.C),
            branches=int(self.branches),
            leaf=int(self.leaf),
            beam=int(self.beam),
            most=int(self.most),
            intercept_scale=float(self.fit_intercept),
            tolerance=float(self.tol),
            max_iterations=int(self.max_iter),
            prune=float(self.prune),
        )

    def reached(self, X: Any) -> ReachedLabels:
        """The labels that the search comes to of each row, and their scores."""
        rows = sparse.csr_array(self._check_rows(X))
        search = tree_search(self.tree_, self.coef_.T, self.intercept_)
        return search.reached((rows.indptr, rows.indices, rows.data), threads_of(self))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the score of each label for each row; of two classes the lead of the second."""
        table = self.reached(X).table(UNREACHED)
        return table[:, 1] - table[:, 0] if len(self.classes_) == 2 and not self.multilabel_ else table

    def predict(self, X: Any) -> Any:
        """Return the labels whose score is above 0, in the form that `fit` was given; of classes, the best."""
        if self.multilabel_:
            found = self.reached(X)
            return self._form.of_sets(found.where(found.values > 0))
        scores = self.decision_function(X)
        winners = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def _check_parameters(self) -> None:
        check_number(self, "C", above=0, below=np.inf, advice="A smaller C regularises more.")
        for name in ("leaf", "branches"):
            check_number(self, name, at_least=2, integer=True)
        for name in ("beam", "max_iter"):
            check_number(self, name, at_least=1, integer=True)
        check_number(self, "most", at_least=0, integer=True, advice="0 is for all.")
        check_number(self, "prune", at_least=0, below=np.inf, advice="0 keeps all weights.")
        check_flag(self, "fit_intercept")
        check_number(self, "tol", above=0)
