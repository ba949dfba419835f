"""Columns: which one holds the texts and which the labels, by name and by content, and how many there may be."""
