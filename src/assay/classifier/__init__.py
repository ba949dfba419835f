"""The text classifier: vectorizer, learner, labels and provenance in one thing that can be trained, saved and loaded.

::

    training_data ── training ── linear_form ── TextClassifier (text_classifier, manners) ── sklearn_export

Neither scikit-learn nor scipy is imported before something is fitted.
"""
