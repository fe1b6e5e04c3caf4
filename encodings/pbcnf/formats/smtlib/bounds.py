"""Lower and upper bounds of integers and of terms: asserted bounds, and bounds that follow."""

from __future__ import annotations

from collections import defaultdict, deque
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


# Bounds of integers that follow from the assertions, at any depth.
#
# Bounds propagation on linear inequalities as in Harvey, Schimpf: Bounds Consistency Techniques for
# Long Linear Constraints, TRICS 2002; of a disjunction, the bounds common to all its parts.

_DEEPEST: Final = 40
"""The number of nested connectives that are examined; deeper parts imply no bounds."""
_LONGEST: Final = 20_000
"""The number of steps in which a sum of sums is flattened; further terms stay as they are."""
_ROUNDS: Final = 20
_TIGHTER: Final = 2
"""The number of rounds that tighten existing bounds."""

Implied = dict[Any, Interval]


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


def propagate(terms: Sequence[Any], bounds: IntegerBounds, tighter: int = _TIGHTER) -> None:
    """Restrict integers in `bounds` by bounds that follow from `terms`, which all hold.

    First unbounded integers get bounds; then existing bounds are tightened in up to `tighter`
    rounds.
    """
    bounds.truth.update(_asserted_booleans(terms))
    within = [set(integers_in(term)) for term in terms]
    for every, rounds in ((False, _ROUNDS), (True, tighter)):
        for _ in range(rounds):
            bounds.forget()
            if not _round(terms, within, bounds, every):
                break
    bounds.forget()


def _asserted_booleans(terms: Iterable[Any]) -> Iterator[tuple[Any, bool]]:
    """Yield the Boolean variables whose values `terms`, which all hold, assert; and the values."""
    waiting = [(term, True) for term in terms]
    while waiting:
        term, holds = waiting.pop()
        # All parts of a conjunction that holds hold, and none of a disjunction that does not.
        if term.is_not():
            waiting.append((term.arg(0), not holds))
        elif term.is_and() if holds else term.is_or():
            waiting += [(part, holds) for part in term.args()]
        elif term.is_symbol():
            yield term, holds


def _round(
    terms: Sequence[Any], within: Sequence[set[Any]], bounds: IntegerBounds, every: bool
) -> bool:
    """Propagate all terms, again those with a new bound; return whether any bound is new.

    Existing bounds are tightened only if `every` is set; then each term is propagated once.
    """
    # Integer whose bounds may change -> indices of the terms with the integer.
    occurrences: dict[Any, list[int]] = defaultdict(list)
    for number, integers in enumerate(within):
        for integer in integers:
            lower, upper = bounds.interval(integer)
            if lower is None or upper is None or (every and upper - lower > 1):
                occurrences[integer].append(number)
    waiting = deque(sorted({number for numbers in occurrences.values() for number in numbers}))
    queued = set(waiting)
    new = False
    while waiting:
        number = waiting.popleft()
        queued.discard(number)
        for integer, found in (_implied(terms[number], True, bounds, _DEEPEST) or {}).items():
            before = bounds.interval(integer)
            if not every:
                found = (
                    found[0] if before[0] is None else None,
                    found[1] if before[1] is None else None,
                )
            if bounds.restrict(integer, found):
                new = True
                terms_again = () if every else occurrences[integer]
                again = [each for each in terms_again if each not in queued]
                waiting += again
                queued.update(again)
    return new


def _implied(term: Any, holds: bool, bounds: IntegerBounds, deepest: int) -> Implied | None:
    """Return the bounds implied by `term` being true or false; None if that is impossible."""
    if deepest == 0:
        return {}
    if term.is_bool_constant():
        return {} if term.is_true() is holds else None
    if term in bounds.truth:
        return {} if bounds.truth[term] is holds else None
    if term.is_not():
        return _implied(term.arg(0), not holds, bounds, deepest - 1)
    if term.is_and() or term.is_or() or term.is_implies():
        parts = [(part, holds) for part in term.args()]
        if term.is_implies():
            parts[0] = (parts[0][0], not holds)
        found = (_implied(part, sign, bounds, deepest - 1) for part, sign in parts)
        # A true conjunction or a false disjunction: all parts hold; otherwise at least one does.
        return _all(found) if term.is_and() is holds else _some(found)
    if term.is_ite():
        condition, yes, no = term.args()
        cases = ((condition, True), (yes, holds)), ((condition, False), (no, holds))
        return _of_cases(cases, bounds, deepest - 1)
    if term.is_iff():
        left, right = term.args()
        # Both sides are true or both are false; exactly one side is true if the term is false.
        cases = ((left, True), (right, holds)), ((left, False), (right, not holds))
        return _of_cases(cases, bounds, deepest - 1)
    if term.is_le() or term.is_lt():
        # not (l <= r) is r < l, and not (l < r) is r <= l; over integers l < r is l + 1 <= r.
        left, right = term.args() if holds else reversed(term.args())
        return _at_most(left, right, int(term.is_lt() is holds), bounds)
    if term.is_equals() and holds:
        left, right = term.args()
        sums = [_at_most(left, right, 0, bounds), _at_most(right, left, 0, bounds)]
        return _all(iter([*sums, _factors(left, right), _factors(right, left)]))
    return {}


