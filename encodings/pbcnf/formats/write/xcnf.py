"""DIMACS CNF with lines for exclusive or, the dialect of CryptoMiniSat: the writer.

::

    p cnf 4 2
    1 -2 0
    x1 2 -3 4 0

``x1 2 -3 4 0`` says that an odd number of the literals is true. XOR lines count as clauses in the
header. Reference and reader: see `pbcnf.formats.read.knf`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from pbcnf.constraints.constraint import Parity
from pbcnf.constraints.normal_form import parity_normal_form
from pbcnf.formats.write.dimacs import body, head
from pbcnf.formula import Formula


def write_clauses(
    formula: Formula,
    inputs: int,
    stream: IO[bytes],
    comments: Iterable[str] = (),
    parities: Sequence[Parity] = (),
) -> None:
    r"""Write the formula of a problem and the parities that have been kept, which come last.

    A parity is written over its variables that do not cancel out, at least two; the first
    variable is negated for an even parity. Raises ValueError as `pbcnf.formats.write.dimacs` does.

    >>> import io
    >>> stream = io.BytesIO()
    >>> write_clauses(Formula(3), 3, stream, (), [Parity([1, -2, 3], odd=True)])
    >>> stream.getvalue()
    b'p cnf 3 1\nx-1 2 3 0\n'
    """
    stream.write(head(formula.num_vars, formula.num_clauses + len(parities), comments))
    for piece in body(formula):
        stream.write(piece)
    for line in xor_lines(parities):
        stream.write(line)


def xor_lines(parities: Iterable[Parity]) -> Iterator[bytes]:
    """Yield the line of each parity, which has at least two variables that do not cancel out."""
    for parity in parities:
        variables, odd = parity_normal_form(parity)
        text = " ".join(map(str, variables))
        yield f"x{'' if odd else '-'}{text} 0\n".encode("ascii")
