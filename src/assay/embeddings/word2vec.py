"""word2vec: vectors of words that are good at guessing their neighbours."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.embeddings.encoded_text import EncodedText, encode_text
from assay.embeddings.growing_vocabulary import Counted, first_vectors, grown
from assay.embeddings.settings import MOST_REACH, check_number, check_whole
from assay.embeddings.training_progress import OnProgress, ProgressTeller
from assay.embeddings.word_vectors import WordVectors
from assay.errors import DataError, NotFittedError, ParameterError
from assay.suggest import check_choice, quote
from assay.threads import count_threads
from assay.wording import parameter, setting

__all__ = ["Word2Vec"]

Matrix = npt.NDArray[np.float32]

_LONGEST_ROUND = 60_000  # words between two merges: more are quicker, fewer learn better
_SHORTEST_ROUND = 2_000
_MOST_SHARDS = 256
_ROUNDS = 64  # an epoch has at least so many, unless they would be shorter than that


class Word2Vec:
    """Skip-gram or CBOW with negative sampling.

    Every word has two vectors: one as input (a neighbour, which guesses) and one as output (which is guessed). At each
    position of the text, the neighbours are drawn nearer to the word that stands there and away from `negatives`
    other words, drawn with probability ∝ count^¾ and shared by all neighbours.

    The result is the same for every number of threads: a round of some ten thousand words is cut into `shards` parts
    that are learned apart, from copies of the same vectors, and merged in a fixed order.

    Parameters
    ----------
    dimensions
        How long the vectors are.
    model
        ``"skip-gram"``: every neighbour guesses the word in the middle; ``"cbow"``: the mean of the neighbours does,
        which is quicker and less good for rare words.
    window
        How far the window reaches to each side at most; each position draws its own reach, from 1 to this.
    negatives
        Words drawn against each position.
    sample
        Sub-sampling of frequent words: of a word with share f of the text, the share √(sample / f) + sample / f of
        its occurrences is looked at, drawn anew in every epoch. 0 looks at all.
    min_count
        How often a word must come to get vectors.
    max_words
        How many words get vectors at most, the most frequent ones; None for all.
    epochs
        Passes over the text.
    rate, min_rate
        The learning rate falls in a straight line from `rate` to `min_rate` over all epochs.
    unit
        ``"document"``: windows reach over the sentences of a text; ``"sentence"``: they end with a sentence.
    punctuation
        Whether marks of punctuation are words too; otherwise they are passed over.
    lowercase
        Whether words that differ only in case are the same.
    shards
        How many threads can work at a time. The result depends on it, and so does the memory: `shards` + 1 copies of
        both matrices, or one for a single shard.
    seed
        Decides the first vectors, the drawn words, the reach of the windows and the sub-sampling.
    n_jobs
        Threads; None for one a core. The result does not depend on it.
    on_interrupt
        What Ctrl-C does while vectors are learned: ``"raise"``, and this object stays as it was, or ``"keep"`` what
        was learned so far.
    on_progress
        Called several times a second with a `TrainingProgress`.

    Attributes
    ----------
    words_
        The words, by falling count.
    counts_
        How often each comes in all the text.
    input_matrix_, output_matrix_
        The vectors, one row a word.
    n_words_, n_distinct_
        How many words the last text has, and how many different ones, rare ones included.
    interrupted_
        Whether the last learning was interrupted.
    notes_
        What was noticed on the way, in sentences.

    Examples
    --------
    >>> texts = ["the cat drinks milk", "the dog drinks water", "a cat and a dog sleep"] * 50
    >>> word2vec = Word2Vec(dimensions=8, window=2, min_count=2, epochs=2).fit(texts)
    >>> word2vec.words_[:4], word2vec.input_matrix_.shape
    (['the', 'cat', 'drinks', 'dog'], (9, 8))
    >>> len(word2vec.partial_fit(["a mouse eats cheese", "the cat eats the mouse"] * 5).words_)
    12

    References
    ----------
    Mikolov, Sutskever, Chen, Corrado & Dean (2013); Ji, Satish, Li & Dubey (2016) for the shared drawn words; Maleki et
    al. (2021) for the merging. Readable version with its trace: `assay.textbook.word2vec`.
    """

    words_: list[str]
    counts_: npt.NDArray[np.int64]
    input_matrix_: Matrix
    output_matrix_: Matrix
    n_words_: int
    n_distinct_: int
    interrupted_: bool
    notes_: tuple[str, ...]

    def __init__(
        self,
        dimensions: int = 100,
        *,
        model: Literal["skip-gram", "cbow"] = "skip-gram",
        window: int = 5,
        negatives: int = 5,
        sample: float = 1e-3,
        min_count: int = 5,
        max_words: int | None = None,
        epochs: int = 5,
        rate: float = 0.025,
        min_rate: float = 0.0001,
        unit: Literal["document", "sentence"] = "document",
        punctuation: bool = False,
        lowercase: bool = True,
        shards: int = 2,
        seed: int = 0,
        n_jobs: int | None = None,
        on_interrupt: Literal["raise", "keep"] = "raise",
        on_progress: OnProgress | None = None,
    ) -> None:
        self.dimensions = dimensions
        self.model = model
        self.window = window
        self.negatives = negatives
        self.sample = sample
        self.min_count = min_count
        self.max_words = max_words
        self.epochs = epochs
        self.rate = rate
        self.min_rate = min_rate
        self.unit = unit
        self.punctuation = punctuation
        self.lowercase = lowercase
        self.shards = shards
        self.seed = seed
        self.n_jobs = n_jobs
        self.on_interrupt = on_interrupt
        self.on_progress = on_progress

    def fit(self, source: Any, **reading: Any) -> Self:
        """Learn from a text; what was learned before is forgotten.

        Parameters
        ----------
        source
            Whatever `assay.read` takes (labels are not looked at), an iterator of texts, or a list or iterator of
            token lists, whose tokens are taken as they are.
        reading
            Settings of `assay.read` for files: `text`, `format`, `encoding`, `errors`, `delimiter`, `quotes`, `names`,
            `sheet`.
        """
        return self._learn_from(source, None, reading)

    def partial_fit(self, source: Any, **reading: Any) -> Self:
        """Learn on from more text, `epochs` passes with the rate falling again from `rate`.

        Words that come at least `min_count` times in it and are new get vectors too. See `fit` for the parameters.
        """
        known = None
        if hasattr(self, "words_"):
            known = Counted(self.words_, self.counts_, self.input_matrix_, self.output_matrix_)
        return self._learn_from(source, known, reading)

    def vectors(self, which: Literal["input", "output", "average"] = "input") -> WordVectors:
        """Give the vectors of the words as input, as output, or the mean of both."""
        if not hasattr(self, "words_"):
            raise NotFittedError("This Word2Vec has not learned anything yet. Call fit with a text first.")
        check_choice(parameter("which", of="vectors"), which, ("input", "output", "average"))
        if which == "average":
            matrix = (self.input_matrix_ + self.output_matrix_) * np.float32(0.5)
        else:
            matrix = self.input_matrix_ if which == "input" else self.output_matrix_
        return WordVectors(self.words_, matrix, self.counts_)

    def _learn_from(self, source: Any, known: Counted | None, reading: dict[str, Any]) -> Self:
        self._check_settings(known)
        encoded = encode_text(
            source,
            unit=self.unit,
            punctuation=self.punctuation,
            lowercase=self.lowercase,
            min_count=self.min_count,
            max_words=self.max_words,
            known=() if known is None else known.words,
            n_jobs=self.n_jobs,
            on_progress=self.on_progress,
            **reading,
        )
        if known is None:
            found = encoded.vocabulary
            rows = first_vectors(found.words, self.dimensions, self.seed)
            counted = Counted(found.words, found.counts, rows, np.zeros_like(rows))
        else:
            counted = grown(known, encoded, self.seed)
        if len(counted.words) < 2:
            raise DataError(
                f"The text has only one word to learn, {quote(counted.words[0])} ({counted.counts[0]:,} times): "
                f"vectors need at least two different words. Give more text, or lower {setting('min_count')}."
            )
        interrupted = self._learn(encoded, counted)
        self.words_, self.counts_, self.input_matrix_, self.output_matrix_ = counted
        self.n_words_, self.n_distinct_ = encoded.n_words, encoded.n_distinct
        self.interrupted_ = interrupted is not None
        self.notes_ = encoded.notes if interrupted is None else (*encoded.notes, interrupted)
        return self

    def _learn(self, encoded: EncodedText, counted: Counted) -> str | None:
        """Move the vectors, in place; tells where it was interrupted, if it was and what was learned is to be kept."""
        trainer = _native.Word2VecTrainer(
            counted.input,
            counted.output,
            draw_weights=counted.counts.astype(np.float64) ** 0.75,
            keep_shares=self._keep_shares(counted.counts),
            window=int(self.window),
            negatives=int(self.negatives),
            skip_gram=self.model == "skip-gram",
            n_shards=int(self.shards),
            seed=int(self.seed),
        )
        teller = ProgressTeller(self.on_progress, "learning", self.epochs)
        size = min(_LONGEST_ROUND, max(_SHORTEST_ROUND, len(encoded.ids) // _ROUNDS))
        total = len(encoded.ids) * self.epochs
        done = number = 0
        interrupted = None
        try:
            for epoch in range(1, self.epochs + 1):
                for piece in encoded.pieces(size):
                    begin, end = self._rate_at(done / total), self._rate_at((done + len(piece)) / total)
                    trainer.learn(piece, number, begin, end, count_threads(self.n_jobs))
                    done += len(piece)
                    number += 1
                    words = round(done / total * encoded.n_words * self.epochs)
                    teller.tell(words, done / total, epoch=epoch, rate=end)
        except KeyboardInterrupt:
            if self.on_interrupt != "keep":
                raise
            interrupted = f"Interrupted after {done / total:.0%} of the learning; what was learned is kept."
        trainer.copy_vectors(counted.input, counted.output)
        if not (np.isfinite(counted.input).all() and np.isfinite(counted.output).all()):
            raise ParameterError(
                f"The vectors grew beyond all numbers with rate={self.rate}: the steps are too large. Use a smaller "
                "rate, such as 0.025."
            )
        return interrupted

    def _rate_at(self, share_done: float) -> float:
        return self.rate + (self.min_rate - self.rate) * share_done

    def _keep_shares(self, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        if not self.sample:
            return np.ones(len(counts))
        excess = self.sample * counts.sum() / counts
        shares: npt.NDArray[np.float64] = np.minimum(np.sqrt(excess) + excess, 1.0)
        return shares

    def _check_settings(self, known: Counted | None) -> None:
        for name in ("dimensions", "negatives", "min_count", "epochs"):
            check_whole("Word2Vec", name, getattr(self, name), least=1)
        check_whole("Word2Vec", "window", self.window, least=1, most=MOST_REACH)
        check_whole("Word2Vec", "shards", self.shards, least=1, most=_MOST_SHARDS)
        check_whole("Word2Vec", "seed", self.seed, least=0, most=2**64 - 1)
        if self.max_words is not None:
            check_whole("Word2Vec", "max_words", self.max_words, least=2)
        check_number("Word2Vec", "sample", self.sample, least=0)
        check_number("Word2Vec", "min_rate", self.min_rate, least=0)
        check_number("Word2Vec", "rate", self.rate, least=self.min_rate)
        check_choice(parameter("model", of="Word2Vec"), self.model, ("skip-gram", "cbow"))
        check_choice(parameter("unit", of="Word2Vec"), self.unit, ("document", "sentence"))
        check_choice(parameter("on_interrupt", of="Word2Vec"), self.on_interrupt, ("raise", "keep"))
        if known is not None and known.input.shape[1] != self.dimensions:
            raise ParameterError(
                f"The vectors learned so far have {known.input.shape[1]} dimensions, and dimensions={self.dimensions} "
                "now. Learn on with the same number, or begin anew with fit."
            )
