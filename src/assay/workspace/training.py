"""Training in a workspace: on what was decided, into ``models/``, with a record in ``runs/``."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.atomic_file import write_atomically
from assay.data.corpus.corpus import Corpus
from assay.file_access import read_short
from assay.output_files import make_folder
from assay.training.train import train
from assay.workspace.measuring import measured
from assay.workspace.settings import MODELS, RUNS

if TYPE_CHECKING:
    from assay.workspace.workspace import Workspace

__all__ = ["QUICK", "keep_model", "keep_record", "last_line_of", "train_in"]

#: Settings of a training in about a second.
QUICK: dict[str, Any] = {"learner": "logistic", "ngrams": "1-2"}


def train_in(space: Workspace, *, quick: bool, threads: int | None, **settings: Any) -> Path:
    """Train on what a workspace has to learn from."""
    space.refresh()
    began = time.perf_counter()
    seen = space.last_line
    corpus = space.labelled()
    chosen = QUICK | settings if quick else settings
    model = train(corpus, threads=threads, **chosen)
    how = {"seconds": round(time.perf_counter() - began, 3), "quick": quick, "settings": chosen}
    return keep_model(space, model, corpus, seen, how)


def last_line_of(folder: Path, model: Path) -> str | None:
    """The last line of the journal that a model knows; None where its record does not say."""
    try:
        record = json.loads(read_short(folder / RUNS / f"{model.stem}.json"))
    except (OSError, ValueError):  # the record is lost: then all lines count as newer
        return None
    found = record.get("last_line") if isinstance(record, dict) else None
    return found if isinstance(found, str) else None


def keep_model(space: Workspace, model: Any, corpus: Corpus, last_line: str | None, how: Mapping[str, Any]) -> Path:
    """Give a model the next number, and write down what it was made of and what it is worth; as `keep_record`."""
    with space.holding():
        path, _ = space.next_model
        make_folder(path.parent)
        model.save(path)
    keep_record(space, path, model, corpus, last_line, how)
    return path


def keep_record(
    space: Workspace, path: Path, model: Any, corpus: Corpus, last_line: str | None, how: Mapping[str, Any]
) -> None:
    """Write down what a model was made of, and what it is worth.

    Parameters
    ----------
    space
        The workspace.
    path
        The model's file.
    model
        A fitted classifier.
    corpus
        What it was trained on.
    last_line
        The last line of the journal that `corpus` knows of.
    how
        What else is to be written down.
    """
    worth = measured(model, space.measuring())
    record = {
        "model": f"{MODELS}/{path.name}",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "time": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "texts": len(corpus),
        "last_line": last_line,
        "labels": dict(zip(corpus.label_names, corpus.class_counts.tolist(), strict=True)),
        "measured": None if worth is None else worth.to_dict(),
        **how,
    }
    runs = space.folder / RUNS
    make_folder(runs)
    write_atomically(runs / f"{path.stem}.json", (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode())
