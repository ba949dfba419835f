"""From a profile to advice: what is wrong, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.data.bytes.mojibake import REPLACEMENT, unscrambled
from assay.data.corpus.changes import listed_labels
from assay.data.corpus.near_copies import weakest_links
from assay.data.corpus.origin import joined_places
from assay.data.corpus.spellings import spelling_sets
from assay.data.profile.finding import SEVERITIES, DataFinding
from assay.data.profile.set_findings import about_sets
from assay.suggest import all_of, counted, excerpt, quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.profile.profile import Occurrence, Profile, Tally

__all__ = ["SEVERITIES", "DataFinding", "find"]

_FEW = 10
_SKEWED = 20


def find(profile: Profile) -> tuple[DataFinding, ...]:
    """Return what a profile has to say, the gravest first."""
    found = [
        *_about_classes(profile),
        *about_sets(profile),
        *_about_texts(profile),
        *_about_near_copies(profile),
        *_about_encoding(profile),
    ]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def _about_classes(profile: Profile) -> Iterator[DataFinding]:
    classes, sets = profile.classes, profile.label_sets is not None
    one, many = ("label", "labels") if sets else ("class", "classes")
    if not classes:
        if profile.n_texts and not sets:
            yield DataFinding(
                "no_labels",
                "note",
                "There are no labels.",
                profile.source,
                f"Name their column with {setting('label')}, or use the texts for prediction only.",
            )
        return
    if len(classes) == 1 and not sets:
        yield DataFinding(
            "one_class",
            "error",
            f"{_sentence(all_of(profile.n_texts, 'text has', 'texts have'))} the label {quote(classes[0].label)}.",
            profile.source,
            "A classifier needs at least two classes: add texts of the others, or name another column with "
            f"{setting('label')}.",
        )
    singles = [share.label for share in classes if share.count == 1]
    few = [share.label for share in classes if 1 < share.count < _FEW]
    if len(singles) > max(10, profile.n_texts / 2):
        yield DataFinding(
            "too_many_classes",
            "error",
            f"There are {len(classes):,} labels for {profile.n_texts:,} texts, and most of them only once.",
            quoted(singles, 3),
            f"This column is probably not the label: name the right one with {setting('label')}.",
        )
    elif singles:
        yield DataFinding(
            "single_example",
            "warning",
            f"{counted(len(singles), f'{one} has', f'{many} have')} one example only.",
            quoted(singles, 5),
            f"One example cannot be both learned and tested: add more, merge the {one} with another, or leave it out.",
        )
    if few:
        yield DataFinding(
            "few_examples",
            "note",
            f"{counted(len(few), f'{one} has', f'{many} have')} fewer than {_FEW} examples.",
            quoted(few, 5),
            f"So few make a score very uncertain: add examples, or merge the {one} with another.",
        )
    if len(classes) > 1 and classes[0].count >= _SKEWED * classes[-1].count:
        yield DataFinding(
            "skewed_classes",
            "note",
            f"The largest {one} has {classes[0].count // classes[-1].count} times as many texts as the smallest.",
            f"{quote(classes[0].label)} and {quote(classes[-1].label)}",
            f"Look at macro-averaged F1 and each {one}'s own scores; "
            f"{'micro-averages hide' if sets else 'accuracy hides'} the small {many}.",
        )
    texts = {item.label: item.count for item in classes}
    for names in profile.similar_labels:
        yield DataFinding(
            "similar_labels",
            "warning",
            f"{len(names)} labels look like spellings of one.",
            listed_labels({name: texts[name] for name in names}),
            f"Merge those that differ only in case or blanks with {setting('merge_labels', True)}."
            if spelling_sets(names)
            else "Labels are taken as they stand: write them alike if they mean the same.",
        )


def _about_texts(profile: Profile) -> Iterator[DataFinding]:
    other, decide = _words_of_conflict(profile)
    if profile.conflicts.rows:
        yield DataFinding(
            "conflicts",
            "warning",
            f"{counted(profile.conflicts.rows, 'row has', 'rows have')} a text that also stands under "
            f"{other}: " + _shown(profile.conflicts.examples[0]),
            _places(profile.conflicts),
            f"Decide on {decide} for each of these texts, or leave them out; no classifier can get both right.",
        )
    if profile.duplicates.rows:
        yield DataFinding(
            "duplicates",
            "note",
            f"{counted(profile.duplicates.rows, 'row repeats', 'rows repeat')} an earlier text: "
            + _shown(profile.duplicates.examples[0]),
            _places(profile.duplicates),
            "assay keeps copies on the same side of a split; remove them if they were not meant to count twice.",
        )
    if profile.empty.rows:
        yield DataFinding(
            "empty_texts",
            "warning",
            f"{counted(profile.empty.rows, 'text is', 'texts are')} empty.",
            _places(profile.empty),
            f"Leave them out with {setting('skip_empty', True)}, or fill them in.",
        )
    if profile.white_space.rows:
        yield DataFinding(
            "white_space",
            "warning",
            f"{counted(profile.white_space.rows, 'text holds', 'texts hold')} nothing but white space.",
            _places(profile.white_space),
            "Nothing can be learned from them: fill them in or remove the rows.",
        )
    if profile.unlabelled.rows:
        yield DataFinding(
            "unlabelled",
            "warning",
            f"{counted(profile.unlabelled.rows, 'row has', 'rows have')} no label.",
            _places(profile.unlabelled),
            f"Leave them out with {setting('skip_unlabelled', True)}, or label them.",
        )


def _about_near_copies(profile: Profile) -> Iterator[DataFinding]:
    other, decide = _words_of_conflict(profile)
    if profile.near_conflicts.rows:
        yield DataFinding(
            "near_conflicts",
            "warning",
            f"{counted(profile.near_conflicts.rows, 'row has', 'rows have')} a text that, nearly the same, stands "
            f"under {other} too: " + _shown_pair(profile.near_conflicts),
            _places(profile.near_conflicts),
            f"Look at these texts: where they mean the same, decide on {decide}.",
        )
    if profile.near_copies.rows:
        cut = profile.near_copy_links_cut
        chain = (
            f" A chain of them would hold a quarter of the rows, or a whole class: it is cut at its "
            f"{weakest_links(cut)}."
        )
        yield DataFinding(
            "near_copies",
            "warning",
            f"{counted(profile.near_copies.rows, 'row is', 'rows are')} nearly the same as another "
            f"({counted(profile.near_copy_groups, 'group', 'groups')}): "
            + _shown_pair(profile.near_copies)
            + (chain if cut else ""),
            _places(profile.near_copies),
            "assay keeps such texts on the same side of a split, so that no test is too easy; keep one of each with "
            f"{setting('dedupe', True)}.",
        )


def _about_encoding(profile: Profile) -> Iterator[DataFinding]:
    if profile.invalid.rows:
        yield DataFinding(
            "invalid_bytes",
            "error",
            f"{counted(profile.invalid.rows, 'value is', 'values are')} not valid in the encoding of the file.",
            _places(profile.invalid),
            f"Read it with the right one: {setting('encoding', 'cp1252')} is often right for files from Windows and "
            "Excel.",
        )
    pieces = (unscrambled(example.text) for example in profile.mojibake.examples)
    shown = next((f", such as {quote(piece)} for {quote(meant)}" for piece, meant in filter(None, pieces)), "")
    # Characters that were lost while this file was read are spoken of above: nothing has to be exported anew.
    if profile.mojibake.rows and (shown or not profile.invalid.rows):
        holds = any(REPLACEMENT in example.text for example in profile.mojibake.examples)
        shown = shown or (f", with {quote(REPLACEMENT)} where a character was lost" if holds else "")
        yield DataFinding(
            "mojibake",
            "warning",
            f"{counted(profile.mojibake.rows, 'text looks', 'texts look')} wrongly decoded{shown}.",
            _places(profile.mojibake),
            "The file was once read in the wrong encoding and saved again: export it anew from where it came from, "
            "as UTF-8.",
        )
    if profile.nul.rows:
        yield DataFinding(
            "nul",
            "warning",
            f"{counted(profile.nul.rows, 'text holds', 'texts hold')} NUL characters.",
            _places(profile.nul),
            "Remove them where the texts come from; a file full of them is often UTF-16 "
            f"({setting('encoding', 'utf-16')}).",
        )


def _words_of_conflict(profile: Profile) -> tuple[str, str]:
    """What a copy stands under, and what to decide on."""
    return ("another label", "one label") if profile.label_sets is None else ("other labels", "one set of labels")


def _shown(example: Occurrence) -> str:
    labels = f" ({', '.join(map(quote, example.labels))})" if len(example.labels) > 1 else ""
    return excerpt(example.text) + labels + "."


def _shown_pair(tally: Tally) -> str:
    one, other = tally.examples[:2]
    return f"{_labelled(one, other)} and {_labelled(other, one)}."


def _labelled(example: Occurrence, beside: Occurrence) -> str:
    label = f" ({quote(example.labels[0])})" if example.labels != beside.labels else ""
    return excerpt(example.text) + label


def _places(tally: Tally) -> str:
    places = [place for example in tally.examples for place in example.places][:4]
    return joined_places(places) + (" …" if tally.rows > len(places) else "")


def _sentence(words: str) -> str:
    """Words at the beginning of a sentence."""
    return words[:1].upper() + words[1:]
