"""Pictures in the page of a trace: each has names of its own, and says what it shows."""

from __future__ import annotations

import re

from assay.textbook.rendering.page import page


def test_two_pictures_share_no_name_and_are_described() -> None:
    svg = '<svg viewBox="0 0 1 1"><path id="a"/><use xlink:href="#a"/><g clip-path="url(#a)"/></svg>'
    html = page('The <b> "trace"', "source", [], [], {}, "done", [svg, svg])
    names = re.findall(r'\bid="([^"]*)"', html)
    assert names == ["picture-1-a", "picture-2-a"]
    assert re.findall(r"(?:#)(picture-\d-a)", html) == ["picture-1-a"] * 2 + ["picture-2-a"] * 2
    described = re.findall(r'<svg role="img" aria-label="([^"]*)"', html)
    assert described == [f"The &lt;b&gt; &quot;trace&quot;, picture {n}" for n in (1, 2)]
