"""Public names, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import assay
import assay.evaluation


def test_every_public_name_can_be_loaded() -> None:
    for name in assay.evaluation.__all__:
        assert getattr(assay.evaluation, name) is not None
    assert sorted(assay.evaluation.__all__) == dir(assay.evaluation)
    assert assay.evaluation.evaluate is assay.evaluate


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'assay.evaluation' has no attribute 'evaluat'"):
        assay.evaluation.evaluat  # noqa: B018


def test_evaluating_and_comparing_labels_needs_no_heavy_package() -> None:
    code = (
        "import sys, assay\n"
        "print(assay.evaluate(['a', 'b', 'b'], ['a', 'b', 'a'], [0.1, 0.8, 0.4]))\n"
        "assay.compare(['a', 'b', 'b'], ['a', 'b', 'a'], ['a', 'b', 'b'])\n"
        "heavy = {'sklearn', 'matplotlib', 'pandas', 'scipy.stats', 'statsmodels', 'torch'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
