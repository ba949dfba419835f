"""Servers in processes of their own, asked through real sockets."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ASSAY = Path(sys.executable).with_name("assay")
PATIENCE = 60  # seconds for what takes a moment


@dataclass(frozen=True)
class Answered:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, str]:
        """The three parts of an error, which every error has and no more."""
        found: dict[str, str] = self.json["error"]
        assert list(found) == ["what", "where", "way_out"]
        assert all(found.values())
        return found


class Served:
    """``assay serve`` in a process of its own."""

    def __init__(self, folder: Path, *arguments: str | Path) -> None:
        self.log = folder / "access.log"
        listening = [] if "--uds" in arguments else ["--port", "0"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [ASSAY, "serve", *arguments, *listening], stdout=log, stderr=subprocess.PIPE, text=True
            )
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.search(r" at (?:http://(.*):(\d+)|unix:(\S+))", self.said)
        assert found, self.said + self.process.stderr.read()
        self.host, self.port = found[1], int(found[2] or 0)
        self.uds = found[3]

    def connect(self) -> socket.socket:
        if self.uds:
            made = socket.socket(socket.AF_UNIX)
            made.connect(self.uds)
            made.settimeout(PATIENCE)
            return made
        return socket.create_connection((self.host, self.port), PATIENCE)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answered:
        """One request on a connection of its own; headers are written with _ for -, a dict is sent as JSON."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, dict):
            body, given = json.dumps(body).encode(), {"Content-Type": "application/json"} | given
        connection = http.client.HTTPConnection("localhost", self.port or None)
        connection.sock = self.connect()
        try:
            connection.request(method, path, body, given)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answered(response.status, found, response.read())
        finally:
            connection.close()

    def raw(self, request: bytes) -> Answered:
        """Send bytes as they are, and read until the server closes the connection."""
        with self.connect() as connection:
            with suppress(OSError):  # it may have been closed in the middle of it
                connection.sendall(request)
            content = b""
            with suppress(ConnectionResetError):
                while block := connection.recv(1 << 16):
                    content += block
        head, _, body = content.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:])
        return Answered(int(lines[0].split()[1]) if content else 0, headers, body)

    def predict(self, *texts: str, **settings: Any) -> Any:
        return self.ask("POST", "/predict", {"texts": list(texts), **settings}).json

    def log_lines(self, n: int, **wanted: Any) -> list[dict[str, Any]]:
        """Lines of the log with these values, when there are so many."""

        def found() -> list[dict[str, Any]] | None:
            lines = [json.loads(line) for line in self.log.read_text().splitlines(keepends=True) if line[-1] == "\n"]
            chosen = [line for line in lines if wanted.items() <= line.items()]
            return chosen if len(chosen) >= n else None

        lines: list[dict[str, Any]] = eventually(found)
        return lines

    def metrics(self) -> dict[str, float]:
        text = self.ask("GET", "/metrics").body.decode()
        rows = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in rows}

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code


def eventually(found: Callable[[], Any]) -> Any:
    """What comes to be true after a while."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = found()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError("it did not come to be so")


@pytest.fixture
def assay_command() -> Path:
    """Where the installed command is."""
    return ASSAY


@pytest.fixture(name="eventually")
def eventually_fixture() -> Callable[..., Any]:
    return eventually


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Start servers, which end with the module."""
    begun: list[Served] = []

    def start(*arguments: str | Path) -> Served:
        begun.append(Served(tmp_path_factory.mktemp("served"), *arguments))
        return begun[-1]

    yield start
    for server in begun:
        server.stop()


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Make a small model of two labels."""
    from assay import TextClassifier

    def make(path: Path, labels: tuple[str, str] = ("good", "bad")) -> Path:
        texts = ["loved it", "great fun", "so lovely", "so dull", "a mess", "boring mess"] * 3
        TextClassifier(learner="nb").fit(texts, ([labels[0]] * 3 + [labels[1]] * 3) * 3).save(path)
        return path

    return make
