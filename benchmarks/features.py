"""How much sooner, and in how much less memory, texts are turned into features than by scikit-learn.

    python benchmarks/features.py             about a quarter of an hour on two quiet cores
    python benchmarks/features.py --quick     fewer repeats, no text of a gigabyte
    python benchmarks/features.py --full      scikit-learn also on 100 MB of generated text

Both libraries do the same work on the same Python strings in one run, in turn, and the best of five runs counts
(`--repeats`; `--their-repeats` for scikit-learn, which takes long). Beside the ratio of the seconds stands that of the
processor seconds, which other work on the machine disturbs less. That both results are the same matrix is checked.

Texts: imdb and 20ng, where they are there, and generated text (`_zipfian.py`), handed over as an Arrow array, to see
how the cost grows. Peak memory is that of a fresh process, and its growth over the process with the data loaded. MB are
10^6 bytes of UTF-8. The machine's own limits are measured in the same run.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow.compute as pc
from sklearn.feature_extraction import text as scikit_learn

from _datasets import data_folder, read_texts
from _machine_limits import measure_limits
from _measuring import describe_machine, peak_memory, print_table, race, say, write_results
from _zipfian import zipfian_texts
from assay import features as assay

MB = 1_000_000
PAIRS = {"ngram_range": (1, 2)}
CHARACTERS = {"analyzer": "char_wb", "ngram_range": (2, 5)}
MEMORY_TARGET = 0.5
GROWTH_TARGET = 1.3
QUESTIONS = ("speed", "memory", "growth")

Row = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """How often, on how many threads, on how many MB of generated text."""

    repeats: int
    their_repeats: int
    threads: int
    sizes: tuple[int, ...]
    their_sizes: tuple[int, ...]
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Work:
    """What both libraries are asked to do: ``run(library, n_jobs)`` returns the matrix."""

    name: str
    data: str
    n_bytes: int
    run: Callable[[str, int], Any]
    target: float | None
    target_of_one_thread: float | None = None


def main() -> None:
    settings = read_arguments()
    machine = describe_machine()
    say(f"{machine['processor']}, {machine['cores']} cores, load {machine['load_average']:.1f}")
    names = ["imdb", "20ng"] if data_folder() else []
    asked = settings.only or QUESTIONS
    if not names:
        say("imdb and 20ng are left out: set ASSAY_DATA to the folder that holds them.")
    speed, memory, growth, limits = [], [], [], []
    if "speed" in asked and names:
        speed = [row for name in names for work in works_on(name) for row in compare(work, settings)]
        print_table(f"Speed: best of {settings.repeats} (scikit-learn: of {settings.their_repeats})", speed)
    if "memory" in asked and names:
        memory = [compare_memory(name, settings.threads) for name in names]
        print_table("Peak memory of TfidfVectorizer(ngram_range=(1, 2)).fit_transform on a list of texts", memory)
    if "growth" in asked:
        growth, limits = measure_growth(settings)
        print_table(f"Growth: TfidfVectorizer.fit_transform on generated text, {settings.threads} threads", growth)
        print_table("The machine's own limits", limits)
    results = {"machine": machine, "speed": speed, "memory": memory, "growth": growth, "limits": limits}
    say(f"written to {write_results('features', results)}")


def read_arguments() -> Settings:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="runs of assay (default: 5)")
    parser.add_argument("--their-repeats", type=int, help="runs of scikit-learn (default: as many)")
    parser.add_argument("--threads", type=int, default=2, help="threads of the parallel runs (default: 2)")
    parser.add_argument("--quick", action="store_true", help="two runs of assay, one of scikit-learn, up to 100 MB")
    parser.add_argument("--full", action="store_true", help="scikit-learn also on 100 MB of generated text")
    parser.add_argument("--only", nargs="+", choices=QUESTIONS, help="some of the questions (default: all)")
    given = parser.parse_args()
    repeats = 2 if given.quick else given.repeats
    return Settings(
        repeats=repeats,
        their_repeats=given.their_repeats or (1 if given.quick else repeats),
        threads=given.threads,
        sizes=(10, 100) if given.quick else (10, 100, 1000),
        their_sizes=(10, 100) if given.full else (10,),
        only=tuple(given.only or ()),
    )


# Speed on real texts


def works_on(name: str) -> list[Work]:
    """All kinds of work on one data set."""
    train, test = read_texts(name, "train"), read_texts(name, "test")
    some = train[:: len(train) // 5000][:5000]
    learned = {library: make("Tfidf", library, -1, **PAIRS).fit(train) for library in ("scikit-learn", "assay")}

    def transform(library: str, n_jobs: int) -> Any:
        if library == "assay":
            learned[library].set_params(n_jobs=n_jobs)
        return learned[library].transform(test)

    def hash_(library: str, n_jobs: int) -> Any:
        return make("Hashing", library, n_jobs, **PAIRS).transform(train)

    return [
        Work("tf-idf (1,2) fit_transform", f"{name} train", size_of(train), partial(fit, train, PAIRS), 25, 13),
        Work("tf-idf (1,2) transform", f"{name} test", size_of(test), transform, 25),
        Work("hashing (1,2)", f"{name} train", size_of(train), hash_, 25),
        Work("tf-idf char_wb (2,5) fit_transform", f"{name}, 5,000", size_of(some), partial(fit, some, CHARACTERS), 20),
    ]


def make(kind: str, library: str, n_jobs: int, **parameters: Any) -> Any:
    """A vectorizer of either library."""
    if library == "scikit-learn":
        return getattr(scikit_learn, f"{kind}Vectorizer")(**parameters)
    return getattr(assay, f"{kind}Vectorizer")(**parameters, n_jobs=n_jobs)


def fit(texts: Any, parameters: dict[str, Any], library: str, n_jobs: int) -> Any:
    """The tf-idf matrix of the texts."""
    return make("Tfidf", library, n_jobs, **parameters).fit_transform(texts)


def size_of(texts: list[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def compare(work: Work, settings: Settings) -> list[Row]:
    """Time both libraries; ours also on one thread."""
    say(f"{work.name}, {work.data}")
    contestants = {"scikit-learn": partial(work.run, "scikit-learn", 1)}
    for n_jobs in (settings.threads, 1):
        contestants[f"assay {n_jobs}"] = partial(work.run, "assay", n_jobs)
    timings = race(
        contestants,
        {name: settings.their_repeats if name == "scikit-learn" else settings.repeats for name in contestants},
        summarize,
    )
    theirs = timings.pop("scikit-learn")
    rows = []
    for n_jobs, timing in zip((settings.threads, 1), timings.values(), strict=True):
        check_same(timing.outcome, theirs.outcome, work.name)
        target = work.target_of_one_thread if n_jobs == 1 else work.target
        rows.append(
            {
                "work": work.name,
                "data": work.data,
                "threads": n_jobs,
                "scikit-learn s": theirs.best,
                "assay s": timing.best,
                "ratio": theirs.best / timing.best,
                "target": target and f"≥ {target}",
                "met": target and yes_or_no(theirs.best / timing.best >= target),
                "CPU ratio": theirs.best_cpu / timing.best_cpu,
                "MB/s": work.n_bytes / MB / timing.best,
            }
        )
    return rows


def summarize(matrix: Any) -> tuple[Any, ...]:
    """What two equal matrices have in common."""
    return matrix.shape, matrix.nnz, int(matrix.indices.sum(dtype=np.int64)), float(np.square(matrix.data).sum())


def check_same(ours: tuple[Any, ...], theirs: tuple[Any, ...], name: str) -> None:
    if ours[:3] != theirs[:3] or not np.isclose(ours[3], theirs[3], rtol=1e-9, atol=0):
        raise SystemExit(f"{name}: the matrices differ, so their times cannot be compared: {ours} and {theirs}")


def yes_or_no(met: bool) -> str:
    return "yes" if met else "no"


# Memory


def compare_memory(name: str, threads: int) -> Row:
    """Peak memory of both libraries, each in a process of its own."""
    say(f"peak memory, {name} train")
    theirs, ours = (peak_memory(prepare_fit, library, name, threads) for library in ("scikit-learn", "assay"))
    ratio = ours.growth / theirs.growth
    return {
        "data": f"{name} train",
        "threads": threads,
        "process with texts": f"{theirs.before / MB:.0f} / {ours.before / MB:.0f} MB",
        "scikit-learn's growth": f"{theirs.growth / MB:.0f} MB",
        "assay's growth": f"{ours.growth / MB:.0f} MB",
        "ratio": ratio,
        "target": f"≤ {MEMORY_TARGET}",
        "met": yes_or_no(ratio <= MEMORY_TARGET),
        "in all": f"{theirs.peak / MB:.0f} / {ours.peak / MB:.0f} MB",
    }


def prepare_fit(library: str, name: str, threads: int) -> Callable[[], Any]:
    """Load the texts in the process that is measured; return the work."""
    texts = read_texts(name, "train")
    vectorizer = make("Tfidf", library, threads, **PAIRS)
    return lambda: (vectorizer, vectorizer.fit_transform(texts))


# Growth


def measure_growth(settings: Settings) -> tuple[list[Row], list[Row]]:
    """Time the same work on more and more generated text; and the machine's limits on some of it."""
    say(f"generating {settings.sizes[-1]} MB of text")
    texts = zipfian_texts(settings.sizes[-1] * MB)
    ends = np.cumsum(pc.binary_length(texts).to_numpy())
    parts = {size: texts[: int(np.searchsorted(ends, size * MB)) + 1] for size in settings.sizes}
    rows: list[Row] = []
    for name, highest in (("words", 1), ("words and pairs", 2)):
        say(f"growth, {name}")
        rows += growth_rows(name, {"ngram_range": (1, highest)}, parts, settings)
    content = np.concatenate([np.frombuffer(chunk.buffers()[2], dtype=np.uint8) for chunk in texts.chunks[:4]])
    say("limits")
    result_bytes = 12 * rows[-len(parts)]["non-zeros"] * len(content) // (settings.sizes[0] * MB)
    return rows, measure_limits(content, result_bytes, settings.threads, settings.repeats)


