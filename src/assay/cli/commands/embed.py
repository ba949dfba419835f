"""``assay embed``: word vectors from a text of any size."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from assay.cli.options.groups import Only
from assay.cli.options.option import option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Data, Force, Seed, Threads

if TYPE_CHECKING:
    from assay.embeddings.training_progress import TrainingProgress

__all__ = ["embed_cli"]

TEXTS = ("text", "format", "encoding", "errors", "delimiter", "no_quotes", "names", "sheet")
TextsOnly = Annotated[ReadingOptions, Only(TEXTS)]

learning = partial(option, panel="Learning")
METHODS = ("skip-gram", "cbow", "svd")
FORMATS = {".safetensors": "safetensors", ".vec": "text", ".txt": "text", ".bin": "binary"}


def embed_cli(
    data: Data,
    output: Annotated[
        Path,
        option(
            "-o",
            "--output",
            metavar="FILE",
            readable=False,
            help="Where to write: .safetensors, or word2vec's formats: .vec or .txt (text), .bin (binary), also .gz.",
        ),
    ],
    method: Annotated[
        str,
        learning(
            "--method",
            metavar="NAME",
            help="skip-gram; cbow, which is quicker; svd: truncated SVD of the PPMI of neighbours.",
        ),
    ] = "skip-gram",
    dimensions: Annotated[int, learning("--dimensions", "-d", metavar="N", help="Length of the vectors.")] = 100,
    window: Annotated[int, learning("--window", metavar="N", help="Neighbours on each side.")] = 5,
    epochs: Annotated[int, learning("--epochs", metavar="N", help="Passes over the text; not of svd.")] = 5,
    min_count: Annotated[int, learning("--min-count", metavar="N", help="Leave out words that are rarer.")] = 5,
    max_words: Annotated[
        int | None,
        learning("--max-words", metavar="N", help="Keep only the most frequent; svd: 40000 if not given."),
    ] = None,
    sentences: Annotated[bool, learning("--sentences", help="Windows end with a sentence, not with a text.")] = False,
    cased: Annotated[bool, learning("--cased", help="Keep capitals: Apple is not apple.")] = False,
    keep: Annotated[bool, learning("--keep", help="After Ctrl-C, write what was learned so far; not of svd.")] = False,
    reading: TextsOnly = READING,
    seed: Seed = None,
    threads: Threads = None,
    force: Force = False,
    screen: Screen = SCREEN,
) -> None:
    """Learn word vectors from texts; labels are not needed.

    Words that stand among the same neighbours get vectors of nearly the same direction. 'assay neighbors' and 'assay
    analogy' ask them, 'assay train --vectors' uses them as features.
    """
    from assay.cli.screens.console import print_json
    from assay.cli.screens.progress import status
    from assay.output_files import check_outputs
    from assay.suggest import check_choice

    check_choice("--method", method, METHODS)
    kind = output_format(output)
    check_outputs([output], data, force=force)
    settings: dict[str, Any] = {"window": window, "min_count": min_count, "lowercase": not cased, "n_jobs": threads}
    settings["unit"] = "sentence" if sentences else "document"
    began = time.monotonic()
    with status(screen, "reading") as shown, (kept if keep else nullcontext)(shown) as on_progress:
        settings["on_progress"] = on_progress
        source = data[0] if len(data) == 1 else data
        how = {name: value for name, value in reading.settings().items() if name in TEXTS or name == "quotes"}
        if method == "svd":
            found = learn_svd(source, how, dimensions, max_words or 40_000, seed or 0, settings)
        else:
            settings |= {"dimensions": dimensions, "model": method, "epochs": epochs, "max_words": max_words}
            settings |= {"seed": seed or 0, "on_interrupt": "keep" if keep else "raise"}
            found = learn_word2vec(source, how, settings)
    vectors, facts, said = found
    screen.note(note.removesuffix(".") for note in said)
    write_vectors(vectors, output, kind)
    facts = {
        "kind": "vectors",
        "version": 1,
        "output": str(output),
        "format": kind,
        "method": method,
        "words": len(vectors),
        "dimensions": vectors.n_dimensions,
        **facts,
        "seconds": round(time.monotonic() - began, 3),
        "notes": list(said),
    }
    if screen.as_json:
        print_json(facts)
        return
    screen.say(
        f"{facts['words']:,} words × {facts['dimensions']} dimensions, learned from {facts['text_words']:,} words in "
        f"{facts['seconds']:,.1f} s → {output}"
    )


Learned = tuple[Any, dict[str, Any], tuple[str, ...]]


def learn_word2vec(source: Any, how: dict[str, Any], settings: dict[str, Any]) -> Learned:
    """Vectors, what there is to know of the text, and notes."""
    from assay.embeddings.word2vec import Word2Vec

    learned = Word2Vec(**settings).fit(source, **how)
    facts = {"text_words": learned.n_words_, "distinct_words": learned.n_distinct_, "interrupted": learned.interrupted_}
    return learned.vectors(), facts, learned.notes_


def learn_svd(source: Any, how: dict[str, Any], k: int, max_words: int, seed: int, settings: dict[str, Any]) -> Learned:
    """The same by decomposition."""
    from assay.embeddings.cooccurrence import Cooccurrence
    from assay.embeddings.svd import SVDVectors

    counted = Cooccurrence(max_words=max_words, **settings).fit(source, **how)
    facts = {"text_words": counted.n_words_, "distinct_words": counted.n_distinct_, "interrupted": False}
    return SVDVectors(k, seed=seed).fit(counted).vectors(), facts, counted.notes_


def output_format(path: Path) -> str:
    """Which format a name stands for."""
    from assay.errors import ParameterError
    from assay.suggest import quoted

    packed = path.suffix == ".gz"
    suffix = Path(path.stem).suffix if packed else path.suffix
    if suffix not in FORMATS or (packed and suffix == ".safetensors"):
        raise ParameterError(
            f"{path}: the name must end in one of {quoted(FORMATS)}, the last three also in .gz, to say which format."
        )
    return FORMATS[suffix]


def write_vectors(vectors: Any, path: Path, kind: str) -> None:
    """Write in the chosen format."""
    from assay.embeddings.word2vec_format import write_word2vec

    if kind == "safetensors":
        vectors.save(path)
    else:
        write_word2vec(vectors, path, binary=kind == "binary")


@contextmanager
def kept(on_progress: Callable[[TrainingProgress], None]) -> Iterator[Callable[[TrainingProgress], None]]:
    """Let Ctrl-C end the learning between two of its rounds, where nothing is lost."""
    from assay.deferred_signals import Interruption

    with Interruption() as interruption:

        def tell(progress: TrainingProgress) -> None:
            on_progress(progress)
            if interruption.asked:
                raise KeyboardInterrupt

        yield tell
