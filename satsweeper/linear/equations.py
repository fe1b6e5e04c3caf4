"""Sums of variables, and what follows from them modulo a prime: rows, and their proofs.

An *equation* says how many of some variables are 1. Equations times multipliers add up to a *row*;
counting modulo a prime, a row with few variables left says something of them alone. Whoever
believes a row checks it first: :func:`follows` adds up in integers and knows nothing of how the row
was found.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pbcnf.constraints.problem import Problem

Equation = tuple[Sequence[int], int]
"""``(variables, number)``: exactly ``number`` of the variables are 1; each is named once."""


class Row(NamedTuple):
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
    """The equations, times the multipliers, in integers: the coefficients and the value.

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


def follows(equations: Sequence[Equation], row: Row) -> bool:
    """Whether the equations, times the multipliers, add up to the row modulo its modulus."""
    left, value = added(equations, row.multipliers)
    left.subtract(row.coefficients)
    modulus = row.modulus
    return (value - row.value) % modulus == 0 and not any(n % modulus for n in left.values())


def meets(equations: Iterable[Equation], ones: Container[int]) -> bool:
    """Whether the equations hold where these variables are 1 and all others 0."""
    return all(sum(v in ones for v in variables) == number for variables, number in equations)


def clauses_of(row: Row) -> Iterator[list[int]]:
    """Clauses over the variables of a row that together say what it says of zeros and ones.

    One for each of its wrong assignments, a negative literal for a variable that is 1 there; all
    of them together clash if every one is wrong.
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
