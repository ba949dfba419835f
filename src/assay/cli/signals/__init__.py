"""Ctrl-C, and the system's requests to end: which signals count, and what a command does when one comes."""
