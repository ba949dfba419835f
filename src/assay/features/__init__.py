"""What a document looks like to a learner: vectorizers and their parts.

The vectorizers are scikit-learn's in all but speed; beside them stand features that people design: lexicons, templates
and functions, their scaling, selection and union.

::

    texts (documents) ──┬── ngrams ────┐
                        └── designed ──┴── columns ── one matrix

`settings` makes vectorizers of plain tables, `storage` keeps fitted ones in files.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
