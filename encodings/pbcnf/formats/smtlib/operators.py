"""The operators of SMT-LIB that are read: sorts and number of arguments, and the term made of them.

Reference: Barrett, Fontaine, Tinelli: The SMT-LIB Standard, version 2.6, theories Core and Ints
(``:left-assoc``, ``:right-assoc``, ``:chainable``, ``:pairwise``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple

Sort = Literal["Bool", "Int"]
SORTS: Final[tuple[Sort, ...]] = ("Bool", "Int")

CORE: Final = ("and", "or", "not", "xor", "=>", "ite", "=", "distinct", "true", "false")
"""Words that a script may not redefine."""

DISTINCT: Final = "(distinct)"
"""The function of pysmt that stands for three or more integers that differ."""


class Value(NamedTuple):
    """A term of pysmt and its sort."""

    term: Any
    sort: Sort


class Operator(NamedTuple):
    """An operator: builds a term of pysmt from argument terms, after a check of their sorts."""

    wanted: str
    """The arguments wanted, for an error message."""
    fits: Callable[[Sequence[Sort]], bool]
    make: Callable[[Any, Sequence[Any], Sequence[Sort]], Value]


def _one_sort(sorts: Sequence[Sort]) -> bool:
    return len(sorts) > 1 and len(set(sorts)) == 1


def _operator(
    takes: Sort, gives: Sort, wanted: str, least: int, most: int | None, make: Callable[..., Any]
) -> Operator:
    """Return an operator on `least` to `most` terms of one sort; `make` takes manager and terms."""

    def fits(sorts: Sequence[Sort]) -> bool:
        return least <= len(sorts) <= (most or len(sorts)) and set(sorts) == {takes}

    return Operator(wanted, fits, lambda manager, terms, _: Value(make(manager, *terms), gives))


_integers = partial(_operator, "Int", "Int")
_booleans = partial(_operator, "Bool", "Bool")


def _compares(sign: str) -> Operator:
    def make(manager: Any, *terms: Any) -> Any:
        compare = getattr(manager, sign)
        return manager.And([compare(left, right) for left, right in pairwise(terms)])

    return _operator("Int", "Bool", "it compares two sums of integers or more", 2, None, make)


def _equal(manager: Any, terms: Sequence[Any], sorts: Sequence[Sort]) -> Value:
    equals = manager.Iff if sorts[0] == "Bool" else manager.Equals
    return Value(manager.And([equals(left, right) for left, right in pairwise(terms)]), "Bool")


def _distinct(manager: Any, terms: Sequence[Any], sorts: Sequence[Sort]) -> Value:
    if sorts[0] == "Bool" and len(terms) > 2:  # Two of three Booleans are equal.
        return Value(manager.FALSE(), "Bool")
    if len(terms) == 2:
        return Value(manager.Not(_equal(manager, terms, sorts).term), "Bool")
    types = manager.env.type_manager
    signature = types.FunctionType(types.BOOL(), [types.INT()] * len(terms))
    symbol = manager.Symbol(f"{DISTINCT}{len(terms)}", signature)
    return Value(manager.Function(symbol, list(terms)), "Bool")


def _minus(manager: Any, first: Any, *others: Any) -> Any:
    if others:
        return reduce(manager.Minus, others, first)
    if first.is_int_constant():
        return manager.Int(-first.constant_value())
    return manager.Times(manager.Int(-1), first)


def _quotient(manager: Any, first: Any, *others: Any) -> Any:
    """Return SMT-LIB's quotient, with a remainder of at least 0, by pysmt's of positive divisors.

    For a divisor ``-k``: ``x = k * q + r = (-k) * (-q) + r``, so the quotient is ``-q``.
    """
    for divisor in others:
        if divisor.is_int_constant() and divisor.constant_value() < 0:
            positive = manager.Int(-divisor.constant_value())
            first = _minus(manager, manager.Div(first, positive))
        else:
            first = manager.Div(first, divisor)
    return first


def _remainder(manager: Any, left: Any, right: Any) -> Any:
    return manager.Minus(left, manager.Times(right, _quotient(manager, left, right)))


_ONE_SORT: Final = "it compares two terms of one sort or more"

OPERATORS: Final[dict[str, Operator]] = {
    "not": _booleans("it takes one Boolean term", 1, 1, lambda manager, term: manager.Not(term)),
    "and": _booleans("it takes Boolean terms", 1, None, lambda manager, *ts: manager.And(ts)),
    "or": _booleans("it takes Boolean terms", 1, None, lambda manager, *ts: manager.Or(ts)),
    "xor": _booleans(
        "it takes two Boolean terms or more", 2, None,
        lambda manager, *terms: reduce(manager.Xor, terms),
    ),
    "=>": _booleans(
        "it takes two Boolean terms or more", 2, None,
        lambda manager, *terms: reduce(lambda b, a: manager.Implies(a, b), reversed(terms)),
    ),
    "ite": Operator(
        "it takes a Boolean term and two terms of one sort",
        lambda sorts: len(sorts) == 3 and sorts[0] == "Bool" and sorts[1] == sorts[2],
        lambda manager, terms, sorts: Value(manager.Ite(*terms), sorts[1]),
    ),
    "=": Operator(_ONE_SORT, _one_sort, _equal),
    "distinct": Operator(_ONE_SORT, _one_sort, _distinct),
    "<=": _compares("LE"), "<": _compares("LT"), ">=": _compares("GE"), ">": _compares("GT"),
    "+": _integers("it takes integers", 1, None, lambda manager, *terms: manager.Plus(terms)),
    "*": _integers("it takes integers", 1, None, lambda manager, *terms: manager.Times(terms)),
    "-": _integers("it takes integers", 1, None, _minus),
    "div": _integers("it takes two integers or more", 2, None, _quotient),
    "mod": _integers("it takes two integers", 2, 2, _remainder),
    "abs": _integers(
        "it takes one integer", 1, 1,
        lambda manager, term: manager.Ite(
            manager.LE(manager.Int(0), term), term, _minus(manager, term)
        ),
    ),
}  # fmt: skip


def indexed(name: str, numbers: Sequence[int]) -> Operator | None:
    """Return the operator ``(_ name number ...)``; None for an operator that is not read.

    Of Ints ``divisible``; of Z3 ``at-most``, ``at-least``, ``pble``, ``pbge`` and ``pbeq``: a bound
    and the weights of Booleans.
    """
    if name == "divisible" and len(numbers) == 1 and numbers[0] > 0:

        def divisible(manager: Any, term: Any) -> Any:
            rest = _remainder(manager, term, manager.Int(numbers[0]))
            return manager.Equals(rest, manager.Int(0))

        return _operator("Int", "Bool", "it takes one integer", 1, 1, divisible)
    if name in ("at-most", "at-least") and len(numbers) == 1:
        sign = "LE" if name == "at-most" else "GE"
        make = partial(_counted, sign, numbers[0], None)
        return _booleans("it takes Boolean terms", 1, None, make)
    if name in ("pble", "pbge", "pbeq") and len(numbers) > 1:
        sign = {"pble": "LE", "pbge": "GE", "pbeq": "Equals"}[name]
        count = len(numbers) - 1
        wanted = f"it takes as many Boolean terms as it has weights: {count}"
        return _booleans(wanted, count, count, partial(_counted, sign, numbers[0], numbers[1:]))
    return None


def _counted(
    sign: str, bound: int, weights: Sequence[int] | None, manager: Any, *terms: Any
) -> Any:
    zero, weights = manager.Int(0), weights or [1] * len(terms)
    pairs = zip(terms, weights, strict=True)
    total = manager.Plus([manager.Ite(term, manager.Int(weight), zero) for term, weight in pairs])
    return getattr(manager, sign)(total, manager.Int(bound))
