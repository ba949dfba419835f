"""What was done to the labels of a corpus after they were read, in sentences.

A change is kept as plain data, in `Corpus.changes` and with the model: ``merged_labels`` has for each name the
spellings that it now stands for, with their texts; ``corrections`` the ``file``, its ``sha256``, how many labels
were ``corrected`` and texts ``left_out``, and which labels of the list were ``read_as`` others; ``decisions`` the
``workspace``, how many labels were ``decided`` in it and how many of them ``replaced`` one ``from_data``, and the texts
that are ``kept_aside`` for measuring, with their ``near_copies``, or stand ``elsewhere``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.suggest import counted, quote

__all__ = ["change_sentences", "listed_labels"]


def change_sentences(changes: Mapping[str, Any]) -> tuple[str, ...]:
    """One sentence for each change.

    Examples
    --------
    >>> change_sentences({"merged_labels": {"Spam": {"Spam": 120, "spam": 80}}})
    ("labels that differ only in case or blanks were merged: 'spam' (80) into 'Spam' (120)",)
    """
    sentences = []
    if merged := changes.get("merged_labels"):
        said = "; ".join(_merged(name, spellings) for name, spellings in merged.items())
        sentences.append(f"labels that differ only in case or blanks were merged: {said}")
    if corrections := changes.get("corrections"):
        corrected = counted(corrections["corrected"], "label was", "labels were")
        left_out = counted(corrections["left_out"], "text was", "texts were")
        more = f" and {left_out} left out" if corrections["left_out"] else ""
        pairs = corrections.get("read_as", {}).items()
        read_as = ", ".join(f"{quote(written)} is read as {quote(label)}" for written, label in pairs)
        said = f"{corrected} corrected{more}, as {corrections['file']} says"
        sentences.append(said + (f" ({read_as})" if read_as else ""))
    if decisions := changes.get("decisions"):
        sentences += _decided(decisions)
    return tuple(sentences)


def _decided(decisions: Mapping[str, Any]) -> list[str]:
    """What was decided in a workspace."""
    said = f"{decisions['workspace']}: {counted(decisions['decided'], 'label was', 'labels were')} decided here"
    if decisions["from_data"]:
        said += f", {decisions['replaced']:,} of them in the place of another one; {decisions['from_data']:,} came with"
        said += " the data"
    sentences = [said]
    if decisions["kept_aside"]:
        aside = counted(decisions["kept_aside"], "text is", "texts are")
        near = decisions["near_copies"]
        also = f", and so {counted(near, 'near-copy is', 'near-copies are')} left out" if near else ""
        sentences.append(f"{aside} kept aside to measure by{also}")
    if decisions["elsewhere"]:
        elsewhere = counted(decisions["elsewhere"], "decision is", "decisions are")
        sentences.append(f"{elsewhere} about texts that the data does not have now")
    return sentences


def listed_labels(counts: Mapping[str, int | None]) -> str:
    """Labels with their numbers of texts, where these are known.

    Examples
    --------
    >>> listed_labels({"Spam": 120, "spam ": None})
    "'Spam' (120), 'spam '"
    """
    return ", ".join(quote(label) + ("" if n is None else f" ({n:,})") for label, n in counts.items())


def _merged(name: str, spellings: Mapping[str, int]) -> str:
    others = {label: n for label, n in spellings.items() if label != name}
    return f"{listed_labels(others)} into {listed_labels({name: spellings.get(name)})}"
