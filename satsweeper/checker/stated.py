"""What a board says, or some clues of it, and how certificates write that down as OPB."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Self

from satsweeper.checker.board import Board, Count, Said
from satsweeper.checker.second_opinion import MOST_CELLS


class Stated:
    """Sums of cells, in the order that certificates have them in: a text to compare files with.

    Args:
        cells: 1 .. ``cells`` are the variables.
        sums: what is said.
    """

    def __init__(self, cells: int, sums: Sequence[Said]) -> None:
        self.cells = cells
        self.sums = sums

    @classmethod
    def by(cls, board: Board) -> Self:
        """All clues of a board that say anything, by ascending shape, and its total."""
        clues = sorted(board.near.values(), key=lambda said: (len(said[0]), said[1]))
        total = board.said_of_all
        return cls(len(board.cells), [*clues, *([] if total is None else [total])])

    @classmethod
    def of(cls, cells: int, counts: Iterable[Count]) -> Self:
        """Some counts, in their order."""
        return cls(cells, [(tuple(sorted(count.variables)), count.mines) for count in counts])

    @cached_property
    def text(self) -> bytes:
        """An equality a line."""
        names = ["", *[f"+1 x{v} " for v in range(1, self.cells + 1)]]
        empty = "+0 x1 " if self.cells else ""
        return "".join(
            [
                f"{''.join([names[v] for v in variables]) or empty}= {mines} ;\n"
                for variables, mines in self.sums
            ]
        ).encode("ascii")

    def counts(self, variables: Iterable[int]) -> list[Count]:
        """Those that count any of these variables or that cannot hold, and those of many cells."""
        asked = set(variables)
        return [
            Count(frozenset(cells), mines)
            for cells, mines in self.sums
            if len(cells) > MOST_CELLS
            or not 0 <= mines <= len(cells)
            or not asked.isdisjoint(cells)
        ]
