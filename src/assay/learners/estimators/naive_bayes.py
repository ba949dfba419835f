"""Naive Bayes: how often each feature occurs with each class, read as a linear model.

Fitting is counting. All three learners then decide by scores X·coefᵀ + intercept, whose weights are
logarithms of smoothed frequencies; they differ in what a document is thought to be (draws of words, or the
presence of each word) and in whose frequencies are taken (those of the class, or of everything but the
class).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from assay.errors import DataError
from assay.learners.estimators.counting import CountingLearner, entry_of
from assay.learners.parameters import check_flag, check_number

__all__ = ["BernoulliNB", "ComplementNB", "MultinomialNB"]


class MultinomialNB(CountingLearner):
    """Naive Bayes over counts: a document is a sequence of words drawn from its class.

    P(w | c) = (count of w in c + alpha) / (count of all words in c + sum of alpha), and the decision is the
    class of the highest log P(c) + Σ x_w log P(w | c). Fractional counts, such as tf-idf values, work too.

    Parameters
    ----------
    alpha
        Pseudo-count added to every feature of every class: one number, or one for each feature.
    force_alpha
        Take `alpha` as it is, even 0. False raises it to 1e-10 at least, so that no logarithm is infinite.
    fit_prior
        Learn P(c) from the class frequencies; False takes all classes as equally probable.
    class_prior
        P(c) for each class in sorted order, instead of learning it.
    n_jobs
        Threads; None is all of them. The result does not depend on it.

    Attributes
    ----------
    classes_
        The distinct labels, sorted.
    class_count_, feature_count_
        Weighted number of rows of each class, (n_classes,), and sum of each feature, (n_classes, n_features).
    class_log_prior_, feature_log_prob_
        log P(c), (n_classes,), and log P(w | c), (n_classes, n_features).
    coef_, intercept_
        The same two, as the weights and biases of a linear model.

    Examples
    --------
    >>> from assay.learners import MultinomialNB
    >>> X = [[2, 0, 1], [1, 0, 0], [0, 3, 1], [0, 1, 0]]  # counts of (good, bad, film)
    >>> model = MultinomialNB().fit(X, ["pos", "pos", "neg", "neg"])
    >>> model.predict([[1, 0, 1]])
    array(['pos'], dtype='<U3')
    >>> model.predict_proba([[1, 0, 1]]).round(3)
    array([[0.161, 0.839]])

    References
    ----------
    McCallum & Nigam (1998). A comparison of event models for naive Bayes text classification.
    """

    _events = "multinomial"

    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.n_jobs = n_jobs


class ComplementNB(CountingLearner):
    """Naive Bayes that weighs a word by how rare it is in all the other classes.

    The frequencies of everything but the class are steadier than those of the class itself when classes are
    small or of different sizes. With N = Σ_{d≠c} count of w in d + alpha, the weight of w for c is -log (N /
    ΣN), and the prior is left out of the decision.

    Parameters
    ----------
    alpha, force_alpha, n_jobs
        As in `MultinomialNB`.
    fit_prior, class_prior
        Kept for `class_log_prior_` and for scikit-learn's manners; the decision does not use the prior.
    norm
        Divide the weights of each class by their sum, the second normalisation of the paper.

    Attributes
    ----------
    classes_, class_count_, feature_count_, class_log_prior_
        As in `MultinomialNB`.
    feature_all_
        Sum of each feature over all classes, (n_features,).
    feature_log_prob_
        The weights, (n_classes, n_features).
    coef_, intercept_
        The weights and zeros: the linear model.

    Examples
    --------
    >>> from assay.learners import ComplementNB
    >>> X = [[2, 0, 1], [1, 0, 0], [0, 3, 1], [0, 1, 0]]
    >>> ComplementNB().fit(X, ["pos", "pos", "neg", "neg"]).predict([[1, 0, 1]])
    array(['pos'], dtype='<U3')

    References
    ----------
    Rennie, Shih, Teevan & Karger (2003). Tackling the poor assumptions of naive Bayes text classifiers.
    """

    _events = "complement"

    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        norm: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm
        self.n_jobs = n_jobs

    @property
    def feature_all_(self) -> NDArray[np.float64]:
        """Sum of each feature over all classes."""
        table = self._counts.table(self.n_features_in_)
        return np.asarray(table[-1] if self.multilabel_ else table.sum(axis=0))

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Zeros: the complement model leaves the prior out."""
        return self._settled(self._weights.biases)

    def _check_parameters(self) -> None:
        check_flag(self, "norm")
        super()._check_parameters()


class BernoulliNB(CountingLearner):
    """Naive Bayes over presence: every feature of the vocabulary is there or not, and absence counts too.

    P(w | c) = (rows of c that have w + alpha) / (rows of c + 2 alpha). The decision is linear as well: the
    weight of w is log P(w | c) - log (1 - P(w | c)), and the bias log P(c) + Σ_w log (1 - P(w | c)).

    Parameters
    ----------
    alpha, force_alpha, fit_prior, class_prior, n_jobs
        As in `MultinomialNB`.
    binarize
        A feature is there when its value lies above this threshold; None when X holds only 0 and 1 already.

    Attributes
    ----------
    classes_, class_count_, feature_count_, class_log_prior_, feature_log_prob_
        As in `MultinomialNB`, with rows counted in place of occurrences.
    coef_, intercept_
        The linear model, to be applied to binarized rows.

    Examples
    --------
    >>> from assay.learners import BernoulliNB
    >>> X = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]]
    >>> BernoulliNB().fit(X, ["pos", "pos", "neg", "neg"]).predict([[1, 0, 1]])
    array(['pos'], dtype='<U3')

    References
    ----------
    McCallum & Nigam (1998). A comparison of event models for naive Bayes text classification.
    """

    _events = "bernoulli"
    _takes_negative_values = True

    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.n_jobs = n_jobs

    @property
    def feature_log_prob_(self) -> NDArray[np.float64]:
        """The logarithm of the share of rows with each feature, (n_classes, n_features)."""
        alpha = self._smoothing()
        with np.errstate(divide="ignore"):
            return np.asarray(
                np.log(self.feature_count_ + alpha) - np.log(self.class_count_[:, np.newaxis] + 2 * alpha)
            )

    def _check_parameters(self) -> None:
        if self.binarize is not None:
            check_number(self, "binarize", at_least=0)
        super()._check_parameters()

    def _as_events(self, X: Any) -> Any:
        if self.binarize is None:
            _refuse_other_than_presence(X)
            return X
        presence = (X.data > self.binarize).astype(np.float64)
        return sparse.csr_array((presence, X.indices, X.indptr), shape=X.shape)


def _refuse_other_than_presence(X: Any) -> None:
    odd = (X.data != 0) & (X.data != 1)
    if odd.any():
        row, column, value = entry_of(X, int(np.argmax(odd)))
        raise DataError(
            f"X[{row}, {column}]: {value} found, but BernoulliNB(binarize=None) takes only 0 and "
            "1. Set `binarize` to the threshold above which a feature counts as there."
        )
