"""Functions that join many operands: connectives, counting, sum, minimum and maximum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

import numpy as np

from pbcnf.language.expressions import (
    FALSE,
    TRUE,
    AnyOperand,
    AnyProposition,
    Compound,
    Connective,
    Maximum,
    Operand,
    Proposition,
    Sum,
    Terms,
    joined,
    proposition,
)


def all_of(parts: Iterable[AnyProposition]) -> Proposition:
    """Return the conjunction of `parts`; `TRUE` of none. TypeError for a non-Boolean part."""
    return joined(Connective.AND, [*parts] or [TRUE])


def any_of(parts: Iterable[AnyProposition]) -> Proposition:
    """Return the disjunction of `parts`; `FALSE` of none. TypeError for a non-Boolean part."""
    return joined(Connective.OR, [*parts] or [FALSE])


def xor(parts: Iterable[AnyProposition]) -> Proposition:
    """Return the exclusive or of `parts`: an odd number is true. TypeError for a non-Boolean."""
    return joined(Connective.XOR, [*parts] or [FALSE])


def iff(left: AnyProposition, right: AnyProposition) -> Proposition:
    """Return the equivalence of `left` and `right`, as ``left == right`` does."""
    return ~xor([left, right])


@overload
def ite(condition: AnyProposition, yes: AnyProposition, no: AnyProposition) -> Proposition:
    """Choose between two propositions."""


@overload
def ite(condition: AnyProposition, yes: AnyOperand, no: AnyOperand) -> Operand:
    """Choose between two numbers."""


def ite(condition: AnyProposition, yes: AnyOperand, no: AnyOperand) -> Operand:
    """Return `yes` where the condition is true, else `no`: two propositions, or two numbers.

    >>> from pbcnf.language.expressions import Literal
    >>> x, y = Literal(1), Literal(2)
    >>> ite(x, y, False), ite(x, 5, 2)
    (ite(x1, x2, FALSE), 3*x1 + 2)
    """
    chosen = proposition(condition)
    if isinstance(yes, Proposition | bool) and isinstance(no, Proposition | bool):
        return Compound(Connective.ITE, (chosen, proposition(yes), proposition(no)))
    zero = Sum(Terms([]))
    first, second = zero.plus(yes, 1), zero.plus(no, 1)
    difference = first - second
    if not list(difference.terms):
        return second + difference.constant * chosen
    return chosen * first + (~chosen) * second


def at_most_one(parts: Iterable[AnyProposition]) -> Proposition:
    """Return the proposition "at most one of `parts`". TypeError for a non-Boolean part."""
    return total(map(proposition, parts)) <= 1


def exactly_one(parts: Iterable[AnyProposition]) -> Proposition:
    """Return the proposition "exactly one of `parts`". TypeError for a non-Boolean part."""
    return total(map(proposition, parts)) == 1


def total(parts: Iterable[AnyOperand]) -> Sum:
    """Return the sum of `parts`, as `sum` does; there may be no parts, or constants alone."""
    found = Sum(Terms([]))
    for part in parts:
        found = found.plus(int(part) if isinstance(part, bool | np.bool_) else part, 1)
    return found


def maximum(parts: Iterable[AnyOperand]) -> Operand:
    """Return the largest of the numbers `parts`. Raises ValueError if `parts` is empty.

    >>> from pbcnf.language.expressions import Literal
    >>> maximum([2 * Literal(1), 3 - Literal(2), 1]), minimum([Literal(1), 1])
    (max(2*x1, - x2 + 3, 1), - max(- x1, - 1))
    """
    every = tuple(total([part]) for part in parts)
    if not every:
        raise ValueError("the largest or the least of no numbers")
    return Maximum(every)


def minimum(parts: Iterable[AnyOperand]) -> Operand:
    """Return the least of the numbers `parts`. Raises ValueError if `parts` is empty."""
    return -maximum(-total([part]) for part in parts)
