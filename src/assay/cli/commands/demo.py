"""``assay demo``: the whole way from labelled texts to a model that explains itself, on the sample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from assay.cli.options.groups import Only
from assay.cli.options.option import OUTPUT, option
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force

__all__ = ["demo_cli"]

INTRODUCTION = (
    "Messages that customers send to a shop, each with what it is about. They were written for assay and come with it. "
    "What follows is what assay train does with any such file."
)
MESSAGE = "The courier says it was delivered, but nothing came. I'd like my money back."
NEXT = """\
What to try next
  assay train FILE       the same with your data: CSV, JSON Lines, a folder …
  assay inspect FILE     a look at your data first
  assay demo --write reviews.csv
                         this data as a file, for the examples of the guides
  assay --help           all commands"""


def demo_cli(
    folder: Annotated[
        Path, option("--output", "-o", metavar="FOLDER", readable=False, help="Where the files go.", panel=OUTPUT)
    ] = Path("assay-demo"),
    write: Annotated[
        Path | None,
        option(
            "--write",
            metavar="FILE",
            readable=False,
            help="Only write the data set to a CSV file, to try other commands with.",
            panel=OUTPUT,
        ),
    ] = None,
    force: Force = False,
    screen: Annotated[Screen, Only(("as_json", "progress"))] = SCREEN,
) -> None:
    """Show what assay does, on a small data set of its own."""
    if write is not None:
        write_sample(write, force=force, as_json=screen.as_json)
        return
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.explanation import show_explanation
    from assay.cli.screens.profile import show_profile
    from assay.cli.screens.run import show_run
    from assay.cli.screens.training import RunProgress
    from assay.cli.writing.run import Places, write_files
    from assay.explanation.decision import explain
    from assay.output_files import check_outputs, make_folder
    from assay.prediction.linear_model import LinearTextModel
    from assay.samples import SHOP_MESSAGES, load_sample
    from assay.training.train import run_training

    make_folder(folder)
    places = Places(folder / "shop.assay", folder / "shop.run", None, force=force)
    check_outputs([places.model], folder=places.folder, force=force)
    corpus = load_sample()
    profile = corpus.profile()
    console = results()
    width = min(console.width, 100)
    if not screen.as_json:
        console.print(INTRODUCTION, width=width)
        console.print()
        show_profile(profile, console, name="The sample")
        console.print()
    live = screen.is_live or screen.progress == "plain"  # elsewhere, the result alone is shown
    with RunProgress(screen if live else replace(screen, progress="none")) as watcher:
        run = run_training(corpus, profile=profile, watcher=watcher)
        watcher.stage("writing")
        reading = {"data": [str(SHOP_MESSAGES)], "text": "text", "label": "label"}
        written = write_files(run, places, reading, with_report=True)
    model = run.model.model
    assert isinstance(model, LinearTextModel)  # a search is among linear recipes
    explanation = explain(model, MESSAGE)
    if screen.as_json:
        files = {name: str(path) for name, path in written.items()}
        facts = {"profile": profile.to_dict(), "training": run.to_dict(), "explanation": explanation.to_dict()}
        print_json({**facts, "files": files})
        return
    show_run(run, written, console, steps=False)
    console.print(f'Why? assay explain {places.model} "{MESSAGE}"', width=width, style="bold")
    console.print()
    show_explanation(explanation, console, top=6)
    console.print()
    console.print(NEXT, soft_wrap=True)


def write_sample(output: Path, *, force: bool, as_json: bool) -> None:
    """Give the sample to whoever has no data at hand."""
    from assay.atomic_file import write_atomically
    from assay.cli.screens.console import print_json, results
    from assay.output_files import check_outputs
    from assay.samples import SHOP_MESSAGES
    from assay.terminal import visible

    check_outputs([output], [SHOP_MESSAGES], force=force)
    write_atomically(output, SHOP_MESSAGES.read_bytes())
    if as_json:
        print_json({"files": {"sample": str(output)}})
        return
    results().print(f"549 messages to a shop, in 5 classes → {visible(str(output))}", soft_wrap=True)
