"""Who wrote the files of a folder: so that a run that goes on there goes on with its own.

Beside the outputs lies a file of JSON Lines, hidden as patterns and readers of folders want it, with a line for each
output: its name, the model (file and SHA-256), the options that shape an answer, and when it was finished. Machines
that share the work by ``--shard`` write a file each, so that no two write to one; of several lines about an output the
last one counts.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.errors import ParameterError
from assay.suggest import counted
from assay.wording import setting

__all__ = ["FolderRecord", "Maker"]

_NAME = ".assay-predict"
_SHOWN = 12  # digits of a SHA-256


@dataclass(frozen=True, slots=True)
class Maker:
    """A model, and what it was asked.

    Parameters
    ----------
    model
        ``file`` and ``sha256``, as `assay.classifier.provenance.model_reference` has them.
    options
        Words of the command that shape the answers.
    """

    model: Mapping[str, str]
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The model by its file, and by the first digits of what is in it.

        Examples
        --------
        >>> Maker({"file": "shop.assay", "sha256": "3f2a91c04d17aa"}).name
        'shop.assay@3f2a91c04d17'
        """
        return f"{self.model['file']}@{self.model['sha256'][:_SHOWN]}"


class FolderRecord:
    """The makers of the outputs in a folder.

    Parameters
    ----------
    folder
        Where the outputs are.
    maker
        Who writes now.
    part
        What tells this writer from others that write at the same time, such as ``"2-of-8"``; nothing if it is alone.
    """

    def __init__(self, folder: str | os.PathLike[str], maker: Maker, part: str = "") -> None:
        self._folder = Path(folder)
        self._maker = maker
        self._path = self._folder / f"{_NAME}{f'.{part}' if part else ''}.jsonl"

    def refuse_others(self, outputs: Sequence[Path]) -> None:
        """Complain about outputs that are there and that another model, other options or nobody known has written."""
        there = [output for output in outputs if output.is_file()]
        lines = self._lines() if there else {}
        wrong = [(output, why) for output in there if (why := self._difference(lines.get(output.name)))]
        if not wrong:
            return
        first, why = wrong[0]
        others = f" (and {counted(len(wrong) - 1, 'other', 'others')})" if len(wrong) > 1 else ""
        raise ParameterError(
            f"{first}{others} is there already, and {why}: the answers of both would be mixed. Give another folder, or "
            f"add {setting('force', True)} to make all outputs again."
        )

    def add(self, output: Path) -> None:
        """Note that an output was finished."""
        said = {"output": output.name, **asdict(self._maker), "finished": datetime.now(UTC).isoformat()}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(said, ensure_ascii=False) + "\n")

    def _difference(self, line: Mapping[str, Any] | None) -> str:
        """What is not as now, in words; nothing where all is."""
        if line is None:
            return "nothing says which model wrote it"
        maker = Maker(line["model"], tuple(line["options"]))
        if maker.model["sha256"] != self._maker.model["sha256"]:
            return f"another model wrote it: {maker.name}, and this is {self._maker.name}"
        if maker.options != self._maker.options:
            return f"it was written {_with(maker.options)}, and this is asked for {_with(self._maker.options)}"
        return ""

    def _lines(self) -> dict[str, Mapping[str, Any]]:
        """The last line about each output; one that is none, as of a disk that was full, says nothing."""
        found: dict[str, Mapping[str, Any]] = {}
        for path in sorted(self._folder.glob(f"{_NAME}*.jsonl")):
            for written in path.read_text("utf-8", "replace").splitlines():
                try:
                    line = json.loads(written)
                    output, finished = str(line["output"]), str(line["finished"])
                    Maker({name: str(line["model"][name]) for name in ("file", "sha256")}, tuple(line["options"]))
                except (ValueError, LookupError, TypeError):
                    continue
                if output not in found or found[output]["finished"] <= finished:
                    found[output] = line
        return found


def _with(options: Sequence[str]) -> str:
    return f"with {shlex.join(options)}" if options else "without options"
