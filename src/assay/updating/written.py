"""The files of an update: the model, and a run folder with the texts, so that the next update finds them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from assay.atomic_file import move_atomically
from assay.card.write import card_markdown
from assay.modelfile.provenance import model_reference
from assay.training.run_folder import new_folder, write_run
from assay.updating.known_training import kept_data, run_folder_of
from assay.updating.result import ModelUpdate

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["next_name", "write_update"]


def next_name(model: Path) -> Path:
    """What the next version of a model is called.

    Examples
    --------
    >>> next_name(Path("reviews.assay")).name, next_name(Path("reviews-2.assay")).name
    ('reviews-2.assay', 'reviews-3.assay')
    """
    found = re.fullmatch(r"(.+)-(\d{1,9})", model.stem)
    stem, number = (found[1], int(found[2]) + 1) if found else (model.stem, 2)
    return model.with_name(f"{stem}-{number}{model.suffix}")


def write_update(update: ModelUpdate, model: Path, *, force: bool) -> dict[str, Path]:
    """Write the model and its run folder; returns what was written, by name.

    The folder has `update.json`, `metrics.json`, `card.md`, the texts in `train.parquet` and `test.parquet`, and, where
    ``assay train`` can repeat the training, `settings.toml` and `predictions.parquet`. Of a model that went onward, the
    new texts are in `learned.parquet`: they are not all that it has learned from.
    """
    place = run_folder_of(model)
    with new_folder(place, force=force) as folder:
        saved = folder / model.name
        update.model.save(saved)
        reference = model_reference(saved)
        learned = "train" if update.way == "again" else "learned"
        for name, corpus in ((learned, update.train), ("test", update.test)):
            if corpus is not None:
                _write_texts(corpus, folder / f"{name}.parquet")
        (folder / "update.json").write_text(_json(update.to_dict()), encoding="utf-8", errors="replace")
        if update.run is not None:
            told = {
                name: str(place.absolute() / Path(at).name) if name in ("data", "test") else at
                for name, at in kept_data(folder).items()
            }
            write_run(update.run, folder, told, reference)
        else:
            (folder / "metrics.json").write_text(_json({"model": reference}), encoding="utf-8", errors="replace")
            card = card_markdown(update.model, None)
            (folder / "card.md").write_text(card, encoding="utf-8", errors="replace")
        move_atomically(saved, model)
    return {"model": model, "run": place}


def _write_texts(corpus: Corpus, file: Path) -> None:
    pq.write_table(corpus.to_arrow(), file, compression="zstd")


def _json(plain: dict[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
