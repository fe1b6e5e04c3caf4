"""The clues and total of a board, or some of them, as certificates write them in OPB."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Self

from satsweeper.checker.board import CellCount, CheckedBoard, CountPair
from satsweeper.checker.second_opinion import MOST_CELLS


class OpbStatement:
    """Equalities over cells in the order of certificates, and their OPB text to compare files with.

    Args:
        cells: 1 .. ``cells`` are the variables.
        sums: the variables of each equality, and how many of them are mines.
    """

    def __init__(self, cells: int, sums: Sequence[CountPair]) -> None:
        self.cells = cells
        self.sums = sums

    @classmethod
    def by(cls, board: CheckedBoard) -> Self:
        """Return all clues of ``board`` that count a covered cell or fail, and its total."""
        clues = sorted(board.near.values(), key=lambda pair: (len(pair[0]), pair[1]))
        total = board.total_pair
        return cls(len(board.cells), [*clues, *([] if total is None else [total])])

    @classmethod
    def of(cls, cells: int, counts: Iterable[CellCount]) -> Self:
        """Return the statement of ``counts``, in their order, over ``cells`` variables."""
        return cls(cells, [(tuple(sorted(count.variables)), count.mines) for count in counts])

    @cached_property
    def text(self) -> bytes:
        """The OPB text, an equality a line."""
        names = ["", *[f"+1 x{v} " for v in range(1, self.cells + 1)]]
        empty = "+0 x1 " if self.cells else ""
        return "".join(
            [
                f"{''.join([names[v] for v in variables]) or empty}= {mines} ;\n"
                for variables, mines in self.sums
            ]
        ).encode("ascii")

    def counts(self, variables: Iterable[int]) -> list[CellCount]:
        """Return the counts that can matter for clauses over ``variables``.

        These are counts that share a variable, contradictory counts, and all counts of more than
        ``MOST_CELLS`` cells.
        """
        asked = set(variables)
        return [
            CellCount(frozenset(cells), mines)
            for cells, mines in self.sums
            if len(cells) > MOST_CELLS
            or not 0 <= mines <= len(cells)
            or not asked.isdisjoint(cells)
        ]
