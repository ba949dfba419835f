"""Pages in the frame of ``templates/page.html``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["TEMPLATES", "environment", "framed", "in_parts", "with_interval"]

LONGEST_WORD = 24  # characters that stay together; what is longer, no column of a phone could hold
TWELVE = (
    r"(?:\S(?:[\u0300-\u036f\ufe0f\U0001f3fb-\U0001f3ff]|\u200d\S)*){1,12}"  # signs, with what is combined with them
)

#: Where style and script are, as files.
TEMPLATES = Path(__file__).with_name("templates")


def environment(*folders: Path, **filters: Any) -> Environment:
    """Templates of `folders`, which may extend ``page.html``; every text in them is escaped.

    Parameters
    ----------
    folders
        Where the templates are, beside those of the frame.
    filters
        Filters that they use, beside ``name`` for names that may be long (`in_parts`) and ``interval`` for cells that
        may end in one (`with_interval`).
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from assay import __version__

    # Everything is escaped, whatever a template's name ends in; style and script are included as they are.
    made = Environment(loader=FileSystemLoader([*folders, TEMPLATES]), autoescape=True, undefined=StrictUndefined)
    made.trim_blocks = made.lstrip_blocks = True
    made.filters |= {"name": in_parts, "interval": with_interval, **filters}
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
    """A name as HTML that may be broken where its parts meet, and a digest after every 16 digits.

    Within a word only where it is longer than any column: after every 12 characters.

    Examples
    --------
    >>> print(in_parts("card_payment/fee <b>"))
    card_<wbr>payment/<wbr>fee &lt;b&gt;
    >>> print(in_parts("Donaudampfschifffahrtsgesellschaft"))
    Donaudampfsc<wbr>hifffahrtsge<wbr>sellschaft
    """
    from markupsafe import Markup, escape

    broken = re.sub(r"\b[0-9a-f]{32,}\b", lambda digest: "\0".join(re.findall(".{1,16}", digest[0])), str(name))
    parts = re.split(r"\0|(?<=\w[_./])(?=[^\W\d])", broken)
    pieces = (piece for part in parts for piece in _breakable(part))
    return Markup("<wbr>").join(escape(piece) for piece in pieces)


def _breakable(part: str) -> list[str]:
    """A part of a name, cut within words that are too long; a sign stays with what is combined with it."""
    if len(part) <= LONGEST_WORD:
        return [part]
    pieces = []
    for run in re.findall(rf"\S{{{LONGEST_WORD + 1},}}|(?:\s|\S{{1,{LONGEST_WORD}}}(?!\S))+", part):
        pieces += re.findall(TWELVE, run) if re.fullmatch(r"\S+", run) and len(run) > LONGEST_WORD else [run]
    return pieces


def with_interval(cell: object) -> Markup:
    """A cell of a table; an interval at its end may stand below its value where there is little room.

    Examples
    --------
    >>> print(with_interval("0.91 [0.85, 0.95]"))
    0.91 <span class="within">[0.85, 0.95]</span>
    """
    from markupsafe import Markup

    found = re.fullmatch(r"(\S+) (\[[-+\d.]+, [-+\d.]+\])", str(cell))
    return in_parts(cell) if found is None else Markup('{} <span class="within">{}</span>').format(*found.groups())
