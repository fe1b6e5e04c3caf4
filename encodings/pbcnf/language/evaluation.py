"""The value of an expression under values of its variables, by plain arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final

from pbcnf.language.expressions import (
    Comparison,
    Compound,
    Connective,
    Constant,
    IntegerProduct,
    Literal,
    Maximum,
    Not,
    Operand,
    Sum,
)
from pbcnf.language.integers import IntegerVariable

Leaf = Literal | IntegerVariable
"""An operand with a value of its own: a Boolean or an integer variable."""


def parts(operand: Operand) -> list[Operand]:
    """Return the immediate operands of an expression."""
    match operand:
        case Compound() | Maximum():
            return list(operand.parts)
        case Not():
            return [operand.part]
        case Comparison() | Sum():
            return [each for each, _ in operand.terms]
        case IntegerProduct():
            return [operand.left, operand.right]
    return []


def inside_out(roots: Iterable[Operand], known: Container[Operand] = ()) -> Iterator[Operand]:
    """Yield every subexpression of the roots once, operands before the expression itself.

    Expressions in `known` are left out, with all operands that occur only in left out expressions.
    """
    done: set[Operand] = set()
    # Not by recursion: formulas that programs build are often thousands of levels deep.
    for root in roots:
        # Expressions, each with whether its operands were pushed above it, to be yielded first.
        waiting = [(root, False)]
        while waiting:
            operand, ready = waiting.pop()
            if operand in done or operand in known:
                continue
            inner = [] if ready else [part for part in parts(operand) if part not in done]
            if inner:
                waiting.append((operand, True))
                inner.reverse()
                waiting += [(part, False) for part in inner]
            else:
                done.add(operand)
                yield operand


def value(operand: Operand, leaf: Callable[[Leaf], int]) -> int:
    """Return the value of an expression, 0 or 1 of a proposition; `leaf` values variables.

    >>> x, y = Literal(1), Literal(2)
    >>> value(2 * x + 3 * ~y, lambda leaf: leaf.lit > 0)
    2
    """
    known: dict[Operand, int] = {}
    for each in inside_out([operand]):
        known[each] = _value(each, known, leaf)
    return known[operand]


def _value(operand: Operand, known: dict[Operand, int], leaf: Callable[[Leaf], int]) -> int:
    match operand:
        case Literal() | IntegerVariable():
            return leaf(operand)
        case Constant():
            return int(operand.value)
        case Not():
            return 1 - known[operand.part]
        case Compound():
            return int(_JOINED[operand.connective]([known[part] for part in operand.parts]))
        case IntegerProduct():
            return known[operand.left] * known[operand.right]
        case Maximum():
            return max(known[part] for part in operand.parts)
        case Sum() | Comparison():
            found = sum(weight * known[each] for each, weight in operand.terms)
            if isinstance(operand, Sum):
                return found + operand.constant
            lower, upper = operand.lower, operand.upper
            return int((lower is None or found >= lower) and (upper is None or found <= upper))
    raise TypeError(f"{type(operand).__name__} is no expression of this language")


_JOINED: Final[dict[Connective, Callable[[list[int]], int]]] = {
    Connective.AND: all,
    Connective.OR: any,
    Connective.XOR: lambda values: sum(values) % 2,
    Connective.ITE: lambda values: values[1] if values[0] else values[2],
}
"""The value of a formula from the values of its parts."""
