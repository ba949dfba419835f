"""``assay train``: from a file of labelled texts to a model, a run folder and a result to trust."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options.shared import (
    Delimiter,
    Encoding,
    Errors,
    Format,
    Json,
    LabelColumn,
    MergeLabels,
    Names,
    NoQuotes,
    Quiet,
    Seed,
    Sheet,
    SkipEmpty,
    SkipUnlabelled,
    TextColumn,
    Threads,
)

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.training.run import TrainingRun
    from assay.training.settings import TrainingSettings

__all__ = ["train_cli"]

MOST_USED = "Most used"
CHOOSING = "Choosing by hand (what is not chosen is searched for)"
MEASURING = "Measuring"
OUTPUT = "Output"


def choice(*names: str, help: str, metavar: str | None = None, panel: str = CHOOSING) -> Any:
    """An option without a shown default: its help says what happens where it is not given."""
    return typer.Option(*names, help=help, metavar=metavar, show_default=False, rich_help_panel=panel)


def train_cli(
    data: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DATA...",
            show_default=False,
            help="Labelled texts: files (CSV, Excel, JSON Lines …), a quoted pattern, a folder with a sub-folder for "
            "each class, or - for standard input.",
        ),
    ] = None,
    output: Annotated[
        str | None, choice("-o", "--output", metavar="MODEL", panel=MOST_USED, help="The model; DATA's name + .assay.")
    ] = None,
    test: Annotated[
        str | None,
        choice("--test", metavar="FILE", panel=MOST_USED, help="Texts to test on, instead of a part of DATA."),
    ] = None,
    budget: Annotated[
        str | None,
        choice(
            "--budget",
            metavar="TIME",
            panel=MOST_USED,
            help="Time for the search, such as 60s or 5m; by the size of DATA if not given.",
        ),
    ] = None,
    learner: Annotated[
        str,
        choice(
            "--learner",
            metavar="NAME",
            help="svm, logistic, nbsvm, nb, complement-nb or averaged-perceptron; auto to search. With --ngrams or "
            "--chars, nothing is searched for. Networks: cnn, averaging, recurrent, feedforward or encoder.",
        ),
    ] = "auto",
    ngrams: Annotated[str | None, choice("--ngrams", metavar="1-2", help="n-grams of words.")] = None,
    chars: Annotated[str | None, choice("--chars", metavar="2-5", help="n-grams of characters.")] = None,
    strength: Annotated[
        float | None, choice("--C", metavar="NUMBER", help="Strength (alpha of naive Bayes); less is simpler.")
    ] = None,
    class_weight: Annotated[
        str | None,
        choice("--class-weight", metavar="WEIGHTS", help="balanced, or factors such as spam=2,ham=1."),
    ] = None,
    vectors: Annotated[
        str | None,
        choice(
            "--vectors",
            metavar="FILE",
            help="Word vectors (assay embed, word2vec, .vec): tried beside n-grams, used with those chosen, and what a "
            "network starts with.",
        ),
    ] = None,
    epochs: Annotated[int | None, choice("--epochs", metavar="N", help="Passes of a network at most.")] = None,
    encoder: Annotated[
        str | None,
        choice(
            "--encoder",
            metavar="FOLDER|PACKAGE",
            help="Pre-trained transformer of --learner encoder; --ngrams puts n-grams beside its sentence vectors.",
        ),
    ] = None,
    tuning: Annotated[
        str | None,
        choice("--tuning", metavar="head|all", help="Keep the encoder as it is, or train all its weights."),
    ] = None,
    settings: Annotated[
        str | None,
        choice("--settings", metavar="FILE", help="Settings of an earlier run (settings.toml), to repeat or to vary."),
    ] = None,
    metric: Annotated[
        str | None,
        choice("--metric", metavar="NAME", panel=MEASURING, help="What the search compares by; accuracy if not given."),
    ] = None,
    holdout: Annotated[
        float | None,
        choice(
            "--holdout",
            metavar="SHARE",
            panel=MEASURING,
            help="Share of DATA that is kept for the test: 0.2 with a search or a network, 0 when all else is chosen "
            "by hand.",
        ),
    ] = None,
    folds: Annotated[
        int | None,
        choice(
            "--folds",
            metavar="N",
            panel=MEASURING,
            help="Folds of the cross-validation, which also makes probabilities: 5 with a search, 0 by hand.",
        ),
    ] = None,
    report: Annotated[
        str | None, choice("--report", metavar="FILE", panel=OUTPUT, help="Write the report to this file, too.")
    ] = None,
    force: Annotated[
        bool, choice("--force", "-f", panel=OUTPUT, help="Replace a model and a run folder that exist.")
    ] = False,
    corrections: Annotated[
        str | None,
        choice(
            "--corrections",
            metavar="FILE",
            panel=MOST_USED,
            help="Corrected labels: the list that 'assay audit --label-errors' wrote, with its column correct_label "
            "filled in.",
        ),
    ] = None,
    text: TextColumn = None,
    label: LabelColumn = None,
    format: Format = None,
    encoding: Encoding = None,
    errors: Errors = "strict",
    delimiter: Delimiter = None,
    no_quotes: NoQuotes = False,
    names: Names = None,
    sheet: Sheet = None,
    merge_labels: MergeLabels = False,
    skip_unlabelled: SkipUnlabelled = False,
    skip_empty: SkipEmpty = False,
    seed: Seed = None,
    threads: Threads = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a classifier, choosing everything that you do not choose.

    It looks at the data, keeps a part for the test, compares many ways of reading and learning on the rest, trains the
    best of them, tests it once, and writes the model and a folder with everything about the run.
    """
    from assay.cli.reading.data import require_file
    from assay.cli.screens.profile import without_known
    from assay.cli.screens.unlabelled_rows import unlabelled_step
    from assay.cli.writing.run import Places, write_files
    from assay.training.run import MANY_CLASSES
    from assay.training.train import run_training

    if vectors is not None:
        require_file(vectors, "--vectors")
    chosen: dict[str, Any] = {"learner": learner, "ngrams": ngrams, "chars": chars, "C": strength}
    chosen |= {"class_weight": class_weight, "vectors": vectors}
    chosen |= {"learner_settings": _of_network(learner, epochs=epochs, encoder=encoder, tuning=tuning)}
    others = {"metric": metric, "holdout": holdout, "folds": folds, "budget": budget, "seed": seed}
    resolved, data_of_file = _settings(settings, chosen, others)
    reading: dict[str, Any] = {
        "data": data or None,
        "test": test,
        "corrections": corrections,
        "text": text,
        "label": label,
        "format": format,
        "delimiter": delimiter,
        "no_quotes": no_quotes,
        "encoding": encoding,
        "errors": None if errors == "strict" else errors,
        "names": names,
        "sheet": sheet,
        "merge_labels": merge_labels,
        "skip_unlabelled": skip_unlabelled,
        "skip_empty": skip_empty,
    }
    reading = {**data_of_file, **{name: value for name, value in reading.items() if value not in (None, False)}}
    also_read = [reading.get("test"), reading.get("corrections"), settings, *resolved.files]
    places = Places.of(reading.get("data"), output, report, force=force, also_read=also_read)
    silent = quiet or as_json
    corpus = _read(reading, reading["data"], quiet=silent)
    if "merged_labels" in corpus.changes:
        reading["merge_labels"] = True  # also where a person has just said so
    tested = _read(reading, [reading["test"]], corpus.label_names, quiet=silent) if reading.get("test") else None
    if reading.get("corrections"):
        corpus, tested = _corrected(reading["corrections"], corpus, tested, quiet=silent)
    measured = bool(resolved.resolved().folds or resolved.resolved().holdout) or tested is not None
    thorough = not resolved.by_hand or measured or resolved.trains_network
    profile = None
    if thorough:
        left_out = {
            "unlabelled": reading.get("skip_unlabelled", False),
            "empty_texts": reading.get("skip_empty", False),
        }
        profile = without_known(corpus.profile(), **left_out)
        if not silent:
            _show_profile(profile)
    how: dict[str, Any] = {"test": tested, "threads": threads, "profile": profile}
    checkpoint = places.checkpoint if resolved.trains_network else None
    with _resumable(checkpoint, quiet=silent), _watcher(resolved.metric_name, quiet=silent) as watcher:
        run = run_training(corpus, resolved, **how, watcher=watcher, checkpoint=checkpoint, keep_diverged=True)
        watcher.stage("writing")
        written = write_files(run, places, reading, with_report=thorough and len(run.labels) <= MANY_CLASSES)
    _show(run, written, unlabelled_step(corpus, reading, places.model), as_json=as_json, quiet=quiet)


