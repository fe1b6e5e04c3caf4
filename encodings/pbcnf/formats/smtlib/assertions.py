"""What a script asserts, and the bounds of its integers in it, as a problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from pbcnf.errors import EncodingError
from pbcnf.formats.smtlib.terms import Symbols, UnreadableError, expression
from pbcnf.language.builder import Builder
from pbcnf.language.expressions import FALSE, TRUE, Operand, Proposition

Place = TypeVar("Place")

MOST_VALUES: Final = 2**64
"""The values that an integer may have."""


class UnboundedError(EncodingError):
    """A symbol that can have no finite number of values; `symbol` is it."""

    def __init__(self, symbol: Any, message: str) -> None:
        """Take the symbol and the message."""
        super().__init__(message)
        self.symbol = symbol


class Bounds:
    """What is asserted of integers alone, in conjunctions that must hold as a whole."""

    def __init__(self) -> None:
        """Start without bounds."""
        self._found: dict[Any, tuple[int | None, int | None]] = {}

    def of(self, symbol: Any) -> tuple[int, int]:
        """Return the least and the largest value. Raises UnboundedError if one is not asserted."""
        lower, upper = self._found.get(symbol, (None, None))
        if lower is None or upper is None:
            name = symbol.symbol_name()
            raise UnboundedError(symbol, f"{name} is an integer without two asserted bounds")
        if upper - lower >= MOST_VALUES:
            name = symbol.symbol_name()
            raise UnboundedError(symbol, f"{name} is an integer with more than 2^64 values")
        return lower, upper

    def take(self, term: Any) -> bool:
        """Take in a bound; return whether the term is one, and nothing else."""
        negated = term.is_not()
        compared = term.arg(0) if negated else term
        if not (compared.is_le() or compared.is_lt() or (compared.is_equals() and not negated)):
            return False
        left, right = map(_shifted_symbol, compared.args())
        if left is None or right is None or (left[0] is None) == (right[0] is None):
            return False
        (symbol, constant), (other, value) = left, right
        strict = int(compared.is_lt())
        if symbol is not None:  # symbol + constant <= value
            upper, lower = value - constant - strict, None
        else:  # constant <= other + value
            symbol, lower, upper = other, constant - value + strict, None
        if compared.is_equals():
            lower = upper = lower if upper is None else upper
        elif negated:
            lower, upper = (
                None if upper is None else upper + 1,
                None if lower is None else lower - 1,
            )
        self._restrict(symbol, lower, upper)
        return True

    def _restrict(self, symbol: Any, lower: int | None, upper: int | None) -> None:
        least, most = self._found.get(symbol, (None, None))
        lowers = [bound for bound in (least, lower) if bound is not None]
        uppers = [bound for bound in (most, upper) if bound is not None]
        self._found[symbol] = max(lowers, default=None), min(uppers, default=None)


def conjuncts(term: Any) -> Iterator[Any]:
    """Yield the terms that must all hold for this one to hold."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if part.is_and():
            waiting += reversed(part.args())
        else:
            yield part


def symbols_of(declared: Iterable[Any], bounds: Bounds, builder: Builder) -> dict[Any, Operand]:
    """Return what stands for each symbol: in order Booleans, which integers of 0 and 1 are, too.

    Raises UnboundedError for an integer without bounds.
    """
    found: dict[Any, Operand] = {}
    for symbol in declared:
        name = symbol.symbol_name()
        if symbol.symbol_type().is_bool_type():
            found[symbol] = builder.boolean(name)
            continue
        if not symbol.symbol_type().is_int_type():
            raise UnboundedError(symbol, f"{name} is neither a Bool nor an Int")
        lower, upper = bounds.of(symbol)
        if lower > upper:
            builder.add(FALSE)
            lower, upper = 0, 1
        if lower >= 0 and upper <= 1:
            found[symbol] = variable = builder.boolean(name)
            builder.add(*((variable,) if lower else ()), *((~variable,) if upper < 1 else ()))
        else:
            found[symbol] = builder.integer(name, lower, upper)
    return found


def assert_all(
    asserted: Iterable[tuple[Any, Place]], symbols: dict[Any, Operand], builder: Builder
) -> Iterator[tuple[UnreadableError, Place]]:
    """Add what is asserted to the builder; yield an error and its place for what is not read."""
    for term, place in asserted:
        try:
            builder.add(expression(term, symbols))  # type: ignore[arg-type]
        except UnreadableError as error:
            yield error, place


class Aim(NamedTuple):
    """An objective: minimize, maximize, or assert-soft with what it costs to violate it."""

    command: str
    term: Any
    weight: int


def aim(
    aims: Sequence[tuple[Aim, Place]], symbols: Symbols, builder: Builder
) -> Iterator[tuple[UnreadableError, Place]]:
    """Set the objective: one sum, or the weights of the soft assertions that are violated.

    Yields an error and its place for what is not read.
    """
    soft = all(each.command == "assert-soft" for each, _ in aims)
    violated: Operand = 0 * TRUE
    for each, place in aims:
        if len(aims) > 1 and not soft:
            yield UnreadableError("more than one objective is not read"), place
            return
        try:
            term = expression(each.term, symbols)
        except UnreadableError as error:
            yield error, place
            return
        if isinstance(term, Proposition) and soft:
            violated = violated + each.weight * ~term
            builder.minimise(violated)
        elif each.command == "minimize":
            builder.minimise(term)
        else:
            builder.maximise(term)


def _shifted_symbol(term: Any) -> tuple[Any, int] | None:
    """Return the symbol, None for a number alone, and the number added to it."""
    if term.is_int_constant():
        return None, int(term.constant_value())
    if term.is_symbol() and term.symbol_type().is_int_type():
        return term, 0
    return None
