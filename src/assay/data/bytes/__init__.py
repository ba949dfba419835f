"""Bytes: from files and pipes, unpacked, in whatever encoding, to valid UTF-8 in blocks of whole lines.

::

    suffixes ── streams ── encoding_detection, encoding, mojibake ── lines (row_length)
    live (arrivals): bytes that come while they are read
"""
