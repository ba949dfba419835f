"""What every request is answered with."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.server.batching import Places
from assay.server.gate import Gate
from assay.server.metrics import Metrics
from assay.server.page import PUBLIC
from assay.server.process.log_lines import LogLines
from assay.server.request_note import NoteBook
from assay.server.settings import ServerSettings
from assay.server.shelf import ModelShelf

__all__ = ["Desk"]


@dataclass(eq=False)
class Desk:
    """The models, the settings, and those who watch over requests; handlers find it as ``request.app.state.desk``.

    Attributes
    ----------
    ready
        Whether requests are taken: not any more when the server is about to stop.
    bulk
        Bodies of rows that are being answered.
    """

    models: ModelShelf
    settings: ServerSettings
    metrics: Metrics
    log: LogLines | None = None
    gate: Gate = field(init=False)
    notes: NoteBook = field(init=False)
    places: Places = field(init=False)
    ready: bool = True
    bulk: int = 0

    def __post_init__(self) -> None:
        self.gate = Gate(self.settings, PUBLIC)
        self.notes = NoteBook(self.metrics, self.log if self.settings.access_log else None)
        self.places = Places(self.settings.queue)
        self.models.join(self.places, self.metrics)
