"""The rows that elimination finds, each checked before anybody believes it."""

from collections.abc import Sequence

from satsweeper.board.errors import DefectError
from satsweeper.linear.elimination import Eliminated, eliminate
from satsweeper.linear.equations import Equation, follows


def checked_rows(equations: Sequence[Equation], modulus: int, long: int = 0) -> Eliminated:
    """What elimination modulo 2 or 3 finds, a clash among the rows, the last one.

    Arguments as those of ``eliminate``.

    Raises:
        DefectError: a row does not follow from the equations.
    """
    found = eliminate(equations, modulus, long=long)
    if found.clash is not None:
        found.rows.append(found.clash)
    for row in found.rows:
        if not follows(equations, row):
            raise DefectError(f"elimination modulo {modulus}: a row does not follow")
    return found
