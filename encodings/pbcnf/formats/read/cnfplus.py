"""CNF+, clauses and bounds on sums line by line, of MiniCard and PySAT: the reader.

::

    c a comment
    p cnf+ 4 3
    1 -2 0
    1 2 3 -4 <= 2
    w 2*1 3*-4 >= 3

A clause ends with 0; any other line counts true literals, or after ``w`` adds their weights, and
ends with ``<=`` or ``>=`` and a bound. Reference: PySAT's documentation of ``CNFPlus``; Liffiton,
Maglalang: A cardinality solver: more expressive constraints for free, SAT 2012.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from pbcnf.constraints.constraint import Cardinality, Linear, PseudoBoolean
from pbcnf.formats.digits import MOST_DIGITS
from pbcnf.formats.error import FormatError, declared_variables, excerpt, too_many_variables
from pbcnf.formats.problem_file import FileLines, ProblemFile
from pbcnf.formats.statements import named_header
from pbcnf.literals import MAX_VAR, Lit
from pbcnf.wording import are, counted

_FORM: Final = "p cnf+ VARIABLES CONSTRAINTS"
_HEADER: Final = re.compile(rb"\s*p\s+cnf\+\s+([0-9]{1,18})\s+([0-9]{1,18})\s*")
_CLAUSE: Final = re.compile(rb"\s*((?:-?[1-9][0-9]{0,9}\s+)*)0\s*")
_TOKEN: Final = re.compile(rb"[<>=]+|[^\s<>=]+")
_TERM: Final = re.compile(rb"(?:([+-]?[0-9]+)\*)?(-?[1-9][0-9]*)")


def open_cnfplus(lines: FileLines) -> ProblemFile:
    """Open a file. Raises FormatError, now or while the constraints are read, and OSError."""
    opened = enumerate(lines.again(), start=1)
    for number, line in opened:
        start = line.strip()
        if not start or start.startswith(b"c"):
            continue
        match = _HEADER.fullmatch(line)
        column = len(line) - len(line.lstrip()) + 1
        if match is None:
            raise FormatError(lines.source, number, column, named_header(start, _FORM))
        variables, declared = map(int, match.groups())
        if variables > MAX_VAR:
            message = too_many_variables(variables)
            raise FormatError(lines.source, number, match.start(1) + 1, message)
        constraints = _constraints(opened, lines.source, variables, declared)
        return ProblemFile("cnf+", variables, declared, constraints)
    raise FormatError(lines.source, None, None, f"no header: '{_FORM}' is needed")


def _constraints(
    lines: Iterable[tuple[int, bytes]], source: str, variables: int, declared: int
) -> Iterator[Linear]:
    count = 0
    for number, line in lines:
        start = line.lstrip()
        if not start or start.startswith(b"c"):
            continue
        count += 1
        if count > declared:
            message = f"constraint {count}, but {declared} {are(declared)} declared"
            raise FormatError(source, number, len(line) - len(start) + 1, message)
        match = _CLAUSE.fullmatch(line)
        if match is not None:
            lits = list(map(int, match[1].split()))
            if not lits or (-variables <= min(lits) and max(lits) <= variables):
                yield Cardinality(lits, lower=1)
                continue
        yield _line(line, source, number, variables)
    if count < declared:
        message = f"the file ends after {count} of {counted(declared, 'declared constraint')}"
        raise FormatError(source, None, None, message)


def _line(line: bytes, source: str, number: int, variables: int) -> Linear:
    """Return the constraint of one line, token by token."""

    def error(offset: int, message: str) -> FormatError:
        return FormatError(source, number, offset + 1, message)

    lits: list[Lit] = []
    weights: list[int] = []
    weighted, relation, bound = False, b"", None
    for index, match in enumerate(_TOKEN.finditer(line)):
        token, at, text = match[0], match.start(), excerpt(match[0])
        if bound is not None:
            raise error(at, f"'{text}' behind the {'bound' if relation else '0'}: a line each")
        if relation:
            if not re.fullmatch(rb"[+-]?[0-9]+", token):
                raise error(at, f"'{text}' is no integer bound")
            bound = _integer(token, error, at)
        elif token in (b"<=", b">="):
            relation = token
        elif token == b"w" and index == 0:
            weighted = True
        elif token == b"0" and not weighted:
            bound = 1
        else:
            found = _TERM.fullmatch(token)
            if found is None or (found[1] is not None) != weighted:
                what = "term: after 'w' come WEIGHT*LITERAL," if weighted else "literal,"
                raise error(at, f"'{text}' is no {what} <= or >=")
            if len(found[2]) > 11 or abs(int(found[2])) > variables:
                shown = excerpt(found[2])
                raise error(
                    at + found.start(2), f"literal {shown}: {declared_variables(variables)}"
                )
            lits.append(int(found[2]))
            weights.append(_integer(found[1] or b"1", error, at))
    if bound is None:
        wanted = "the bound is missing" if relation else "the line has no 0, and no <= or >="
        raise error(len(line.rstrip()) - 1, wanted)
    lower, upper = (None, bound) if relation == b"<=" else (bound, None)
    if weighted:
        return PseudoBoolean(lits, weights, lower, upper)
    return Cardinality(lits, lower, upper)


def _integer(text: bytes, error: Callable[[int, str], FormatError], at: int) -> int:
    if len(text) > MOST_DIGITS:
        raise error(at, f"an integer of more than {MOST_DIGITS} digits")
    return int(text)
