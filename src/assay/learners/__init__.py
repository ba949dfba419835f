"""Linear classifiers in scikit-learn's manners, on native sparse solvers."""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
