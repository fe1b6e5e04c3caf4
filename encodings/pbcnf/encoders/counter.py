"""Counters: encodings whose bounds are chosen later, by assumptions, and can change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Flag
from typing import NamedTuple, NoReturn, Protocol, runtime_checkable

from pbcnf.errors import EncodingError
from pbcnf.literals import Lit, literal
from pbcnf.sink import ClauseSink, NormalisingSink


class Direction(Flag):
    """The kind of bounds a counter is built for."""

    AT_MOST = 1
    AT_LEAST = 2
    BOTH = 3


@runtime_checkable
class Counter(Protocol):
    """An encoder that can leave the bounds open."""

    def count(
        self,
        lits: Sequence[Lit],
        upto: int,
        sink: ClauseSink,
        directions: Direction = Direction.BOTH,
        downto: int = 0,
    ) -> UnaryCount:
        """Emit a counter of `lits` whose bounds may later be anything from `downto` to `upto`."""
        ...


class NoCounterError(EncodingError, AttributeError):
    """The encoder cannot leave its bounds open: it has no `count`."""


class Uncounted:
    """What encoders without `count` say when it is asked of them."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        """Raise NoCounterError for `count`, AttributeError for what nobody has."""
        kind = type(self)
        if name == "count":
            raise NoCounterError(
                f"{getattr(kind, 'name', kind.__name__)} has fixed bounds: no `count`, to change"
                " them while solving; totalizer, sequential_counter and sorting_network have it"
            )
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")


class UnaryCount:
    """The number of true inputs in unary, its bounds left open to be assumed.

    `inputs` is the number of inputs. ``outputs[j]`` stands for "at least first+j inputs are true"
    (the part of that equivalence which the built `directions` need). `downto` and `upto` are the
    smallest and the largest bound that can be asked. `false` is a variable that is false in every
    model; it answers for bounds that no assignment meets, so that an impossible bound makes an
    unsatisfiable call with a core instead of an exception.

    All of that changes in place when `extend` is called, also between the calls of a live solver:
    it adds variables and clauses, and what exists stays as it is, with the same meaning. Step by
    step the same clauses arise as at once, up to the numbering of the variables.
    """

    __slots__ = (
        "_sink", "_structure", "directions", "downto", "false", "first", "inputs", "outputs", "upto"
    )  # fmt: skip

    def __init__(
        self,
        inputs: int,
        structure: CountStructure,
        sink: ClauseSink,
        reach: tuple[int, int],
        directions: Direction,
    ) -> None:
        """Emit what `structure` needs for bounds within `reach`; encoders use `open_count`."""
        self.inputs = inputs
        self.false = sink.new_var()
        sink.add_clause([-self.false])
        self._structure = structure
        self._sink = sink
        self.downto, self.upto = reach
        self.directions = directions
        self._grow()

    def at_most(self, bound: int) -> list[Lit]:
        """Return the literals to assume (or add as units) for ``sum of inputs <= bound``.

        Empty for ``bound >= inputs``; ``[false]`` for ``bound < 0``. Raises ValueError if the
        counter was not built for upper bounds, or not for this one.
        """
        self._require(Direction.AT_MOST)
        if bound >= self.inputs:
            return []
        return [self.false] if bound < 0 else [-self._output(bound, above=1)]

    def at_least(self, bound: int) -> list[Lit]:
        """Return the literals to assume (or add as units) for ``sum of inputs >= bound``.

        Empty for ``bound <= 0``; ``[false]`` for ``bound > inputs``. Raises ValueError if the
        counter was not built for lower bounds, or not for this one.
        """
        self._require(Direction.AT_LEAST)
        if bound <= 0:
            return []
        return [self.false] if bound > self.inputs else [self._output(bound, above=0)]

    def extend(
        self,
        upto: int | None = None,
        downto: int | None = None,
        directions: Direction | None = None,
    ) -> None:
        """Extend the bounds that can be asked, up to `upto` or down to `downto`, or the directions.

        What could be asked before and what is added make one range without a gap: nothing is ever
        given up, and a call that asks nothing new emits nothing.
        """
        bounds = [_clamped(bound, self.inputs) for bound in (upto, downto) if bound is not None]
        reach = min([self.downto, *bounds]), max([self.upto, *bounds])
        kinds = self.directions | (directions or self.directions)
        if (reach, kinds) != ((self.downto, self.upto), self.directions):
            (self.downto, self.upto), self.directions = reach, kinds
            self._grow()

    def _grow(self) -> None:
        asked = outputs_for(self.inputs, self.downto, self.upto, self.directions)
        self.outputs = tuple(self._structure.grow(asked, self._sink))
        self.first = outputs_of(asked).start

    def _require(self, direction: Direction) -> None:
        if direction not in self.directions:
            raise EncodingError(
                f"the counter was built for {self.directions}, not {direction};"
                " `extend` adds directions"
            )

    def _output(self, bound: int, above: int) -> Lit:
        if not self.downto <= bound <= self.upto:
            raise EncodingError(
                f"the counter was built for bounds from {self.downto} to {self.upto}, not {bound};"
                " `extend` adds bounds"
            )
        return self.outputs[bound + above - self.first]


class Asked(NamedTuple):
    """The outputs asked of a counter: implied by the inputs (rising), implying them (falling)."""

    rising: range
    falling: range


class CountStructure(Protocol):
    """The variables and clauses behind a `UnaryCount`."""

    def grow(self, asked: Asked, sink: ClauseSink) -> Sequence[Lit]:
        """Emit what is missing for the outputs asked; return all of them, in order.

        Each range contains the one asked before in that direction. Both ranges are equal, unless
        one is empty.
        """
        ...


def open_count(
    lits: Sequence[Lit],
    structure: Callable[[Sequence[Lit]], CountStructure],
    sink: ClauseSink,
    downto: int,
    upto: int,
    directions: Direction,
) -> UnaryCount:
    """Return the count of `lits` by what `structure` makes of them, see `Counter.count`.

    Literals may repeat and be opposite. Raises TypeError or ValueError for a value that is no
    literal, ValueError if `downto` is beyond `upto`.
    """
    if downto > upto:
        raise EncodingError(f"there is no bound from {downto} to {upto} to build a counter for")
    lits = [literal(lit) for lit in lits]
    distinct = len({abs(lit) for lit in lits}) == len(lits)
    reach = _clamped(downto, len(lits)), _clamped(upto, len(lits))
    sink = sink if distinct else NormalisingSink(sink)
    return UnaryCount(len(lits), structure(lits), sink, reach, directions)


def outputs_for(n: int, downto: int, upto: int, directions: Direction) -> Asked:
    """Return the outputs a counter of n inputs needs for the bounds from `downto` to `upto`.

    With both directions every output is equivalent to its meaning, so that models extend
    uniquely.
    """
    first, last = max(1, _clamped(downto, n)), _clamped(upto, n)
    beyond = min(n, last + 1)
    match directions:
        case Direction.BOTH:
            return Asked(range(first, beyond + 1), range(first, beyond + 1))
        case Direction.AT_MOST:
            return Asked(range(_clamped(downto, n) + 1, beyond + 1), range(0))
        case _:
            return Asked(range(0), range(first, last + 1))


def outputs_of(asked: Asked) -> range:
    """Return the outputs asked in either direction: one range without a gap."""
    starts = [part.start for part in asked if part]
    return range(min(starts), max(part.stop for part in asked)) if starts else range(1, 1)


def _clamped(bound: int, inputs: int) -> int:
    return min(max(bound, 0), inputs)