def growth_rows(name: str, parameters: Row, parts: dict[int, Any], settings: Settings) -> list[Row]:
    contestants: dict[str, Callable[[], Any]] = {}
    for size, texts in parts.items():
        contestants[f"assay {size}"] = partial(fit, texts, parameters, "assay", settings.threads)
        if size in settings.their_sizes:
            contestants[f"scikit-learn {size}"] = partial(fit, texts.to_pylist(), parameters, "scikit-learn", 1)
    repeats = {n: settings.repeats if n.startswith("assay") else settings.their_repeats for n in contestants}
    timings = race(contestants, repeats, summarize)
    rows: list[Row] = []
    for size in parts:
        ours, theirs = timings[f"assay {size}"], timings.get(f"scikit-learn {size}")
        if theirs:
            check_same(ours.outcome, theirs.outcome, f"{name}, {size} MB")
        shape, non_zeros, *_ = ours.outcome
        per_byte = ours.best / size * 1000
        growth = per_byte / rows[0]["ns/byte"] if rows else 1.0
        cpu_per_byte = ours.best_cpu / size * 1000
        last = size == max(parts)
        rows.append(
            {
                "features": name,
                "MB": size,
                "different": shape[1],
                "non-zeros": non_zeros,
                "scikit-learn s": theirs and theirs.best,
                "assay s": ours.best,
                "ratio": theirs and theirs.best / ours.best,
                "MB/s": size / ours.best,
                "ns/byte": per_byte,
                "CPU ns/byte": cpu_per_byte,
                "growth": growth,
                "CPU growth": cpu_per_byte / rows[0]["CPU ns/byte"] if rows else 1.0,
                "target": f"≤ {GROWTH_TARGET}" if last else None,
                "met": yes_or_no(growth <= GROWTH_TARGET) if last else None,
            }
        )
    return rows


if __name__ == "__main__":
    main()
