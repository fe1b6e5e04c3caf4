"""Where the cells of each geometry lie in a picture, in units of the width of a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple

from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.show.picture.forms import HIGH, SIDE, Form, extent
from satsweeper.show.picture.graph_layout import MOST_NODES, places_of
from satsweeper.show.picture.strokes import Line, Point

_ROW: Final = sqrt(3) / 2
"""The distance of two rows of hexagons."""
_RULER: Final = 0.35
"""The distance of the middle of a ruler's numbers from the board below."""
_LEFT: Final = 0.18
"""The distance of the end of a ruler's numbers from the board to the right."""
_DASH: Final = 0.25
"""The length of a dash, and of the space between two."""
_APART: Final = 1.2
"""The space between two layers."""
_WIDEST: Final = 30
"""The greatest width of layers that stand beside each other."""
_AROUND: Final[tuple[Point, ...]] = (
    (0, 0.72), (0, -0.72), (0.8, 0), (-0.8, 0), (0.65, 0.5), (-0.65, 0.5), (0.65, -0.5),
    (-0.65, -0.5),
)  # fmt: skip
"""The places of a node's name around the node, the best first."""
_CLEAR: Final = 0.25
"""The distance from edges at which a name is well legible."""


class Label(NamedTuple):
    """A text with its middle at ``at``, or its end; a ruler's number may be left out when small."""

    at: Point
    text: str
    ruler: bool = False
    ends: bool = False
    """Whether the text ends at ``at``, as the numbers to the left of a board do."""


@dataclass(frozen=True)
class Arrangement:
    """The places of the cells, and what is drawn around and behind them.

    ``places``: the middle of each cell, by number. ``rows``: the cells of each row from left to
    right, from above, as people read them. ``lines``: drawn behind the cells.
    """

    places: tuple[Point, ...]
    forms: tuple[Form, ...]
    rows: tuple[tuple[int, ...], ...]
    labels: tuple[Label, ...] = ()
    lines: tuple[Line, ...] = ()

    @cached_property
    def box(self) -> tuple[Point, Point]:
        """The least and the greatest coordinates of all that is drawn."""
        xs, ys = [], []
        for (x, y), form in zip(self.places, self.forms, strict=True):
            for across, down in extent(form):
                xs.append(x + across - 0.5)
                ys.append(y + down - 0.5)
        for label in self.labels:
            half = 0.2 if label.ruler else 0.45
            xs += [label.at[0] - half * (1 + label.ends), label.at[0] + half * (not label.ends)]
            ys += [label.at[1] - 0.25, label.at[1] + 0.25]
        for line in self.lines:
            xs += [x for x, _ in line]
            ys += [y for _, y in line]
        return (min(xs), min(ys)), (max(xs), max(ys))

    @property
    def width(self) -> float:
        """The width of the box."""
        return self.box[1][0] - self.box[0][0]

    @property
    def height(self) -> float:
        """The height of the box."""
        return self.box[1][1] - self.box[0][1]

    def with_label(self, label: Label, line: Line) -> Arrangement:
        """Return the arrangement with one more label, and the line that leads to it."""
        return replace(self, labels=(*self.labels, label), lines=(*self.lines, line))

    def is_free(self, at: Point) -> bool:
        """Whether a label at this point is clear of every cell and of every other label."""
        near = [*self.places, *(label.at for label in self.labels)]
        return all((x - at[0]) ** 2 + (y - at[1]) ** 2 > 0.7 for x, y in near)


def arranged(geometry: Geometry) -> Arrangement:
    """Return where the cells of a geometry lie; of an unknown one as a graph."""
    if geometry.squares:
        return _squares(geometry)
    return _ARRANGED.get(geometry.name, _graph)(geometry)


def _rulers(
    columns: Iterable[float], rows: Iterable[float], left: float, top: float
) -> list[Label]:
    """The numbers above the columns with these middles, and to the left of such rows."""
    above = [Label((x, top - _RULER), str(at), True) for at, x in enumerate(columns)]
    return above + [Label((left - _LEFT, y), str(at), True, True) for at, y in enumerate(rows)]


def _squares(geometry: Geometry) -> Arrangement:
    rows, columns = geometry.shape
    places = tuple((c + 0.5, r + 0.5) for r in range(rows) for c in range(columns))
    edge = 0.16 if geometry.wraps else 0.0
    labels = _rulers(
        [c + 0.5 for c in range(columns)], [r + 0.5 for r in range(rows)], -edge, -edge
    )
    lines: tuple[Line, ...] = ()
    if geometry.wraps:
        # A dashed border: the board goes on behind it.
        low, right, below = -edge, columns + edge, rows + edge
        corners = (low, low), (right, low), (right, below), (low, below), (low, low)
        lines = tuple(dash for a, b in pairwise(corners) for dash in _dashes(a, b))
    forms = (Form.SQUARE,) * len(places)
    return Arrangement(places, forms, geometry.rows, tuple(labels), lines)


def _dashes(start: Point, end: Point) -> list[Line]:
    (ax, ay), (bx, by) = start, end
    length = abs(bx - ax) + abs(by - ay)
    number = max(round(length / (2 * _DASH)), 1)

    def at(share: float) -> Point:
        return ax + share * (bx - ax), ay + share * (by - ay)

    return [(at((k + 0.25) / number), at((k + 0.75) / number)) for k in range(number)]


