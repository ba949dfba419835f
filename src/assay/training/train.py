"""`assay.train`: from a corpus to a classifier."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.classifier.text_classifier import TextClassifier
from assay.classifier.training_data import corpus_of, sorted_sets
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.near_copies import deduplicated, each_group_once, rows_together
from assay.data.corpus.spellings import merge_spellings
from assay.data.profile.scripts import has_words
from assay.errors import AssayError, ParameterError
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.set_catalogue import parse_set_metric
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.label_sets import LabelSets
from assay.label_types import sorted_labels
from assay.modelfile.attachment import Attachment
from assay.modelfile.cross_validated import CROSS_VALIDATION, CrossValidated
from assay.modelfile.held_out_answers import HeldOutAnswers
from assay.modelfile.provenance import Component, Provenance
from assay.modelfile.record import ModelRecord
from assay.suggest import counted, quoted
from assay.threads import count_threads
from assay.training.candidates import candidate_recipes
from assay.training.network_choice import NetworkChoice
from assay.training.rare_classes import leading_metric
from assay.training.recipes import Recipe
from assay.training.refit import Fitted, Member, fit_members, fit_one
from assay.training.run import MajorityBaseline, TrainingRun
from assay.training.settings import TrainingSettings
from assay.training.text_record import TextRecord
from assay.training.trainable import check_test_labels, check_trainable
from assay.training.tree_choice import takes_tree, tree_recipe
from assay.training.watching import Silent, Watcher
from assay.wording import setting

if TYPE_CHECKING:
    import os

    from assay.data.corpus.split import SplitReport
    from assay.data.profile.profile import Profile
    from assay.embeddings.word_vectors import WordVectors
    from assay.neural.networks.network_classifier import NetworkClassifier
    from assay.training.fold_matrices import FoldMatrices
    from assay.training.search import Searched

__all__ = ["run_training", "train"]

_MOST_SCORES = 50_000_000  # texts × classes whose held-out scores fit into memory


@in_our_words
def train(
    corpus: Any,
    labels: Any = None,
    *,
    learner: str = "auto",
    ngrams: str | tuple[int, int] | None = None,
    chars: str | tuple[int, int] | None = None,
    C: float | None = None,
    class_weight: str | Mapping[str, float] | None = None,
    prune: float | None = None,
    vectors: WordVectors | str | os.PathLike[str] | None = None,
    metric: str | Callable[[Any, Any], float] | None = None,
    budget: float | str | None = None,
    merge_labels: bool = False,
    dedupe: bool = False,
    corrections: str | os.PathLike[str] | None = None,
    seed: int = 0,
    threads: int | None = None,
    **others: Any,
) -> TextClassifier | NetworkClassifier:
    """Train a classifier on all texts of a corpus; what is not chosen is searched for by cross-validation.

    To hold texts out for a test, and to see what was tried, use `assay.training.run_training`.

    Parameters
    ----------
    corpus, labels
        A `Corpus`, anything that `assay.read` takes, or texts and their labels.
    learner
        "svm", "logistic", "nbsvm", "nb", "complement-nb", "averaged-perceptron" or, for sets of thousands of labels,
        "label-tree"; "auto" for a search; or a network:
        "cnn", "averaging", "recurrent", "feedforward", or "encoder", whose folder or package is
        ``learner_settings={"encoder": …}``.
    ngrams, chars
        n-grams of words and of characters, such as "1-2" and "2-5". With a learner and one of these, nothing is
        searched for.
    C
        Strength of the learner: less is simpler (alpha of the naive Bayes learners).
    class_weight
        "balanced", or a factor for each label.
    prune
        Weights nearer to 0 than this are dropped: of "svm", "logistic" and "label-tree" (None: 0.01 there).
    vectors
        Word vectors, or a file of them: the search also tries n-grams and the mean vector of a text together; with a
        learner and n-grams, they are used together.
    metric
        What the search compares by: a name such as "macro_f1", or a function of true and predicted labels that gives a
        number, of which more is better. None: accuracy; where a class is rare, macro_f1, and class weights and
        thresholds are tried, see `assay.training.rare_classes`.
    budget
        Seconds that the search may take, or a text such as "2m"; None: by the size of the data.
    merge_labels
        Take labels that differ only in case or blanks for one class, see `assay.read`.
    dedupe
        Keep one text of each group of copies and near-copies, see `Corpus.near_copies`.
    corrections
        Labels that a person has put right: a list of likely label errors with its column ``correct_label`` filled in,
        see `assay.data.reading.corrections`.
    seed
        Same data, settings and seed: same model.
    threads
        None: every core. It changes no bit of the model.
    others
        Further settings of `TrainingSettings.chosen`: `folds`, `combine`, `near_copies`, `novelty`,
        `sketch`, `features`, `learner_settings`.

    Examples
    --------
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess", "fun, loved it", "what a mess"]
    >>> model = train(texts, ["pos", "neg", "pos", "neg", "pos", "neg"], learner="svm", ngrams="1-2")
    >>> model.predict(["great fun, loved it"]).tolist()
    ['pos']
    """
    chosen: dict[str, Any] = {"learner": learner, "ngrams": ngrams, "chars": chars, "C": C}
    chosen |= {
        "class_weight": class_weight,
        "prune": prune,
        "vectors": vectors,
        "metric": metric,
        "budget": budget,
        "seed": seed,
    }
    settings = TrainingSettings.chosen(**chosen, **others)
    learned = corpus_of(corpus, labels)
    if merge_labels:
        learned = merge_spellings(learned)
    if corrections is not None:
        from assay.data.reading.corrections import Corrections

        decided = Corrections(corrections)
        decided.require_files([learned])
        learned = decided.apply(learned)
    if dedupe:
        learned = deduplicated(learned)
    run = run_training(learned, replace(settings, holdout=0.0), threads=threads)
    return run.model


def run_training(
    corpus: Any,
    settings: TrainingSettings | None = None,
    *,
    test: Any = None,
    threads: int | None = None,
    profile: Profile | None = None,
    watcher: Watcher | None = None,
    checkpoint: Path | None = None,
    keep_diverged: bool = False,
    read: FoldMatrices | None = None,
) -> TrainingRun:
    """Train with everything that belongs to it: search, fit, calibration, test.

    Parameters
    ----------
    corpus
        Labelled texts.
    settings
        What was chosen; the defaults search for everything.
    test
        Labelled texts to test on; None: a share of the corpus is held out, as the settings say.
    threads
        None: every core. It changes no bit of the model.
    profile
        Of the corpus, to be kept in the run.
    watcher
        Is told how far it is.
    checkpoint
        File that keeps the training of a network when it is interrupted.
    keep_diverged
        Where the loss of a network becomes NaN, take the weights of the best epoch before and note it, instead of
        raising an error.
    read
        Counts of the n-grams of just these texts, where something else has read them: one recipe takes its own.
    """
    how = count_threads(threads), watcher or Silent(), checkpoint, keep_diverged, read
    training = _Training((settings or TrainingSettings()).resolved(), *how)
    return training.run(corpus_of(corpus, None), None if test is None else corpus_of(test, None), profile)


@dataclass
class _Training:
    """The stages of one training, what they took and what they have to say."""

    settings: TrainingSettings
    threads: int
    watcher: Watcher
    checkpoint: Path | None
    keep_diverged: bool
    read: FoldMatrices | None = None
    notes: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def run(self, corpus: Corpus, test: Corpus | None, profile: Profile | None) -> TrainingRun:
        with self._stage("split", "dividing the data"):
            train, test, split = self._divide(corpus, test)
            labels, classes = _sorted_classes(train)
            self.settings = leading_metric(self.settings, classes, len(labels))
            if isinstance(self.settings.metric, str):
                (parse_set_metric if train.task == "label-sets" else parse_metric)(self.settings.metric, labels)
        self.notes += _undecidable(train, classes)
        self.texts = TextRecord(train, threads=self.threads, sketch=self.settings.sketch)
        searched = self._search(train, classes, labels)
        members = searched.members if searched else (Member(self._only_recipe(train, len(labels)), 1.0),)
        with self._stage("fit", "training on all training texts"):
            classifier: TextClassifier | NetworkClassifier
            if members[0].recipe.network is not None:
                classifier = self._fit_network(train, members[0].recipe.network)
            else:
                fitted = self._fit(train, classes, labels, members, searched)
                classifier = TextClassifier.from_parts(
                    replace(
                        fitted.model,
                        label_type=train.label_type,
                        calibration=None if searched is None else searched.calibration,
                        rule=None if searched is None else searched.rule,
                        cap=None if searched is None else searched.cap,
                    ),
                    self._record(train, members, searched),
                )
                if fitted.state is not None:
                    classifier.record.state = fitted.state.to_attachment(fitted.model.weights.dtype)
        baseline = MajorityBaseline.of(classes, labels)
        if split is None:  # a part of these texts that was held out is none of them
            self._remember_texts(classifier.record)
        evaluation = comparison = None
        if test is not None and split is None:
            baseline = baseline.on(test)
        if test is not None:
            from assay.evaluation.protocols.evaluation import Evaluation
            from assay.training.testing import evaluate_once

            with self._stage("test", "testing"):
                how: dict[str, Any] = {"seed": self.settings.seed, "threads": self.threads}
                metric = self.settings.metric or "accuracy"
                evaluation, comparison = evaluate_once(
                    classifier, baseline, test, metric, held_out=split is not None, **how
                )
            if isinstance(evaluation, Evaluation) and evaluation.shift is not None:
                self.notes.append(evaluation.shift.removesuffix("."))
        if split is not None:
            self._remember_texts(classifier.record)
        return TrainingRun(
            model=classifier,
            members=members,
            settings=self.settings,
            profile=profile,
            train=train,
            test=test,
            split=split,
            trials=searched.trials if searched else (),
            cross_validation=searched.cross_validation if searched else None,
            evaluation=evaluation,
            baseline=baseline,
            comparison=comparison,
            notes=tuple(self.notes),
            planned=searched.planned if searched else None,
            seconds=self.seconds,
        )

    @contextmanager
    def _stage(self, name: str, text: str) -> Iterator[None]:
        self.watcher.stage(text)
        began = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - began

    def _divide(self, corpus: Corpus, test: Corpus | None) -> tuple[Corpus, Corpus | None, SplitReport | None]:
        """The part to train on, the part to test on, and how they were made."""
        folds, holdout = self.settings.folds, self.settings.holdout if test is None else None
        # Copies of texts matter where some are held out; and a handful of texts may be nothing but copies.
        if folds or holdout:
            self.together = rows_together(corpus, self.settings.near_copies)
        else:
            self.together = corpus.first_occurrences if len(corpus) < 1000 else np.arange(len(corpus))
        check_trainable(corpus, self.together, held_out=bool(folds or holdout))
        if test is not None:
            check_test_labels(corpus, test)
        if not holdout:
            if folds and self.settings.near_copies == "together":
                kept = corpus.near_copies.sentences("each group was kept in one fold")
                self.notes += [_sentence(note) for note in kept]
            return corpus, test, None
        parts = corpus.split(test=holdout, seed=self.settings.seed, near_copies=self.settings.near_copies)
        train, held_out = parts
        self.notes += [_sentence(note.removeprefix("split: ")) for note in parts.report.notes]
        self.together = rows_together(train, self.settings.near_copies)
        check_trainable(train, self.together, held_out=bool(folds))
        return train, self._each_group_once(held_out), parts.report

    def _each_group_once(self, held_out: Corpus) -> Corpus:
        """The test part with one of each group of near-copies."""
        if self.settings.near_copies == "ignore":
            return held_out
        kept = each_group_once(held_out)
        if kept.all():
            return held_out
        left_out = counted(int((~kept).sum()), "near-copy was", "near-copies were")
        self.notes.append(f"Each group of near-copies is tested once: {left_out} left out of the test part")
        return held_out.select(kept)

    def _search(
        self, train: Corpus, classes: NDArray[np.int32] | LabelSets, labels: tuple[str, ...]
    ) -> Searched | None:
        if takes_tree(self.settings, train.task, len(labels)):
            return self._held_out_tree(train, classes, labels)
        if not self.settings.folds or len(train) * len(labels) > _MOST_SCORES:
            return None
        from assay.training.search import search

        with self._stage("search", "searching"):
            how: dict[str, Any] = {"threads": self.threads, "watcher": self.watcher}
            searched = search(train, classes, labels, self.together, self.settings, **how)
        self.settings = searched.settings
        self.notes += searched.notes
        return searched

    def _held_out_tree(
        self, train: Corpus, classes: NDArray[np.int32] | LabelSets, labels: tuple[str, ...]
    ) -> Searched | None:
        """Of a label tree there is one recipe; folds, if there are any, are for what follows its scores."""
        from assay.training.many_labels import hold_out_tree
        from assay.training.search import Searched

        if not isinstance(classes, LabelSets):
            raise ParameterError(
                "A label tree gives each text a set of labels, and the texts have one label each. Choose another "
                f"learner, such as {setting('learner', 'svm')}, or read the labels as sets."
            )
        recipe = self._tree_recipe(train)
        if self.settings.wishes.learner is None and not self.settings.recipes:
            self.notes.append(
                f"{len(labels):,} labels: a label tree was learned, without a search among recipes; weights nearer to "
                f"0 than {recipe.learner.of_solver().prune:g} were dropped"  # type: ignore[union-attr]
            )
        if not self.settings.folds:
            return None
        with self._stage("search", "searching"):
            how: dict[str, Any] = {"threads": self.threads, "watcher": self.watcher}
            found = hold_out_tree(train, classes, labels, self.together, self.settings, recipe, **how)
        self.settings = found.settings
        self.notes += found.notes
        after = found.after
        return Searched(
            found.members,
            (),
            found.cross_validation,
            after.cap,
            after.rule,
            None,
            0.0,
            found.settings,
            (),
            {},
            None,
            after.calibration,
        )

    def _tree_recipe(self, train: Corpus) -> Recipe:
        return tree_recipe(self.settings, len(train), spaces=has_words(train.texts))

    def _only_recipe(self, train: Corpus, n_classes: int) -> Recipe:
        """What was chosen by hand; or, for more classes than can be searched with, a learner that takes many."""
        wishes = self.settings.wishes
        if takes_tree(self.settings, train.task, n_classes):
            return self._tree_recipe(train)
        if self.settings.recipes:
            return self.settings.recipes[0]
        if wishes.by_hand:
            return candidate_recipes(wishes, n_texts=len(train), spaces=True)[0]
        of_sets = train.task == "label-sets"
        instead = "a linear SVM" if of_sets else "complement naive Bayes"
        self.notes.append(
            f"{n_classes:,} {'labels' if of_sets else 'classes'} in {len(train):,} texts are too many to compare "
            f"recipes: {instead} on the most frequent words was trained instead, without a search"
        )
        learner, strength = ("svm", 1.0) if of_sets else ("complement-nb", 0.3)
        wishes = replace(wishes, learner=learner, words=(1, 1), strength=strength, vectors=None)
        recipe = candidate_recipes(wishes, n_texts=len(train), spaces=True)[0]
        words = cast(NgramSettings, recipe.blocks[0])
        return replace(recipe, blocks=(replace(words, max_features=max(1000, _MOST_SCORES // n_classes)),))

    def _fit(
        self,
        train: Corpus,
        classes: NDArray[np.int32] | LabelSets,
        labels: tuple[str, ...],
        members: tuple[Member, ...],
        searched: Searched | None,
    ) -> Fitted:
        how: dict[str, Any] = {"seed": self.settings.seed, "threads": self.threads, "before_solving": self.texts.begin}
        if searched is not None and searched.read is not None:
            fitted = fit_members(train.texts, classes, labels, members, **how, read=searched.read)
        else:
            fitted = fit_one(train.texts, classes, labels, members[0].recipe, **how, read=self.read)
        if not fitted.converged:
            self.notes.append("A solver stopped before it had converged: the model is nearly, not exactly, optimal")
        return fitted

    def _fit_network(self, train: Corpus, choice: NetworkChoice) -> TextClassifier | NetworkClassifier:
        classifier = choice.classifier(
            seed=self.settings.seed,
            threads=self.threads,
            checkpoint=self.checkpoint,
            learn_novelty=self.settings.novelty,
            sketch=self.settings.sketch,
        )
        try:
            classifier.fit(train, watcher=self.watcher)
        except AssayError as error:
            if not self.keep_diverged or getattr(error, "history", None) is None:
                raise
            self.notes.append(str(error).removesuffix("."))
        classifier.provenance["metric"] = self.settings.metric_name
        self.notes += classifier.notes_
        # An encoder that stays as it is makes features of a linear model.
        return getattr(classifier, "linear_classifier_", classifier)

    def _record(self, train: Corpus, members: tuple[Member, ...], searched: Searched | None) -> ModelRecord:
        """Without what is remembered of the texts, which may still be in the making."""
        record = ModelRecord(self._provenance(train, members, searched))
        if searched is not None and searched.novelty is not None:
            record.novelty = Attachment.of_novelty(searched.novelty)
        if searched is not None and train.task == "labels":
            answers = searched.cross_validation.outcomes
            sureness = None if answers.probabilities is None else answers.confidence
            record.held_out = HeldOutAnswers.of(answers.truth, answers.predicted, sureness).to_attachment()
        return record

    def _remember_texts(self, record: ModelRecord) -> None:
        if record.sketch is None:  # networks make their own
            record.sketch = self.texts.sketch()

    def _provenance(self, train: Corpus, members: tuple[Member, ...], searched: Searched | None) -> dict[str, Any]:
        seed = self.settings.seed
        return Provenance(
            self.texts.provenance(),
            [Component(*member.recipe.made_by(seed), member.weight) for member in members],
            seed,
            self._calibration(searched),
            None if searched is None or searched.rule is None else searched.rule.kind,
            self.settings.metric_name,
            {} if searched is None else {CROSS_VALIDATION: self._cross_validated(train, searched).to_dict()},
        ).to_dict()

    def _calibration(self, searched: Searched | None) -> str | None:
        if searched is None:
            return None
        return "temperature, in the weights" if searched.calibration is None else searched.calibration.method

    def _cross_validated(self, train: Corpus, searched: Searched) -> CrossValidated:
        from assay.evaluation.protocols.shift import median_words

        outcomes, found = searched.cross_validation.outcomes, searched.cross_validation[self.settings.metric_name]
        value, low, high = (None if np.isnan(x) else round(x, 6) for x in (found.value, found.low, found.high))
        return CrossValidated(
            self.settings.metric_name,
            value,
            low,
            high,
            texts=outcomes.n_documents,
            right=int(outcomes.correct.sum()),
            median_words=median_words(train),
            more={label: forecast.to_dict() for label, forecast in searched.more.items()},
        )


def _sorted_classes(corpus: Corpus) -> tuple[tuple[str, ...], NDArray[np.int32] | LabelSets]:
    """The labels that occur, sorted, and the class of each text among them, or its set of classes."""
    present = np.flatnonzero(corpus.class_counts)
    labels = sorted_labels([corpus.label_names[k] for k in present], corpus.label_type)
    if corpus.task == "label-sets":
        return labels, sorted_sets(corpus, labels)
    number = {label: k for k, label in enumerate(labels)}
    place = np.array([number.get(name, -1) for name in corpus.label_names], dtype=np.int32)
    return labels, place[corpus.classes]


def _undecidable(train: Corpus, classes: NDArray[np.int32] | LabelSets) -> list[str]:
    """Of sets: labels that no text has, which are left out, and those that every text has."""
    if not isinstance(classes, LabelSets):
        return []
    counts = train.class_counts
    none, every = ([train.label_names[k] for k in np.flatnonzero(counts == n)] for n in (0, len(train)))
    found = []
    if none:
        found.append(f"No text to train on has {quoted(none, 5)}: {'it is' if len(none) == 1 else 'they are'} left out")
    if every:
        found.append(f"Every text to train on has {quoted(every, 5)}: what texts without it are like cannot be learned")
    return found


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
