"""What the first inputs cannot weigh: sums from which no values of the others meet both bounds.

A bound excludes all sums above it, or all that are too small for what is left. In between are gaps:
from s to e both values of the next input lead into what is excluded already. So "at least s"
implies "at least e+1", by four sums of rows, one for either value and either end.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from pbcnf.derivation.derivation_state import UnderivableError
from pbcnf.derivation.diagrams.prefixes import Prefixes


class Interval(NamedTuple):
    """Sums from start to end, and the number of "at least start implies at least end + 1".

    None if the bounds say so.
    """

    start: int
    end: int
    number: int | None


class DeadEnds:
    """The intervals of each level found so far."""

    def __init__(self, prefixes: Prefixes) -> None:
        self._prefixes = prefixes
        self._weights = prefixes.of.weights
        self._beyond = 2 * prefixes.totals[-1] + 1
        self._starts: list[list[int]] = [[] for _ in prefixes.totals]
        self._found: list[list[Interval]] = [[] for _ in prefixes.totals]

    def cover(self, level: int, first: int, last: int) -> list[Interval]:
        """Return intervals side by side that contain all sums from first to last."""
        found: list[Interval] = []
        while not found or found[-1].end < last:
            found.append(self._find(level, found[-1].end + 1 if found else first))
        return found

    def _find(self, level: int, total: int) -> Interval:
        pending = [(level, total)]
        while True:
            at, here = pending[-1]
            found = self._known(at, here)
            if found is not None:
                pending.pop()
                if not pending:
                    return found
                continue
            children = [(at + 1, here + self._weights[at]), (at + 1, here)]
            intervals = [self._known(*child) for child in children]
            high, low = intervals
            if high and low:
                self._join(at, high, low)
            else:
                pending += [c for c, known in zip(children, intervals, strict=True) if not known]

    def _known(self, level: int, total: int) -> Interval | None:
        of, totals = self._prefixes.of, self._prefixes.totals
        rest = totals[-1] - totals[level]
        if total > of.upper:
            return Interval(of.upper + 1, self._beyond, None)
        if total + rest < of.lower:
            return Interval(-self._beyond, of.lower - rest - 1, None)
        at = bisect_right(self._starts[level], total) - 1
        if at >= 0 and self._found[level][at].end >= total:
            return self._found[level][at]
        if level == len(self._weights):
            raise UnderivableError(f"the sum can be {total}")
        return None

    def _join(self, level: int, high: Interval, low: Interval) -> None:
        weight, prefixes = self._weights[level], self._prefixes
        start = max(high.start - weight, low.start)
        end = min(high.end - weight, low.end)
        hints = [
            prefixes.rises(level, True, start, high.start),
            prefixes.falls(level, True, high.end + 1, end + 1),
            high.number,
            prefixes.rises(level, False, start, low.start),
            prefixes.falls(level, False, low.end + 1, end + 1),
            low.number,
        ]
        least, beyond = prefixes.at_least(level, start), prefixes.at_least(level, end + 1)
        number = prefixes.propagated([least], [beyond], hints)
        place = bisect_right(self._starts[level], start)
        self._starts[level].insert(place, start)
        self._found[level].insert(place, Interval(start, end, number))
