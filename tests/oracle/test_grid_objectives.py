"""What benchmarks/solver_grid.py measures is what the solvers minimise: their own reports say the same."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from assay.learners import LinearSVC, LogisticRegression

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
C = 0.1  # so small that LIBLINEAR reaches the optimum of the plain hinge in its 300 passes
OURS = {
    "svm": LinearSVC(C=C),
    "hinge": LinearSVC(C=C, loss="hinge"),
    "softmax": LogisticRegression(C=C),
    "ovr": LogisticRegression(C=C, solver="liblinear"),
    "l1-svm": LinearSVC(C=C, penalty="l1"),
    "l1-logistic": LogisticRegression(C=C, solver="liblinear", l1_ratio=1.0),
    "l1-softmax": LogisticRegression(C=C, l1_ratio=1.0),
}
DUAL_OR_L1 = {"svm": 1, "hinge": 3, "ovr": 7, "l1-svm": 5, "l1-logistic": 6}


@pytest.fixture(scope="module")
def objectives():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        yield importlib.import_module("_solver_grid_objectives")


def problem(n_classes):
    random = np.random.default_rng(n_classes)
    X = sparse.random_array((60, 15), density=0.4, rng=random, format="csr")
    y = (X @ random.normal(size=(15, n_classes)) + random.normal(scale=0.3, size=(60, n_classes))).argmax(axis=1)
    y[:n_classes] = np.arange(n_classes)[::-1]  # LIBLINEAR numbers classes as it meets them
    return X, y


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("name", OURS)
def test_the_objective_is_what_our_learners_report(objectives, name, n_classes):
    X, y = problem(n_classes)
    model = OURS[name].fit(X, y)
    measured = objectives.objective(objectives.FAMILIES[name], C, X, y, model.coef_, model.intercept_)
    # Two sums of the same 240 terms in double precision.
    assert measured == pytest.approx(model.objective_.sum(), rel=1e-9)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("name", DUAL_OR_L1)
def test_the_objective_is_what_liblinear_reports(objectives, name, n_classes, capfd):
    pytest.importorskip("liblinear.liblinearutil")
    peers = importlib.import_module("_peers")
    X, y = problem(n_classes)
    model = peers.Liblinear(X, y, f"-s {DUAL_OR_L1[name]} -c {C} -B 1 -e 1e-8").fit(X, y)
    measured = objectives.objective(objectives.FAMILIES[name], C, X, y, model.coef_, model.intercept_)
    reported = [float(value) for value in re.findall(r"Objective value = (\S+)", capfd.readouterr().out)]
    assert len(reported) == (1 if n_classes == 2 else n_classes)
    # It reports the dual objective, the negative of the primal one at the optimum, and prints six digits.
    assert measured == pytest.approx(sum(map(abs, reported)), rel=1e-5)


def test_the_gap_is_a_part_of_the_best(objectives):
    assert objectives.relative_gap(102.0, 100.0) == pytest.approx(0.02)


def test_rows_in_blocks_give_the_same_sum(objectives, monkeypatch):
    X, y = problem(4)
    model = OURS["softmax"].fit(X, y)
    arguments = (objectives.FAMILIES["softmax"], C, X, y, model.coef_, model.intercept_)
    whole = objectives.objective(*arguments)
    monkeypatch.setattr(objectives, "SCORES_AT_ONCE", 28)  # seven rows, and four in the last block
    assert objectives.objective(*arguments) == pytest.approx(whole, rel=1e-12)
