"""Relations of many integers: all different, and the entry of a table at a variable place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from pbcnf.language.connectives import all_of, at_most_one, exactly_one, total
from pbcnf.language.expressions import AnyOperand, Operand, Proposition, Sum
from pbcnf.language.integers import IntegerVariable


def all_different(operands: Iterable[Operand]) -> Proposition:
    """Return that no two of them have the same value.

    Integer variables, also with a number added, get an at-most-one constraint for every value that
    two of them can have, an exactly-one constraint if there are no more values than variables.
    Other operands are compared in pairs.
    """
    every = list(operands)
    shifted = [_shifted(each) for each in every]
    places: dict[int, list[Proposition]] = defaultdict(list)
    for found in shifted:
        if found is None:
            return all_of([a != b for a, b in combinations(every, 2)])
        variable, shift = found
        for value in variable.domain:
            places[value + shift].append(variable == value)
    limited = exactly_one if len(places) == len(every) else at_most_one
    return all_of(
        [
            limited(places[value])
            for value in sorted(places)
            if len(places[value]) > 1 or limited is exactly_one
        ]
    )


def element(table: Sequence[AnyOperand], place: Operand) -> Sum:
    """Return ``table[place]`` as a sum; the place counts from 0.

    A place outside of the table has the value 0: bound the place if it may lie there.

    >>> from pbcnf.language.integers import Domain
    >>> place = IntegerVariable("i", Domain.of(range(3)))
    >>> element([7, 0, 9], place)
    7*(i == 0) + 9*(i == 2)
    """
    return total(entry * (place == at) for at, entry in enumerate(table) if _some(entry))


def _some(entry: AnyOperand) -> bool:
    return isinstance(entry, Operand) or entry != 0


def _shifted(operand: Operand) -> tuple[IntegerVariable, int] | None:
    """Return the variable and the number added to it, if that is what the operand is."""
    found = Sum.of(operand)
    terms = list(found.terms)
    if len(terms) == 1 and terms[0][1] == 1 and isinstance(terms[0][0], IntegerVariable):
        return terms[0][0], found.constant
    return None
