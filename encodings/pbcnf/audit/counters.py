"""Counters, examined at the end of a life: inputs counted, bounded, added, and merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbcnf.audit.bounds import Bound, BoundKind, weighted_bounds
from pbcnf.audit.examination import Audit, Property, audit_clauses
from pbcnf.encoders.counter import Counter, WeightedCount, WeightedCounter
from pbcnf.encoders.protocol import Encoder
from pbcnf.formula import Formula
from pbcnf.literals import Lit


@dataclass(frozen=True, slots=True)
class CountedBound(Bound):
    """A bound that is assumed of a counter, see `Bound`.

    >>> print(CountedBound((1, 1, 1), 0, 2))
    counter: 0 to 2 of 3
    """

    @property
    def kind(self) -> BoundKind:
        """The kind under which tables list the case."""
        return BoundKind.WEIGHTED_COUNTER if self.weighted else BoundKind.COUNTER

    def __str__(self) -> str:
        """Return the case in words."""
        return f"counter: {Bound.__str__(self)}"


def counted_bounds(encoder: Encoder, upto: int) -> Iterator[CountedBound]:
    """Yield the bounds to assume of the counters of an encoder, with at most `upto` inputs.

    These are all pairs of bounds from 0 to the number of inputs, and weighted sums.
    """
    if isinstance(encoder, Counter):
        for n in range(upto + 1):
            for lower in range(n + 1):
                for upper in range(lower, n + 1):
                    yield CountedBound((1,) * n, lower, upper)
    if isinstance(encoder, WeightedCounter):
        for bound in weighted_bounds(upto):
            yield CountedBound(bound.weights, bound.lower, bound.upper, weighted=True)


def audit_counted(encoder: Encoder, bound: CountedBound) -> Audit:
    """Examine the clauses of a counter whose inputs came in three ways, with the bound assumed.

    The first third is counted and bounded, the second one added, the last one merged. Parsimony
    is not judged of weighted counters, whose auxiliary variables are implied one way only.
    """
    formula = Formula(num_vars=bound.n)
    if bound.weighted:
        assert isinstance(encoder, WeightedCounter)
        assumed = _live_weighted(encoder, bound, formula)
    else:
        assert isinstance(encoder, Counter)
        assumed = _live(encoder, bound, formula)
    clauses = [*formula.clauses(), *([lit] for lit in assumed)]
    found = audit_clauses(clauses, formula.num_vars, bound.weights, bound.lower, bound.upper)
    left_out = {Property.PARSIMONIOUS} if bound.weighted else set[Property]()
    return replace(found, judged=found.judged - left_out)


def _live(counter: Counter, bound: CountedBound, formula: Formula) -> list[Lit]:
    first, second, third = _thirds(bound.n)
    count = counter.count(first, bound.upper, formula, downto=bound.lower)
    count.add_inputs(second)
    count.merge(counter.count(third, len(third), formula))
    return [*count.at_least(bound.lower), *count.at_most(bound.upper)]


def _live_weighted(counter: WeightedCounter, bound: CountedBound, formula: Formula) -> list[Lit]:
    first, second, third = (
        (part, [bound.weights[lit - 1] for lit in part]) for part in _thirds(bound.n)
    )
    count = counter.count_weighted(*first, formula)
    _ask(count)
    count.add_inputs(*second)
    _ask(count)
    other = counter.count_weighted(*third, formula)
    _ask(other)
    count.merge(other)
    return [*count.at_least(bound.lower), *count.at_most(bound.upper)]


def _ask(count: WeightedCount) -> None:
    """Emit the clauses of two bounds besides the bound under examination."""
    count.at_most(count.most // 2)
    count.at_least(count.most // 2 + 1)


def _thirds(n: int) -> tuple[range, range, range]:
    one, two = n // 3, 2 * n // 3
    return range(1, one + 1), range(one + 1, two + 1), range(two + 1, n + 1)
