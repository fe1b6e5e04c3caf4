"""Base class of weighted encoders whose two bounds share auxiliary variables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from pbcnf.encoders.bounds.one_sided import encode_one_sided, size_one_sided
from pbcnf.encoders.weighted import UnitWeights
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


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
