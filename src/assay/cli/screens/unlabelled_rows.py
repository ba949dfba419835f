"""The rows that a half-labelled file has left for the model."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.cli.options.reading import ReadingOptions
    from assay.data.corpus.corpus import Corpus

__all__ = ["unlabelled_step"]

_NOT_OF_PREDICT = (
    "text",
    "merge_labels",
    "dedupe",
    "skip_unlabelled",
    "skip_empty",
)  # the model knows the column of the texts


def unlabelled_step(corpus: Corpus, data: list[str], reading: ReadingOptions, model: Path) -> tuple[str, str] | None:
    """The command that labels the rows that were left out for want of a label, and what it does.

    None where there are no such rows, or where they cannot be read again.

    Parameters
    ----------
    corpus, data, reading
        What was learned from, where it is, and how it is read.
    model
        The model's file.
    """
    from assay.cli.options.reading import no_option
    from assay.data.bytes.suffixes import strip_packing
    from assay.data.reading.locate import expand_path
    from assay.suggest import counted

    n = sum(incident.count for incident in corpus.incidents if incident.kind == "unlabelled")
    if not n or "-" in data:
        return None
    files = [path for item in data for path in expand_path(item)]
    words = ["assay", "predict", no_option(str(model)), *map(no_option, data), "--only-unlabelled"]
    words += reading.words(without=_NOT_OF_PREDICT)
    first = Path(files[0])
    if len(files) == 1:
        plain = strip_packing(first.name)
        ending = Path(plain).suffix + first.name.removeprefix(plain)
        words += ["-o", str(first.with_name(f"{first.name.removesuffix(ending)}.labelled{ending}"))]
        command = shlex.join(words)
    else:
        folder = str(first.with_name("labelled"))
        command = f"mkdir -p {shlex.quote(folder)} && {shlex.join([*words, '-o', folder])}"
    return command, f"labels the other {counted(n, 'text', 'texts')}"
