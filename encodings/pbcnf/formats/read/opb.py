"""OPB, the linear pseudo-Boolean format of the PB competitions, as of 2024: the reader.

::

    * #variable= 3 #constraint= 2 #equal= 1 intsize= 4
    * a comment
    +2 x1 -3 ~x2 +1 x3 >= 1 ;
    +1 x1 +1 x2 = 1 ;

``~x2`` is the negation of x2. Statements end with a semicolon and may span lines or share one;
``<=`` is read as well. The first comment declares the numbers of variables and constraints; a file
without it is read, a wrong declaration is not. Reference: Roussel, Manquinho: Input/output format
and solver requirements for the competitions of pseudo-Boolean solvers (2012, revised for PB24).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass

from pbcnf.constraints.constraint import PseudoBoolean
from pbcnf.constraints.problem import Objective
from pbcnf.formats.error import FormatError, declared_variables, printable
from pbcnf.formats.problem_file import FileLines, ProblemFile
from pbcnf.literals import MAX_VAR
from pbcnf.wording import are, counted

_DECLARED = re.compile(rb"#(variable|constraint)=\s*(\S+)")
_TERM = re.compile(rb"([+-]?[0-9]+)\s+(~?)x([1-9][0-9]*)(?=[\s><=;]|$)")
_SUM = re.compile(rb"\s*(?:[+-]?[0-9]+\s+~?x[1-9][0-9]*(?:\s+|(?=[><=])|\Z))*")
_CONSTRAINT = re.compile(_SUM.pattern + rb"(>=|<=|=)\s*([+-]?[0-9]+)\s*")
_OBJECTIVE = re.compile(rb"\s*(?:min|max):" + _SUM.pattern)
_TOKEN = re.compile(rb"[><=]+|[^\s><=]+")
_VARIABLE = re.compile(rb"x([1-9][0-9]*)")
_MOST_DIGITS = 4000


@dataclass(frozen=True, slots=True)
class OpbHeader:
    """What the first comment declares; None for what it does not."""

    variables: int | None
    constraints: int | None


@dataclass(frozen=True, slots=True)
class ObjectiveStatement:
    """A statement ``min: ...`` or ``max: ...``: it decides among models, never what is one."""

    text: str

    def objective(self) -> Objective:
        """Return what the text says, which has been checked."""
        sense, _, terms = self.text.partition(":")
        words = terms.split()
        lits = [-int(name[2:]) if name.startswith("~") else int(name[1:]) for name in words[1::2]]
        weights = tuple(map(int, words[::2]))
        return Objective(tuple(lits), weights, maximise=sense.strip() == "max")


def open_opb(lines: FileLines) -> ProblemFile:
    """Open a file. Raises FormatError, now or while the constraints are read, and OSError."""
    with closing(lines.again()) as opened:
        header = read_header(opened, lines.source)
    num_vars = header.variables
    if num_vars is None:
        num_vars = _largest_variable(lines.again())
    problem = ProblemFile("opb", min(num_vars, MAX_VAR), header.constraints, iter(()))
    problem.constraints = _constraints(lines, header, problem)
    return problem


def _constraints(
    lines: FileLines, header: OpbHeader, problem: ProblemFile
) -> Iterator[PseudoBoolean]:
    for statement in read_constraints(lines.again(), lines.source, header):
        if isinstance(statement, PseudoBoolean):
            yield statement
        else:
            problem.objective, problem.parsed_objective = statement.text, statement.objective()


def _largest_variable(lines: Iterable[bytes]) -> int:
    """Return the largest i of all x<i>; a number too long to be one is left to the reader."""
    return max(
        (
            int(name)
            for line in lines
            if not line.startswith(b"*")
            for name in _VARIABLE.findall(line)
            if len(name) < 12
        ),
        default=0,
    )


def read_header(lines: Iterable[bytes], source: str) -> OpbHeader:
    """Read the declaration in the comments before the first statement of `lines`.

    Raises FormatError for a number that is none, or more variables than literals can name.
    """
    found: dict[bytes, int] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith(b"*"):
            break
        for match in _DECLARED.finditer(line):
            name, text = match.groups()
            if not re.fullmatch(rb"[0-9]{1,18}", text):
                raise FormatError(
                    source, number, match.start(2) + 1, f"#{name.decode()}= needs a number"
                )
            if name == b"variable" and int(text) > MAX_VAR:
                raise FormatError(
                    source,
                    number,
                    match.start(2) + 1,
                    f"{int(text)} variables: at most {MAX_VAR} can be named by literals",
                )
            found.setdefault(name, int(text))
        if found:
            break
    return OpbHeader(found.get(b"variable"), found.get(b"constraint"))


def read_constraints(
    lines: Iterable[bytes], source: str, header: OpbHeader
) -> Iterator[PseudoBoolean | ObjectiveStatement]:
    """Yield the statements of a file one by one; only the one at hand is kept.

    Raises FormatError, with line and column, for whatever is not of the format, a variable beyond
    the declared ones, and another number of constraints than declared.
    """
    limit = MAX_VAR if header.variables is None else header.variables
    count = last = 0
    for statement in _statements(lines, source):
        last = statement.line
        if _OBJECTIVE.fullmatch(statement.text):
            if count:
                raise statement.error(0, "the objective comes before all constraints")
            _terms(statement, limit)
            yield ObjectiveStatement(statement.text.decode().strip())
            continue
        match = _CONSTRAINT.fullmatch(statement.text)
        if match is None:
            raise _explained(statement)
        lits, weights = _terms(statement, limit)
        relation, text = match.groups()
        bound = _integer(statement, match.start(2), text)
        count += 1
        if header.constraints is not None and count > header.constraints:
            declared = f"{header.constraints} {are(header.constraints)} declared"
            raise statement.error(0, f"constraint {count}, but {declared}")
        yield PseudoBoolean(
            lits,
            weights,
            lower=None if relation == b"<=" else bound,
            upper=None if relation == b">=" else bound,
        )
    if header.constraints is not None and count < header.constraints:
        message = (
            f"the file ends after {count} of {counted(header.constraints, 'declared constraint')}"
        )
        raise FormatError(source, last or None, None, message)


@dataclass(frozen=True, slots=True)
class _Statement:
    """The text before a semicolon; where it begins is kept for errors."""

    text: bytes
    source: str
    line: int
    column: int

    def error(self, offset: int, message: str) -> FormatError:
        """Return the error at `offset` of the text, or at the next thing that is not white."""
        offset += len(self.text[offset:]) - len(self.text[offset:].lstrip())
        before = self.text[:offset]
        newlines = before.count(b"\n")
        column = offset + self.column if not newlines else offset - before.rfind(b"\n")
        return FormatError(self.source, self.line + newlines, column, message)


def _statements(lines: Iterable[bytes], source: str) -> Iterator[_Statement]:
    text, line, column = b"", 1, 1
    for number, row in enumerate(lines, start=1):
        if row.startswith(b"*"):
            # A comment inside a statement keeps its line, so that errors count right.
            text += b"\n" if text.strip() else b""
            continue
        if not text.strip():
            text, line, column = b"", number, 1
        text += row
        while b";" in row:
            end = text.index(b";") + 1
            yield _Statement(text[: end - 1], source, line, column)
            newlines = text.count(b"\n", 0, end)
            column = end - text.rfind(b"\n", 0, end) if newlines else column + end
            line += newlines
            text = row = text[end:]
    if text.strip():
        rest = _Statement(text, source, line, column)
        raise rest.error(len(text.rstrip()) - 1, "the last statement has no ';' at its end")


def _terms(statement: _Statement, limit: int) -> tuple[list[int], list[int]]:
    lits: list[int] = []
    weights: list[int] = []
    for match in _TERM.finditer(statement.text):
        weight, negation, name = match.groups()
        var = int(name) if len(name) < 12 else MAX_VAR + 1
        if var > limit:
            message = f"variable {printable(match[0].split()[1])}: {declared_variables(limit)}"
            raise statement.error(match.start(2), message)
        lits.append(-var if negation else var)
        weights.append(_integer(statement, match.start(1), weight))
    return lits, weights


def _integer(statement: _Statement, offset: int, text: bytes) -> int:
    if len(text) > _MOST_DIGITS:
        raise statement.error(offset, f"an integer of more than {_MOST_DIGITS} digits")
    return int(text)


def _explained(statement: _Statement) -> FormatError:
    """Return the error at the first token that no constraint has in its place."""
    if statement.text.lstrip().startswith((b"soft:", b"[")):
        return statement.error(0, "soft constraints (the WBO format) are not read")
    expected = "weight"
    for match in _TOKEN.finditer(statement.text):
        token, shown = match[0], printable(match[0])
        number = re.fullmatch(rb"[+-]?[0-9]+", token)
        variable = re.fullmatch(rb"~?x[1-9][0-9]*", token)
        relation = token in (b">=", b"<=", b"=")
        if expected == "end":
            return statement.error(match.start(), f"'{shown}' after the bound: ';' is missing")
        if expected == "bound":
            if not number:
                return statement.error(match.start(), f"'{shown}' is no integer bound")
            expected = "end"
        elif expected == "variable":
            if not variable:
                message = f"'{shown}' is no variable: after a weight comes x1, x2, ... or ~x1, ..."
                return statement.error(match.start(), message)
            expected = "weight"
        elif relation:
            expected = "bound"
        elif number:
            expected = "variable"
        elif variable:
            message = f"{shown} has no weight of its own (products of literals are not read)"
            return statement.error(match.start(), message)
        else:
            return statement.error(match.start(), f"'{shown}' is no weight, >=, <= or =")
    missing = {"bound": "the bound is missing", "variable": "the last weight has no variable"}
    message = missing.get(expected, "a constraint needs >=, <= or = and a bound")
    return statement.error(max(len(statement.text.rstrip()) - 1, 0), message)
