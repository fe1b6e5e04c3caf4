r"""iCNF, clauses and then cubes to be assumed one after the other: the reader.

::

    c a comment
    p inccnf
    1 -2 0
    a 2 -3 0

The line ``a 2 -3 0`` asks for a model, with 2 and -3 true, of the clauses before the line. iCNF is
the format of cube-and-conquer. Reference: Wieringa, Heljanko: Asynchronous multi-core incremental
SAT solving, TACAS 2013; the README of march_cu.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO, Final

from pbcnf.formats.compressed import MOST_BYTES
from pbcnf.formats.problem_file import text_lines
from pbcnf.formats.statements import Grammar, Statements
from pbcnf.formula import Formula
from pbcnf.literals import Lit

_GRAMMAR: Final = Grammar(header=rb"p[ \t]+inccnf", header_form="p inccnf", lead=rb"a")


@dataclass(frozen=True, slots=True)
class IcnfFile:
    """The content of an iCNF file.

    The format declares no variables: the formula has the variables up to the largest in any clause
    or cube. Cube i is to be assumed after the first `clauses_before[i]` clauses.
    """

    formula: Formula = field(repr=False)
    cubes: tuple[tuple[Lit, ...], ...] = field(repr=False, default=())
    comments: tuple[str, ...] = field(repr=False, default=())
    clauses_before: tuple[int, ...] = field(repr=False, default=())
    notes: tuple[str, ...] = ()


def read_icnf(stream: IO[bytes], source: str, *, limit: int = MOST_BYTES) -> IcnfFile:
    """Read a binary stream, compressed or not; `source` names it in errors.

    Clauses may come after cubes. `limit`: see `pbcnf.formats.compressed`. The stream stays open.
    Raises FormatError with line and column for any violation of the format, and OSError.
    """
    statements = Statements(_GRAMMAR, source)
    flat: list[Lit] = []
    cubes: list[tuple[Lit, ...]] = []
    before: list[int] = []
    for line in text_lines(stream, source, limit):
        for lead, lits, _ in statements.take(line):
            if lead is None:
                flat += lits
                flat.append(0)
            else:
                cubes.append(tuple(lits))
                before.append(statements.count - len(cubes))
        if statements.stopped:
            break
    statements.finish()
    formula = Formula(statements.largest)
    formula.add_terminated(flat, statements.count - len(cubes))
    comments = tuple(comment.text for comment in statements.comments)
    return IcnfFile(formula, tuple(cubes), comments, tuple(before), tuple(statements.notes))
