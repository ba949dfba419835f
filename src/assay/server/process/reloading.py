"""Models whose files are replaced while they are served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from assay.errors import AssayError
from assay.server.desk import Desk
from assay.server.process.model_files import ModelFile, ModelFolder, Stamp
from assay.server.shelf import ModelShelf

__all__ = ["Reloader"]

_log = logging.getLogger("assay.server")


class Reloader:
    """Looks at files, and loads again those that changed.

    A file is loaded when it has looked the same twice: somebody may be in the middle of writing it. One that is no
    model is refused, and said once; the model before it goes on. Requests that wait while a model takes the place of
    another are answered by the one that they came to.

    Parameters
    ----------
    files, folder
        What is looked at, and what loads it.
    """

    def __init__(self, files: Sequence[ModelFile], folder: ModelFolder) -> None:
        self._files, self._folder = files, folder
        self._loaded: dict[str, Stamp | None] = {file.name: file.stamp() for file in files}
        self._seen = dict(self._loaded)

    async def run(self, desk: Desk) -> None:
        """Look now and then, for ever."""
        while desk.settings.reload_every:
            await asyncio.sleep(desk.settings.reload_every)
            await self.look(desk)

    def renew(self, models: ModelShelf) -> None:
        """Load what has changed, for a process that begins; what cannot be loaded is left to it to refuse."""
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
        for file in self._files:
            stamp, before = file.stamp(), self._seen[file.name]
            self._seen[file.name] = stamp
            if stamp is None or stamp != before or stamp == self._loaded[file.name]:
                continue
            self._loaded[file.name] = stamp
            await self._reload(file, desk)

    async def _reload(self, file: ModelFile, desk: Desk) -> None:
        before = desk.models.get(file.name)
        try:
            model = await asyncio.to_thread(self._folder.load, file)
        except (AssayError, MemoryError, OSError) as error:
            said = str(error).replace(str(file.path), file.path.name)
            desk.metrics.counts.add(("reloads", file.name, "refused"))
            _log.warning("the model %s goes on as it was: the new file is refused: %s", file.name, said)
            return
        if model.digest == before.digest:
            return
        await asyncio.to_thread(model.prepare)
        desk.models.put(model)
        self._folder.drop(before)
        desk.metrics.counts.add(("reloads", file.name, "loaded"))
        _log.info("the model %s is %s now, and was %s", file.name, model.digest, before.digest)
