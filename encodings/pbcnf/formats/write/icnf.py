"""iCNF, clauses and then cubes to be assumed one after the other: the writer.

Reference: see `pbcnf.formats.read.icnf`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from pbcnf.formats.write.dimacs import body, byte_writer, comment_block
from pbcnf.formula import Formula
from pbcnf.literals import Clause, literal
from pbcnf.wording import counted


def write_icnf(
    formula: Formula,
    cubes: Iterable[Clause],
    stream: IO[bytes] | IO[str],
    comments: Iterable[str] = (),
) -> None:
    r"""Write the clauses of `formula`, then each of `cubes` (literals that are assumed together).

    Raises TypeError or ValueError, before anything is written, for a value that is no literal of
    the formula's variables, and comments as `pbcnf.formats.write.dimacs` does.

    >>> import sys
    >>> f = Formula(num_vars=2)
    >>> f.add_clause([1, -2])
    >>> write_icnf(f, [[2], [-1]], sys.stdout)
    p inccnf
    1 -2 0
    a 2 0
    a -1 0
    """
    lines = []
    for cube in cubes:
        lits = [literal(lit) for lit in cube]
        for lit in lits:
            if abs(lit) > formula.num_vars:
                there = counted(formula.num_vars, "variable")
                raise ValueError(f"literal {lit} of a cube: the formula has {there}")
        lines.append(" ".join(["a", *map(str, lits), "0\n"]))
    first = comment_block(comments) + b"p inccnf\n"
    write = byte_writer(stream)
    write(first)
    for piece in body(formula):
        write(piece)
    write("".join(lines).encode("ascii"))


def write_clauses(
    formula: Formula, inputs: int, stream: IO[bytes], comments: Iterable[str] = ()
) -> None:
    """Write the formula of a problem, without any cubes."""
    write_icnf(formula, (), stream, comments)
