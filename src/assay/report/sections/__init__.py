"""What each part of the report says, ready for its template: one module a section; mistakes are in `documents`."""
