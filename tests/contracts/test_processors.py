"""The kernels give the same bits whichever instructions of the processor they run on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay import _native

DIGESTS = Path(__file__).with_name("digests.py")
# What NumPy would run on a processor of before 2013. A name that it does not know is an error to it.
OLD_NUMPY = "X86_V3 X86_V4 AVX512_ICL"


def digests(**environment: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, DIGESTS],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_instruction_set_gives_the_same_bits_with_any_numpy_and_any_blas():
    expected = digests(ASSAY_CPU=_native.instruction_sets[-1])
    assert len(set(expected.values())) > 30
    other = digests(ASSAY_CPU="baseline", NPY_DISABLE_CPU_FEATURES=disabled_in_numpy(), OPENBLAS_CORETYPE="Nehalem")
    assert other == expected


def disabled_in_numpy() -> str:
    """Those of the features that this NumPy can do without: which there are depends on its version."""
    from numpy._core import _multiarray_umath as core

    return " ".join(name for name in OLD_NUMPY.split() if name in core.__cpu_dispatch__)


def test_instructions_that_the_processor_lacks_are_an_error_that_names_those_it_has():
    command = [Path(sys.executable).with_name("assay"), "info"]
    done = subprocess.run(
        command, env=os.environ | {"ASSAY_CPU": "avx1024"}, capture_output=True, text=True, check=False
    )
    names = " or ".join(f"'{name}'" for name in _native.instruction_sets)
    assert done.returncode == 2
    assert done.stderr == (
        f"Error: ASSAY_CPU must name instructions that this processor has: {names}. Got 'avx1024' instead. Without it "
        "the quickest are taken.\n"
    )


@pytest.mark.parametrize("chosen", _native.instruction_sets)
def test_the_chosen_instructions_are_shown(chosen):
    command = [Path(sys.executable).with_name("assay"), "info"]
    done = subprocess.run(command, env=os.environ | {"ASSAY_CPU": chosen}, capture_output=True, text=True, check=True)
    assert f"kernels for {chosen}\n" in done.stdout
