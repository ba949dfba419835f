"""Lines and bars between two axes as SVG that stands in a page: in its letters, and in colours that follow its scheme.

A page needs a handful of small charts. Drawn here they cost a millisecond, where a plotting library takes seconds to
load and to lay them out: as long as a small training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from markupsafe import Markup, escape

__all__ = ["Axis", "Bars", "Drawing", "Key", "Line", "draw"]

FONT = 11.5
WIDTH, SQUARE, FLAT = 364, 338, 240
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 8, 42
LINE = 1.4  # wide; dashes are in multiples of it
KEY_LINE = 2.6  # in a legend
MOST_TICKS = 6
NICE = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Axis:
    """What an axis shows, and from where to where."""

    title: str
    low: float
    high: float
    whole: bool = False  # whether only whole numbers have a tick

    def ticks(self) -> list[tuple[float, str]]:
        """A handful of round numbers, and how they are written: each with as many digits.

        Examples
        --------
        >>> [written for _, written in Axis("share", 0, 1.02).ticks()], Axis("epoch", 1, 2, whole=True).ticks()
        (['0.0', '0.2', '0.4', '0.6', '0.8', '1.0'], [(1.0, '1'), (2.0, '2')])
        """
        span = self.high - self.low
        size = 10.0 ** floor(log10(span / MOST_TICKS))
        step = next(nice * size for nice in (*NICE, 20.0) if span / (nice * size) <= MOST_TICKS)
        if self.whole:
            step = max(step, 1.0)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        digits = max(0, -floor(log10(step) + 1e-9))
        return [(k * step, f"{k * step:.{digits}f}") for k in range(first, last + 1)]


@dataclass(frozen=True)
class Line:
    """Points that are joined, and how they look.

    Attributes
    ----------
    x, y
        The points; the line has a gap where one is not finite.
    name
        In the legend; empty for a line that is not in it.
    colour, dashes
        Of CSS; and dashes and gaps as multiples of the width of the line, none of a line without gaps.
    steps
        Whether a value holds until the next point.
    dots
        Whether the points are marked.
    ranges
        Lowest and highest value at each point; empty for none.
    """

    x: Sequence[float]
    y: Sequence[float]
    name: str = ""
    colour: str = "var(--c1)"
    dashes: tuple[float, ...] = ()
    steps: bool = False
    dots: bool = False
    ranges: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class Bars:
    """Bars on the lower axis, the highest of which reaches to a sixth of the height."""

    left: Sequence[float]
    heights: Sequence[float]
    width: float
    name: str
    colour: str = "var(--bar)"


@dataclass(frozen=True)
class Key:
    """What a line or an area of a chart is: its name, its colour and its dashes."""

    name: str
    colour: str
    dashes: str  # of SVG; empty for a line without gaps
    area: bool


@dataclass(frozen=True)
class Drawing:
    """A chart as SVG, and its legend, which the page writes in letters of its own size."""

    svg: Markup
    keys: tuple[Key, ...]
    title: str  # of the legend


def draw(
    lines: Sequence[Line],
    x: Axis,
    y: Axis,
    what: str,
    *,
    bars: Bars | None = None,
    square: bool = False,
    legend: str = "",
) -> Drawing:
    """A chart; `what` it shows is said to those who do not see it.

    Examples
    --------
    >>> chart = draw([Line([0, 1], [0, 1], "model")], Axis("recall", 0, 1), Axis("precision", 0, 1), "a curve")
    >>> chart.keys, str(chart.svg).count("<path")
    ((Key(name='model', colour='var(--c1)', dashes='', area=False),), 2)
    """
    height = SQUARE if square else FLAT
    frame = _Frame(x, y, height)
    parts = [] if bars is None else frame.bars(bars)
    parts += frame.axes()
    for line in lines:
        parts += frame.line(line)
    svg = Markup(
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}" font-size="{}" fill="currentColor">{}</svg>'
    ).format(WIDTH, height, what, FONT, Markup("").join(map(Markup, parts)))
    keys = [Key(line.name, line.colour, _dashes(line, KEY_LINE), area=False) for line in lines if line.name]
    if bars is not None:
        keys.append(Key(bars.name, bars.colour, "", area=True))
    return Drawing(svg, tuple(keys), legend)


@dataclass(frozen=True)
class _Frame:
    """Where values stand, in the units of the drawing."""

    horizontal: Axis
    vertical: Axis
    height: int

    def x(self, value: float) -> float:
        axis = self.horizontal
        return LEFT + (value - axis.low) / (axis.high - axis.low) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        axis = self.vertical
        return TOP + (axis.high - value) / (axis.high - axis.low) * (self.height - TOP - BOTTOM)

    def axes(self) -> list[str]:
        bottom, right = self.height - BOTTOM, WIDTH - RIGHT
        marks, words = [f"M{LEFT} {TOP}V{bottom}H{right}"], []
        for value, written in self.horizontal.ticks():
            at = self.x(value)
            marks.append(f"M{at:.1f} {bottom}v4")
            words.append(f'<text x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">{written}</text>')
        for value, written in self.vertical.ticks():
            at = self.y(value)
            marks.append(f"M{LEFT} {at:.1f}h-4")
            words.append(f'<text x="{LEFT - 7}" y="{at + 4:.1f}" text-anchor="end">{written}</text>')
        middle = (TOP + bottom) / 2
        return [
            f'<path d="{"".join(marks)}" fill="none" stroke="currentColor" stroke-width="0.8"/>',
            *words,
            f'<text x="{(LEFT + right) / 2:.1f}" y="{self.height - 6}" text-anchor="middle">'
            f"{escape(self.horizontal.title)}</text>",
            f'<text transform="translate(11 {middle:.1f}) rotate(-90)" text-anchor="middle">'
            f"{escape(self.vertical.title)}</text>",
        ]

    def bars(self, bars: Bars) -> list[str]:
        most, bottom = max(bars.heights, default=0) or 1, self.height - BOTTOM
        tallest = (bottom - TOP) / 6
        drawn = []
        for left, value in zip(bars.left, bars.heights, strict=True):
            width, tall = self.x(left + bars.width) - self.x(left), tallest * value / most
            place = f'x="{self.x(left):.1f}" y="{bottom - tall:.1f}" width="{width:.1f}" height="{tall:.1f}"'
            drawn.append(f'<rect {place} fill="{bars.colour}"/>')
        return drawn

    def line(self, line: Line) -> list[str]:
        dashes = _dashes(line, LINE)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        path = self._path(line)
        drawn = [f'<path d="{path}" fill="none" stroke="{line.colour}" stroke-width="{LINE}"{dashed}/>'] if path else []
        for at, (low, high) in zip(line.x, line.ranges, strict=False):
            ends = f"M{self.x(at) - 2:.1f} {self.y(low):.1f}h4m-2 0V{self.y(high):.1f}m-2 0h4"
            drawn.append(f'<path d="{ends}" fill="none" stroke="{line.colour}"/>')
        if line.dots:
            drawn += [
                f'<circle cx="{self.x(at):.1f}" cy="{self.y(value):.1f}" r="2.4" fill="{line.colour}"/>'
                for at, value in zip(line.x, line.y, strict=True)
                if isfinite(value)
            ]
        return drawn

    def _path(self, line: Line) -> str:
        """Points that fall on the one before, to a tenth of a unit, are left out."""
        path: list[str] = []
        before = ("", "")
        joined = False
        for at, value in zip(line.x, line.y, strict=True):
            if not (isfinite(at) and isfinite(value)):
                joined = False
                continue
            here = f"{self.x(at):.1f}", f"{self.y(value):.1f}"
            if not joined:
                path.append(f"M{here[0]} {here[1]}")
            elif here != before:
                path.append(f"H{here[0]}V{here[1]}" if line.steps else f"L{here[0]} {here[1]}")
            joined, before = True, here
        return "".join(path)


def _dashes(line: Line, width: float) -> str:
    return " ".join(f"{width * length:g}" for length in line.dashes)
