"""``assay info``: what a bug report needs to say about the machine."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

from assay import __version__
from assay.cli.options.groups import Only
from assay.cli.options.screen import SCREEN, Screen
from assay.threads import count_threads

__all__ = ["environment", "info_cli"]

PACKAGES = ["numpy", "scipy", "pyarrow", "scikit-learn", "safetensors", "typer", "rich", "torch", "transformers"]


def info_cli(screen: Annotated[Screen, Only(("as_json",))] = SCREEN) -> None:
    """Print versions and machine, ready to paste into a report."""
    from assay.cli.screens.console import print_json, results

    facts = environment()
    if screen.as_json:
        print_json(facts)
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        results().print(f"{name:<{width}}  {value}", soft_wrap=True)


def environment() -> dict[str, str]:
    """Versions of assay, of Python and of what assay stands on, and the kind of machine.

    Examples
    --------
    >>> list(environment())[:2]
    ['assay', 'Python']
    """
    from assay import _native

    return {
        "assay": __version__,
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": platform.platform(),
        "machine": f"{platform.machine()}, {count_threads(None)} cores, kernels for {_native.instruction_set}",
        "Unicode": _native.unicode_version,
        "encoding": f"{sys.getfilesystemencoding()} (files), {sys.stdout.encoding} (output)",
        **{package: installed(package) for package in PACKAGES},
    }


def installed(package: str) -> str:
    """Version of `package`, without importing it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
