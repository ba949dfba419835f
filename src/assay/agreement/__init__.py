"""Agreement: how far people who label the same texts agree, where they do not, and which label to take then.

`ratings` (who said what, from a file) → `coefficients` (kappa, alpha) with `interval` → `settling` (majority,
Dawid-Skene) → `result` (`Agreement`); `agree` goes the way.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
