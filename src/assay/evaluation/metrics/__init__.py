"""Metrics: what a system said of documents whose labels are known, and what is counted of it."""
