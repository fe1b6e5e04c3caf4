"""Cactus, scatter and growth plots as SVG, by matplotlib, which no other module imports.

Curves differ in colour, in dashes and in markers, so that they can be told apart without colours.
"""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from pbcnf.palette import SERIES
from pbcnf.wording import install_hint
from satsweeper.board.errors import MissingError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Numbers = NDArray[np.float64]

INK: Final = "#010203"
GRID: Final = "#030201"
"""Colours of drawings that `inline` replaces by the page's colours of text and of rules."""

_DASHES: Final = ("-", "--", "-.", ":")
_HATCHES: Final = ("", "////", "....", "\\\\\\\\", "xxxx")
_MOST_TICKS: Final = 5
"""The most numbers at a logarithmic axis: more of them would overlap."""
_MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")
_STYLE: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "satsweeper",
    # A dollar sign in a name does not begin a formula.
    "text.parse_math": False,
    "font.family": "sans-serif", "font.size": 10, "text.color": INK, "axes.labelcolor": INK,
    "axes.edgecolor": GRID, "axes.spines.top": False, "axes.spines.right": False,
    "xtick.color": INK, "ytick.color": INK, "grid.color": GRID, "grid.linewidth": 0.5,
    "legend.frameon": False, "legend.fontsize": 9,
}  # fmt: skip


class PlottingMissingError(MissingError):
    """Matplotlib is not installed; the message is a line that says how to get it."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points with a name; ``joined``: whether a line joins the points.

    ``look``: equal numbers give equal colours and markers in every drawing; None is the colour INK.
    """

    name: str
    x: Numbers
    y: Numbers
    look: int | None
    joined: bool = True


@dataclass(frozen=True, slots=True)
class IntervalBar:
    """A number with a name, and the ends of its interval; ``look`` as in ``Curve``."""

    name: str
    value: float
    low: float
    high: float
    look: int


def check_plotting() -> None:
    """Raise PlottingMissingError if there is no matplotlib."""
    try:
        import matplotlib.figure  # noqa: F401  # only whether it is there
    except ImportError:
        raise PlottingMissingError(
            f"matplotlib is not installed: {install_hint('satsweeper[plot]')}"
        ) from None


