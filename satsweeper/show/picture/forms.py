"""The forms of cells: outlines around the middle of the unit square."""

from enum import StrEnum
from functools import cache
from math import sqrt
from typing import Final

from satsweeper.show.picture.strokes import Line, Point

SIDE: Final = 1.75
"""The side of a triangle, so that a triangle has room for what the unit square has room for."""
HIGH: Final = SIDE * sqrt(3) / 2
"""The height of a triangle."""
_RADIUS: Final = 1 / sqrt(3)
"""The distance from the middle of a hexagon of width 1 to its corners."""


class Form(StrEnum):
    """The form of a cell; the value is its name in the page's style sheet."""

    SQUARE = "square"
    POINTED = "pointed"
    """A hexagon with a corner above."""
    FLAT = "flat"
    """A hexagon with an edge above."""
    UP = "up"
    """A triangle that points up."""
    DOWN = "down"
    DISC = "disc"


_AROUND: Final[dict[Form, Line]] = {
    Form.SQUARE: ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)),
    Form.POINTED: (
        (0, -_RADIUS), (0.5, -_RADIUS / 2), (0.5, _RADIUS / 2), (0, _RADIUS),
        (-0.5, _RADIUS / 2), (-0.5, -_RADIUS / 2),
    ),
    Form.FLAT: (
        (_RADIUS, 0), (_RADIUS / 2, 0.5), (-_RADIUS / 2, 0.5), (-_RADIUS, 0),
        (-_RADIUS / 2, -0.5), (_RADIUS / 2, -0.5),
    ),
    Form.UP: ((0, -HIGH * 2 / 3), (SIDE / 2, HIGH / 3), (-SIDE / 2, HIGH / 3)),
    Form.DOWN: ((0, HIGH * 2 / 3), (-SIDE / 2, -HIGH / 3), (SIDE / 2, -HIGH / 3)),
}  # fmt: skip
"""Corners around the middle; each of these forms but the triangles is 1 between opposite edges."""


@cache
def outline(form: Form, inset: float = 0.0) -> Line:
    """The corners of a form in the unit square, each edge moved inwards by ``inset``.

    A disc has the one point in its middle. A hexagon and a triangle reach out of the square.
    """
    if form is Form.DISC:
        return ((0.5, 0.5),)
    # All edges are equally far from the middle, so that moving them inwards shrinks the form.
    far = HIGH / 3 if form in (Form.UP, Form.DOWN) else 0.5
    share = 1 - inset / far
    return tuple((0.5 + share * x, 0.5 + share * y) for x, y in _AROUND[form])


@cache
def extent(form: Form) -> tuple[Point, Point]:
    """The least and the greatest coordinates of a form, as points."""
    corners = ((0.0, 0.0), (1.0, 1.0)) if form is Form.DISC else outline(form)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (min(xs), min(ys)), (max(xs), max(ys))
