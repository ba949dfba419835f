"""Texts with several labels, made of public ones with one label each, where no public set is at hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from _datasets import read_labelled

__all__ = ["MADE", "made", "write_made"]

Texts = tuple[list[str], list[list[str]]]

#: What each is made of.
MADE = {
    "digests": "one to three items of AG News in a text, 4 labels",
    "requests": "one or two questions of Banking77 in a text, 77 labels",
    "newsgroups": "20 Newsgroups, each part of a group's name a label, 33 labels",
}


def made(name: str, part: str) -> Texts:
    """Texts and the labels of each, of the part to train on (``"train"``) or to test on (``"test"``)."""
    if name == "newsgroups":
        texts, groups = read_labelled("20ng", part)
        return texts, [sorted(set(str(group).split("."))) for group in groups]
    source, most, n = {"digests": ("ag_news_sub", 3, 12_000), "requests": ("banking77", 2, 8_000)}[name]
    texts, labels = read_labelled(source, part)
    random = np.random.default_rng([len(texts), most])
    order = random.permutation(len(texts))
    found: Texts = ([], [])
    begin = 0
    while begin < len(order) and len(found[0]) < n:
        rows = order[begin : begin + int(random.integers(1, most + 1))]
        begin += len(rows)
        found[0].append(" ".join(texts[i] for i in rows))
        found[1].append(sorted({str(labels[i]) for i in rows}))
    return found


def write_made(name: str, part: str, path: Path) -> Path:
    """The same as a file of JSON lines."""
    rows = zip(*made(name, part), strict=True)
    path.write_text("".join(json.dumps({"text": t, "labels": s}) + "\n" for t, s in rows), encoding="utf-8")
    return path
