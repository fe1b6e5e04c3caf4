"""The parities to examine, and what their clauses do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbcnf.audit.bounds import BoundKind
from pbcnf.audit.examination import Audit, audit_truth
from pbcnf.audit.scenarios import truth_of_parity
from pbcnf.encoders.parities import ParityEncoder
from pbcnf.formula import Formula


@dataclass(frozen=True, slots=True)
class ParityOf:
    """The constraint that an odd, or an even, number of the inputs 1 .. n is true.

    >>> print(ParityOf(3, True), "/", ParityOf(9, False))
    an odd number of 3 / an even number of 9
    """

    n: int
    odd: bool

    @property
    def kind(self) -> BoundKind:
        """The kind under which tables list the case."""
        return BoundKind.PARITY

    def __str__(self) -> str:
        """Return the case in words."""
        return f"{'an odd' if self.odd else 'an even'} number of {self.n}"


def every_parity(upto: int) -> Iterator[ParityOf]:
    """Yield both parities of 1 .. upto inputs."""
    for n in range(1, upto + 1):
        yield from (ParityOf(n, odd) for odd in (False, True))


def audit_parity(encoder: ParityEncoder, parity: ParityOf) -> Audit:
    """Examine the clauses of an encoder for a parity of at most 8 inputs."""
    n, formula = parity.n, Formula(num_vars=parity.n)
    encoder.encode_parity(range(1, n + 1), parity.odd, formula)
    truth, clauses = truth_of_parity(n, parity.odd), list(formula.clauses())
    return audit_truth(clauses, formula.num_vars, n, truth, encoder.parity_size(n))
