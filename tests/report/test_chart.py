"""Charts of a page: where lines stand, what is escaped, and what is left out."""

from __future__ import annotations

import re
import subprocess
import sys

from assay.report.chart import Axis, Bars, Line, draw

UNIT = Axis("x", 0, 1), Axis("y", 0, 1)


def test_a_line_has_a_gap_where_a_value_is_not_a_number():
    line = Line([0, 0.5, 0.6, 1], [0, float("nan"), 0.5, 1], "model")
    paths = re.findall(r'd="([^"]*)" fill="none" stroke="var\(--c1\)"', draw([line], *UNIT, "a curve").svg)
    assert paths == ["M46.0 198.0M230.8 103.0L354.0 8.0"]


def test_steps_hold_a_value_until_the_next_point_and_points_on_one_spot_are_drawn_once():
    line = Line([0, 0.5, 0.50001, 1], [1, 0.5, 0.5, 0], steps=True)
    svg = str(draw([line], *UNIT, "a curve").svg)
    assert "M46.0 8.0H200.0V103.0H354.0V198.0" in svg


def test_names_are_escaped_and_stand_in_the_legend_beside_those_of_areas():
    bars = Bars([0, 0.5], [1, 3], 0.5, "documents")
    chart = draw([Line([0, 1], [0, 1], "<b>")], Axis("<i>", 0, 1), UNIT[1], 'a "curve"', bars=bars, legend="two")
    assert "<i>" not in chart.svg
    assert "&lt;i&gt;" in chart.svg
    assert 'aria-label="a &#34;curve&#34;"' in chart.svg
    assert [(key.name, key.area) for key in chart.keys] == [("<b>", False), ("documents", True)]
    assert chart.title == "two"


def test_ticks_are_round_numbers_whatever_the_range():
    for low, high, least in ((0, 1.02, 4), (0.031, 0.034, 3), (0, 30, 4), (12, 90_000, 4), (-0.5, 0.5, 3)):
        ticks = Axis("", low, high).ticks()
        assert least <= len(ticks) <= 7
        assert all(low <= value <= high * (1 + 1e-9) for value, _ in ticks)
        assert len({written for _, written in ticks}) == len(ticks)


def test_a_report_needs_no_plotting_library():
    code = "import sys, assay.report.build, assay.report.sections.results; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
