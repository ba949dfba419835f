"""Whether a file that somebody has changed is refused or works, and never breaks what reads it.

Every value in the header of every kind of file (vectorizers, models with each kind of features, calibration and
decision rule, networks, word vectors) is replaced by others, taken out, or exchanged, and so are its arrays. Each
mutant must be refused with an error of ours that names the file, or answer whatever is asked of it, with numbers that
are numbers.

    python benchmarks/mutants.py [--networks] [WORD IN THE NAME OF A FILE]
"""

from __future__ import annotations

import io
import json
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save

TEXTS = ["Good, good film! 3 stars", "a bad one", "naïve größe 😀", "good bad good NASA", ""]
LABELS = ["a", "b", "c", "a", "b"]
DELETED = object()
VALUES: list[Any] = [
    *(DELETED, None, True, False, 0, 1, -1, 2, 3, 0.5, 1e300, float("nan"), float("inf"), 2**31 - 1, 2**40, 10**30),
    *(
        "",
        "x",
        "word",
        "char",
        "\0",
        "\ud800",
        "(a+)+b",
        "l1",
        "l2",
        "none",
        [],
        [1],
        [1, 1],
        [0, 0],
        [3, 2],
        [1, 10**9],
    ),
    *([True, True], [None, None], ["a", "b"], {}, {"kind": "x"}, [[]], [{}]),
]
Parts = tuple[dict[str, Any], dict[str, np.ndarray]]


def make_files(folder: Path, *, networks: bool) -> Iterator[Path]:
    """A file of every kind."""
    yield from _vectorizers(folder)
    yield from _models(folder)
    if networks:
        yield from _networks(folder)


def _vectorizers(folder: Path) -> Iterator[Path]:
    from assay.embeddings import WordVectors
    from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer, WordCharVectorizer

    for number, vectorizer in enumerate(
        [
            CountVectorizer(ngram_range=(1, 2), stop_words=["one"], vocabulary=["good", "bad"]),
            TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3), strip_accents="unicode", sublinear_tf=True),
            HashingVectorizer(n_features=32),
            WordCharVectorizer(char_ngrams=(3, 3)),
        ]
    ):
        path = folder / f"vectorizer-{number}.safetensors"
        vectorizer.fit(TEXTS).save(path)
        yield path
    path = folder / "vectors.safetensors"
    WordVectors(["good", "bad", "film"], np.eye(3), [3, 2, 1]).save(path)
    yield path


def _models(folder: Path) -> Iterator[Path]:
    from assay.embeddings import EmbeddingVectorizer, WordVectors
    from assay.features import (
        HashingVectorizer,
        JoinedVectorizer,
        LexiconFeatures,
        TemplateFeatures,
        TfidfVectorizer,
        WordCharVectorizer,
    )
    from assay.modelfile import write_model
    from assay.modelfile.record import ModelRecord
    from assay.prediction import Calibration, DecisionRule, LinearTextModel, SparseWeights

    lexicons = LexiconFeatures({"p": ["good"], "s": {"bad": -1.5, "one": 2.0}}, negation=2)
    templates = {"t": "lower & shape[+1]", "m": 'matches("[A-Z]+")', "s": "sum(score(p))", "n": "log-text-length"}
    made = TemplateFeatures(templates, lexicons={"p": ["good"]})
    vectors = WordVectors(["good", "bad", "film"], np.eye(3))
    kinds = {
        "words": TfidfVectorizer(ngram_range=(1, 2), stop_words=["one"]),
        "hashed": HashingVectorizer(n_features=16),
        "both": WordCharVectorizer(),
        "lexicons": JoinedVectorizer([("l", lexicons)], scaling={"l": "z-score"}),
        "templates": JoinedVectorizer([("t", made), ("h", TemplateFeatures(["lower"], n_features=8))]),
        "embedded": JoinedVectorizer([("v", EmbeddingVectorizer(vectors)), ("w", TfidfVectorizer())]),
    }
    two, three = ("a", "b"), ("a", "b", "c")
    points = {"points": np.arange(6.0), "values": np.linspace(0, 1, 6), "bounds": np.array([0.0, 2, 4, 6])}
    slopes = {"slopes": np.ones(1), "intercepts": np.zeros(1)}
    after: list[tuple[tuple[str, ...], Any, Any, Any]] = [
        (three, "softmax", None, DecisionRule(three, "costs", np.arange(9.0).reshape(3, 3))),
        (two, None, Calibration(two, "sigmoid", False, slopes), DecisionRule(two, "threshold", np.array([0.4]), 1)),
        (three, "sigmoid", Calibration(three, "isotonic", True, points), DecisionRule(three, abstain_below=0.5)),
        (two, "posterior", None, None),
        (three, None, Calibration(three, "temperature", False, {"temperature": np.ones(1)}), None),
        (three, "posterior", None, DecisionRule(three, "weights", np.array([0.2, 0.3, 0.5]))),
    ]
    for (name, vectorizer), (labels, link, calibration, rule) in zip(kinds.items(), after, strict=True):
        features = tuple(vectorizer.fit(TEXTS, LABELS).text_features())
        size = sum(block.n_columns for block in features), 1 if len(labels) == 2 else len(labels)
        weights: Any = np.random.default_rng(0).normal(size=size).astype(np.float32)
        if name == "words":
            weights = SparseWeights.from_table(np.where(np.abs(weights) > 1, weights, 0))
        model = LinearTextModel(features, weights, np.zeros(size[1]), labels, link, calibration, rule)
        path = folder / f"model-{name}.assay"
        write_model(path, model, ModelRecord({"data": {"texts": 5}}))
        yield path


