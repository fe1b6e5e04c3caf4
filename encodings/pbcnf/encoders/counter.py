"""Counters: encodings whose bounds are chosen later, by assumptions, and can change.

`UnaryCount` counts literals, `WeightedCount` adds their weights up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import Flag
from typing import Any, NoReturn, Protocol, runtime_checkable

from pbcnf.encoders.circuits.output_ranges import Asked, CountStructure, SharedCount, outputs_of
from pbcnf.errors import EncodingError
from pbcnf.literals import Lit, Var, integer, literal
from pbcnf.sink import ClauseSink, NormalisingSink, require_allocated, without_normalising
from pbcnf.wording import counted


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
    """The encoder cannot leave its bounds open: it has no `count`, or no `count_weighted`."""


class Uncounted:
    """Base class that raises NoCounterError for encoders without `count` or `count_weighted`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        """Raise NoCounterError for `count` and `count_weighted`, AttributeError for other names."""
        kind = type(self)
        if name in _WHO_COUNTS:
            raise NoCounterError(
                f"{getattr(kind, 'name', kind.__name__)} has fixed bounds: no `{name}`, to change"
                f" them while solving; {_WHO_COUNTS[name]} have it"
            )
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")


_WHO_COUNTS = {
    "count": "totalizer, sequential_counter and sorting_network",
    "count_weighted": "adder, generalized_totalizer and global_polynomial_watchdog",
}
"""The methods that leave bounds open, and the encoders with them."""


class UnaryCount:
    """The number of true inputs in unary, its bounds left open to be assumed.

    `inputs` is the number of inputs. ``outputs[j]`` stands for "at least first+j inputs are true"
    (the part of that equivalence which the built `directions` need). `downto` and `upto` are the
    smallest and the largest bound that can be requested. `false` is a variable that is false in
    every model; it is returned for bounds that no assignment meets, so that an impossible bound
    leads to an unsatisfiable call with a core instead of an exception.

    These attributes change in place when `extend`, `add_inputs` or `merge` is called, also between
    the calls of a live solver: variables and clauses are added, and existing ones keep their
    meaning. A literal returned before inputs were added still bounds the earlier inputs only: as an
    upper bound it is weaker than a new literal, as a lower bound stronger. Several calls of
    `extend` add the same clauses as one call, up to the numbering of the variables.
    """

    __slots__ = (
        "_asked_upto", "_make", "_sink", "_structure", "_vars",
        "directions", "downto", "false", "first", "inputs", "outputs", "upto",
    )  # fmt: skip

    def __init__(
        self,
        lits: Sequence[Lit],
        structure: Callable[[Sequence[Lit]], CountStructure],
        sink: ClauseSink,
        downto: int,
        upto: int,
        directions: Direction,
    ) -> None:
        """Count `lits` with the structure that `structure` returns for them; see `Counter.count`.

        Literals may repeat and be opposite. Raises TypeError or ValueError for a value that is no
        literal, ValueError if `downto` is beyond `upto`.
        """
        if downto > upto:
            raise EncodingError(f"there is no bound from {downto} to {upto} to build a counter for")
        lits = [literal(lit) for lit in lits]
        self.inputs = len(lits)
        self.false = sink.new_var()
        sink.add_clause([-self.false])
        self._make = structure
        self._vars = {abs(lit) for lit in lits}
        self._structure = SharedCount(structure(lits), self.inputs)
        # Repeated or opposite inputs may meet in a clause.
        self._sink = sink if len(self._vars) == self.inputs else NormalisingSink(sink)
        self.downto, self.upto = _clamped(downto, self.inputs), _clamped(upto, self.inputs)
        self._asked_upto = upto
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
        """Extend the possible bounds, up to `upto` or down to `downto`, or the directions.

        The old and the new bounds become one range without a gap: no bound and no direction is ever
        dropped, and a call that adds none emits nothing.
        """
        bounds = [bound for bound in (upto, downto) if bound is not None]
        self._asked_upto = max([self._asked_upto, *bounds])
        reach = self._reach(bounds)
        kinds = self.directions | (directions or self.directions)
        if (reach, kinds) != ((self.downto, self.upto), self.directions):
            (self.downto, self.upto), self.directions = reach, kinds
            self._grow()

    def add_inputs(self, lits: Sequence[Lit]) -> None:
        """Count the literals of `lits` as well; see `Counter.count` for the literals allowed.

        The literals of `lits` get a counter of their own, of this kind, and one node of a totalizer
        adds the two counts: few large portions make a smaller counter than many small ones.
        `downto` stays; `upto` rises to the bound once requested, where the number of inputs had
        capped it.

        Raises TypeError or ValueError, before anything changes, for a value that is no literal or
        whose variable is not allocated.

        >>> from pbcnf import Formula, find_encoder
        >>> f = Formula(num_vars=4)
        >>> total = find_encoder("totalizer").count([1, 2], upto=1, sink=f)
        >>> old = total.at_most(1)
        >>> total.add_inputs([3, 4])
        >>> total.inputs, old, total.at_most(1)
        (4, [-7], [-11])
        """
        lits = [literal(lit) for lit in lits]
        require_allocated(lits, self._sink)
        if lits:
            added = SharedCount(self._make(lits), len(lits))
            self._join(added, [abs(lit) for lit in lits])

    def merge(self, other: UnaryCount) -> None:
        """Count the inputs of `other` as well, by adding its outputs: nothing is counted anew.

        `other` stays the counter of its own inputs. Inputs added to `other` later are not counted
        here. Bounds and directions are those of this counter. Inputs of both count twice.

        Raises ValueError unless both emit to the same sink.

        >>> from pbcnf import Formula, find_encoder
        >>> f = Formula(num_vars=4)
        >>> left, right = (
        ...     find_encoder("totalizer").count(lits, upto=2, sink=f) for lits in ([1, 2], [3, 4])
        ... )
        >>> left.merge(right)
        >>> left.at_most(2), right.at_most(1)
        ([-13], [-10])
        """
        if without_normalising(self._sink) is not without_normalising(other._sink):
            raise EncodingError("counters of two sinks cannot be merged: they share no variables")
        if other.inputs:
            self._join(other._structure, other._vars)

    def _join(self, part: SharedCount, variables: Collection[Var]) -> None:
        # A variable that is counted twice may be twice in a clause of the joining node.
        repeated = len(set(variables)) < part.inputs or not self._vars.isdisjoint(variables)
        if repeated:
            self._sink = NormalisingSink(without_normalising(self._sink))
        self._vars = self._vars.union(variables)
        if self.inputs:
            from pbcnf.encoders.circuits.totalizer_tree import joined

            part = joined(self._structure, part)
        self._structure, self.inputs = part, part.inputs
        self.downto, self.upto = self._reach([self._asked_upto])
        self._grow()

    def _reach(self, bounds: Sequence[int]) -> tuple[int, int]:
        """Return the range of bounds extended by `bounds`."""
        clamped = [_clamped(bound, self.inputs) for bound in bounds]
        return min([self.downto, *clamped]), max([self.upto, *clamped])

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


