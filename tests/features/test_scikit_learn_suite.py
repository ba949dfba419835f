"""Scikit-learn's own tests of its text vectorizers, run on ours."""

from __future__ import annotations

import sys
from importlib import util
from pathlib import Path

import pytest
import sklearn
from sklearn.feature_extraction import text as theirs

from assay.features import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer

# The suite was written to run with warnings shown, not raised.
pytestmark = pytest.mark.filterwarnings("ignore")

OURS = {
    "CountVectorizer": CountVectorizer,
    "HashingVectorizer": HashingVectorizer,
    "TfidfTransformer": TfidfTransformer,
    "TfidfVectorizer": TfidfVectorizer,
}


def _load_suite():
    """The test module of the installed scikit-learn, its classes replaced before its parametrisation sees them."""
    path = Path(sklearn.__file__).parent / "feature_extraction" / "tests" / "test_text.py"
    spec = util.spec_from_file_location("scikit_learn_test_text", path)
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its functions are pickled by name
    saved = {name: getattr(theirs, name) for name in OURS}
    try:
        for name, ours in OURS.items():
            setattr(theirs, name, ours)
        spec.loader.exec_module(module)
    finally:
        for name, original in saved.items():
            setattr(theirs, name, original)
    return module


_suite = _load_suite()
globals().update({name: value for name, value in vars(_suite).items() if name.startswith("test_")})


def test_the_suite_runs_on_our_classes():
    assert all(getattr(_suite, name) is ours for name, ours in OURS.items())


def test_the_suite_is_whole():
    assert sum(name.startswith("test_") for name in vars(_suite)) >= 60
