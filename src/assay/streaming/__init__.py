"""Files in, files out, in memory that does not grow with the rows.

The way of a row, one module a step::

    data.BatchStream ── ahead ── answers (what the model says) ── writers (text_rows, Parquet, Arrow) ── outputs

`predict_file` and `predict_files` put a model in the middle, `convert_file` nothing but another format.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
