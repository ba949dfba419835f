"""Parameters that several commands share, each spelt and explained once, and how they are read and written again.

An option of one command alone is an annotated parameter of its function in `assay.cli.commands`.
"""
