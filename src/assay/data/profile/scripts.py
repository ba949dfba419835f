"""Scripts that put no blanks between words: Chinese, Japanese, Thai, Lao, Khmer and Burmese.

Where most letters of a corpus are of these, its words cannot be counted by blanks: characters, and pairs of them, are
counted in their place.
"""

from __future__ import annotations

import re

import pyarrow as pa

__all__ = ["has_words"]

_SAMPLE = 1000  # texts that tell
_SAMPLE_CHARACTERS = 2000  # of each
_MOST = 0.5  # of the letters
_UNSPACED = re.compile(
    "[\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"  # Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"  # Han
)
_LETTER = re.compile(r"[^\W\d_]|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


def has_words(texts: pa.ChunkedArray) -> bool:
    """Whether blanks divide the texts into words; the beginnings of the first thousand tell.

    Examples
    --------
    >>> has_words(pa.chunked_array([["loved it", "好 film"]])), has_words(pa.chunked_array([["这部电影很好", "ok"]]))
    (True, False)
    """
    sample = "".join(map(_beginning, texts.slice(0, _SAMPLE)))
    return len(_UNSPACED.findall(sample)) <= _MOST * len(_LETTER.findall(sample))


def _beginning(text: pa.StringScalar) -> str:
    """Of a text that may be a whole book: read from its bytes, since pyarrow's own functions take long to import."""
    most_bytes = 4 * _SAMPLE_CHARACTERS
    return bytes(memoryview(text.as_buffer())[:most_bytes]).decode(errors="ignore")[:_SAMPLE_CHARACTERS]
