"""Learning from texts of other domains, and from texts without labels."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.adaptation.easy_adapt import EasyAdapt
    from assay.adaptation.self_training import Round, SelfTraining

__all__ = ["EasyAdapt", "Round", "SelfTraining"]

_HOME_OF = {"EasyAdapt": "easy_adapt", "Round": "self_training", "SelfTraining": "self_training"}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.adaptation' has no attribute {name!r}")
    value = getattr(import_module(f"assay.adaptation.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
