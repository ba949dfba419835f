"""How a model is made, as plain data: what is read out of texts, how it is weighted, and who learns from it.

A `Recipe` is one learner on one or more blocks of features. What `assay.train` ends with is one recipe, or several
whose scores are added up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from assay.errors import ParameterError
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.modelfile.provenance import MadeBy
from assay.suggest import refuse_unknown
from assay.training.feature_tables import FeatureTables
from assay.training.learner_settings import LearnerSettings
from assay.training.network_choice import NetworkChoice
from assay.training.vector_block import VectorBlock

__all__ = ["Block", "Recipe"]

Block = NgramSettings | VectorBlock


@dataclass(frozen=True)
class Recipe:
    """A learner on blocks of features that stand side by side.

    Examples
    --------
    >>> from assay.features.ngrams.analysis import Analysis
    >>> words = NgramSettings(Analysis(ngrams=(1, 2)))
    >>> Recipe((words,), LearnerSettings("svm", C=0.5)).name
    'linear SVM, C=0.5, words 1–2'
    """

    blocks: tuple[Block, ...]  # word vectors come last
    learner: LearnerSettings
    designed: FeatureTables | None = None  # instead of blocks: what the [features] tables of a file describe
    network: NetworkChoice | None = None  # instead of all this

    @property
    def name(self) -> str:
        """In a few words."""
        if self.network is not None:
            return self.network.name
        return f"{self.learner.title}, {self.learner.strength}, {self.features}"

    @property
    def features(self) -> str:
        """What it looks at, in a few words."""
        if self.network is not None:
            return self.network.features
        return " + ".join(part.name for part in (self.blocks if self.designed is None else (self.designed,)))

    @property
    def files(self) -> tuple[str, ...]:
        """Files and folders that it reads."""
        if self.network is not None:
            return self.network.files
        if self.designed is not None:
            return self.designed.files
        return tuple(block.file for block in self.blocks if isinstance(block, VectorBlock))

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for a settings file."""
        if self.network is not None:
            return {"network": self.network.to_dict()}
        if self.designed is not None:
            return {"learner": self.learner.to_dict(), "designed": self.designed.to_dict()}
        return {"learner": self.learner.to_dict(), "features": [block.to_dict() for block in self.blocks]}

    def made_by(self, seed: int) -> tuple[MadeBy, MadeBy]:
        """The learner and the features as a model's provenance tells them, the same wherever files lie."""
        if self.designed is not None:
            return self.learner.made_by(seed), MadeBy(self.features, json.loads(self.designed.tables))
        blocks = [block.to_dict() for block in self.blocks]
        for block in blocks:
            if "vectors" in block:
                block["vectors"] = PurePath(block["vectors"]).name
        return self.learner.made_by(seed), MadeBy(self.features, {"blocks": blocks})

    @classmethod
    def of_network(cls, name: str, settings: Mapping[str, Any]) -> Recipe:
        """A network, after a look at the names of its settings."""
        return cls((), LearnerSettings(), network=NetworkChoice.of(name, settings))

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Recipe:
        """The inverse of `to_dict`."""
        refuse_unknown(settings, ("learner", "features", "designed", "network"), "of a recipe")
        if "network" in settings:
            network = dict(settings["network"])
            refuse_unknown(network, ("name", "settings"), "of a network's recipe")
            return cls.of_network(network.get("name", ""), network.get("settings", {}))
        if "designed" in settings:
            designed = FeatureTables.from_dict(settings["designed"])
            return cls((), LearnerSettings.from_dict(settings.get("learner", {})), designed)
        described = sorted(settings.get("features", ()), key=lambda block: "vectors" in block)
        blocks = tuple((VectorBlock if "vectors" in block else NgramSettings).from_dict(block) for block in described)
        if not blocks:
            raise ParameterError("A recipe needs at least one block of features ([[recipes.features]]). Got none.")
        return cls(blocks, LearnerSettings.from_dict(settings.get("learner", {})))
