"""A position as plain sums over numbered cells, and the answer back in board words.

The engines that need no solver share this: cells are numbers from 0, a sum says that exactly so
many of some cells are mines.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from satsweeper.board.codes import Cell
from satsweeper.board.view import Flags
from satsweeper.clues import constraints_of
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.position import Position

Sum = tuple[frozenset[int], int]
"""Some cells, and how many of them are mines."""


@dataclass(frozen=True)
class CellSums:
    """What a position says: ``cells`` by number, the clues as ``sums``, each once, and the total.

    ``total`` counts the mines of ``cells`` only; it may be out of range, as a clue's number may.
    """

    cells: list[Cell]
    sums: list[Sum]
    total: int | None

    @classmethod
    def of(cls, position: Position, flags: Flags) -> "CellSums":
        """The sums of a position; flags are mines, or mean nothing."""
        board = constraints_of(position, flags)
        clues = [said for said in board.sums() if said.clue is not None]
        sums = dict.fromkeys((frozenset(v - 1 for v in s.variables), s.mines) for s in clues)
        return cls(board.cell_list(), list(sums), board.total)

    def holds(self, mines: frozenset[int]) -> bool:
        """Whether these mines are a layout."""
        if self.total not in (None, len(mines)):
            return False
        return all(len(cells & mines) == need for cells, need in self.sums)

    def inconsistent(self, *notes: str) -> EngineAnswer:
        """No layout exists."""
        return EngineAnswer("inconsistent", frozenset(), frozenset(), decided=True, notes=notes)

    def answer(
        self, decided: Mapping[int, bool], complete: bool, notes: Iterable[str] = ()
    ) -> EngineAnswer:
        """The answer when these cells are decided, True for a mine.

        ``complete``: a layout exists and every other cell is proved unknown. Otherwise the answer
        is certain only if every cell is decided, for then there is one candidate to check.
        """
        if not complete and len(decided) == len(self.cells):
            if not self.holds(frozenset(cell for cell, mine in decided.items() if mine)):
                return self.inconsistent(*notes)
            complete = True
        return EngineAnswer(
            "consistent" if complete else "undecided",
            frozenset(self.cells[cell] for cell, mine in decided.items() if not mine),
            frozenset(self.cells[cell] for cell, mine in decided.items() if mine),
            decided=complete,
            notes=tuple(notes),
        )


def undecided(sums: Iterable[Sum], decided: Mapping[int, bool]) -> list[Sum]:
    """The sums over undecided cells, each once; one of no cells stays only if it is not met."""
    rest: dict[Sum, None] = {}
    for cells, need in sums:
        left = frozenset(cell for cell in cells if cell not in decided)
        need -= sum(decided.get(cell, False) for cell in cells)
        if left or need:
            rest[left, need] = None
    return list(rest)
