"""Bounds of integers that follow from assertions, at any depth.

Bounds propagation on linear inequalities as in Harvey, Schimpf: Bounds Consistency Techniques for
Long Linear Constraints, TRICS 2002; of a disjunction, the bounds common to all its parts.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final

from pbcnf.formats.smtlib.bounds import (
    UNKNOWN,
    IntegerBounds,
    Interval,
    hull,
    integers_in,
    is_integer,
    met,
    negative,
)

_DEEPEST: Final = 40
"""The number of nested connectives that are examined; deeper parts imply no bounds."""
_LONGEST: Final = 20_000
"""The number of steps in which a sum of sums is flattened; further terms stay as they are."""
_ROUNDS: Final = 20
_TIGHTER: Final = 2
"""The number of rounds that tighten existing bounds."""

_MOST_CASES: Final = 2_000
"""The most terms that are examined for values of Booleans, each time a term is."""

Implied = dict[Any, Interval]


def propagate(terms: Sequence[Any], bounds: IntegerBounds, tighter: int = _TIGHTER) -> None:
    """Restrict integers in `bounds` by bounds that follow from `terms`, which all hold.

    First unbounded integers get bounds; then existing bounds are tightened in up to `tighter`
    rounds.
    """
    bounds.truth.update(_asserted_booleans(terms))
    within = [set(integers_in(term)) for term in terms]
    if tighter:
        _tighten_along_chains(terms, bounds)
        if bounds.impossible():
            return
    _repeat(terms, within, bounds, False, _ROUNDS)
    _split(terms, within, bounds)
    _repeat(terms, within, bounds, True, tighter)
    bounds.forget()


def _repeat(
    terms: Sequence[Any],
    within: Sequence[set[Any]],
    bounds: IntegerBounds,
    every: bool,
    rounds: int,
) -> None:
    for _ in range(rounds):
        bounds.forget()
        if not _round(terms, within, bounds, every):
            break


def _split(terms: Sequence[Any], within: Sequence[set[Any]], bounds: IntegerBounds) -> None:
    """Give integers without two bounds those that hold for either value of some Booleans."""
    lacking = {
        integer for integers in within for integer in integers if None in bounds.interval(integer)
    }
    if not lacking:
        return
    chosen = [at for at, integers in enumerate(within) if integers & lacking]
    booleans = Counter(
        symbol
        for at in chosen
        for symbol in terms[at].get_free_variables()
        if symbol.symbol_type().is_bool_type() and symbol not in bounds.truth
    )
    # Terms of these Booleans alone rule cases out.
    chosen += [
        at
        for at, integers in enumerate(within)
        if not integers and booleans.keys() & terms[at].get_free_variables()
    ]
    most = (_MOST_CASES // len(chosen)).bit_length() - 1
    terms, within = [terms[at] for at in chosen], [within[at] for at in chosen]
    cases = [bounds]
    asked = sorted(booleans, key=lambda symbol: (-booleans[symbol], symbol.symbol_name()))
    for symbol in asked[: max(most, 0)]:
        cases = [case.supposing(symbol, value) for case in cases for value in (True, False)]
        for case in cases:
            _repeat(terms, within, case, False, _ROUNDS)
        cases = [
            case
            for case in cases
            if not case.impossible()
            and None not in [_implied(term, True, case, _DEEPEST) for term in terms]
        ]
    for integer in lacking:
        bounds.restrict(integer, hull([case.interval(integer) for case in cases] or [(1, 0)]))


def _tighten_along_chains(terms: Iterable[Any], bounds: IntegerBounds) -> None:
    """Restrict integers in `bounds` by all inequalities ``x + gap <= y`` among `terms` together.

    A least value is the longest path to the integer over these inequalities, from the integer's own
    bound or another's, so a chain of any length takes one pass. An integer without a value left
    gets an empty interval.
    """
    for upwards in (True, False):
        # Integer -> (integer, difference) of the paths that lead on from it. Largest values are
        # least values of the negated integers: -y + gap <= -x.
        paths: dict[Any, list[tuple[Any, int]]] = defaultdict(list)
        for term in terms:
            for low, high, gap in _differences(term):
                paths[low if upwards else high].append((high if upwards else low, gap))
        before: dict[Any, list[Any]] = {}
        for low, leads in paths.items():
            before.setdefault(low, [])
            for high, _ in leads:
                before.setdefault(high, []).append(low)
        try:
            order = [*TopologicalSorter(before).static_order()]
        except CycleError:
            order = [*before]
        visits: dict[Any, int] = defaultdict(int)
        waiting, queued = deque(order), set(order)
        while waiting:
            here = waiting.popleft()
            queued.discard(here)
            lower, upper = bounds.interval(here)
            start = lower if upwards else negative(upper)
            if start is None:
                continue
            visits[here] += 1
            if visits[here] > len(order):  # Integers that exceed themselves: there is no model.
                bounds.restrict(here, (1, 0))
                return
            for other, gap in paths[here]:
                found = start + gap
                if bounds.restrict(other, (found, None) if upwards else (None, -found)):
                    lower, upper = bounds.interval(other)
                    if lower is not None and upper is not None and lower > upper:
                        return
                    if other not in queued:
                        waiting.append(other)
                        queued.add(other)


def _differences(term: Any) -> Iterator[tuple[Any, Any, int]]:
    """Yield each ``x, y, gap`` for which `term` says that ``x + gap <= y``."""
    holds = not term.is_not()
    compared = term if holds else term.arg(0)
    if compared.is_le() or compared.is_lt():
        left, right = compared.args() if holds else reversed(compared.args())
        yield from _pair(left, right, int(compared.is_lt() is holds))
    elif compared.is_equals() and holds:
        left, right = compared.args()
        yield from _pair(left, right, 0)
        yield from _pair(right, left, 0)


def _pair(left: Any, right: Any, gap: int) -> Iterator[tuple[Any, Any, int]]:
    """Yield ``x, y, gap`` if ``left + gap <= right`` is ``x + gap <= y`` for two integers."""
    weights: dict[Any, int] = defaultdict(int)
    _add(left, 1, weights)
    _add(right, -1, weights)
    gap += weights.pop(None, 0)
    signs = {weight: term for term, weight in weights.items()}
    if len(weights) == 2 and signs.keys() == {1, -1} and all(map(is_integer, weights)):
        yield signs[1], signs[-1], gap


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
