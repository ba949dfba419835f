"""Pages in the frame of ``templates/page.html``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["environment", "framed", "in_parts"]

TEMPLATES = Path(__file__).with_name("templates")


def environment(*folders: Path, **filters: Any) -> Environment:
    """Templates of `folders`, which may extend ``page.html``; every text in them is escaped.

    Parameters
    ----------
    folders
        Where the templates are, beside those of the frame.
    filters
        Filters that they use, beside ``name`` for names that may be long (`in_parts`).
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from assay import __version__

    # Everything is escaped, whatever a template's name ends in; style and script are included as they are.
    made = Environment(loader=FileSystemLoader([*folders, TEMPLATES]), autoescape=True, undefined=StrictUndefined)
    made.trim_blocks = made.lstrip_blocks = True
    made.filters |= {"name": in_parts, **filters}
    made.globals["version"] = __version__
    made.globals["verbatim"] = lambda name: Markup((TEMPLATES / name).read_text(encoding="utf-8"))
    return made


def framed(content: str, *, title: str, where: str = "") -> str:
    """A piece of HTML as a page.

    Parameters
    ----------
    content
        HTML, put in as it is.
    title
        Of the page, for tabs and bookmarks.
    where
        What the page is about, for the line at its top.

    Examples
    --------
    >>> "<p>Hello.</p>" in framed("<p>Hello.</p>", title="A page")
    True
    """
    from markupsafe import Markup

    template = environment().get_template("framed.html")
    return template.render(content=Markup(content), title=title, where=where)


def in_parts(name: object) -> Markup:
    """A name as HTML that may be broken where its parts meet, and a digest after every 16 digits; never within a word.

    Examples
    --------
    >>> print(in_parts("card_payment/fee <b>"))
    card_<wbr>payment/<wbr>fee &lt;b&gt;
    """
    from markupsafe import Markup, escape

    broken = re.sub(r"\b[0-9a-f]{32,}\b", lambda digest: "\0".join(re.findall(".{1,16}", digest[0])), str(name))
    parts = re.split(r"\0|(?<=[_./-])(?=[^\W\d])", broken)
    return Markup("<wbr>").join(escape(part) for part in parts)
