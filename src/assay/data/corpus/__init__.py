"""The corpus: texts and labels that never change, where each row came from, and how it is divided.

::

    labels, origin, incidents ── corpus ──┬─ duplicates, near_copies (chains)      which texts are the same, or nearly
                                          ├─ split, row_selection                  parts of it
                                          ├─ spellings                             labels put right; changes tells it
                                          └─ fingerprint, corpus_view              its name, and how it shows itself
"""
