"""Elements of BYTES tensors as bytes: each is its length (four bytes, the lowest first) and then itself.

This is how the binary extension of the Open Inference protocol writes texts; numbers are written as they lie in memory.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

__all__ = ["BrokenTensorError", "read_elements", "write_elements"]

_LENGTH = struct.Struct("<I")


class BrokenTensorError(ValueError):
    """Bytes that are not the elements of a tensor; the message says where and what is expected."""


def read_elements(data: bytes) -> list[bytes]:
    r"""The elements, which have to fill the bytes to the last one.

    Examples
    --------
    >>> read_elements(b"\x02\0\0\0hi\0\0\0\0")
    [b'hi', b'']
    >>> read_elements(b"\x09\0\0\0hi")
    Traceback (most recent call last):
        ...
    assay.server.binary_tensors.BrokenTensorError: element 1 should be 9 bytes long, and 2 bytes are left.
    """
    found: list[bytes] = []
    at, end = 0, len(data)
    while at < end:
        if end - at < _LENGTH.size:
            raise BrokenTensorError(
                f"after element {len(found)}, {end - at} bytes are left, and the length of an element takes 4."
            )
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if length > end - at:
            raise BrokenTensorError(
                f"element {len(found) + 1} should be {length} bytes long, and {end - at} bytes are left."
            )
        found.append(data[at : at + length])
        at += length
    return found


def write_elements(elements: Iterable[bytes]) -> bytes:
    r"""The same elements as bytes.

    Examples
    --------
    >>> write_elements([b"hi", b""])
    b'\x02\x00\x00\x00hi\x00\x00\x00\x00'
    """
    return b"".join(part for element in elements for part in (_LENGTH.pack(len(element)), element))
