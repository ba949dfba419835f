"""Assignments as a file: one row a text, in any format that assay writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from assay.streaming.outputs import choose_format, open_rows

if TYPE_CHECKING:
    from assay.clustering.texts import Clustering

__all__ = ["write_assignment"]


def write_assignment(clustering: Clustering, output: Path, *, safe_cells: bool = False) -> None:
    """Write text, label where there is one, cluster, its name, and the distance to its centre.

    A text that is in no cluster has neither number, name nor distance.
    """
    corpus, numbers = clustering.corpus, clustering.assignment
    nowhere = numbers < 0
    names = np.array([cluster.name for cluster in clustering.clusters], dtype=object)[np.maximum(numbers, 0)]
    columns = {"text": corpus.texts.combine_chunks()}
    if corpus.labels is not None:
        columns["label"] = corpus.labels.cast(pa.string()).combine_chunks()
    columns |= {
        "cluster": pa.array(numbers, mask=nowhere),
        "name": pa.array(names, type=pa.string(), mask=nowhere),
        "distance": pa.array(clustering.distances.round(6), mask=nowhere),
    }
    with open_rows(output, choose_format(output, None, "csv"), safe_cells=safe_cells) as out:
        out.write(columns)
