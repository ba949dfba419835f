"""How a message names a setting: as Python writes it, or as an option on the command line.

A message is written once, where the fault is found, and read by two kinds of people. To those who called a function it
says ``label=``, to those who typed a command ``--label``: `assay.cli.main` runs commands within `naming_options`, and
everything that a message names goes through `setting` or `parameter`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

__all__ = ["learner_parameter", "naming_options", "parameter", "setting", "settings_of_read", "value"]

# Options that are not spelt like their parameters, for all values or for one.
_OPTIONS: dict[str | tuple[str, Any], str] = {
    ("label", False): "--unlabelled",
    ("labels_separator", False): "--one-label",
    "features": "--feature",
}
# Parameters of learners that commands set by an option; others come from Python, or from a file of settings.
_OF_LEARNERS = {
    "C": "--C",
    "alpha": "--C",
    "epochs": "--epochs",
    "metric": "--metric",
    "n_clusters": "--clusters",
    "n_init": "--starts",
    "prune": "--prune",
    "seed": "--seed",
    "tuning": "--tuning",
}
_NOT_GIVEN: Any = object()

_options_are_named = False  # of the process: messages are also made in its threads
_own_settings: ContextVar[frozenset[str] | None] = ContextVar("own settings", default=None)


@contextmanager
def naming_options(named: bool = True) -> Iterator[None]:
    """Name options in the messages that are made meanwhile, instead of parameters of Python; or no options any more."""
    global _options_are_named
    before, _options_are_named = _options_are_named, named
    try:
        yield
    finally:
        _options_are_named = before


@contextmanager
def settings_of_read(*own: str) -> Iterator[None]:
    """Say of the settings in messages made meanwhile that they are `assay.read`'s, except those that the caller has.

    A function that takes data in any form reads it, and does not take the settings of reading itself. A command with
    few options of reading leaves the others to ``assay convert``.

    Examples
    --------
    >>> with settings_of_read("label"):
    ...     setting("skip_empty", True), setting("label")
    ('assay.read(…, skip_empty=True)', 'label=')
    >>> with settings_of_read("label"), naming_options():
    ...     setting("skip_empty", True), setting("label")
    ('assay convert … --skip-empty', '--label')
    """
    token = _own_settings.set(frozenset(own))
    try:
        yield
    finally:
        _own_settings.reset(token)


def setting(name: str, given: Any = _NOT_GIVEN, *, option: str | None = None, of_read: bool = False) -> str:
    """Name a setting, and the value it should have if one is given.

    Parameters
    ----------
    name
        The parameter in Python.
    given
        Its value.
    option
        The option, where it is called otherwise.
    of_read
        Whether it is a setting of `assay.read`, named where something else is being done.

    Examples
    --------
    >>> setting("label"), setting("errors", "replace"), setting("label", False)
    ('label=', "errors='replace'", 'label=False')
    >>> with naming_options():
    ...     setting("label"), setting("errors", "replace"), setting("label", False), setting("names", ["a", "b"])
    ('--label', '--errors replace', '--unlabelled', '--names a,b')
    """
    own = _own_settings.get()
    elsewhere = own is not None and name not in own
    if not _options_are_named:
        written = f"{name}=" if given is _NOT_GIVEN else f"{name}={given!r}"
        return f"assay.read(…, {written}{'…' * (given is _NOT_GIVEN)})" if of_read or elsewhere else written
    written = _as_option(name, given, option)
    return f"assay convert … {written}" if elsewhere else written


def _as_option(name: str, given: Any, option: str | None) -> str:
    spelt = option or _OPTIONS.get(name) or "--" + name.replace("_", "-")
    if given is _NOT_GIVEN:
        return spelt
    if isinstance(given, bool):
        return _OPTIONS.get((name, given)) or (spelt if given else "--no-" + spelt.removeprefix("--"))
    return f"{spelt} {value(given)}"


def parameter(name: str, *, of: str | None = None, option: str | None = None) -> str:
    """Name a setting at the beginning of the sentence that says what it must be.

    Examples
    --------
    >>> parameter("top"), parameter("errors", of="read")
    ('top', "The 'errors' parameter of read")
    >>> with naming_options():
    ...     parameter("top"), parameter("errors", of="read")
    ('--top', '--errors')
    """
    if _options_are_named:
        return setting(name, option=option)
    return name if of is None else f"The {name!r} parameter of {of}"


def learner_parameter(name: str, *, of: str) -> str:
    """Name a parameter of a learner; on the command line by its option, if a command has one for it.

    Examples
    --------
    >>> learner_parameter("n_init", of="KMeans")
    "The 'n_init' parameter of KMeans"
    >>> with naming_options():
    ...     learner_parameter("n_init", of="KMeans"), learner_parameter("tol", of="KMeans")
    ('--starts', "The 'tol' parameter of KMeans")
    """
    if _options_are_named and name in _OF_LEARNERS:
        return _OF_LEARNERS[name]
    return f"The {name!r} parameter of {of}"


def value(given: Any) -> str:
    """Write a value as it is written in Python, or behind an option.

    Examples
    --------
    >>> value("a b")
    "'a b'"
    >>> with naming_options():
    ...     value("cp1252"), value(["a", "b"]), value(0.5)
    ('cp1252', 'a,b', '0.5')
    """
    if not _options_are_named:
        return repr(given)
    written = ",".join(map(str, given)) if isinstance(given, (list, tuple)) else str(given)
    return written if re.fullmatch(r"[\w…%+,./:=@-]+", written) else shlex.quote(written)
