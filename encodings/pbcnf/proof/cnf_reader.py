"""DIMACS CNF, read strictly: what is checked must be what was written.

One header ``p cnf VARIABLES CLAUSES`` before the first clause, as many clauses as it says, no
variable beyond what it says. Clauses may span and share lines; lines beginning with ``c`` are
comments.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from pbcnf.proof.format_error import ProofFormatError, shown
from pbcnf.proof.integers import Integers, lines_of
from pbcnf.proof.steps import Cnf, Literals

_HEADER: Final = re.compile(rb"p[ \t]+cnf[ \t]+([0-9]{1,10})[ \t]+([0-9]{1,10})")


def parse_cnf(data: bytes, source: str = "cnf") -> Cnf:
    """Return the formula. Raises ProofFormatError with the line.

    >>> parse_cnf(b"c two\\np cnf 3 2\\n1 -2 0\\n0\\n")
    Cnf(num_vars=3, clauses=((1, -2), ()))
    """
    lines = lines_of(data, source)
    number, line = next(lines, (1, b""))
    header = _HEADER.fullmatch(line)
    if header is None:
        message = f"expected 'p cnf VARIABLES CLAUSES', not '{shown(line)}'"
        raise ProofFormatError(source, message, number)
    num_vars, declared = map(int, header.groups())
    integers = Integers(source)
    clauses: list[Literals] = []
    literals: list[int] = []
    for number, line in lines:
        for lit in integers.of(line, number):
            if not lit:
                clauses.append(tuple(literals))
                literals.clear()
            elif -num_vars <= lit <= num_vars:
                literals.append(lit)
            else:
                message = f"literal {lit} is beyond the {num_vars} variables of the header"
                raise ProofFormatError(source, message, number)
    if literals:
        raise ProofFormatError(source, "the last clause lacks its 0", number)
    if len(clauses) != declared:
        message = f"{len(clauses)} clauses, but the header says {declared}"
        raise ProofFormatError(source, message)
    return Cnf(num_vars, tuple(clauses))


def read_cnf(path: str | Path) -> Cnf:
    """Read a file, uncompressed. Raises as `parse_cnf` does, and OSError."""
    return parse_cnf(Path(path).read_bytes(), str(path))
