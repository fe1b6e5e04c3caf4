"""What a position says, as sums of cells: the whole of it, or some clues and perhaps the total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from satsweeper.board.codes import Cell
from satsweeper.clues import BoardConstraints
from satsweeper.position import Position


@dataclass(frozen=True)
class Statement:
    """Exactly so many of these cells are mines, for some sets of cells and perhaps for all.

    Variables 1 .. ``cells`` are the covered cells row by row. ``sums``: the variables of a clue and
    how many of them are mines, less the trusted flags; ``total``: of all variables, or None.
    """

    cells: int
    sums: tuple[tuple[tuple[int, ...], int], ...] = field(repr=False)
    total: int | None

    def opb(self) -> bytes:
        """As an OPB problem, an equality each, the total last."""
        sums = [*self.sums]
        if self.total is not None:
            sums.append((tuple(range(1, self.cells + 1)), self.total))
        # As ``write_opb`` writes them, but in a fraction of its time: nothing here is resolved.
        empty = "+0 x1 " if self.cells else ""
        lines = [
            f"{''.join([f'+1 x{v} ' for v in variables]) or empty}= {mines} ;\n"
            for variables, mines in sums
        ]
        largest = max([len(variables) + abs(mines) for variables, mines in sums], default=0)
        count = len(sums)
        head = f"* #variable= {self.cells} #constraint= {count} #equal= {count}"
        return f"{head} intsize= {largest.bit_length()}\n{''.join(lines)}".encode("ascii")

    def touched(self) -> set[int]:
        """The variables that a clue counts."""
        return {variable for variables, _ in self.sums for variable in variables}


def whole_statement(board: BoardConstraints) -> Statement:
    """All that a position says."""
    sums = tuple(
        (tuple(row), group.mines) for group in board.groups for row in group.inputs.tolist()
    )
    return Statement(len(board.cells), sums, board.total)


def part_of_statement(
    position: Position,
    board: BoardConstraints,
    variable: Mapping[Cell, int],
    clues: Iterable[Cell],
    total: bool,
) -> Statement:
    """What these clues say, and the total if wanted."""
    geometry = position.geometry
    flags = {(row, column) for row, column in board.flags.tolist()}
    sums = []
    for clue in clues:
        around = [geometry.cell(index) for index in geometry.neighbours(geometry.index(clue))]
        shown = int(position.cells[clue]) - sum(cell in flags for cell in around)
        sums.append((tuple(variable[cell] for cell in around if cell in variable), shown))
    return Statement(len(board.cells), tuple(sums), board.total if total else None)
