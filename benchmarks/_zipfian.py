"""Made-up text of any size whose words and pairs of words are distributed as in English prose.

Words. A vocabulary of 2^20 words of random letters, shorter where they are frequent. The word of rank r is drawn with
probability proportional to 1 / (r + 1.2) · (1 + r / 8000)^-1.1: Zipf's law for the common words (with Mandelbrot's
shift), falling more steeply among the rare ones (Gerlach & Altmann 2013), so that the number of different words grows
like Heaps' law and is not exhausted at a gigabyte.

Pairs. Independent draws would make nearly every pair of words a new one. Here each word has successors of its own: its
k-th one is the word at a place of the above law that a hash of (word, k) chooses, and k follows a law of Zipf too,
1 / (k + 2)^1.17 up to ten million. So the words are a Markov chain with habits, rare events, and no table of habits.

Compared with imdb, in words of two letters and more:

=======  =======================  ========================
text     different words          different pairs of words
         imdb         generated   imdb         generated
=======  =======================  ========================
8 MB     43,000       40,000      512,000      533,000
33 MB    76,000       72,000      1,436,000    1,499,000
65 MB    102,000      96,000      2,366,000    2,461,000
=======  =======================  ========================

One word in nine has a capital, one in ten a mark after it, one document in ten a letter beyond ASCII; documents have
230 words in the mean and their lengths are log-normal. The same seed gives the same bytes. Nothing is kept in files.

References
----------
Gerlach & Altmann (2013), Stochastic model for the vocabulary growth in natural languages.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["zipfian_texts"]

N_WORDS = 1 << 20
N_SUCCESSORS = 10_000_000
WORDS_PER_CHUNK = 1 << 22
LANES = 1 << 14  # chains drawn side by side
LONGEST = 16
#: As often as in English text.
CONSONANTS = np.frombuffer(b"ttttttnnnnnsssshhhhrrrrddddllllccmmmwwffggyyppbbvk", dtype=np.uint8)
VOWELS = np.frombuffer(b"eeeeeeaaaaoooiiiuu", dtype=np.uint8)
PLAIN, CAPITAL, COMMA, STOP = range(4)  # the forms that a word is written in

Uniform = npt.NDArray[np.floating[Any]]


def zipfian_texts(n_bytes: int, seed: int = 0) -> pa.ChunkedArray:
    """Return documents of about `n_bytes` in all, as Arrow's large strings."""
    random = np.random.default_rng(seed)
    writer = _Writer(random)
    chunks: list[Any] = []
    written = 0
    while written < n_bytes:
        chunk = writer.documents(random)
        sizes = np.cumsum(pc.binary_length(chunk).to_numpy())
        wanted = int(np.searchsorted(sizes, n_bytes - written)) + 1
        chunks.append(chunk[:wanted])
        written += int(sizes[min(wanted, len(sizes)) - 1])
    return pa.chunked_array(chunks)


class _Writer:
    """The vocabulary and the laws by which words follow each other."""

    def __init__(self, random: np.random.Generator) -> None:
        rank = np.arange(1, N_WORDS + 1)
        self.ranks = _quantiles(1 / (rank + 1.2) * (1 + rank / 8000) ** -1.1)
        self.successors = _quantiles((np.arange(1, N_SUCCESSORS + 1) + 2.0) ** -1.17)
        words = _make_words(random)
        forms = [words, [word.capitalize() for word in words], [f"{w}," for w in words], [f"{w}." for w in words]]
        self.written = pa.concat_arrays([pa.array(form, pa.large_string()) for form in forms])

    def documents(self, random: np.random.Generator) -> Any:
        """About `WORDS_PER_CHUNK` words, cut into documents."""
        words = self.chain(random)
        forms = _choose_forms(len(words), random)
        ends = np.cumsum(random.lognormal(np.log(175), 0.74, size=len(words) // 150).astype(np.int64) + 1)
        ends = np.append(0, ends[: np.searchsorted(ends, len(words))])
        written = self.written.take(pa.array(words[: ends[-1]] + forms[: ends[-1]] * N_WORDS))
        return pc.binary_join(pa.LargeListArray.from_arrays(pa.array(ends), written), pa.scalar(" ", pa.large_string()))

    def chain(self, random: np.random.Generator) -> npt.NDArray[np.int64]:
        """Ranks of words that follow each other; the lanes stand one after the other."""
        n_steps = WORDS_PER_CHUNK // LANES
        chains = np.empty((n_steps, LANES), dtype=np.int64)
        chains[0] = _at(self.ranks, random.random(LANES))
        for step in range(1, n_steps):
            which = _at(self.successors, random.random(LANES))
            chains[step] = _at(self.ranks, _hashed(chains[step - 1], which))
        return np.ascontiguousarray(chains.T).ravel()


def _quantiles(weights: Uniform) -> Uniform:
    """2^20 + 1 equidistant quantiles of a law on 0, 1, …; between two of them `_at` takes a straight line."""
    cumulated = np.cumsum(weights)
    steps = np.linspace(0, cumulated[-1], (1 << 20) + 1)
    quantiles = np.searchsorted(cumulated, steps).astype(np.float64)
    quantiles[-1] = len(weights) - 1
    return quantiles


def _at(quantiles: Uniform, uniform: Uniform) -> npt.NDArray[np.int64]:
    position = uniform * (len(quantiles) - 1)
    below = position.astype(np.int64)
    left = quantiles[below]
    return (left + (quantiles[below + 1] - left) * (position - below)).astype(np.int64)


def _hashed(words: npt.NDArray[np.int64], which: npt.NDArray[np.int64]) -> Uniform:
    """A number in [0, 1) for each pair, always the same (two rounds of multiply and shift)."""
    mixed = (words << 32 | which).view(np.uint64)
    for multiplier in (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93):
        mixed = mixed * np.uint64(multiplier)
        mixed ^= mixed >> np.uint64(32)
    return (mixed >> np.uint64(11)) * 2.0**-53


def _make_words(random: np.random.Generator) -> list[str]:
    """`N_WORDS` different words, frequent ones first."""
    n = N_WORDS * 5 // 4  # some come twice
    places = np.arange(LONGEST)
    lengths = 2.3 + 0.45 * np.log(np.arange(1, n + 1)) + random.normal(0, 1.5, size=n)
    begins_with_vowel = random.random((n, 1)) < 0.3
    letters = np.where(
        places % 2 == begins_with_vowel,
        CONSONANTS[random.integers(0, len(CONSONANTS), size=(n, LONGEST), dtype=np.uint8)],
        VOWELS[random.integers(0, len(VOWELS), size=(n, LONGEST), dtype=np.uint8)],
    )
    letters[places >= np.clip(np.rint(lengths), 1, LONGEST)[:, None]] = 0
    spelled = letters.view(f"S{LONGEST}").ravel()
    first = np.sort(np.unique(spelled, return_index=True)[1])[:N_WORDS]
    words = [word.decode() for word in spelled[first].tolist()]
    # Names and loans: a rare word in 200 has an accent.
    for i in range(5000, len(words), 200):
        words[i] = words[i].replace("e", "é").replace("o", "ö")
    return words


def _choose_forms(n: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """Marks after one word in ten, capitals after a stop and now and then."""
    draw = random.random(n)
    forms = np.full(n, PLAIN, dtype=np.int64)
    forms[draw < 0.05] = COMMA
    stops = draw > 0.94
    forms[1:][stops[:-1]] = CAPITAL
    forms[(draw > 0.4) & (draw < 0.46)] = CAPITAL
    forms[stops] = STOP
    return forms
