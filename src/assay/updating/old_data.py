"""What a model was trained on, found again and known by its digest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.data.corpus.corpus import Corpus
from assay.data.options import ReadOptions
from assay.data.reading.corrections import Corrections
from assay.data.reading.read import read_with
from assay.data.reading.told_options import read_settings_of
from assay.errors import AssayError, DataError
from assay.file_access import is_there
from assay.suggest import quoted
from assay.wording import setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.updating.known_training import KnownTraining

__all__ = ["OldData", "find_old_data", "old_data"]

#: What `assay train` holds out with a search: to be tried where only the model is left to ask.
_USUAL_HOLDOUT = 0.2


@dataclass(frozen=True, eq=False)
class OldData:
    """The texts that a model learned from, and those that it was tested on.

    Attributes
    ----------
    train
        What it learned from.
    test
        What was held out, or brought, for its test; None where nothing was.
    same
        Whether `train` is, by its digest, what the model learned from.
    """

    train: Corpus
    test: Corpus | None
    same: bool


def find_old_data(known: KnownTraining) -> tuple[Corpus, Corpus | None] | str:
    """The data, and its test file, where the settings of the training say they are; or why it is not there."""
    named = known.data.get("data")
    if not named:
        return f"{known.source} does not say where the data is"
    files = [named] if isinstance(named, str) else list(named)
    missing = [file for file in files if not _may_be_read(file)]
    if missing:
        return f"{known.source} names {quoted(missing, 2)}, which is not there"
    test = known.data.get("test")
    if test and not _may_be_read(test):
        return f"{known.source} names the test {test}, which is not there"
    try:
        corpus = _read(files, known.data)
        tested = _read([test], known.data, task=corpus.task) if test else None
        corrections = known.data.get("corrections")
        if corrections:
            decided = Corrections(corrections)
            corpus = decided.apply(corpus)
            tested = None if tested is None else decided.apply(tested)
    except AssayError as error:
        return str(error).removesuffix(".")
    return corpus, tested


def old_data(
    known: KnownTraining, model: Any, corpus: Corpus, test: Corpus | None = None, *, other: bool = False
) -> OldData:
    """What of a corpus the model learned from and was tested on, as its digest says.

    Parameters
    ----------
    known, model
        How the model was trained, and the model.
    corpus, test
        The data, and the test file that its training was given.
    other
        Whether data will do that is not, by its digest, what the model learned from.
    """
    digest = model.provenance.get("data", {}).get("sha256")
    if corpus.fingerprint == digest:
        return OldData(corpus, test, same=True)
    if test is None:
        near_copies = "together" if known.settings is None else known.settings.near_copies
        for share in dict.fromkeys([known.holdout, _USUAL_HOLDOUT]):
            if not share:
                continue
            try:
                train, held_out = corpus.split(test=share, seed=known.seed, near_copies=near_copies)
            except AssayError:
                continue
            if train.fingerprint == digest:
                return OldData(train, held_out, same=True)
    if not other:
        what = "it does not say, by a digest, what it was trained on" if digest is None else "its digest is another"
        raise DataError(
            f"{corpus.source}: this is not known to be the data that the model was trained on: {what}. Give the data "
            f"as it was then; or {setting('other_data', True)} to train on this in its place."
        )
    return OldData(corpus, None, same=False)


def _may_be_read(name: str) -> bool:
    return any(mark in name for mark in "*?[") or "://" in name or (name != "-" and is_there(name))


def _read(files: list[str], told: Mapping[str, Any], **others: Any) -> Corpus:
    options = ReadOptions.checked(**(read_settings_of(told) | {"keep": False} | others))
    return read_with(files[0] if len(files) == 1 else files, options)