def outputs_for(n: int, downto: int, upto: int, directions: Direction) -> Asked:
    """Return the outputs a counter of n inputs needs for the bounds from `downto` to `upto`.

    With both directions every output is equivalent to its meaning, so that models extend
    uniquely.
    """
    # "At least b" is output b, "at most b" the negation of output b + 1.
    first, last = max(1, _clamped(downto, n)), _clamped(upto, n)
    beyond = min(n, last + 1)
    match directions:
        case Direction.BOTH:
            return Asked(range(first, beyond + 1), range(first, beyond + 1))
        case Direction.AT_MOST:
            return Asked(range(_clamped(downto, n) + 1, beyond + 1), range(0))
        case _:
            return Asked(range(0), range(first, last + 1))


def _clamped(bound: int, inputs: int) -> int:
    return min(max(bound, 0), inputs)


@runtime_checkable
class WeightedCounter(Protocol):
    """An encoder that can leave the bounds of a weighted sum open."""

    def count_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], sink: ClauseSink
    ) -> WeightedCount:
        """Return a counter of ``sum of weight * input`` whose bounds are assumed later.

        Literals may repeat and be opposite; weights are any integers. Raises TypeError or
        ValueError for a value that is no literal or no integer, a variable that is not allocated,
        or unequal numbers of literals and weights.
        """
        ...


class UpperBounds(Protocol):
    """The variables and clauses of upper bounds on a weighted sum, emitted bound by bound.

    Weights are 1 or more.
    """

    @property
    def total(self) -> int:
        """The sum of all weights."""
        ...

    def add(self, lits: Sequence[Lit], weights: Sequence[int]) -> None:
        """Add inputs."""
        ...

    def merge(self, other: Any, sink: ClauseSink) -> None:
        """Add the inputs of `other`, a sum of this kind, and reuse the clauses of `other`."""
        ...

    def at_most(self, bound: int, sink: ClauseSink) -> list[Lit]:
        """Emit the missing clauses for ``0 <= bound < total``; return the literals to assume."""
        ...


