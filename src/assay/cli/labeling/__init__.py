"""Labelling at the terminal: a text, a key, the next text."""
