"""Reading labelled text into a `Corpus`.

The way of the data, one module a step::

    source ── locate ── streams ──┬─ separated ──┐
    (path, glob, "-", list, …)    ├─ json_lines  │
                                  ├─ line_files  ├── columns ── gather ── Corpus ──┬─ split
                                  ├─ columnar    │                                 └─ profile
                                  ├─ folders     │
                                  └─ memory  ────┘
"""
