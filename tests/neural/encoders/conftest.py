"""An encoder of a few thousand weights, made here: big enough to learn a few words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

POSITIVE, NEGATIVE = ("great", "fun", "loved", "fine"), ("dull", "mess", "poor", "boring")
WORDS = [*POSITIVE, *NEGATIVE, "a", "film", "and", "so", "it", "was"]
TEXTS = [f"a {words[i % 4]} film and {words[i // 4 % 4]}" for i in range(16) for words in (POSITIVE, NEGATIVE)]
LABELS = ["pos", "neg"] * 16


def write_encoder(folder: Path, *, pooling: str = "pooling_mode_mean_tokens", normalize: bool = True) -> Path:
    pytest.importorskip("transformers", reason="needs the extra assay[encoders]")
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    vocabulary = {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}
    model = BertModel(BertConfig(vocab_size=len(vocabulary), max_position_embeddings=20, **sizes))
    with torch.no_grad():  # larger than usual: random words should differ
        model.embeddings.word_embeddings.weight.mul_(20)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    modules = ["Transformer", "Pooling", *(["Normalize"] if normalize else [])]
    places = ["", "1_Pooling", "2_Normalize"]
    described = [
        {"type": f"sentence_transformers.models.{m}", "path": p} for m, p in zip(modules, places, strict=False)
    ]
    (folder / "modules.json").write_text(json.dumps(described))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({pooling: True, "word_embedding_dimension": 16}))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 12, "do_lower_case": true}')
    return folder


@pytest.fixture(scope="session")
def encoder(tmp_path_factory) -> Path:
    """Folder of a small encoder, which no test changes."""
    return write_encoder(tmp_path_factory.mktemp("encoder"))
