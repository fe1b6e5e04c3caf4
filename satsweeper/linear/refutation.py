"""Equations of zeros and ones without a solution: the sum that shows it, whichever way finds it."""

from collections.abc import Sequence

from satsweeper.linear.checked_rows import checked_rows
from satsweeper.linear.duality import Weighted
from satsweeper.linear.equations import Equation, Row
from satsweeper.linear.relaxation import available, refute

MODULI = (2, 3)
"""What is counted modulo."""


def refutation(
    equations: Sequence[Equation], seconds: float | None = None
) -> Row | Weighted | None:
    """A row without variables that does not hold, or weights; None if neither is found.

    ``seconds``: for the linear program. What is returned was checked in integers.

    >>> refutation([((1, 2), 1), ((2, 3), 1), ((1, 3), 1)]).modulus
    2
    """
    for modulus in MODULI:
        row = checked_rows(equations, modulus).clash
        if row is not None:
            return row
    return refute(equations, seconds) if available() else None
