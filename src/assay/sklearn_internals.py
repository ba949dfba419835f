"""What is used of scikit-learn although it is not public, all of it here, to be looked at with every new version.

Beside these names, our vectorizers call inherited methods whose names begin with an underscore. `make test-lowest` runs
them on the oldest version that pyproject.toml allows.
"""

from __future__ import annotations

from sklearn.base import _fit_context as fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import _BaseComposition as BaseComposition

__all__ = ["BaseComposition", "Interval", "StrOptions", "fit_context"]
