"""Pre-trained transformers that read texts: found on this computer, checked, and run; never fetched.

The way of a text, one module an idea::

    locate ── folder ── tokens ── transformer ── pooling ── sentence_encoder ── block, vectorizer    (linear models)
                                                        └── fine_tuning                          (all weights trained)
"""
