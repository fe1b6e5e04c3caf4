"""A drawing as self-contained SVG, light or dark as the page is that shows it.

The style sheet affects no other drawing on the page. `place` sets boxes in columns by depth, and in
a column by the mean height of their neighbours. Auxiliary variables have their meaning for a name
where it is simple and short (`meanings`).
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final
from xml.sax.saxutils import escape

from pbcnf.palette import DARK, LIGHT, ON_DARK_PAGES, either
from pbcnf.show.drawing import Drawing

PORT: Final = 7.0
"""The distance of two lines that end at one side of a box."""
_LEAST: Final = 22.0
_CLAUSE: Final = 8.0
_WIDTH: Final = 36.0
_LETTER: Final = 6.4
"""The usual width of a letter in a box."""
_TITLE: Final = 9.0
"""The usual width of a letter of the title."""
_LONGEST: Final = 20
"""The most letters of a meaning that is written into the box of a variable."""
_BESIDE: Final = 14.0
"""The least space between two columns."""
_LINE: Final = 1.6
"""The distance that each line between two columns adds to the distance of the columns."""
_MANY: Final = 70
_GAP: Final = {"input": 12.0, "auxiliary": 12.0, "clause": 7.0, "passage": 1.0}
_SWEEPS: Final = 24


@dataclass
class Box:
    """A variable, a clause of more or fewer than two literals, or the passage of a line through a
    column. `x`, `y`: its centre.
    """

    id: str
    kind: str
    column: int
    neighbours: list["Box"] = field(default_factory=list)
    width: float = _CLAUSE
    height: float = _CLAUSE
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True)
class Wire:
    """A line between two variables (a clause of two) or a variable and a clause, by index `clause`.

    `start` and `end` are the literals at `first` and `second`, 0 at a clause; `first` is not right
    of `second`.
    """

    clause: int
    first: Box
    start: int
    second: Box
    end: int
    passages: list[Box] = field(default_factory=list)

    @property
    def stops(self) -> list[Box]:
        """The boxes along the line, passages included."""
        return [self.first, *self.passages, self.second]


@dataclass(frozen=True)
class Placement:
    """Boxes by id (``v`` and the variable, ``c`` and the index of the clause) and lines."""

    boxes: dict[str, Box]
    lines: list[Wire]

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the drawing, whose coordinates start at 0."""
        boxes = self.boxes.values()
        return (
            max((box.x + box.width / 2 for box in boxes), default=0.0),
            max((box.y + box.height / 2 for box in boxes), default=0.0),
        )


def place(drawing: Drawing) -> Placement:
    """Place boxes and lines; equal drawings get equal placements."""
    boxes, lines = _boxes_and_lines(drawing)
    columns: dict[int, list[Box]] = {}
    for box in boxes.values():
        columns.setdefault(box.column, []).append(box)
    for line in lines:
        for column in range(line.first.column + 1, line.second.column):
            if column in columns:
                line.passages.append(Box("", "passage", column, width=0, height=PORT - 2))
                columns[column].append(line.passages[-1])
        for box, other in pairwise(line.stops):
            box.neighbours.append(other)
            other.neighbours.append(box)
    for box in boxes.values():
        if box.kind != "clause":
            left = sum(other.column < box.column for other in box.neighbours)
            box.width = max(_WIDTH, _LETTER * len(_label(drawing, box)) + 10)
            box.height = max(_LEAST, PORT * (max(left, len(box.neighbours) - left) + 1))
    _place_columns(columns)
    _place_rows([columns[c] for c in sorted(columns)])
    return Placement(boxes, lines)


def _boxes_and_lines(drawing: Drawing) -> tuple[dict[str, Box], list[Wire]]:
    boxes = {}
    for v, depth in sorted(drawing.depth.items()):
        boxes[f"v{v}"] = Box(f"v{v}", "input" if v <= drawing.inputs else "auxiliary", 2 * depth)
    lines = []
    for index, clause in enumerate(drawing.clauses):
        ends = [(boxes[f"v{abs(lit)}"], lit) for lit in clause]
        if len(ends) == 2:
            (first, start), (second, end) = sorted(ends, key=lambda end: end[0].column)
            lines.append(Wire(index, first, start, second, end))
            continue
        deepest = max((box.column for box, _ in ends), default=0)
        # A clause stands beside its deepest variable, on the side of the inputs if it has other
        # variables.
        side = -1 if deepest and len(ends) > 1 else 1
        here = boxes[f"c{index}"] = Box(f"c{index}", "clause", deepest + side)
        for box, lit in ends:
            before = box.column < here.column
            lines.append(
                Wire(index, box, lit, here, 0) if before else Wire(index, here, 0, box, lit)
            )
    return boxes, lines


