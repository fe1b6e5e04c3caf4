"""Geometries by coordinates: which cells a clue counts, which touch, which share an edge.

Squares have a row and a column. A hexagon of row r and column c lies at 2c, or 2c + 1 in odd rows:
its neighbours are two places aside in its row, or one place aside in the next. A triangle of row r
and column c has corners on lattice points: one at c + 1 in one of the lines above and below it, and
two at c and c + 2 in the other; triangles with a common corner touch, those with two share an edge.
The hexagons of Hexcells lie in columns: row and column change places. Cubes touch where no
coordinate differs by more than 1. A graph says itself which cells its clues count; there two cells
touch, and lie beside each other, where a clue on either counts the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import atan2, pi
from typing import Any, Final

from satsweeper.checker.errors import WrongCertificateError

Steps = tuple[tuple[int, int], ...]
"""Rows down and columns to the right."""

EDGES: Final[Steps] = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""To the squares that share an edge, clockwise from above."""
RING: Final[Steps] = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""To the squares around, clockwise from above left."""
KNIGHT: Final[Steps] = tuple(
    (down, right) for down in (-2, -1, 1, 2) for right in (-2, -1, 1, 2) if down * down != right**2
)
"""A knight's moves."""
CROSS: Final[Steps] = tuple((far * down, far * right) for far in (1, 2) for down, right in EDGES)
"""To the squares at distance 1 and 2 in row and column."""
GEOMETRIES: Final = ("square", "torus", "hexagonal", "triangular", "knight", "cross")
"""The geometries of boards with rows and columns."""
_HEXAGONS: Final[Steps] = ((-1, -1), (-1, 1), (0, 2), (1, 1), (1, -1), (0, -2))

Name = Any
"""The name of a cell: coordinates, or in a graph text, an integer, or a tuple of such names."""


