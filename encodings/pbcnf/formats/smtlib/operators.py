"""Operators of any number of arguments, as SMT-LIB defines them; pysmt reads two."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from itertools import pairwise
from typing import Any


def take_any_number(parser: Any) -> None:
    """Let a parser of pysmt read chains of comparisons and long ``- xor =>``.

    Reference: Barrett, Fontaine, Tinelli: The SMT-LIB Standard, version 2.6, theories Core
    (``:left-assoc``, ``:right-assoc``, ``:chainable``) and Ints.
    """
    manager, type_of = parser.env.formula_manager, parser.env.stc.get_type
    boolean = parser.env.type_manager.BOOL()

    def equal(left: Any, right: Any) -> Any:
        same = manager.Iff if type_of(left) == boolean else manager.Equals
        return same(left, right)

    def minus(first: Any, *others: Any) -> Any:
        if others:
            return reduce(manager.Minus, others, first)
        if first.is_int_constant():
            return manager.Int(-first.constant_value())
        return manager.Times(manager.Int(-1), first)

    def implies(*parts: Any) -> Any:
        _at_least_two(parts)
        return reduce(lambda right, left: manager.Implies(left, right), reversed(parts))

    def xor(*parts: Any) -> Any:
        _at_least_two(parts)
        return reduce(manager.Xor, parts)

    def chain(compare: Callable[[Any, Any], Any], *parts: Any) -> Any:
        _at_least_two(parts)
        return manager.And([compare(left, right) for left, right in pairwise(parts)])

    def different(*parts: Any) -> Any:
        _at_least_two(parts)
        return manager.AllDifferent(*parts)

    comparisons = {
        "<=": manager.LE, "<": manager.LT, ">=": manager.GE, ">": manager.GT, "=": equal,
    }  # fmt: skip
    operators = {"-": minus, "=>": implies, "xor": xor, "distinct": different}
    operators |= {sign: partial(chain, compare) for sign, compare in comparisons.items()}
    for sign, operator in operators.items():
        parser.interpreted[sign] = partial(_enter, operator)


def _enter(operator: Callable[..., Any], stack: list[list[Any]], tokens: Any, key: str) -> None:
    """Put an operator before its arguments, which is how pysmt's parser calls it."""
    stack[-1].append(operator)


def _at_least_two(parts: tuple[Any, ...]) -> None:
    if len(parts) < 2:
        raise ValueError("two arguments are needed")
