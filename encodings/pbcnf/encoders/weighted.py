"""Encoders of weighted sums, and what they are to plain cardinality constraints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol, TypeGuard, runtime_checkable

from pbcnf.constraints.normal_form import settle, size_of
from pbcnf.encoders.counter import Uncounted
from pbcnf.encoders.protocol import Encoder, Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@runtime_checkable
class WeightedEncoder(Encoder, Protocol):
    """A way to turn ``lower <= sum of weight * input <= upper`` into clauses.

    Everywhere below the sum is in normal form: the inputs are distinct variables, the weights are
    integers >= 1 of any size, ``0 <= lower <= upper <= sum of weights`` and not both of them
    trivial, and no input is forced: every weight is at most `upper` and at most
    ``sum of weights - lower``.
    """

    @property
    def weighted_propagation(self) -> Propagation:
        """The claimed propagation strength for any weights and one bound."""
        ...

    @property
    def weighted_range_propagation(self) -> Propagation:
        """The claimed propagation strength for any weights and two bounds.

        Two bounds of different weights may leave gaps (of 3 and some 2s the sum is never 4), so
        that little is found by most encoders.
        """
        ...

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Whether every model of the constraint extends to exactly one model of the clauses."""
        ...

    def weighted_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the exact size; inputs and weights pair up in the given order."""
        ...

    def encode_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the clauses."""
        ...


def takes_weights(encoder: Encoder) -> TypeGuard[WeightedEncoder]:
    """Whether `encoder` is a `WeightedEncoder`; isinstance would be much slower."""
    return hasattr(encoder, "encode_weighted")


class UnitWeights(Uncounted, ABC):
    """The cardinality side of a `WeightedEncoder`: the case where every weight is 1."""

    __slots__ = ()

    @abstractmethod
    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """See `WeightedEncoder`."""

    @abstractmethod
    def weighted_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """See `WeightedEncoder`."""

    @abstractmethod
    def encode_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """See `WeightedEncoder`."""

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely if every weight is 1."""
        if settle(n, lower, upper) is not None:
            return True
        return self.weighted_parsimonious((1,) * n, max(lower, 0), min(upper, n))

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size if every weight is 1."""
        return size_of(n, lower, upper, lambda n, lo, up: self.weighted_size((1,) * n, lo, up))

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for weights 1 and non-trivial bounds."""
        self.encode_weighted(lits, (1,) * len(lits), lower, upper, sink)
