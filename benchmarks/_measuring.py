"""Contestants on the same work in the same run: alternating timings, peak memory, a table, and a JSON file."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import platform
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from assay.atomic_file import write_atomically

__all__ = [
    "Memory",
    "Timing",
    "describe_machine",
    "peak_memory",
    "print_table",
    "race",
    "report",
    "say",
    "write_results",
]

RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True)
class Timing:
    """What a contestant took each time, and what it brought back."""

    seconds: list[float]
    cpu_seconds: list[float]
    outcome: Any

    @property
    def best(self) -> float:
        """Seconds of the quickest run: the one that other work on the machine disturbed least."""
        return min(self.seconds)

    @property
    def best_cpu(self) -> float:
        """Processor seconds of all threads, of the run that took least of them."""
        return min(self.cpu_seconds)


def race(
    contestants: Mapping[str, Callable[[], Any]],
    repeats: int | Mapping[str, int],
    summary: Callable[[Any], Any] = type,
) -> dict[str, Timing]:
    """Let the contestants run in turn, each `repeats` times; only the `summary` of a result (its type) is kept.

    A result is given back to the system before the next one runs, and neither that nor its summary is timed.
    """
    rounds = {name: repeats if isinstance(repeats, int) else repeats[name] for name in contestants}
    timings = {name: Timing([], [], None) for name in contestants}
    for round_ in range(max(rounds.values())):
        for name, run in contestants.items():
            if round_ >= rounds[name]:
                continue
            gc.collect()
            started, cpu_started = time.perf_counter(), time.process_time()
            result = run()
            seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
            so_far = timings[name]
            timings[name] = Timing([*so_far.seconds, seconds], [*so_far.cpu_seconds, cpu_seconds], summary(result))
            del result
    return timings


@dataclass(frozen=True)
class Memory:
    """Bytes of a process with its data loaded, and the most that it had while it worked."""

    before: int
    peak: int

    @property
    def growth(self) -> int:
        """What the work itself needed."""
        return self.peak - self.before


def peak_memory(prepare: Callable[..., Callable[[], Any]], *arguments: Any) -> Memory:
    """Measure a piece of work in a process of its own; ``prepare(*arguments)`` loads the data and returns the work.

    `prepare` must be a function of a module: the new process imports it by name.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_measure_memory, args=(there, prepare, arguments))
    process.start()
    there.close()
    try:
        before, peak = here.recv()
    except EOFError:
        raise RuntimeError(f"the process that measures {prepare.__name__}{arguments} ended early") from None
    finally:
        process.join()
    return Memory(before, peak)


def _measure_memory(pipe: Connection, prepare: Callable[..., Callable[[], Any]], arguments: tuple[Any, ...]) -> None:
    work = prepare(*arguments)
    gc.collect()
    status = Path("/proc/self/status")
    if status.exists():
        Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
        before = _kilobytes(status, "VmRSS")
        result = work()
        peak = _kilobytes(status, "VmHWM")
    else:  # elsewhere the peak is that of the whole process
        unit = 1 if sys.platform == "darwin" else 1024
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 1024
        result = work()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 1024
    del result
    pipe.send((before * 1024, peak * 1024))


def _kilobytes(status: Path, field: str) -> int:
    (line,) = (line for line in status.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1])


def say(message: str) -> None:
    """Tell what is being done, beside the results."""
    print(message, file=sys.stderr, flush=True)


def print_table(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows with the same keys; numbers stand to the right, and what was not measured is a dash."""
    columns = list(rows[0])
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[i]) for line in cells)) for i, column in enumerate(columns)]
    right = [all(not isinstance(row[column], str) for row in rows) for column in columns]
    print(f"\n{title}\n")
    for line in [columns, ["-" * width for width in widths], *cells]:
        fitted = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, right, strict=True)]
        print("  ".join(fitted).rstrip())
    print(flush=True)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def describe_machine() -> dict[str, Any]:
    """Tell what the figures depend on, how busy the machine was included."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: version(name) for name in ("assay", "scikit-learn", "numpy", "scipy", "pyarrow")},
        "load_average": os.getloadavg()[0],
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def write_results(name: str, results: Mapping[str, Any]) -> Path:
    """Write what was measured to ``benchmarks/results/<name>.json``."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    write_atomically(path, json.dumps(results, indent=1, ensure_ascii=False).encode() + b"\n")
    return path


def report(question: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the rows as a table, and write them, with the machine, under the name of the script that runs."""
    print_table(question, rows)
    write_results(Path(sys.argv[0]).stem, {"question": question, "machine": describe_machine(), "rows": rows})
