"""Models behind HTTP: `assay serve`. Needs the extra ``server``."""
