"""Bounds of integers that follow from the assertions, at any depth.

Bounds propagation on linear inequalities as in Harvey, Schimpf: Bounds Consistency Techniques for
Long Linear Constraints, TRICS 2002; of a disjunction, the bounds common to all its parts.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from pbcnf.formats.smtlib.bounds import (
    UNKNOWN,
    IntegerBounds,
    Interval,
    hull,
    is_integer,
    met,
)

_DEEPEST: Final = 40
"""Levels of connectives that are looked at: of what is below nothing is known."""
_LONGEST: Final = 20_000
"""Terms of a sum."""
_ROUNDS: Final = 20
_TIGHTER: Final = 2
"""The number of rounds that tighten existing bounds."""

Implied = dict[Any, Interval]


def integers_in(term: Any, done: set[Any] | None = None) -> Iterator[Any]:
    """Yield the Ints that a term is made of: symbols, and functions without a definition.

    Terms in `done` are passed over, and those that are looked at are added.
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
    """Restrict integers by bounds that follow from asserted terms: unbounded integers first.

    Then all integers, in `tighter` rounds.
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
    """Propagate each term once, and again after a new bound in the term; return whether any is new.

    Existing bounds are tightened only if `every` is set; then each term is propagated once.
    """
    of: dict[Any, list[int]] = defaultdict(list)
    for number, integers in enumerate(within):
        for integer in integers:
            lower, upper = bounds.interval(integer)
            if lower is None or upper is None or (every and upper - lower > 1):
                of[integer].append(number)
    waiting = deque(sorted({number for numbers in of.values() for number in numbers}))
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
                again = [] if every else [each for each in of[integer] if each not in queued]
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
        one, other = term.args()
        # Both sides are true, or both false; one of them, if they differ.
        cases = ((one, True), (other, holds)), ((one, False), (other, not holds))
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
    # As constant + sum of weight * term <= 0.
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
        if steps > _LONGEST:  # sums of sums that are shared
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
