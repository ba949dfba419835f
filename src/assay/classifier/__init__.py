"""The text classifier: vectorizer, learner, labels and provenance in one thing that can be trained, saved and loaded.

Neither scikit-learn nor scipy is imported before something is fitted.
"""

from __future__ import annotations

from assay.classifier.load import load
from assay.classifier.text_classifier import TextClassifier

__all__ = ["TextClassifier", "load"]
