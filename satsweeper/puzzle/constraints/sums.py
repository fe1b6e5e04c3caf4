"""A weighted sum of terms takes one of some values; a term is a conjunction of literals."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol, runtime_checkable

from satsweeper.puzzle.constraints.protocol import Automaton, OnePart, Part, State, Writer, scope_of

_TABLE: Final = 9
"""The most literals of a sum with gaps between its values that is written as a table."""


@runtime_checkable
class WholeSumWriter(Protocol):
    """A writer of whole sums, which has a form of its own for terms and gaps."""

    def whole_sum(self, constraint: Sum) -> None:
        """Add a sum."""


@dataclass(frozen=True, slots=True)
class Sum(OnePart):
    """``sum of weight * term`` is one of the values ``allowed``.

    ``terms``: each a tuple of literals, true if all of them are. ``allowed`` ascends.
    """

    part: Part
    terms: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]
    allowed: tuple[int, ...]

    @classmethod
    def of(
        cls,
        part: Part,
        literals: Iterable[int],
        allowed: Iterable[int],
        weights: Iterable[int] | None = None,
    ) -> Sum:
        """Return a sum of single literals; all weights are 1 unless ``weights`` are given."""
        terms = tuple([(lit,) for lit in literals])
        factors = (1,) * len(terms) if weights is None else tuple(weights)
        return cls(part, terms, factors, tuple(sorted({*allowed})))

    @property
    def scope(self) -> tuple[int, ...]:
        """The variables of the terms."""
        return scope_of([lit for term in self.terms for lit in term])

    def write(self, writer: Writer) -> None:
        """Write the sum: between bounds, as a table, or as one interval of values or another.

        Values without a gap are bounds if all weights are 1. Otherwise few literals become a table
        without auxiliary variables. Many literals between bounds are a weighted sum, and with gaps
        get an auxiliary variable for each interval, of which one is true, and which implies the
        interval's bounds.
        """
        if isinstance(writer, WholeSumWriter):
            writer.whole_sum(self)
            return
        literals = [t[0] if len(t) == 1 else writer.conjunction(t) for t in self.terms]
        weights = None if {*self.weights} <= {1} else self.weights
        intervals = self.intervals()
        tabled = len(literals) <= _TABLE and len({*map(abs, literals)}) == len(literals)
        if not intervals:
            writer.clause(self.part, ())
        elif tabled and (len(intervals) > 1 or weights is not None):
            writer.table(self.part, literals, _table(self.weights, frozenset(self.allowed)))
        elif len(intervals) == 1:
            writer.bounds(self.part, literals, weights, *intervals[0])
        else:
            chosen = [writer.new_var() for _ in intervals]
            writer.clause(self.part, chosen)
            for choice, (lower, upper) in zip(chosen, intervals, strict=True):
                writer.bounds(self.part, literals, weights, lower, upper, (choice,))

    def holds(self, mines: Container[int]) -> bool:
        """Whether the sum has an allowed value."""
        found = 0
        for term, weight in zip(self.terms, self.weights, strict=True):
            if all((abs(lit) in mines) == (lit > 0) for lit in term):
                found += weight
        return found in self.allowed

    def automaton(self, order: Sequence[int]) -> Automaton:
        """Return the automaton whose state is what may be added, and which terms are still open.

        The first part is the allowed values less the sum so far, as far as the open terms can reach
        them. The second part has a bit for each term whose variables are not all read, 1 unless a
        literal of the term was false. A state is ``True`` if whatever follows is allowed.
        """
        place_of = {variable: place for place, variable in enumerate(order)}
        at: list[list[tuple[int, bool]]] = [[] for _ in order]
        complete: list[list[tuple[int, int]]] = [[] for _ in order]
        first = alive = 0
        for number, (term, weight) in enumerate(zip(self.terms, self.weights, strict=True)):
            if not term:
                first += weight
                continue
            for lit in term:
                at[place_of[abs(lit)]].append((1 << number, lit > 0))
            complete[max(place_of[abs(lit)] for lit in term)].append((1 << number, weight))
            alive |= 1 << number
        spans: dict[int, tuple[int, int]] = {}

        def reached(allowed: Iterable[int], less: int, open_terms: int) -> State | None:
            # What the open terms can add at least and at most: all of one sign.
            if open_terms not in spans:
                held = [w for bit, w in enumerate(self.weights) if open_terms >> bit & 1]
                spans[open_terms] = sum([min(w, 0) for w in held]), sum([max(w, 0) for w in held])
            low, high = spans[open_terms]
            rest = tuple([value - less for value in allowed if low <= value - less <= high])
            if len(rest) > high - low:
                return True
            return (rest, open_terms) if rest else None

        def step(place: int, state: State, value: bool) -> State | None:
            if state is True:
                return True
            allowed, open_terms = state
            found = 0
            for bit, sign in at[place]:
                if sign != value:
                    open_terms &= ~bit
            for bit, weight in complete[place]:
                if open_terms & bit:
                    found += weight
                    open_terms ^= bit
            return reached(allowed, found, open_terms)

        return Automaton(reached(self.allowed, first, alive) or ((), alive), step)

    def intervals(self) -> list[tuple[int, int]]:
        """Return the maximal intervals of allowed values that lie between the extreme sums."""
        low = sum([weight for weight in self.weights if weight < 0])
        high = sum([weight for weight in self.weights if weight > 0])
        return _intervals([value for value in self.allowed if low <= value <= high])


def _intervals(values: Sequence[int]) -> list[tuple[int, int]]:
    """Return the maximal runs of consecutive integers in ascending ``values``.

    >>> _intervals([0, 3, 4, 5, 8])
    [(0, 0), (3, 5), (8, 8)]
    """
    found: list[tuple[int, int]] = []
    for value in values:
        if found and found[-1][1] == value - 1:
            found[-1] = found[-1][0], value
        else:
            found.append((value, value))
    return found


@lru_cache(maxsize=1024)
def _table(weights: tuple[int, ...], allowed: frozenset[int]) -> int:
    """Return the table of the rows whose sum of weights is allowed."""
    accepted = 0
    sums = [0]
    for weight in weights:
        sums += [each + weight for each in sums]
    for row, each in enumerate(sums):
        accepted |= (each in allowed) << row
    return accepted
