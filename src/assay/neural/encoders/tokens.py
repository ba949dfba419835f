"""From texts to sequences of the tokens that a transformer knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from assay.header_checks import entry, whole_number
from assay.neural.encoders.extra import require_transformers
from assay.neural.reading.readers import READER_KINDS, Arrays
from assay.neural.reading.sequences import Sequences
from assay.prediction.scoring import documents_of

__all__ = ["TokenReader"]

_AT_ONCE = 10_000


@READER_KINDS.add
@dataclass(frozen=True, eq=False)
class TokenReader:
    """Reads tokens, with the marks that the transformer wants at the beginning and the end; long texts are cut.

    Attributes
    ----------
    tokenizer
        As the JSON of the library tokenizers.
    max_length
        Tokens that are read of a text, with the marks.
    lowercase
        Whether texts are lower-cased first.
    """

    tokenizer: str
    max_length: int
    lowercase: bool = False

    kind: ClassVar[str] = "tokens"

    def read(self, texts: Any, threads: int) -> Sequences:
        """Texts as sequences."""
        return self.read_strings(documents_of(texts).strings())

    def read_strings(self, strings: list[str]) -> Sequences:
        """The same for texts that are known to be strings."""
        ids, lengths, cut = [np.empty(0, dtype=np.int32)], [0], 0
        for begin in range(0, len(strings), _AT_ONCE):
            some = [self._plain(text) for text in strings[begin : begin + _AT_ONCE]]
            found = self._native.encode_batch(some)
            ids.append(np.fromiter((number for one in found for number in one.ids), dtype=np.int32))
            lengths += [len(one.ids) for one in found]
            cut += sum(bool(one.overflowing) for one in found)
        return Sequences(np.cumsum(lengths, dtype=np.int64), np.concatenate(ids), cut=cut)

    def count_cut(self, texts: list[str]) -> int:
        """How many texts are longer than what is read of them."""
        room = self.max_length - self._native.num_special_tokens_to_add(False)
        # A token is a byte at least, so that most texts need not be looked at.
        return self.read_strings([text for text in texts if len(text.encode("utf-8", "replace")) > room]).cut

    def check(self) -> None:
        """Raise ValueError if the tokenizer is none."""
        self._native.get_vocab_size()

    def check_fits(self, settings: Mapping[str, Any]) -> None:
        """Complain about a transformer that knows fewer tokens."""
        known, needed = settings["config"].get("vocab_size"), max(self._native.get_vocab().values(), default=-1) + 1
        if not isinstance(known, int) or needed > known:
            raise ValueError(f"the transformer knows {known} tokens, and the tokenizer has {needed}")

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values, and the tokenizer as bytes."""
        content = np.frombuffer(self.tokenizer.encode(), dtype=np.uint8)
        return {"max_length": self.max_length, "lowercase": self.lowercase}, {"tokenizer": content}

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> Self:
        """The inverse of `to_data`."""
        content = arrays.pop("tokenizer")
        if content.dtype != np.uint8 or content.ndim != 1:
            raise ValueError(f"the tokenizer is {content.dtype} of shape {content.shape}, and not bytes")
        most = whole_number(description, "max_length", 3, 1 << 20)
        return cls(content.tobytes().decode(), most, entry(description, "lowercase", bool))

    @cached_property
    def _native(self) -> Any:
        require_transformers("An encoder")
        from tokenizers import Tokenizer

        try:
            made = Tokenizer.from_str(self.tokenizer)
        except Exception as error:  # the library raises nothing more exact
            raise ValueError(f"the tokenizer cannot be read ({error})") from None
        made.no_padding()
        made.enable_truncation(self.max_length)
        return made

    def _plain(self, text: str) -> str:
        if not text.isascii():
            text = text.encode("utf-8", "replace").decode()  # half of a character, as strings can hold, becomes "?"
        return text.lower() if self.lowercase else text

    def __getstate__(self) -> dict[str, Any]:
        return {"tokenizer": self.tokenizer, "max_length": self.max_length, "lowercase": self.lowercase}
