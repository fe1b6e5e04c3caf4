"""Equations of boards and problems, written down cell by cell, and what follows from them."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import numpy as np

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from satsweeper import Position
from satsweeper.solvers.protocol import Satisfied, Unsatisfied
from satsweeper.solvers.sink import open_solver

Equations = list[tuple[dict[object, int], int]]
"""Sums of unknowns with coefficients, and what each is."""


def block(cell: tuple[int, int]) -> set[tuple[int, int]]:
    """The cell and the eight around it, beyond the edges as well."""
    return {(cell[0] + a, cell[1] + b) for a in (-1, 0, 1) for b in (-1, 0, 1)}


def equations_of(made: Position | Problem) -> Equations:
    """One a clue or total; one an exact constraint. Other bounds have a slack of their own."""
    if isinstance(made, Problem):
        found: Equations = []
        for at, each in enumerate(made.constraints):
            assert isinstance(each, Cardinality)
            row: dict[object, int] = dict.fromkeys(each.lits, 1)
            if each.lower != each.upper:
                row["slack", at] = 1
            found.append((row, each.upper))
        return found
    cells, found = made.cells, []
    covered, flags = set(made.covered_cells()), set(made.flag_cells())
    for clue in made.clue_cells():
        near = block(clue)
        found.append((dict.fromkeys(near & covered, 1), int(cells[clue]) - len(near & flags)))
    if made.mines is not None:
        found.append((dict.fromkeys(covered, 1), made.mines - len(flags)))
    return found


def refuted(
    made: Position | Problem, modulus: int = 0, fixed: Mapping[object, bool] | None = None
) -> bool:
    """Whether elimination modulo a prime, or in fractions if that is 0, comes to 0 = something.

    ``fixed`` are cells that are held to be mines or safe.
    """

    def number(value: int | Fraction) -> int | Fraction:
        return value % modulus if modulus else Fraction(value)

    pivots: dict[object, tuple[dict[object, int | Fraction], int | Fraction]] = {}
    held: Equations = [({cell: 1}, int(mine)) for cell, mine in (fixed or {}).items()]
    for start, value in equations_of(made) + held:
        row = {cell: number(factor) for cell, factor in start.items() if number(factor)}
        right = number(value)
        while row:
            lead = min(row, key=repr)
            factor = row[lead]
            if lead not in pivots:
                inverse = pow(int(factor), -1, modulus) if modulus else 1 / Fraction(factor)
                scaled = {cell: number(each * inverse) for cell, each in row.items()}
                pivots[lead] = scaled, number(right * inverse)
                break
            other, said = pivots[lead]
            for cell, each in other.items():
                if rest := number(row.get(cell, 0) - factor * each):
                    row[cell] = rest
                else:
                    row.pop(cell, None)
            right = number(right - factor * said)
        else:
            if right:
                return True
    return False


def meets(position: Position, mines: frozenset[tuple[int, int]]) -> bool:
    """Whether these mines, all on covered cells, and the flags are what every clue counts."""
    laid = mines | set(position.flag_cells())
    return mines <= set(position.covered_cells()) and all(
        len(block(clue) & laid) == position.cells[clue] for clue in position.clue_cells()
    )


def brute_force(made: Position | Problem) -> int:
    """How many of all assignments of the unknowns meet every equation, by trying them."""
    equations = equations_of(made)
    unknowns = list(dict.fromkeys(cell for row, _ in equations for cell in row))
    assert len(unknowns) <= 20
    bits = np.arange(2 ** len(unknowns))[:, None] >> np.arange(len(unknowns)) & 1
    factors = np.array([[row.get(cell, 0) for cell in unknowns] for row, _ in equations])
    return int((bits @ factors.T == [value for _, value in equations]).all(axis=1).sum())


class Loop:
    """A solver with every equation as clauses written down here, asked again and again."""

    def __init__(self, made: Position | Problem) -> None:
        equations = equations_of(made)
        every = dict.fromkeys(cell for row, _ in equations for cell in row)
        self.number = {cell: at for at, cell in enumerate(every, start=1)}
        self._solver = open_solver("cadical195")
        for row, value in equations:
            lits = [self.number[cell] for cell in row]
            for chosen in combinations(lits, min(max(value + 1, 0), len(lits) + 1)):
                self._solver.add_clause([-lit for lit in chosen])
            for chosen in combinations(lits, min(max(len(lits) - value + 1, 0), len(lits) + 1)):
                self._solver.add_clause(chosen)

    def possible(self, *fixed: tuple[object, bool]) -> bool:
        """Whether all can be met with these cells mines (True) or safe (False)."""
        found = self._solver.solve(
            [self.number[cell] * (1 if mine else -1) for cell, mine in fixed]
        )
        assert isinstance(found, Satisfied | Unsatisfied)
        return isinstance(found, Satisfied)