def _place_columns(columns: dict[int, list[Box]]) -> None:
    """Place columns; the distance of two columns grows with the number of lines between them."""
    x = 0.0
    for column in sorted(columns):
        half = max(box.width for box in columns[column]) / 2
        between = sum(
            other.column < column
            for box in columns[column]
            for other in box.neighbours
            if box.kind != "passage" or other.kind != "passage"
        )
        if column:
            x += _BESIDE + _LINE * min(between, _MANY)
        x += half
        for box in columns[column]:
            box.x = x
        x += half


def _place_rows(columns: Sequence[list[Box]]) -> None:
    """Place rows: inputs evenly, in order; other boxes at the mean height of their neighbours."""
    if not columns:
        return
    heights = [sum(_space(box) for box in column) for column in columns]
    inputs = columns[0]
    free = max(0.0, max(heights) - heights[0]) / max(len(inputs) - 1, 1)
    top = 0.0
    for box in inputs:
        box.y = top + _space(box) / 2
        top += _space(box) + free
    middle = top / 2
    for column in columns[1:]:
        _stack(column, [middle] * len(column))
    for sweep in range(_SWEEPS):
        inward = sweep % 2 == 0
        for column in columns[1:] if inward else reversed(columns[1:]):
            wanted = {}
            for box in column:
                # In the first inward sweeps the boxes follow their left neighbours alone.
                left_only = inward and sweep < _SWEEPS // 2
                near = [b.y for b in box.neighbours if b.column < box.column or not left_only]
                wanted[id(box)] = sum(near) / len(near) if near else box.y
            column.sort(key=lambda box: wanted[id(box)])
            _stack(column, [wanted[id(box)] for box in column])
    least = min(box.y - box.height / 2 for column in columns for box in column)
    for column in columns:
        for box in column:
            box.y -= least


def _space(box: Box) -> float:
    return box.height + _GAP[box.kind]


def _stack(column: Sequence[Box], wanted: Sequence[float]) -> None:
    """Set heights as near to `wanted` as order and space of the boxes allow (least squares).

    Boxes that touch move as one block to the mean of their wanted heights (pool adjacent
    violators).
    """
    offset = 0.0
    offsets = []
    for box in column:
        offsets.append(offset + _space(box) / 2)
        offset += _space(box)
    blocks: list[tuple[float, int]] = []
    for target, held in zip(wanted, offsets, strict=True):
        mean, size = target - held, 1
        # A block that would begin above the block before is joined to that block, at the common
        # mean.
        while blocks and blocks[-1][0] >= mean:
            other, others = blocks.pop()
            mean = (mean * size + other * others) / (size + others)
            size += others
        blocks.append((mean, size))
    tops = [mean for mean, size in blocks for _ in range(size)]
    for box, top, held in zip(column, tops, offsets, strict=True):
        box.y = top + held


_MARGIN: Final = 24.0
_HEAD: Final = 64.0
_LEGEND: Final = 116.0
_MARK: Final = 6.0
_NARROWEST: Final = 330.0
_STYLE: Final = (
    ("text", "font: 12px sans-serif", "fill", "text"),
    (".title", "font: bold 16px sans-serif", "fill", "text"),
    (".ground", "", "fill", "ground"),
    (".input", "stroke-width: 1.6", "fill", "tint"),
    (".auxiliary", "", "fill", "ground"),
    (".input, .auxiliary", "", "stroke", "text"),
    (".node", "stroke: none", "fill", "text"),
    (".wire", "fill: none; stroke-width: 0.9", "stroke", "faint"),
    (".positive", "stroke: none", "fill", "text"),
    (".negative", "stroke-width: 1", "fill", "ground"),
    (".negative", "", "stroke", "text"),
    (".clause:hover .wire", "stroke-width: 2.5", "stroke", "alarm"),
)
"""Selectors, what is equal in every theme, and a property with the colour that it has."""

