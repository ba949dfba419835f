"""N-grams: counted, hashed, weighted, in scikit-learn's manners and without.

::

    analysis ── vocabulary (column_choice) ── inverse_frequency ── text_features      all that prediction needs
                       │
    native_vectorizer ── learned_vocabulary ── count, tfidf, word_char; hashing       the classes that people use
"""
