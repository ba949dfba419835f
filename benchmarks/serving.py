"""Models behind HTTP: `assay serve` beside scikit-learn and fastText behind FastAPI and uvicorn, in one run.

All three learn the same task (words and pairs of words of ag_news) and answer on loopback, each held to one core; the
load comes from the other core, from wrk. The peers are written as their users write them: one `async def` over the
model, httptools and uvloop installed, no access log (ours writes one). Where other work shares the core, requests per
processor second of the server say more than those per second of the clock.

python benchmarks/serving.py [--seconds S] [--requests N] [--rows N] [--only single,bulk,memory]
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import assay
from _datasets import read_labelled
from _http_load import LOAD_CORE, SERVER_CORE, Load, Server, free_port, load, serving, steady_load
from _measuring import describe_machine, print_table, say, write_results
from _peers import fasttext_race
from _processes import ASSAY

CONNECTIONS = (1, 8, 64)
OURS, SKLEARN, FASTTEXT = "assay serve", "scikit-learn, FastAPI", "fastText, FastAPI"


@dataclass(frozen=True)
class Contestant:
    """A server: its words after ``{port}`` is filled in, its environment, and the file of its model."""

    words: Sequence[str]
    model: Path
    environment: Mapping[str, str]

    @contextmanager
    def running(self, body: str) -> Iterator[Server]:
        """Start it, and stop it in the end."""
        port = free_port()
        with serving([word.format(port=port) for word in self.words], port, body, self.environment) as server:
            yield server


def contestants(folder: Path) -> dict[str, Contestant]:
    """Train a model of each on the same texts, and say how each is served."""
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts, labels = read_labelled("ag_news_sub", "train")
    test_texts, test_labels = read_labelled("ag_news_sub", "test")
    right: dict[str, float] = {}
    say("training")
    ours = assay.train((texts, labels), learner="logistic", ngrams="1-2")
    ours.save(folder / "news.assay")
    right[OURS] = float(np.mean(ours.predict(test_texts) == test_labels))
    theirs = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(max_iter=1000)).fit(texts, labels)
    joblib.dump(theirs, folder / "news.joblib")
    right[SKLEARN] = float(np.mean(theirs.predict(test_texts) == test_labels))
    names = np.unique(labels)
    race = fasttext_race(
        folder, (texts, np.searchsorted(names, labels)), (test_texts, np.searchsorted(names, test_labels)), epochs=5
    )
    learned = race.train()
    learned.save_model(str(folder / "news.bin"))
    right[FASTTEXT] = race.accuracy(learned)
    say("right on the test part: " + ", ".join(f"{name} {share:.3f}" for name, share in right.items()))

    def fastapi(module: str, model: Path) -> Contestant:
        words = [sys.executable, "-m", "uvicorn", f"{module}:app", "--port", "{port}", "--no-access-log"]
        return Contestant(words, model, {"MODEL": str(model)})

    words = [ASSAY, "serve", str(folder / "news.assay"), "--port", "{port}"]
    return {
        OURS: Contestant(words, folder / "news.assay", {}),
        SKLEARN: fastapi("_serving_sklearn", folder / "news.joblib"),
        FASTTEXT: fastapi("_serving_fasttext", folder / "news.bin"),
    }


def single_texts(servers: Mapping[str, Contestant], bodies: Sequence[str], seconds: float) -> list[dict[str, Any]]:
    """One text a request: how many a second over 1, 8 and 64 connections, and how long each takes."""
    found: dict[str, dict[str, Load]] = {}
    for name, contestant in servers.items():
        with contestant.running(bodies[0]) as server:
            load(server, bodies, 8, 1)  # until it is warm
            loads = {}
            for connections in CONNECTIONS:
                say(f"{name}: {connections} connections")
                loads[str(connections)] = load(server, bodies, connections, seconds)
            half = loads[str(CONNECTIONS[-1])].rate / 2
            loads[f"{CONNECTIONS[-1]}, half its peak"] = steady_load(server, bodies, CONNECTIONS[-1], seconds, half)
            found[name] = loads
    rows: list[dict[str, Any]] = []
    for kind, ours in found[OURS].items():
        for name, loads in found.items():
            one = loads[kind]
            compared = name != OURS and "half" not in kind
            rows.append(
                {
                    "connections": kind,
                    "server": name,
                    "requests/s": one.rate,
                    "ours is": ours.rate / one.rate if compared else None,
                    "per processor second": one.per_cpu_second,
                    "ours is, by that": ours.per_cpu_second / one.per_cpu_second if compared else None,
                    "p50 ms": one.p50,
                    "p99 ms": one.p99,
                }
            )
    return rows


def bulk(contestant: Contestant, folder: Path, texts: Sequence[str], body: str, rows: int) -> list[dict[str, Any]]:
    """A file through the server, and the same file through `assay predict`, both held to one core."""
    source = folder / "bulk.csv"
    with source.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["text"])
        writer.writerows([texts[i * 7919 % len(texts)]] for i in range(rows))
    lines = folder / "bulk.jsonl"
    with lines.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps({"text": texts[i * 7919 % len(texts)]}) + "\n" for i in range(rows))
    found = []
    with contestant.running(body) as server:
        for kind, file, media in (("CSV", source, "text/csv"), ("NDJSON", lines, "application/x-ndjson")):
            asked = [
                "taskset",
                "-c",
                LOAD_CORE,
                "curl",
                "-sS",
                "--fail",
                "-H",
                "Expect:",
                "-H",
                f"Content-Type: {media}",
            ]
            asked += [
                "-X",
                "POST",
                "-T",
                str(file),
                "-o",
                str(folder / "answers"),
                f"http://127.0.0.1:{server.port}/predict",
            ]
            predicted = ["taskset", "-c", SERVER_CORE, ASSAY, "predict", str(contestant.model), str(file), "-f", "-q"]
            predicted += ["-o", str(folder / f"predicted{file.suffix}")]
            served = min(_seconds(asked) for _ in range(3))
            there = sum(1 for _ in (folder / "answers").open("rb"))
            if there < rows:
                sys.exit(f"{there} lines came back for {rows} texts")
            alone = min(_seconds(predicted) for _ in range(3))
            found.append(
                {
                    "format": kind,
                    "texts/s, served": rows / served,
                    "texts/s, assay predict": rows / alone,
                    "served is": alone / served,
                }
            )
    return found


def start_and_memory(
    servers: Mapping[str, Contestant], bodies: Sequence[str], requests: int, seconds: float
) -> list[dict[str, Any]]:
    """Start to first answer (best of 5), memory beyond the model, and memory after many requests."""
    rows = []
    for name, contestant in servers.items():
        say(f"{name}: starts and memory")
        starts = []
        for _ in range(5):
            with contestant.running(bodies[0]) as server:
                starts.append(server.started_in)
        with contestant.running(bodies[0]) as server:
            load(server, bodies, 64, 2)
            sizes, asked = [server.memory()], 0
            beyond = sizes[0] - contestant.model.stat().st_size
            row: dict[str, Any] = {"server": name, "first answer s": min(starts), "MB beyond the model": beyond / 1e6}
            while name == OURS and asked < requests:
                asked += load(server, bodies, 64, min(seconds * 4, 30)).requests
                sizes.append(server.memory())
            grown = (max(sizes) - sizes[0]) / 1e6 if asked else None
            rows.append({**row, "requests after": asked or None, "grown by MB": grown})
    return rows


def _seconds(words: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--only", default="single,bulk,memory")
    arguments = parser.parse_args()
    parts = arguments.only.split(",")
    results: dict[str, Any] = {"machine": describe_machine()}
    texts = read_labelled("ag_news_sub", "test")[0]
    bodies = [json.dumps({"texts": [text]}) for text in texts[:1000]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        servers = contestants(folder)
        os.sched_setaffinity(0, {int(LOAD_CORE)})
        if "single" in parts:
            results["single"] = single_texts(servers, bodies, arguments.seconds)
            print_table("One text a request", results["single"])
        if "bulk" in parts:
            results["bulk"] = bulk(servers[OURS], folder, texts, bodies[0], arguments.rows)
            print_table(f"{arguments.rows:,} texts in one request", results["bulk"])
        if "memory" in parts:
            results["memory"] = start_and_memory(servers, bodies, arguments.requests, arguments.seconds)
            print_table("Start and memory", results["memory"])
    write_results("serving", results)


if __name__ == "__main__":
    main()
