"""``assay demo``: the whole way from labelled texts to a model that explains itself, on the sample."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from assay.cli.options.groups import Only
from assay.cli.options.option import OUTPUT, option
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force

__all__ = ["demo_cli"]


@dataclass(frozen=True)
class Sample:
    """A corpus that comes with assay, and how the demo speaks of it."""

    introduction: str
    message: str  # to explain
    name: str  # of the files
    told: str  # what is in it
    reading: dict[str, str]


SHOP = Sample(
    "Messages that customers send to a shop, each with what it is about. They were written for assay and come with it. "
    "What follows is what assay train does with any such file.",
    "The courier says it was delivered, but nothing came. I'd like my money back.",
    "shop",
    "549 messages to a shop, in 5 classes",
    {"text": "text", "label": "label"},
)
TOWN = Sample(
    "Messages that residents send to a town office, each with everything that it is about: one label, several, or "
    "none. They were written for assay and come with it. What follows is what assay train does with any such file.",
    "The machine at the car park charged me twice. Can I get one fee back?",
    "town",
    "178 messages to a town office, with 7 labels, of which a text may have several or none",
    {"text": "text", "label": "labels", "labels_separator": "|"},
)
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
    multi_label: Annotated[
        bool, option("--multi-label", help="Show it on messages that have several labels each, or none.")
    ] = False,
    force: Force = False,
    screen: Annotated[Screen, Only(("as_json", "progress"))] = SCREEN,
) -> None:
    """Show what assay does, on a small data set of its own."""
    if write is not None:
        write_sample(write, multi_label=multi_label, force=force, as_json=screen.as_json)
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
    from assay.samples import SHOP_MESSAGES, TOWN_MESSAGES, load_sample
    from assay.training.train import run_training

    sample, path = (TOWN, TOWN_MESSAGES) if multi_label else (SHOP, SHOP_MESSAGES)
    make_folder(folder)
    places = Places(folder / f"{sample.name}.assay", folder / f"{sample.name}.run", None, force=force)
    check_outputs([places.model], folder=places.folder, force=force)
    corpus = load_sample(multi_label=multi_label)
    profile = corpus.profile()
    console = results()
    width = min(console.width, 100)
    if not screen.as_json:
        console.print(sample.introduction, width=width)
        console.print()
        show_profile(profile, console, name="The sample")
        console.print()
    live = screen.is_live or screen.progress == "plain"  # elsewhere, the result alone is shown
    with RunProgress(screen if live else replace(screen, progress="none")) as watcher:
        run = run_training(corpus, profile=profile, watcher=watcher)
        watcher.stage("writing")
        reading = {"data": [str(path)], **sample.reading}
        written = write_files(run, places, reading, with_report=True)
    model = run.model.model
    assert isinstance(model, LinearTextModel)  # a search is among linear recipes
    explanation = explain(model, sample.message)
    if screen.as_json:
        files = {name: str(path) for name, path in written.items()}
        facts = {"profile": profile.to_dict(), "training": run.to_dict(), "explanation": explanation.to_dict()}
        print_json({**facts, "files": files})
        return
    show_run(run, written, console, steps=False)
    console.print(f'Why? assay explain {places.model} "{sample.message}"', width=width, style="bold")
    console.print()
    show_explanation(explanation, console, top=6)
    console.print()
    console.print(NEXT, soft_wrap=True)


def write_sample(output: Path, *, multi_label: bool, force: bool, as_json: bool) -> None:
    """Give a sample to whoever has no data at hand."""
    from assay.atomic_file import write_atomically
    from assay.cli.screens.console import print_json, results
    from assay.output_files import check_outputs
    from assay.samples import SHOP_MESSAGES, TOWN_MESSAGES
    from assay.terminal import visible

    sample, path = (TOWN, TOWN_MESSAGES) if multi_label else (SHOP, SHOP_MESSAGES)
    check_outputs([output], [path], force=force)
    write_atomically(output, path.read_bytes())
    if as_json:
        print_json({"files": {"sample": str(output)}})
        return
    results().print(f"{sample.told} → {visible(str(output))}", soft_wrap=True)
