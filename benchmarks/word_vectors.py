"""How fast word vectors are learned, and how good they are, against gensim; and how fast pairs of words are counted.

    python benchmarks/word_vectors.py                       everything, five epochs: a quarter of an hour
    python benchmarks/word_vectors.py skip-gram             one question: skip-gram, cbow or co-occurrence
    python benchmarks/word_vectors.py cbow --epochs 1

Vectors: 100 dimensions, window 5, 5 negatives, words that come 5 times, two threads, the same tokens for all. gensim
runs from token lists in memory and from a file, which its workers read for themselves. Words/s are those of the passes
over the text; the time to read it and count its words stands beside. Quality is Spearman's correlation with the
judgements of WordSim-353 and MEN, for input vectors.

Pairs: window 5, the 40,000 most frequent words, from a file with one text a line; the others are a Counter of pairs, of
which scipy makes a matrix, and sums of sparse matrices that numpy and scipy make of a million words each. The Counter
needs some gigabytes for the whole text: --texts 10000 is kinder.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix

from _datasets import data_folder
from _measuring import Memory, describe_machine, peak_memory, print_table, race, say, write_results
from assay.embeddings import Cooccurrence, Word2Vec, WordVectors, evaluate_similarity

THREADS = 2
WINDOW = 5
KEPT_WORDS = 40_000
TARGETS = {"skip-gram": 3.0, "cbow": 2.0, "co-occurrence": 10.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="*", default=list(TARGETS), metavar="question", help=", ".join(TARGETS))
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--texts", type=int, help="fewer than all of them")
    settings = parser.parse_args()
    unknown = set(settings.questions) - set(TARGETS)
    if unknown:
        parser.error(f"there is no question {sorted(unknown)}; there are {', '.join(TARGETS)}")
    results: dict[str, Any] = {"machine": describe_machine()}
    with tempfile.TemporaryDirectory() as folder:
        tokens = Path(folder) / "tokens.txt"
        sentences = write_tokens(tokens, settings.texts)
        for question in settings.questions:
            if question == "co-occurrence":
                rows = count_pairs(tokens, settings.repeats)
            else:
                rows = learn(question, sentences, tokens, settings.epochs, settings.repeats)
            target = f"target: {TARGETS[question]:g} times the others"
            print_table(f"{question}, {THREADS} threads; {target}", rows)
            results[question] = rows
    write_results("word_vectors", results)


def write_tokens(path: Path, n_texts: int | None) -> list[list[str]]:
    """Write one text a line, its words in lower case divided by spaces, and return them too."""
    folder = data_folder()
    source = None if folder is None else folder / "imdb_unsup" / "corpus.txt.gz"
    if source is None or not source.exists():
        sys.exit("No data: set ASSAY_DATA to the folder that holds imdb_unsup/corpus.txt.gz.")
    say(f"finding the words of {source.name}")
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        sentences = [re.findall(r"\w+", line.lower()) for line in islice(lines, n_texts)]
    path.write_text("".join(" ".join(words) + "\n" for words in sentences), encoding="utf-8")
    return sentences


class Run:
    """Vectors, and the seconds and processor seconds of the passes over the text."""

    def __init__(self) -> None:
        self.began = self.cpu_began = 0.0
        self.seconds = self.cpu_seconds = 0.0
        self.vectors: WordVectors | None = None

    def start(self) -> None:
        """Begin to measure."""
        self.began, self.cpu_began = time.perf_counter(), time.process_time()

    def stop(self) -> None:
        """End it."""
        self.seconds, self.cpu_seconds = time.perf_counter() - self.began, time.process_time() - self.cpu_began


def learn(model: str, sentences: list[list[str]], tokens: Path, epochs: int, repeats: int) -> list[dict[str, Any]]:
    n_words = sum(map(len, sentences))
    contestants: dict[str, Callable[[], Run]] = {
        "gensim, token lists": partial(gensim_run, model, epochs, sentences),
        "gensim, file": partial(gensim_run, model, epochs, sentences, tokens),
        "assay": partial(assay_run, model, epochs, tokens),
    }
    rows = []
    best: dict[str, float] = {}
    for name, run in contestants.items():
        say(f"{model}: {name}")
        fits = race({name: run}, repeats, lambda found: found)[name]
        found = fits.outcome
        best[name] = n_words * epochs / found.seconds
        judged = {test: evaluate_similarity(found.vectors, judgements(test)).spearman for test in ("wordsim", "men")}
        rows.append(
            {
                "by": name,
                "words/s": best[name],
                "words/processor s": n_words * epochs / found.cpu_seconds,
                "times gensim": best[name] / max(value for key, value in best.items() if key.startswith("gensim")),
                "seconds": found.seconds,
                "processor seconds": found.cpu_seconds,
                "with reading": fits.best,
                "WordSim-353": judged["wordsim"],
                "MEN": judged["men"],
                "words": len(found.vectors.words),
            }
        )
    return rows


def judgements(name: str) -> Path:
    folder = data_folder()
    assert folder is not None, "the texts were found there"
    return folder / "wordsim" / {"wordsim": "wordsim353.tsv", "men": "EN-MEN-TR-3k.txt"}[name]


def gensim_run(model: str, epochs: int, sentences: list[list[str]], tokens: Path | None = None) -> Run:
    from gensim.models import Word2Vec as Peer

    run = Run()
    peer = Peer(
        sg=int(model == "skip-gram"),
        vector_size=100,
        window=WINDOW,
        negative=5,
        min_count=5,
        epochs=epochs,
        workers=THREADS,
    )
    if tokens is None:
        peer.build_vocab(sentences)
        run.start()
        peer.train(sentences, total_examples=peer.corpus_count, epochs=epochs)
    else:
        peer.build_vocab(corpus_file=str(tokens))
        run.start()
        peer.train(
            corpus_file=str(tokens),
            total_examples=peer.corpus_count,
            total_words=peer.corpus_total_words,
            epochs=epochs,
        )
    run.stop()
    run.vectors = WordVectors(peer.wv.index_to_key, peer.wv.vectors)
    return run


def assay_run(model: Any, epochs: int, tokens: Path) -> Run:
    run = Run()

    def notice(progress: Any) -> None:
        if progress.stage == "reading":
            run.start()  # the passes begin after the last piece was read

    word2vec = Word2Vec(100, model=model, window=WINDOW, negatives=5, epochs=epochs, n_jobs=THREADS, on_progress=notice)
    word2vec.fit(tokens, format="lines")
    run.stop()
    run.vectors = word2vec.vectors()
    return run


def count_pairs(tokens: Path, repeats: int) -> list[dict[str, Any]]:
    contestants = {name: partial(count, tokens) for name, count in PAIR_COUNTERS.items()}
    timings = race(contestants, repeats, lambda matrix: (matrix.nnz, int(matrix.sum())))
    assert len({timing.outcome for timing in timings.values()}) == 1, "all count the same pairs"
    rows = []
    for name, timing in timings.items():
        memory: Memory = peak_memory(prepare_pairs, name, str(tokens))
        rows.append(
            {
                "by": name,
                "seconds": timing.best,
                "processor seconds": timing.best_cpu,
                "times Counter": timings["Counter and scipy"].best / timing.best,
                "times scipy": timings["scipy"].best / timing.best,
                "memory, MB": memory.growth / 1e6,
                "pairs": timing.outcome[0],
            }
        )
    return rows


def prepare_pairs(name: str, tokens: str) -> Callable[[], Any]:
    return partial(PAIR_COUNTERS[name], Path(tokens))


def native_pairs(tokens: Path) -> csr_matrix:
    counted = Cooccurrence(WINDOW, min_count=1, max_words=KEPT_WORDS, n_jobs=THREADS).fit(tokens, format="lines")
    return counted.matrix_


def ranked(tokens: Path) -> Iterator[list[int]]:
    """The texts as ranks of the words that are kept."""
    with tokens.open(encoding="utf-8") as lines:
        counts = Counter(word for line in lines for word in line.split())
    rank = {word: at for at, (word, _) in enumerate(counts.most_common(KEPT_WORDS))}
    with tokens.open(encoding="utf-8") as lines:
        for line in lines:
            yield [rank[word] for word in line.split() if word in rank]


def counter_pairs(tokens: Path) -> csr_matrix:
    pairs: Counter[int] = Counter()
    for ids in ranked(tokens):
        for distance in range(1, WINDOW + 1):
            pairs.update([a * KEPT_WORDS + b for a, b in zip(ids, ids[distance:], strict=False)])
    keys = np.fromiter(pairs.keys(), np.int64, len(pairs))
    values = np.fromiter(pairs.values(), np.int64, len(pairs))
    one_side = coo_matrix((values, (keys // KEPT_WORDS, keys % KEPT_WORDS)), shape=(KEPT_WORDS, KEPT_WORDS)).tocsr()
    return one_side + one_side.T


def scipy_pairs(tokens: Path) -> csr_matrix:
    total = csr_matrix((KEPT_WORDS, KEPT_WORDS), dtype=np.int64)
    batch: list[np.ndarray[Any, Any]] = []
    size = 0
    for ids in ranked(tokens):
        batch += [np.array(ids, np.int32), np.full(WINDOW, -1, np.int32)]  # windows do not reach over the gap
        size += len(ids)
        if size > 1_000_000:
            total = total + pairs_of(np.concatenate(batch))
            batch, size = [], 0
    if batch:
        total = total + pairs_of(np.concatenate(batch))
    return total + total.T


def pairs_of(ids: np.ndarray[Any, Any]) -> csr_matrix:
    rows, columns = [], []
    for distance in range(1, WINDOW + 1):
        first, second = ids[:-distance], ids[distance:]
        inside = (first >= 0) & (second >= 0)
        rows.append(first[inside])
        columns.append(second[inside])
    row, column = np.concatenate(rows), np.concatenate(columns)
    return coo_matrix((np.ones(len(row), np.int64), (row, column)), shape=(KEPT_WORDS, KEPT_WORDS)).tocsr()


PAIR_COUNTERS = {"Counter and scipy": counter_pairs, "scipy": scipy_pairs, "assay": native_pairs}


if __name__ == "__main__":
    main()
