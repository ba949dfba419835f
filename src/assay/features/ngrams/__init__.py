"""N-grams: counted, hashed, weighted, in scikit-learn's manners and without.

::

    analysis ── vocabulary (column_choice) ── inverse_frequency ── text_features      all that prediction needs
                       │
    native_vectorizer ── learned_vocabulary ── count, tfidf, word_char; hashing       the classes that people use

Tokenizers have their names in `analysis` (``NAMED_TOKENIZERS``) and their kernels in ``cpp/assay/text/tokenize.hpp``;
the tokens of lexicons and templates are in `assay.features.designed.tokens`.
"""
