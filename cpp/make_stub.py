"""Write src/assay/_native.pyi, the types of the native module, as nanobind's stub generator finds them in it.

    python cpp/make_stub.py            writes the stub anew (`make stubs`)
    python cpp/make_stub.py --check    ends with 1 where it differs, as `make lint` asks

What the generator cannot know stands in cpp/bindings/stub_patterns.txt. Two things are made plainer here:

- Shapes and orders of arrays are left out: type checkers do not read them, and the bindings check them at every call.
- Overloads that a template made become one function with type variables, as the template has them.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path

from nanobind.stubgen import StubGen, load_pattern_file

from assay import _native

ROOT = Path(__file__).parents[1]
STUB = ROOT / "src" / "assay" / "_native.pyi"
PATTERNS = ROOT / "cpp" / "bindings" / "stub_patterns.txt"

HEADING = "# Made by cpp/make_stub.py (`make stubs`) from the bindings in cpp/bindings: not to be edited.\n"
ARRAY = re.compile(r"Annotated\[(NDArray\[[\w.]+\]), dict\([^]]*\)\]")
WRAPPED_DOCSTRING = re.compile(r'^( +)"""\n\1(.+)\n\1"""$', re.MULTILINE)
OVERLOAD = re.compile(r"\s*@overload\n\s*def (\w+)\(")
DTYPE = re.compile(r"numpy\.(\w+)")

# Parameters of the kernels' templates by what they may be, as stub_patterns.txt declares them.
VARIABLES = {("float32", "float64"): ("Value", "Weight"), ("int32", "int64"): ("Index",)}


def stub() -> str:
    """The text of the stub, in the form that `make lint` asks for."""
    patterns = load_pattern_file(str(PATTERNS))
    generator = StubGen(_native, patterns=patterns, max_expr_length=0)
    generator.put(_native)
    for pattern in patterns:
        if pattern.matches == 0:
            sys.exit(f"{PATTERNS.name}: {pattern.query.pattern} matches nothing in the module.")
    plain = ARRAY.sub(r"\1", generator.get()).replace("import Annotated, ", "import ")
    blocks = WRAPPED_DOCSTRING.sub(r'\1"""\2"""', plain).split("\n\n")
    merged = [merge(list(group)) for _, group in itertools.groupby(blocks, overloaded_name)]
    text = HEADING + "\n\n".join(merged)
    for tidy in (["check", "--fix-only", "--quiet"], ["format"]):
        command = [sys.executable, "-m", "ruff", *tidy, "--stdin-filename", str(STUB), "-"]
        text = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    return text


def overloaded_name(block: str) -> object:
    """Of an overload; of anything else, a name that no other block has."""
    found = OVERLOAD.match(block)
    return found[1] if found else object()


def merge(overloads: list[str]) -> str:
    """One function for overloads that have the same arguments but for the types of arrays, in each combination."""
    found = [DTYPE.findall(overload) for overload in overloads]
    by_place = list(zip(*found, strict=True))  # [array][overload]
    varied = list(dict.fromkeys(types for types in by_place if len(set(types)) > 1))
    if len(overloads) == 1 or len(overloads) != 2 ** len(varied):
        return "\n\n".join(overloads)
    unused = {options: iter(names) for options, names in VARIABLES.items()}
    names = {types: next(unused[tuple(sorted(set(types)))]) for types in varied}
    written = iter([names.get(types, f"numpy.{types[0]}") for types in by_place])
    last = DTYPE.sub(lambda _: next(written), overloads[-1])  # which has the docstring
    return re.sub(r" *@overload\n", "", last)


if __name__ == "__main__":
    wanted = stub()
    if "--check" not in sys.argv:
        STUB.write_text(wanted, "utf-8")
    elif STUB.read_text("utf-8") != wanted:
        sys.exit("src/assay/_native.pyi is not what the native module says: run make stubs.")
