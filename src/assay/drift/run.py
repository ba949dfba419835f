"""`assay.drift.measure_drift`: hold new texts against those of before."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any

from assay.arguments import in_our_words
from assay.data.profile.scripts import has_words
from assay.drift.answers import LabelTest, SurenessTest, compare_given, compare_sureness
from assay.drift.before import Before, answers_of, before_of, sampled
from assay.drift.domain import FEWEST, MOST, DomainTest, test_domain
from assay.drift.expected import expected_accuracy
from assay.drift.label_shares import label_shares
from assay.drift.result import Drift
from assay.drift.risen import RisenTest, compare_counts, risen_words
from assay.drift.unknown import UnknownTest, compare_novelty, novelty_beside
from assay.drift.verdicts import DriftLimits, judge
from assay.drift.words import ShiftedWord, shifted_words, unknown_words
from assay.errors import DataError, ParameterError
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import check_level
from assay.evaluation.uncertainty.shares import share
from assay.findings import ordered
from assay.prediction.novelty import NoNoveltyError, Novelty
from assay.suggest import counted, shortened
from assay.threads import count_threads
from assay.wording import parameter, setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["measure_drift"]

_MOST_ANSWERED = 50_000
_MOST_HELD_OUT = 4000  # that novelty was learned from
_BESIDE = 200  # texts of before, from which on they are what novelty is measured by


@in_our_words
def measure_drift(
    model: Any,
    new: Any,
    *,
    reference: Any = None,
    limits: DriftLimits | None = None,
    level: float = 0.95,
    seed: int = 0,
    threads: int | None = None,
) -> Drift:
    """Whether new texts are still like those that a model was trained on.

    Parameters
    ----------
    model
        A `TextClassifier`, or a network.
    new
        Texts, in any form that `assay.read` takes; labels are not needed, and not looked at.
    reference
        Texts of before: the training texts, or, better, others of that time. Without them the model's file tells what
        it remembers: how novel held-out texts were, how they were answered, and hashes of their words.
    limits
        How large a change must be to be a concern.
    level
        Coverage of intervals; 1 - level is the chance of any false alarm.
    seed, threads
        Of everything random, and of the work.

    Examples
    --------
    >>> import assay
    >>> from assay.samples import load_sample
    >>> train, later = load_sample().split(test=0.3, seed=0)
    >>> model = assay.TextClassifier(learner="logistic").fit(train)
    >>> found = measure_drift(model, later, reference=train)
    >>> found.drifted, found.verdict
    (False, 'No drift was found.')
    """
    check_level(level)
    if type(seed) is not int or not 0 <= seed < 1 << 63:
        raise ParameterError(
            f"{parameter('seed')} must be a whole number from 0 to {2**63 - 1:,}. Got {shortened(seed)} instead."
        )
    threads = count_threads(threads)
    given, old = _texts(new, "new"), None if reference is None else _texts(reference, "reference")
    notes: list[str] = []
    fresh = _few(given, "new", notes, seed)
    if len(fresh) < FEWEST:
        raise DataError(
            f"{given.source}: {counted(len(fresh), 'different text', 'different texts')} cannot show whether anything "
            f"has changed. Give at least {FEWEST}."
        )
    of_old = None if old is None else _few(old, "old", notes, seed + 1)
    words = has_words(fresh.texts)
    domain = _domain(model, of_old, fresh, level, seed, threads)
    unknown = _unknown(model, of_old, fresh, words=words, level=level, seed=seed, threads=threads)
    labels: LabelTest | str
    sureness: SurenessTest | str
    shares: Any = "the model gives sets of labels"
    expected = accuracy = Estimate(nan, reason="it is not told without answers to held-out texts")
    against = ""
    if model.decision.task == "label-sets":
        labels = sureness = "the model gives sets of labels, and what is compared is one label a text"
        before = None
    else:
        before, why = before_of(model, of_old)
        labels = sureness = shares = why
    if before is not None:
        against = before.said
        labels, sureness, shares, expected, accuracy = _answers(model, before, fresh, level, seed)
    findings = judge(domain, unknown, labels, sureness, model.labels, level=level, limits=limits or DriftLimits())
    return Drift(
        ordered(findings),
        0 if of_old is None else len(of_old),
        len(fresh),
        tuple(model.labels),
        domain,
        unknown,
        labels,
        sureness,
        shares,
        expected,
        accuracy,
        _words(model, of_old, fresh, domain, seed, words=words, threads=threads),
        against,
        tuple(notes),
        level,
        seed,
        _figures(domain, unknown, labels, sureness, expected),
    )


def _texts(source: Any, name: str) -> Corpus:
    from assay.data.corpus.corpus import Corpus
    from assay.data.reading.read import read

    if isinstance(source, Corpus):
        corpus = source
    elif isinstance(source, (list, tuple)) and source and isinstance(source[0], str) and len(source) != 2:
        corpus = Corpus(list(source))
    else:
        corpus = read(source)
    if len(corpus) == 0:
        raise DataError(f"{corpus.source}: there are no texts in it ({name}=).")
    return corpus


def _few(corpus: Corpus, name: str, notes: list[str], seed: int) -> Corpus:
    """One of each group of copies, and not more than are answered in seconds."""
    kept = sampled(corpus, _MOST_ANSWERED, seed)
    groups = int((corpus.near_copies.first == range(len(corpus))).sum())
    if groups < len(corpus):
        what = f"near-copies (or copies) among the {name} texts"
        copies = counted(len(corpus) - groups, f"of the {what} was", f"of the {what} were")
        notes.append(f"{copies} left out: each text counts once")
    if len(kept) < groups:
        notes.append(f"of {groups:,} different {name} texts a sample of {len(kept):,} was looked at")
    return kept


def _domain(
    model: Any, old: Corpus | None, new: Corpus, level: float, seed: int, threads: int
) -> DomainTest | RisenTest | str:
    if old is None:
        kept = _novelty_of(model)
        if kept is None or kept.different is None:
            return f"that needs texts of before ({setting('reference')})"
        return compare_counts(kept.known, kept.different, new.texts, level=level, threads=threads)
    if len(old) < FEWEST:
        return f"there are {len(old)} different texts of before, and {FEWEST} are needed"
    sides = [sampled(side, MOST, seed).texts.to_pylist() for side in (old, new)]
    return test_domain(*sides, level=level, seed=seed, threads=threads)


def _unknown(
    model: Any, old: Corpus | None, new: Corpus, *, words: bool, level: float, seed: int, threads: int
) -> UnknownTest | str:
    if old is not None and len(old) >= _BESIDE:
        before, now = novelty_beside(old.texts, new.texts, words=words, seed=seed, threads=threads)
        return compare_novelty(before, now, before.size, level=level)
    kept = _novelty_of(model)
    if kept is None:
        return (
            f"the model does not know how novel texts are, and fewer than {_BESIDE} texts of before were given"
            if old is not None
            else "the model does not know how novel texts are, and no texts of before were given"
        )
    n_texts = kept.known.n_texts
    if kept.different is None:
        return compare_novelty(kept.own, model.novelty(new.texts), min(n_texts, _MOST_HELD_OUT), level=level)
    sampled_of = min(kept.different, kept.different * _MOST_HELD_OUT // n_texts)  # copies in the sample count once
    unknown = 1 - kept.known_shares(new.texts, threads=threads)
    return compare_novelty(kept.unknown, unknown, sampled_of, level=level)


def _novelty_of(model: Any) -> Novelty | None:
    """What the model's file keeps of the words of its training texts, where it does."""
    try:
        kept: Novelty = model.known_texts
    except (NoNoveltyError, AttributeError, DataError):
        return None
    return kept