Point = tuple[float, float]


def svg(drawing: Drawing) -> str:
    """Return the SVG text; ids are ``v`` and a variable, or ``c`` and the index of a clause."""
    placement = place(drawing)
    width, height = placement.extent
    ports = _ports(placement)
    arcs = [line for line in placement.lines if line.first.column == line.second.column]
    bends = [_bend(ports[id(arc), arc.first.id], ports[id(arc), arc.second.id]) for arc in arcs]
    width = max(width, _NARROWEST, _TITLE * len(drawing.title), *bends) + 2 * _MARGIN
    bottom = _HEAD + height + 2 * _MARGIN
    body = [
        '<rect class="ground" width="100%" height="100%"/>',
        f'<text class="title" x="{_MARGIN:g}" y="28">{escape(drawing.title)}</text>',
        *(
            f'<text x="{_MARGIN:g}" y="{46 + 16 * at}">{escape(line)}</text>'
            for at, line in enumerate(drawing.sizes.replace(" (", "\n(").split("\n"))
        ),
        f'<g transform="translate({_MARGIN:g} {_HEAD + _MARGIN:g})">',
        *_clauses(drawing, placement, ports),
        *(_variable(drawing, box) for box in placement.boxes.values() if box.kind != "clause"),
        "</g>",
        f'<g transform="translate({_MARGIN:g} {bottom:g})">',
        *_legend(),
        "</g>",
    ]
    # The class is a hash of the content: equal drawings have equal bytes, others another class.
    name = f"e{hashlib.sha256(repr(body).encode()).hexdigest()[:10]}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" width="{width:.0f}" '
        f'height="{bottom + _LEGEND:.0f}" viewBox="0 0 {width:.0f} {bottom + _LEGEND:.0f}" '
        'style="max-width: 100%; height: auto" role="img">',
        f"<title>{escape(drawing.title)}</title>",
        f"<desc>{escape(drawing.sizes)}</desc>",
        "<style>",
        *_rules(name),
        "</style>",
        *body,
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def _rules(name: str) -> Iterator[str]:
    yield f":root.{name} {{ color-scheme: light dark; }}"
    yield ON_DARK_PAGES.format(f".{name}")
    for selectors, what, how, colour in _STYLE:
        inside = ", ".join(f".{name} {selector}" for selector in selectors.split(", "))
        light, dark = getattr(LIGHT, colour), getattr(DARK, colour)
        # Viewers that do not know schemes, and paper, have the first.
        yield f"{inside} {{ {how}: {light}; {what} }}"
        yield f"@media screen {{ {inside} {{ {how}: {either(light, dark)}; }} }}"


def _clauses(
    drawing: Drawing, placement: Placement, ports: dict[tuple[int, str], Point]
) -> Iterator[str]:
    lines: dict[int, list[Wire]] = {}
    for line in placement.lines:
        lines.setdefault(line.clause, []).append(line)
    for index, clause in enumerate(drawing.clauses):
        yield f'<g id="c{index}" class="clause"><title>{escape(drawing.text(clause))}</title>'
        marks = []
        for line in lines.get(index, []):
            first, second = ports[id(line), line.first.id], ports[id(line), line.second.id]
            yield _wire(line, first, second)
            marks += [_mark(line.first, first, line.start), _mark(line.second, second, line.end)]
        yield from filter(None, marks)
        box = placement.boxes.get(f"c{index}")
        if box is not None:
            yield _rectangle(box, "node", 0)
        yield "</g>"


def _ports(placement: Placement) -> dict[tuple[int, str], Point]:
    """Where each line ends at each of its boxes: side by side, in the order of the other ends."""
    ends: list[tuple[str, bool, float, Wire, Box]] = []
    for line in placement.lines:
        for box, other in ((line.first, line.stops[1]), (line.second, line.stops[-2])):
            rise = other.y - box.y
            # Arcs within a column: those to near boxes end outermost, so that arcs do not cross.
            aim = 1e6 / rise if box.column == other.column else rise
            ends.append((box.id, other.column >= box.column, aim, line, box))
    found = {}
    ends.sort(key=lambda end: end[:3])
    for (_, right), group in groupby(ends, key=lambda end: end[:2]):
        members = list(group)
        for at, (_, _, _, line, box) in enumerate(members):
            shift = 0.0 if box.kind == "clause" else PORT * (at - (len(members) - 1) / 2)
            side = box.width / 2 if right else -box.width / 2
            found[id(line), box.id] = (box.x + side, box.y + shift)
    return found


