"""Terms of pysmt as expressions of our language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbcnf.errors import EncodingError
from pbcnf.formats.error import printable
from pbcnf.language.connectives import all_of, any_of, iff, ite
from pbcnf.language.expressions import Constant, Operand, Proposition, Sum
from pbcnf.language.terms import Terms

_LARGEST: Final = 10**4000


class UnreadableError(EncodingError):
    """A term of pysmt that has no counterpart here."""


Symbols = Mapping[Any, Operand]
"""What stands for each symbol of pysmt: a proposition for a Bool, a sum or a variable for an Int.
"""


def expression(term: Any, symbols: Symbols) -> Operand:
    """Return a term of Bool as a proposition, one of Int as a sum or a variable.

    What occurs twice in the term is one and the same object in the result.

    Raises UnreadableError for an operator or a symbol that is not known here.
    """
    found: dict[Any, Operand] = {}
    waiting = [term]
    while waiting:
        here = waiting[-1]
        if here.args() and not any(getattr(here, kind)() for kind in _OPERATORS):
            raise UnreadableError(
                f"{shown(here)} is not read: only Booleans and sums of integers are"
            )
        missing = [part for part in here.args() if part not in found]
        if here in found or not missing:
            waiting.pop()
            if here not in found:
                found[here] = _expression(here, [found[part] for part in here.args()], symbols)
        else:
            waiting += reversed(missing)
    return found[term]


def _expression(term: Any, parts: list[Operand], symbols: Symbols) -> Operand:
    if term.is_symbol():
        if term not in symbols:
            raise UnreadableError(
                f"{printable(term.symbol_name())} has no bounds, or is no Bool or Int"
            )
        return symbols[term]
    if term.is_bool_constant():
        return Constant(bool(term.constant_value()))
    if term.is_int_constant():
        value = int(term.constant_value())
        if abs(value) > _LARGEST:
            raise UnreadableError("an integer of more than 4000 digits")
        return Sum(Terms([]), value)
    for kind, make in _OPERATORS.items():
        if getattr(term, kind)():
            return make(*parts)
    raise UnreadableError(f"{shown(term)} is not read: only Booleans and sums of integers are")


def _sum(*parts: Operand) -> Operand:
    total = Sum(Terms([]))
    for part in parts:
        total = total.plus(part, 1)
    return total


def _product(*parts: Operand) -> Operand:
    constant, variable = 1, None
    for part in parts:
        factor = Sum.of(part)
        if not list(factor.terms):
            constant *= factor.constant
        else:
            variable = part if variable is None else variable * part
    return Sum(Terms([]), constant) if variable is None else Sum.of(variable).times(constant)


def _if(condition: Proposition, yes: Operand, no: Operand) -> Operand:
    if isinstance(yes, Proposition) and isinstance(no, Proposition):
        return ite(condition, yes, no)
    whole = Sum.of(no)
    difference = Sum.of(yes).plus(whole, -1)
    if not list(difference.terms):
        return whole.plus(Sum.of(condition).times(difference.constant), 1)
    return whole.plus(Sum.of(condition) * difference, 1)


_OPERATORS: Final[dict[str, Callable[..., Operand]]] = {
    "is_and": lambda *parts: all_of(parts),
    "is_or": lambda *parts: any_of(parts),
    "is_not": lambda part: ~part,
    "is_implies": lambda left, right: left >> right,
    "is_iff": iff,
    "is_ite": _if,
    "is_le": lambda left, right: left <= right,
    "is_lt": lambda left, right: left < right,
    "is_equals": lambda left, right: left == right,
    "is_plus": _sum,
    "is_minus": lambda left, right: left - right,
    "is_times": _product,
}
"""The methods by which pysmt's terms say what they are, and what we make of these."""


def shown(term: Any) -> str:
    """Return a term of pysmt for a message, on one line and not too long."""
    return printable(term.serialize(threshold=4))
