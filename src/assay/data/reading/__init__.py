"""Reading: from what the caller gave to a corpus, with every row that is left out counted.

::

    read ── locate ──┬─ a file's pieces ──┬── file_columns ── row_checks ──┬── gather ── Corpus
                     └─ in_memory ────────┘                                └── batches, for streams

    corrections (label_meant): labels that a person put right in a list
"""
