"""Which models a model was made from, and what was added on the way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from assay.header_checks import choice, entry, whole_number

__all__ = ["Lineage", "Parent", "Update"]

#: How an update was made: trained again on all texts, or from the old weights alone.
WAYS = ("again", "onward")

_MOST = 1 << 53
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Parent:
    """A model file that this one was made from: its name without folders, and the SHA-256 of all its bytes."""

    file: str
    sha256: str


@dataclass(frozen=True)
class Update:
    """One change of a model.

    Attributes
    ----------
    way
        One of `WAYS`.
    parent
        Number, from 0, of the model that was changed among the parents.
    added, replaced, removed
        Texts that came new, texts whose label was another before, texts that were left out.
    sha256
        Of the texts and labels that it brought, `Corpus.fingerprint`.
    """

    way: str
    parent: int
    added: int
    replaced: int
    removed: int
    sha256: str


@dataclass(frozen=True)
class Lineage:
    """The parents of a model, the nearest last, and the updates that led to it, in order.

    Examples
    --------
    >>> lineage = Lineage((Parent("reviews.assay", "0" * 64),), (Update("again", 0, 120, 3, 0, "1" * 64),))
    >>> Lineage.from_dict(lineage.to_dict()) == lineage
    True
    """

    parents: tuple[Parent, ...]
    updates: tuple[Update, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"parents": list(map(asdict, self.parents)), "updates": list(map(asdict, self.updates))}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Lineage:
        """The inverse, for plain values of unknown origin: ValueError where they are no lineage."""
        parents = tuple(Parent(entry(one, "file", str), _digest(one)) for one in entry(plain, "parents", list))
        return cls(parents, tuple(_update(one, len(parents)) for one in entry(plain, "updates", list)))


def _update(plain: Any, n_parents: int) -> Update:
    parent = whole_number(plain, "parent", 0, n_parents - 1)
    counts = {name: whole_number(plain, name, 0, _MOST) for name in ("added", "replaced", "removed")}
    return Update(choice(plain, "way", WAYS), parent, sha256=_digest(plain), **counts)


def _digest(plain: Any) -> str:
    found = entry(plain, "sha256", str)
    if not _DIGEST.fullmatch(found):
        raise ValueError(f"'sha256' is {found[:80]!r}, which is no digest of 64 hexadecimal digits")
    return found
