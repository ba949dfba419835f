"""Making a card, and making it again without losing what a person wrote."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.atomic_file import write_atomically
from assay.card.document import Block, Section, Written
from assay.card.html import page
from assay.card.kept import HEADER, KeptText, read_kept, sealed
from assay.card.markdown import escaped, is_prompt, sections_markdown
from assay.card.metadata import OWN_METADATA, metadata_lines
from assay.card.sections import card_sections, card_title

__all__ = ["card_markdown", "write_card"]


def write_card(
    model: Any,
    path: str | os.PathLike[str],
    evaluation: Any = None,
    audit: Any = None,
    *,
    name: str | None = None,
) -> tuple[str, ...]:
    """Write the model card of `model`, and return notes on what was done.

    Where there is a card at `path` already, what a person wrote between its marks is kept. If it was also changed
    elsewhere, it is first kept beside the new one, with ``.before`` added to its name.

    Parameters
    ----------
    model
        A `TextClassifier`, trained or loaded.
    path
        ``.md`` for Markdown with a header that model hubs read; ``.html`` for one page to show, which takes the
        person's words from the ``.md`` of the same name beside it.
    evaluation
        What `assay.evaluate` gave, or its ``to_dict()``.
    audit
        What `assay.audit.audit` gave, or its ``to_dict()``.
    name
        What the card calls the model; by default, after its training data.

    Examples
    --------
    >>> import tempfile
    >>> from assay import TextClassifier
    >>> model = TextClassifier().fit(["loved it", "so dull", "great fun"], ["pos", "neg", "pos"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     notes = write_card(model, f"{folder}/card.md")
    ...     print(Path(folder, "card.md").read_text("utf-8").splitlines()[1])
    library_name: assay

    References
    ----------
    Mitchell et al. (2019), Model cards for model reporting.
    """
    target = Path(path)
    if target.suffix.lower() in (".html", ".htm"):
        kept = read_kept(target.with_suffix(".md"))
        title, sections = _content(model, evaluation, audit, name, kept)
        write_atomically(target, page(title, sections).encode("utf-8", "replace"))
        return _still_missing(sections)
    kept = read_kept(target)
    notes: tuple[str, ...] = ()
    if kept.changed_elsewhere:
        before = _unused(target.with_name(target.name + ".before"))
        write_atomically(before, target.read_bytes())
        notes = (f"{target} was changed outside the parts that are kept; what it was is in {before}",)
    write_atomically(target, card_markdown(model, evaluation, audit, name=name, kept=kept).encode("utf-8", "replace"))
    _, sections = _content(model, evaluation, audit, name, kept)
    return notes + _still_missing(sections)


def _unused(path: Path) -> Path:
    """`path`, or the first of ``path.2``, ``path.3`` … that is not there."""
    others = (path.with_name(f"{path.name}.{k}") for k in itertools.count(2))
    return next(name for name in itertools.chain([path], others) if not os.path.lexists(name))


def card_markdown(
    model: Any, evaluation: Any = None, audit: Any = None, *, name: str | None = None, kept: KeptText | None = None
) -> str:
    """The card as Markdown; `kept` is what `read_kept` found in the card that it replaces."""
    kept = kept or KeptText()
    title, sections = _content(model, evaluation, audit, name, kept)
    own = kept.parts.get(HEADER, OWN_METADATA)
    header = [*metadata_lines(title, model, _results(evaluation)), "# assay:write", own, "# /assay:write"]
    return sealed("\n".join(["---", *header, "---", "", f"# {escaped(title)}", "", sections_markdown(sections)]) + "\n")


def _content(model: Any, evaluation: Any, audit: Any, name: str | None, kept: KeptText) -> tuple[str, list[Section]]:
    title = name or card_title(getattr(model, "provenance", {}) or {}, model.labels)
    found = None if audit is None else audit if isinstance(audit, Mapping) else audit.to_dict()
    sections = card_sections(model, _results(evaluation), found)
    known = {block.key for section in sections for block in section.blocks if isinstance(block, Written)}
    sections = [replace(section, blocks=[_filled(block, kept) for block in section.blocks]) for section in sections]
    others = [Written(key, "", text) for key, text in kept.parts.items() if key not in known and key != HEADER]
    if others:
        sections.append(Section("Further notes", others))
    return title, sections


def _results(evaluation: Any) -> Mapping[str, Any] | None:
    if evaluation is None or isinstance(evaluation, Mapping):
        return evaluation
    from assay.modelfile.provenance import data_provenance

    found: dict[str, Any] = evaluation.to_dict()
    corpus = getattr(evaluation, "corpus", None)
    return found if corpus is None else found | {"data": data_provenance(corpus)}


def _filled(block: Block, kept: KeptText) -> Block:
    if not isinstance(block, Written):
        return block
    text = kept.parts.get(block.key)
    return block if text is None or is_prompt(text) else replace(block, text=text)


def _still_missing(sections: Sequence[Section]) -> tuple[str, ...]:
    missing = [b.key for s in sections for b in s.blocks if isinstance(b, Written) and b.text is None]
    if not missing:
        return ()
    return (f"{len(missing)} parts are still to be written by a person: {', '.join(missing)}",)
