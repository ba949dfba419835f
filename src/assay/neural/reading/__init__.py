"""From texts to what a network is shown: words and their numbers, rows of features, batches.

::

    words ── word_reader ── sequences ──┐
    given_vectors                       ├── preparing ── batches
    feature_rows, number_rows ──────────┘                            readers: all of these as data
"""
