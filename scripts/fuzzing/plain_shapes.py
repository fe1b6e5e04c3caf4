"""Shapes of boards by coordinates alone: who is near whom, without our packages.

Each neighbourhood follows from distances, shared corners or angles in the plane, so that it shares
no list of offsets with the geometries that it is compared with.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import product
from math import atan2, dist, sqrt
from random import Random
from typing import Final, NamedTuple

Near = tuple[tuple[int, ...], ...]
"""For each cell, by number, numbers of other cells."""
Circle = tuple[tuple[int | None, ...], ...]
"""For each cell its neighbours by angle, None outside the board."""


class Shape(NamedTuple):
    """Cells, and who counts, touches and shares an edge; ``size``: rows and columns of a grid."""

    name: str
    cells: tuple[Hashable, ...]
    near: Near
    touching: Near
    beside: Near
    circle: Circle | None = None
    size: tuple[int, ...] = ()

    @property
    def wraps(self) -> bool:
        """Whether the grid goes on at the opposite edge."""
        return self.name == "torus"

    @property
    def squares(self) -> bool:
        """Whether cells are squares in rows and columns."""
        return self.name in ("square", "torus", "knight", "cross")


@cache
def square_like(name: str, rows: int, columns: int) -> Shape:
    """Return a grid of squares: square, torus, knight or cross."""
    cells = list(product(range(rows), range(columns)))
    wraps = name == "torus"

    def step(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        far = [abs(a - b) for a, b in zip(one, other, strict=True)]
        if wraps:
            far = [min(d, n - d) for d, n in zip(far, (rows, columns), strict=True)]
        return far[0], far[1]

    def among(test: Callable[[int, int], bool]) -> Near:
        return tuple(
            tuple(i for i, other in enumerate(cells) if other != cell and test(*step(cell, other)))
            for cell in cells
        )

    ring = among(lambda a, b: max(a, b) == 1)
    near = {
        "square": ring,
        "torus": ring,
        "knight": among(lambda a, b: a * a + b * b == 5),
        "cross": among(lambda a, b: min(a, b) == 0 and max(a, b) <= 2),
    }[name]
    eight = [(i, j) for i, j in product((-1, 0, 1), repeat=2) if (i, j) != (0, 0)]
    eight.sort(key=lambda each: atan2(*each))
    circle = []
    for r, c in cells:
        found: list[int | None] = []
        for i, j in eight:
            down, right = (r + i, c + j) if not wraps else ((r + i) % rows, (c + j) % columns)
            inside = 0 <= down < rows and 0 <= right < columns
            found.append(down * columns + right if inside else None)
        circle.append(tuple(found))
    return Shape(
        name, tuple(cells), near, ring, among(lambda a, b: a + b == 1),
        tuple(circle) if near is ring else None, (rows, columns),
    )  # fmt: skip


def _in_plane(
    name: str,
    rows: int,
    columns: int,
    near: Callable[[tuple[int, int], tuple[int, int]], bool],
    beside: Callable[[tuple[int, int], tuple[int, int]], bool],
    centre: Callable[[int, int], tuple[float, float]],
) -> Shape:
    """Return a grid whose neighbours are tested pair by pair, and sorted by angle."""
    cells = list(product(range(rows), range(columns)))
    numbers = {cell: i for i, cell in enumerate(cells)}
    circle = []
    for r, c in cells:
        around = [
            other
            for other in product(range(r - 2, r + 3), range(c - 3, c + 4))
            if other != (r, c) and near((r, c), other)
        ]
        y, x = centre(r, c)
        around.sort(key=lambda each, y=y, x=x: atan2(centre(*each)[0] - y, centre(*each)[1] - x))  # type: ignore[misc]
        circle.append(tuple(numbers.get(each) for each in around))
    all_near = tuple(tuple(i for i in each if i is not None) for each in circle)
    edges = tuple(
        tuple(i for i in each if beside(cell, cells[i]))
        for cell, each in zip(cells, all_near, strict=True)
    )
    return Shape(name, tuple(cells), all_near, all_near, edges, tuple(circle), (rows, columns))


@cache
def hexagons(rows: int, columns: int) -> Shape:
    """Return hexagons, odd rows half a cell to the right; centres at distance 1 are neighbours."""

    def centre(r: int, c: int) -> tuple[float, float]:
        return r * sqrt(3) / 2, c + r % 2 / 2

    def near(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return abs(dist(centre(*one), centre(*other)) - 1) < 1e-6

    return _in_plane("hexagonal", rows, columns, near, near, centre)


@cache
def triangles(rows: int, columns: int) -> Shape:
    """Return triangles; neighbours share a corner, and an edge is two corners."""

    def corners(r: int, c: int) -> set[tuple[int, int]]:
        # Corners lie on lines between rows, at columns that count half edges.
        base = r + 1 if (r + c) % 2 == 0 else r
        return {(base, c - 1), (base, c + 1), (2 * r + 1 - base, c)}

    def centre(r: int, c: int) -> tuple[float, float]:
        found = corners(r, c)
        return sum(y for y, _ in found) / 3 * sqrt(3), sum(x for _, x in found) / 3

    return _in_plane(
        "triangular", rows, columns,
        lambda one, other: bool(corners(*one) & corners(*other)),
        lambda one, other: len(corners(*one) & corners(*other)) == 2,
        centre,
    )  # fmt: skip


@cache
def cubes(layers: int, rows: int, columns: int) -> Shape:
    """Return cubes; neighbours differ by one at most in each coordinate."""
    cells = tuple(product(range(layers), range(rows), range(columns)))

    def among(test: Callable[[list[int]], bool]) -> Near:
        return tuple(
            tuple(
                i
                for i, other in enumerate(cells)
                if other != cell and test([abs(a - b) for a, b in zip(cell, other, strict=True)])
            )
            for cell in cells
        )

    near = among(lambda far: max(far) == 1)
    return Shape("cubes", cells, near, near, among(lambda far: sum(far) == 1), None,
                 (layers, rows, columns))  # fmt: skip


def network(rng: Random, n: int, directed: bool = False) -> Shape:
    """Return a random graph of ``n`` cells; directed: neighbours count one way only."""
    share = rng.choice((0.2, 0.35, 0.6))
    pairs = {(a, b) for a in range(n) for b in range(a) if rng.random() < share}
    if directed:
        near = [{b for b in range(n) if (a, b) in pairs or (b, a) in pairs} for a in range(n)]
        near = [{b for b in each if rng.random() < 0.7} for each in near]
    else:
        near = [{b for b in range(n) if (a, b) in pairs or (b, a) in pairs} for a in range(n)]
    mutual = tuple(tuple(b for b in range(n) if b in near[a] or a in near[b]) for a in range(n))
    return Shape("graph", tuple(f"c{i}" for i in range(n)),
                 tuple(tuple(sorted(each)) for each in near), mutual, mutual)  # fmt: skip


GRIDS: Final[dict[str, Callable[[int, int], Shape]]] = {
    "square": lambda r, c: square_like("square", r, c),
    "torus": lambda r, c: square_like("torus", r, c),
    "knight": lambda r, c: square_like("knight", r, c),
    "cross": lambda r, c: square_like("cross", r, c),
    "hexagonal": hexagons,
    "triangular": triangles,
}
"""Name -> function from rows and columns to the shape."""


def border(shape: Shape) -> Sequence[int]:
    """Return the cells at the edge of a grid, none of a torus."""
    rows, columns = shape.size
    if shape.wraps:
        return ()
    return [
        r * columns + c
        for r, c in product(range(rows), range(columns))
        if r in (0, rows - 1) or c in (0, columns - 1)
    ]
