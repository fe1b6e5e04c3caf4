"""2G: the mines come in groups of four."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.constraints.sums import Sum


def fours(board: Board, part: Part) -> Iterator[Sum]:
    """2G: each group connected by edges has four cells.

    A term for each connected set of four cells: they hold mines and the cells around them do not.
    For each cell: no mine, or one of the terms of the sets in which it is.
    """
    for terms in _terms(board.geometry.beside):
        yield Sum(part, terms, (1,) * len(terms), tuple(range(1, len(terms) + 1)))


@lru_cache(maxsize=16)
def _terms(beside: tuple[tuple[int, ...], ...]) -> list[tuple[tuple[int, ...], ...]]:
    """Return for each cell the terms of which one holds; cell c has the variable c + 1."""
    terms: list[list[tuple[int, ...]]] = [[(-cell - 1,)] for cell in range(len(beside))]
    for group in _connected_sets(beside, 4):
        around = sorted({near for cell in group for near in beside[cell]} - {*group})
        term = tuple([cell + 1 for cell in group] + [-cell - 1 for cell in around])
        for cell in group:
            terms[cell].append(term)
    return [*map(tuple, terms)]


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
