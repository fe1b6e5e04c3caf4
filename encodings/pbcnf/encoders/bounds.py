"""Base classes that complete encoders which the literature gives for one kind of bound."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import Enum
from typing import ClassVar

from pbcnf.constraints.normal_form import size_of
from pbcnf.encoders.counter import Uncounted
from pbcnf.encoders.protocol import Propagation, UnitWeights
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink
from pbcnf.wording import counted

# Base class of encoders that count the inputs once for both bounds.

class TwoSided(Uncounted, ABC):
    """An encoder whose auxiliary variables are determined by the inputs if there are two bounds."""

    __slots__ = ()

    @abstractmethod
    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size for ``0 <= lower <= upper <= n`` that are not trivial."""

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: with two bounds, and where no auxiliary is needed."""
        return (lower > 0 and upper < n) or self.size(n, lower, upper).variables == 0

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size for any bounds."""
        return size_of(n, lower, upper, self.nontrivial_size)


# Bounds for encoders that the literature gives for "at most" alone.
#
# A sum is at least `lower` if and only if the sum of the negated literals is at most the total
# weight less `lower`: the lower bound is an upper one of the negated literals. With both bounds the
# two encodings stand side by side, each with auxiliary variables of its own. Only this module does
# that.

def encode_one_sided(
    at_most: Callable[[Sequence[Lit], Sequence[int], int, ClauseSink], None],
    lits: Sequence[Lit],
    weights: Sequence[int],
    lower: int,
    upper: int,
    sink: ClauseSink,
) -> None:
    """Emit the bounds of a weighted sum by `at_most`; see `WeightedEncoder.encode_weighted`.

    Where no single input may be missing from the sum, a clause is emitted instead.
    """
    total, least = sum(weights), min(weights)
    for inputs, bound in ((lits, upper), (negate(lits), total - lower)):
        if bound >= total:
            continue
        if bound >= total - least:
            sink.add_clause(negate(inputs))
        else:
            at_most(inputs, weights, bound, sink)


def size_one_sided(
    at_most_size: Callable[[Sequence[int], int], EncodingSize],
    weights: Sequence[int],
    lower: int,
    upper: int,
) -> EncodingSize:
    """Return the size of what `encode_one_sided` emits."""
    total, least = sum(weights), min(weights)
    size = EncodingSize(0, 0, 0)
    for bound in (upper, total - lower):
        if bound >= total:
            continue
        if bound >= total - least:
            size += EncodingSize(0, 1, len(weights))
        else:
            size += at_most_size(weights, bound)
    return size


# Bounds of encoders of at-most-one: at most one, at least one, and their mirror images.
#
# At least n-1 of n inputs are true if and only if at most one of the negated inputs is; at least
# one input is true, or at most n-1 are, if and only if one clause holds. This is the only place
# where the bounds of an encoder are derived from its at-most-one.

class AtMostOne(Uncounted, ABC):
    """An encoder of at most one of three inputs or more, from which all else is derived.

    Exactly one is at most one and a clause, unless the encoder has a way of its own. Every other
    bound raises ValueError before anything is emitted. What is claimed here (arc-consistent;
    parsimonious where the bounds are equal or no auxiliary is needed) may be claimed otherwise.
    """

    __slots__ = ()

    name: ClassVar[str]
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    @abstractmethod
    def at_most_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit at most one of three literals or more."""

    @abstractmethod
    def at_most_one_size(self, n: int) -> EncodingSize:
        """Return the size of at most one of n >= 3."""

    def exactly_one(self, lits: Sequence[Lit], sink: ClauseSink) -> None:
        """Emit exactly one of three literals or more."""
        self.at_most_one(lits, sink)
        sink.add_clause(lits)

    def exactly_one_size(self, n: int) -> EncodingSize:
        """Return the size of exactly one of n >= 3."""
        return self.at_most_one_size(n) + EncodingSize(0, 1, n)

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: exactly one, and where no auxiliary is needed."""
        return self.size(n, lower, upper).variables == 0 or max(lower, 0) == min(upper, n)

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size; ValueError for a bound it cannot express."""
        return size_of(n, lower, upper, self._size)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds; ValueError for one it cannot express."""
        for part, negated in _parts(self.name, len(lits), lower, upper):
            inputs = negate(lits) if negated else lits
            if part is _Part.AT_MOST_ONE:
                self.at_most_one(inputs, sink)
            elif part is _Part.EXACTLY_ONE:
                self.exactly_one(inputs, sink)
            else:
                sink.add_clause(inputs)

    def _size(self, n: int, lower: int, upper: int) -> EncodingSize:
        size = EncodingSize(0, 0, 0)
        for part, _ in _parts(self.name, n, lower, upper):
            if part is _Part.AT_MOST_ONE:
                size += self.at_most_one_size(n)
            elif part is _Part.EXACTLY_ONE:
                size += self.exactly_one_size(n)
            else:
                size += EncodingSize(0, 1, n)
        return size


