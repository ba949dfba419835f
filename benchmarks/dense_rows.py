"""How much sooner the exact solvers are done than scikit-learn's where rows are dense, as sentence vectors are.

    python benchmarks/dense_rows.py                        every row of the table
    python benchmarks/dense_rows.py --only softmax pair    some of: softmax pair scaled svm svm-pair mixed
    python benchmarks/dense_rows.py --rows 4000 --columns 384 --classes 20

Made-up vectors: a class has a centre, an example strays from it in a few directions that all share and a little in all
others; columns are brought to the same spread and rows to a length of about 1, as `EncoderVectorizer` does ("scaled":
to a spread of 1 each, as scikit-learn's `StandardScaler` does). "mixed" has sparse columns beside them, like n-grams.

Everybody runs as it comes, with two threads where it has any, in turns; the best of the repeats counts. How far the
objective is above the lowest of all stands beside it: who stops early is soon done.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn.linear_model
import sklearn.svm
from scipy import sparse
from scipy.special import log_softmax
from sklearn.exceptions import ConvergenceWarning

from _measuring import describe_machine, print_table, race, say, write_results
from assay import learners

Makers = dict[str, Callable[[], Any]]
THEIRS = sklearn.linear_model.LogisticRegression


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(QUESTIONS), default=list(QUESTIONS))
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--columns", type=int, default=1_536)
    parser.add_argument("--classes", type=int, default=77)
    parser.add_argument("--repeats", type=int, default=2)
    settings = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.simplefilter("ignore", FutureWarning)
    tables = {}
    for question in settings.only:
        say(f"{question}: making rows and racing")
        rows = QUESTIONS[question](settings)
        tables[question] = rows
        print_table(question, rows)
    write_results("dense_rows", {"machine": describe_machine(), "settings": vars(settings), "tables": tables})


def make_vectors(
    n_rows: int, n_columns: int, n_classes: int, *, length_of_one: bool
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return float32 vectors and the class of each."""
    random = np.random.default_rng(0)
    y = random.integers(0, n_classes, n_rows)
    y[:n_classes] = np.arange(n_classes)
    directions = random.normal(size=(64, n_columns)) * np.exp(-np.arange(64) / 16)[:, None]
    X = 0.35 * random.normal(size=(n_classes, n_columns))[y] + random.normal(size=(n_rows, 64)) @ directions
    X += random.normal(size=X.shape)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return (X / np.sqrt(n_columns) if length_of_one else X).astype(np.float32), y


def race_softmax(settings: argparse.Namespace) -> list[dict[str, Any]]:
    """Softmax regression of all classes, C=10."""
    X, y = make_vectors(settings.rows, settings.columns, settings.classes, length_of_one=True)
    return _race_logistic(X, y, 10.0, {"lbfgs": {}}, settings.repeats)


def race_pair(settings: argparse.Namespace) -> list[dict[str, Any]]:
    """Two classes, C=10."""
    X, y = make_vectors(settings.rows, settings.columns, 8, length_of_one=True)
    return _race_logistic(X, y % 2, 10.0, {"lbfgs": {}, "newton-cholesky": {}}, settings.repeats)


def race_scaled(settings: argparse.Namespace) -> list[dict[str, Any]]:
    """Two classes, columns of spread 1, C=1."""
    X, y = make_vectors(settings.rows, settings.columns, 8, length_of_one=False)
    return _race_logistic(X, y % 2, 1.0, {"lbfgs": {"max_iter": 1000}, "newton-cholesky": {}}, settings.repeats)


def race_mixed(settings: argparse.Namespace) -> list[dict[str, Any]]:
    """Softmax regression with sparse columns beside the vectors."""
    X, y = make_vectors(settings.rows, settings.columns, settings.classes, length_of_one=True)
    words = sparse.random_array((settings.rows, 20_000), density=30 / 20_000, rng=np.random.default_rng(1))
    joined = sparse.csr_array(sparse.hstack([words * 0.2, sparse.csr_array(X)], format="csr"), dtype=np.float32)
    return _race_logistic(joined, y, 10.0, {"lbfgs": {}}, 1)


def race_svm(settings: argparse.Namespace) -> list[dict[str, Any]]:
    """LinearSVC of a quarter of the classes and columns, C=1: LIBLINEAR takes minutes for all."""
    X, y = make_vectors(settings.rows, settings.columns // 4, max(settings.classes // 4, 3), length_of_one=True)
    return _race_svm(X, y, settings.repeats)


def race_svm_pair(settings: argparse.Namespace) -> list[dict[str, Any]]:
    """LinearSVC of two classes, C=1."""
    X, y = make_vectors(settings.rows, settings.columns, 8, length_of_one=True)
    return _race_svm(X, y % 2, settings.repeats)


def _race_logistic(X: Any, y: Any, C: float, solvers: dict[str, dict[str, Any]], repeats: int) -> list[dict[str, Any]]:
    makers: Makers = {"assay": lambda: learners.LogisticRegression(C=C, n_jobs=2)}
    for solver, more in solvers.items():
        makers[f"scikit-learn {solver}"] = lambda s=solver, m=more: THEIRS(C=C, solver=s, **m)

    def objective(model: Any) -> float:
        coef = np.asarray(model.coef_, np.float64)
        scores = X.astype(np.float64) @ coef.T + model.intercept_
        if len(coef) == 1:
            scores = np.column_stack([np.zeros(len(y)), scores])
        loss = -log_softmax(scores, axis=1)[np.arange(len(y)), y].sum()
        return float(0.5 * (coef**2).sum() + C * loss)

    return _race(X, y, makers, objective, repeats)


def _race_svm(X: Any, y: Any, repeats: int) -> list[dict[str, Any]]:
    makers: Makers = {
        "assay": lambda: learners.LinearSVC(n_jobs=2),
        "scikit-learn": lambda: sklearn.svm.LinearSVC(random_state=0),
        "scikit-learn dual": lambda: sklearn.svm.LinearSVC(dual=True, random_state=0),
    }

    def objective(model: Any) -> float:
        coef = np.asarray(model.coef_, np.float64)
        scores = X.astype(np.float64) @ coef.T + model.intercept_
        right = y[:, None] == (np.arange(len(coef)) if len(coef) > 1 else 1)
        slack = np.maximum(0, 1 - np.where(right, 1, -1) * scores)
        return float(0.5 * (coef**2).sum() + 0.5 * (model.intercept_**2).sum() + (slack**2).sum())

    return _race(X, y, makers, objective, repeats)


def _race(X: Any, y: Any, makers: Makers, objective: Callable[[Any], float], repeats: int) -> list[dict[str, Any]]:
    fits = {name: lambda make=make: make().fit(X, y) for name, make in makers.items()}
    timings = race(fits, repeats, summary=lambda model: (objective(model), int(np.max(model.n_iter_))))
    best = min(timing.outcome[0] for timing in timings.values())
    ours = timings["assay"]
    return [
        {
            "by": name,
            "seconds": timing.best,
            "processor s": timing.best_cpu,
            "ratio": timing.best / ours.best,
            "ratio of these": timing.best_cpu / ours.best_cpu,
            "above the lowest": f"{timing.outcome[0] / best - 1:.1e}",
            "iterations": timing.outcome[1],
        }
        for name, timing in timings.items()
    ]


QUESTIONS = {
    "softmax": race_softmax,
    "pair": race_pair,
    "scaled": race_scaled,
    "svm": race_svm,
    "svm-pair": race_svm_pair,
    "mixed": race_mixed,
}

if __name__ == "__main__":
    main()
