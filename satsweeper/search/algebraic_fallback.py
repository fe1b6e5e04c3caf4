"""Sums of clues where search fails: counting modulo 2 and 3, then the linear relaxation.

Boards made to be hard for search (a mutilated chessboard, a lattice of odd charge) are refuted by a
few sums of their clues. For a region that has used up its first budget of conflicts, elimination
and the linear program run once each, within a bound on their cost; then search goes on with the
cells and clauses that they proved. Every row and every claim is checked in integers before it is
used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from satsweeper.linear.elimination import MODULI, checked_rows
from satsweeper.linear.equations import Equation, clauses_of
from satsweeper.linear.relaxation import available, decide, refute

_SECONDS: Final = 3.0
"""The time limit of one linear program, in seconds."""


@dataclass
class AlgebraicProof:
    """Consequences of a region's equations, found without search."""

    refuted: bool = False
    """Whether the equations have no solution."""
    decided: dict[int, bool] = field(default_factory=dict)
    """Variables that are 1 (True) or 0 in every solution."""
    clauses: list[list[int]] = field(default_factory=list)
    """Clauses that hold in every solution."""
    solutions: list[frozenset[int]] = field(default_factory=list)
    """Solutions found on the way, each as the variables that are 1."""
    by: list[str] = field(default_factory=list)
    """The methods that proved something: ``modulo 2``, ``modulo 3``, ``linear program``."""


def prove_without_search(
    equations: Sequence[Equation], left: Callable[[], float | None]
) -> AlgebraicProof:
    """Return consequences of ``equations`` that need no search.

    Args:
        equations: the equations of one region.
        left: returns the seconds until the deadline, None if there is no deadline.

    Raises:
        DefectError: a row of elimination does not follow from the equations.
    """
    found = AlgebraicProof()
    # A row holds modulo a prime for every integer solution, hence for every 0/1 solution: its
    # clauses exclude exactly the assignments that violate the row, and no solution of `equations`.
    for modulus in MODULI:
        rows = checked_rows(equations, modulus).rows
        for row in rows:
            # A checked row without variables says 0 = value with value other than 0.
            if not row.coefficients:
                return AlgebraicProof(refuted=True, by=[f"modulo {modulus}"])
            clauses = list(clauses_of(row))
            found.clauses += clauses
            found.decided |= {abs(c[0]): c[0] > 0 for c in clauses if len(c) == 1}
        if rows:
            found.by.append(f"modulo {modulus}")
    if not available():
        return found

    def seconds() -> float:
        rest = left()
        return _SECONDS if rest is None else min(rest, _SECONDS)

    if refute(equations, seconds()) is not None:
        found.refuted, found.by = True, ["linear program"]
        return found
    # The relaxation has a solution, which `decide` requires: no claim of infeasibility was proved.
    claims, found.solutions = decide(equations, seconds)
    new = {v: claim.ones for claim in claims for v in claim.variables if v not in found.decided}
    if new:
        found.decided |= new
        found.by.append("linear program")
    return found
