"""The protocol of encoders of sums, and their claims about the clauses.

An encoder gets n inputs (literals) and the bounds ``lower <= sum of inputs <= upper`` and emits
clauses over the inputs and fresh auxiliary variables, such that an assignment of the inputs
satisfies the bounds if and only if it extends to a model of the clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


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
