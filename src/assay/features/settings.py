"""Features from a settings file: plain tables in, a vectorizer out, and no Python to write.

::

    [features.words]                 # n-grams of words; an empty table for the usual ones
    ngrams = [1, 2]

    [features.characters]            # n-grams of characters inside words
    ngrams = [2, 5]

    [features.lexicons]              # lists of words: files beside the settings, or the words themselves
    positive = "positive-words.txt"
    negative = "negative-words.txt"
    pronouns = ["i", "me", "my", "you", "your"]

    [features.lexicon_counts]        # how they are counted
    negation = 3

    [features.templates]             # a name for each template
    no = 'presence(lower = "no")'
    length = "log-text-length"

    [features.template_options]
    min_df = 2

    [features.functions]             # functions that a program has registered
    names = ["share of capitals"]

    [features.scaling]               # for these tables, how columns are brought to one size
    lexicons = "z-score"

    [features.selection.words]       # for these tables, which columns are kept
    measure = "chi2"
    k = 10000

A lexicon that a template names is used there; the others are counted. The names in ``scaling``, ``selection`` and the
columns are those of the tables: words, characters, lexicons, templates, functions.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import ParameterError
from assay.features.columns.feature_selector import FeatureSelector
from assay.features.designed.function_features import FunctionFeatures
from assay.features.designed.lexicon import Lexicon
from assay.features.designed.lexicon_features import LexiconFeatures
from assay.features.designed.lexicon_file import read_lexicon
from assay.features.designed.template_features import TemplateFeatures
from assay.features.designed.template_file import read_templates
from assay.features.designed.template_language import parse_template
from assay.features.joined import JoinedVectorizer
from assay.features.ngrams.tfidf import TfidfVectorizer
from assay.suggest import nearest_first, quoted

__all__ = ["features_from_settings", "vectorizer_from_settings"]

_TABLES = (
    "words",
    "characters",
    "lexicons",
    "lexicon_counts",
    "templates",
    "template_options",
    "functions",
    "scaling",
    "selection",
)
#: Settings of n-grams, and what the vectorizer calls them.
_NGRAMS = {
    "ngrams": "ngram_range",
    "min_df": "min_df",
    "max_df": "max_df",
    "max_features": "max_features",
    "binary": "binary",
    "sublinear": "sublinear_tf",
    "idf": "use_idf",
    "smooth_idf": "smooth_idf",
    "norm": "norm",
    "lowercase": "lowercase",
    "accents": "strip_accents",
    "stop_words": "stop_words",
    "tokenizer": "tokenizer",
}
_LEXICON = ("file", "words", "scores", "case_sensitive", "comments", "encoding")
_LEXICON_COUNTS = ("values", "negation", "negators", "opposites")
_TEMPLATE_OPTIONS = ("at", "mark", "min_df", "n_features")
_SELECTION = ("measure", "k", "threshold", "label", "min_df", "C")

Parts = list[tuple[str, Any]]


def vectorizer_from_settings(
    settings: Mapping[str, Any], folder: str | os.PathLike[str] = ".", *, n_jobs: int | None = None
) -> JoinedVectorizer:
    """The vectorizer that the tables of a settings file describe.

    Parameters
    ----------
    settings
        The ``features`` table: see this module, and the guide to designed features.
    folder
        Where the files that it names are, by custom the folder of the settings file.
    n_jobs
        Threads of the vectorizer.

    Examples
    --------
    >>> import tomllib
    >>> settings = tomllib.loads('''
    ... [features.words]
    ... [features.lexicons]
    ... positive = ["good", "fun"]
    ... [features.templates]
    ... shouts = 'count(lower = "!")'
    ... ''')
    >>> vectorizer = vectorizer_from_settings(settings["features"])
    >>> vectorizer.fit(["Good fun!", "dull"]).get_feature_names_out().tolist()
    ['words__dull', 'words__fun', 'words__good', 'lexicons__positive', 'templates__shouts']
    """
    _refuse_unknown(settings, _TABLES, "features")
    parts: Parts = []
    for name, analyzer in (("words", "word"), ("characters", "char_wb")):
        if name in settings:
            parts.append((name, _ngrams(_table(settings, name), name, analyzer)))
    parts += features_from_settings(settings, folder)
    if not parts:
        tables = quoted(("words", "characters", "lexicons", "templates", "functions"))
        raise ParameterError(f"The features table describes no features. It needs at least one of {tables}.")
    scaling = _table(settings, "scaling")
    _refuse_unknown(scaling, [name for name, _ in parts], "features.scaling")
    selection = _table(settings, "selection")
    _refuse_unknown(selection, [name for name, _ in parts], "features.selection")
    selectors = {}
    for name in selection:
        chosen = _table(selection, name, "features.selection")
        _refuse_unknown(chosen, _SELECTION, f"features.selection.{name}")
        selectors[name] = FeatureSelector(**chosen)
    return JoinedVectorizer(parts, scaling=dict(scaling) or None, selection=selectors or None, n_jobs=n_jobs)


def features_from_settings(settings: Mapping[str, Any], folder: str | os.PathLike[str] = ".") -> Parts:
    """Only the hand-made features of a settings file, as names and vectorizers; other tables are left alone."""
    lexicons = _lexicons(_table(settings, "lexicons"), Path(folder))
    templates = settings.get("templates", {})
    if isinstance(templates, str):
        templates = read_templates(Path(folder) / templates)
    parts: Parts = []
    used = _used_lexicons(templates)
    counted = {name: lexicon for name, lexicon in lexicons.items() if name not in used}
    options = _table(settings, "lexicon_counts")
    _refuse_unknown(options, _LEXICON_COUNTS, "features.lexicon_counts")
    if counted:
        parts.append(("lexicons", LexiconFeatures(counted, **options)))
    elif options:
        raise ParameterError("features.lexicon_counts says how lexicons are counted, but none is. Add one to lexicons.")
    options = _table(settings, "template_options")
    _refuse_unknown(options, _TEMPLATE_OPTIONS, "features.template_options")
    if templates:
        own = {name: lexicon for name, lexicon in lexicons.items() if name in used} or None
        parts.append(("templates", TemplateFeatures(templates, lexicons=own or lexicons or None, **options)))
    functions = _table(settings, "functions")
    _refuse_unknown(functions, ("names",), "features.functions")
    if functions:
        parts.append(("functions", FunctionFeatures(list(functions["names"]))))
    return parts


def _ngrams(table: Mapping[str, Any], name: str, analyzer: str) -> TfidfVectorizer:
    _refuse_unknown(table, tuple(_NGRAMS), f"features.{name}")
    chosen = {_NGRAMS[setting]: value for setting, value in table.items()}
    if "ngram_range" in chosen:
        chosen["ngram_range"] = tuple(chosen["ngram_range"])
    if chosen.get("norm") == "none":
        chosen["norm"] = None
    return TfidfVectorizer(analyzer=analyzer, **{"sublinear_tf": True, **chosen})


def _lexicons(table: Mapping[str, Any], folder: Path) -> dict[str, Lexicon]:
    return {name: _lexicon(name, given, folder) for name, given in table.items()}


def _lexicon(name: str, given: Any, folder: Path) -> Lexicon:
    if isinstance(given, str):
        return read_lexicon(folder / given)
    if isinstance(given, list):
        return Lexicon.of_words(given)
    if not isinstance(given, Mapping):
        raise ParameterError(f"The lexicon {name!r} must be a file, a list of words or a table. Got {given!r} instead.")
    _refuse_unknown(given, _LEXICON, f"features.lexicons.{name}")
    sources = [source for source in ("file", "words", "scores") if source in given]
    if len(sources) != 1:
        found = quoted(sources) if sources else "none"
        raise ParameterError(f"The lexicon {name!r} must have one of 'file', 'words' and 'scores'. Got {found}.")
    case_sensitive = bool(given.get("case_sensitive", False))
    if sources == ["file"]:
        reading = {key: given[key] for key in ("comments", "encoding") if key in given}
        return read_lexicon(folder / given["file"], case_sensitive=case_sensitive, **reading)
    if sources == ["words"]:
        return Lexicon.of_words(given["words"], case_sensitive=case_sensitive)
    return Lexicon(given["scores"], case_sensitive=case_sensitive)


def _used_lexicons(templates: Any) -> set[str]:
    given = templates.items() if isinstance(templates, Mapping) else [(None, text) for text in templates]
    for name, text in given:
        if not isinstance(text, str):
            raise ParameterError(f"The template {name!r} must be a text such as 'lower[0]'. Got {text!r} instead.")
    parsed = [parse_template(text, name) for name, text in given]
    return {str(term.argument) for template in parsed for term in template.terms if term.is_about_lexicon}


def _table(settings: Mapping[str, Any], name: str, where: str = "features") -> Mapping[str, Any]:
    table = settings.get(name, {})
    if not isinstance(table, Mapping):
        raise ParameterError(f"{where}.{name} must be a table of settings. Got {table!r} instead.")
    return table


def _refuse_unknown(settings: Mapping[str, Any], known: Any, where: str) -> None:
    for name in settings:
        if name not in known:
            choices = quoted(nearest_first(name, known), 20)
            raise ParameterError(f"There is no setting {name!r} in {where}. Settings are {choices}.")
