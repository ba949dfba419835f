"""What assay raises.

Every error says what was wrong, where, the value that was found, and the way out::

    AssayError                 anything that a user can put right; commands print it without a traceback
    ├── DataError              the data cannot be read or used as it is               exit code 3
    │   └── NoRowsLeftError    all rows were left out, as was asked for               exit code 3
    ├── ParameterError         a setting has a value that it cannot have              exit code 2
    │   └── UnclearColumnError which column is meant has to be said                   exit code 2
    ├── ModelFileError         a file is not a model, or is damaged, or too new       exit code 3
    ├── NotPermittedError      the system does not let this user at a file            exit code 1
    ├── NotEnoughMemoryError   memory ran out                                         exit code 1
    ├── NotFittedError         something was used before it was fitted                exit code 1
    └── MissingExtraError      an optional part of assay is not installed             exit code 1

    AssayWarning               something to know that stops nothing; also a UserWarning

`DataError` and `ParameterError` are also `ValueError`s, so that code written for scikit-learn's manners
catches them; `NotPermittedError` is also a `PermissionError`,
and `NotEnoughMemoryError` a `MemoryError`.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "AssayError",
    "AssayWarning",
    "DataError",
    "MissingExtraError",
    "ModelFileError",
    "NoRowsLeftError",
    "NotEnoughMemoryError",
    "NotFittedError",
    "NotPermittedError",
    "ParameterError",
    "UnclearColumnError",
    "warn",
]


class AssayError(Exception):
    """Anything that a user can put right."""

    exit_code = 1


class DataError(AssayError, ValueError):
    """The data cannot be read or used as it is."""

    exit_code = 3


class NoRowsLeftError(DataError):
    """All rows were left out: those without a label, or without a text, as was asked for."""


class ParameterError(AssayError, ValueError):
    """A setting has a value that it cannot have."""

    exit_code = 2


class UnclearColumnError(ParameterError):
    """Which column is meant has to be said: several could be, and none more than the others.

    Attributes
    ----------
    parameter
        The setting that says it: ``"text"`` or ``"label"``.
    columns
        The columns of the data with an example of each, those that could be meant first.
    """

    def __init__(self, message: str, parameter: str, columns: Sequence[tuple[str, str]]) -> None:
        super().__init__(message)
        self.parameter = parameter
        self.columns = tuple(columns)


class ModelFileError(AssayError):
    """A file is not a model, or is damaged, or was written by a newer version."""

    exit_code = 3


class NotPermittedError(AssayError, PermissionError):
    """The system does not let this user read or write a file or a folder."""

    @classmethod
    def of(cls, path: object) -> NotPermittedError:
        """Say it of the file or the folder that the system refused.

        Examples
        --------
        >>> print(NotPermittedError.of("reviews/neg"))
        reviews/neg: Permission denied. Change its permissions or those of the folder that it lies in (chmod), or ask
        their owner to.
        """
        return cls(
            f"{path}: Permission denied. Change its permissions or those of the folder that it lies in (chmod), or ask "
            "their owner to."
        )


class NotEnoughMemoryError(AssayError, MemoryError):
    """What is asked for does not fit into memory."""

    @classmethod
    def of(cls, error: Exception) -> NotEnoughMemoryError:
        """Say what numpy, pyarrow, the native core or Python knew about it.

        Examples
        --------
        >>> print(NotEnoughMemoryError.of(MemoryError("std::bad_alloc")))
        memory ran out. Give assay less at a time (fewer texts, shorter texts, smaller features), or more memory.
        """
        known = str(error).strip().rstrip(".")
        detail = f" ({known})" if known and "bad_alloc" not in known else ""
        return cls(
            f"memory ran out{detail}. Give assay less at a time (fewer texts, shorter texts, smaller features), or "
            "more memory."
        )


class NotFittedError(AssayError):
    """Something was used before it was fitted."""


class MissingExtraError(AssayError, ImportError):
    """An optional part of assay is not installed."""


class AssayWarning(UserWarning):
    """Something that a user should know and that stops nothing: what was guessed, or left out."""


def warn(message: str) -> None:
    """Give an `AssayWarning` of the line that called into assay, however deep in it this is called."""
    import sys
    import warnings

    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "assay":
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, AssayWarning, stacklevel=depth)
