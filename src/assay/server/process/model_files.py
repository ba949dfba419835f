"""The files of the models that are served: which they are, read whole, and looked at again now and then.

What is served is a copy, in a folder that nobody else writes to: its digest is that of the very bytes that answer, and
whoever writes into the original, instead of replacing it, does not write into the memory of a running model. Workers
that load the same bytes map the same copy.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError, AssayWarning, ModelFileError, ParameterError
from assay.file_access import is_folder, is_there, require_name
from assay.loading import load
from assay.server.served_model import ServedModel
from assay.suggest import quote

__all__ = ["ModelFile", "ModelFolder", "Stamp", "find_models", "folders_among", "models_in", "require_own_name"]

Stamp = tuple[int, int, int]
"""Time of change, size and number of a file: another file, or another content, has another one."""


@dataclass(frozen=True)
class ModelFile:
    """A file and the name under which it is served."""

    name: str
    path: Path

    def stamp(self) -> Stamp | None:
        """What changes when the file does; None where it is not there now."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def find_models(given: Sequence[str]) -> list[ModelFile]:
    """The models that were named: a file, ``name=file``, or a folder of which every file that ends in .assay is one."""
    found: list[ModelFile] = []
    for argument in given:
        require_name(argument)
        name, equals, path = argument.partition("=")
        if is_there(argument) or not (equals and is_there(path)):
            name, path = "", argument
        if is_folder(path):
            if name:
                raise ParameterError(f"{argument}: a folder has many models, which are called as their files are.")
            found += _of_folder(path)
        elif not is_there(path):
            from assay.data.reading.locate import what_is_beside

            raise ModelFileError(f"{path}: no such file. {what_is_beside(Path(path))}")
        else:
            found.append(ModelFile(name or Path(path).stem, Path(path)))
    for at, model in enumerate(found):
        require_own_name(model, found[:at])
    return found


def folders_among(given: Sequence[str]) -> list[Path]:
    """The folders that were named, in which files may appear later."""
    return [Path(argument) for argument in given if is_folder(argument)]


def models_in(folder: Path) -> list[ModelFile]:
    """The models of a folder, by name; files that are hidden are left alone."""
    files = (file for file in folder.iterdir() if file.suffix == ".assay" and not file.name.startswith("."))
    return [ModelFile(file.stem, file) for file in sorted(files) if file.is_file()]


def require_own_name(model: ModelFile, others: Iterable[ModelFile]) -> None:
    """Complain where a name cannot be one, or is that of another model."""
    other = next((file for file in others if file.name == model.name), None)
    if other is not None:
        raise ParameterError(
            f"{other.path} and {model.path} would both be served as {quote(model.name)}. Name one of them "
            f"otherwise: NAME={model.path}."
        )
    if "/" in model.name or not model.name.isprintable():
        raise ParameterError(f"{quote(model.name)} cannot name a model: it has a slash, or a sign that is not shown.")


def _of_folder(path: str) -> list[ModelFile]:
    files = models_in(Path(path))
    if not files:
        raise ModelFileError(
            f"{path}: there is no model in this folder. Models end in .assay; or name the file itself."
        )
    return files


class ModelFolder:
    """Keeps copies of model files, and loads them.

    Parameters
    ----------
    threads
        How many a model may use for a large call.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="assay-serve-"))
        self._threads = threads

    def load(self, file: ModelFile) -> ServedModel:
        """Load a model; a file that is none is refused with an error that names it."""
        copy, digest = self._copied(file)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", AssayWarning)
                loaded = load(copy)
        except AssayError as error:
            if not copy.exists():  # another worker, which serves these bytes no more, has dropped it meanwhile
                return self.load(file)
            copy.unlink(missing_ok=True)  # whoever writes broken files again and again does not fill the disk
            said = str(error).replace(str(copy), str(file.path))
            raise type(error)(said) from None
        loaded.threads = self._threads
        return ServedModel(file.name, digest, loaded, _evaluation(file, digest))

    def drop(self, model: ServedModel) -> None:
        """Forget the copy of a model that is not served any more; whoever has it mapped keeps it."""
        with suppress(OSError):
            (self._folder / f"{model.digest}.assay").unlink()

    def remove(self) -> None:
        """Remove all copies, when nobody serves any more."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _copied(self, file: ModelFile) -> tuple[Path, str]:
        """A copy called as its bytes: another worker may have made it already."""
        sha256 = hashlib.sha256()
        try:
            with (
                open(file.path, "rb", opener=_without_waiting) as source,
                tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as target,
            ):
                try:
                    if not stat.S_ISREG(os.fstat(source.fileno()).st_mode):  # a device may never end
                        raise ModelFileError(f"{file.path}: this is no file, but a pipe or a device.")
                    while block := source.read(1 << 20):
                        sha256.update(block)
                        target.write(block)
                except BaseException:
                    os.unlink(target.name)  # noqa: PTH108
                    raise
                changed = os.fstat(source.fileno())
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            raise ModelFileError(f"{file.path}: the file cannot be read: {why}.") from None
        os.utime(target.name, ns=(changed.st_atime_ns, changed.st_mtime_ns))  # the model says when it was made
        copy = self._folder / f"{sha256.hexdigest()}.assay"
        Path(target.name).replace(copy)
        return copy, sha256.hexdigest()


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe is not waited for until somebody writes into it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _evaluation(file: ModelFile, digest: str) -> Mapping[str, Any] | None:
    """What was measured when the model was trained: in the folder of its run, if that is still of this model."""
    from assay.card.read_results import read_result, require_model

    path = file.path.with_suffix(".run") / "metrics.json"
    if not path.is_file():
        return None
    try:
        found = read_result(path, "evaluation")
        require_model(found, path, {"file": file.path.name, "sha256": digest})
    except AssayError:
        return None
    return found