def _of_cases(
    cases: Iterable[Iterable[tuple[Any, bool]]], bounds: IntegerBounds, deepest: int
) -> Implied | None:
    """Return the bounds that hold in every one of `cases`; None if no case is possible.

    A case is a list of terms with truth values; connectives are expanded up to `deepest` levels.
    """
    return _some(
        _all(_implied(part, sign, bounds, deepest) for part, sign in case) for case in cases
    )


def _factors(product: Any, value: Any) -> Implied:
    """Return the bounds of the factors of `product` where `value`, its value, is not 0.

    All factors are non-zero integers: each has an absolute value of at least 1, so no factor
    exceeds the product in absolute value.
    """
    if not (product.is_times() and value.is_int_constant() and value.constant_value()):
        return {}
    most = abs(int(value.constant_value()))
    found: Implied = {}
    waiting = list(product.args())
    while waiting:
        factor = waiting.pop()
        if factor.is_times():
            waiting += factor.args()
        elif is_integer(factor):
            found[factor] = (-most, most)
    return found


def _all(parts: Iterator[Implied | None]) -> Implied | None:
    found: Implied = {}
    for part in parts:
        if part is None:  # One part is impossible, so their conjunction is.
            return None
        for integer, interval in part.items():
            found[integer] = met(found.get(integer, UNKNOWN), interval)
    return found


def _some(parts: Iterator[Implied | None]) -> Implied | None:
    found: Implied | None = None
    for part in parts:
        if part is None:  # An impossible part of a disjunction restricts nothing.
            continue
        if found is None:
            found = dict(part)
        else:
            # Of an integer bounded in every part so far, the hull of its intervals holds.
            found = {each: hull([found[each], part[each]]) for each in found.keys() & part.keys()}
        if not found:
            return found
    return found


def _at_most(left: Any, right: Any, gap: int, bounds: IntegerBounds) -> Implied:
    """Return the bounds that follow from ``left + gap <= right``."""
    # The inequality as constant + sum of weight * term <= 0.
    weights: dict[Any, int] = defaultdict(int)
    _add(left, 1, weights)
    _add(right, -1, weights)
    constant = gap + weights.pop(None, 0)
    least: list[tuple[Any, int, int | None]] = []
    for term, weight in weights.items():
        lower, upper = bounds.interval(term)
        end = lower if weight > 0 else upper
        least.append((term, weight, None if end is None else end * weight))
    # weight * term is at most minus the least value of everything else: with one summand of unknown
    # least value only that summand is bounded, with two or more none is.
    unknown = sum(value is None for _, _, value in least)
    if unknown > 1:
        return {}
    total = constant + sum(value for _, _, value in least if value is not None)
    found: Implied = {}
    for term, weight, value in least:
        if weight and is_integer(term) and (value is None or not unknown):
            slack = (value or 0) - total  # weight * term <= slack
            found[term] = (None, slack // weight) if weight > 0 else (-(slack // -weight), None)
    return found


def _add(term: Any, factor: int, weights: dict[Any, int]) -> None:
    """Add a term to a sum: terms with their weights, the constant under None."""
    waiting, steps = [(term, factor)], 0
    while waiting:
        here, times = waiting.pop()
        steps += 1
        if steps > _LONGEST:  # A sum of shared sums can be exponentially long.
            weights[here] += times
        elif here.is_int_constant():
            weights[None] += times * int(here.constant_value())
        elif here.is_plus():
            waiting += [(part, times) for part in here.args()]
        elif here.is_minus():
            waiting += [(here.arg(0), times), (here.arg(1), -times)]
        elif here.is_times() and len(here.args()) == 2 and here.arg(0).is_int_constant():
            waiting.append((here.arg(1), times * int(here.arg(0).constant_value())))
        elif here.is_times() and len(here.args()) == 2 and here.arg(1).is_int_constant():
            waiting.append((here.arg(0), times * int(here.arg(1).constant_value())))
        else:
            weights[here] += times
