"""Feature augmentation for domain transfer."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from assay.adaptation.augmented import augment, merged
from assay.errors import DataError, ParameterError
from assay.learners.estimators.base import LinearLearner
from assay.learners.names import named_learner
from assay.suggest import nearest_first, quoted

__all__ = ["EasyAdapt"]


class EasyAdapt(LinearLearner):
    """A linear learner that sees every feature twice: once as it is in all domains, once as it is in its own.

    What means the same everywhere gets its weight in the general copy, learned from all domains; what means something
    else in one domain gets a correction in that domain's copy. For a domain, the sum of both is a linear model over
    the features themselves, and that is what remains: it predicts, explains and is saved like any other.

    Parameters
    ----------
    learner
        A learner of `assay.learners` with weights, or its short name; None: "svm".
    domains
        The domain of each training row, unless `fit` is given them.
    target
        Domain that `coef_` and predictions are for; None: the general copy only, for a domain without examples.
    random_state, n_jobs
        Of the learner, where it leaves them open.

    Attributes
    ----------
    domains_
        Names of the domains, sorted.
    linear_learner_
        The learner with the weights for `target`.
    coef_, intercept_, classes_
        Its weights and labels.

    Examples
    --------
    "cheap" praises a hotel and runs down a film:

    >>> from assay import TextClassifier
    >>> texts = ["cheap and clean", "cheap room, great", "dear and dull", "cheap film", "cheap and dull", "great film"]
    >>> labels = ["good", "good", "bad", "bad", "bad", "good"]
    >>> domains = ["hotel"] * 3 + ["film"] * 3
    >>> for target in ("hotel", "film"):
    ...     model = TextClassifier(learner=EasyAdapt(domains=domains, target=target)).fit(texts, labels)
    ...     print(target, model.predict(["cheap"])[0])
    hotel good
    film bad

    References
    ----------
    Daumé III (2007), "Frustratingly easy domain adaptation".
    """

    def __init__(
        self,
        learner: Any = None,
        *,
        domains: ArrayLike | None = None,
        target: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.learner = learner
        self.domains = domains
        self.target = target
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, domains: ArrayLike | None = None) -> Self:
        """Learn from rows X, dense or sparse, their labels y, and their domains."""
        data = self._check_training(X, y)
        names, rows = self._domains(self.domains if domains is None else domains, data.X.shape[0])
        learner = self._learner()
        learner.fit(augment(data.X, rows, len(names)), data.labels[data.classes])
        if not hasattr(learner, "coef_"):
            raise ParameterError(
                f"EasyAdapt adds up the weights of copies, and {type(learner).__name__} has none. Use a linear learner."
            )
        self._augmented = learner
        self.domains_ = names
        self.linear_learner_ = self.adapted(self.target)
        self.coef_, self.intercept_ = self.linear_learner_.coef_, self.linear_learner_.intercept_
        self.classes_ = data.labels
        return self

    def adapted(self, domain: Any) -> Any:
        """The linear learner for a domain, over the features themselves; for None, the general one."""
        number = None
        if domain is not None:
            known = [str(name) for name in self.domains_]
            if str(domain) not in known:
                raise ParameterError(
                    f"There is no domain {domain!r}. Domains are {quoted(nearest_first(str(domain), known))}; None is "
                    "what all have in common."
                )
            number = known.index(str(domain))
        made = clone(self._augmented)
        coef = self._augmented.coef_
        coef = coef.toarray() if hasattr(coef, "toarray") else coef
        made.coef_, made.intercept_ = merged(coef, self._augmented.intercept_, self.n_features_in_, number)
        made.classes_ = self._augmented.classes_
        made.n_features_in_ = self.n_features_in_
        return made

    def settings_to_keep(self) -> dict[str, Any]:
        """What a model file says of it: the domains with their sizes instead of one name a row."""
        inside = self._augmented if hasattr(self, "_augmented") else self._learner()
        return {
            "learner": type(inside).__name__,
            "domains": [str(name) for name in getattr(self, "domains_", ())],
            "target": None if self.target is None else str(self.target),
            **{name: value for name, value in inside.get_params().items() if name != "n_jobs"},
        }

    def _learner(self) -> Any:
        learner = self.learner
        if learner is None or isinstance(learner, str):
            learner = named_learner(learner or "svm")
        learner = clone(learner)
        for name in ("random_state", "n_jobs"):
            if name in (settings := learner.get_params()) and settings[name] is None:
                learner.set_params(**{name: getattr(self, name)})
        return learner

    def _domains(self, domains: Any, n_rows: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Names of the domains, sorted, and the number of each row's."""
        if domains is None:
            raise DataError("EasyAdapt needs the domain of each row. Give them to fit, or as domains=.")
        given = np.asarray(domains)
        if given.ndim != 1 or len(given) != n_rows:
            raise DataError(
                f"There are {n_rows:,} rows, but domains has shape {given.shape}. Give one domain for each row; with "
                "cross-validation or calibration, which train on parts, use fit(X, y, domains) on each part."
            )
        names, rows = np.unique(given.astype(str), return_inverse=True)
        if len(names) < 2:
            raise DataError(
                f"All {n_rows:,} rows are of the domain {str(names[0])!r}. EasyAdapt needs rows of two domains at "
                "least: use the learner itself for one."
            )
        return names, rows.astype(np.int64)
