"""Files in, files out, in memory that does not grow with the rows.

The way of a row, one module a step; what comes by standard input is `assay.data.bytes.live`::

    data.BatchStream ── ahead ── question ── the model ── replies, answer_columns ── writers ── outputs
                                                       (text_rows, sheet_writer, libsvm, Parquet, Arrow)

`predict` puts a model in the middle, `convert` nothing but another format. `folder_record` says who wrote a folder,
and `review_list` keeps the rows that a person should look at.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
