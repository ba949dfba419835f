"""A network that can be built again from plain values."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from torch import nn

from assay.neural.parts.network_settings import Setting

__all__ = ["Network"]


class Network(nn.Module):
    """Base of the networks: sizes and choices in, a module with those sizes out.

    Attributes
    ----------
    SETTINGS
        What the settings may be.
    settings
        What this network was built from.
    """

    SETTINGS: ClassVar[dict[str, Setting]]
    settings: dict[str, Any]

    @classmethod
    def built(cls, **settings: Any) -> Self:
        """A new network, which remembers its settings."""
        made = cls(**settings)
        made.settings = settings
        return made
