"""The text classifier: vectorizer, learner, labels and provenance in one thing that can be trained, saved and loaded.

Neither scikit-learn nor scipy is imported before something is fitted.
"""
