"""The protocols of encoders of sums, weighted sums and parities, and their claims.

An encoder gets n inputs (literals) and the bounds ``lower <= sum of inputs <= upper`` and emits
clauses over the inputs and fresh auxiliary variables, such that an assignment of the inputs
satisfies the bounds if and only if it extends to a model of the clauses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeGuard, runtime_checkable

from pbcnf.constraints.normal_form import settle, size_of
from pbcnf.encoders.counter import Uncounted
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

if TYPE_CHECKING:
    from pbcnf.encoders.circuits.grouped_sums import GroupedSum


class Propagation(Enum):
    """Strengths of unit propagation, for any decided inputs of distinct variables."""

    NONE = "none"
    """Nothing is claimed."""

    DETECTS = "detects"
    """Unit propagation finds a conflict whenever no completion satisfies the bounds."""

    ARC_CONSISTENT = "arc-consistent"
    """DETECTS, and unit propagation finds every input with one value in all completions."""


class Encoder(Protocol):
    """A way to turn ``lower <= sum of inputs <= upper`` into clauses. Stateless and hashable."""

    def __hash__(self) -> int:
        """Equal encoders emit equal clauses: templates are cached by encoder."""
        ...

    @property
    def name(self) -> str:
        """The name in the table of encoders."""
        ...

    @property
    def propagation(self) -> Propagation:
        """The claimed propagation strength, for every bound the encoder can express."""
        ...

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether every model of the constraint extends to exactly one model of the clauses."""
        ...

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size for n distinct inputs and any bounds, trivial ones included.

        Raises ValueError for a bound the encoder cannot express.
        """
        ...

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for ``0 <= lower <= upper <= n`` that are not trivial.

        Trivial are ``(0, n)``, ``upper == 0`` and ``lower == n``: `pbcnf.encode` settles them.
        Raises ValueError, before it emits anything, for a bound the encoder cannot express.
        """
        ...


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


class GroupedEncoder(WeightedEncoder, Protocol):
    """A `WeightedEncoder` that uses groups of literals of which at most one is true, and chains.

    With groups the clauses are not equivalent to the sum: they are right wherever all groups hold,
    which other clauses must enforce. What propagation finds is claimed with such clauses beside, a
    clause for each pair of a group.
    """

    @property
    def grouped_propagation(self) -> Propagation:
        """The claimed propagation strength for any weights and groups, and one bound."""
        ...

    def grouped_steps(self, of: GroupedSum) -> int:
        """Return, without long work, about how many clauses `encode_groups` emits at the most."""
        ...

    def encode_groups(self, of: GroupedSum, sink: ClauseSink) -> None:
        """Emit the clauses of a sum over groups."""
        ...


def takes_groups(encoder: Encoder) -> TypeGuard[GroupedEncoder]:
    """Whether `encoder` is a `GroupedEncoder`."""
    return hasattr(encoder, "encode_groups")


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


@runtime_checkable
class ParityEncoder(Protocol):
    """A way to turn "the number of true inputs is odd" (or even) into clauses.

    Stateless and hashable. There is at least one input, and inputs are distinct variables. Sizes
    are equal for odd and even parities.
    """

    def __hash__(self) -> int:
        """Equal encoders emit equal clauses."""
        ...

    @property
    def name(self) -> str:
        """The name in the table of encoders of parities."""
        ...

    @property
    def propagation(self) -> Propagation:
        """The claimed propagation strength, for any number of inputs."""
        ...

    def parsimonious_parity(self, n: int) -> bool:
        """Whether every model of the constraint extends to exactly one model of the clauses."""
        ...

    def parity_size(self, n: int) -> EncodingSize:
        """Return the exact size for n >= 1 inputs.

        Raises EncodingError for a number of inputs that the encoder refuses.
        """
        ...

    def encode_parity(self, lits: Sequence[Lit], odd: bool, sink: ClauseSink) -> None:
        """Emit the clauses.

        Raises EncodingError, before it emits anything, for more inputs than the encoder takes.
        """
        ...