class WeightedCount:
    """A sum of ``weight * input``, its bounds left open to be assumed.

    `least` and `most` are the smallest and the largest value of the sum. `false` is a variable that
    is false in every model; it is returned for bounds that no assignment meets.

    Nothing is emitted before a bound is requested, and then only the missing clauses that this
    bound needs: bounds and further inputs may follow each other in a live solver. Clauses and
    literals keep their meaning: a literal returned before inputs were added still bounds the
    earlier inputs only. A lower bound is an upper bound of the negated inputs, with variables of
    its own, which do not exist before a lower bound is requested.
    """

    __slots__ = ("_lower", "_sink", "_upper", "_vars", "false", "least", "most")

    def __init__(
        self,
        make: Callable[[], UpperBounds],
        lits: Sequence[Lit],
        weights: Sequence[int],
        sink: ClauseSink,
    ) -> None:
        """Count with the structures that `make` returns; encoders do so in `count_weighted`."""
        terms = _terms(lits, weights, sink)
        self.false = sink.new_var()
        sink.add_clause([-self.false])
        self._upper, self._lower = make(), make()
        self._sink = sink
        self._vars: set[int] = set()
        self.least = self.most = 0
        self._add(terms)

    def at_most(self, bound: int) -> list[Lit]:
        """Return the literals to assume for ``sum <= bound``.

        Only the literals of the last bound requested may be added as unit clauses: the units of one
        bound may exclude other bounds, as for `global_polynomial_watchdog`. Empty for
        ``bound >= most``; ``[false]`` for ``bound < least``.
        """
        return self._at_most(self._upper, integer(bound, "a bound") - self.least)

    def at_least(self, bound: int) -> list[Lit]:
        """Return the literals to assume for ``sum >= bound``, as `at_most` does.

        Empty for ``bound <= least``; ``[false]`` for ``bound > most``.
        """
        return self._at_most(self._lower, self.most - integer(bound, "a bound"))

    def add_inputs(self, lits: Sequence[Lit], weights: Sequence[int]) -> None:
        """Add these inputs to the sum; see `WeightedCounter.count_weighted` for the errors."""
        self._add(_terms(lits, weights, self._sink))

    def merge(self, other: WeightedCount) -> None:
        """Add the sum of `other`, whose clauses serve both counters from then on.

        Inputs added to `other` later are not added here. Raises ValueError unless both are of one
        encoder and emit to the same sink.
        """
        if without_normalising(self._sink) is not without_normalising(other._sink):
            raise EncodingError("counters of two sinks cannot be merged: they share no variables")
        if type(self._upper) is not type(other._upper):
            raise EncodingError("counters of two encoders cannot be merged: they count unlike")
        if isinstance(other._sink, NormalisingSink) or not self._vars.isdisjoint(other._vars):
            self._sink = NormalisingSink(without_normalising(self._sink))
        self._vars |= other._vars
        self._upper.merge(other._upper, self._sink)
        self._lower.merge(other._lower, self._sink)
        self.least, self.most = self.least + other.least, self.most + other.most

    def _add(self, terms: Sequence[tuple[Lit, int]]) -> None:
        variables = {abs(lit) for lit, _ in terms}
        if len(variables) < len(terms) or not self._vars.isdisjoint(variables):
            self._sink = NormalisingSink(without_normalising(self._sink))
        self._vars |= variables
        # A negative weight is a positive one of the negated input, and a constant.
        lits = [lit if weight > 0 else -lit for lit, weight in terms]
        weights = [abs(weight) for _, weight in terms]
        self._upper.add(lits, weights)
        self._lower.add([-lit for lit in lits], weights)
        self.least += sum(weight for _, weight in terms if weight < 0)
        self.most += sum(weight for _, weight in terms if weight > 0)

    def _at_most(self, side: UpperBounds, bound: int) -> list[Lit]:
        if bound >= side.total:
            return []
        return [self.false] if bound < 0 else side.at_most(bound, self._sink)


def _terms(lits: Sequence[Lit], weights: Sequence[int], sink: ClauseSink) -> list[tuple[Lit, int]]:
    """Return literals and their weights, without weights 0."""
    lits = [literal(lit) for lit in lits]
    weights = [integer(weight, "a weight") for weight in weights]
    if len(lits) != len(weights):
        raise EncodingError(
            f"{counted(len(lits), 'literal')} but {counted(len(weights), 'weight')}"
        )
    require_allocated(lits, sink)
    return [(lit, weight) for lit, weight in zip(lits, weights, strict=True) if weight]
