"""The recipes that a search starts with: ways of reading × learners × strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.features.analysis import Analysis
from assay.training.recipes import FeatureBlock, LearnerSettings, Recipe

__all__ = ["Wishes", "candidate_recipes", "character_block", "word_block"]

_STRENGTHS: dict[str, tuple[float, ...]] = {
    "svm": (0.1, 0.3, 1.0, 3.0),
    "logistic": (3.0, 30.0),
    "nbsvm": (0.3, 1.0, 3.0),
    "naive_bayes": (0.1,),
    "complement_nb": (0.3,),
    "perceptron": (1.0,),
}
_RARE = 2  # in a large corpus an n-gram of one text alone tells nothing about others


@dataclass(frozen=True)
class Wishes:
    """What the person who trains has chosen; None leaves it to the search.

    Attributes
    ----------
    learner
        One of `LEARNERS`.
    words, characters
        Least and greatest n of n-grams.
    strength
        C, or alpha of the naive Bayes learners.
    features, settings
        Further settings of every block of features, and of every learner.
    """

    learner: str | None = None
    words: tuple[int, int] | None = None
    characters: tuple[int, int] | None = None
    strength: float | None = None
    features: tuple[tuple[str, Any], ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()

    @property
    def by_hand(self) -> bool:
        """Whether learner and features are both chosen, so that nothing is left to search for."""
        return self.learner is not None and (self.words is not None or self.characters is not None)


def word_block(ngrams: tuple[int, int], *, marks: bool = False, **settings: Any) -> FeatureBlock:
    """n-grams of words of two letters or more, or of all words and punctuation marks."""
    if marks:
        analysis = Analysis(ngrams=ngrams, tokens="words_and_punctuation", min_token_length=1)
    else:
        analysis = Analysis(ngrams=ngrams)
    return FeatureBlock(analysis, **settings)


def character_block(ngrams: tuple[int, int], *, across_words: bool = False, **settings: Any) -> FeatureBlock:
    """n-grams of characters inside words, or across them."""
    unit: Any = "char" if across_words else "char_wb"
    tokens: Any = "none" if across_words else "not_space"
    return FeatureBlock(Analysis(unit=unit, ngrams=ngrams, tokens=tokens, min_token_length=1), **settings)


def candidate_recipes(wishes: Wishes, *, n_texts: int, spaces: bool) -> list[Recipe]:
    """Recipes for a corpus of this size.

    Parameters
    ----------
    wishes
        What is settled already.
    n_texts
        Training texts.
    spaces
        Whether spaces divide the texts into words, as they do not in Chinese, Japanese or Thai.
    """
    layouts = _layouts(wishes, n_texts, spaces)
    learners = [wishes.learner] if wishes.learner else list(_STRENGTHS)
    recipes = []
    for number, blocks in enumerate(layouts):
        for name in learners:
            if number and not wishes.learner and name in ("naive_bayes", "complement_nb", "perceptron"):
                continue  # baselines: on the first way of reading only
            recipes += [Recipe(blocks, _learner(name, strength, wishes)) for strength in _strengths(name, wishes)]
    return recipes


def _layouts(wishes: Wishes, n_texts: int, spaces: bool) -> list[tuple[FeatureBlock, ...]]:
    """Ways of reading the texts."""
    common: dict[str, Any] = {"min_df": _RARE if n_texts >= 2000 else 1, **dict(wishes.features)}
    if wishes.words or wishes.characters:
        blocks = []
        if wishes.words:
            blocks.append(word_block(wishes.words, **common))
        if wishes.characters:
            blocks.append(character_block(wishes.characters, **common))
        return [tuple(blocks)]
    characters = character_block((2, 5), **common) if spaces else character_block((1, 4), across_words=True, **common)
    return [
        (word_block((1, 2), **common),),
        (word_block((1, 3), marks=True, **common),),
        (characters,),
    ]


def _strengths(name: str, wishes: Wishes) -> Sequence[float]:
    if wishes.strength is not None:
        return (wishes.strength,)
    return (1.0,) if wishes.by_hand else _STRENGTHS[name]


def _learner(name: str, strength: float, wishes: Wishes) -> LearnerSettings:
    which = "alpha" if name in ("naive_bayes", "complement_nb") else "C"
    return LearnerSettings(name, **{which: strength, **dict(wishes.settings)})
