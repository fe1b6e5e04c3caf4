"""The direct encoding of a parity: a clause for every assignment that has the other one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from pbcnf.encoders.protocol import Propagation
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

MOST_INPUTS: Final = 20
"""More inputs are refused: of 20 there are 524,288 clauses, 10 million literals."""

_FEW_CLAUSES: Final = 64
"""Clauses up to which adding them one by one is faster than as an array."""


@dataclass(frozen=True, slots=True)
class DirectParity:
    """Every assignment of the inputs with the wrong parity is forbidden by a clause.

    Idea: of the 2^n assignments of n inputs half have the wrong parity. A clause of all n inputs
    forbids one of them: an odd parity has the clauses with an even number of negations, an even one
    those with an odd number. No shorter clause follows, so these are all prime implicates.

    Auxiliary variables: none.

    Size: 2^(n-1) clauses of n literals. More than 20 inputs are refused.

    Propagation: arc-consistent (something is known only when one input at the most is open, and
    then a clause is unit); parsimonious, since there are no auxiliary variables.

    Reference: folklore; the base case X_0 of Gwynne, Kullmann: On SAT representations of XOR
    constraints, LATA 2014.

    >>> from pbcnf import Formula, Parity, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Parity([1, 2, 3], odd=True), f, encoder="direct")
    >>> print(dimacs(f), end="")
    p cnf 3 4
    1 2 3 0
    1 -2 -3 0
    -1 2 -3 0
    -1 -2 3 0
    """

    name: ClassVar[str] = "direct"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    def parsimonious_parity(self, n: int) -> bool:
        """Whether models extend uniquely: always."""
        return True

    def parity_size(self, n: int) -> EncodingSize:
        """Return the exact size, see the class; EncodingError beyond `MOST_INPUTS`."""
        if n > MOST_INPUTS:
            raise EncodingError(
                f"direct takes parities of at most {MOST_INPUTS} literals, and this one has {n:,}"
                f" (2^{n - 1} clauses): name another encoder, such as cut_4, or none, which"
                " chooses by size"
            )
        return EncodingSize(0, 2 ** (n - 1), n * 2 ** (n - 1))

    def encode_parity(self, lits: Sequence[Lit], odd: bool, sink: ClauseSink) -> None:
        """Emit the clauses; EncodingError beyond `MOST_INPUTS`."""
        self.parity_size(len(lits))
        add_pieces(np.array([lits], dtype=np.int32), odd, sink)


def add_pieces(pieces: Block, odd: bool, sink: ClauseSink) -> None:
    """Add the direct clauses of every row of `pieces`, an array of shape (parities, literals)."""
    width = pieces.shape[1]
    clauses = (pieces[:, None, :] * _signs(width, odd)).reshape(-1, width)
    if len(clauses) > _FEW_CLAUSES:
        sink.add_block(clauses)
    else:
        for clause in clauses.tolist():
            sink.add_clause(clause)


@lru_cache(maxsize=64)
def _signs(width: int, odd: bool) -> npt.NDArray[np.int8]:
    """Return the signs of each clause: rows of 1 and -1, an even number of -1 for an odd parity."""
    codes = np.arange(2 ** (width - 1), dtype=np.int32)
    bits = codes[:, None] >> np.arange(width - 2, -1, -1) & 1
    # A clause forbids the assignment in which just its negative literals' variables are true: their
    # number is of the wrong parity.
    last = (bits.sum(axis=1) + (not odd)) % 2
    signs = 1 - 2 * np.column_stack((bits, last)).astype(np.int8)
    signs.flags.writeable = False
    return signs
