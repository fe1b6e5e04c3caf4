"""Base classes that derive all bounds from the kind of bound for which an encoder is published.

* `AtMostOne`: at most one of the inputs, or of the negated inputs, and at least one of them.
* `MirroredBounds`: a lower bound of a weighted sum is an upper one of the negated inputs.
* `TwoSided`: one count of the inputs serves both bounds.

Circuits that serve both kinds of bounds by themselves (networks, adders, modulo sums) need none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from pbcnf.constraints.normal_form import size_of
from pbcnf.encoders.counter import Uncounted
from pbcnf.encoders.protocol import Propagation, UnitWeights
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink
from pbcnf.wording import counted


class AtMostOne(Uncounted, ABC):
    """An encoder of at most one of three inputs or more, from which all else is derived.

    At least n-1 of n inputs are true if and only if at most one of the negated inputs is; at least
    one input is true, or at most n-1 are, if and only if one clause holds. Exactly one is at most
    one and a clause, unless the encoder overrides `exactly_one`. Every other bound raises
    ValueError before anything is emitted. Subclasses may override the claims made here:
    arc-consistent; parsimonious where the bounds are equal or no auxiliary variable is needed.
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
        """Return the exact size; ValueError for a bound the encoder cannot express."""
        return size_of(n, lower, upper, self._size)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds; ValueError for bounds not expressible."""
        n = len(lits)
        if self._is_one(n, lower, upper):
            emit = self.exactly_one if lower == upper else self.at_most_one
            emit(lits if upper == 1 else negate(lits), sink)
            return
        if upper == n - 1:
            sink.add_clause(negate(lits))
        if lower == 1:
            sink.add_clause(lits)

    def _size(self, n: int, lower: int, upper: int) -> EncodingSize:
        if self._is_one(n, lower, upper):
            return self.exactly_one_size(n) if lower == upper else self.at_most_one_size(n)
        return EncodingSize(0, 1, n) * ((upper == n - 1) + (lower == 1))

    def _is_one(self, n: int, lower: int, upper: int) -> bool:
        """Whether bounds mean one true or one false input, not single clauses; raise for others."""
        if lower not in (0, 1, n - 1) or upper not in (1, n - 1, n):
            raise EncodingError(
                f"{self.name} cannot express {lower} <= sum of {counted(n, 'input')} <= {upper}:"
                " it can do at most one, at least one, and the same of the negated inputs"
                " (upper n-1, lower n-1)"
            )
        # For n = 2 all non-trivial bounds consist of "at most n-1" and "at least one", two clauses.
        return n > 2 and (upper == 1 or lower == n - 1)


class MirroredBounds(UnitWeights):
    """An encoder of upper bounds of weighted sums, and of two bounds at once if it `shares` them.

    A sum is at least `lower` if and only if the sum of the negated literals is at most the total
    weight less `lower`. With both bounds the two encodings stand side by side, each with auxiliary
    variables of its own, unless they are shared.
    """

    __slots__ = ()

    shares: ClassVar[bool] = True
    """Whether two bounds share auxiliary variables."""
    by_weight: ClassVar[bool] = True
    """Whether `encode_sum` gets inputs by decreasing weight, equal weights in given order."""

    @abstractmethod
    def sum_sizes(self, weights: Sequence[int], lower: int, upper: int) -> Iterable[EncodingSize]:
        """Return sizes that add up to the exact size; ``lower == 0`` for an upper bound alone."""

    @abstractmethod
    def encode_sum(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses; ``lower == 0`` for an upper bound alone."""

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Whether models extend uniquely: with two bounds, and where no auxiliary is needed."""
        if lower > 0 and upper < sum(weights):
            return True
        return self.weighted_size(weights, lower, upper).variables == 0

    def weighted_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the exact size, see `WeightedEncoder`."""
        return sum(self.weighted_sizes(weights, lower, upper), EncodingSize(0, 0, 0))

    def weighted_sizes(
        self, weights: Sequence[int], lower: int, upper: int
    ) -> Iterator[EncodingSize]:
        """Yield sizes that add up to `weighted_size`; a reader may stop once they are too large."""
        if self.by_weight:
            weights = sorted(weights, reverse=True)
        total = sum(weights)
        if self.shares and lower > 0 and upper < total:
            yield from self.sum_sizes(weights, lower, upper)
            return
        # Two upper bounds: of the inputs, and of the negated inputs. The total is a trivial bound.
        for bound in (upper, total - lower):
            if bound < total - min(weights):
                yield from self.sum_sizes(weights, 0, bound)
            elif bound < total:
                yield EncodingSize(0, 1, len(weights))

    def encode_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses."""
        if self.by_weight:
            pairs = sorted(zip(weights, lits, strict=True), key=lambda pair: -pair[0])
            weights, lits = [weight for weight, _ in pairs], [lit for _, lit in pairs]
        total = sum(weights)
        if self.shares and lower > 0 and upper < total:
            self.encode_sum(lits, weights, lower, upper, sink)
            return
        for inputs, bound in ((lits, upper), (negate(lits), total - lower)):
            if bound < total - min(weights):
                self.encode_sum(inputs, weights, 0, bound, sink)
            elif bound < total:
                # The sum without any one input is within the bound: some input must be false.
                sink.add_clause(negate(inputs))


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
