"""File formats: which one a file has, and one module that reads it in pieces.

::

    recognition, containers ──┬─ separated (dialect, header)        CSV and TSV
                              ├─ json_lines (json_objects)
                              ├─ line_files                         one text a line, __label__ lines
                              ├─ columnar (class_labels)            Parquet and Arrow
                              ├─ spreadsheet (workbook, cells)      Excel
                              └─ folders                            a folder a class
"""
