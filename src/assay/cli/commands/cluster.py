"""``assay cluster``: what texts are about, without labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from assay.cli.options.option import option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Data, Force, Html, SafeCells, Seed, Threads

__all__ = ["cluster_cli"]

AUTO = tuple(range(2, 13))

K = Annotated[
    str,
    option(
        "-k",
        "--clusters",
        metavar="N",
        help="How many clusters: a number, a range such as 5-20 to choose from, or auto, which is 2-12.",
    ),
]
Assignment = Annotated[
    Path | None,
    option(
        "--output",
        "-o",
        metavar="FILE",
        readable=False,
        help="Write the cluster of each text: .csv, .tsv, .jsonl, .parquet, .arrow or .xlsx.",
        panel="Output",
    ),
]
MetricOption = Annotated[
    str, option("--metric", metavar="cosine|euclidean", help="cosine: long and short texts count alike.")
]
Vectors = Annotated[
    str | None,
    option(
        "--vectors",
        metavar="FILE",
        help="Word vectors, as 'assay embed' writes them: texts that share meaning without sharing words.",
    ),
]
Ngrams = Annotated[
    str, option("--ngrams", metavar="1|1-2", help="Words, or words and pairs of words; not with --vectors.")
]
StopWords = Annotated[
    str | None,
    option(
        "--stop-words",
        metavar="LANGUAGE|FILE",
        help="Words to leave out: english, german, french, spanish, italian, portuguese, dutch, or a file of "
        "words. Unless given, only the names of clusters leave out function words.",
    ),
]
MiniBatch = Annotated[
    bool | None,
    option(
        "--mini-batch/--whole",
        help="Learn from small samples, or from all texts at once; unless given, samples from 200,000 texts on.",
    ),
]
Starts = Annotated[int, option("--starts", metavar="N", help="Starts of which the best is kept.")]


def cluster_cli(
    data: Data,
    k: K = "8",
    metric: MetricOption = "cosine",
    vectors: Vectors = None,
    ngrams: Ngrams = "1",
    stop_words: StopWords = None,
    starts: Starts = 3,
    mini_batch: MiniBatch = None,
    reading: ReadingOptions = READING,
    output: Assignment = None,
    safe_cells: SafeCells = False,
    html: Html = None,
    force: Force = False,
    seed: Seed = None,
    threads: Threads = None,
    screen: Screen = SCREEN,
) -> None:
    """Put texts into clusters, named by the words that tell them apart.

    Labels are not needed. Where there are any, they are not used, but compared with what was found.
    """
    from assay.cli.reading.data import read_data, require_file
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.progress import status
    from assay.cli.writing.safe_cells import check_safe_cells
    from assay.clustering.common_words import stop_words as words_of
    from assay.clustering.texts import cluster_texts
    from assay.output_files import check_outputs

    number, sizes = parse_k(k), parse_ngrams(ngrams)
    left_out = None if stop_words is None else words_of(stop_words)
    if vectors is not None:
        require_file(vectors, "--vectors")
    check_safe_cells(safe_cells, output, "--output")
    check_outputs([output, html], [*data, vectors, stop_words], force=force)
    corpus = read_data(data, reading, screen, labels_optional=True)
    with status(screen, f"clustering {len(corpus):,} texts") as say:
        found = cluster_texts(
            corpus,
            number,
            metric=checked_metric(metric),
            vectors=vectors,
            ngram_range=sizes,
            stop_words=left_out,
            mini_batch=mini_batch,
            n_init=starts,
            random_state=seed or 0,
            n_jobs=threads,
            progress=lambda doing, done, total: say(doing_line(doing, len(corpus), done, total)),
        )
        if output is not None:
            from assay.cli.writing.assignment import write_assignment

            write_assignment(found, output, safe_cells=safe_cells)
        if html is not None:
            from assay.report.clusters import write_clusters

            write_clusters(found, html)
    if screen.as_json:
        print_json(found.to_dict())
        return
    from assay.cli.screens.clusters import show_clusters

    show_clusters(found, results())
    for path in (output, html):
        if path is not None:
            screen.say(f"→ {path}")


def parse_k(k: str) -> int | Sequence[int]:
    """A number of clusters, or those to choose from.

    Examples
    --------
    >>> parse_k("8"), parse_k("3-5"), parse_k("auto")[-1]
    (8, range(3, 6), 12)
    """
    from assay.errors import ParameterError
    from assay.suggest import shortened

    if k.strip().lower() == "auto":
        return AUTO
    found = re.fullmatch(r"\s*(-?\d{1,18})\s*(?:-\s*(\d{1,18})\s*)?", k)
    if found is None or (found[2] and int(found[1]) > int(found[2])):
        raise ParameterError(f"-k is {shortened(k)}. Give a number such as 8, a range such as 5-20, or auto.")
    if not found[2]:
        return int(found[1])
    return range(int(found[1]), int(found[2]) + 1)


def parse_ngrams(ngrams: str) -> tuple[int, int]:
    """Shortest and longest n-gram.

    Examples
    --------
    >>> parse_ngrams("1"), parse_ngrams("1-2")
    ((1, 1), (1, 2))
    """
    from assay.errors import ParameterError

    found = re.fullmatch(r"([1-9])(?:-([1-9]))?", ngrams)
    sizes = (0, 0) if found is None else (int(found[1]), int(found[2] or found[1]))
    if not 0 < sizes[0] <= sizes[1]:
        raise ParameterError(f"--ngrams is {ngrams!r}. Give a length such as 1, or a range such as 1-2.")
    return sizes


def checked_metric(metric: str) -> Any:
    """The metric, if there is one of that name."""
    from assay.errors import ParameterError

    if metric not in ("cosine", "euclidean"):
        raise ParameterError(f"--metric is {metric!r}. There are 'cosine' and 'euclidean'.")
    return metric


def doing_line(doing: str, n_texts: int, done: int, total: int) -> str:
    """What is being done, and how much of it is.

    Examples
    --------
    >>> doing_line("choosing k", 1200, 3, 11)
    'choosing k: 1,200 texts, 3 of 11 done'
    """
    return f"{doing}: {n_texts:,} texts{f', {done} of {total} done' if total > 1 else ''}"