def _hexagonal(geometry: Geometry) -> Arrangement:
    rows, columns = geometry.shape
    lines = [_ROW * r + 1 / sqrt(3) for r in range(rows)]
    places = tuple((c + 0.5 + 0.5 * (r % 2), lines[r]) for r in range(rows) for c in range(columns))
    labels = _rulers([c + 0.5 for c in range(columns)], lines, 0, 0)
    return Arrangement(places, (Form.POINTED,) * len(places), geometry.rows, tuple(labels))


def _triangular(geometry: Geometry) -> Arrangement:
    rows, columns = geometry.shape
    places, forms = [], []
    for r in range(rows):
        for c in range(columns):
            up = (r + c) % 2 == 0
            forms.append(Form.UP if up else Form.DOWN)
            places.append(((c + 1) * SIDE / 2, (r + (2 if up else 1) / 3) * HIGH))
    across = [(c + 1) * SIDE / 2 for c in range(columns)]
    labels = _rulers(across, [(r + 0.5) * HIGH for r in range(rows)], 0, 0)
    return Arrangement(tuple(places), tuple(forms), geometry.rows, tuple(labels))


def _cubes(geometry: Geometry) -> Arrangement:
    layers, rows, columns = geometry.shape
    abreast = max(min(layers, int(_WIDEST / (columns + _APART))), 1)
    places: list[Point] = []
    labels: list[Label] = []
    lines: list[tuple[int, ...]] = []
    for layer in range(layers):
        left = layer % abreast * (columns + _APART)
        top = layer // abreast * (rows + 2.2)
        number = len(places)
        places += [(left + c + 0.5, top + r + 0.5) for r in range(rows) for c in range(columns)]
        lines += [
            tuple(range(number + r * columns, number + (r + 1) * columns)) for r in range(rows)
        ]
        across = [left + c + 0.5 for c in range(columns)]
        labels += _rulers(across, [top + r + 0.5 for r in range(rows)], left, top)
        labels.append(Label((left + columns / 2, top - 0.95), f"layer {layer}"))
    forms = (Form.SQUARE,) * len(places)
    return Arrangement(tuple(places), forms, tuple(lines), tuple(labels))


def _doubled(geometry: Geometry) -> Arrangement:
    """Hexagons whose coordinates count half steps: a neighbour along an axis is two away."""
    cells = [(row, column) for row, column in geometry.cells]  # type: ignore[misc,has-type]
    numbers = geometry.numbers
    pointed = any((r, c + 2) in numbers and _near(geometry, (r, c), (r, c + 2)) for r, c in cells)
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    if pointed:
        places = tuple(((c - left) / 2 + 0.5, (r - top) * _ROW + 1 / sqrt(3)) for r, c in cells)
    else:
        places = tuple(((c - left) * _ROW + 1 / sqrt(3), (r - top) / 2 + 0.5) for r, c in cells)
    rows: dict[int, list[int]] = {}
    for number in sorted(range(len(cells)), key=lambda each: cells[each]):
        rows.setdefault(cells[number][0], []).append(number)
    forms = (Form.POINTED if pointed else Form.FLAT,) * len(places)
    return Arrangement(places, forms, tuple(map(tuple, rows.values())))


def _near(geometry: Geometry, a: tuple[int, int], b: tuple[int, int]) -> bool:
    return geometry.numbers[b] in geometry.neighbours[geometry.numbers[a]]


def _graph(geometry: Geometry) -> Arrangement:
    places = places_of(geometry.touching)
    edges = {(min(a, b), max(a, b)) for a, near in enumerate(geometry.touching) for b in near}
    lines = tuple((places[a], places[b]) for a, b in sorted(edges))
    labels: list[Label] = []
    for number, name in enumerate(geometry.cells):
        x, y = places[number]
        at = x + _AROUND[0][0], y + _AROUND[0][1]
        if len(places) <= MOST_NODES:
            at = _beside(places[number], places, lines, labels)
        labels.append(Label(at, str(name)))
    rows = (tuple(range(len(places))),)
    return Arrangement(places, (Form.DISC,) * len(places), rows, tuple(labels), lines)


def _beside(
    node: Point, places: Sequence[Point], lines: Sequence[Line], labels: Sequence[Label]
) -> Point:
    """The place of a node's name: the first that is clear of all else, or the clearest."""
    x, y = node
    # The distance of points from what is there, and how near each kind may come.
    there = [(each, 0.45) for each in places] + [(label.at, 0.3) for label in labels]
    near = [(at, room) for at, room in there if abs(at[0] - x) + abs(at[1] - y) < 3]
    edges = [line for line in lines if _distance(node, line) < 1.2]
    best, clearest = (x, y), -1.0
    for across, down in _AROUND:
        at = x + across, y + down
        apart = [sqrt((at[0] - px) ** 2 + (at[1] - py) ** 2) - room for (px, py), room in near]
        clear = min(*apart, *[_distance(at, line) for line in edges], _CLEAR)
        if clear > clearest:
            best, clearest = at, clear
    return best


def _distance(at: Point, line: Line) -> float:
    """The distance of a point from a straight line between two points."""
    (ax, ay), (bx, by) = line[0], line[-1]
    length = (bx - ax) ** 2 + (by - ay) ** 2 or 1.0
    along = ((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / length
    along = min(max(along, 0.0), 1.0)
    return sqrt((ax + along * (bx - ax) - at[0]) ** 2 + (ay + along * (by - ay) - at[1]) ** 2)


_ARRANGED: Final[dict[str, Callable[[Geometry], Arrangement]]] = {
    "hexagonal": _hexagonal,
    "triangular": _triangular,
    "cubes": _cubes,
    "hexcells": _doubled,
}
"""Name of a geometry without squares -> function that arranges its cells."""
