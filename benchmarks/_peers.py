"""Other programs: from raw text to a model, each with how often it is right; and LIBLINEAR itself.

fastText and Vowpal Wabbit read files, which are written beforehand and not timed: rows shuffled, the characters that
have a meaning in a file left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_matrix

__all__ = [
    "Liblinear",
    "Race",
    "fasttext_race",
    "plain_words",
    "train_fasttext",
    "vowpal_wabbit_race",
    "write_fasttext_lines",
]

TOKEN = re.compile(r"\b\w+\b")


@dataclass(frozen=True)
class Race:
    """How a program trains, and what share of the test texts its model gets right."""

    train: Callable[[], Any]
    accuracy: Callable[[Any], float]


def fasttext_race(folder: Path, train: tuple[Sequence[str], Any], test: tuple[Sequence[str], Any], epochs: int) -> Race:
    """Words and bigrams, `epochs` passes."""
    paths = {part: folder / f"fasttext-{part}.txt" for part in ("train", "test")}
    write_fasttext_lines(paths["train"], *train)
    write_fasttext_lines(paths["test"], *test)
    return Race(
        lambda: train_fasttext(paths["train"], epochs, longest=2),
        lambda model: float(model.test(str(paths["test"]))[1]),
    )


def write_fasttext_lines(path: Path, texts: Sequence[str], classes: Any) -> None:
    """One line a text: its class and its words."""
    lines = [f"__label__{c} {plain_words(text)}\n" for text, c in zip(texts, classes, strict=True)]
    path.write_text("".join(lines), encoding="utf-8")


def train_fasttext(path: Path, epochs: int, longest: int, rate: float = 0.5) -> Any:
    """N-grams of up to `longest` words, ten hidden units as in its authors' own benchmark, two threads.

    Where it overflows, as it does now and then at this rate, it is trained at half of it.
    """
    import fasttext

    settings = {"epoch": epochs, "dim": 10, "wordNgrams": longest, "lr": rate, "thread": 2, "verbose": 0}
    try:
        return fasttext.train_supervised(input=str(path), **settings)
    except RuntimeError:
        return train_fasttext(path, epochs, longest, rate / 2)


def vowpal_wabbit_race(folder: Path, train: tuple[Sequence[str], Any], test: tuple[Sequence[str], Any]) -> Race:
    """Hashed words and bigrams, a single pass."""
    import vowpalwabbit

    n_classes = int(max(train[1])) + 1
    paths = {part: folder / f"vw-{part}.txt" for part in ("train", "test")}
    for part, (texts, classes) in (("train", train), ("test", test)):
        names = [2 * int(c) - 1 if n_classes == 2 else int(c) + 1 for c in classes]
        lines = [f"{name} | {plain_words(text)}\n" for text, name in zip(texts, names, strict=True)]
        paths[part].write_text("".join(lines), encoding="utf-8")
    model_path = folder / "vw.model"
    problem = "--loss_function logistic -b 22" if n_classes == 2 else f"--oaa {n_classes} --loss_function hinge -b 24"

    def run() -> Path:
        settings = f"-d {paths['train']} {problem} --ngram 2 -f {model_path} --quiet"
        vowpalwabbit.Workspace(settings).finish()
        return model_path

    def accuracy(path: Path) -> float:
        answers = folder / "vw.answers"
        vowpalwabbit.Workspace(f"-d {paths['test']} -t -i {path} -p {answers} --quiet").finish()
        given = np.loadtxt(answers)
        predicted = (given > 0).astype(int) if n_classes == 2 else given.astype(int) - 1
        return float(np.mean(predicted == np.asarray(test[1])))

    return Race(run, accuracy)


class Liblinear:
    """LIBLINEAR's own Python interface in scikit-learn's manner. The matrix is brought into its form beforehand."""

    _prepared: ClassVar[dict[int, Any]] = {}

    def __init__(self, X: Any, y: Any, settings: str) -> None:
        from liblinear.liblinearutil import problem

        self.settings = settings
        if id(X) not in self._prepared:
            self._prepared[id(X)] = problem(y.astype(float), csr_matrix(X))

    def fit(self, X: Any, y: Any) -> Liblinear:
        """Train on the matrix that was prepared."""
        from liblinear.liblinearutil import train

        self._model = train(self._prepared[id(X)], self.settings)
        return self

    @property
    def classes_(self) -> Any:
        """Labels in LIBLINEAR's order: as they were first met."""
        return np.array(self._model.get_labels())

    @property
    def _weights(self) -> Any:  # [class, in sorted order][feature, the constant one last]
        n_classes, n_features = self._model.get_nr_class(), self._model.get_nr_feature()
        if n_classes == 2:
            flat = np.ctypeslib.as_array(self._model.w, shape=(1, n_features + 1))
            return flat if self.classes_[0] == 1 else -flat
        table = np.ctypeslib.as_array(self._model.w, shape=(n_features + 1, n_classes)).T
        return table[np.argsort(self.classes_)]

    @property
    def coef_(self) -> Any:
        """As scikit-learn has it."""
        return self._weights[:, :-1]

    @property
    def intercept_(self) -> Any:
        """As scikit-learn has it."""
        return self._weights[:, -1]

    def predict(self, X: Any) -> Any:
        """Class indices."""
        scores = X @ self.coef_.T + self.intercept_
        return scores.argmax(axis=1) if scores.shape[1] > 1 else (scores[:, 0] > 0).astype(int)


def plain_words(text: str) -> str:
    """The text in small letters, words only."""
    return " ".join(TOKEN.findall(text.lower()))
