from __future__ import annotations

import json
import platform

from assay.cli.commands.info import environment, installed


def test_info_names_the_versions_that_a_bug_report_needs(run):
    shown = run("info")
    assert shown.returncode == 0
    lines = dict(line.split(None, 1) for line in shown.stdout.splitlines())
    assert lines["Python"].startswith(platform.python_version())
    assert {"assay", "system", "machine", "numpy", "pyarrow", "scikit-learn"} <= lines.keys()


def test_info_as_json_is_the_importable_function(run):
    facts = json.loads(run("info", "--json").stdout)
    assert facts.keys() == environment().keys()
    assert facts["numpy"] == environment()["numpy"]


def test_missing_package_is_said():
    assert installed("a-package-that-nobody-has") == "not installed"