def _wire(line: Wire, first: Point, second: Point) -> str:
    if line.first.column == line.second.column:
        bends = [_bend(first, second)]
        points = [first, second]
    else:
        points = [first, *((box.x, box.y) for box in line.passages), second]
        bends = [(x1 + x2) / 2 for (x1, _), (x2, _) in pairwise(points)]
    curves = [
        f"C{bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
        for bend, ((_, y1), (x2, y2)) in zip(bends, pairwise(points), strict=True)
    ]
    return f'<path class="wire" d="M{first[0]:.1f} {first[1]:.1f} {" ".join(curves)}"/>'


def _bend(first: Point, second: Point) -> float:
    """Return the x coordinate of the control points of an arc within a column."""
    span = abs(second[1] - first[1])
    return first[0] + 24 + min(span, 600) / 3 + max(span - 600, 0) / 12


def _mark(box: Box, port: Point, lit: int) -> str:
    """At a variable: an arrow head for a positive literal, a hollow circle for a negative one."""
    x, y = port
    out = _MARK if x > box.x else -_MARK
    if lit > 0:
        return (
            f'<path class="positive" d="M{x:.1f} {y:.1f} l{out:.1f} {_MARK / 2:.1f} v{-_MARK:.1f}'
            ' Z"/>'
        )
    if lit < 0:
        return f'<circle class="negative" cx="{x + out / 2:.1f}" cy="{y:.1f}" r="{_MARK / 2:.1f}"/>'
    return ""


def _label(drawing: Drawing, box: Box) -> str:
    """The meaning of a variable, if it is known and short; else its name."""
    variable = int(box.id[1:])
    meaning = drawing.meanings.get(variable, "")
    return meaning if 0 < len(meaning) <= _LONGEST else drawing.label(variable)


def _variable(drawing: Drawing, box: Box) -> str:
    variable, label = int(box.id[1:]), escape(_label(drawing, box))
    meaning = drawing.meanings.get(variable)
    title = f"<title>{escape(f'{drawing.label(variable)}: {meaning}')}</title>" if meaning else ""
    return (
        f'<g id="{box.id}" class="variable">{title}{_rectangle(box, box.kind, 9)}'
        f'<text x="{box.x:.1f}" y="{box.y + 4:.1f}" text-anchor="middle">{label}</text></g>'
    )


def _rectangle(box: Box, style: str, radius: float) -> str:
    """Return a rectangle; only boxes of auxiliary variables have rounded corners."""
    rounded = f' rx="{radius:g}"' if radius and style == "auxiliary" else ""
    return (
        f'<rect class="{style}" x="{box.x - box.width / 2:.1f}" y="{box.y - box.height / 2:.1f}" '
        f'width="{box.width:.1f}" height="{box.height:.1f}"{rounded}/>'
    )


def _legend() -> list[str]:
    """Return the legend, drawn with the marks of the picture and without ids."""
    return [
        '<rect class="input" x="0" y="0" width="26" height="18"/><text x="34" y="13">input</text>',
        '<rect class="auxiliary" x="160" y="0" width="26" height="18" rx="8"/>'
        '<text x="194" y="13">auxiliary variable</text>',
        '<path class="wire" d="M0 33 H26"/><text x="34" y="37">clause of two literals</text>',
        '<rect class="node" x="169" y="29" width="8" height="8"/>'
        '<text x="194" y="37">any other clause</text>',
        '<circle class="negative" cx="13" cy="57" r="3"/>'
        '<text x="34" y="61">negative literal</text>',
        '<path class="positive" d="M176 57 l-6 3 v-6 Z"/>'
        '<text x="194" y="61">positive literal</text>',
        '<text x="0" y="86">Read: if every variable at a circle is true, one at an arrow</text>',
        '<text x="0" y="102">is. A name in words holds wherever the clauses can be met.</text>',
    ]
