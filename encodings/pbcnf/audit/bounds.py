"""The bounds to examine: all pairs over few inputs, weighted sums, and bounds of counters.

A counter is examined after some inputs were counted and bounded, some added, and some merged from
another counter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

from pbcnf.audit.examination import Audit, Property, audit_clauses
from pbcnf.constraints.normal_form import settle
from pbcnf.encoders.counter import Counter, WeightedCount, WeightedCounter
from pbcnf.encoders.protocol import Encoder
from pbcnf.formula import Formula
from pbcnf.literals import Lit


class BoundKind(Enum):
    """Kinds of bounds, as tables class the rows of a contract."""

    OUT_OF_RANGE = "out of range"
    """A bound below 0 or above the number of inputs, or `lower` above `upper`."""

    TRIVIAL = "trivial"
    """Bounds that always hold, or decide every input: `pbcnf.encode` settles them."""

    AT_MOST = "at most"
    AT_LEAST = "at least"
    EXACTLY = "exactly"
    RANGE = "range"
    WEIGHTED = "weighted"
    """Weights and one bound."""

    WEIGHTED_RANGE = "weighted range"
    """Weights and two bounds."""

    GROUPED = "grouped"
    """Weights, groups of inputs of which at most one is true (`GroupedBound`), and one bound."""

    GROUPED_RANGE = "grouped range"
    """Weights, groups, and two bounds."""

    GROUPED_SOME = "grouped, one true"
    """Weights, groups of inputs of which exactly one is true, and bounds."""

    COUNTER = "counter"
    """Bounds that are assumed of a counter (`CountedBound`)."""

    WEIGHTED_COUNTER = "weighted counter"

    PARITY = "parity"
    """A parity: an odd or an even number of true inputs (`pbcnf.audit.formulas`)."""

    FORMULA = "formula"
    """A formula of the language (`pbcnf.audit.formulas`)."""


@dataclass(frozen=True, slots=True)
class Bound:
    """``lower <= sum of weight * input <= upper`` over the inputs 1 .. n.

    >>> print(Bound((1, 1, 1), 0, 2), "/", Bound((1,) * 9, 1, 2), "/", Bound((3, 1, 2), 2, 4, True))
    at most 2 of 3 / 1 to 2 of 9 / 2 <= 3*x1 + 1*x2 + 2*x3 <= 4
    """

    weights: tuple[int, ...]
    lower: int
    upper: int
    weighted: bool = False
    """Whether `encode_weighted` is examined, not `encode`, even if every weight is 1."""

    @property
    def n(self) -> int:
        """The number of inputs."""
        return len(self.weights)

    @property
    def kind(self) -> BoundKind:
        """The kind under which tables list the case."""
        if self.weighted:
            one_sided = self.lower == 0 or self.upper == sum(self.weights)
            return BoundKind.WEIGHTED if one_sided else BoundKind.WEIGHTED_RANGE
        if not 0 <= self.lower <= self.upper <= self.n:
            return BoundKind.OUT_OF_RANGE
        if settle(self.n, self.lower, self.upper) is not None:
            return BoundKind.TRIVIAL
        if self.lower == 0:
            return BoundKind.AT_MOST
        if self.upper == self.n:
            return BoundKind.AT_LEAST
        return BoundKind.EXACTLY if self.lower == self.upper else BoundKind.RANGE

    def __str__(self) -> str:
        """Return the case in words."""
        if self.weighted:
            terms = " + ".join(f"{w}*x{i}" for i, w in enumerate(self.weights, start=1))
            return f"{self.lower} <= {terms} <= {self.upper}"
        match self.kind:
            case BoundKind.AT_MOST:
                return f"at most {self.upper} of {self.n}"
            case BoundKind.AT_LEAST:
                return f"at least {self.lower} of {self.n}"
            case BoundKind.EXACTLY:
                return f"exactly {self.lower} of {self.n}"
            case _:
                return f"{self.lower} to {self.upper} of {self.n}"


def every_bound(upto: int) -> Iterator[Bound]:
    """Yield every pair of bounds of 0 .. upto inputs, trivial and out of range ones included."""
    for n in range(upto + 1):
        for lower, upper in product(range(-1, n + 2), repeat=2):
            yield Bound((1,) * n, lower, upper)


WEIGHTS = (
    (1, 1),
    (1, 2, 1),
    (2, 1, 3),
    (1, 1, 1, 1),
    (2, 2, 4, 2),
    (1, 2, 4, 8),
    (7, 5, 3, 2),
    (3, 3, 1, 3),
    (1, 1000, 999, 2),
    (2**70 + 1, 2**70, 3, 2),
    (1, 2, 3, 4, 5),
    (5, 1, 5, 1, 5),
    (6, 6, 6, 10, 15),
    (1, 2, 3, 3, 2, 1),
    (9, 7, 4, 4, 2, 1),
    (1, 1, 2, 2, 3, 3, 4),
)
"""Weights in no particular order: equal, powers of two, coprime, with a common divisor, huge."""

_ALL_UPTO = 10
"""The largest sum of weights for which every bound is examined."""


def weighted_bounds(upto: int) -> Iterator[Bound]:
    """Yield bounds of weighted sums of at most `upto` inputs, in the form encoders rely on.

    See `pbcnf.encoders.protocol.WeightedEncoder`. Where the sum of the weights exceeds `_ALL_UPTO`,
    the bounds are attainable sums and their neighbours (one less, one more), thinned out evenly.
    """
    for weights in WEIGHTS:
        total, largest = sum(weights), max(weights)
        values = _values(weights) if total > _ALL_UPTO else list(range(total + 1))
        pairs = product(values, repeat=2)
        for lower, upper in pairs if len(weights) <= upto else ():
            nontrivial = lower <= upper and (lower, upper) != (0, total)
            if nontrivial and largest <= min(upper, total - lower):
                yield Bound(weights, lower, upper, weighted=True)


def _values(weights: tuple[int, ...]) -> list[int]:
    """Return 0, the sum of the weights, and some values at or next to attainable sums, in order."""
    total = sum(weights)
    sums = {sum(chosen) for chosen in product(*((0, weight) for weight in weights))}
    near = sorted({s + d for s in sums for d in (-1, 0, 1) if 0 <= s + d <= total})
    step = len(near) / _ALL_UPTO
    return sorted({0, total, *(near[int(i * step)] for i in range(_ALL_UPTO))})


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

    def ask(count: WeightedCount) -> None:
        # Bounds besides the one under examination: their clauses are there when inputs are added.
        count.at_most(count.most // 2)
        count.at_least(count.most // 2 + 1)

    ask(count)
    count.add_inputs(*second)
    ask(count)
    other = counter.count_weighted(*third, formula)
    ask(other)
    count.merge(other)
    return [*count.at_least(bound.lower), *count.at_most(bound.upper)]


def _thirds(n: int) -> tuple[range, range, range]:
    first, second = n // 3, 2 * n // 3
    return range(1, first + 1), range(first + 1, second + 1), range(second + 1, n + 1)
