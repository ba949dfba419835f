"""What was tried, and what was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.evaluation.uncertainty.estimate import Estimate
from assay.report.wording import metric_name, seconds
from assay.suggest import counted

if TYPE_CHECKING:
    from assay.training.run import TrainingRun
    from assay.training.trials import Trial

__all__ = ["CandidateRow", "CandidatesSection", "candidates_section"]


@dataclass(frozen=True)
class CandidateRow:
    """A recipe and what it scored in a round: the mean, from the lowest to the highest fold."""

    learner: str
    strength: str
    features: str
    score: Estimate
    n_train: int
    seconds: float
    chosen: bool
    went_on: bool


@dataclass(frozen=True)
class CandidatesSection:
    """What the section shows; rounds are the last one first."""

    sentence: str
    chosen: tuple[str, ...]
    metric: str
    rounds: tuple[tuple[str, tuple[CandidateRow, ...]], ...]
    combined: Estimate | None
    low: float
    high: float


def candidates_section(run: TrainingRun) -> CandidatesSection | None:
    """The search of a run; None where nothing was compared."""
    if not run.searched:
        return None
    last = max(trial.round for trial in run.trials)
    chosen = {member.recipe for member in run.members}
    rounds = []
    for number in range(last, 0, -1):
        trials = [trial for trial in run.trials if trial.round == number]
        texts = counted(trials[0].n_train, "text", "texts") if trials else ""
        title = f"Round {number} of {last}: {counted(len(trials), 'candidate', 'candidates')}, learning from {texts}"
        rows = tuple(_row(trial, number == last and trial.recipe in chosen, number < last) for trial in trials)
        rounds.append((title, rows))
    combined = None
    metric = run.settings.metric_name
    if run.cross_validation is not None and metric in run.cross_validation.metrics and len(chosen) > 1:
        combined = run.cross_validation[metric]
    scores = [score for trial in run.trials for score in trial.scores]
    return CandidatesSection(
        _sentence(run, last),
        tuple(member.recipe.name for member in run.members),
        metric_name(metric),
        tuple(rounds),
        combined,
        float(min(scores)),
        float(max(scores)),
    )


def _row(trial: Trial, chosen: bool, halved: bool) -> CandidateRow:
    recipe = trial.recipe
    return CandidateRow(
        recipe.learner.title,
        recipe.learner.strength,
        recipe.features,
        _spread(trial),
        trial.n_train,
        trial.seconds,
        chosen,
        halved and trial.survived,
    )


def _spread(trial: Trial) -> Estimate:
    """Mean, lowest and highest fold: of few folds and recipes of which the best is picked no interval would hold."""
    mean = float(trial.scores.mean())
    return Estimate(mean) if trial.scores.size < 2 else Estimate(mean, trial.scores.min(), trial.scores.max(), "folds")


def _sentence(run: TrainingRun, n_rounds: int) -> str:
    n = len({trial.recipe for trial in run.trials})
    took = run.seconds.get("search", 0.0)
    metric = metric_name(run.settings.metric_name)
    return (
        f"{counted(n, 'candidate was', 'candidates were')} compared by {metric} in cross-validation inside the "
        f"training texts, in {counted(n_rounds, 'round', 'rounds')} and {seconds(took)}; the test texts took no part."
    )
