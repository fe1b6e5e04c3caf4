"""Cubes in layers: a clue counts up to 26 cubes around it."""

from itertools import product

from satsweeper.puzzle.geometry.geometry import Geometry, Neighbourhood


def cubes(layers: int, rows: int, columns: int) -> Geometry:
    """Return a grid in three dimensions; cells are ``(layer, row, column)``.

    Neighbours share a corner; those beside each other share a face.
    """
    cells = tuple(product(range(layers), range(rows), range(columns)))
    numbers = {cell: number for number, cell in enumerate(cells)}

    def around(most: int) -> Neighbourhood:
        steps = [step for step in product((-1, 0, 1), repeat=3) if 0 < sum(map(abs, step)) <= most]
        return tuple(
            tuple(
                numbers[near]
                for a, b, c in steps
                if (near := (layer + a, row + b, column + c)) in numbers
            )
            for layer, row, column in cells
        )

    corner = around(3)
    return Geometry(
        "cubes",
        cells,
        neighbours=corner,
        touching=corner,
        beside=around(1),
        shape=(layers, rows, columns),
    )
