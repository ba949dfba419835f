"""Columns of any kind: side by side in one matrix, brought to one size, measured, ranked and selected.

::

    blocks (narrow_tables)                             blocks of columns beside each other
    scaling ── scaling_block, feature_scaler           one size
    measures ── ranking, feature_selector              which columns tell the classes apart
"""
