"""The search as one stage of a training: it reads the texts, plans the rounds, runs them and chooses."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.data.profile.scripts import has_words
from assay.evaluation.uncertainty.forecast import Forecast
from assay.label_sets import LabelSets, task_of
from assay.prediction.novelty import Novelty
from assay.suggest import counted
from assay.training.candidates import candidate_recipes
from assay.training.fold_matrices import FoldMatrices
from assay.training.growth import more_examples
from assay.training.learned_novelty import learn_novelty
from assay.training.parts import fold_numbers, order_with_copies
from assay.training.plan import Round, default_budget, plan_rounds, texts_of_opening
from assay.training.prices import OVERRUN, Prices
from assay.training.rare_classes import lead_note, looks_at_rare_classes
from assay.training.refit import Member
from assay.training.rounds import run_rounds
from assay.training.selection_bias import CORRECTED, selection_optimism
from assay.training.set_winners import choose_set_winners
from assay.training.settings import TrainingSettings
from assay.training.trainable import small_class_note
from assay.training.trials import Finalist, Material, Trial
from assay.training.watching import Watcher
from assay.training.winners import Winners, choose_winners
from assay.training.yardstick import Yardstick

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.metrics.outcomes import Outcomes
    from assay.evaluation.metrics.set_outcomes import SetOutcomes
    from assay.evaluation.protocols.cross_validation_result import CrossValidation
    from assay.prediction.calibration import Calibration
    from assay.prediction.decision_rule import DecisionRule
    from assay.prediction.probability_cap import ProbabilityCap
    from assay.prediction.set_rule import SetRule

__all__ = ["Searched", "search"]


@dataclass(frozen=True, eq=False)
class Searched:
    """What a search found.

    Attributes
    ----------
    members
        What to train, with weights.
    trials
        All that was tried.
    cross_validation
        Of what was chosen.
    cap
        The largest probability that the held-out texts can bear out.
    rule
        How labels are decided; None: by the highest score.
    novelty
        How texts are told that are unlike the training texts; None where that is not wanted.
    planned
        Seconds that the rounds were made for.
    settings
        With the folds and the sample of the last round, which repeat it.
    notes
        What should be known, in sentences.
    more
        Of weak classes, how many examples are likely to be needed.
    read
        What was read of the texts for the last round.
    calibration
        Of each label, where texts have several; otherwise it is in the weights of the members.
    """

    members: tuple[Member, ...]
    trials: tuple[Trial, ...]
    cross_validation: CrossValidation
    cap: ProbabilityCap
    rule: DecisionRule | SetRule | None
    novelty: Novelty | None
    planned: float
    settings: TrainingSettings
    notes: tuple[str, ...]
    more: Mapping[str, Forecast]
    read: FoldMatrices | None
    calibration: Calibration | None = None


def search(
    train: Corpus,
    classes: NDArray[np.int32] | LabelSets,
    labels: tuple[str, ...],
    together: NDArray[np.int64],
    settings: TrainingSettings,
    *,
    threads: int,
    watcher: Watcher,
) -> Searched:
    """Choose what to train by cross-validation of the training texts.

    Parameters
    ----------
    train, classes, labels
        The training part, the class of each text, or its set of classes, and what the classes are called.
    together
        For each text the first one that is the same, or nearly: such texts stay in one fold.
    settings
        With everything that was not chosen filled in.
    threads, watcher
        Recipes tried at a time, and who is told.
    """
    began = time.monotonic()
    folds = min(settings.folds or 2, np.unique(together).size)
    recipes = list(settings.recipes) or candidate_recipes(
        settings.wishes, n_texts=len(train), spaces=has_words(train.texts)
    )
    order = order_with_copies(classes, together, settings.seed)
    n_opening = len(train) if settings.recipes else texts_of_opening(len(train), train.texts.nbytes)
    sample = None if n_opening == len(train) else np.sort(order[:n_opening])
    matrices = FoldMatrices(train.texts, threads, sample)
    watcher.stage("reading the texts")
    blocks = [block for recipe in recipes for block in recipe.blocks]
    matrices.count(blocks)
    planned = settings.budget or default_budget(train.texts.nbytes)
    prices = Prices(len(train), len(labels), {block: matrices.size(block) for block in blocks})
    if settings.recipes:
        n_full = len(train) * (folds - 1) // folds
        n_train = min(settings.sample or n_full, n_full)
        rounds = [Round(len(train), n_train, folds, len(recipes), float("inf"))]
    else:
        rounds = plan_rounds(prices, recipes, folds, planned, n_opening)
        folds = rounds[-1].tested
    material = Material(
        matrices,
        classes,
        labels,
        order,
        fold_numbers(classes, together, order, folds),
        Yardstick(settings.metric or "accuracy", labels, task_of(classes)),
        settings.seed,
        threads,
        watcher,
        began + settings.budget if settings.budget else float("inf"),
    )
    watcher.stage("trying recipes" if len(recipes) > 1 else "cross-validating")
    rare = looks_at_rare_classes(settings, classes, len(labels))
    trials, finalists = run_rounds(material, recipes, rounds, prices, rare=rare and not settings.recipes)
    notes = small_class_note(classes, labels, folds)
    if material.out_of_time:
        notes.append(
            f"The budget of {settings.budget:g} s ended the search early; with more time, or on a quicker machine, it "
            "may choose otherwise"
        )
    notes += _stopped_note(trials)
    if rare:
        notes.append(lead_note(material.classes, labels, material.yardstick.name))
    watcher.stage("combining the best")
    if isinstance(classes, LabelSets):
        return _searched_sets(material, finalists, trials, rounds, train, planned, settings, notes)
    winners = choose_winners(material, finalists, settings.combine, all_of_them=bool(settings.recipes), rare=rare)
    last = [finalist.trial for finalist in winners.finalists]
    optimism = settings.optimism if settings.recipes else _optimism(material, (*trials, *last), together)
    return Searched(
        winners.members,
        (*(trial for trial in trials if trial.round < len(rounds)), *last),
        _cross_validation(winners, material, train, optimism),
        winners.tested.cap,
        winners.rule,
        learn_novelty(material, winners.members, train, together) if settings.novelty else None,
        planned,
        replace(settings, folds=folds, sample=rounds[-1].n_train, optimism=optimism),
        tuple(notes),
        more_examples(material, winners, rounds[-1].n_train, rare=rare),
        material.matrices,
    )


def _searched_sets(
    material: Material,
    finalists: Sequence[Finalist],
    trials: Sequence[Trial],
    rounds: Sequence[Round],
    train: Corpus,
    planned: float,
    settings: TrainingSettings,
    notes: Sequence[str],
) -> Searched:
    """The same where texts have several labels: calibrated and decided about label by label."""
    winners = choose_set_winners(material, finalists, settings.combine)
    last = [finalist.trial for finalist in winners.finalists]
    return Searched(
        winners.members,
        (*(trial for trial in trials if trial.round < len(rounds)), *last),
        _cross_validated(material, train, winners.tested, winners.scores),
        winners.after.cap,
        winners.after.rule,
        None,
        planned,
        replace(settings, folds=rounds[-1].tested, sample=rounds[-1].n_train),
        tuple(notes),
        {},
        material.matrices,
        winners.after.calibration,
    )


def _stopped_note(trials: Sequence[Trial]) -> list[str]:
    """What to say of recipes whose solvers were stopped, which are by counted work, not by the clock."""
    stopped = list(dict.fromkeys(trial.recipe for trial in trials if trial.stopped))
    if not stopped:
        return []
    tried = len({trial.recipe for trial in trials})
    passes = counted(stopped[0].learner.max_iterations, "pass", "passes")
    return [
        f"{len(stopped)} of {counted(tried, 'recipe', 'recipes')} had a solver that was stopped at {OVERRUN} times its "
        f"price, such as {stopped[0].name} after {passes} over the counts; they were compared as they were then"
    ]


def _optimism(material: Material, trials: Sequence[Trial], together: NDArray[np.int64]) -> float | None:
    """What the choice among the trials has added to the figure of the best; None where that cannot be told."""
    # A recipe that was tried in two rounds with all texts counts once.
    answers = {trial.recipe: trial.answers for trial in trials if trial.answers is not None}
    if material.yardstick.name not in CORRECTED or len(answers) < 2:
        return None
    how: dict[str, Any] = {"metric": material.yardstick.name, "seed": material.seed, "together": together}
    return selection_optimism([*answers.values()], material.classes, len(material.labels), **how)


def _cross_validation(winners: Winners, material: Material, train: Corpus, optimism: float | None) -> CrossValidation:
    """Of what was chosen, without what the choice has added to its figure."""
    from assay.evaluation.metrics.outcomes import Outcomes

    outcomes = Outcomes(material.labels, material.classes, winners.tested.predicted, winners.tested.probabilities)
    name = material.yardstick.name
    made = _cross_validated(material, train, outcomes, winners.tested.scores)
    if callable(material.yardstick.metric):
        return replace(made, functions=frozenset({name}))
    return made if optimism is None else replace(made, optimism={name: optimism})


def _cross_validated(
    material: Material, train: Corpus, outcomes: Outcomes | SetOutcomes, scores: NDArray[np.float64]
) -> CrossValidation:
    """What was held out, fold by fold, and the metric on each fold."""
    from assay.evaluation.protocols.cross_validation_result import CrossValidation
    from assay.evaluation.protocols.folds import Fold

    numbers = material.fold_of
    folds = tuple(
        Fold(0, int(k), np.flatnonzero(numbers != k), np.flatnonzero(numbers == k)) for k in np.unique(numbers)
    )
    of_metric = {material.yardstick.name: scores}
    return CrossValidation(material.labels, folds, of_metric, (outcomes,), (), False, 0.95, material.seed, train, ())
