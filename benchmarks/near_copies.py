"""How quickly near-copies are found, in how much memory, also where texts are made to be hard.

    python benchmarks/near_copies.py                   # a million texts of each kind
    python benchmarks/near_copies.py --quick           # fifty thousand

There is no contestant: what is usual for this (MinHash in Python) is not among the benchmarks' requirements.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from _measuring import describe_machine, peak_memory, print_table, say, write_results
from assay import _native
from assay.data.arrays import string_array, text_bytes

NOTE = "please note that this message is confidential and meant for the addressee only"
KINDS = ("short texts", "one disclaimer in all", "one word apart", "a chain", "ten words only", "all the same")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fifty thousand texts of each kind")
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    n = 50_000 if chosen.quick else 1_000_000
    rows = []
    for kind in KINDS:
        say(f"{n:,} texts: {kind}")
        rows.append(measured(kind, n, chosen.threads))
    print_table(f"Near-copies among {n:,} texts, {chosen.threads} threads", rows)
    write_results("near-copies", {"rows": rows, "machine": describe_machine()})


def measured(kind: str, n: int, threads: int) -> dict[str, Any]:
    texts = made(kind, n)
    documents = documents_of(texts)
    began = time.perf_counter()
    first, one, _, _, bounded = _native.find_near_copies(documents, threads)
    seconds = time.perf_counter() - began
    return {
        "texts": kind,
        "MB": texts.nbytes / 1e6,
        "s": seconds,
        "texts/s": n / seconds,
        "MB of memory": peak_memory(prepared, kind, n, threads).growth / 1e6,
        "forms": int((first == np.arange(n)).sum()),
        "links": len(one),
        "not compared with all": bounded,
    }


def prepared(kind: str, n: int, threads: int) -> Callable[[], Any]:
    documents = documents_of(made(kind, n))
    return lambda: _native.find_near_copies(documents, threads)


def documents_of(texts: pa.Array) -> _native.Documents:
    documents = _native.Documents()
    documents.add_arrow(*text_bytes(texts))
    return documents


def made(kind: str, n: int) -> pa.Array:
    return string_array(list(lines(kind, n, np.random.default_rng(0))))


def lines(kind: str, n: int, rng: np.random.Generator) -> Iterator[str]:
    """Texts of a kind; of the first, every twentieth is an earlier one with a signature."""
    if kind == "short texts":
        before = ""
        for i, text in enumerate(zipfian(n, 5, 25, rng)):
            yield f"{before} kind regards anna" if i % 20 == 19 else text
            before = text
    elif kind == "one disclaimer in all":
        yield from (f"{text} {NOTE}" for text in zipfian(n, 3, 10, rng))
    elif kind == "one word apart":
        yield from (f"{NOTE} and nobody else at all so do not read it {i}" for i in range(n))
    elif kind == "a chain":
        yield from (" ".join(f"x{k}" for k in range(i, i + 20)) for i in range(n))
    elif kind == "ten words only":
        yield from (" ".join(row) for row in np.array(list("abcdefghij"))[rng.integers(0, 10, (n, 14))])
    else:
        yield from ("the same text again and again" for _ in range(n))


def zipfian(n: int, shortest: int, longest: int, rng: np.random.Generator) -> Iterator[str]:
    """Texts of words that are about as frequent as words are."""
    lengths = rng.integers(shortest, longest, n)
    numbers = np.minimum(50_000 ** rng.random(int(lengths.sum())), 49_999).astype(int)
    ends = np.cumsum(lengths)
    for begin, end in zip(ends - lengths, ends, strict=True):
        yield " ".join(f"w{number}" for number in numbers[begin:end])


if __name__ == "__main__":
    main()
