"""The result of ``assay train`` as a person reads it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypeAlias

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from assay.cli.clock import seconds_so_far
from assay.cli.screens.tables import indented, plain_table
from assay.cli.screens.training import trial_table
from assay.data.corpus.spellings import shown_labels
from assay.evaluation.protocols.evaluation import Evaluation
from assay.evaluation.uncertainty.estimate import Estimate, notes_on_intervals
from assay.suggest import all_of, counted
from assay.terminal import one_line, visible
from assay.training.run import MANY_CLASSES

if TYPE_CHECKING:
    from rich.console import Console

    from assay.evaluation.protocols.set_evaluation import SetEvaluation
    from assay.explanation.weights import FeatureWeight
    from assay.training.run import TrainingRun

    Telling: TypeAlias = dict[str, list[FeatureWeight]]

__all__ = ["show_run", "telling_features"]

SHOWN_TRIALS = 8
SHOWN_CLASSES = 20
MISTAKES = 3
FEATURES = 5
MOST_TEXTS = 4000
METRICS = {
    "labels": ("accuracy", "macro_f1", "balanced_accuracy", "log_loss"),
    "label-sets": ("micro_f1", "macro_f1", "samples_f1", "subset_accuracy", "hamming_loss"),
}
WORST = 8


def show_run(
    run: TrainingRun,
    written: Mapping[str, Path],
    console: Console,
    *,
    quiet: bool = False,
    steps: bool = True,
    last_step: tuple[str, str] | None = None,
    telling: Telling | None = None,
) -> None:
    """Print what was tried, chosen and measured, where the files are, and (with `steps`) what to do next.

    `last_step` is one more command, and what it does. `telling` is what `telling_features` found, if it was asked.
    """
    if quiet:
        console.print(Text(_one_line(run, written)), soft_wrap=True)
        return
    if run.searched:
        _show_candidates(run, console)
    _show_winner(run, console)
    _show_epochs(run, console)
    _show_test(run, console)
    _show_features(telling_features(run) if telling is None else telling, run, console)
    _show_mistakes(run, console)
    _show_warnings(run.notes, console)
    _show_files(written, console)
    if steps:
        _show_steps(run, written, console)
    if last_step is not None:
        command, purpose = map(visible, last_step)
        console.print(f"\n{command}\n  {purpose}", soft_wrap=True)


def _one_line(run: TrainingRun, written: Mapping[str, Path]) -> str:
    if run.evaluation is None:
        return f"{visible(str(written['model']))}"
    said = "" if run.headline is None else f". {run.headline.sentence}"
    if run.headline is None and run.evaluation.seen is not None:
        said = ". {:,} of {:,} texts of the test were learned from".format(*run.evaluation.seen.counts)
    found = run.evaluation[run.settings.metric_name]
    return f"{visible(str(written['model']))}: {run.settings.metric_name} {found}{said}"


def _heading(text: str, console: Console) -> None:
    console.print(Text(text, style="bold"))
    console.print()


def _show_candidates(run: TrainingRun, console: Console) -> None:
    last = max(trial.round for trial in run.trials)
    finalists = [trial for trial in run.trials if trial.round == last]
    tried = len({trial.recipe for trial in run.trials})
    folds = finalists[0].scores.size
    _heading(
        f"What was tried: {counted(tried, 'recipe', 'recipes')} in {counted(last, 'round', 'rounds')}; the last "
        f"round, on {counted(folds, 'fold', 'folds')}",
        console,
    )
    shown = [trial for number, trial in enumerate(finalists) if number < SHOWN_TRIALS or trial.survived]
    console.print(indented(trial_table(shown, run.settings.metric_name, chosen=True)))
    if len(shown) < len(finalists):
        console.print(f"     and {counted(len(finalists) - len(shown), 'worse one', 'worse ones')}")
    console.print()


def _show_winner(run: TrainingRun, console: Console) -> None:
    if len(run.members) == 1:
        console.print(Text.assemble(("Chosen: ", "bold"), run.members[0].recipe.name))
    else:
        console.print(Text.assemble(("Chosen: ", "bold"), f"the sum of {len(run.members)} of them, which is one model"))
    if run.cross_validation is not None:
        score = run.cross_validation[run.settings.metric_name]
        console.print(
            f"In cross-validation of {counted(len(run.train), 'training text', 'training texts')}: "
            f"{run.settings.metric_name} {score}{_corrected(run)}."
        )
    console.print()


def _corrected(run: TrainingRun) -> str:
    """That what the choice has added was taken off the figure, or that it was not."""
    assert run.cross_validation is not None
    optimism = run.cross_validation.optimism.get(run.settings.metric_name)
    if optimism is not None and not round(optimism, 3):
        return ""
    if optimism is not None:
        return f", after {optimism:.3f} was taken off, which choosing by it is likely to have added"
    return ", rather too good, since it was used to choose" if run.searched else ""


def _show_epochs(run: TrainingRun, console: Console) -> None:
    """Of a network: how long it was trained, and when it was best."""
    history = getattr(run.model, "history_", None)
    if history is None:
        return
    best = history.epochs[history.best - 1]
    n = len(history.epochs)
    text = f"Trained for {n:,} epochs" if n > 1 else "Trained for one epoch"
    if best.held_out_metric is not None:
        text += (
            f"; the best was number {history.best}, with {history.metric} {best.held_out_metric:.3f} on held-out "
            "training texts"
        )
    console.print(f"{text}.")
    console.print()


def _show_test(run: TrainingRun, console: Console) -> None:
    if run.evaluation is None:
        _show_verdict(run, console)
        known = (
            "the cross-validation, by which it was chosen, is all that is known"
            if run.cross_validation is not None
            else "so nothing is known"
        )
        console.print(
            f"Trained on {all_of(len(run.train), 'text', 'texts')}: none was held out, {known} about texts that the "
            "model has not seen. Add --holdout 0.2 or --test FILE to test it."
        )
        console.print()
        return
    texts = counted(run.evaluation.n_documents, "text", "texts")
    if run.evaluation.seen is None:
        _heading(f"The test, on {texts} that had no part in any of this", console)
    else:
        _heading(f"The test, on {texts}, of which {run.evaluation.seen.counts[0]:,} were learned from", console)
        if isinstance(run.evaluation, Evaluation):
            _show_warnings(run.evaluation.notes_on_seen, console)
    _show_verdict(run, console)
    table = plain_table("metric", numbers=["value", "95% interval"])
    shown: dict[str, Estimate] = {}
    for name in dict.fromkeys((run.settings.metric_name, *METRICS[run.task])):
        if name == "log_loss" and (run.evaluation.outcomes.probabilities is None or len(run.labels) > MANY_CLASSES):
            continue
        found = run.evaluation[name]
        interval = "" if found.low != found.low else f"{found.low:.3f} – {found.high:.3f}"
        shown[name] = found
        style = "bold" if name == run.settings.metric_name else ""
        table.add_row(name, f"{found.value:.3f}" if found.defined else "undefined", interval, style=style)
    console.print(indented(table))
    console.print()
    notes = notes_on_intervals(shown)
    for note in notes:
        console.print(Text(visible(note)))
    if notes:
        console.print()
    if run.comparison is not None:
        better = run.comparison.difference
        sure = "" if run.differs_from_guessing or not round(better.value, 3) else ", which may be chance"
        within = "" if better.low != better.low else f" ({better.low:+.3f} to {better.high:+.3f})"
        always = "Always" if run.evaluation.seen is None else "On the texts that it does not know, always"
        console.print(
            f"{always} saying {run.baseline.said} would give {run.comparison.metric} "
            f"{run.comparison.second_value:.3f}: the model is {_compared(better.value)}"
            f"{within}{sure}."
        )
        console.print()


def _show_verdict(run: TrainingRun, console: Console) -> None:
    """That the model is of no use, or for some class, where it is so: before every number."""
    said = run.headline
    if said is None:
        return
    console.print(
        Text.assemble(
            ("! " if said.mild else "✗ ", "bold yellow" if said.mild else "bold red"),
            (visible(said.sentence), "bold"),
            f" {visible(said.reason)}",
        )
    )
    for advice in said.advice:
        console.print(Padding(Text(f"→ {visible(advice)}"), (0, 0, 0, 2)))
    console.print()


def _compared(difference: float) -> str:
    if not round(difference, 3):
        return "no better"
    return f"{abs(difference):.3f} {'worse' if difference < 0 else 'better'}"


def telling_features(run: TrainingRun) -> Telling:
    """What speaks most for each label that is shown; nothing of a model that has no features to show."""
    from assay.explanation.columns import of_whole_texts
    from assay.explanation.weights import top_features
    from assay.prediction.linear_model import LinearTextModel

    model = run.model.model
    if not isinstance(model, LinearTextModel) or all(map(of_whole_texts, model.features)):
        return {}
    counts = dict(zip(run.train.label_names, run.train.class_counts.tolist(), strict=True))
    commonest = sorted(model.labels, key=lambda label: -counts.get(label, 0))[:SHOWN_CLASSES]
    shown = [label for label in model.labels if label in commonest]
    return top_features(model, run.train, top=FEATURES, words=True, most_texts=MOST_TEXTS, labels=shown)


def _show_features(found: Telling, run: TrainingRun, console: Console) -> None:
    if not found:
        return
    parts = any(item.kind != "word" for items in found.values() for item in items)
    what = "words and parts of words" if parts else "words"
    of_sets = run.task == "label-sets"
    heading = "What speaks for each label" if of_sets else "What tells the classes apart"
    _heading(f"{heading}: the {what} that say most for each", console)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(overflow="fold", style="bold")
    table.add_column(overflow="fold")
    for name, label in zip(shown_labels(found), found, strict=True):
        telling = Text(", ").join([Text(_shown(item.feature, item.kind), style="cyan") for item in found[label]])
        table.add_row(one_line(name, 30), telling)
    if (more := len(run.labels) - len(found)) > 0:
        table.add_row(Text(f"{more:,} more", style="dim"), "")
    console.print(indented(table))
    console.print()


def _shown(name: str, kind: str) -> str:
    """A word; in quotes where blanks count, or where a comma would be taken for one between two words."""
    return one_line(name, 40) if kind == "word" and "," not in name else f"‘{visible(name)}’"


def _show_mistakes(run: TrainingRun, console: Console) -> None:
    if run.evaluation is None or run.test is None:
        return
    if not isinstance(run.evaluation, Evaluation):
        _show_worst_labels(run.evaluation, console)
        return
    mistakes = run.evaluation.mistakes(MISTAKES)
    if not mistakes:
        console.print("Not one of the test texts was given a wrong label.")
        console.print()
        return
    _heading("The worst mistakes: where it was surest and wrong", console)
    shown = dict(zip(run.labels, shown_labels(run.labels), strict=True))
    for mistake in mistakes:
        sure = "" if mistake.confidence != mistake.confidence else f"{mistake.confidence:.2f}  "
        truth, said = (one_line(shown[str(label)], 25) for label in (mistake.truth, mistake.predicted))
        verdict = f"{truth}, taken for {said}"
        place = PurePath(run.test.origin.place(mistake.position)).name  # the file's name is enough here
        console.print(Text.assemble(f"  {sure}", (verdict, "yellow"), (f"  {visible(place)}", "dim")))
        text = Text(one_line(mistake.text or "", 160))
        console.print(Padding(text, (0, 0, 0, 2 + len(sure)), expand=False), width=min(console.width, 100))
    console.print()


def _show_worst_labels(evaluation: SetEvaluation, console: Console) -> None:
    """Where texts have several labels: those that are found worst, with a text that lacks each."""
    worst = [label for label in evaluation.worst_first if evaluation.by_label[label]["f1"].value < 1][:WORST]
    if not worst:
        console.print("Every label of the test texts was given to just those that have it.")
        console.print()
        return
    _heading("The labels that it is worst at, and a text that should have been given each", console)
    table = plain_table("label", numbers=["texts", "given", "f1"])
    table.add_column("a text", overflow="fold")
    counts = dict(
        zip(evaluation.labels, zip(evaluation.counts.documents, evaluation.counts.predicted, strict=True), strict=True)
    )
    for label in worst:
        missed = evaluation.missed(label, 1)
        found = evaluation.by_label[label]["f1"]
        texts, given = counts[label]
        example = one_line(missed[0].text or "", 60) if missed else ""
        value = f"{found.value:.3f}" if found.defined else "undefined"
        table.add_row(one_line(str(label), 30), f"{texts:,}", f"{given:,}", value, Text(example))
    console.print(indented(table))
    console.print()


def _show_warnings(notes: Sequence[str], console: Console) -> None:
    for note in notes:
        console.print(Text.assemble(("! ", "bold yellow"), f"{visible(note.removesuffix('.'))}."))
    if notes:
        console.print()


def _show_files(written: Mapping[str, Path], console: Console) -> None:
    _heading(f"Done in {seconds_so_far():.1f} s. What there is now", console)
    explained = {
        "model": "the model",
        "run": "settings to repeat it, metrics, predictions, a model card",
        "report": "the report, to read and to show",
    }
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, path in written.items():
        table.add_row(Text(visible(str(path)), style="green"), explained[name])
    console.print(indented(table))
    console.print()


def _show_steps(run: TrainingRun, written: Mapping[str, Path], console: Console) -> None:
    model = visible(str(written["model"]))
    steps = [(f'assay predict {model} "a text"', "the label of a text, or of a whole file")]
    steps.append((f"assay evaluate {model} FILE", "how good it is on other labelled texts"))
    steps.append((f'assay explain {model} "a text"', "why it gives that label"))
    steps.append((f"assay audit {model} FILE", "what harm it may do, and where it is weak"))
    steps.append((f"assay card {model}", "the document to give with it"))
    if run.evaluation is None:
        steps[1] = (f"assay evaluate {model} FILE", "how good it is: on labelled texts that it has not seen")
    if "report" in written:
        steps.insert(0, (f"{_opener()} {shlex.quote(visible(str(written['report'])))}", "read the report"))
    console.print(Text("What to do next", style="bold"))
    console.print()
    table = plain_table()
    table.show_header = False
    table.add_column(no_wrap=True, overflow="fold")  # to be copied
    table.add_column()
    for command, purpose in steps:
        table.add_row(Text(command), purpose)
    console.print(indented(table))


def _opener() -> str:
    """The command that shows a file as a click on it would."""
    return {"darwin": "open", "win32": "start"}.get(sys.platform, "xdg-open")
