"""What cpp/bindings/stub_patterns.txt says of the dicts of the native module, beside what it returns."""

import ast
from pathlib import Path

import numpy as np
import pytest

from assay import _native

STUB = Path(__file__).parents[1] / "src" / "assay" / "_native.pyi"
DICTS = {
    node.name: {
        field.target.id: ast.unparse(field.annotation) for field in node.body if isinstance(field, ast.AnnAssign)
    }
    for node in ast.parse(STUB.read_text("utf-8")).body
    if isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == ["TypedDict"]
}

N = 2
CSR = np.array([0, 1, 2], np.int32), np.array([0, 1], np.int32), np.array([1.0, 1.0])
LABELS, COST = np.array([0, 1], np.int32), np.ones(N)


def solver_report():
    how = {"first_label": 1, "squared": True, "intercept_scale": 1.0, "in_double": True, "tolerance": 0.1, "seed": 0}
    written = {"coefficients": np.zeros(N), "intercept": np.zeros(1), "support": np.zeros(N, np.uint8)}
    return _native.train_linear_svm(N, *CSR, LABELS, COST, np.ones(1), max_iterations=9, n_threads=1, **how, **written)


def descent_report():
    how = {"rate": "adagrad", "first_rate": 0.1, "power": 0.5, "batch_size": 1, "shuffle": True, "penalty": 0.1}
    more = {"l1_ratio": 0.0, "multinomial": False, "has_intercept": True, "tolerance": 0.1, "patience": 1, "seed": 0}
    last = {"max_epochs": 2, "warm": False, "n_threads": 1, "in_double": True}
    rows, none = np.arange(N, dtype=np.int32), np.zeros(0, np.int32)
    written = {"coefficients": np.zeros(N), "intercept": np.zeros(1)}
    return _native.descend_stochastically(N, *CSR, LABELS, COST, rows, none, **how, **more, **last, **written)


def kmeans_report():
    return _native.run_kmeans(*CSR, np.eye(N), spherical=False, tolerance=0.0, max_iterations=3, n_threads=1)


def located_features():
    documents = _native.Documents()
    documents.add_strings(["one two"])
    analyzer = _native.Analyzer.make(
        unit="word",
        min_n=1,
        max_n=1,
        min_token_length=1,
        lowercase=True,
        accents="keep",
        marking="words",
        stop_words=[],
    )
    return _native.locate_hashed_features(documents, analyzer, 8, True, 1)


RETURNED = {
    "SolverReport": solver_report,
    "DescentReport": descent_report,
    "KMeansReport": kmeans_report,
    "FeatureMeasures": lambda: _native.measure_features(N, *CSR, LABELS, 2, 0, 1),
    "LocatedFeatures": located_features,
}


def type_name(value):
    return f"NDArray[numpy.{value.dtype.name}]" if isinstance(value, np.ndarray) else type(value).__name__


def test_every_dict_of_the_stub_is_looked_at():
    assert DICTS.keys() == RETURNED.keys()


@pytest.mark.parametrize("name", RETURNED)
def test_dict_has_the_keys_and_types_of_the_stub(name):
    assert {key: type_name(value) for key, value in RETURNED[name]().items()} == DICTS[name]
