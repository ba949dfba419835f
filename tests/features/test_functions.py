"""Python functions as features."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import DataError, ParameterError
from assay.features import FunctionFeatures, register_feature


@pytest.fixture(autouse=True)
def no_other_functions(monkeypatch):
    monkeypatch.setattr("assay.features.designed.functions._REGISTERED", {})


def test_each_function_is_a_column():
    features = FunctionFeatures({"characters": len, "empty": lambda text: not text, "np": lambda text: np.float32(2)})
    assert features.fit_transform(["good", ""]).tolist() == [[4, 0, 2], [0, 1, 2]]
    assert features.get_feature_names_out().tolist() == ["characters", "empty", "np"]


def test_registered_functions_go_by_name():
    register_feature("characters")(len)
    assert FunctionFeatures(["characters"]).fit_transform(["good"]).tolist() == [[4]]


def test_registering_again_is_fine_but_another_function_is_not():
    def f(text):
        return 1

    register_feature("f")(f)
    register_feature("f")(f)
    with pytest.raises(ParameterError, match=r"A feature 'f' is registered already, the function .*\.f\. Choose anoth"):
        register_feature("f")(len)


@pytest.mark.parametrize("name", ["", 3, None])
def test_a_name_is_needed(name):
    with pytest.raises(ParameterError, match="A feature is registered under a name"):
        register_feature(name)


def test_an_unknown_name_is_said_with_the_known_ones():
    with pytest.raises(ParameterError, match=r"There is no feature function 'lenght'. None is. Import the module"):
        FunctionFeatures(["lenght"]).fit([])
    register_feature("length")(len)
    with pytest.raises(ParameterError, match=r"There is no feature function 'lenght'. Registered are 'length'"):
        FunctionFeatures(["lenght"]).fit([])


@pytest.mark.parametrize("value", [None, "3", float("nan"), float("inf"), [1]])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(DataError, match=r"The feature function 'f' gave .* for the text 'good'. It must give a finite"):
        FunctionFeatures({"f": lambda text: value}).fit_transform(["good"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "must hold at least one"),
        ({"f": 3}, "must be functions by name. Got 'f': 3"),
        (3, "The 'functions' parameter of FunctionFeatures must be an instance of"),
    ],
)
def test_bad_settings_are_refused(given, message):
    with pytest.raises(ParameterError, match=message):
        FunctionFeatures(given).fit([])
