"""Equations of 0/1 variables, and rows that follow from equations modulo a prime, with proofs.

An *equation* fixes how many of its variables are 1. A *row* is a linear combination of equations
modulo a prime, with the multipliers as its proof; a row in which most variables cancel constrains
the few that remain. A row is used only after :func:`follows` has checked the combination in
integers.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

Equation = tuple[Sequence[int], int]
"""``(variables, number)``: exactly ``number`` of the variables are 1; each is named once."""


class ModularRow(NamedTuple):
    """A linear equation modulo the prime ``modulus``, with the combination that proves the row.

    The sum of ``coefficients`` (by variable, from 1 to ``modulus - 1``) times variables is
    ``value``. ``multipliers``, by index of an equation: the equations times these add up to the
    row.
    """

    modulus: int
    coefficients: Mapping[int, int]
    value: int
    multipliers: Mapping[int, int]


def added(
    equations: Sequence[Equation], multipliers: Mapping[int, int]
) -> tuple[Counter[int], int]:
    """Return the sum of the equations times ``multipliers``: coefficients and value.

    >>> added([((1, 2), 1), ((2, 3), 2)], {0: -1, 1: 1})
    (Counter({3: 1, 2: 0, 1: -1}), 1)
    """
    coefficients: Counter[int] = Counter()
    value = 0
    for index, multiplier in multipliers.items():
        variables, number = equations[index]
        value += multiplier * number
        for variable in variables:
            coefficients[variable] += multiplier
    return coefficients, value


def follows(equations: Sequence[Equation], row: ModularRow) -> bool:
    """Whether the equations times the row's multipliers add up to ``row``, modulo its modulus."""
    left, value = added(equations, row.multipliers)
    left.subtract(row.coefficients)
    modulus = row.modulus
    return (value - row.value) % modulus == 0 and not any(n % modulus for n in left.values())


def meets(equations: Iterable[Equation], ones: Container[int]) -> bool:
    """Whether ``equations`` hold where the variables ``ones`` are 1 and all others 0."""
    return all(sum(v in ones for v in variables) == number for variables, number in equations)


def clauses_of(row: ModularRow) -> Iterator[list[int]]:
    """Yield clauses over the variables of ``row`` that hold where the row holds, and only there.

    There is a clause for each assignment that violates the row, with a negative literal for each
    variable that is 1 in the assignment and a positive literal for each other variable. Without
    variables, the only clause is the empty clause, if ``row`` does not hold.
    """
    variables = list(row.coefficients)
    for values in product((0, 1), repeat=len(variables)):
        total = sum(row.coefficients[v] for v, x in zip(variables, values, strict=True) if x)
        if (total - row.value) % row.modulus:
            yield [-v if x else v for v, x in zip(variables, values, strict=True)]
