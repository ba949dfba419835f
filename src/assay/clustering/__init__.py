"""Texts in groups: k-means, how many groups, what they are about, and how well they agree with labels.

::

    texts ── choice (silhouettes) ── kmeans, mini_batch (base, row_distances) ── description (common_words) ── agreement
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
