"""Lower and upper bounds of integers and of terms: intervals, and bounds that are asserted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from pbcnf.errors import EncodingError
from pbcnf.formats.error import excerpt

Interval = tuple[int | None, int | None]
"""The least and the largest value; None for an unknown bound."""

MOST_VALUES: Final = 2**63
"""The largest number of values of an integer."""

UNKNOWN: Final[Interval] = (None, None)


class UnboundedError(EncodingError):
    """An integer without two known bounds or with more than `MOST_VALUES` values: `symbol`."""

    def __init__(self, symbol: Any, message: str) -> None:
        """Take the symbol and the message."""
        super().__init__(message)
        self.symbol = symbol


def is_integer(term: Any) -> bool:
    """Whether `term` is an Int leaf: a symbol, or an application of an undefined function."""
    if term.is_symbol():
        return bool(term.symbol_type().is_int_type())
    if term.is_function_application():
        return bool(term.function_name().symbol_type().return_type.is_int_type())
    return False


def integers_in(term: Any, done: set[Any] | None = None) -> Iterator[Any]:
    """Yield the Ints that a term is made of: symbols, and functions without a definition.

    Terms in `done` are skipped, and every visited term is added to `done`.
    """
    done, waiting = set() if done is None else done, [term]
    while waiting:
        here = waiting.pop()
        if here not in done:
            done.add(here)
            waiting += here.args()
            if is_integer(here):
                yield here


def conjuncts(term: Any) -> Iterator[Any]:
    """Yield the conjuncts of `term`."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if part.is_and():
            waiting += reversed(part.args())
        else:
            yield part


class IntegerBounds:
    """Intervals of integers, and values of Booleans, that follow from the assertions."""

    def __init__(self) -> None:
        """Start without bounds."""
        self._found: dict[Any, Interval] = {}
        self._known: dict[Any, Interval] = {}
        self._stated: dict[Any, Interval] = {}
        self.truth: dict[Any, bool] = {}
        """Boolean variable -> asserted value, for variables that are asserted alone or negated."""

    def stated(self, integer: Any) -> Interval:
        """Return the bounds of `integer` that are asserted directly, without derived bounds."""
        return self._stated.get(integer, UNKNOWN)

    def of(self, integer: Any, name: str) -> tuple[int, int]:
        """Return the least and the largest value. Raises UnboundedError if a bound is unknown."""
        lower, upper = self._found.get(integer, UNKNOWN)
        if lower is None or upper is None:
            message = f"{excerpt(name)} is an integer without two asserted bounds"
            raise UnboundedError(integer, message)
        if upper - lower >= MOST_VALUES:
            message = f"{excerpt(name)} is an integer with more than 2^63 values"
            raise UnboundedError(integer, message)
        return lower, upper

    def impossible(self) -> bool:
        """Return whether an integer has no value left, so that there is no model."""
        return any(
            lower is not None and upper is not None and lower > upper
            for lower, upper in self._found.values()
        )

    def supposing(self, symbol: Any, value: bool) -> IntegerBounds:
        """Return a copy in which a Boolean variable has a value."""
        found = IntegerBounds()
        found._found, found.truth = {**self._found}, {**self.truth, symbol: value}
        return found

    def take(self, term: Any) -> bool:
        """Record a comparison of one integer with a constant; return False for any other term."""
        negated = term.is_not()
        compared = term.arg(0) if negated else term
        if not (compared.is_le() or compared.is_lt() or (compared.is_equals() and not negated)):
            return False
        left, right = compared.args()
        if not (is_integer(left) and right.is_int_constant()) and not (
            is_integer(right) and left.is_int_constant()
        ):
            return False
        strict = int(compared.is_lt())
        if right.is_int_constant():  # symbol <= value
            integer, value = left, int(right.constant_value())
            found: Interval = (None, value - strict)
        else:
            integer, value = right, int(left.constant_value())
            found = (value + strict, None)
        if compared.is_equals():
            found = (value, value)
        elif negated:
            lower, upper = found
            found = (None if upper is None else upper + 1, None if lower is None else lower - 1)
        self.restrict(integer, found)
        self._stated[integer] = met(self.stated(integer), found)
        return True

    def set(self, integer: Any, interval: Interval) -> None:
        """Replace the interval of an integer, whatever the known bounds are."""
        self._found[integer] = interval
        self._known.clear()

    def forget(self) -> None:
        """Drop the cached intervals of terms, which restricted integers may have made smaller."""
        self._known.clear()

    def restrict(self, integer: Any, interval: Interval) -> bool:
        """Restrict an integer to an interval; return whether its bounds change."""
        before = self._found.get(integer, UNKNOWN)
        self._found[integer] = met(before, interval)
        return self._found[integer] != before

    def interval(self, term: Any) -> Interval:
        """Return the interval of the values of an Int term."""
        if is_integer(term):
            return self._found.get(term, UNKNOWN)
        if term.is_int_constant():
            value = int(term.constant_value())
            return value, value
        waiting = [term]
        while waiting:
            here = waiting[-1]
            parts = here.args()[1:] if here.is_ite() else here.args()
            missing = [part for part in parts if part.args() and part not in self._known]
            if here in self._known or not missing or is_integer(here):
                waiting.pop()
                self._known[here] = self._joined(here, [self._of_part(part) for part in parts])
            else:
                waiting += missing
        return self._known[term]

    def _of_part(self, term: Any) -> Interval:
        if term.is_int_constant():
            value = int(term.constant_value())
            return value, value
        return self._known.get(term, self._found.get(term, UNKNOWN))

    def _joined(self, term: Any, parts: Sequence[Interval]) -> Interval:
        if is_integer(term):
            return self._found.get(term, UNKNOWN)
        if term.is_plus():
            return _sum(parts)
        if term.is_minus():
            (low, high), (least, most) = parts
            return _sum([(low, high), (negative(most), negative(least))])
        if term.is_ite():
            return hull(parts)
        if term.is_times():
            found = parts[0]
            for part in parts[1:]:
                found = _product(found, part)
            return found
        if term.is_div():
            return _quotient(*parts)
        return UNKNOWN