def _networks(folder: Path) -> Iterator[Path]:
    from assay.neural import AveragingNetwork, ConvolutionalNetwork, FeedForward, RecurrentNetwork

    for kind in (AveragingNetwork, ConvolutionalNetwork, FeedForward, RecurrentNetwork):
        path = folder / f"network-{kind.__name__}.assay"
        kind(epochs=1, validation=0).fit(TEXTS[:4] * 2, LABELS[:4] * 2).save(path)
        yield path


def mutants(parts: Parts) -> Iterator[tuple[str, Parts]]:
    """All of them, each with what was changed."""
    header, arrays = parts
    for way in _places(header):
        for value in VALUES:
            yield f"{'.'.join(map(str, way))} = {_shown(value)}", (_changed(header, way, value), arrays)
    for name, found in arrays.items():
        for what, change in _ARRAYS.items():
            try:
                with np.errstate(all="ignore"):
                    changed = np.ascontiguousarray(change(found))
            except (IndexError, ValueError):
                continue
            yield f"{name}: {what}", (header, {**arrays, name: changed})
        yield f"{name}: taken out", (header, {other: arrays[other] for other in arrays if other != name})
        for other in arrays:
            if other > name:
                yield f"{name} and {other} exchanged", (header, {**arrays, name: arrays[other], other: found})


