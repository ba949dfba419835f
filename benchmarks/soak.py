"""Whether `assay serve` stays right while everything happens at once.

Many connections ask good and bad questions, the model's file is replaced every few seconds (now and then by one that is
no model), workers are killed at random, and in the end the server is told to stop while it is asked. An answer must be
what the model whose digest it tells says in Python; a bad question gets the 4xx that it deserves; nothing gets a 5xx
but 503 while the server stops; a connection may break only where a worker was killed; memory stays flat; and all
workers end up with the last model. What was drawn is drawn from the seed; what comes of it hangs on the machine.

    python benchmarks/soak.py [--seconds S] [--connections N] [--workers N] [--seed N]

The exit code is 1 where anything went wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import assay
from _http_load import process_family, shared_memory
from _measuring import say
from assay.samples import load_sample
from assay.server.binary_tensors import write_elements

ASSAY = str(Path(sys.executable).with_name("assay"))
BROKEN_FOR = 5.0  # seconds after the death of a worker in which connections may break
ALLOWED_GROWTH = 0.15  # of the memory of the first half of the time
JSON_TYPE = "application/json"

Check = Callable[[int, bytes], str | None]
"""From a status and a body to what is wrong with them."""


@dataclass
class Soak:
    """What is known while it runs, and what came of it."""

    port: int
    texts: list[str]
    answers: dict[str, dict[str, str]]  # digest → text → label
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    killed: float = float("-inf")
    stopping: bool = False

    def asked(self, draw: random.Random) -> tuple[str, str, str, bytes, Check]:
        """A question: its name, the path, the type of the body, the body, and what its answer must be."""
        texts = draw.choices(self.texts, k=draw.randint(1, 5))
        kind = draw.choice(GOOD + BAD)
        if kind == "predict":
            return kind, "/predict", JSON_TYPE, as_json({"texts": texts}), lambda s, b: self.predicted(texts, s, b)
        if kind == "explain":
            return kind, "/explain", JSON_TYPE, as_json({"text": texts[0]}), lambda s, b: self.explained(texts[0], s, b)
        if kind == "rows":
            rows = "".join(as_json({"text": text}).decode() + "\n" for text in texts).encode()
            return kind, "/predict", "application/x-ndjson", rows, lambda s, b: self.rows(texts, s, b)
        if kind == "tensors":
            body = as_json({"inputs": [tensor(texts, data=texts)]})
            return kind, "/v2/models/live/infer", JSON_TYPE, body, lambda s, b: self.inferred(texts, s, b)
        path, media, body, status = BAD_QUESTIONS[kind]
        return kind, path, media, body, lambda s, b: refused(status, s, b)

    def predicted(self, texts: list[str], status: int, body: bytes) -> str | None:
        """What is wrong with an answer of /predict."""
        if status != 200:
            return f"status {status}"
        found = json.loads(body)
        return self.labels(found["model"]["sha256"], texts, [one["prediction"] for one in found["answers"]])

    def explained(self, text: str, status: int, body: bytes) -> str | None:
        """The same of /explain."""
        if status != 200:
            return f"status {status}"
        found = json.loads(body)
        return self.labels(found["model"]["sha256"], [text], [found["explanation"]["label"]])

    def rows(self, texts: list[str], status: int, body: bytes) -> str | None:
        """The same of rows; the digest is in a header, so one of the models must fit. Many at once may be refused."""
        if status == 429:
            return refused(429, status, body)
        if status != 200:
            return f"status {status}"
        found = [json.loads(line)["prediction"] for line in body.splitlines()]
        return None if any(self.labels(one, texts, found) is None for one in self.answers) else "wrong rows"

    def inferred(self, texts: list[str], status: int, body: bytes) -> str | None:
        """The same of /v2."""
        if status != 200:
            return f"status {status}"
        found = json.loads(body)
        (digest,) = (one for one in self.answers if one.startswith(found["model_version"]))
        labels = next(one["data"] for one in found["outputs"] if one["name"] == "label")
        return self.labels(digest, texts, labels)

    def labels(self, digest: str, texts: list[str], found: list[str]) -> str | None:
        """What is wrong with labels that a model gave."""
        self.counts[f"answers of {digest[:8]}"] += 1
        expected = [self.answers[digest][text] for text in texts] if digest in self.answers else None
        return None if found == expected else f"{found} of {digest[:8]}, expected {expected}"


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def tensor(texts: list[str], **more: Any) -> dict[str, Any]:
    return {"name": "text", "datatype": "BYTES", "shape": [len(texts)], **more}


def refused(expected: int, status: int, body: bytes) -> str | None:
    if status != expected:
        return f"status {status}, expected {expected}"
    return None if json.loads(body).get("error") else "a refusal without words"


GOOD = ["predict"] * 8 + ["tensors"] * 3 + ["explain", "rows"]
BAD_QUESTIONS = {
    "no JSON": ("/predict", JSON_TYPE, b'{"texts": [', 400),
    "no UTF-8": ("/predict", JSON_TYPE, b'{"texts": ["\xff"]}', 400),
    "half a character": ("/predict", JSON_TYPE, b'{"texts": ["\\ud83d"]}', 400),
    "unknown field": ("/predict", JSON_TYPE, b'{"texts": ["a"], "tpo": 3}', 422),
    "wrong type": ("/predict", JSON_TYPE, b'{"texts": "a"}', 422),
    "no texts": ("/predict", JSON_TYPE, b'{"texts": []}', 422),
    "a NUL": ("/explain", JSON_TYPE, b'{"text": "a\\u0000"}', 422),
    "unknown model": ("/predict", JSON_TYPE, b'{"texts": ["a"], "model": "lively"}', 404),
    "unknown path": ("/predicts", JSON_TYPE, b"{}", 404),
    "unknown content": ("/predict", "text/plain", b"a", 415),
    "too large": ("/predict", JSON_TYPE, b'{"texts": ["' + b"a" * 200_000 + b'"]}', 413),
    "broken tensor": ("/v2/models/live/infer", JSON_TYPE, as_json({"inputs": [tensor(["a"])]}), 400),
    "tensor of no header": (
        "/v2/models/live/infer",
        "application/octet-stream",
        as_json({"inputs": [tensor(["a"])]}) + write_elements([b"a"]),
        400,
    ),
}
BAD = list(BAD_QUESTIONS)


class Connection:
    """Asks one question after the other, over one connection as long as it holds."""

    def __init__(self, soak: Soak, seed: str, until: float) -> None:
        self._soak, self._draw, self._until = soak, random.Random(seed), until
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def run(self) -> None:
        """Ask until the time is over, or the server is."""
        soak = self._soak
        while time.monotonic() < self._until:
            name, path, media, body, check = soak.asked(self._draw)
            try:
                status, content = await self._ask(path, media, body, gone=self._draw.random() < 0.01)
            except (OSError, EOFError, asyncio.IncompleteReadError):
                self._close()
                soak.counts["broken connections"] += 1
                if not soak.stopping and time.monotonic() - soak.killed > BROKEN_FOR:
                    soak.wrong.append(f"{name}: the connection broke, and no worker was killed")
                if soak.stopping:
                    return
                await asyncio.sleep(0.05)
                continue
            if status == 0:
                soak.counts["clients that went away"] += 1
                continue
            soak.counts[f"status {status}"] += 1
            fault = check(status, content)
            if fault is not None and not (soak.stopping and status == 503):
                soak.wrong.append(f"{name}: {fault}")
        self._close()

    async def _ask(self, path: str, media: str, body: bytes, *, gone: bool) -> tuple[int, bytes]:
        """Status and body; with `gone`, the client leaves before its answer comes."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._soak.port)
        assert self._reader is not None
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        if gone:
            self._close()
            return 0, b""
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?i)^content-length: (\d+)", answer, re.MULTILINE)
        content = await self._reader.readexactly(int(length[1])) if length else await self._chunks()
        if re.search(r"(?i)^connection: close", answer, re.MULTILINE):
            self._close()
        return int(answer.split()[1]), content

    async def _chunks(self) -> bytes:
        assert self._reader is not None
        content = b""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            content += await self._reader.readexactly(size)
            await self._reader.readline()
        await self._reader.readline()
        return content

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def replace_models(soak: Soak, live: Path, files: list[Path], draw: random.Random, every: float) -> None:
    """Put one model in the place of the other; now and then a file that is none comes between them."""
    turn = 0
    while True:
        await asyncio.sleep(every * draw.uniform(0.5, 1.5))
        beside = live.with_name("next")
        if draw.random() < 0.25:
            beside.write_bytes(files[turn % 2].read_bytes()[: draw.randint(0, 4000)])
            beside.replace(live)
            soak.counts["broken files"] += 1
            await asyncio.sleep(every * draw.uniform(0.5, 1.5))
        turn += 1
        shutil.copy(files[turn % 2], beside)
        beside.replace(live)
        soak.counts["replaced files"] += 1


