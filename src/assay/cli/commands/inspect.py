"""``assay inspect``: a look at a data set before anything is trained on it, or at a model."""

from __future__ import annotations

from dataclasses import replace

from assay.cli.options.reading import ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Data

__all__ = ["inspect_cli"]

LENIENT = ReadingOptions(errors="replace")


def inspect_cli(data: Data, reading: ReadingOptions = LENIENT, screen: Screen = SCREEN) -> None:
    """Show what is in a data set, or in a model.

    Of a model: its labels, its features, what weighs most, and what it was trained on. Of data: the classes and
    their shares, the lengths of the texts, and then whatever deserves a look before training: duplicates, one text
    under several labels, empty texts, rows without a label, signs of a wrong encoding. Rows that other commands would
    refuse are counted here, unless --errors strict is given; --skip-unlabelled and --skip-empty say that such rows are
    known.
    """
    from assay.cli.reading.models import is_model_file, is_network, load_model
    from assay.cli.screens.console import print_json, results

    if len(data) == 1 and is_model_file(data[0]):
        from assay.cli.screens.model import model_facts, network_facts, show_model

        model = load_model(data[0])
        facts = (network_facts if is_network(model) else model_facts)(model, data[0])
        if screen.as_json:
            print_json(facts)
        else:
            show_model(facts, results())
        return
    from assay.cli.reading.data import read_data
    from assay.cli.screens.profile import show_profile, without_known
    from assay.cli.screens.progress import status

    # What is wrong with any row is shown with all the rest, so nothing is refused and nobody is asked.
    lenient = replace(reading, skip_unlabelled=True, skip_empty=True)
    corpus = read_data(data, lenient, screen, ask=False, keep_empty_sets=not reading.skip_unlabelled)
    with status(screen, f"looking at {len(corpus):,} texts"):
        profile = corpus.profile()
    profile = without_known(profile, unlabelled=reading.skip_unlabelled, empty_texts=reading.skip_empty)
    if screen.as_json:
        print_json(profile.to_dict())
    else:
        show_profile(profile, results())
