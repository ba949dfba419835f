"""Showing measurements: tables, curves, figures, and where a model goes wrong."""
