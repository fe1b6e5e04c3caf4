"""Equations of sums, and rows that follow from them modulo a prime, with proofs.

An *equation* says how many of some variables are 1. Equations times multipliers add up to a *row*;
counting modulo a prime, a row with few variables left says something of them alone. A
row counts only once :func:`follows` has added up its equations in integers.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pbcnf.constraints.problem import Problem

Equation = tuple[Sequence[int], int]
"""``(variables, number)``: exactly ``number`` of the variables are 1; each is named once."""


class ModularRow(NamedTuple):
    """The sum of coefficients times variables is ``value``, modulo a prime.

    Coefficients are from 1 to ``modulus - 1``. ``multipliers`` by the index of an equation: they
    add up to the row.
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

    A clause for each assignment that breaks the row, with a negative literal for each variable that
    is 1 in it; all clauses together clash if every assignment breaks the row.
    """
    variables = list(row.coefficients)
    for ones in product((0, 1), repeat=len(variables)):
        total = sum(row.coefficients[v] for v, one in zip(variables, ones, strict=True) if one)
        if (total - row.value) % row.modulus:
            yield [-v if one else v for v, one in zip(variables, ones, strict=True)]


def equations_of(problem: "Problem") -> list[Equation]:
    """Return the constraints of ``problem`` that fix how many variables are true, in their order.

    Its other constraints are left out: a contradiction of some constraints is one of all.

    >>> from pbcnf import Cardinality, Problem
    >>> equations_of(Problem(3, (Cardinality([1, 2], 1, 1), Cardinality([2, 3], 1, 2))))
    [((1, 2), 1)]
    """
    from pbcnf.constraints.constraint import Cardinality

    return [
        (constraint.lits, constraint.lower)
        for constraint in problem.constraints
        if isinstance(constraint, Cardinality)
        and constraint.lower == constraint.upper
        and min(constraint.lits, default=1) > 0
        and len(set(constraint.lits)) == len(constraint.lits)
    ]
