"""Self-training: a model's own confident answers about texts without labels, learned from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone

from assay.classifier.linear_form import is_linear, learner_model
from assay.classifier.text_classifier import TextClassifier
from assay.classifier.training import fresh_parts
from assay.classifier.training_data import label_arrays, training_corpus
from assay.errors import DataError, NotFittedError, ParameterError
from assay.learners.parameters import check_flag, check_number
from assay.modelfile.provenance import Component, MadeBy, Provenance, data_provenance
from assay.modelfile.record import ModelRecord
from assay.prediction.probabilities import Floats
from assay.prediction.scoring import documents_of

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["SelfTraining", "SelfTrainingRound", "surest_answers"]


@dataclass(frozen=True)
class SelfTrainingRound:
    """What one round of self-training did.

    Attributes
    ----------
    added
        Texts without labels that were learned from.
    held_out
        Accuracy on the held-out texts.
    """

    added: int
    held_out: float


@dataclass(kw_only=True, eq=False)
class SelfTraining:
    """Train, answer texts without labels, learn from the surest answers too, and again, while that helps.

    In each round the surest answers of every class are taken, in the shares that the classes have among the labelled
    texts; in all, a share `step` of the unlabelled texts more than in the round before. A part of the labelled texts is
    held out: when `patience` rounds have not beaten the best accuracy on it, it ends, and as many rounds as were best
    are repeated with all labelled texts. If that is round 0, no answer is used: the unlabelled texts do not help.

    Parameters
    ----------
    vectorizer, learner
        As those of `TextClassifier`; the learner must be linear. The vectorizer sees labelled and unlabelled texts.
    step
        Share of the unlabelled texts that is added in a round.
    rounds
        Rounds at most.
    weight
        How much an answer counts beside a true label, up to 1.
    validation
        Share of the labelled texts that is held out.
    patience
        Rounds without a better one before it stops.
    sketch
        Remember, by hashes, which labelled texts it was trained on, see `TextClassifier`.
    seed
        Of the part that is held out, and of the learner.
    threads
        None for every core.

    Attributes
    ----------
    classifier_
        The `TextClassifier` that came out, to be used and saved like any other.
    rounds_
        What each round did; the first is without unlabelled texts.
    best_
        Number of the round that was kept, from 0.

    Examples
    --------
    >>> texts = ["great film", "dull film", "great fun", "dull mess", "great cast", "dull plot", "great", "dull"]
    >>> unlabelled = ["great fun, loved it", "a dull mess, hated it", "loved this great film", "hated it, dull"]
    >>> model = SelfTraining(step=0.5, validation=0.25).fit(texts, ["pos", "neg"] * 4, unlabelled)
    >>> model.predict(["great", "dull"]).tolist()
    ['pos', 'neg']

    References
    ----------
    Yarowsky (1995), "Unsupervised word sense disambiguation rivaling supervised methods".
    """

    vectorizer: Any = None
    learner: Any = None
    step: float = 0.1
    rounds: int = 10
    weight: float = 1.0
    validation: float = 0.2
    patience: int = 2
    sketch: bool = True
    seed: int = 0
    threads: int | None = None

    def fit(self, texts: Any, labels: Any, unlabelled: Any) -> Self:
        """Learn from texts and their labels (or a corpus and None), and from texts without labels."""
        self._check()
        corpus = training_corpus(texts, labels)
        others = documents_of(unlabelled).strings()
        if not others:
            raise DataError("There are no texts without labels. Self-training needs some: give them as unlabelled.")
        train, held_out = self._divided(corpus)
        settings: dict[str, Any] = {"sketch": self.sketch, "seed": self.seed, "threads": self.threads}
        plain = TextClassifier(self.vectorizer, self.learner, **settings)
        vectorizer, learner = fresh_parts(plain)
        if not is_linear(learner):
            raise ParameterError(f"SelfTraining needs a linear learner. Got {type(learner).__name__} instead.")
        vectorizer.fit([*documents_of(corpus.texts).strings(), *others], None)
        unknown = vectorizer.transform(others)

        def trainings(part: Corpus) -> Iterator[tuple[int, Any]]:
            return self._trainings(learner, vectorizer.transform(part.texts), label_arrays(part)[1], unknown)

        self.rounds_, self.best_ = self._tried(trainings(train), vectorizer.transform(held_out.texts), held_out)
        if self.best_ == 0:
            plain.fit(corpus)
            plain.provenance["self_training"] = self._settings(len(others), 0)
            self.classifier_ = plain
            return self
        # The same again with all labelled texts, as far as it helped.
        *_, (added, fitted) = islice(trainings(corpus), self.best_ + 1)
        names, _ = label_arrays(corpus)
        record = ModelRecord(self._provenance(corpus, vectorizer, fitted, len(others), added))
        if self.sketch:
            record.remember(corpus.texts, self.threads)
        model = learner_model(vectorizer, fitted, names, unknown.dtype)
        self.classifier_ = TextClassifier.from_parts(replace(model, label_type=corpus.label_type), record)
        return self

    def _trainings(self, learner: Any, X: Any, y: NDArray[Any], unknown: Any) -> Iterator[tuple[int, Any]]:
        """Of each round, how many unlabelled texts were learned from, and the learner."""
        _, counts = np.unique(y, return_counts=True)
        fitted = clone(learner).fit(X, y)
        yield 0, fitted
        for number in range(1, self.rounds + 1):
            wanted = min(1.0, self.step * number) * unknown.shape[0] * counts / counts.sum()
            rows, answers = surest_answers(fitted, unknown, wanted)
            weights = (
                {} if self.weight == 1 else {"sample_weight": np.r_[np.ones(len(y)), np.full(len(rows), self.weight)]}
            )
            fitted = clone(learner).fit(_stacked(X, unknown[rows]), np.r_[y, answers], **weights)
            yield len(rows), fitted

    def _tried(
        self, trainings: Iterator[tuple[int, Any]], X: Any, held_out: Corpus
    ) -> tuple[tuple[SelfTrainingRound, ...], int]:
        """The rounds until it has not got better for a while, and the number of the best."""
        truth = label_arrays(held_out)[1]
        rounds: list[SelfTrainingRound] = []
        best = 0
        for number, (added, fitted) in enumerate(trainings):
            rounds.append(SelfTrainingRound(added, float(np.mean(fitted.predict(X) == truth))))
            if rounds[number].held_out > rounds[best].held_out:
                best = number
            if number - best >= self.patience:
                break
        return tuple(rounds), best

    def _provenance(self, corpus: Corpus, vectorizer: Any, learner: Any, n_others: int, added: int) -> dict[str, Any]:
        return Provenance(
            data_provenance(corpus),
            [Component(MadeBy.of(learner), MadeBy.of(vectorizer))],
            self.seed,
            more={"self_training": self._settings(n_others, added)},
        ).to_dict()

    def _settings(self, n_others: int, added: int) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in ("step", "rounds", "weight", "validation", "patience")}
        return {**own, "unlabelled": n_others, "added": added, "round": self.best_}

    def predict(self, texts: Any) -> NDArray[Any]:
        """Label of each text."""
        return self._fitted().predict(texts)

    def predict_proba(self, texts: Any) -> Floats:
        """Probability of each label, (n, n_labels)."""
        return self._fitted().predict_proba(texts)

    def decision_function(self, texts: Any) -> Floats:
        """Scores (n, n_labels); of two labels one number a text, above 0 for the second."""
        return self._fitted().decision_function(texts)

    def score(self, texts: Any, labels: Any = None) -> float:
        """Share of the texts that get their own label."""
        return self._fitted().score(texts, labels)

    def save(self, path: str | os.PathLike[str], **how: Any) -> None:
        """Write the model to a file, as `TextClassifier.save` does."""
        self._fitted().save(path, **how)

    def _fitted(self) -> TextClassifier:
        if not hasattr(self, "classifier_"):
            raise NotFittedError("This SelfTraining is not fitted yet. Call fit(texts, labels, unlabelled) first.")
        return self.classifier_

    def _check(self) -> None:
        check_number(self, "step", above=0, at_most=1)
        check_number(self, "rounds", at_least=1, integer=True)
        check_number(self, "weight", above=0, at_most=1)
        check_number(self, "validation", above=0, below=1)
        check_number(self, "patience", at_least=1, integer=True)
        check_flag(self, "sketch")

    def _divided(self, corpus: Corpus) -> tuple[Corpus, Corpus]:
        try:
            train, held_out = corpus.split(test=max(1, round(self.validation * len(corpus))), seed=self.seed)
        except DataError as error:
            raise DataError(
                f"{corpus.source}: {len(corpus):,} labelled texts are too few to hold some out ({error}). "
                "Self-training needs them to know when to stop."
            ) from None
        return training_corpus(train, None), held_out


def surest_answers(learner: Any, X: Any, wanted: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Rows whose label a learner is surest of, the given number of each class if there are so many; and the labels."""
    scores = learner.decision_function(X)
    if scores.ndim == 1:
        scores = np.column_stack([-scores, scores])
    answers = scores.argmax(axis=1)
    two = np.partition(scores, -2, axis=1)[:, -2:]
    margin = two[:, 1] - two[:, 0]
    chosen = []
    for k, most in enumerate(wanted):
        rows = np.flatnonzero(answers == k)
        chosen.append(rows[np.argsort(-margin[rows], kind="stable")[: round(float(most))]])
    rows = np.sort(np.concatenate(chosen))
    return rows, learner.classes_[answers[rows]]


def _stacked(X: Any, further: Any) -> Any:
    if not sparse.issparse(X):
        return np.vstack([X, further])
    parts: Any = [X, further]
    return sparse.vstack(parts, format="csr")
