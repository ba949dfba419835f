"""The frame that every page of assay stands in: one style, one script, one file that loads nothing."""

from assay.page.frame import TEMPLATES, environment, framed, in_parts, with_interval

__all__ = ["TEMPLATES", "environment", "framed", "in_parts", "with_interval"]
