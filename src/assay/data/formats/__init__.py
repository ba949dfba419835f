"""File formats: which one a file has, and one module that reads it in pieces.

::

    recognition, containers ──┬─ separated (dialect, header)        CSV and TSV
                              ├─ json_lines (json_objects)
                              ├─ line_files                         one text a line, __label__ lines
                              ├─ columnar (class_labels)            Parquet and Arrow
                              ├─ spreadsheet (workbook, cells)      Excel
                              └─ folders                            a folder a class

A further format is a module here, a name in `assay.data.options` (``FORMATS``), its endings in
`assay.data.bytes.suffixes`, and, where it is written too, a writer in `assay.streaming.writers`.
"""
