"""Features that people design: words from lists, templates, functions and word vectors.

Of each kind there is what it means (`lexicon`, `template`, `functions`), its columns as plain data (`…_block`), its
class in scikit-learn's manners (`…_features`), and where it has one its file (`…_file`)::

    tokens, places, pattern ──┬─ lexicon ────────────────────┐
                              ├─ template (template_language,│── …_block ── …_features (designed_vectorizer)
                              │            template_values)  │
                              └─ functions, embedding_block ─┘
"""
