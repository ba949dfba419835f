"""The report of a training: one HTML file to read, to show and to print, without any network."""

from __future__ import annotations

from assay.report.build import render_report, write_report

__all__ = ["render_report", "write_report"]
