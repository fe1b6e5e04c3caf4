"""LP, the format of CPLEX: the reader, for linear problems over 0/1 variables.

Read are an objective, constraints (``1 <= x + y <= 2`` too), and variables that are binary, or
integer with bounds within 0 and 1. Decimals are taken exactly, without any tolerance: a constraint
is multiplied by the least factor that makes its weights integers, and the objective by the least
factor for its weights and its constant. Everything else of the format is refused, with its place:
other variables, products, indicators, special ordered sets. An empty section of these is skipped.
Reference: see `pbcnf.formats.write.lp`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import IO, Final

from pbcnf.constraints.problem import Problem
from pbcnf.formats.binary_program import BinaryProgram, Linear, Number, Place, shown
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import text_lines

_SECTION: Final = re.compile(
    r"\s*(?:(?P<min>min|minimum|minimi[sz]e)|(?P<max>max|maximum|maximi[sz]e)"
    r"|(?P<rows>subject\s+to|such\s+that|s\.t\.|st\.?)|(?P<bounds>bounds?)"
    r"|(?P<binary>binary|binaries|bin)"
    r"|(?P<refused>gen(?:eral)?\s+con(?:straint)?s?|lazy\s+constraints|user\s+cuts|pwlobj|sos[12]?"
    r"|semi-continuous|semi|semis|sec|sos)"
    r"|(?P<integer>generals?|gen|integers?|int)|(?P<end>end))(?=\s|\Z)(?!\s*:)",
    re.IGNORECASE | re.ASCII,
)
_TOKEN: Final = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<relation><=|>=|=<|=>|<|>|=)|(?P<sign>[+-])|(?P<colon>:)"
    r"|(?P<name>[A-Za-z_!\"#$%&(),.;?@'`{}~/][A-Za-z0-9_!\"#$%&(),.;?@'`{}~/]*)|(?P<other>\S)",
    re.ASCII,
)
_RELATIONS: Final = {"<": "<=", "=<": "<=", ">": ">=", "=>": ">="}
_INFINITE: Final[Number] = Fraction(10**400)
_REFUSED: Final = "a section"
_ONE: Final[Number] = Fraction(1)
_OTHER: Final = {"[": "products of variables are not read", "^": "powers are not read"}

_Bounds = dict[str, tuple[Number, Number]]


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    place: Place


@dataclass(slots=True)
class _Section:
    """The tokens of all parts of a section, and the index of the next token to read."""

    tokens: list[_Token] = field(default_factory=list)
    next: int = 0
    end: Place = (1, 1)

    def peek(self, ahead: int = 0) -> _Token:
        """Return the token at index `next + ahead`; a token of kind ``end`` behind the last."""
        place = self.next + ahead
        return self.tokens[place] if place < len(self.tokens) else _Token("end", "", self.end)

    def take(self) -> _Token:
        """Take the next token."""
        token = self.peek()
        self.next += 1
        return token


def read_lp(stream: IO[bytes], source: str) -> Problem:
    """Read an LP file, compressed or not; `source` names it in errors.

    The variables are numbered in the order in which the sections of binary and integer variables
    list them. A bound that fixes a variable becomes a constraint.

    Raises FormatError, with line and column, for unsupported input, and OSError.
    """
    problem = BinaryProgram(source)
    sections = _sections(problem, stream)
    objective = sections["objective"]
    _label(objective)
    if objective.peek().kind != "end":
        problem.objective, problem.constant = _sum(problem, objective)
    if objective.peek().kind != "end":
        raise _unexpected(problem, objective.peek(), "a sign or the end of the objective")
    while sections["rows"].peek().kind != "end":
        _row(problem, sections["rows"])
    bounds: _Bounds = {}
    while sections["bounds"].peek().kind != "end":
        _bound(problem, sections["bounds"], bounds)
    domains: dict[str, tuple[int, int]] = {}
    for kind in "binary", "integer":
        for token in sections[kind].tokens:
            if token.kind != "name":
                raise _unexpected(problem, token, "the name of a variable")
            most = _ONE if kind == "binary" else _INFINITE
            least, most = bounds.get(token.text, (0, most))
            lower, upper = ceil(least), floor(most)
            if kind == "binary":
                lower, upper = max(lower, 0), min(upper, 1)
            elif not 0 <= lower <= upper <= 1:
                message = f"{shown(token.text)} is an integer that is not bounded by 0 and 1"
                raise problem.error(token.place, message)
            if lower > upper:
                message = f"{shown(token.text)} is binary, and its bounds allow neither 0 nor 1"
                raise problem.error(token.place, message)
            problem.seen.setdefault(token.text, token.place)
            domains.setdefault(token.text, (lower, upper))
    for name, place in problem.seen.items():
        if name not in domains:
            message = f"variable {shown(name)} is neither binary nor integer: only 0/1 is read"
            raise problem.error(place, message)
    return problem.numbered(domains, list(domains))


def _sections(problem: BinaryProgram, stream: IO[bytes]) -> dict[str, _Section]:
    names = ("objective", "rows", "bounds", "binary", "integer")
    sections = {name: _Section() for name in names}
    at, number, entered = "", 0, (1, 1)
    for number, raw in enumerate(text_lines(stream, problem.source, comments=b"\\"), start=1):
        line, start = raw.decode("latin-1").partition("\\")[0], 0
        match = _SECTION.match(line)
        if match is not None and at != "end":
            at, start = _entered(problem, match, at, number), match.end()
            entered = number, match.start(str(match.lastgroup)) + 1
        if at == "rows" and "->" in line:
            place = number, line.index("->") + 1
            raise problem.error(place, "an indicator constraint, with '->', is not read")
        for match in _TOKEN.finditer(line, start):
            token = _Token(str(match.lastgroup), match[0], (number, match.start() + 1))
            if at.startswith(_REFUSED):
                raise problem.error(entered, f"{at} is not read")
            if at not in sections:
                message = (
                    f"'{shown(token.text)}' after 'End'"
                    if at
                    else f"'{shown(token.text)}': an LP file begins with Minimize or Maximize"
                )
                raise problem.error(token.place, message)
            sections[at].tokens.append(token)
    if at != "end":
        raise problem.error((number or 1, 1), "the file has no 'End': it may be cut off")
    for section in sections.values():
        section.end = section.tokens[-1].place if section.tokens else (number, 1)
    return sections


def _entered(problem: BinaryProgram, match: re.Match[str], at: str, number: int) -> str:
    """Return the section that begins with a keyword, after the section `at`."""
    kind = str(match.lastgroup)
    place = number, match.start(kind) + 1
    if kind in ("min", "max"):
        if at:
            raise problem.error(place, "a second objective")
        problem.maximise = kind == "max"
        return "objective"
    if not at:
        message = f"'{shown(match[kind])}': an LP file begins with Minimize or Maximize"
        raise problem.error(place, message)
    return f"{_REFUSED} '{shown(match[kind])}'" if kind == "refused" else kind


def _row(problem: BinaryProgram, section: _Section) -> None:
    _label(section)
    row = Linear({})
    terms, constant = _sum(problem, section)
    if not terms:
        # The row begins with a bound, as in ``1 <= x + y``: seen from the sum, the relation is
        # mirrored. A second relation may follow, as in ``1 <= x + y <= 2``.
        left, relation = constant, _relation(problem, section)
        terms, constant = _sum(problem, section)
        _restrict(row, {"<=": ">=", ">=": "<=", "=": "="}[relation], left - constant)
        if section.peek().kind != "relation":
            row.terms = terms
            problem.rows.append(row)
            return
    row.terms = terms
    relation = _relation(problem, section)
    _restrict(row, relation, _signed_number(problem, section) - constant)
    problem.rows.append(row)


def _restrict(row: Linear, relation: str, bound: Number) -> None:
    """Add a bound of the sum; of two lower or two upper bounds the stronger stays."""
    if relation != "<=":
        row.lower = bound if row.lower is None else max(row.lower, bound)
    if relation != ">=":
        row.upper = bound if row.upper is None else min(row.upper, bound)


def _sum(problem: BinaryProgram, section: _Section) -> tuple[dict[str, Number], Number]:
    """Read a sum up to its last term; return the weight of each variable, and the constant."""
    terms: dict[str, Number] = {}
    constant: Number = 0
    first = True
    while first or section.peek().kind == "sign":
        sign = -1 if section.peek().kind == "sign" and section.take().text == "-" else 1
        token = section.peek()
        weight: Number = 1
        if token.kind == "number":
            weight = problem.number(section.take().text, token.place)
        if section.peek().kind == "name" and section.peek(1).kind != "colon":
            name = section.take()
            problem.seen.setdefault(name.text, name.place)
            terms[name.text] = terms.get(name.text, 0) + sign * weight
        elif token.kind == "number":
            constant += sign * weight
        else:
            raise _unexpected(problem, token, "a weight or a variable")
        first = False
    return terms, constant


def _label(section: _Section) -> None:
    if section.peek().kind in ("name", "number") and section.peek(1).kind == "colon":
        section.take()
        section.take()


def _relation(problem: BinaryProgram, section: _Section) -> str:
    token = section.take()
    if token.kind != "relation":
        raise _unexpected(problem, token, "a sign or <=, >= or =")
    return _RELATIONS.get(token.text, token.text)


def _signed_number(problem: BinaryProgram, section: _Section, infinity: bool = False) -> Number:
    sign = -1 if section.peek().kind == "sign" and section.take().text == "-" else 1
    token = section.take()
    if infinity and token.text.lower() in ("inf", "infinity"):
        return sign * _INFINITE
    if token.kind != "number":
        raise _unexpected(problem, token, "a number")
    return sign * problem.number(token.text, token.place)


def _bound(problem: BinaryProgram, section: _Section, bounds: _Bounds) -> None:
    row = Linear({})
    infinite = section.peek().text.lower() in ("inf", "infinity")
    if section.peek().kind in ("sign", "number") or infinite:
        left = _signed_number(problem, section, infinity=True)
        _restrict(row, {"<=": ">=", ">=": "<=", "=": "="}[_relation(problem, section)], left)
    name = section.take()
    if name.kind != "name":
        raise _unexpected(problem, name, "a number or a variable")
    problem.seen.setdefault(name.text, name.place)
    if section.peek().kind == "relation" or row.lower is row.upper is None:
        if section.peek().text.lower() == "free":
            raise problem.error(name.place, f"{shown(name.text)} is free: only 0/1 is read")
        relation = _relation(problem, section)
        _restrict(row, relation, _signed_number(problem, section, infinity=True))
    # A later bound of a variable replaces an earlier one on its side.
    lower, upper = bounds.get(name.text, (0, _INFINITE))
    bounds[name.text] = (
        lower if row.lower is None else row.lower,
        upper if row.upper is None else row.upper,
    )


def _unexpected(problem: BinaryProgram, token: _Token, expected: str) -> FormatError:
    if token.kind == "end":
        return problem.error(token.place, f"{expected} is missing at the end of the section")
    message = _OTHER.get(token.text, f"'{shown(token.text)}' where {expected} is needed")
    return problem.error(token.place, message)
