"""What resolution does not settle: counting modulo 2 and 3, then the linear relaxation.

Boards made to be hard for search (a mutilated chessboard, a lattice of odd charge) are refuted by a
few sums of their clues. A region that has used up its first budget of conflicts is looked at in
these two ways, each within a bound on its cost; then search goes on, knowing what was learned.
Nothing is believed that was not checked in integers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from satsweeper.linear.checked_rows import checked_rows
from satsweeper.linear.elimination import MODULI
from satsweeper.linear.equations import Equation, clauses_of
from satsweeper.linear.relaxation import available, decide, refute

_SECONDS: Final = 3.0
"""Of a linear program, at the most."""


@dataclass
class Found:
    """What the equations of a region prove.

    ``by`` are the ways that found anything. ``refuted``: they have no solution. ``decided`` are
    variables that are 1 (True) or 0, ``clauses`` hold besides. ``solutions``: some, each as the
    variables that are 1.
    """

    refuted: bool = False
    decided: dict[int, bool] = field(default_factory=dict)
    clauses: list[list[int]] = field(default_factory=list)
    solutions: list[frozenset[int]] = field(default_factory=list)
    by: list[str] = field(default_factory=list)


def look(equations: Sequence[Equation], left: Callable[[], float | None]) -> Found:
    """What follows from the equations of a region without search; ``left``: seconds, None for any.

    Raises:
        DefectError: what elimination found is not so.
    """
    found = Found()
    for modulus in MODULI:
        rows = checked_rows(equations, modulus).rows
        for row in rows:
            if not row.coefficients:
                return Found(refuted=True, by=[f"modulo {modulus}"])
            clauses = list(clauses_of(row))
            found.clauses += clauses
            found.decided |= {abs(c[0]): c[0] > 0 for c in clauses if len(c) == 1}
        if rows:
            found.by.append(f"modulo {modulus}")
    if available():
        _relax(equations, left, found)
    return found


def _relax(equations: Sequence[Equation], left: Callable[[], float | None], found: Found) -> None:
    def seconds() -> float:
        rest = left()
        return _SECONDS if rest is None else min(rest, _SECONDS)

    if refute(equations, seconds()) is not None:
        found.refuted, found.by = True, ["linear program"]
        return
    claims, found.solutions = decide(equations, seconds)
    new = {v: claim.ones for claim in claims for v in claim.variables if v not in found.decided}
    if new:
        found.decided |= new
        found.by.append("linear program")
