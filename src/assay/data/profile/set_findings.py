"""What there is to know about sets of labels, as findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.data.profile.finding import DataFinding
from assay.suggest import all_of, counted, quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.profile.profile import Profile

__all__ = ["about_sets"]

_SHOWN = 3


def about_sets(profile: Profile) -> Iterator[DataFinding]:
    """Findings of a corpus in which a text has a set of labels; nothing for another."""
    sets = profile.label_sets
    if sets is None:
        return
    if all(item.count == profile.n_texts for item in profile.classes):
        texts = all_of(profile.n_texts, "text has", "texts have")
        what = f"{texts} the same labels." if profile.classes else "No text has any label."
        yield DataFinding(
            "one_class",
            "error",
            what[:1].upper() + what[1:],
            quoted((item.label for item in profile.classes), 5) or profile.source,
            "A classifier needs at least one label that some texts have and others have not: add texts, or name "
            f"another column with {setting('label')}.",
        )
        return
    if sets.of_nearly_all:
        labels = {item.label: item.share for item in profile.classes}
        yield DataFinding(
            "nearly_constant_labels",
            "warning",
            f"{counted(len(sets.of_nearly_all), 'label is', 'labels are')} given to nearly every text.",
            ", ".join(f"{quote(name)} ({labels[name]:.1%})" for name in sets.of_nearly_all[:5]),
            "Who always says yes is nearly always right: leave such a label out, or look at how many of the others are "
            "found.",
        )
    if sets.of_none:
        yield DataFinding(
            "labels_without_texts",
            "warning",
            f"{counted(len(sets.of_none), 'label has', 'labels have')} no text.",
            quoted(sets.of_none, 5),
            "Nothing can be learned of it: add texts, or leave its column out.",
        )
    for names in sets.always_together[:_SHOWN]:
        yield DataFinding(
            "always_together",
            "warning",
            f"{len(names)} labels always come together.",
            quoted(names, 5),
            "One of them says all that the others say: make one label of them, or look whether one was copied.",
        )
    if sets.never_without:
        pairs = (f"{quote(one)} never without {quote(other)}" for one, other in sets.never_without[:_SHOWN])
        more = len(sets.never_without) - _SHOWN
        yield DataFinding(
            "never_without",
            "note",
            f"{counted(len(sets.never_without), 'label comes', 'labels come')} only together with another.",
            ", ".join(pairs) + (f" and {more:,} more" if more > 0 else ""),
            "So it is where one label is part of another, as in a hierarchy; otherwise look at the texts.",
        )
    if sets.n_empty:
        yield DataFinding(
            "empty_sets",
            "note",
            f"{counted(sets.n_empty, 'text has', 'texts have')} no label ({sets.n_empty / profile.n_texts:.1%}).",
            profile.source,
            "No label is an answer, which a model learns to give; leave such texts out with "
            f"{setting('skip_unlabelled', True)} if it only means that nobody has looked.",
        )
    elif sets.sizes and len(sets.sizes) == 2:
        yield DataFinding(
            "one_label_each",
            "note",
            "Every text has exactly one label.",
            profile.source,
            f"If that is meant, read them as such with {setting('labels_separator', False)}: classes then exclude each "
            "other, which is easier to learn.",
        )