def _places(inner: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Ways to every value, however deep."""
    items = inner.items() if isinstance(inner, dict) else enumerate(inner) if isinstance(inner, list) else ()
    for step, value in items:
        yield (*way, step)
        yield from _places(value, (*way, step))


def _changed(header: dict[str, Any], way: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(header))
    inner = copy
    for step in way[:-1]:
        inner = inner[step]
    if value is DELETED:
        del inner[way[-1]]
    else:
        inner[way[-1]] = value
    return copy  # type: ignore[no-any-return]


def _shown(value: Any) -> str:
    return "deleted" if value is DELETED else repr(value)


def _with(array: np.ndarray, value: float) -> np.ndarray:
    """A copy whose last number is another."""
    changed = array.copy()
    if array.dtype.kind == "f" or abs(value) < 1e9:
        changed.ravel()[-1:] = value
    return changed


_ARRAYS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "NaN": lambda a: _with(a, np.nan),
    "infinity": lambda a: _with(a, np.inf),
    "very large": lambda a: _with(a, 1e38),
    "all very large": lambda a: np.sign(a) * 1e38 if a.dtype.kind == "f" else a,
    "larger still": lambda a: a.astype(np.float64) * 1e307,
    "below zero": lambda a: _with(a, -1) if a.dtype.kind != "u" else a[:-1],
    "zeros": np.zeros_like,
    "200": lambda a: _with(a, 200),
    "shorter": lambda a: a[:-1],
    "empty": lambda a: a[:0],
    "longer": lambda a: np.concatenate([a, a]),
    "turned round": lambda a: a[::-1],
    "a row": lambda a: a.reshape(1, -1),
    "a number": lambda a: a.reshape(-1)[0].reshape(()),
    "another type": lambda a: a.astype(np.int64) if a.dtype.kind == "f" else a.astype(np.float64),
    "other floats": lambda a: a.astype(np.float32 if a.dtype == np.float64 else np.float64),
}


def read_parts(path: Path) -> Parts:
    """Header and arrays of a file."""
    with safe_open(path, framework="numpy") as file:
        return json.loads(file.metadata()["assay"]), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def write_parts(path: Path, parts: Parts) -> None:
    """The inverse of `read_parts`, with NaN and lone surrogates where the header has them."""
    header, arrays = parts
    path.write_bytes(save(arrays, metadata={"assay": json.dumps(header)}))


def outcome(path: Path) -> str:
    """Whether a file is refused, or answers; anything else raises."""
    from assay.errors import AssayError, ModelFileError

    try:
        loaded = _load(path)
    except ModelFileError as error:
        if not str(error).startswith(str(path)):
            raise AssertionError(f"the file is not named: {error}") from error
        return "refused"
    try:
        _ask(loaded, path)
    except AssayError:
        return "answers with an error of ours"
    return "answers"


def _load(path: Path) -> Any:
    import assay
    from assay.embeddings import read_vectors
    from assay.features import load

    if path.name.startswith("vectorizer"):
        return load(path)
    return read_vectors(path) if path.name.startswith("vectors") else assay.load(path)


def _ask(loaded: Any, path: Path) -> None:
    if path.name.startswith("vectors"):
        answers = [loaded.most_similar(["good"], ["bad"]), loaded.similarity("good", "film")]
        assert np.isfinite(json.loads(json.dumps(answers))[1])
    elif path.name.startswith("vectorizer"):
        assert np.isfinite(loaded.transform(TEXTS).data.astype(float)).all()
        if hasattr(loaded, "get_feature_names_out"):
            loaded.get_feature_names_out()
    else:
        assert len(loaded.predict(TEXTS)) == len(TEXTS)
        assert np.isfinite(loaded.decision_function(TEXTS)).all(), "scores are no numbers"
        if hasattr(loaded, "predict_proba"):
            found = loaded.predict_proba(TEXTS)
            assert np.isfinite(found).all(), "probabilities are no numbers"
            assert np.allclose(found.sum(axis=1), 1), found
        for command in (
            ["inspect", str(path)],
            ["explain", str(path), "a good film", "--json"],
            ["explain", str(path)],
        ):
            _run(command)


def _run(command: list[str]) -> None:
    from assay.cli.main import main

    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(io.StringIO()):
        code = main(command)
    assert code in (0, 2, 3), code
    if "--json" in command and code == 0:
        json.loads(said.getvalue(), parse_constant=_refuse_constant)
    assert "nan" not in said.getvalue().split(), said.getvalue()


def _refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def main() -> None:
    """Try all mutants, and print what became of them."""
    chosen = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        for path in make_files(Path(name), networks="--networks" in sys.argv):
            if chosen and not any(word in path.name for word in chosen):
                continue
            parts, counts = read_parts(path), Counter[str]()
            assert outcome(path) == "answers", path
            for what, changed in mutants(parts):
                signal.alarm(20)
                try:
                    write_parts(path, changed)
                    counts[outcome(path)] += 1
                except BaseException as error:
                    counts["FAILED"] += 1
                    print(f"{path.name}: {what!a}: {type(error).__name__}: {ascii(str(error))[:150]}")
                finally:
                    signal.alarm(0)
            failures += counts["FAILED"]
            print(f"{path.name}: {counts.total():,} mutants, {dict(counts)}")
    sys.exit(min(failures, 1))


if __name__ == "__main__":
    main()