def negative(value: int | None) -> int | None:
    """Return the negated bound, or None without a bound."""
    return None if value is None else -value


def met(first: Interval, second: Interval) -> Interval:
    """Return the intersection of two intervals; an empty one has its least above its largest."""
    lowers = [each[0] for each in (first, second) if each[0] is not None]
    uppers = [each[1] for each in (first, second) if each[1] is not None]
    return max(lowers, default=None), min(uppers, default=None)


def hull(intervals: Iterable[Interval]) -> Interval:
    """Return the smallest interval that contains all `intervals`."""
    lowers, uppers = zip(*intervals, strict=True)
    return None if None in lowers else min(lowers), None if None in uppers else max(uppers)


def _sum(parts: Iterable[Interval]) -> Interval:
    lowers, uppers = zip(*parts, strict=True)
    return None if None in lowers else sum(lowers), None if None in uppers else sum(uppers)


def _product(first: Interval, second: Interval) -> Interval:
    for constant, factor in ((first, second), (second, first)):
        if constant[0] is not None and constant[0] == constant[1]:
            by = constant[0]
            low, high = (None if end is None else end * by for end in factor)
            return (low, high) if by >= 0 else (high, low)
    (low, high), (least, most) = first, second
    if low is None or high is None or least is None or most is None:
        # Without four finite ends, only the sign may be known: no factor below 0, no product below.
        positive = low is not None and low >= 0 and least is not None and least >= 0
        return (0 if positive else None), None
    ends: list[int] = [low * least, low * most, high * least, high * most]
    return min(ends), max(ends)


def _quotient(divided: Interval, divisor: Interval) -> Interval:
    (low, high), (least, most) = divided, divisor
    if least is None or most is None or not 1 <= least <= most:
        return UNKNOWN
    # For divisors >= 1 the quotient grows with the dividend, and is monotone in the divisor: the
    # extremes are at the ends of both intervals.
    return (
        None if low is None else min(low // least, low // most),
        None if high is None else max(high // least, high // most),
    )
