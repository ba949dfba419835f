"""``assay inspect``: a look at a data set before anything is trained on it, or at a model."""

from __future__ import annotations

from assay.cli.options.shared import (
    Data,
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
    Sheet,
    SkipEmpty,
    SkipUnlabelled,
    TextColumn,
    Unlabelled,
)

__all__ = ["inspect_cli"]


def inspect_cli(
    data: Data,
    text: TextColumn = None,
    label: LabelColumn = None,
    unlabelled: Unlabelled = False,
    format: Format = None,
    encoding: Encoding = None,
    errors: Errors = "replace",
    delimiter: Delimiter = None,
    no_quotes: NoQuotes = False,
    names: Names = None,
    sheet: Sheet = None,
    merge_labels: MergeLabels = False,
    skip_unlabelled: SkipUnlabelled = False,
    skip_empty: SkipEmpty = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show what is in a data set, or in a model.

    Of a model: its labels, its features, what weighs most, and what it was trained on. Of data: the classes and
    their shares, the lengths of the texts, and then whatever deserves a look before training: duplicates, one text
    under several labels, empty texts, rows without a label, signs of a wrong encoding. Rows that other commands would
    refuse are counted here, unless --errors strict is given; --skip-unlabelled and --skip-empty say that such rows are
    known.
    """
    from assay.cli.reading.models import is_model_file, load_model
    from assay.cli.screens.console import notes, print_json, results

    if len(data) == 1 and is_model_file(data[0]):
        from assay.cli.screens.model import model_facts, show_model
        from assay.cli.screens.network import is_network, network_facts, show_network

        model = load_model(data[0])
        if is_network(model):
            facts = network_facts(model, data[0])
            show_model = show_network
        else:
            facts = model_facts(model, data[0])
        if as_json:
            print_json(facts)
        else:
            show_model(facts, results())
        return
    from assay.cli.reading.data import read_data
    from assay.cli.screens.profile import show_profile, without_known

    corpus = read_data(
        data,
        text=text,
        label=False if unlabelled else label,
        format=format,
        encoding=encoding,
        errors=errors,
        delimiter=delimiter,
        quotes=not no_quotes,
        names=names.split(",") if names else None,
        sheet=sheet,
        keep=True,  # what is wrong with the bytes of any column is said
        merge_labels=merge_labels,
        skip_unlabelled=True,
        skip_empty=True,
        ask=False,  # what it has to say is shown with all the rest
        quiet=quiet or as_json,
    )
    with notes(quiet=quiet or as_json).status(f"looking at {len(corpus):,} texts"):
        profile = corpus.profile()
    profile = without_known(profile, unlabelled=skip_unlabelled, empty_texts=skip_empty)
    if as_json:
        print_json(profile.to_dict())
    else:
        show_profile(profile, results())
