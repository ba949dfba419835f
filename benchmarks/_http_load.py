"""Servers as processes of their own, held to one core, and load from `wrk` on another."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

__all__ = ["Load", "Server", "free_port", "load", "process_family", "serving", "shared_memory", "steady_load"]

SERVER_CORE, LOAD_CORE = "0", "1"
PATIENCE = 60.0  # seconds that a server may take to start

# wrk asks the lines of a file in turn, one request each, and says in the end what came, as JSON. With a rate, each
# connection waits before every request for a time drawn at random, so that requests come as if from many people.
SCRIPT = r"""
local bodies, at, answered_badly = {}, 0, 0
for line in io.lines(os.getenv("LOAD_BODIES")) do bodies[#bodies + 1] = line end
local pause = tonumber(os.getenv("LOAD_PAUSE"))
wrk.method, wrk.path = "POST", "/predict"
wrk.headers["Content-Type"] = "application/json"
local requests = {}
function init()
  for i, body in ipairs(bodies) do requests[i] = wrk.format(nil, nil, nil, body) end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
if pause > 0 then
  function delay() return math.floor(-math.log(1 - math.random()) * pause + 0.5) end
end
function done(summary, latency)
  local failed = summary.errors
  io.write(string.format(
    '\nRESULT {"requests": %d, "microseconds": %d, "failed": %d, "p50": %f, "p99": %f, "longest": %f}\n',
    summary.requests, summary.duration, failed.connect + failed.read + failed.write + failed.status + failed.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
"""


@dataclass(frozen=True)
class Load:
    """Answers a second, of the clock and of the server's processor time; and the milliseconds that they took."""

    rate: float
    per_cpu_second: float
    p50: float
    p99: float
    longest: float
    requests: int


@dataclass(frozen=True)
class Server:
    """A server that runs: where, which process, and seconds from its start to its first answer."""

    port: int
    process: subprocess.Popen[bytes]
    started_in: float

    def ask(self, body: str, path: str = "/predict") -> Any:
        """The answer to one request, from JSON."""
        return json.loads(_asked(self.port, path, body))

    def memory(self) -> int:
        """Bytes of it and of what it started, memory that they share counted once (proportional set size)."""
        return sum(shared_memory(number) for number in process_family(self.process.pid))

    def cpu_seconds(self) -> float:
        """Processor seconds of it and of what it started."""
        return sum(_cpu_seconds(number) for number in process_family(self.process.pid))


@contextmanager
def serving(
    words: Sequence[str], port: int, body: str, environment: Mapping[str, str] | None = None, core: str = SERVER_CORE
) -> Iterator[Server]:
    """Start a server on one core, wait until it answers `body`, and stop it in the end."""
    began = time.perf_counter()
    process = subprocess.Popen(
        ["taskset", "-c", core, *words],
        env={**os.environ, **(environment or {})},
        cwd=Path(__file__).parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while True:
            try:
                _asked(port, "/predict", body)
                break
            except OSError:
                if process.poll() is not None or time.perf_counter() - began > PATIENCE:
                    sys.exit(f"{' '.join(words)} did not come up")
                time.sleep(0.002)
        yield Server(port, process, time.perf_counter() - began)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def steady_load(server: Server, bodies: Sequence[str], connections: int, seconds: float, rate: float) -> Load:
    """Ask about `rate` times a second: how long each connection waits between requests is tried out first."""
    between = 1000 * connections / rate  # milliseconds from a request of a connection to its next
    tried = load(server, bodies, connections, 1, pause=between)
    answering = 1000 * connections / tried.rate - between
    return load(server, bodies, connections, seconds, pause=max(between - answering, 0.1))


def load(server: Server, bodies: Sequence[str], connections: int, seconds: float, pause: float = 0.0) -> Load:
    """Ask for some seconds over so many connections, each with a `pause` of so many milliseconds on average."""
    program = shutil.which("wrk")
    if program is None:
        sys.exit("wrk was not found (Debian: apt install wrk).")
    with tempfile.TemporaryDirectory() as folder:
        script, lines = Path(folder, "load.lua"), Path(folder, "bodies.jsonl")
        script.write_text(SCRIPT, encoding="utf-8")
        lines.write_text("".join(f"{body}\n" for body in bodies), encoding="utf-8")
        words = ["taskset", "-c", LOAD_CORE, program, "-t1", f"-c{connections}", f"-d{seconds:g}s", "--timeout", "20s"]
        before = server.cpu_seconds()
        done = subprocess.run(
            [*words, "-s", str(script), f"http://127.0.0.1:{server.port}"],
            env={**os.environ, "LOAD_BODIES": str(lines), "LOAD_PAUSE": str(pause)},
            capture_output=True,
            text=True,
            check=True,
        )
        used = server.cpu_seconds() - before
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("RESULT "))
    found = json.loads(line.removeprefix("RESULT "))
    if found["failed"]:
        sys.exit(f"{found['failed']} of {found['requests']} requests failed")
    times = (found[name] / 1000 for name in ("p50", "p99", "longest"))
    asked = found["requests"]
    return Load(asked / found["microseconds"] * 1e6, asked / used, *times, asked)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _asked(port: int, path: str, body: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("POST", path, body.encode(), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status == 503:  # not yet
            raise ConnectionRefusedError
        if answer.status != 200:
            sys.exit(f"{path} answered {answer.status}: {content[:300]!r}")
        return content
    finally:
        connection.close()


def _cpu_seconds(number: int) -> float:
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def process_family(number: int) -> list[int]:
    """A process and all that it started, and those that these started."""
    children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
    return [number, *(one for child in children for one in process_family(int(child)))]


def shared_memory(number: int) -> int:
    """Bytes of a process; of memory that several share, each has its part (proportional set size)."""
    lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("Pss:"))
    return int(line.split()[1]) * 1024