class Grid:
    """The cells of a board, numbered from 0 in reading order, and what they can hold.

    ``name``: one of GEOMETRIES; a torus has 3 rows and columns at least. Cells of other geometries
    are numbered and shown as one row. ``names``: what each cell is called. ``mask``: the dyed
    cells; None: those whose coordinates have an odd sum. ``weights``: cell -> what a mine there
    adds to a clue, where that is not 1; ``capacity``: cell -> the most mines, where not 1.
    """

    def __init__(self, name: str, rows: int, columns: int) -> None:
        self.name = name
        self.rows = rows
        self.columns = columns
        self.size = rows * columns
        self.wraps = name == "torus"
        self.has_rows = name in GEOMETRIES
        self.is_square = self.has_rows and name not in ("hexagonal", "triangular")
        self.names: Sequence[Name] = [divmod(cell, columns) for cell in range(self.size)]
        self.mask: frozenset[int] | None = None
        self.weights: dict[int, int] = {}
        self.capacity: dict[int, int] = {}

    @cached_property
    def variables(self) -> list[tuple[int, ...]]:
        """For each cell its variables: the k-th is true if there are at least k mines.

        Cell i has variable i + 1; further variables follow, by number of the cell.
        """
        found, last = [], self.size
        for cell in range(self.size):
            more = self.capacity.get(cell, 1) - 1
            found.append((cell + 1, *range(last + 1, last + more + 1)))
            last += more
        return found

    def of_cells(self, cells: Iterable[int]) -> list[int]:
        """Return all variables of cells: as many are true as there are mines."""
        return [variable for cell in cells for variable in self.variables[cell]]

    def place(self, cell: int) -> tuple[int, int]:
        """Return the row and the column of a cell."""
        self.require(self.has_rows, "rows")
        return divmod(cell, self.columns)

    def right_of(self, cell: int) -> int | None:
        """Return the next cell of a row; None at its end."""
        row, column = self.place(cell)
        return self.cell(row, column + 1)

    def cell(self, row: int, column: int) -> int | None:
        """Return the cell in a row and a column, None outside the grid; a torus goes round."""
        if self.wraps:
            row, column = row % self.rows, column % self.columns
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return row * self.columns + column
        return None

    def at(self, cell: int, steps: Steps) -> list[int]:
        """Return the cells at these steps from a square, without those outside the grid."""
        self.require(self.is_square, "squares")
        row, column = self.place(cell)
        found = [self.cell(row + down, column + right) for down, right in steps]
        return [each for each in found if each is not None]

    def line(self, cell: int, down: int, right: int) -> list[int]:
        """Return the squares seen from ``cell`` in a direction, the nearest first."""
        found: list[int] = []
        following = self.at(cell, ((down, right),))
        while following and following != [cell]:
            found += following
            following = self.at(following[0], ((down, right),))
        return found

    def require(self, there: bool, what: str) -> None:
        """Raise WrongCertificateError, ``what`` being the thing that the grid lacks."""
        if not there:
            fault = f"a rule needs {what}, which the geometry {self.name!r} lacks"
            raise WrongCertificateError("the board", fault)

    def same_cells(self, other: "Grid") -> bool:
        """Whether two boards have equal cells, in one order, with equal neighbours."""
        names = (self.name, list(self.names)) == (other.name, list(other.names))
        return names and all(
            {*one} == {*two} for one, two in zip(self.around, other.around, strict=True)
        )

    @cached_property
    def rings(self) -> list[list[int | None]]:
        """For each cell the neighbours that touch it, clockwise, None for each outside."""
        return [self._ring(cell) for cell in range(self.size)]

    @cached_property
    def touching(self) -> list[list[int]]:
        """The cells that touch each cell."""
        return [[near for near in ring if near is not None] for ring in self.rings]

    @cached_property
    def around(self) -> list[list[int]]:
        """The cells that a plain clue counts, for each cell."""
        steps = {"knight": KNIGHT, "cross": CROSS}.get(self.name)
        if steps is None:
            return self.touching
        return [self.at(cell, steps) for cell in range(self.size)]

    @cached_property
    def beside(self) -> list[list[int]]:
        """The cells that share an edge with each cell."""
        if self.is_square:
            return [self.at(cell, EDGES) for cell in range(self.size)]
        if self.name == "hexagonal":
            return self.touching
        return [
            [near for near in self.touching[cell] if len(self._common(cell, near)) == 2]
            for cell in range(self.size)
        ]

    @cached_property
    def within_two(self) -> list[set[int]]:
        """The cells at most two steps from each cell, whichever cell lies between."""
        near = self.touching
        return [
            {*near[cell], *[far for each in near[cell] for far in near[each]]} - {cell}
            for cell in range(self.size)
        ]

    @cached_property
    def lines(self) -> tuple[list[list[int]], list[list[int]]]:
        """The rows from left to right, and the columns from above."""
        self.require(self.has_rows, "rows")
        cells = [*range(self.size)]
        across = [
            cells[start : start + self.columns] for start in range(0, self.size, self.columns)
        ]
        return across, [cells[column :: self.columns] for column in range(self.columns)]

    @cached_property
    def border(self) -> set[int]:
        """The cells of the first and last row and column; none of a torus."""
        self.require(self.has_rows, "a border")
        return {
            cell
            for cell, (row, column) in enumerate(map(self.place, range(self.size)))
            if not self.wraps and (row in (0, self.rows - 1) or column in (0, self.columns - 1))
        }

    def dyed(self, cell: int) -> bool:
        """Whether a cell is dyed: one of ``mask``, or without a mask one with an odd sum."""
        return cell in self.mask if self.mask is not None else sum(self.names[cell]) % 2 == 1

    def distance(self, cell: int, other: int) -> int:
        """Return the squared distance of two squares, the shorter way round a torus."""
        self.require(self.is_square, "squares")
        far = [abs(a - b) for a, b in zip(self.place(cell), self.place(other), strict=True)]
        if self.wraps:
            far = [min(far[0], self.rows - far[0]), min(far[1], self.columns - far[1])]
        return far[0] ** 2 + far[1] ** 2

    def _ring(self, cell: int) -> list[int | None]:
        row, column = self.place(cell)
        if self.is_square:
            return [self.cell(row + down, column + right) for down, right in RING]
        if self.name == "hexagonal":
            at = 2 * column + row % 2
            places = [(row + down, at + right) for down, right in _HEXAGONS]
            return [self.cell(r, (x - r % 2) // 2) for r, x in places]
        # By the angle of the centres: clockwise from the triangle above left of one that points up,
        # and from the left neighbour of one that points down.
        near = [
            (row + down, column + right)
            for down in (-1, 0, 1)
            for right in range(-2, 3)
            if (down or right) and _corners(row, column) & _corners(row + down, column + right)
        ]
        centre = _centre(row, column)
        first = (row - 1, column - 1) if _points_up(row, column) else (row, column - 1)

        def angle(place: tuple[int, int]) -> float:
            down, right = (a - b for a, b in zip(_centre(*place), centre, strict=True))
            return atan2(down, right)

        near.sort(key=lambda place: (angle(place) - angle(first) + 1e-9) % (2 * pi))
        return [self.cell(*place) for place in near]

    def _common(self, cell: int, other: int) -> set[tuple[int, int]]:
        return _corners(*self.place(cell)) & _corners(*self.place(other))


class _Placed(Grid):
    """Cells at coordinates, of which any may be missing: neighbours are found by their places."""

    def __init__(self, name: str, places: Sequence[tuple[int, ...]]) -> None:
        super().__init__(name, 1, len(places))
        self.names = places
        self._numbers = {place: cell for cell, place in enumerate(places)}

    def _by_steps(self, steps: Iterable[tuple[int, ...]]) -> list[list[int | None]]:
        every = [*steps]
        return [
            [
                self._numbers.get(tuple(a + b for a, b in zip(place, step, strict=True)))
                for step in every
            ]
            for place in self.names
        ]


def _inside(found: list[list[int | None]]) -> list[list[int]]:
    return [[cell for cell in near if cell is not None] for near in found]


class Cubes(_Placed):
    """Cubes in layers: a clue counts those that share a corner, edge or face."""

    def __init__(self, layers: int, rows: int, columns: int) -> None:
        super().__init__("cubes", [*product(range(layers), range(rows), range(columns))])

    @cached_property
    def touching(self) -> list[list[int]]:
        """The cubes no coordinate of which differs by more than 1."""
        return _inside(self._by_steps(step for step in product((-1, 0, 1), repeat=3) if any(step)))

    @cached_property
    def beside(self) -> list[list[int]]:
        """The cubes of which one coordinate differs, by 1."""
        steps = [step for step in product((-1, 0, 1), repeat=3) if sum(map(abs, step)) == 1]
        return _inside(self._by_steps(steps))


class Hexagons(_Placed):
    """The hexagons of a level of Hexcells, at any places (row, column); a column has every second
    row. None of them is dyed.
    """

    def __init__(self, places: Iterable[tuple[int, int]]) -> None:
        super().__init__("hexcells", sorted(places))
        self.mask = frozenset()

    @cached_property
    def rings(self) -> list[list[int | None]]:
        """For each hexagon the six around it in a circle, None for each hole."""
        return self._by_steps((down, right) for right, down in _HEXAGONS)

    @cached_property
    def beside(self) -> list[list[int]]:
        """The hexagons that share an edge with each hexagon."""
        return self.touching

    @cached_property
    def within_two(self) -> list[set[int]]:
        """The hexagons at distance 1 and 2 in the plane, also over a hole."""
        steps = {
            (down + more, right + further)
            for right, down in (*_HEXAGONS, (0, 0))
            for further, more in _HEXAGONS
        }
        return [{*near} for near in _inside(self._by_steps(steps - {(0, 0)}))]


class Graph(Grid):
    """Cells with neighbours of any kind; ``near``: cell -> the cells that a clue there counts.

    None of the cells is dyed.
    """

    def __init__(self, near: Mapping[Name, Sequence[Name]]) -> None:
        super().__init__("graph", 1, len(near))
        self.names = [*near]
        self.mask = frozenset()
        numbers = {name: cell for cell, name in enumerate(near)}
        self._around = [[numbers[other] for other in others] for others in near.values()]

    @cached_property
    def around(self) -> list[list[int]]:
        """The cells that a plain clue counts, as the graph says."""
        return self._around

    @cached_property
    def touching(self) -> list[list[int]]:
        """The cells next to each cell: either is counted by a clue on the other."""
        found = [{*near} for near in self._around]
        for cell, near in enumerate(self._around):
            for other in near:
                found[other].add(cell)
        return [sorted(each) for each in found]

    @cached_property
    def beside(self) -> list[list[int]]:
        """The cells that touch each cell."""
        return self.touching


def _points_up(row: int, column: int) -> bool:
    return (row + column) % 2 == 0


def _corners(row: int, column: int) -> set[tuple[int, int]]:
    """Return the corners of a triangle: line above or below, and place in the line."""
    tip, base = (row, row + 1) if _points_up(row, column) else (row + 1, row)
    return {(tip, column + 1), (base, column), (base, column + 2)}


def _centre(row: int, column: int) -> tuple[float, float]:
    corners = _corners(row, column)
    return sum(y for y, _ in corners) / 3, sum(x for _, x in corners) / 3
