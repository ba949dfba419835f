"""Words as vectors: learned from text without labels, kept in files, judged, and used as features.

::

    sentences ── encoded_text ─┬─ cooccurrence ── svd ─┬── WordVectors ─┬─ vector_files (word2vec_format)
                               └─ word2vec ────────────┘  (word_vectors) ├─ judging: similarity, analogies
                                                                         ├─ spelling, word_map
                                                                         └─ text_vectors ── vectorizer
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
