"""A long parity cut into pieces, each of which is encoded directly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from pbcnf.encoders.parity.direct import MOST_INPUTS, DirectParity, add_pieces
from pbcnf.encoders.protocol import Propagation
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

DEFAULT_WIDTH: Final = 4


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

    width: int = DEFAULT_WIDTH

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
            # The first input stands where the others have what is handed on to them.
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
