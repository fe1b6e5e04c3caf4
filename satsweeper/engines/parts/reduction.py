"""A position as a 0/1 program: a variable a covered cell, an equation a revealed cell."""

from collections.abc import Mapping
from dataclasses import dataclass

from satsweeper.board.codes import Cell
from satsweeper.board.view import Flags
from satsweeper.clues import Sum, constraints_of
from satsweeper.position import Position


@dataclass(frozen=True)
class Equation:
    """The sum of some variables is a number, since a clue says so; without a clue, the total."""

    variables: tuple[int, ...]
    number: int
    clue: Cell | None


@dataclass(frozen=True)
class Reduction:
    """A position as a 0/1 program with an empty objective; its solutions are the layouts.

    ``variables`` numbers the covered cells from 0, row by row. ``constraints`` has an equation for
    every revealed cell, row by row, also those that count no covered cell (0 = 0), and then one for
    the total if it is known. There are no auxiliary variables.
    """

    variables: Mapping[Cell, int]
    constraints: tuple[Equation, ...]

    @property
    def num_vars(self) -> int:
        """Overhead: one variable a covered cell."""
        return len(self.variables)

    @property
    def num_constraints(self) -> int:
        """Overhead: one equation a revealed cell, and one for a known total."""
        return len(self.constraints)

    def holds(self, mines: frozenset[Cell]) -> bool:
        """Whether a layout of the covered cells meets all equations."""
        return all(
            equation.number
            == sum(cell in mines and self.variables[cell] in equation.variables for cell in mines)
            for equation in self.constraints
        )

    def rows(self) -> list[tuple[tuple[int, ...], int]]:
        """The equations as columns and number."""
        return [(equation.variables, equation.number) for equation in self.constraints]


def reduction_of(position: Position, flags: Flags = "trust") -> Reduction:
    """The reduction of a position; trusted flags are mines, which numbers no longer count.

    >>> reduction = reduction_of(Position.parse("1??\\n12?\\n01?"))
    >>> reduction.num_vars, reduction.num_constraints
    (4, 5)
    >>> reduction.constraints[2]
    Equation(variables=(0, 1, 2, 3), number=2, clue=(1, 1))
    """
    board = constraints_of(position, flags)
    said = {one.clue: one for one in board.sums()}
    # A clue that counts no covered cell, and is met, says nothing: 0 = 0.
    asked = [*position.clue_cells(), *([None] if board.total is not None else [])]
    sums = [said.get(clue, Sum((), 0, clue)) for clue in asked]
    return Reduction(
        {cell: variable for variable, cell in enumerate(board.cell_list())},
        tuple(Equation(tuple(v - 1 for v in s.variables), s.mines, s.clue) for s in sums),
    )
