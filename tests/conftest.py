"""What all tests share: the examples they draw, where the real data is, two models, and a browser."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.internal.conjecture import providers

# A slow machine is no failure, and what failed before is no longer there tomorrow.
_steady = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None, "print_blob": True}
hypothesis.settings.register_profile("same-everywhere", derandomize=True, **_steady)
hypothesis.settings.register_profile("explore", **_steady)  # what `make fuzz` loads
hypothesis.settings.load_profile("same-everywhere")


def pytest_configure(config: pytest.Config) -> None:
    """Draw the same examples whatever else was imported.

    Hypothesis also tries the constants of the modules that are loaded at that moment, and these depend on which tests
    this worker has run before.
    """
    if config.getoption("--hypothesis-profile", None) != "explore":
        nothing = providers.Constants()
        providers._get_local_constants = lambda: nothing


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the public data sets; tests that need it are skipped without it."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the public data sets are not at {folder} (set ASSAY_DATA)")
    return folder


@pytest.fixture(scope="session")
def permissions_count(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip where this process can read what it may not, as an administrator can."""
    file = tmp_path_factory.mktemp("permissions") / "closed"
    file.touch(mode=0)
    try:
        file.read_bytes()
    except PermissionError:
        return
    pytest.skip("this process can read what it may not")


@pytest.fixture(scope="session")
def shop_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the embedded sample, with probabilities; its texts were in a column 'text'."""
    import assay
    from assay.samples import SHOP_MESSAGES

    path = tmp_path_factory.mktemp("models") / "shop.assay"
    assay.TextClassifier(learner="logistic").fit(assay.read(str(SHOP_MESSAGES))).save(path)
    return path


@pytest.fixture(scope="session")
def score_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without probabilities."""
    import assay
    from assay.samples import SHOP_MESSAGES

    path = tmp_path_factory.mktemp("models") / "scores.assay"
    assay.TextClassifier(learner="svm").fit(assay.read(str(SHOP_MESSAGES))).save(path)
    return path


class Browser:
    """Chromium without a window, driven through its debugging pipe: messages are JSON, each ended by a zero byte."""

    def __init__(self, program: str, folder: str) -> None:
        (their_read, self._write), (self._read, their_write) = os.pipe(), os.pipe()

        def put_in_place() -> None:  # Chromium reads from descriptor 3 and writes to 4
            high_read, high_write = os.dup2(their_read, 100), os.dup2(their_write, 101)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        options += ["--remote-debugging-pipe", "--disable-background-networking", f"--user-data-dir={folder}"]
        self._process = subprocess.Popen(
            [program, *options, "about:blank"],
            preexec_fn=put_in_place,
            pass_fds=(3, 4, their_read, their_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(their_read)
        os.close(their_write)
        self._number, self._rest, self._session = 0, b"", None
        self.requests: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._read, 1 << 16)
            assert part, "the browser ended"
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        return message

    def open(self, place: Path | str, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Show a file, or what is at a URL, in a window of this size, in one of the colour schemes."""
        url = place.as_uri() if isinstance(place, Path) else place
        self.requests.clear()
        phone = width < 600
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Page.navigate", url=url)
        while self.run("document.readyState") != "complete" or self.run("location.href") != url:
            pass

    def run(self, script: str) -> Any:
        """Value of a JavaScript expression in the page; exceptions fail the test."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Scroll to an element and press it with the mouse."""
        spot = self.run(
            f"(() => {{ const it = document.querySelector({json.dumps(selector)});"
            "it.scrollIntoView({block: 'center', behavior: 'instant'}); const box = it.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)

    def type(self, selector: str, text: str) -> None:
        """Write into a field."""
        self.click(selector)
        self.ask("Input.insertText", text=text)

    def picture(self) -> bytes:
        """What the window shows, as PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot")["data"])

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._read)
        os.close(self._write)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("there is no Chromium to open pages in (Debian: apt install chromium)")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        opened = Browser(program, folder)
        yield opened
        opened.close()