class _Part(Enum):
    AT_MOST_ONE = "at most one"
    AT_LEAST_ONE = "at least one"
    EXACTLY_ONE = "exactly one"


def _parts(name: str, n: int, lower: int, upper: int) -> list[tuple[_Part, bool]]:
    """Return the parts that express the bounds, each with whether its inputs are negated."""
    if lower not in (0, 1, n - 1) or upper not in (1, n - 1, n):
        raise EncodingError(
            f"{name} cannot express {lower} <= sum of {counted(n, 'input')} <= {upper}: it can do"
            " at most one, at least one, and the same of the negated inputs (upper n-1, lower n-1)"
        )
    if n > 2 and upper == 1:
        return [(_Part.EXACTLY_ONE if lower == 1 else _Part.AT_MOST_ONE, False)]
    if n > 2 and lower == n - 1:
        return [(_Part.EXACTLY_ONE if upper == n - 1 else _Part.AT_MOST_ONE, True)]
    # Here "at most n-1" and "at least one" are clauses; for n = 2 there is nothing else.
    clauses = [(_Part.AT_LEAST_ONE, True)] if upper == n - 1 else []
    return clauses + ([(_Part.AT_LEAST_ONE, False)] if lower == 1 else [])


# Base class of weighted encoders whose two bounds share auxiliary variables.

class SharedBounds(UnitWeights):
    """An encoder of an upper bound, and of two bounds at once; inputs by decreasing weight.

    A lower bound alone is the upper one of the negated inputs. Inputs of equal weight keep their
    order. Models extend uniquely with two bounds, and where no auxiliary is needed.
    """

    __slots__ = ()

    @abstractmethod
    def ordered_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the exact size for decreasing weights; ``lower == 0`` for an upper bound alone."""

    @abstractmethod
    def encode_ordered(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses for decreasing weights; ``lower == 0`` for an upper bound alone."""

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Whether models extend uniquely, see the class."""
        if lower > 0 and upper < sum(weights):
            return True
        return self.weighted_size(weights, lower, upper).variables == 0

    def weighted_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see `WeightedEncoder`."""
        weights = sorted(weights, reverse=True)
        if lower > 0 and upper < sum(weights):
            return self.ordered_size(weights, lower, upper)
        return size_one_sided(
            lambda weights, bound: self.ordered_size(weights, 0, bound), weights, lower, upper
        )

    def encode_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses."""
        pairs = sorted(zip(weights, lits, strict=True), key=lambda pair: -pair[0])
        weights, lits = [weight for weight, _ in pairs], [lit for _, lit in pairs]
        if lower > 0 and upper < sum(weights):
            self.encode_ordered(lits, weights, lower, upper, sink)
        else:
            encode_one_sided(self._at_most, lits, weights, lower, upper, sink)

    def _at_most(
        self, lits: Sequence[Lit], weights: Sequence[int], bound: int, sink: ClauseSink
    ) -> None:
        self.encode_ordered(lits, weights, 0, bound, sink)
