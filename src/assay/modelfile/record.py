"""What a file says of a model beside what the model answers with: none of it changes an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.modelfile.attachment import Attachment
from assay.modelfile.frame import Section, section_of
from assay.modelfile.known_provenance import known_parts
from assay.modelfile.lineage import Lineage

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["RECORD_SECTIONS", "ModelRecord"]

#: The sections of a record, and the newest version of each that is understood.
RECORD_SECTIONS = {"provenance": 1, "lineage": 1, "sketch": 1, "novelty": 1, "held_out": 1, "state": 1}

_ATTACHED = ("sketch", "novelty", "held_out", "state")


@dataclass
class ModelRecord:
    """Where a model comes from, and what it remembers of its training texts.

    Attributes
    ----------
    provenance
        Data, settings, versions, time: plain values.
    lineage
        Models that it was made from; None where it was trained from nothing.
    sketch
        By which copies of training texts are known again.
    novelty
        By which texts unlike those of the training are known.
    held_out
        How held-out training texts were answered, by which a drift of later answers is known.
    state
        What its learner goes on from where the old texts are gone, see `assay.modelfile.kept_state`.
    ignored
        Sections that a newer assay wrote into the file and this one went on without; they are not written again.
    """

    provenance: dict[str, Any] = field(default_factory=dict)
    lineage: Lineage | None = None
    sketch: Attachment | None = None
    novelty: Attachment | None = None
    held_out: Attachment | None = None
    state: Attachment | None = None
    ignored: tuple[str, ...] = ()

    def remember(self, texts: pa.ChunkedArray, threads: int | None = None) -> None:
        """Keep hashes of the training texts, see `assay.modelfile.text_sketch`."""
        from assay.modelfile.text_sketch import TextSketch

        self.sketch = TextSketch.of(texts, threads).to_attachment()

    def to_sections(self, *, record_time: bool = True) -> dict[str, Section]:
        """As sections that a reader may go on without; the time is part of the provenance only where it is wanted."""
        left_out = () if record_time else ("created",)
        told = {name: value for name, value in self.provenance.items() if name not in left_out}
        sections = {"provenance": Section(told, required=False)}
        if self.lineage is not None:
            sections["lineage"] = Section(self.lineage.to_dict(), required=False)
        for name in _ATTACHED:
            part: Attachment | None = getattr(self, name)
            if part is not None:
                sections[name] = Section(*part.to_data(), required=False)
        return sections

    @classmethod
    def from_sections(cls, sections: Mapping[str, Section], ignored: tuple[str, ...]) -> ModelRecord:
        """The inverse, for sections of unknown origin."""
        made = cls(ignored=ignored)
        if "provenance" in sections:
            made.provenance = known_parts(sections["provenance"].content)
        if "lineage" in sections:
            with section_of(sections, "lineage") as part:
                made.lineage = Lineage.from_dict(part.content)
        for name in _ATTACHED:
            if name in sections:
                with section_of(sections, name) as part:
                    setattr(made, name, Attachment.from_data(part.content, part.arrays))
        return made
