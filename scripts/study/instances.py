"""The instances of the study: boards and problems, each with the kind that tables name."""

import io
from collections.abc import Sequence
from typing import Final

from pbcnf.constraints.problem import Problem
from pbcnf.formats.write.opb import write_opb
from satsweeper.board.size import BoardSize
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.random_boards import random_position
from satsweeper.families.checkerboard import checkerboard
from satsweeper.families.chessboard import mutilated_chessboard
from satsweeper.families.parity import parity_lattice
from satsweeper.families.pigeonhole import pigeonhole
from satsweeper.families.regular import regular
from satsweeper.position import Position


def board(position: Position, name: str, family: str) -> Instance:
    """A position as an instance."""
    return Instance.of_board(position, name, family)


def problem(given: Problem, name: str, family: str) -> Instance:
    """A problem as an instance: the text of its OPB file."""
    stream = io.BytesIO()
    write_opb(given, stream)
    return Instance.of_text(InstanceKind.PROBLEM, stream.getvalue(), name, family)


def games(
    sizes: Sequence[tuple[int, int, int, float, int]],
    checkers: Sequence[tuple[int, int]],
    total: bool,
) -> list[Instance]:
    """Opened boards (rows, columns, mines, share opened, seeds), checkerboards (side, seeds)."""
    found = []
    for rows, columns, mines, opened, seeds in sizes:
        family = f"{BoardSize(rows, columns, mines)}, {opened:.0%} open"
        for seed in range(seeds):
            position = random_position(rows, columns, mines, seed, opened)
            if not total:
                position = Position(position.cells)
            found.append(board(position, f"{family}, seed {seed}", family))
    for side, seeds in checkers:
        family = f"checkerboard {side}x{side}"
        for seed in range(seeds):
            position = checkerboard(side, seed=seed, total=total)
            found.append(board(position, f"{family}, seed {seed}", family))
    return found


def clues() -> list[Instance]:
    """Boards without a total."""
    sizes = [(16, 30, 99, 0.3, 6), (16, 30, 99, 0.6, 6), (50, 50, 500, 0.4, 4)]
    return games(sizes, [(20, 4), (36, 4)], total=False)


def totals() -> list[Instance]:
    """Boards with a total."""
    sizes = [(16, 30, 99, 0.3, 5), (16, 30, 99, 0.8, 5), (36, 36, 250, 0.4, 4)]
    return games(sizes, [(16, 4)], total=True)


def reduced() -> list[Instance]:
    """Boards of one large region with a total, so that reductions leave something to count."""
    sizes = [(16, 30, 99, 0.3, 4), (16, 30, 99, 0.8, 4)]
    return games(sizes, [(16, 4), (20, 4), (24, 4), (28, 4)], total=True)


def regular_problems(
    rows: Sequence[tuple[int, int, int, int]], seeds: Sequence[int]
) -> list[Instance]:
    """Constraints, literals of each, how many of them are true, constraints of a variable."""
    return [
        problem(
            regular(m, n, k, degree, seed),
            f"{m} times {k} of {n}, degree {degree}, seed {seed}",
            f"{k} of {n}",
        )
        for m, n, k, degree in rows
        for seed in seeds
    ]


LARGE: Final = (
    (9, 60, 30, 3),
    (8, 100, 50, 4),
    (10, 100, 20, 5),
    (6, 120, 60, 3),
    (8, 200, 20, 4),
    (8, 200, 100, 4),
    (6, 300, 150, 3),
    (8, 400, 40, 4),
)
MIDDLE: Final = (
    (5, 6, 3, 2),
    (7, 6, 3, 2),
    (5, 8, 3, 2),
    (5, 8, 5, 2),
    (5, 10, 3, 2),
    (5, 12, 3, 2),
)


def chessboards() -> list[Instance]:
    """Two a size: without opposite corners, and without two squares elsewhere."""
    found = []
    for n in range(7, 12):
        found.append((n, [(0, 0), (n - 1, n - 1)]))
        inner = [(1, 1), (n - 2, n - 2)] if n % 2 == 0 else [(0, 0), (0, 2)]
        found.append((n, inner))
    return [
        board(
            mutilated_chessboard(n, missing),
            f"chessboard {n}x{n} without {missing[0]} and {missing[1]}",
            f"{n}x{n}",
        )
        for n, missing in found
    ]


def parity_lattices() -> list[Instance]:
    """Return an instance a size: these families have no seeds."""
    return [board(parity_lattice(n), f"parity {n}x{n}", f"{n}x{n}") for n in range(4, 13)]


def at_most_one() -> list[Instance]:
    """Pigeonholes, and random exact covers."""
    found = [
        problem(pigeonhole(holes + 1, holes), f"{holes + 1} pigeons, {holes} holes", "pigeonhole")
        for holes in range(5, 10)
    ]
    rows = [(30, 15, 1, 3), (60, 12, 1, 3), (40, 20, 1, 4), (30, 30, 1, 5), (36, 40, 1, 6)]
    return found + regular_problems(rows, (1,))
