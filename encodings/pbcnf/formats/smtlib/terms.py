"""Terms of pysmt as expressions of our language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbcnf.errors import EncodingError
from pbcnf.formats.error import excerpt
from pbcnf.formats.smtlib.bounds import MOST_VALUES, IntegerBounds
from pbcnf.formats.smtlib.operators import DISTINCT
from pbcnf.language.builder import Builder
from pbcnf.language.connectives import all_of, any_of, iff, ite
from pbcnf.language.expressions import (
    Constant,
    IntegerProduct,
    Operand,
    Proposition,
    Sum,
    Terms,
    proposition,
)
from pbcnf.language.integer_literals import MOST_ORDER
from pbcnf.language.integers import IntegerVariable
from pbcnf.language.relations import all_different

_LARGEST: Final = 10**4000
_LARGE: Final = 100
"""The largest size, in literals, of a sum with products that is multiplied term by term.

A larger sum is replaced by a new integer that is equal to it.
"""
_MOST_PAIRS: Final = 2_000_000
"""The largest number of pairs of applications of one function that are compared."""


class UnreadableError(EncodingError):
    """A term of pysmt that has no counterpart here."""


class Expressions:
    """Translates terms of pysmt into expressions; a term that occurs twice is translated once.

    New variables go to the builder: an integer for a quotient, a variable for each value of an
    undefined function.
    """

    def __init__(
        self, symbols: Mapping[Any, Operand], bounds: IntegerBounds, builder: Builder
    ) -> None:
        """Take the operand of each symbol, and of each Int application of an undefined function."""
        self._symbols, self._bounds, self._builder = symbols, bounds, builder
        self._found: dict[Any, Operand] = {}
        self._applied: dict[Any, list[tuple[list[Operand], Operand]]] = {}
        self._sizes: dict[Operand, int] = {}
        self._pairs = 0

    def of(self, term: Any) -> Operand:
        """Return a term of sort Bool as a proposition, a term of sort Int as a sum or a variable.

        Raises UnreadableError for an operator or a symbol that is not known here.
        """
        waiting = [term]
        while waiting:
            here = waiting[-1]
            # Every other operator that is read has its test of pysmt in `_OPERATORS`.
            known = here.is_div() or here.is_function_application()
            if here.args() and not (known or any(getattr(here, kind)() for kind in _OPERATORS)):
                raise UnreadableError(
                    f"{shown(here)} is not read: only Booleans and sums of integers are"
                )
            missing = [part for part in here.args() if part not in self._found]
            if here in self._found or not missing:
                waiting.pop()
                if here not in self._found:
                    parts = [self._found[part] for part in here.args()]
                    self._found[here] = self._expression(here, parts)
            else:
                waiting += reversed(missing)
        return self._found[term]

    def _expression(self, term: Any, parts: list[Operand]) -> Operand:
        if term.is_symbol():
            if term not in self._symbols:
                raise UnreadableError(
                    f"{excerpt(term.symbol_name())} has no bounds, or is no Bool or Int"
                )
            return self._symbols[term]
        if term.is_bool_constant():
            return Constant(bool(term.constant_value()))
        if term.is_int_constant():
            value = int(term.constant_value())
            if abs(value) > _LARGEST:
                raise UnreadableError("an integer of more than 4000 digits")
            return Sum(Terms([]), value)
        if term.is_div():
            return self._quotient(term, *parts)
        if term.is_function_application():
            if term.function_name().symbol_name().startswith(DISTINCT):
                return all_different(parts)
            return self._given(term, parts)
        if term.is_times() or term.is_ite():
            parts = [self._plain(*pair) for pair in zip(term.args(), parts, strict=True)]
        for kind, make in _OPERATORS.items():
            if getattr(term, kind)():
                return make(*parts)
        raise UnreadableError(f"{shown(term)} is not read: only Booleans and sums of integers are")

    def _plain(self, term: Any, part: Operand) -> Operand:
        """Return `part`, or a new integer equal to `part` if products in `part` are too large."""
        products = any(isinstance(each, IntegerProduct) for each, _ in Sum.of(part).terms)
        if not products or self._size(part) <= _LARGE:
            return part
        found = self._integer(term)
        self._builder.add(Sum.of(part).plus(found, -1) == 0)
        return found

    def _size(self, operand: Operand) -> int:
        """Return an estimate of the number of literals in a sum."""
        match operand:
            case IntegerVariable():
                values = len(operand.domain)
                return values if values <= MOST_ORDER else values.bit_length()
            case IntegerProduct() | Sum():
                if operand not in self._sizes:
                    if isinstance(operand, IntegerProduct):
                        size = self._size(operand.left) * self._size(operand.right)
                    else:
                        size = sum(self._size(each) for each, _ in operand.terms)
                    self._sizes[operand] = size
                return self._sizes[operand]
        return 1

    def _integer(self, term: Any) -> Operand:
        """Return a new integer with the values that a term can have."""
        least, most = self._bounds.interval(term)
        if least is None or most is None or most - least >= MOST_VALUES:
            raise UnreadableError(f"{shown(term)} has more than 2^63 values, or no known bounds")
        if least == most:
            return Sum(Terms([]), least)
        return self._builder.integer(unused(compact(term), self._builder), least, most)

    def _quotient(self, term: Any, divided: Operand, divisor: Operand) -> Operand:
        smallest, _ = self._bounds.interval(term.arg(1))
        if smallest is None or smallest < 1:
            raise UnreadableError(f"{shown(term)} is not read: its divisor is not always positive")
        found = self._integer(term)
        # `found` is the quotient if and only if 0 <= divided - found * divisor < divisor.
        rest = Sum.of(divided).plus(_product(found, divisor), -1)
        self._builder.add(rest >= 0, rest <= Sum.of(divisor).plus(-1, 1))
        return found

    def _given(self, term: Any, parts: list[Operand]) -> Operand:
        """Return the value of an undefined function, equal for equal arguments (Ackermann)."""
        function = term.function_name()
        found = self._symbols.get(term)
        if found is None:
            if not function.symbol_type().return_type.is_bool_type():
                raise UnreadableError(f"{shown(term)} is neither a Bool nor an Int")
            found = self._builder.boolean(unused(compact(term), self._builder))
        others = self._applied.setdefault(function, [])
        self._pairs += len(others)
        if self._pairs > _MOST_PAIRS:
            raise UnreadableError(
                f"{shown(term)}: functions of more than {_MOST_PAIRS:,} pairs of arguments"
            )
        for arguments, given in others:
            same = all_of(left == right for left, right in zip(arguments, parts, strict=True))
            self._builder.add(same >> proposition(given == found))
        others.append((parts, found))
        return found


def _sum(*parts: Operand) -> Sum:
    constant = 0
    weights: dict[Operand, int] = {}
    for part in parts:
        whole = Sum.of(part)
        constant += whole.constant
        for operand, weight in whole.terms:
            weights[operand] = weights.get(operand, 0) + weight
    return Sum(Terms([pair for pair in weights.items() if pair[1]]), constant)


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
    # no + condition * (yes - no)
    whole = Sum.of(no)
    difference = _sum(yes, whole.times(-1))
    if not list(difference.terms):
        return _sum(whole, Sum.of(condition).times(difference.constant))
    return _sum(whole, Sum.of(condition) * difference)


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
    "is_minus": lambda left, right: _sum(left, Sum.of(right).times(-1)),
    "is_times": _product,
}
"""Name of pysmt's test for a kind of term -> function that builds our expression."""


def shown(term: Any) -> str:
    """Return a term of pysmt for a message, on one line and not too long."""
    try:
        return excerpt(term.serialize(threshold=4))
    except ValueError:  # an integer of more digits than Python writes
        return "a term with a very large integer"


def compact(term: Any) -> str:
    """Return a term of pysmt as a name: without blanks."""
    return "".join(shown(term).split())


def unused(name: str, builder: Builder) -> str:
    """Return `name` without blanks, with a number behind it if a variable has this name already."""
    found = base = "".join("_" if each.isspace() else each for each in name)
    number = 1
    while found in builder:
        number += 1
        found = f"{base}_{number}"
    return found
