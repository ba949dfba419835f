"""Templates in files: a name, a colon and a template on each line; ``;`` begins a comment line."""

from __future__ import annotations

import os

from assay.errors import DataError
from assay.features.designed.template_language import parse_template
from assay.file_access import read_short_text
from assay.suggest import excerpt

__all__ = ["read_templates"]


def read_templates(path: str | os.PathLike[str]) -> dict[str, str]:
    r"""Read templates by name from a text file, each checked with the line that it stands in.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "stops.txt"
    ...     _ = file.write_text("; before and after\nbefore: lower[-1]\nafter: case[+1]\n")
    ...     read_templates(file)
    {'before': 'lower[-1]', 'after': 'case[+1]'}
    """
    name = os.fspath(path)
    try:
        text = read_short_text(name, "utf-8-sig")
    except (FileNotFoundError, IsADirectoryError):
        raise DataError(f"{name}: there is no such file of templates.") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: this file of templates is not UTF-8 ({error}). Save it as UTF-8.") from None
    templates: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith(";"):
            continue
        called, colon, template = (part.strip() for part in line.partition(":"))
        if not (called and colon and template):
            raise DataError(
                f"{name}, line {number}: {excerpt(line)} is no template with its name. Write it as 'before: lower[-1]'."
            )
        if called in templates:
            raise DataError(
                f"{name}, line {number}: there is a template {called!r} already. Give this one another name."
            )
        parse_template(template, called, f"{name}, line {number}")
        templates[called] = template
    if not templates:
        raise DataError(f"{name}: this file holds no templates. Write one a line, as 'before: lower[-1]'.")
    return templates
