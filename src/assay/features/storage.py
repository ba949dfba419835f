"""Fitted vectorizers in files that hold only data: one safetensors file, no pickle."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from assay.errors import NotFittedError, ParameterError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.count import CountVectorizer
from assay.features.ngrams.hashing import HashingVectorizer
from assay.features.ngrams.native_vectorizer import number_type, refuse_code
from assay.features.ngrams.tfidf import TfidfVectorizer
from assay.features.ngrams.vocabulary import Vocabulary
from assay.features.ngrams.word_char import WordCharVectorizer
from assay.header_checks import array, choice, entry, numbers, refuse_rest, taken, whole_number
from assay.tensor_file import damage_said, read_tensor_file, write_tensor_file

__all__ = ["load", "save"]

_FORMAT = "vectorizer"
_VERSION = 1
_CLASSES = {kind.__name__: kind for kind in (CountVectorizer, TfidfVectorizer, HashingVectorizer, WordCharVectorizer)}


def save(vectorizer: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted vectorizer to `path`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(TfidfVectorizer().fit(["good film", "bad film"]), f"{folder}/words.safetensors")
    ...     load(f"{folder}/words.safetensors").get_feature_names_out().tolist()
    ['bad', 'film', 'good']
    """
    parts = {"word": vectorizer.word_, "char": vectorizer.char_} if hasattr(vectorizer, "word_") else {"": vectorizer}
    header: dict[str, Any] = {
        "format": _FORMAT,
        "version": _VERSION,
        "class": type(vectorizer).__name__,
        "parameters": _plain_parameters(vectorizer),
        "parts": {},
    }
    arrays: dict[str, Any] = {}
    for name, part in parts.items():
        if isinstance(part, HashingVectorizer):
            continue
        header["parts"][name] = _describe(part, name, arrays)
    write_tensor_file(path, header, arrays)


def _describe(part: Any, name: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """Put a part's arrays into `arrays` and return what else is needed to make it again."""
    part.check_as_data()
    if "_vocabulary" not in vars(part):
        raise NotFittedError(f"this {type(part).__name__} has learned nothing yet: call 'fit' before 'save'.")
    if not isinstance(part._vocabulary, Vocabulary):
        raise ParameterError("features that are no strings cannot be saved: let the analyzer give strings.")
    vocabulary = part._vocabulary_for(part._analysis())  # settings may have been changed since it was fitted
    arrays[f"{name}.terms"], arrays[f"{name}.offsets"] = vocabulary.to_arrays()
    description: dict[str, Any] = {"analysis": vocabulary.analysis.to_dict()}
    if isinstance(part, TfidfVectorizer):
        transformer = part._tfidf
        if hasattr(transformer, "idf_"):
            arrays[f"{name}.idf"] = transformer.idf_
        if hasattr(transformer, "document_frequencies_"):
            arrays[f"{name}.document_frequencies"] = transformer.document_frequencies_
            description["n_documents"] = int(transformer.n_documents_)
    return description


def load(path: str | os.PathLike[str]) -> Any:
    """Read a vectorizer that `save` wrote. Nothing in the file is run, and everything in it is checked."""
    file = read_tensor_file(path, {_FORMAT: _VERSION}, "vectorizer")
    with damage_said(file.name):
        return _rebuild(file.header, file.arrays)


def _rebuild(header: dict[str, Any], arrays: dict[str, Any]) -> Any:
    parameters = dict(entry(header, "parameters", dict))
    for pair in ("ngram_range", "word_ngrams", "char_ngrams"):
        if isinstance(parameters.get(pair), list):
            parameters[pair] = tuple(parameters[pair])
    parameters["dtype"] = _number_type(entry(parameters, "dtype", str))
    vectorizer = _CLASSES[choice(header, "class", list(_CLASSES))](**parameters)
    parts = {"": vectorizer}
    if isinstance(vectorizer, WordCharVectorizer):
        vectorizer._validate_params()
        vectorizer.word_, vectorizer.char_ = vectorizer._new_vectorizers()
        parts = {"word": vectorizer.word_, "char": vectorizer.char_}
    kept = dict(arrays)
    described = entry(header, "parts", dict)
    for name, part in parts.items():
        part.check_as_data()
        if not isinstance(part, HashingVectorizer):
            _restore(part, entry(described, name, dict), taken(f"{name}.", kept))
    refuse_rest(kept)
    return vectorizer


def _number_type(name: str) -> np.dtype[Any]:
    found = number_type(name)
    if found.kind not in "iuf":
        raise ValueError(f"'dtype' is {name!r}, which is no type of numbers")
    return found


def _restore(part: Any, description: dict[str, Any], arrays: dict[str, Any]) -> None:
    analysis = Analysis.from_dict(entry(description, "analysis", dict))
    if analysis != part._analysis():
        raise ValueError("'analysis' is not what the parameters say")
    part._vocabulary = Vocabulary.checked(analysis, arrays["terms"], arrays["offsets"])
    part.fixed_vocabulary_ = part.vocabulary is not None
    if not isinstance(part, TfidfVectorizer):
        return
    part._tfidf = part._new_transformer()
    if "document_frequencies" in arrays:
        frequencies = array(arrays, "document_frequencies", (np.int64,), (len(part._vocabulary),))
        most = whole_number(description, "n_documents", 0, np.iinfo(np.int64).max)
        if ((frequencies < 0) | (frequencies > most)).any():
            raise ValueError("the document frequencies do not fit the vocabulary")
        part._tfidf.set_frequencies(frequencies, most)
    if "idf" in arrays:
        part._tfidf.idf_ = numbers(arrays, "idf", (np.float32, np.float64), (len(part._vocabulary),))
        part._tfidf.n_features_in_ = len(part._tfidf.idf_)
    elif part.use_idf:
        raise ValueError("the weights of the terms are missing")


def _plain_parameters(vectorizer: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, value in vectorizer.get_params(deep=False).items():
        if name == "dtype":
            plain[name] = np.dtype(value).str
            continue
        refuse_code(vectorizer, name, value)
        if name == "vocabulary" and value is not None:
            plain[name] = value if isinstance(value, dict) else list(value)
        elif isinstance(value, (set, frozenset)):
            plain[name] = sorted(value)
        else:
            plain[name] = value.item() if isinstance(value, np.generic) else value
    return plain
