"""The recipes that a search starts with: ways of reading × learners × strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import ParameterError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.learners.names import LEARNERS
from assay.training.learner_settings import LearnerSettings
from assay.training.prices import most_passes
from assay.training.recipes import Block, Recipe
from assay.training.vector_block import VectorBlock

__all__ = ["Wishes", "candidate_recipes", "character_block", "word_block"]

_STRENGTHS: dict[str, tuple[float, ...]] = {
    "svm": (0.1, 0.3, 1.0, 3.0),
    "logistic": (3.0, 30.0),
    "nbsvm": (0.3, 1.0, 3.0),
    "nb": (0.1,),
    "complement-nb": (0.3,),
    "averaged-perceptron": (1.0,),
    "label-tree": (1.0,),
}
_OF_COUNTS = ("nb", "complement-nb", "nbsvm")
_LARGE = 2000  # texts; an n-gram that only one of so many has tells nothing about others
_LEAST = 0.3  # of support vector machines: with so many texts, nothing below this won on five data sets
_VERY_LARGE = 20_000  # texts; with fewer of them, and nothing to compare with, rare n-grams gain more than they cost
_RARE = 2
_ENOUGH = 5e-2  # of the solvers: nearer to the optimum, scores change less than from one fold to the next


@dataclass(frozen=True)
class Wishes:
    """What the person who trains has chosen; None leaves it to the search.

    Attributes
    ----------
    learner
        One of `assay.learners.names.TRAINED`.
    words, characters
        Least and greatest n of n-grams.
    strength
        C, or alpha of the naive Bayes learners.
    features, settings
        Further settings of every block of features, and of every learner.
    vectors
        Word vectors to try beside n-grams; where all is chosen by hand, to use.
    """

    learner: str | None = None
    words: tuple[int, int] | None = None
    characters: tuple[int, int] | None = None
    strength: float | None = None
    features: tuple[tuple[str, Any], ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()
    vectors: VectorBlock | None = None

    def __post_init__(self) -> None:
        if self.vectors is not None and self.learner in _OF_COUNTS:
            raise ParameterError(
                f"{LEARNERS[self.learner].title} learns from counts, and word vectors have values below 0. Choose "
                "another learner, such as svm or logistic, or leave the vectors out."
            )

    @property
    def by_hand(self) -> bool:
        """Whether learner and features are both chosen, so that nothing is left to search for."""
        return self.learner is not None and (self.words is not None or self.characters is not None)


def word_block(ngrams: tuple[int, int], *, marks: bool = False, shortest: int = 2, **settings: Any) -> NgramSettings:
    """n-grams of words of `shortest` letters or more, or of all words and punctuation marks."""
    if marks:
        analysis = Analysis(ngrams=ngrams, tokens="words_and_punctuation", min_token_length=1)
    else:
        analysis = Analysis(ngrams=ngrams, min_token_length=shortest)
    return NgramSettings(analysis, **settings)


def character_block(ngrams: tuple[int, int], *, across_words: bool = False, **settings: Any) -> NgramSettings:
    """n-grams of characters inside words, or across them."""
    unit: Any = "char" if across_words else "char_wb"
    tokens: Any = "none" if across_words else "not_space"
    return NgramSettings(Analysis(unit=unit, ngrams=ngrams, tokens=tokens, min_token_length=1), **settings)


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
    learners = [wishes.learner] if wishes.learner else [name for name in _STRENGTHS if name != "label-tree"]
    recipes = []
    for number, blocks in enumerate(layouts):
        for name in learners:
            if number and not wishes.learner and name in ("nb", "complement-nb", "averaged-perceptron"):
                continue  # baselines: on the first way of reading only
            if name in _OF_COUNTS and isinstance(blocks[-1], VectorBlock):
                continue
            recipes += [
                Recipe(blocks, _learner(name, strength, wishes)) for strength in _strengths(name, wishes, n_texts)
            ]
    return recipes


def _layouts(wishes: Wishes, n_texts: int, spaces: bool) -> list[tuple[Block, ...]]:
    """Ways of reading the texts."""
    rare = _RARE if n_texts >= (_VERY_LARGE if wishes.by_hand else _LARGE) else 1
    if wishes.words or wishes.characters:
        # All words: what is left of "don't" tells most as "don t".
        chosen = [word_block(wishes.words, shortest=1)] if wishes.words else []
        chosen += [character_block(wishes.characters)] if wishes.characters else []
        layouts = [tuple(chosen)]
    elif spaces:
        layouts = [(word_block((1, 2)),), (word_block((1, 3), marks=True),), (character_block((2, 5)),)]
    else:  # what stands between blanks is a clause: characters come first, also for the baselines
        layouts = [(character_block((1, 4), across_words=True),), (word_block((1, 3), marks=True),)]
    read: list[tuple[Block, ...]] = [
        tuple(_as_wished(replace(block, min_df=rare), wishes) for block in layout) for layout in layouts
    ]
    if wishes.vectors is None:
        return read
    joined = (*read[0], wishes.vectors)
    return [joined] if wishes.by_hand else [*read, joined]


def _as_wished(block: NgramSettings, wishes: Wishes) -> NgramSettings:
    """The block with the settings that were chosen for all blocks, as far as they concern its unit."""
    of_words = {"tokens", "min_token_length", "stop_words"}
    chosen = {name: value for name, value in wishes.features if block.analysis.unit == "word" or name not in of_words}
    return NgramSettings.from_dict(block.to_dict() | chosen)


def _strengths(name: str, wishes: Wishes, n_texts: int) -> Sequence[float]:
    if wishes.strength is not None:
        return (wishes.strength,)
    if wishes.by_hand:
        return (1.0,)
    return tuple(strength for strength in _STRENGTHS[name] if name != "svm" or strength >= _LEAST or n_texts < _LARGE)


def _learner(name: str, strength: float, wishes: Wishes) -> LearnerSettings:
    chosen: dict[str, Any] = {"alpha" if name in ("nb", "complement-nb") else "C": strength}
    if not wishes.by_hand:
        chosen |= {"tolerance": _ENOUGH, "max_iterations": most_passes(name, strength)}
    return LearnerSettings(name, **{**chosen, **dict(wishes.settings)})
