"""Weighted counters: bounds on a weighted sum that are chosen later, by assumptions, and change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from pbcnf.errors import EncodingError
from pbcnf.literals import Lit, integer, literal
from pbcnf.sink import ClauseSink, NormalisingSink, require_allocated, without_normalising
from pbcnf.wording import counted


@runtime_checkable
class WeightedCounter(Protocol):
    """An encoder that can leave the bounds of a weighted sum open."""

    def count_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], sink: ClauseSink
    ) -> WeightedCount:
        """Return a counter of ``sum of weight * input`` whose bounds are assumed later.

        Literals may repeat and be opposite; weights are any integers. Raises TypeError or
        ValueError for what is no literal or no integer, a variable that is not allocated, or
        unequal numbers of literals and weights.
        """
        ...


class UpperBounds(Protocol):
    """The variables and clauses behind upper bounds on a weighted sum, emitted as they are asked.

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
        """Emit what is missing for ``0 <= bound < total``; return the literals to assume."""
        ...


class WeightedCount:
    """A sum of ``weight * input``, its bounds left open to be assumed.

    `least` and `most` are the smallest and the largest value of the sum. `false` is a variable that
    is false in every model; it answers for bounds that no assignment meets.

    Nothing is emitted before a bound is asked, and then only what this bound needs and is not
    there: first a bound, then inputs, then another one add variables and clauses in a live solver.
    What exists stays as it is, with the same meaning: a literal that was handed out before inputs
    were added goes on to bound the inputs of that time. A lower bound is an upper bound of the
    negated inputs, with variables of its own: who asks one kind pays for one.
    """

    __slots__ = ("_lower", "_sink", "_upper", "_vars", "false", "least", "most")

    def __init__(
        self,
        make: Callable[[], UpperBounds],
        lits: Sequence[Lit],
        weights: Sequence[int],
        sink: ClauseSink,
    ) -> None:
        """Count by what `make` returns; encoders offer it as `count_weighted`."""
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

        As units they may be added for the last bound that is asked: those of one bound may exclude
        others, as they do for `global_polynomial_watchdog`. Empty for ``bound >= most``;
        ``[false]`` for ``bound < least``.
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

        What is added to it later is not added here. Raises ValueError unless both are of one
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
