"""The examples that Hypothesis draws: the same everywhere in `make test`, others each time in `make fuzz`."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st


def test_the_same_examples_are_drawn_whatever_was_imported_before(tmp_path):
    drawn: list[int] = []

    @given(st.integers())
    def draw(n):
        drawn.append(n)

    draw()
    before = list(drawn)
    module = tmp_path / "module_with_constants.py"
    module.write_text("\n".join(f"a{i} = {7919 * i}" for i in range(1, 500)))
    spec = importlib.util.spec_from_file_location("module_with_constants", module)
    sys.modules["module_with_constants"] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(sys.modules["module_with_constants"])
        drawn.clear()
        draw()
    finally:
        del sys.modules["module_with_constants"]
    assert drawn == before


@pytest.fixture
def explore(tmp_path, pytestconfig):
    """Explore a module of tests until none is left that has not failed."""

    def explore(module: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_module.py").write_text(module)
        program = pytestconfig.rootpath / "tests" / "explore.py"
        command = [sys.executable, program, "--seconds=600", "-p", "conftest", "-c", "/dev/null", "test_module.py"]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False)

    return explore


def test_what_exploring_finds_is_printed_as_an_example_to_add(explore):
    done = explore(
        "from hypothesis import given, strategies as st\n\n"
        "@given(st.integers())\ndef test_small(n):\n    assert n < 1000\n\n"
        "@given(st.data())\ndef test_drawn(data):\n    assert data.draw(st.integers()) < 1000\n\n"
        "def test_of_one_example():\n    assert False\n"
    )
    assert done.returncode == 1, done.stdout
    assert done.stdout.startswith("» seed ")
    assert "test_module.py::test_small\n@example(\n    n=1000,\n)\n" in done.stdout
    assert "test_module.py::test_drawn\n@reproduce_failure(" in done.stdout
    assert done.stdout.endswith(": 2 tests failed.\n")


def test_a_choice_without_property_tests_is_an_error(explore):
    done = explore("def test_one():\n    pass\n")
    assert done.returncode == 2
    assert "There is no property test among these." in done.stderr
