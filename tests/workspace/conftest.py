"""A small workspace to try things on."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from assay.workspace import Workspace

# What tests cannot import, they ask for: `reviews` has the functions below.
GOOD = ("loved it", "great fun", "so good", "a brilliant film")
BAD = ("so dull", "an awful mess", "boring", "a bad plot")


def texts(n: int) -> list[str]:
    """Texts of which the even ones praise."""
    return [f"{(GOOD, BAD)[i % 2][i // 2 % 4]} and {(GOOD, BAD)[i % 2][i // 8 % 4]}, number {i}" for i in range(n)]


def truth(text: str) -> str:
    """What an honest person says of such a text."""
    return "neg" if int(text.rsplit(" ", 1)[1]) % 2 else "pos"


def write_csv(path: Path, rows: list[dict[str, str]]) -> Path:
    """A table with a header."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture
def reviews() -> SimpleNamespace:
    return SimpleNamespace(texts=texts, truth=truth, write=write_csv)


@pytest.fixture
def data(tmp_path) -> Path:
    return write_csv(tmp_path / "reviews.csv", [{"text": text} for text in texts(60)])


@pytest.fixture
def space(tmp_path, data) -> Workspace:
    return Workspace.create(tmp_path / "space", [data], labels=["pos", "neg"], measure=0.2)


@pytest.fixture
def decide() -> Callable[..., list[int]]:
    def decide(space: Workspace, n: int, *, who: str = "ana", why: str = "random") -> list[int]:
        """Label the next texts: those kept aside in their order, or the others."""
        aside = space.reserved()
        open_ = set(space.unlabelled().tolist())
        order = aside if why == "random" else [row for row in range(len(space.texts)) if row not in set(aside.tolist())]
        rows = [int(row) for row in order if int(row) in open_][:n]
        for row in rows:
            space.record(row, truth(space.texts[row].text), who=who, why=why)
        return rows

    return decide
