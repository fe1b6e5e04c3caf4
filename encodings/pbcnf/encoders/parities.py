"""The protocol of encoders of parities, and their claims about the clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@runtime_checkable
class ParityEncoder(Protocol):
    """A way to turn "the number of true inputs is odd" (or even) into clauses.

    Stateless and hashable. There is at least one input, and inputs are distinct variables. Sizes do
    not depend on which parity it is.
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
