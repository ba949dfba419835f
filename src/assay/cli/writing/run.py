"""Where ``assay train`` writes, and the writing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from assay.atomic_file import LONGEST_NAME
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.training.run import TrainingRun
    from assay.workspace.workspace import Workspace

__all__ = ["Places", "write_files"]

_ENDINGS = (
    *(".gz", ".zst", ".bz2", ".assay"),
    *(".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather", ".txt", ".xlsx", ".xlsm"),
)


@dataclass(frozen=True)
class Places:
    """The files of a run.

    Attributes
    ----------
    model, folder
        The model, and the run folder beside it.
    report
        A second place for the report; None for none.
    force
        Replace what is there.
    """

    model: Path
    folder: Path
    report: Path | None
    force: bool

    @property
    def checkpoint(self) -> Path:
        """Keeps the training of a network that is interrupted."""
        name, ending = _stem(self.model), ".checkpoint"
        if len(os.fsencode(name + ending)) > LONGEST_NAME:  # the model's own name still fits, so this has to, too
            name = f"{name[:50]}-{crc32(os.fsencode(name)):08x}"
        return self.model.with_name(name + ending)

    @classmethod
    def of(
        cls,
        data: list[str] | None,
        output: str | None,
        report: str | None,
        *,
        force: bool,
        also_read: Sequence[str | None] = (),
    ) -> Places:
        """Places by the options; what cannot be written, or is read as data or besides, is refused before all else.

        Examples
        --------
        >>> Places.of(["reviews.csv.gz"], None, None, force=True).model.name
        'reviews.assay'
        """
        from assay.data.bytes.suffixes import KNOWN_SUFFIXES
        from assay.output_files import FOREIGN_ENDINGS, check_outputs, file_path, refuse_endings

        if not data:
            raise ParameterError("There is no DATA to train on. Name a file: assay train reviews.csv.")
        model = file_path(output) if output else _beside(data[0])
        if os.path.isdir(model):  # noqa: PTH112  (a Path raises where a name is too long)
            raise ParameterError(f"{model}: this is a folder. Give -o the name of a file, such as {model / 'x.assay'}.")
        places = cls(model, model.with_name(f"{_stem(model)}.run"), file_path(report) if report else None, force)
        check_outputs([places.model, places.report], [*data, *also_read], folder=places.folder, force=force)
        refuse_endings(model, FOREIGN_ENDINGS | KNOWN_SUFFIXES, "a model is written as .assay")
        return places

    @classmethod
    def in_workspace(
        cls,
        space: Workspace,
        output: str | None,
        report: str | None,
        *,
        force: bool,
        also_read: Sequence[str | None] = (),
    ) -> Places:
        """Places of the next model of a workspace, or, where an output is given, of that."""
        from assay.output_files import check_outputs, file_path, make_folder

        data = [str(place) for place in space.data_files]
        if output is not None:
            return cls.of(data, output, report, force=force, also_read=also_read)
        model, folder = space.next_model
        for needed in (model.parent, folder.parent):
            make_folder(needed)
        places = cls(model, folder, file_path(report) if report else None, force)
        check_outputs([places.model, places.report], [*data, *also_read], folder=folder, force=force)
        return places

    def is_in(self, folder: Path) -> bool:
        """Whether the model goes to the models of a workspace."""
        from assay.workspace.settings import MODELS

        return self.model.parent == folder / MODELS


def write_files(run: TrainingRun, places: Places, reading: Mapping[str, Any], *, with_report: bool) -> dict[str, Path]:
    """Write the run folder and the model; returns what was written, by name."""
    from assay.atomic_file import move_atomically, write_atomically
    from assay.modelfile.provenance import model_reference
    from assay.training.run_folder import new_folder, write_run

    absolute = {**reading, **_absolute(reading)}
    written = {"model": places.model, "run": places.folder}
    with new_folder(places.folder, force=places.force) as folder:
        saved = folder / places.model.name
        run.model.save(saved)
        write_run(run, folder, absolute, model_reference(saved))
        if with_report or places.report:
            from assay.report import write_report

            settings = os.path.relpath(places.folder / "settings.toml", places.model.parent)
            write_report(run, folder / "report.html", model=places.model.name, settings=settings)
            written["report"] = places.folder / "report.html"
            if places.report is not None:
                write_atomically(places.report, (folder / "report.html").read_bytes())
                written["report"] = places.report
        move_atomically(saved, places.model)
    return written


def _beside(data: str) -> Path:
    """The model of a data file: the same name, in the same folder."""
    if data == "-":
        return Path("model.assay")
    plain = Path(data.replace("*", "").replace("?", "")) if any(mark in data for mark in "*?[") else Path(data)
    return plain.with_name(f"{_stem(plain) or 'model'}.assay")


def _stem(path: Path) -> str:
    name = path.name
    while (ending := Path(name).suffix.lower()) in _ENDINGS:
        name = name[: -len(ending)]
    return name.rstrip("-_. ")


def _absolute(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Paths that stand for themselves wherever the settings are used."""
    found: dict[str, Any] = {}
    for name in ("data", "test", "corrections"):
        value = reading.get(name)
        if value:
            paths = [value] if isinstance(value, str) else list(value)
            paths = [path if path == "-" or "://" in path else str(Path(path).absolute()) for path in paths]
            found[name] = paths[0] if isinstance(value, str) else paths
    return found
