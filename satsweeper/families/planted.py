"""Lattices of clues with a drawn layout, and variants with one clue too large.

The drawn layout meets every clue, so that the board is consistent. With one clue larger by 1 the
black clues and the white ones differ by 1, and there is no layout (``lattice``). The two boards
differ in that clue alone.
"""

from collections.abc import Mapping, Sequence
from random import Random

from satsweeper.board.codes import Cell
from satsweeper.families.lattice import Square, around, clue_lattice, covered_cells, squares
from satsweeper.position import Position

SHARE = 0.3
"""Default share of mines among covered cells: few clues 0 and 8, so that solvers find it hard."""


def drawn_mines(
    n: int, share: float, seed: int, cells: Sequence[Cell], where: str = ""
) -> frozenset[Cell]:
    """Return mines drawn uniformly from ``cells``; ``where`` makes the draws others.

    Raises:
        ValueError: n is below 2, or share not from 0 to 1.
    """
    if n < 2 or not 0 <= share <= 1:
        raise ValueError(f"n={n}, share={share}: at least 2, and 0 to 1")
    mines = round(share * len(cells))
    return frozenset(Random(f"planted{where} {n} {mines} {seed}").sample(cells, mines))


def one_larger(
    clues: dict[Square, int], counted: Mapping[Square, Sequence[Cell]], share: float, drawn: str
) -> None:
    """Make one of ``clues`` larger by 1: by ``drawn``, one that counts a safe cell.

    Raises:
        ValueError: no clue can be larger, as the ``share`` of mines is 1.
    """
    larger = [square for square in clues if clues[square] < len(counted[square])]
    if not larger:
        raise ValueError(f"share={share}: every cell is a mine, and no clue can be larger")
    clues[Random(drawn).choice(larger)] += 1


def planted_mines(n: int, share: float = SHARE, seed: int = 0) -> frozenset[Cell]:
    """Return the layout of `planted`; ValueError as there."""
    return drawn_mines(n, share, seed, covered_cells(2 * n - 1))


def planted(n: int, share: float = SHARE, seed: int = 0, *, bump: bool = False) -> Position:
    """Return the board of 2n - 1 rows and columns with the clues of a drawn layout, no flags.

    Args:
        n: clues a side, at least 2.
        share: of the covered cells that are mines, 0 to 1.
        seed: equal arguments give equal boards.
        bump: one drawn clue, which counts a safe cell, is larger by 1: then there is no layout.

    Raises:
        ValueError: n or share is out of its range, or no clue can be larger.

    >>> print(planted(3, seed=1).text(), end="")
    5 5 ?
    1?2?1
    ?????
    2?3?1
    ?????
    1?2?1
    >>> print(planted(3, seed=1, bump=True).text()[-6:], end="")
    1?2?2
    """
    mines = planted_mines(n, share, seed)
    counted = {square: around(n, square) for square in squares(n)}
    clues = {square: len(mines.intersection(cells)) for square, cells in counted.items()}
    if bump:
        one_larger(clues, counted, share, f"bump {n} {len(mines)} {seed}")
    return clue_lattice(n, clues)
