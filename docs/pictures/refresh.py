"""Draw ``report.png``, the picture in the README: the first screen of the report on the embedded sample.

Run ``python docs/pictures/refresh.py`` after the report's looks have changed; it needs Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from assay.report import write_report
from assay.samples import load_sample
from assay.training import TrainingSettings, run_training

TARGET = Path(__file__).with_name("report.png")
WIDTH, HEIGHT = 1280, 800
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars"]


def refresh() -> None:
    """Train as ``assay demo`` does, open the report, and keep what the window shows."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        sys.exit("There is no Chromium to open the report in (Debian: apt install chromium).")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        report = Path(folder, "report.html")
        write_report(run_training(load_sample(), TrainingSettings.chosen()), report)
        window = [f"--user-data-dir={folder}", f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={TARGET}"]
        subprocess.run([browser, "--headless", *QUIET, *window, report.as_uri()], check=True, capture_output=True)


if __name__ == "__main__":
    refresh()
