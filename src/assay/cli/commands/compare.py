"""``assay compare``: whether the difference between models is real."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, Any

import typer

from assay.cli.options.option import option
from assay.cli.options.reading import READING, LabelledReading
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force, Html, Level, Resamples, Seed, Threads, Unseen

__all__ = ["compare_cli"]


def compare_cli(
    arguments: Annotated[
        list[str], typer.Argument(metavar="MODEL MODEL... DATA", help="Two or more models, then labelled texts.")
    ],
    metric: Annotated[
        str | None,
        option(
            "--metric",
            metavar="NAME",
            help="What to compare: macro_f1 unless given (for McNemar's test accuracy; for several labels micro_f1).",
        ),
    ] = None,
    test: Annotated[
        str, option("--test", metavar="NAME", help="bootstrap, randomization, mcnemar or mcnemar_mid_p.")
    ] = "bootstrap",
    alternative: Annotated[
        str, option("--alternative", metavar="NAME", help="two-sided, greater (the first is better) or less.")
    ] = "two-sided",
    unseen: Unseen = "refuse",
    level: Level = 0.95,
    resamples: Resamples = 10_000,
    seed: Seed = None,
    threads: Threads = None,
    reading: LabelledReading = READING,
    html: Html = None,
    force: Force = False,
    screen: Screen = SCREEN,
) -> None:
    """Test whether one model is really better than another.

    Both label the same texts; the difference comes with an interval, a p-value, and a sentence on what may be
    concluded. Of three models or more every pair is tested, with Holm's correction.
    """
    from assay.cli.reading.data import read_labelled
    from assay.cli.reading.models import load_model
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.tables import show_page
    from assay.errors import ParameterError
    from assay.evaluation.protocols.comparison import compare
    from assay.output_files import check_outputs

    *paths, data = arguments
    if len(paths) < 2:
        raise ParameterError(
            f"compare takes two models or more, and then the data. Got {len(arguments)} in all: "
            f"{', '.join(arguments)}. For one model there is 'assay evaluate'."
        )
    check_outputs([html], arguments, force=force)
    models = [load_model(path, threads=threads) for path in paths]
    corpus = read_labelled([data], models[0], reading, screen, unseen=unseen)
    named: dict[str, Any] = dict(zip(distinct_stems(paths), models, strict=True))
    if html is not None:
        from assay.evaluation.protocols.evaluation import evaluate

        named = {
            name: evaluate(one, corpus, level=level, allow_one_class=True, seed=seed or 0, threads=threads)
            for name, one in named.items()
        }
    found = compare(
        named,
        corpus,
        metric=metric,
        test=test,
        alternative=alternative,
        level=level,
        n_resamples=resamples,
        seed=seed or 0,
        threads=threads,
    )
    screen.note([note.removesuffix(".") for note in found.notes])
    if screen.as_json:
        print_json(found.to_dict())
    else:
        console = results()
        show_page(found.text(console.width), console)
    if html is not None:
        from assay.report.comparison import write_comparison

        write_comparison(found, html, evaluations=named, corpus=corpus)
        screen.say(f"→ {html}")


def distinct_stems(paths: list[str]) -> list[str]:
    """What to call models: their files without folder and suffix, or the whole paths where these are the same.

    Examples
    --------
    >>> distinct_stems(["runs/svm.assay", "runs/logistic.assay"])
    ['svm', 'logistic']
    >>> distinct_stems(["a/model.assay", "a/model.assay"])
    ['a/model.assay', 'a/model.assay (2)']
    """
    stems = [PurePath(path).stem for path in paths]
    if len(set(stems)) == len(stems):
        return stems
    return [path if (n := paths[:i].count(path)) == 0 else f"{path} ({n + 1})" for i, path in enumerate(paths)]
