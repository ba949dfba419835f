"""Arrow streams whose buffers are compressed: how large they really are would be known too late.

pyarrow does not tell, so this looks into the FlatBuffers table of each message, before anything of it is unpacked.
"""

from __future__ import annotations

import struct
from pathlib import Path

from assay.server.errors import ApiError

__all__ = ["refuse_packed"]

_DICTIONARY, _RECORDS = 2, 3  # kinds of messages
_KIND, _HEADER = 1, 2  # fields of a message
_DATA = 1  # field of a dictionary: its values, as records are
_COMPRESSION = 3  # field of records


def refuse_packed(path: Path) -> None:
    """Complain about a stream that is compressed, or is none."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as file:
        try:
            for message in pa.ipc.MessageReader.open_stream(file):
                if _is_packed(message.metadata.to_pybytes()):
                    what = "The buffers of the Arrow stream are compressed."
                    raise ApiError(415, what, "body", "Send it unpacked: the server unpacks nothing.")
        except (pa.ArrowException, OSError, struct.error, IndexError, EOFError):
            what = "The Arrow file cannot be read: it is damaged or not complete, or it is no stream."
            raise ApiError(422, what, "body", "Write it again, as an uncompressed stream.") from None


def _is_packed(metadata: bytes) -> bool:
    root = _follow(metadata, 0)
    kind = _field(metadata, root, _KIND)
    if kind is None or metadata[kind] not in (_DICTIONARY, _RECORDS):
        return False
    header = _field(metadata, root, _HEADER)
    if header is not None and metadata[kind] == _DICTIONARY:
        header = _field(metadata, _follow(metadata, header), _DATA)
    return header is not None and _field(metadata, _follow(metadata, header), _COMPRESSION) is not None


def _follow(data: bytes, at: int) -> int:
    """Where an offset points to."""
    return at + int(struct.unpack_from("<I", data, at)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where a field of a table is; None where it is left out."""
    places = table - struct.unpack_from("<i", data, table)[0]
    if places < 0 or 4 + 2 * number >= struct.unpack_from("<H", data, places)[0]:
        return None
    (offset,) = struct.unpack_from("<H", data, places + 4 + 2 * number)
    return table + offset if offset else None
