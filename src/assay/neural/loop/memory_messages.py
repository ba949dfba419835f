"""What is said where a network is larger than the memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from assay.errors import ParameterError

__all__ = ["enough_memory"]


@contextmanager
def enough_memory(what: str) -> Iterator[None]:
    """Turn the refusal of PyTorch or numpy to make something enormous into a sentence with the way out.

    Parameters
    ----------
    what
        Is being trained.
    """
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        asked = re.search(r"allocate ([\d.]+ ?\w+)", str(error))
        if isinstance(error, RuntimeError) and (asked is None or "memory" not in str(error)):
            raise
        size = f" ({asked[1]} were asked for at once)" if asked else ""
        raise ParameterError(
            f"There is not enough memory to train {what} with these settings{size}. Take smaller sizes of vectors and "
            "layers, a smaller batch_size, or a smaller max_length."
        ) from None
