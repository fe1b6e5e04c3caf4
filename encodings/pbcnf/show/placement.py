"""A layered placement: columns by depth, order and height by the mean of the neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from pbcnf.show.drawing import Drawing

PORT: Final = 7.0
"""The distance of two lines that end at one side of a box."""
_LEAST: Final = 22.0
_CLAUSE: Final = 8.0
_WIDTH: Final = 36.0
_LINE: Final = 1.6
"""Room between two columns for each line that begins or ends there."""
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
    """Between two variables (a clause of two) or a variable and a clause; `clause` is its index.

    `start` and `end` are the literals there, 0 at a clause; `first` is not right of `second`.
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
        """Width and height; everything lies between 0 and these."""
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
            box.width = _WIDTH
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
        # Beside its deepest variable, on the side of the inputs if there are others there.
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
    x = _WIDTH / 2
    for column in sorted(columns):
        between = sum(
            other.column < column
            for box in columns[column]
            for other in box.neighbours
            if box.kind != "passage" or other.kind != "passage"
        )
        if column:
            x += _WIDTH + _LINE * min(between, _MANY)
        for box in columns[column]:
            box.x = x


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
            wanted = {id(box): _mean(box, inward and sweep < _SWEEPS // 2) for box in column}
            column.sort(key=lambda box: wanted[id(box)])
            _stack(column, [wanted[id(box)] for box in column])
    least = min(box.y - box.height / 2 for column in columns for box in column)
    for column in columns:
        for box in column:
            box.y -= least


def _mean(box: Box, before_only: bool) -> float:
    chosen = [other.y for other in box.neighbours if other.column < box.column or not before_only]
    return sum(chosen) / len(chosen) if chosen else box.y


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
        while blocks and blocks[-1][0] >= mean:
            other, others = blocks.pop()
            mean = (mean * size + other * others) / (size + others)
            size += others
        blocks.append((mean, size))
    tops = [mean for mean, size in blocks for _ in range(size)]
    for box, top, held in zip(column, tops, offsets, strict=True):
        box.y = top + held
