"""A position as a 0/1 program: a variable a covered cell, an equation a revealed cell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from satsweeper.board.codes import Cell
from satsweeper.board.planes import indices
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


def reduction_of(position: Position, flags: Literal["trust", "ignore"] = "trust") -> Reduction:
    """The reduction of a position; trusted flags are mines, which numbers no longer count.

    >>> reduction = reduction_of(Position.parse("1??\\n12?\\n01?"))
    >>> reduction.num_vars, reduction.num_constraints
    (4, 5)
    >>> reduction.constraints[2]
    Equation(variables=(0, 1, 2, 3), number=2, clue=(1, 1))
    """
    planes, geometry = position.planes, position.geometry
    trusted = planes.flags if flags == "trust" else 0
    covered = indices((planes.covered | planes.flags) & ~trusted, geometry.size)
    number = {index: variable for variable, index in enumerate(covered)}
    equations = []
    for clue in indices(planes.clues, geometry.size):
        near = list(geometry.neighbours(clue))
        cell = geometry.cell(clue)
        equations.append(
            Equation(
                tuple(number[index] for index in near if index in number),
                int(position.cells[cell]) - sum(trusted >> index & 1 for index in near),
                cell,
            )
        )
    if position.mines is not None:
        total = position.mines - trusted.bit_count()
        equations.append(Equation(tuple(range(len(covered))), total, None))
    return Reduction({geometry.cell(i): v for i, v in number.items()}, tuple(equations))