async def kill_workers(soak: Soak, server: int, draw: random.Random, every: float) -> None:
    """Kill one of the workers, now and then."""
    while True:
        await asyncio.sleep(every * draw.uniform(0.5, 1.5))
        workers = process_family(server)[1:]
        if workers:
            soak.killed = time.monotonic()
            with_death = draw.choice(workers)
            soak.counts["killed workers"] += 1
            subprocess.run(["kill", "-KILL", str(with_death)], check=False)


async def watch_memory(soak: Soak, server: int) -> None:
    """Look at the memory of all processes, twice a second."""
    while True:
        await asyncio.sleep(0.5)
        try:
            soak.memory.append(sum(shared_memory(one) for one in process_family(server)))
        except (OSError, ValueError):  # one of them has just died
            continue


async def settle(soak: Soak, last: str) -> None:
    """All workers come to serve the last model."""
    end = time.monotonic() + 15
    digests: set[str] = set()
    while time.monotonic() < end:
        digests = set()
        for _ in range(16):
            reader, writer = await asyncio.open_connection("127.0.0.1", soak.port)
            writer.write(b"GET /models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            digests.update(re.findall(r'"sha256":"(\w+)"', (await reader.read()).decode()))
            writer.close()
        if digests == {last}:
            return
        await asyncio.sleep(0.25)
    soak.wrong.append(f"in the end {sorted(one[:8] for one in digests)} are served, and the file is {last[:8]}")


async def run(soak: Soak, process: subprocess.Popen[str], folder: Path, arguments: argparse.Namespace) -> None:
    """All of it."""
    draw, live = random.Random(arguments.seed), folder / "live.assay"
    files = [folder / "one.assay", folder / "other.assay"]
    until = time.monotonic() + arguments.seconds
    asking = [
        asyncio.create_task(Connection(soak, f"{arguments.seed}-{i}", until + 5).run())
        for i in range(arguments.connections)
    ]
    mischief = [
        asyncio.create_task(replace_models(soak, live, files, random.Random(draw.random()), arguments.replace_every)),
        asyncio.create_task(kill_workers(soak, process.pid, random.Random(draw.random()), arguments.kill_every)),
        asyncio.create_task(watch_memory(soak, process.pid)),
    ]
    await asyncio.sleep(arguments.seconds)
    for task in mischief:
        task.cancel()
    await asyncio.gather(*mischief, return_exceptions=True)
    await asyncio.sleep(0.1)
    shutil.copy(files[0], folder / "next")
    (folder / "next").replace(live)
    await settle(soak, sha256(files[0].read_bytes()).hexdigest())
    soak.stopping = True
    process.send_signal(signal.SIGTERM)
    for found in await asyncio.gather(*asking, return_exceptions=True):
        if isinstance(found, BaseException):
            soak.wrong.append(f"a connection failed: {found!r}")


def look_at_memory(soak: Soak) -> None:
    """Compare the second half of the time with the first, but for its beginning."""
    if len(soak.memory) < 60:  # too short to say
        return
    middle = len(soak.memory) // 2
    first, second = (
        statistics.median(part) for part in (soak.memory[middle // 2 : middle], soak.memory[-middle // 2 :])
    )
    say(f"memory of all processes: {first / 1e6:.1f} MB, then {second / 1e6:.1f} MB")
    if second > first * (1 + ALLOWED_GROWTH):
        soak.wrong.append(f"memory grew from {first / 1e6:.1f} to {second / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--replace-every", type=float, default=4.0)
    parser.add_argument("--kill-every", type=float, default=7.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sample = load_sample()
        texts = [*sample.texts.to_pylist()[:200], "", "très bien 好 🎉"]
        answers = {}
        for file, learner in (("one.assay", "nb"), ("other.assay", "logistic")):
            model = assay.TextClassifier(learner=learner).fit(sample)
            model.save(folder / file)
            digest = sha256((folder / file).read_bytes()).hexdigest()
            answers[digest] = dict(zip(texts, model.predict(texts).tolist(), strict=True))
        shutil.copy(folder / "one.assay", folder / "live.assay")
        words = [ASSAY, "serve", str(folder / "live.assay"), "--port", "0", "--workers", str(arguments.workers)]
        words += ["--body-limit", "0.1", "--grace", "5"]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://[^ :]+:(\d+)", said)
        if found is None:
            sys.exit(said + process.stderr.read())
        soak = Soak(int(found[1]), texts, answers)
        try:
            asyncio.run(run(soak, process, folder, arguments))
            code = process.wait(30)
        finally:
            process.kill()
            trouble = process.stderr.read()
        if code:
            soak.wrong.append(f"the server ended with code {code}")
        if trouble:
            soak.wrong.append(f"the server wrote: {trouble[-2000:]}")
    look_at_memory(soak)
    if min(soak.counts[f"answers of {digest[:8]}"] for digest in answers) == 0:
        soak.wrong.append("one of the models never answered")
    for what, count in sorted(soak.counts.items()):
        print(f"{count:9,}  {what}")
    for what, count in Counter(soak.wrong).most_common(20):
        print(f"{count:9,}  WRONG  {what}")
    sys.exit(bool(soak.wrong))


if __name__ == "__main__":
    main()
