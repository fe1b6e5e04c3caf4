"""Encoders of parities: direct, and cut into pieces that are each encoded directly."""

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
"""The most inputs encoded directly: 20 inputs take 524,288 clauses, 10 million literals."""

_FEW_CLAUSES: Final = 64
"""The largest number of clauses that are added faster one by one than as an array."""


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


@dataclass(frozen=True, slots=True)
class CutParity:
    """Pieces of `width` literals that hand on their parity, one to the next.

    Idea: with w the width, the first piece has w-1 inputs and the auxiliary variable t1; each of
    the next ones has the t before, w-2 inputs and a new t; the last has the t before and the inputs
    that are left. All pieces are even but the last, which has the parity of the constraint; all are
    direct encodings. A parity of at most w literals is one piece, the direct encoding.

    Auxiliary variables: t_i is the parity of all inputs of the first i pieces: true if and only if
    an odd number of them is true.

    Size: for n > w inputs m = ceil((n-2) / (w-2)) pieces, m-1 auxiliary variables, 2^(w-1) clauses
    of w literals for each piece but the last, and 2^(l-1) clauses of l literals for that, with
    l = n - (m-1)(w-2), from 3 to w. An input costs 2^(w-1) / (w-2) clauses and 1 / (w-2) variables:
    4 + 1 for w = 3, 4 + 1/2 for w = 4, 5 1/3 + 1/3 for w = 5, and from there on it grows. So the
    default is 4: as few clauses as there can be, with half of the variables of 3.

    Propagation: arc-consistent, because two pieces share one variable at the most and they are a
    chain, so that nothing is lost between them; parsimonious, as the inputs decide every t_i.
    Arc consistency of several parities together is another matter: there can be no such encoding
    of polynomial size.

    Reference: folklore since Tseitin; X_1 in Gwynne, Kullmann: On SAT representations of XOR
    constraints, LATA 2014 (which also has the negative result).

    Raises ValueError unless the width is from 3 to 20.

    >>> from pbcnf import Formula, Parity, encode
    >>> f = Formula(num_vars=6)
    >>> encode(Parity(range(1, 7), odd=True), f, encoder=CutParity(width=4))
    >>> f.num_vars, f.num_clauses, list(f)[::8]
    (7, 16, [[1, 2, 3, -7], [7, 4, 5, 6]])
    """

    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT

    width: int = 4

    def __post_init__(self) -> None:
        """Check the width."""
        if not 3 <= self.width <= MOST_INPUTS:
            raise EncodingError(
                f"pieces of a parity have 3 to {MOST_INPUTS} literals, not {self.width}"
            )

    @property
    def name(self) -> str:
        """``cut_4`` for the width 4."""
        return f"cut_{self.width}"

    def parsimonious_parity(self, n: int) -> bool:
        """Whether models extend uniquely: always."""
        return True

    def parity_size(self, n: int) -> EncodingSize:
        """Return the exact size, see the class."""
        auxiliaries = self._auxiliaries(n)
        piece, last = map(DirectParity().parity_size, (self.width, self._last(n)))
        return EncodingSize(auxiliaries, 0, 0) + piece * auxiliaries + last

    def encode_parity(self, lits: Sequence[Lit], odd: bool, sink: ClauseSink) -> None:
        """Emit the clauses, piece by piece."""
        n, width = len(lits), self.width
        auxiliaries = self._auxiliaries(n)
        inputs = np.array(lits, dtype=np.int32)
        last = inputs
        if auxiliaries:
            first = sink.new_vars(auxiliaries)
            handed = np.arange(first, first + auxiliaries, dtype=np.int32)
            # The first piece has the first input in the place where later pieces have the auxiliary
            # variable of the piece before.
            taken = np.concatenate((inputs[:1], handed[:-1]))
            middle = inputs[1 : 1 + auxiliaries * (width - 2)].reshape(auxiliaries, width - 2)
            add_pieces(np.column_stack((taken, middle, handed)), False, sink)
            last = np.concatenate((handed[-1:], inputs[1 + middle.size :]))
        add_pieces(last[None, :], odd, sink)

    def _auxiliaries(self, n: int) -> int:
        """Return the number of auxiliary variables: the number of pieces less 1."""
        return 0 if n <= self.width else -(-(n - 2) // (self.width - 2)) - 1

    def _last(self, n: int) -> int:
        """Return the number of literals of the last piece."""
        return n - self._auxiliaries(n) * (self.width - 2)
