r"""Write the Unicode tables of the running Python as a C++ include file.

Run by the build, with the interpreter that the extension module is built for, so that the kernels agree with
that interpreter's ``str.lower()``, ``re``'s ``\w`` and ``\s``, and ``unicodedata.normalize`` on every code
point.

Each property is a two-stage table: ``stage1[code_point >> 8]`` names a block of 256 entries in ``stage2``.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

N_CODE_POINTS = 0x110000
BLOCK = 256

WORD, SPACE, CASED, CASE_IGNORABLE = 1, 2, 4, 8
MULTIPLE = 0x80000000  # marks a lower-case mapping to more than one code point


def main(target: Path) -> None:
    """Generate all tables into `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join([*class_tables(), *accent_tables()]) + "\n", encoding="ascii")


def class_tables() -> list[str]:
    """Flags and lower-case mapping of every code point."""
    sequences: list[int] = [0]  # position 0 is never referred to
    records: dict[tuple[int, int], int] = {}
    entries = []
    for code_point in range(N_CODE_POINTS):
        character = chr(code_point)
        lower = [ord(c) for c in character.lower()]
        if len(lower) == 1:
            # A difference, so that whole alphabets share one record.
            mapping = (lower[0] - code_point) & 0x7FFFFFFF
        else:
            mapping = MULTIPLE | len(sequences)
            sequences += [len(lower), *lower]
        entries.append(records.setdefault((flags_of(character), mapping), len(records)))
    return [
        f'const char kUnicodeVersion[] = "{unicodedata.unidata_version}";',
        *two_stage("kClass", entries, "std::uint16_t"),
        array("kClassFlags", (flags for flags, _ in records), "std::uint8_t"),
        array("kClassLower", (mapping for _, mapping in records), "std::uint32_t"),
        array("kLowerSequences", sequences, "std::uint32_t"),
    ]


def flags_of(character: str) -> int:
    """Properties that ``re`` and ``str.lower()`` look at."""
    flags = 0
    if character.isalnum() or character == "_":
        flags |= WORD
    if character.isspace():
        flags |= SPACE
    # str.lower() turns a capital sigma into a final one after a cased letter, with any case-ignorable
    # characters between them. Python does not expose the two properties, but its own treatment of a sigma
    # shows them.
    if (character + "\u03a3").lower()[-1] == "\u03c2":
        flags |= CASED
    elif ("A" + character + "\u03a3").lower()[-1] == "\u03c2":
        flags |= CASE_IGNORABLE
    return flags


def accent_tables() -> list[str]:
    """Compatibility decomposition (NFKD) of every code point, less its combining marks, as UTF-8."""
    pool = bytearray()
    offsets: dict[bytes, int] = {}
    entries = []
    for code_point in range(N_CODE_POINTS):
        character = chr(code_point)
        kept = "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))
        if kept == character:
            entries.append(0)
            continue
        utf8 = kept.encode("utf-8", "surrogatepass")
        if utf8 not in offsets:
            offsets[utf8] = len(pool)
            pool += utf8
        # Never 0: the lowest bit says that there is a mapping.
        entries.append(offsets[utf8] << 8 | len(utf8) << 1 | 1)
    return [*two_stage("kAccent", entries, "std::uint32_t"), array("kAccentPool", pool, "std::uint8_t")]


def two_stage(name: str, entries: Sequence[int], kind: str) -> list[str]:
    """Cut `entries` into blocks and keep each distinct block once."""
    blocks: dict[tuple[int, ...], int] = {}
    stage1 = []
    for start in range(0, len(entries), BLOCK):
        block = tuple(entries[start : start + BLOCK])
        stage1.append(blocks.setdefault(block, len(blocks)))
    flat = [entry for block in blocks for entry in block]
    return [array(f"{name}Stage1", stage1, "std::uint16_t"), array(f"{name}Stage2", flat, kind)]


def array(name: str, values: Iterable[int], kind: str) -> str:
    """One C++ array definition."""
    return f"const {kind} {name}[] = {{{','.join(f'{value}u' for value in values)}}};"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