def curves(
    drawn: Sequence[Curve], x_label: str, y_label: str, *, x_log: bool = False, y_log: bool = True
) -> str:
    """Curves or clouds, with a legend below: an SVG document.

    ``y_log`` and ``x_log`` make an axis logarithmic; then its numbers must be above 0.
    """
    # The legend has up to four columns, as many as the longest name leaves room for.
    columns = max(1, min(4, 84 // (max(len(curve.name) for curve in drawn) + 6)))
    with _axes((6.4, 4.0 + 0.22 * ceil(len(drawn) / columns))) as (axes, document):
        for curve in drawn:
            axes.plot(curve.x, curve.y, **_look(curve), label=curve.name)
        if y_log:
            _logarithmic(axes, "y")
        if x_log:
            _logarithmic(axes, "x")
        else:
            _whole_numbers(axes)
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.grid(True)
        if len(drawn) > 1:
            axes.figure.legend(loc="outside lower left", ncols=columns)
    return document[0]


def histogram(drawn: Sequence[Curve], x_label: str, y_label: str) -> str:
    """Bars over whole numbers, side by side where several curves have a number: an SVG document.

    Bars differ in colour and in hatching.
    """
    columns = max(1, min(4, 84 // (max(len(curve.name) for curve in drawn) + 6)))
    wide = 0.8 / len(drawn)
    with _axes((6.4, 4.0 + 0.22 * ceil(len(drawn) / columns))) as (axes, document):
        for at, curve in enumerate(drawn):
            left = curve.x + (at - (len(drawn) - 1) / 2) * wide
            look = curve.look or 0
            colour, hatch = SERIES[look % len(SERIES)][0], _HATCHES[look % len(_HATCHES)]
            axes.bar(
                left, curve.y, wide, label=curve.name, edgecolor=colour, hatch=hatch,
                color="none" if hatch else colour,
            )  # fmt: skip
        _whole_numbers(axes)
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.grid(True, axis="y")
        axes.set_axisbelow(True)
        if len(drawn) > 1:
            axes.figure.legend(loc="outside lower left", ncols=columns)
    return document[0]


def scatter(x: Numbers, y: Numbers, x_label: str, y_label: str, limit: float | None) -> str:
    """Pairs of numbers above 0 on equal logarithmic axes, with the diagonal: an SVG document.

    ``limit``: the time limit, drawn as lines if it is within the axes; None without a limit.
    """
    both = np.concatenate([x, y])
    low, high = float(np.min(both)) / 1.3, float(np.max(both)) * 1.3
    with _axes((4.2, 4.0)) as (axes, document):
        axes.plot([low, high], [low, high], color=INK, linewidth=0.8)
        if limit is not None and limit < high:
            axes.axvline(limit, color=INK, linewidth=0.8, linestyle=":")
            axes.axhline(limit, color=INK, linewidth=0.8, linestyle=":")
        axes.plot(x, y, "o", color=SERIES[0][0], markersize=3.5, alpha=0.6, markeredgewidth=0)
        axes.set(xlim=(low, high), ylim=(low, high))
        _logarithmic(axes, "x")
        _logarithmic(axes, "y")
        axes.set_aspect("equal")
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.grid(True)
    return document[0]


def ranges(drawn: Sequence[IntervalBar], label: str, mark: float | None = None) -> str:
    """Return numbers with their intervals, one below the other, as an SVG document.

    ``label``: the name of the axis of the numbers. ``mark``: the place of a line, None for no line.
    """
    with _axes((6.4, 0.9 + 0.32 * len(drawn))) as (axes, document):
        for at, each in enumerate(drawn):
            colour, marker = SERIES[each.look % len(SERIES)][0], _MARKERS[each.look % len(_MARKERS)]
            axes.plot([each.low, each.high], [at, at], color=colour, linewidth=2)
            axes.plot([each.value], [at], marker, color=colour, markersize=6)
        if mark is not None:
            axes.axvline(mark, color=INK, linewidth=0.8, linestyle=":")
        axes.set_yticks(range(len(drawn)), [each.name for each in drawn])
        axes.set_ylim(len(drawn) - 0.5, -0.5)
        axes.set_xlabel(label)
        axes.grid(True, axis="x")
    return document[0]


def inline(drawing: str, key: str, title: str, description: str) -> str:
    """An SVG document as an element of a page of HTML.

    Args:
        drawing: the document.
        key: prefix of every id, since all ids of a page must be different.
        title: the accessible name.
        description: the content of the drawing in words, for readers who do not see it.
    """
    text = drawing[drawing.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\s(?:xmlns(?::\w+)?|version)="[^"]*"', "", text)
    text = re.sub(r'\bid="', f'id="{key}-', text)
    text = text.replace("url(#", f"url(#{key}-").replace('xlink:href="#', f'href="#{key}-')
    for at, (light, _) in enumerate(SERIES):
        text = text.replace(light, f"var(--s{at})")
    text = text.replace(INK, "currentColor").replace(GRID, "var(--rule)")
    head, _, rest = text.partition(">")
    head = re.sub(r'\s(?:width|height)="[^"]*"', "", head)
    named = f' role="img" aria-labelledby="{key}-title {key}-desc"'
    names = (
        f'<title id="{key}-title">{escape(title)}</title>'
        f'<desc id="{key}-desc">{escape(description)}</desc>'
    )
    return f"{head}{named}>{names}{rest}"


@contextmanager
def _axes(inches: tuple[float, float]) -> Iterator[tuple["Axes", list[str]]]:
    """Give axes to draw on, and a list that gets the SVG document when the block ends."""
    check_plotting()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    document: list[str] = []
    with rc_context(_STYLE):
        figure = Figure(figsize=inches, layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0)
        yield axes, document
        stream = io.StringIO()
        # No date: equal sweeps give equal pages.
        figure.savefig(stream, format="svg", metadata={"Date": None})
        document.append(stream.getvalue())


def _whole_numbers(axes: "Axes") -> None:
    """Let an axis of jobs or guesses have whole numbers alone."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(nbins=9, integer=True, min_n_ticks=1))


def _logarithmic(axes: "Axes", name: Literal["x", "y"]) -> None:
    """Make an axis, whose points are drawn, logarithmic, with few labels in plain numbers."""
    from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator, StrMethodFormatter

    axes.set(**{f"{name}scale": "log"})
    axis = axes.xaxis if name == "x" else axes.yaxis
    low, high = sorted(map(float, axis.get_view_interval()))
    axis.set_major_locator(FixedLocator(_ticks(low, high)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def _ticks(low: float, high: float) -> list[float]:
    """Two to five round numbers between two numbers above 0: the roundest that there are."""
    first, last = floor(log10(low)), ceil(log10(high))
    for digits in ((10,), (10, 20, 50), range(10, 100, 10), range(10, 100)):
        found = [
            float(f"{digit}e{power - 1}")
            for power in range(first, last + 1)
            for digit in digits
            if low <= float(f"{digit}e{power - 1}") <= high
        ]
        if len(found) > 1:
            return found[:: ceil(len(found) / _MOST_TICKS)]
    return [float(f"{(low * high) ** 0.5:.3g}")]


def _look(curve: Curve) -> dict[str, Any]:
    look: dict[str, Any] = {"markersize": 4, "linewidth": 1.5, "linestyle": "none"}
    at = curve.look
    if at is None:
        look |= {"color": INK, "linewidth": 1.0}
    else:
        look |= {"color": SERIES[at % len(SERIES)][0], "marker": _MARKERS[at % len(_MARKERS)]}
    if curve.joined:
        # Curves of equal colour and marker differ in dashes.
        look["linestyle"] = "-" if at is None else _DASHES[(at + at // len(SERIES)) % len(_DASHES)]
        # About twenty markers for each curve.
        look["markevery"] = max(len(curve.x) // 20, 1)
    else:
        look["alpha"] = 0.75
    return look
