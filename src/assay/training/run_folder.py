"""The folder that a run leaves beside its model: settings, metrics, predictions, a card; whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assay.atomic_file import naming
from assay.card.write import card_markdown
from assay.data.arrays import boolean_array, float_array, integer_array, string_array
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.labels import set_array
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.output_files import check_outputs
from assay.temporary_files import beside, forget
from assay.training.run import TrainingRun
from assay.training.settings_file import settings_text

if TYPE_CHECKING:
    from assay.evaluation.metrics.outcomes import Outcomes

__all__ = ["new_folder", "predictions_table", "write_run"]


@contextmanager
def new_folder(path: Path, *, force: bool) -> Iterator[Path]:
    """A temporary folder that becomes `path` when the block ends well, and vanishes when it does not."""
    check_outputs([], folder=path, force=force)
    with naming(path), beside(path, folder=True) as temporary:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o777 & ~umask)  # until now it was for its owner alone
        _put_in_place(temporary, path)


def _put_in_place(temporary: Path, path: Path) -> None:
    """Rename; a folder that is there already is set aside, and comes back if that is as far as it gets."""
    if not path.exists():
        temporary.replace(path)
        return
    with beside(path, folder=True) as aside:
        forget(aside)  # with the old folder in it, it is not for a process that ends in a hurry to remove
        try:
            path.replace(aside / path.name)
            temporary.replace(path)
        finally:
            if not path.exists():
                (aside / path.name).replace(path)


def write_run(run: TrainingRun, folder: Path, data: Mapping[str, Any], model: Mapping[str, str]) -> None:
    """Write settings.toml, metrics.json, card.md and, where anything was predicted, predictions.parquet.

    Parameters
    ----------
    run
        A finished training.
    folder
        Exists already.
    data
        Options that say where the data is and how it is read.
    model
        Which model this is: name and SHA-256 of its file.
    """
    (folder / "settings.toml").write_text(settings_text(run, data), encoding="utf-8", errors="replace")
    metrics = json.dumps(run.to_dict() | {"model": model}, ensure_ascii=False, indent=2, allow_nan=False)
    (folder / "metrics.json").write_text(metrics + "\n", encoding="utf-8", errors="replace")
    (folder / "card.md").write_text(card_markdown(run.model, run.evaluation_dict()), encoding="utf-8", errors="replace")
    table = predictions_table(run)
    if table is not None:
        import pyarrow.parquet as pq

        pq.write_table(table, folder / "predictions.parquet", compression="zstd")


def predictions_table(run: TrainingRun) -> pa.Table | None:
    """What was predicted: for training texts by models that had not seen them, for test texts by the model."""
    parts = []
    if run.cross_validation is not None:
        parts.append(_predictions("train", run.train, run.cross_validation.outcomes, run.labels))
    if run.evaluation is not None and run.test is not None:
        parts.append(_predictions("test", run.test, run.evaluation.outcomes, run.labels))
    if not parts:
        return None
    shared = [name for name in parts[0].column_names if all(name in part.column_names for part in parts)]
    table = pa.concat_tables([part.select(shared) for part in parts])
    return table.replace_schema_metadata({"labels": json.dumps(list(run.labels), ensure_ascii=False)})


def _predictions(part: str, corpus: Corpus, outcomes: Outcomes | SetOutcomes, labels: tuple[str, ...]) -> pa.Table:
    columns: dict[str, Any] = {
        "part": _coded(np.zeros(len(corpus), np.int32), [part]),
        "row": integer_array(corpus.origin.rows(np.arange(len(corpus)))),
        "text": corpus.texts,
    }
    if isinstance(outcomes, SetOutcomes):
        names = pa.array([str(label) for label in outcomes.labels])
        columns["labels"], columns["predicted"] = (
            set_array(sets, names).cast(pa.large_list(pa.string())) for sets in (outcomes.truth, outcomes.predicted)
        )
        columns["correct"] = pa.array(outcomes.correct)
    else:
        single = [str(label) for label in outcomes.labels]
        confidence = outcomes.confidence
        columns["label"] = _coded(outcomes.truth, single)
        columns["predicted"] = _coded(outcomes.predicted, single)
        columns["correct"] = boolean_array(outcomes.correct)
        columns["confidence"] = float_array(np.full(len(corpus), np.nan) if confidence is None else confidence)
    if isinstance(outcomes, SetOutcomes) and outcomes.reached is not None:
        return pa.table(columns)  # so many labels that a table with a column for each would not fit into memory
    probabilities = outcomes.probabilities
    width = len(labels)
    if probabilities is not None and len(outcomes.labels) != width:  # labels of the test that the model never saw
        probabilities = probabilities[:, [outcomes.labels.index(label) for label in labels]]
    flat = np.full(len(corpus) * width, np.nan) if probabilities is None else probabilities.ravel()
    columns["probabilities"] = pa.FixedSizeListArray.from_arrays(float_array(flat.astype(np.float32)), width)
    return pa.table(columns)


def _coded(classes: NDArray[np.int32], names: Sequence[str]) -> pa.DictionaryArray:
    """A column of names by their numbers."""
    codes = integer_array(np.asarray(classes, np.int32))
    return pa.DictionaryArray.from_arrays(codes, string_array(names).cast(pa.string()))
