"""The kinds of hand-made features that files may name, each imported when one does."""

from __future__ import annotations

from assay.features.columns.blocks import BLOCK_KINDS, KeptBlock

__all__: list[str] = []


@BLOCK_KINDS.later("embeddings")
def _embeddings() -> type[KeptBlock]:
    from assay.features.designed.embedding_block import EmbeddingBlock

    return EmbeddingBlock


@BLOCK_KINDS.later("functions")
def _functions() -> type[KeptBlock]:
    from assay.features.designed.functions import FunctionBlock

    return FunctionBlock


@BLOCK_KINDS.later("lexicons")
def _lexicons() -> type[KeptBlock]:
    from assay.features.designed.lexicon_block import LexiconBlock

    return LexiconBlock


@BLOCK_KINDS.later("scaled")
def _scaled() -> type[KeptBlock]:
    from assay.features.columns.scaling_block import ScaledBlock

    return ScaledBlock


@BLOCK_KINDS.later("templates")
def _templates() -> type[KeptBlock]:
    from assay.features.designed.template_block import TemplateBlock

    return TemplateBlock
