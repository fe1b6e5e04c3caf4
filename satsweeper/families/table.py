"""The table of families: a size and a seed name an instance of each, and its answer is known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pbcnf.constraints.problem import Problem
from satsweeper.families.checkerboard import checkerboard
from satsweeper.families.chessboard import chessboard_with_private_cells, mutilated_chessboard
from satsweeper.families.parity import parity_lattice
from satsweeper.families.pigeonhole import pigeonhole
from satsweeper.families.regular import regular
from satsweeper.position import Position


@dataclass(frozen=True, slots=True)
class Family:
    """Instances of one kind.

    ``make``: a size and a seed to a board or a problem; without ``seeded`` all seeds give the same.
    ``size`` says what the size counts, ``sizes`` are small ones, smallest first. ``satisfiable``,
    and ``why``, holds for every size and seed.
    """

    name: str
    make: Callable[[int, int], Position | Problem]
    size: str
    sizes: tuple[int, ...]
    satisfiable: bool
    why: str
    seeded: bool = False


_ROWS: Final = (
    Family(
        "mutilated_chessboard",
        lambda size, seed: mutilated_chessboard(size),
        "squares a side",
        (3, 4, 5, 6),
        False,
        "a domino covers a black and a white square, and two more are of one colour",
    ),
    Family(
        "chessboard_with_private_cells",
        lambda size, seed: chessboard_with_private_cells(size),
        "squares a side, even",
        (2, 4, 6),
        True,
        "dominoes cover a chessboard of even side",
    ),
    Family(
        "parity_lattice",
        lambda size, seed: parity_lattice(size),
        "vertices a side",
        (2, 3, 4),
        False,
        "one vertex asks for an odd number, and every link is counted twice",
    ),
    Family(
        "parity_lattice_with_open_end",
        lambda size, seed: parity_lattice(size, open_end=True),
        "vertices a side",
        (2, 3, 4),
        True,
        "the open end is a path from the charge to nowhere",
    ),
    Family(
        "checkerboard",
        lambda size, seed: checkerboard(size, seed=seed),
        "cells a side",
        (2, 4, 8, 12),
        True,
        "the layout that was drawn",
        seeded=True,
    ),
    Family(
        "pigeonhole",
        lambda size, seed: pigeonhole(size + 1, size),
        "holes, for one pigeon more",
        (1, 2, 3, 5),
        False,
        "one pigeon is left over",
    ),
    Family(
        "pigeonhole_of_three",
        lambda size, seed: pigeonhole(3 * size + 1, size, 3),
        "holes for three, and one pigeon more than they hold",
        (1, 2, 3),
        False,
        "one pigeon is left over",
    ),
    Family(
        "regular",
        lambda size, seed: regular(size // 2, n=size, k=size // 2, degree=size // 4, seed=seed),
        "literals of a constraint, a multiple of 4",
        (4, 8, 16, 24),
        True,
        "the solution that the constraints were drawn round",
        seeded=True,
    ),
    Family(
        "regular_of_odd_sum",
        lambda size, seed: regular(5, n=size, k=size // 2, degree=2, seed=seed),
        "literals of a constraint, 2 more than a multiple of 4",
        (2, 6, 10),
        False,
        "five odd numbers add up to an odd one, and every variable is counted twice",
        seeded=True,
    ),
)

FAMILIES: Final = {family.name: family for family in _ROWS}
"""Name -> family."""
