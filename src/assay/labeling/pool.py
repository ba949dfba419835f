"""`TextPool`: texts of which some are to be labelled next."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.data.corpus.corpus import Corpus
from assay.data.reading.read import read_given
from assay.errors import DataError, ParameterError
from assay.labeling.aside import SHARE, check_share, places_by_chance
from assay.labeling.features import PoolFeatures
from assay.labeling.judgement import Judgement
from assay.labeling.known import KnownLabels
from assay.labeling.picking import Picking
from assay.labeling.picks import Picks
from assay.labeling.quick_model import QuickModel
from assay.suggest import shortened
from assay.threads import count_threads
from assay.wording import parameter

__all__ = ["TextPool", "pick_texts"]

_HAVE = {"labels": "one label each", "label-sets": "sets of labels"}


class TextPool:
    """Texts from which to choose those that are worth a label most.

    What is found about the texts (their features, and which are nearly the same) is found once, when it is first
    needed: then a round of picks takes less than the time that a person needs for a label.

    Parameters
    ----------
    source
        A `Corpus`, or whatever `assay.read` takes. Labels that it has are not looked at: `pick` is given them.
    share
        Of the texts, about, that is kept aside for measuring, see `kept_aside`; 0 for none.
    seed
        Of everything random.
    threads
        None for every core. The result is the same for any number.
    aside
        Rows that somebody else keeps aside, in the order in which they are drawn; `share` then says how many of the
        picks are. None: chance decides, see `kept_aside`.

    Attributes
    ----------
    corpus
        The texts.
    aside
        Which are kept aside: never train on them.

    Examples
    --------
    >>> texts = [f"{word} film {number}" for number in range(20) for word in ("good", "bad")] + ["good, then bad"]
    >>> pool = TextPool(texts, share=0)
    >>> pool.pick(1)[0].why
    'cold-start'
    >>> picks = pool.pick(1, labels=dict(enumerate(["pos", "neg"] * 10)))
    >>> picks[0].text, picks[0].why
    ('good, then bad', 'uncertain')
    >>> print(picks[0].sentence)
    undecided between 'neg' (50%) and 'pos' (50%)
    """

    def __init__(
        self,
        source: Any,
        *,
        share: float = SHARE,
        seed: int = 0,
        threads: int | None = None,
        aside: Iterable[int] | None = None,
    ) -> None:
        check_share(share)
        count_threads(threads)
        self.corpus: Corpus = read_given(source, label=False) if not isinstance(source, Corpus) else source
        self.share, self.seed, self.threads = share, seed, threads
        self._given_aside = None if aside is None else self.checked_rows(aside, "aside")
        self._judged: tuple[Any, Judgement] | None = None

    def __len__(self) -> int:
        return len(self.corpus)

    @cached_property
    def places(self) -> NDArray[np.float64]:
        """The place of each text by chance, from 0 to 1; beyond that, where others are kept aside in a given order."""
        if self._given_aside is None:
            return places_by_chance(self.corpus, self.seed, self.threads)
        places = np.full(len(self), 2.0)
        places[self._given_aside] = np.arange(len(self._given_aside)) / max(len(self._given_aside), 1)
        return places

    @property
    def aside(self) -> NDArray[np.bool_]:
        """Which texts are kept aside to measure with."""
        return self.places < (self.share if self._given_aside is None else 1.0)

    @cached_property
    def features(self) -> PoolFeatures:
        """What texts are compared by, and learned from."""
        return PoolFeatures.of(self.corpus, self.threads)

    @in_our_words
    def pick(self, n: int = 20, *, labels: Any = None, model: Any = None, skip: Iterable[int] = ()) -> Picks:
        """Choose the texts to label next.

        Parameters
        ----------
        n
            How many; fewer are picked where there are no more.
        labels
            What is labelled already: an entry for each text, a label, a set of labels (a list, tuple or set), or None;
            or labels by row. None: nothing is.
        model
            A classifier that says what it is unsure of. None: one is learned from the labels, as soon as there are two;
            until then typical texts are picked.
        skip
            Rows that are not to be picked, whether they are labelled or not: those that a person has passed over, or
            has looked at as suspects and left as they were.
        """
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
            raise ParameterError(f"{parameter('n', option='-n')} is {n!r}. Ask for at least 1 text to label next.")
        return Picking.of(self, labels, model, skip).picks(int(n))

    # -- what a round needs --------------------------------------------------------------------------------------------

    def learn(self, known: KnownLabels) -> QuickModel:
        """A quick model of labels."""
        rows = self.features.rows[known.rows]
        return QuickModel.learn(rows, known.classes, known.names, seed=self.seed, threads=self.threads)

    def judged(self, model: Any, known: KnownLabels) -> Judgement:
        """What a model says of every text; the same model is asked once."""
        if not (hasattr(model, "decision_function") and hasattr(model, "decision")):
            raise ParameterError(
                f"{parameter('model')} must be a classifier, such as assay.load gives, or None. Got "
                f"{shortened(model)} instead."
            )
        if self._judged is None or self._judged[0] is not model:
            self._judged = model, Judgement.of_model(model, self.corpus)
        judgement = self._judged[1]
        if len(known) and known.task != judgement.task:
            raise DataError(
                f"The texts have {_HAVE[known.task]}, and the model gives {_HAVE[judgement.task]}. Give a model that "
                "was trained on labels of this kind, or none."
            )
        return judgement

    def checked_rows(self, rows: Iterable[int], name: str = "skip") -> NDArray[np.int64]:
        """Row numbers, if there are such rows."""
        found = np.array(list(rows), dtype=np.int64)
        wrong = found[(found < 0) | (found >= len(self))]
        if wrong.size:
            raise DataError(f"{parameter(name)} names row {wrong[0]}, and the texts are rows 0 to {len(self) - 1:,}.")
        return found


@in_our_words
def pick_texts(
    source: Any,
    n: int = 20,
    *,
    labels: Any = None,
    model: Any = None,
    skip: Iterable[int] = (),
    share: float = SHARE,
    seed: int = 0,
    threads: int | None = None,
) -> Picks:
    """Choose the texts to label next: `TextPool.pick`, once.

    Parameters
    ----------
    source, share, seed, threads
        As for `TextPool`, which keeps what it finds between rounds.
    n, labels, model, skip
        As for `TextPool.pick`.

    Examples
    --------
    >>> picks = pick_texts(["so dull", "loved it", "Loved it!", "great fun", "what fun"], 5, share=0)
    >>> [pick.text for pick in picks]
    ['what fun', 'so dull', 'loved it', 'great fun']
    """
    pool = TextPool(source, share=share, seed=seed, threads=threads)
    return pool.pick(n, labels=labels, model=model, skip=skip)
