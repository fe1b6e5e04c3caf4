"""2G: the mines come in groups of four."""

from __future__ import annotations

from collections.abc import Iterator

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.constraints.sums import Sum


def fours(board: Board, part: Part) -> Iterator[Sum]:
    """2G: each group connected by edges has four cells.

    A term for each connected set of four cells: they hold mines and the cells around them do not.
    For each cell: no mine, or one of the terms of the sets in which it is.
    """
    beside = board.geometry.beside
    terms: list[list[tuple[int, ...]]] = [[] for _ in beside]
    for group in _connected_sets(beside, 4):
        around = sorted({near for cell in group for near in beside[cell]} - {*group})
        term = tuple([board.mine(c) for c in group] + [-board.mine(c) for c in around])
        for cell in group:
            terms[cell].append(term)
    for cell, found in enumerate(terms):
        every = ((-board.mine(cell),), *found)
        yield Sum(part, every, (1,) * len(every), tuple(range(1, len(every) + 1)))


def _connected_sets(beside: tuple[tuple[int, ...], ...], size: int) -> list[tuple[int, ...]]:
    """Return the connected sets of ``size`` cells, each ascending, in ascending order."""
    found: set[tuple[int, ...]] = {(cell,) for cell in range(len(beside))}
    for _ in range(size - 1):
        found = {
            tuple(sorted((*group, near)))
            for group in found
            for cell in group
            for near in beside[cell]
            if near not in group
        }
    return sorted(found)
