"""Models whose files are replaced while they are served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from assay.errors import AssayError
from assay.server.desk import Desk
from assay.server.process.model_files import ModelFile, ModelFolder, Stamp, models_in, require_own_name
from assay.server.shelf import ModelShelf

__all__ = ["Reloader"]

_log = logging.getLogger("assay.server")


class Reloader:
    """Looks at files, and loads again those that changed.

    A file is loaded when it has looked the same twice: somebody may be in the middle of writing it. One that is no
    model is refused, and said once; the model before it goes on. Requests that wait while a model takes the place of
    another are answered by the one that they came to. A file that appears in a folder of models is served from then on;
    one that goes away changes nothing.

    Parameters
    ----------
    files, folder
        What is looked at, and what loads it.
    watched
        Folders in which more files may appear.
    """

    def __init__(self, files: Sequence[ModelFile], folder: ModelFolder, watched: Sequence[Path] = ()) -> None:
        self._files, self._folder, self._watched = list(files), folder, watched
        self._left_out: set[Path] = set()
        self._loaded: dict[str, Stamp | None] = {file.name: file.stamp() for file in files}
        self._seen = dict(self._loaded)

    async def run(self, desk: Desk) -> None:
        """Look now and then, for ever."""
        while desk.settings.reload_every:
            await asyncio.sleep(desk.settings.reload_every)
            await self.look(desk)

    def renew(self, models: ModelShelf) -> None:
        """Load what has changed, for a process that begins; what cannot be loaded is left to it to refuse."""
        self._find_more()
        for file in self._files:
            stamp = file.stamp()
            if stamp is None or stamp == self._loaded[file.name]:
                continue
            with suppress(AssayError, OSError):
                model = self._folder.load(file)
                model.prepare()
                models.put(model)
                self._loaded[file.name] = self._seen[file.name] = stamp

    async def look(self, desk: Desk) -> None:
        """Look once."""
        self._find_more()
        for file in self._files:
            stamp, before = file.stamp(), self._seen[file.name]
            self._seen[file.name] = stamp
            if stamp is None or stamp != before or stamp == self._loaded[file.name]:
                continue
            self._loaded[file.name] = stamp
            await self._reload(file, desk)

    def _find_more(self) -> None:
        """Look after files that have appeared."""
        known = {file.path for file in self._files} | self._left_out
        for folder in self._watched:
            with suppress(OSError):  # the folder is not there now
                for file in models_in(folder):
                    if file.path not in known:
                        self._welcome(file)

    def _welcome(self, file: ModelFile) -> None:
        try:
            require_own_name(file, self._files)
        except AssayError:
            self._left_out.add(file.path)
            _log.warning("the new file %s is not served: its name is taken, or cannot be one", file.path.name)
            return
        self._files.append(file)
        self._loaded[file.name] = self._seen[file.name] = None

    async def _reload(self, file: ModelFile, desk: Desk) -> None:
        before = desk.models.find(file.name)
        try:
            model = await asyncio.to_thread(self._folder.load, file)
        except (AssayError, MemoryError, OSError) as error:
            said = str(error).replace(str(file.path), file.path.name)
            desk.metrics.counts.add(("reloads", file.name, "refused"))
            goes_on = "is not served yet" if before is None else "goes on as it was"
            _log.warning("the model %s %s: the new file is refused: %s", file.name, goes_on, said)
            return
        if before is not None and model.digest == before.digest:
            return
        await asyncio.to_thread(model.prepare)
        desk.models.put(model)
        desk.metrics.counts.add(("reloads", file.name, "loaded"))
        if before is None:
            _log.info("the model %s is served now: %s", file.name, model.digest)
            return
        self._folder.drop(before)
        _log.info("the model %s is %s now, and was %s", file.name, model.digest, before.digest)
