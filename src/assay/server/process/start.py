"""From model files to a server that answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from assay.server.process.listening import address_of, listen
from assay.server.process.model_files import ModelFolder, find_models, folders_among
from assay.server.process.reloading import Reloader
from assay.server.process.serving import serve
from assay.server.process.workers import serve_with_workers
from assay.server.settings import ServerSettings
from assay.server.shelf import ModelShelf
from assay.threads import count_threads
from assay.wording import naming_options

__all__ = ["serve_models"]


def serve_models(
    given: Sequence[str],
    settings: ServerSettings,
    begun: Callable[[str, list[str]], None],
    log_to: int | None = None,
) -> None:
    """Load models and answer until a signal says to stop; `begun` is told the address and the models' names."""
    files = find_models(given)
    folder = ModelFolder(max(1, count_threads(None) // settings.workers))
    try:
        models = ModelShelf([folder.load(file) for file in files])
        reloader = Reloader(files, folder, folders_among(given))
        with listen(settings) as listening, naming_options(False):  # clients read fields, and not options
            begun(address_of(listening, settings), models.names)
            try:
                if settings.workers == 1:
                    serve(models, settings, listening, reloader, log_to=log_to)
                else:
                    serve_with_workers(models, settings, listening, reloader, log_to)
            finally:
                if settings.uds is not None:
                    Path(settings.uds).unlink(missing_ok=True)
    finally:
        folder.remove()