def _settings(
    path: str | None, chosen: dict[str, Any], others: dict[str, Any]
) -> tuple[TrainingSettings, dict[str, Any]]:
    """What was asked for: options before the settings file, the file before the defaults."""
    from assay.training.settings import TrainingSettings, parse_budget

    given = {name: value for name, value in others.items() if value is not None}
    if path is None:
        return TrainingSettings.chosen(**chosen, **given), {}
    from assay.training.settings_file import read_settings

    if "budget" in given:
        given["budget"] = parse_budget(given["budget"])
    file = read_settings(path)
    settings = replace(file.settings, **given)
    if any(value not in (None, "auto") for value in chosen.values()):
        # Another learner or other features: what the file settled no longer holds.
        fresh = TrainingSettings.chosen(**chosen)
        settings = replace(settings, wishes=fresh.wishes, recipes=fresh.recipes)
    return settings, dict(file.data)


def _of_network(learner: str, **chosen: Any) -> dict[str, Any] | None:
    """Settings that only networks have."""
    from assay.errors import ParameterError
    from assay.training.network_choice import NETWORKS

    given = {name: value for name, value in chosen.items() if value is not None}
    if given and learner not in NETWORKS:
        raise ParameterError(
            f"--{next(iter(given))} is for networks. Choose one with --learner: {', '.join(NETWORKS)}."
        )
    for name in ("encoder", "tuning"):
        if name in given and learner != "encoder":
            raise ParameterError(f"--{name} is for --learner encoder, and this is --learner {learner}. Leave it out.")
    if learner == "encoder" and "epochs" in given and given.get("tuning") != "all":
        raise ParameterError(
            f"--epochs {given['epochs']} is for networks that are trained, and the encoder is kept as it is. Leave it "
            "out, or add --tuning all to train all weights."
        )
    return given or None


