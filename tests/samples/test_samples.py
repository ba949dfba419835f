from __future__ import annotations

from collections import Counter

from assay.samples import SHOP_MESSAGES, load_sample


def test_sample_has_five_classes_of_unequal_size():
    sizes = Counter(label for _, label in load_sample())
    assert sizes == {"delivery": 178, "returns": 131, "product question": 100, "payment": 84, "praise": 56}


def test_sample_texts_are_distinct_and_not_empty():
    texts = [text for text, _ in load_sample()]
    assert all(text.strip() for text in texts)
    assert len({text.casefold() for text in texts}) == len(texts)


def test_sample_licence_lies_beside_it():
    assert "CC0 1.0" in SHOP_MESSAGES.with_name("README.md").read_text("utf-8")
