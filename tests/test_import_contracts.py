"""Every package is under every contract that speaks of all of them."""

from __future__ import annotations

import tomllib
from pathlib import Path

CONTRACTS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "contracts"
]
ALL = {
    f"assay.{name.strip()}"
    for contract in CONTRACTS
    if contract.get("containers") == ["assay"]
    for layer in contract.get("layers", [])
    for name in layer.split("|")
}


def contract(name: str) -> dict[str, list[str]]:
    (found,) = (contract for contract in CONTRACTS if contract["name"] == name)
    return found


def test_no_package_but_the_networks_may_import_pytorch():
    assert set(contract("Only the networks import PyTorch")["source_modules"]) == ALL - {"assay.neural"}


def test_the_textbook_may_import_no_other_package():
    found = set(contract("The textbook imports nothing else of the package")["forbidden_modules"])
    assert found == ALL - {"assay.textbook", "assay.cli"}  # that none but the command line imports it is another one
