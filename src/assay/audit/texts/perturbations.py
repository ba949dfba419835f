"""Small changes of a text that should not change what it is about."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable

__all__ = ["PERTURBATIONS", "perturbed"]

_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")
_SHARE = 0.1  # of the words that get a typing error
_EMOJI = ("🙂", "😀", "👍", "😢", "🔥")


def _swapped(text: str, chance: random.Random) -> str:
    return _mistyped(text, chance, lambda word, i: word[:i] + word[i + 1] + word[i] + word[i + 2 :])


def _dropped(text: str, chance: random.Random) -> str:
    return _mistyped(text, chance, lambda word, i: word[:i] + word[i + 1 :])


def _mistyped(text: str, chance: random.Random, change: Callable[[str, int], str]) -> str:
    """Change an inner letter of every tenth word of four letters or more, and of one at least."""
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if len(word) >= 4]
    for i in chance.sample(long, min(len(long), max(1, round(_SHARE * len(long))))):
        words[i] = change(words[i], chance.randrange(1, len(words[i]) - 2))
    return " ".join(words)


def _half(text: str) -> str:
    words = text.split()
    return " ".join(words[: (len(words) + 1) // 2])


#: Name → kind and change.
PERTURBATIONS: dict[str, tuple[str, Callable[[str, random.Random], str]]] = {
    "letters swapped": ("typos", _swapped),
    "letters missing": ("typos", _dropped),
    "lower case": ("case", lambda text, _: text.lower()),
    "upper case": ("case", lambda text, _: text.upper()),
    "no punctuation": ("punctuation", lambda text, _: _PUNCTUATION.sub(" ", text)),
    "exclamation marks": ("punctuation", lambda text, _: text.rstrip(" .!") + "!!!"),
    "an emoji added": ("emoji", lambda text, chance: f"{text} {chance.choice(_EMOJI)}"),
    "said twice": ("length", lambda text, _: f"{text} {text}"),
    "first half only": ("length", lambda text, _: _half(text)),
}


def perturbed(name: str, texts: list[str], seed: int) -> list[str]:
    """All texts changed in one way; the same seed gives the same changes.

    Examples
    --------
    >>> perturbed("no punctuation", ["Well, no!"], 0)
    ['Well  no ']
    >>> perturbed("letters swapped", ["surprisingly good"], 1) == perturbed("letters swapped", ["surprisingly good"], 1)
    True
    """
    _, change = PERTURBATIONS[name]
    return [change(text, random.Random(f"{seed}/{name}/{row}")) for row, text in enumerate(texts)]
