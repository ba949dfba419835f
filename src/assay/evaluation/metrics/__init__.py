"""Metrics: what a system said of documents whose labels are known, and what is counted of it.

::

    outcomes ── confusion ── catalogue (names, what each stands for)

A further metric has its name here, its formula where it is measured and resampled (`assay.evaluation.uncertainty`, and
``cpp/assay/resampling`` for those of labels), and its title in `assay.report.wording`.
"""