@contextmanager
def _resumable(checkpoint: Path | None, *, quiet: bool) -> Iterator[None]:
    """Say that a training goes on, and how it will after Ctrl-C."""
    from assay.cli.screens.console import notes

    say = notes(quiet=quiet)
    if checkpoint is not None and checkpoint.exists():
        say.print(f"Going on with the training that was interrupted ({checkpoint}).", soft_wrap=True)
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is not None and checkpoint.exists():
            say.print(f"The training is kept in {checkpoint}: the same command goes on from there.", soft_wrap=True)
        raise


def _read(reading: dict[str, Any], data: list[str], known: tuple[str, ...] = (), *, quiet: bool) -> Corpus:
    from assay.cli.reading.data import read_data

    names = reading.get("names")
    return read_data(
        data,
        text=reading.get("text"),
        label=reading.get("label"),
        format=reading.get("format"),
        encoding=reading.get("encoding"),
        errors=reading.get("errors", "strict"),
        delimiter=reading.get("delimiter"),
        quotes=not reading.get("no_quotes", False),
        names=names.split(",") if names else None,
        sheet=reading.get("sheet"),
        keep=False,
        merge_labels=reading.get("merge_labels", False),
        known_labels=known,
        skip_unlabelled=reading.get("skip_unlabelled", False),
        skip_empty=reading.get("skip_empty", False),
        quiet=quiet,
    )


def _corrected(path: str, corpus: Corpus, tested: Corpus | None, *, quiet: bool) -> tuple[Corpus, Corpus | None]:
    """The data with the labels that a person has put right."""
    from assay.cli.reading.data import say_notes
    from assay.data.reading.corrections import Corrections

    corrections = Corrections(path)
    corrections.require_some()
    corrections.require_files([corpus] if tested is None else [corpus, tested])
    corpus = corrections.apply(corpus)
    say_notes(corpus.notes[-1:], quiet=quiet)
    if tested is not None:
        tested = corrections.apply(tested)
        say_notes([f"{tested.source}: {tested.notes[-1]}"], quiet=quiet)
    return corpus, tested


def _show_profile(profile: Any) -> None:
    from assay.cli.screens.console import results
    from assay.cli.screens.profile import show_profile

    console = results()
    show_profile(profile, console)
    console.print()


def _watcher(metric: str, *, quiet: bool) -> Any:
    from assay.cli.screens.console import notes
    from assay.cli.screens.training import Progress

    return Progress(notes(quiet=quiet), metric)


def _show(
    run: TrainingRun, written: dict[str, Path], step: tuple[str, str] | None, *, as_json: bool, quiet: bool
) -> None:
    from assay.cli.screens.console import print_json, results

    if as_json:
        print_json({**run.to_dict(), "files": {name: str(path) for name, path in written.items()}})
        return
    from assay.cli.screens.run import show_run

    show_run(run, written, results(), quiet=quiet, last_step=step)
