from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import assay

Write = Callable[[str, bytes], str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file in an empty current folder and return its name, as a user would type it."""
    monkeypatch.chdir(tmp_path)

    def write_file(name: str, content: bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name

    return write_file


@pytest.fixture
def refused(write: Write) -> Callable[..., str]:
    """Read bytes that must be refused and return the message."""

    def message_for(content: bytes, name: str = "reviews.csv", **options: object) -> str:
        write(name, content)
        with pytest.raises(assay.errors.DataError) as caught:
            assay.read(name, **options)
        return str(caught.value)

    return message_for


@pytest.fixture
def real_data() -> Path:
    """The folder with public data sets, where there is one."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("there is no folder with real data; ASSAY_DATA names it")
    return folder
