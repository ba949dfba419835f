"""Fitted vectorizers in files that hold only data: one safetensors file, no pickle."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from assay.errors import AssayError, ModelFileError, NotFittedError, ParameterError
from assay.features.analysis import Analysis
from assay.features.count import CountVectorizer
from assay.features.hashing import HashingVectorizer
from assay.features.native_vectorizer import refuse_code
from assay.features.tfidf import TfidfVectorizer
from assay.features.vocabulary import Vocabulary
from assay.features.word_char import WordCharVectorizer
from assay.tensor_file import read_tensor_file, write_tensor_file

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
    if "_vocabulary" not in vars(part):
        raise NotFittedError(f"this {type(part).__name__} has learned nothing yet: call 'fit' before 'save'.")
    if not isinstance(part._vocabulary, Vocabulary):
        raise ParameterError("features that are no strings cannot be saved: let the analyzer give strings.")
    arrays[f"{name}.terms"], arrays[f"{name}.offsets"] = part._vocabulary.to_arrays()
    description: dict[str, Any] = {"analysis": part._vocabulary.analysis.to_dict()}
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
    file = read_tensor_file(path, _FORMAT, _VERSION, "vectorizer")
    try:
        return _rebuild(file.header, file.arrays)
    except (AttributeError, KeyError, TypeError, ValueError, AssayError) as error:
        raise ModelFileError(f"{file.name}: the file is damaged ({error}).") from None


def _rebuild(header: dict[str, Any], arrays: dict[str, Any]) -> Any:
    parameters = dict(header["parameters"])
    for pair in ("ngram_range", "word_ngrams", "char_ngrams"):
        if pair in parameters:
            parameters[pair] = tuple(parameters[pair])
    parameters["dtype"] = np.dtype(parameters["dtype"])
    vectorizer = _CLASSES[header["class"]](**parameters)
    if isinstance(vectorizer, WordCharVectorizer):
        vectorizer.word_, vectorizer.char_ = vectorizer._new_vectorizers()
    for name, description in header["parts"].items():
        part = getattr(vectorizer, f"{name}_") if name else vectorizer
        _restore(part, description, {key.removeprefix(f"{name}."): value for key, value in arrays.items()})
    return vectorizer


def _restore(part: Any, description: dict[str, Any], arrays: dict[str, Any]) -> None:
    analysis = Analysis.from_dict(description["analysis"])
    part._vocabulary = Vocabulary.checked(analysis, arrays["terms"], arrays["offsets"])
    part.fixed_vocabulary_ = part.vocabulary is not None
    if not isinstance(part, TfidfVectorizer):
        return
    part._tfidf = part._new_transformer()
    if "document_frequencies" in arrays:
        frequencies, most = arrays["document_frequencies"], description["n_documents"]
        if frequencies.shape != (len(part._vocabulary),) or ((frequencies < 0) | (frequencies > most)).any():
            raise ValueError("the document frequencies do not fit the vocabulary")
        part._tfidf.set_frequencies(frequencies, most)
    if "idf" in arrays:
        if len(arrays["idf"]) != len(part._vocabulary) or not np.isfinite(arrays["idf"]).all():
            raise ValueError("the weights do not fit the vocabulary")
        part._tfidf.idf_ = arrays["idf"]
        part._tfidf.n_features_in_ = len(arrays["idf"])


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
