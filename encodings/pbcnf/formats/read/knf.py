"""KNF, clauses and cardinality constraints in one file: the reader. Plain DIMACS CNF is read, too.

::

    c a comment
    p knf 4 2
    1 -2 0
    k 2 1 2 3 4 0

``k 2 ...`` says that at least two of the literals are true. Reference: Reeves, Heule, Bryant: From
clauses to klauses, CAV 2024, and the README of their solver Cardinality-CDCL. The format wants no
repeated and no opposite literals; they are read here, and count with multiplicity.

In a file of ``p cnf`` lines may be those of CryptoMiniSat for exclusive or, ``x1 2 -3 0`` or
``x 1 2 -3 0``: an odd number of the literals is true. They count as clauses in the header.
Reference: the README of CryptoMiniSat, "Input format"; Soos, Nohl, Castelluccia: Extending SAT
solvers to cryptographic problems, SAT 2009.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbcnf.constraints.constraint import Cardinality, Parity
from pbcnf.formats.error import FormatError, declared_variables, excerpt, too_many_variables
from pbcnf.formats.problem_file import FileLines, ProblemFile
from pbcnf.literals import MAX_VAR
from pbcnf.wording import are, counted

_HEADER = re.compile(rb"\s*p\s+(knf|cnf)\s+([0-9]{1,18})\s+([0-9]{1,18})\s*")
_REGULAR = re.compile(rb"\s*(?:(x)\s*|k\s+([0-9]{1,9})\s+)?((?:-?[1-9][0-9]{0,9}\s+)*)0\s*")
_TOKEN = re.compile(rb"\S+")


@dataclass(frozen=True, slots=True)
class KnfHeader:
    """The header ``p knf VARIABLES CONSTRAINTS`` or ``p cnf VARIABLES CLAUSES``."""

    kind: str
    variables: int
    constraints: int
    line: int


def open_knf(lines: FileLines) -> ProblemFile:
    """Open a file. Raises FormatError, now or while the constraints are read, and OSError."""
    opened = lines.again()
    header = read_header(opened, lines.source)
    constraints = read_constraints(opened, lines.source, header)
    return ProblemFile(header.kind, header.variables, header.constraints, constraints)


def read_header(lines: Iterable[bytes], source: str) -> KnfHeader:
    """Read up to the header and no further if `lines` is an iterator.

    Raises FormatError if something else comes first, or for more variables than literals can name.
    """
    number = 0
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith(b"c"):
            continue
        match = _HEADER.fullmatch(line)
        if match is None:
            column = len(line) - len(line.lstrip()) + 1
            message = (
                f"'{excerpt(text)}' is no header: 'p knf VARIABLES CONSTRAINTS' is needed"
                if text.startswith(b"p")
                else "the header 'p knf VARIABLES CONSTRAINTS' must come before all constraints"
            )
            raise FormatError(source, number, column, message)
        kind, variables, constraints = match.groups()
        if int(variables) > MAX_VAR:
            message = too_many_variables(int(variables))
            raise FormatError(source, number, match.start(2) + 1, message)
        return KnfHeader(kind.decode(), int(variables), int(constraints), number)
    raise FormatError(
        source, None, None, f"no header in {counted(number, 'line')}: 'p knf ...' is needed"
    )


def read_constraints(
    lines: Iterable[bytes], source: str, header: KnfHeader
) -> Iterator[Cardinality | Parity]:
    """Yield the constraints of the `lines` after the header; a clause is "at least 1".

    Raises FormatError, with line and column, for a token that is no literal, a literal beyond the
    declared variables, an unfinished constraint, and a wrong number of constraints.
    """
    count, limit, declared = 0, header.variables, header.constraints
    one_too_many = f"constraint {declared + 1}, but {declared} {are(declared)} declared"
    pending: _Pending | None = None
    for number, line in enumerate(lines, start=header.line + 1):
        if line.lstrip().startswith(b"c"):
            continue
        regular = _REGULAR.fullmatch(line) if pending is None else None
        if regular is not None:
            xor, bound, text = regular.groups()
            lits = [int(word) for word in text.split()]
            only = "cnf" if xor else header.kind if bound is None else "knf"
            if header.kind == only and (not lits or (-limit <= min(lits) and max(lits) <= limit)):
                count += 1
                if count > declared:
                    raise FormatError(source, number, 1, one_too_many)
                yield _constraint(lits, bound, xor is not None)
                continue
        for match in _TOKEN.finditer(line):
            place = source, number, match.start() + 1
            if pending is None:
                pending = _Pending([])
            done = pending.take(match[0], header, place)
            if done is not None:
                count += 1
                if count > declared:
                    raise FormatError(source, number, 1, one_too_many)
                yield done
                pending = None
    if pending is not None:
        raise FormatError(source, number, len(line.rstrip()), "the last constraint has no 0")
    if count < declared:
        message = f"the file ends after {count} of {counted(declared, 'declared constraint')}"
        raise FormatError(source, None, None, message)


@dataclass(slots=True)
class _Pending:
    """A constraint as far as it has been read, token by token."""

    lits: list[int]
    bound: bytes | None = None
    awaits_bound: bool = False
    xor: bool = False

    def take(
        self, token: bytes, header: KnfHeader, place: tuple[str, int, int]
    ) -> Cardinality | Parity | None:
        """Add one token; return the constraint that ends with `token`, or None."""
        empty = not self.lits and self.bound is None and not self.awaits_bound and not self.xor
        if token == b"k" and empty:
            if header.kind == "cnf":
                raise FormatError(*place, "'k' begins a constraint of 'p knf', not of 'p cnf'")
            self.awaits_bound = True
            return None
        if token[:1] == b"x" and empty:
            if header.kind == "knf":
                raise FormatError(*place, "'x' begins an XOR line of 'p cnf', not of 'p knf'")
            self.xor = True
            source, line, column = place
            return self.take(token[1:], header, (source, line, column + 1)) if token[1:] else None
        if self.awaits_bound:
            if not re.fullmatch(rb"[0-9]{1,9}", token):
                message = f"'{excerpt(token)}' is no bound: after 'k' comes a number >= 0"
                raise FormatError(*place, message)
            self.bound, self.awaits_bound = token, False
            return None
        if token == b"0":
            return _constraint(self.lits, self.bound, self.xor)
        if not re.fullmatch(rb"-?[1-9][0-9]*", token):
            hint = " (PySAT's 'at most' form is not KNF)" if token in (b"<=", b">=") else ""
            if token[:1] == b"x":
                hint = " (an XOR line has one x, before its first literal)"
            raise FormatError(*place, f"'{excerpt(token)}' is no literal{hint}")
        if len(token) > 11 or abs(int(token)) > header.variables:
            message = f"literal {excerpt(token)}: {declared_variables(header.variables)}"
            raise FormatError(*place, message)
        self.lits.append(int(token))
        return None


def _constraint(lits: list[int], bound: bytes | None, xor: bool) -> Cardinality | Parity:
    if xor:
        return Parity(lits, odd=True)
    return Cardinality(lits, lower=1 if bound is None else int(bound))
