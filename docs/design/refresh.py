"""Puts into the page about the architecture what the code says itself, so that it cannot grow old.

    python docs/design/refresh.py            writes the page anew
    python docs/design/refresh.py --check    ends with 1 where the page differs, as `make lint` asks

Between the lines ``<!-- NAME: made by docs/design/refresh.py -->`` and ``<!-- end of NAME -->`` stand the layers
(pyproject.toml), the packages with the first sentence of their docstrings, and the commands.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = Path(__file__).with_name("architecture.md")


def layers() -> list[list[str]]:
    """The packages and modules of each layer, the highest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (found,) = (contract["layers"] for contract in contracts if contract.get("containers") == ["assay"])
    return [[name.strip() for name in layer.split("|")] for layer in found]


def first_sentence(name: str) -> str:
    """Of the docstring of a package or a module."""
    package = ROOT / "src" / "assay" / name / "__init__.py"
    path = package if package.exists() else package.parent.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[0].split())


def drawn_layers() -> str:
    """One line a layer."""
    return "```text\n" + "\n".join(" · ".join(layer) for layer in layers()) + "\n```"


def package_table() -> str:
    """From the lowest layer to the highest: the order in which they can be read."""
    rows = [f"| `assay.{name}` | {first_sentence(name)} |" for layer in reversed(layers()) for name in sorted(layer)]
    return "\n".join(["| package or module | what it holds |", "|---|---|", *rows])


def command_table() -> str:
    """In the order of ``assay --help``."""
    from assay.cli.commands import COMMANDS

    return "\n".join(
        ["| command | |", "|---|---|", *(f"| `assay {name}` | {said} |" for name, said in COMMANDS.items())]
    )


PARTS = {"layers": drawn_layers, "packages": package_table, "commands": command_table}


def refreshed(page: str) -> str:
    """The page with every part as the code has it now."""
    for name, make in PARTS.items():
        begin, end = f"<!-- {name}: made by docs/design/refresh.py -->", f"<!-- end of {name} -->"
        between = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.DOTALL)
        if len(between.findall(page)) != 1:
            sys.exit(f"{PAGE.name}: one part '{name}' was looked for, between '{begin}' and '{end}'.")
        text = f"{begin}\n\n{make()}\n\n{end}"
        page = between.sub(lambda _, text=text: text, page)
    return page


if __name__ == "__main__":
    now = PAGE.read_text("utf-8")
    wanted = refreshed(now)
    if "--check" not in sys.argv:
        PAGE.write_text(wanted, "utf-8")
    elif now != wanted:
        sys.exit("docs/design/architecture.md is not what the code says: run python docs/design/refresh.py.")
