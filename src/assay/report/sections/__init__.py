"""What each part of the report says, ready for its template: one module a section; mistakes are in `documents`.

A further section is a module here, a template in ``report/templates`` and a line in `assay.report.build`.
"""