def _answers(
    model: Any, before: Before, new: Corpus, level: float, seed: int
) -> tuple[LabelTest | str, SurenessTest | str, Any, Estimate, Estimate]:
    """What the model says of the new texts, held against what it said before."""
    said = answers_of(model, new.texts)
    counts = said.counts(len(model.labels))
    expected = accuracy = Estimate(nan, reason="no truth is known of texts of before")
    if not counts.sum():
        nothing = "the model gave no new text a label"
        return nothing, nothing, nothing, expected, accuracy
    labels = compare_given(before.given, counts)
    sureness: SurenessTest | str = "the model gives no probabilities"
    if before.sureness is not None and said.sureness is not None:
        sureness = compare_sureness(before.sureness, said.sureness, before.texts)
    shares: Any = "no truth is known of texts of before"
    kept = before.held_out
    if kept is not None:
        shares = label_shares(kept.confusion(len(model.labels)), counts, level=level, seed=seed)
        accuracy = share(kept.right, kept.texts, level)
        if before.sureness is not None and said.sureness is not None:
            expected = expected_accuracy(before.sureness, kept.right, kept.texts, said.sureness, level=level)
    return labels, sureness, shares, expected, accuracy


def _words(
    model: Any,
    old: Corpus | None,
    new: Corpus,
    domain: DomainTest | RisenTest | str,
    seed: int,
    *,
    words: bool,
    threads: int,
) -> tuple[ShiftedWord, ...]:
    """Those that tell new from old; without old texts, those that have risen, or else were unknown."""
    texts = sampled(new, 5 * MOST, seed).texts.to_pylist()
    if old is not None:
        return shifted_words(sampled(old, 5 * MOST, seed).texts.to_pylist(), texts, words=words, threads=threads)
    kept = _novelty_of(model)
    if kept is None:
        return ()
    risen: tuple[ShiftedWord, ...] = ()
    if isinstance(domain, RisenTest) and kept.different is not None:
        risen = risen_words(texts, kept.known, kept.different, domain.looked_at, threads=threads)
    return risen or unknown_words(texts, kept.known, threads=threads)


def _figures(
    domain: DomainTest | RisenTest | str,
    unknown: UnknownTest | str,
    labels: LabelTest | str,
    sureness: SurenessTest | str,
    expected: Estimate,
) -> dict[str, Estimate]:
    figures = {"expected_accuracy": expected}
    if isinstance(domain, DomainTest):
        figures["domain_area"] = Estimate(domain.area)
    if isinstance(unknown, UnknownTest):
        figures["novel_texts"] = unknown.novel[0]
    if isinstance(labels, LabelTest):
        figures["label_distance"] = Estimate(labels.distance)
    if isinstance(sureness, SurenessTest):
        figures["sureness"] = Estimate(sureness.new)
    return figures
