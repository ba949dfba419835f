"""``assay train``: from a file of labelled texts to a model, a run folder and a result to trust."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options.option import OUTPUT, option
from assay.cli.options.reading import READING, LabelledReading, ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Seed, Threads

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.training.settings import TrainingSettings
    from assay.workspace.workspace import Workspace

__all__ = ["train_cli"]

MOST_USED = "Most used"
CHOOSING = "Choosing by hand (what is not chosen is searched for)"
MEASURING = "Measuring"
LATER = ("assay.training.train", "assay.cli.screens.run", "assay.training.run_folder", "assay.explanation.weights")
choice = partial(option, panel=CHOOSING, show_default=False)


def train_cli(
    data: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DATA...",
            show_default=False,
            help="Labelled texts: files (CSV, Excel, JSON Lines …), a quoted pattern, a folder with a sub-folder for "
            "each class, a workspace, or - for standard input.",
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
            help="svm, logistic, nbsvm, nb, complement-nb, averaged-perceptron or label-tree; auto to search. With "
            "--ngrams or --chars, nothing is searched for. Networks: cnn, averaging, recurrent, feedforward, encoder.",
        ),
    ] = "auto",
    ngrams: Annotated[str | None, choice("--ngrams", metavar="1-2", help="n-grams of words.")] = None,
    chars: Annotated[str | None, choice("--chars", metavar="2-5", help="n-grams of characters.")] = None,
    strength: Annotated[
        float | None, choice("--C", metavar="NUMBER", help="Strength (alpha of naive Bayes); less is simpler.")
    ] = None,
    prune: Annotated[
        float | None,
        choice(
            "--prune",
            metavar="NUMBER",
            help="Drop weights nearer to 0 than this, for thousands of labels: svm, logistic, label-tree (0.01).",
        ),
    ] = None,
    class_weight: Annotated[
        str | None, choice("--class-weight", metavar="WEIGHTS", help="balanced, or factors such as spam=2,ham=1.")
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
        str | None, choice("--tuning", metavar="head|all", help="Keep the encoder as it is, or train all its weights.")
    ] = None,
    settings: Annotated[
        str | None,
        choice("--settings", metavar="FILE", help="Settings of an earlier run (settings.toml), to repeat or to vary."),
    ] = None,
    metric: Annotated[
        str | None,
        choice(
            "--metric",
            metavar="NAME",
            panel=MEASURING,
            help="What the search compares by; if not given, accuracy, macro_f1 where a class is rare, and micro_f1 "
            "where texts have several labels.",
        ),
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
    near_copies: Annotated[
        str | None,
        choice(
            "--near-copies",
            metavar="together|ignore",
            panel=MEASURING,
            help="Keep texts that are nearly the same on one side of the test and in one fold, as is done if nothing "
            "is given; or look at exact copies only.",
        ),
    ] = None,
    no_novelty: Annotated[
        bool,
        choice(
            "--no-novelty",
            panel=OUTPUT,
            help="Do not learn how unlike the training texts a text is; 'assay predict' then cannot warn of texts from "
            "elsewhere, and training takes less time.",
        ),
    ] = False,
    no_sketch: Annotated[
        bool,
        choice(
            "--no-sketch",
            panel=OUTPUT,
            help="Keep no hashes of the training texts in the model; 'assay evaluate' then cannot tell which texts it "
            "has seen.",
        ),
    ] = False,
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
    reading: LabelledReading = READING,
    seed: Seed = None,
    threads: Threads = None,
    screen: Screen = SCREEN,
) -> None:
    """Train a classifier, choosing everything that you do not choose.

    It looks at the data, keeps a part for the test, compares many ways of reading and learning on the rest, trains the
    best of them, tests it once, and writes the model and a folder with everything about the run.
    """
    from concurrent.futures import ThreadPoolExecutor

    from assay.cli.import_ahead import import_ahead
    from assay.cli.reading.data import read_data, require_file
    from assay.cli.writing.run import Places, write_files

    if vectors is not None:
        require_file(vectors, "--vectors")
    chosen: dict[str, Any] = {"learner": learner, "ngrams": ngrams, "chars": chars, "C": strength}
    chosen |= {"class_weight": class_weight, "vectors": vectors, "prune": prune}
    chosen |= {"learner_settings": _of_network(learner, epochs=epochs, encoder=encoder, tuning=tuning)}
    others = {"metric": metric, "holdout": holdout, "folds": folds, "budget": budget, "seed": seed}
    others |= {"near_copies": near_copies, "sketch": False if no_sketch else None}
    others |= {"novelty": False if no_novelty else None}
    resolved, told = _settings(settings, chosen, others)
    files = {"data": data or None, "test": test, "corrections": corrections}
    told |= {name: value for name, value in files.items() if value is not None} | reading.given()
    reading = ReadingOptions.of(told)
    also_read = [told.get("test"), told.get("corrections"), settings, *resolved.files]
    space = _workspace(told.get("data"))
    last_line = None if space is None else space.last_line
    if space is not None:
        places = Places.in_workspace(space, output, report, force=force, also_read=also_read)
    else:
        places = Places.of(told.get("data"), output, report, force=force, also_read=also_read)
    import_ahead(
        "assay.training.train", "assay.cli.screens.run", "assay.training.run_folder", "assay.explanation.weights"
    )
    corpus = read_data(told["data"], reading, screen, keep=False)
    if "merged_labels" in corpus.changes:
        reading = replace(reading, merge_labels=True)  # also where a person has just said so
    tested = None
    if told.get("test"):
        of_corpus: dict[str, Any] = {"known_labels": corpus.label_names}
        if corpus.task == "label-sets":
            of_corpus["task"] = corpus.task
        tested = read_data([told["test"]], reading, screen, keep=False, **of_corpus)
    elif space is not None:
        tested = space.test_corpus(corpus)
        screen.note([] if tested is None else [f"the test is on the {len(tested):,} texts that are kept aside"])
    if told.get("corrections"):
        corpus, tested = _corrected(told["corrections"], corpus, tested, screen)
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.profile import show_profile, without_known
    from assay.cli.screens.run import show_run, telling_features
    from assay.cli.screens.training import RunProgress
    from assay.cli.screens.unlabelled_rows import unlabelled_step
    from assay.training.run import MANY_CLASSES
    from assay.training.train import run_training

    measured = bool(resolved.resolved().folds or resolved.resolved().holdout) or tested is not None
    thorough = not resolved.by_hand or measured or resolved.trains_network
    profile = None
    if thorough:
        profile = without_known(corpus.profile(), unlabelled=reading.skip_unlabelled, empty_texts=reading.skip_empty)
        if not screen.silent:
            show_profile(profile, results())
            results().print()
    how: dict[str, Any] = {"test": tested, "threads": threads, "profile": profile}
    checkpoint = places.checkpoint if resolved.trains_network else None
    with _resumable(checkpoint, screen), RunProgress(screen) as watcher, ThreadPoolExecutor(1) as beside:
        run = run_training(corpus, resolved, **how, watcher=watcher, checkpoint=checkpoint, keep_diverged=True)
        watcher.stage("writing")
        telling = None if screen.silent else beside.submit(telling_features, run)
        with_report = thorough and len(run.labels) <= MANY_CLASSES
        written = write_files(run, places, told | reading.given(), with_report=with_report)
        if space is not None and places.is_in(space.folder):
            from assay.workspace.training import keep_record

            keep_record(space, written["model"], run.model, corpus, last_line, {"quick": False, "run": run.name})
    if thorough and "report" not in written:
        many = f"a report would have a table row for each of {len(run.labels):,} labels and was not written"
        screen.note([f"{many}; --report FILE writes it"])
    if screen.as_json:
        print_json({**run.to_dict(), "files": {name: str(path) for name, path in written.items()}})
        return
    step = unlabelled_step(corpus, told["data"], reading, places.model)
    found = None if telling is None else telling.result()
    show_run(run, written, results(), quiet=screen.quiet, last_step=step, telling=found)


def _workspace(data: list[str] | None) -> Workspace | None:
    """The workspace that is to be trained in; None where the data is something else."""
    from assay.workspace.settings import is_workspace

    if data is None or len(data) != 1 or not is_workspace(data[0]):
        return None
    from assay.workspace.workspace import Workspace

    return Workspace(data[0])


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
    if "metric" in given:
        settings = replace(settings, optimism=None)  # it was found for another
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
def _resumable(checkpoint: Path | None, screen: Screen) -> Iterator[None]:
    """Say that a training goes on, and how it will after Ctrl-C."""
    if checkpoint is not None and checkpoint.exists():
        screen.say(f"Going on with the training that was interrupted ({checkpoint}).")
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is not None and checkpoint.exists():
            screen.say(f"The training is kept in {checkpoint}: the same command goes on from there.")
        raise


def _corrected(path: str, corpus: Corpus, tested: Corpus | None, screen: Screen) -> tuple[Corpus, Corpus | None]:
    """The data with the labels that a person has put right."""
    from assay.data.reading.corrections import Corrections

    corrections = Corrections(path)
    corrections.require_some()
    corrections.require_files([corpus] if tested is None else [corpus, tested])
    corpus = corrections.apply(corpus)
    screen.note(corpus.notes[-1:])
    if tested is not None:
        tested = corrections.apply(tested)
        screen.note([f"{tested.source}: {tested.notes[-1]}"])
    return corpus, tested
