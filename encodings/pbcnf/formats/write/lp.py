"""LP, the format of CPLEX for linear programs that people can read: the writer.

::

    Minimize
     obj:
    Subject To
     c1: m_0_0 + m_0_1 = 1
     c2_lower: 2 m_0_0 + m_0_2 >= 1
     c2_upper: 2 m_0_0 + m_0_2 <= 2
    Binaries
     m_0_0 m_0_1 m_0_2
    End

Reference: the CPLEX LP file format, in the manual of CPLEX ("LP file format: algebraic
representation"). The reader is `pbcnf.formats.read.lp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Final

from pbcnf.constraints.normal_form import linear_form
from pbcnf.constraints.problem import Problem
from pbcnf.errors import EncodingError
from pbcnf.formats.binary_program import exact_objective, exact_rows
from pbcnf.formats.names import comment_lines, legal_names, write_lines

_WIDEST: Final = 250
"""The width of lines: CPLEX reads up to 560 characters, older programs up to 255."""


def write_lp(problem: Problem, stream: IO[bytes], comments: Iterable[str] = ()) -> None:
    """Write `problem` as LP: constraint i is row c<i>, or the two rows c<i>_lower and c<i>_upper.

    Every variable is in the section of binary variables, in order, and a variable in no constraint
    is in the objective with weight 0: some programs ignore other variables. A negated literal is 1
    minus its variable. Names are made legal, see `legal_names`. A parity is an equation with slack
    variables behind the problem's own, see `pbcnf.constraints.normal_form`.

    Raises ValueError, before anything is written, for an integer too large for floating point and
    for a constraint that never holds in a problem without variables (naming it), and for a comment
    that is not ASCII.
    """
    problem = linear_form(problem)
    names = legal_names(problem)
    lines = [*comment_lines(comments, "\\"), *_objective(problem, names), "Subject To"]
    for row in exact_rows(problem, "LP"):
        if not names and (row.lower or 0) <= 0 <= (row.upper or 0):
            # It always holds: no variable is needed to say so.
            continue
        if not names:
            raise EncodingError(f"constraint {row.number}: LP cannot hold a sum without variables")
        words = _terms(row.terms, names) or ["0", names[0]]
        sides: tuple[tuple[str, str, int | None], ...]
        sides = ("_lower", ">=", row.lower), ("_upper", "<=", row.upper)
        if row.equality:
            sides = (("", "=", row.lower),)
        both = None not in (row.lower, row.upper)
        for suffix, relation, bound in sides:
            if bound is not None:
                label = f"c{row.number}{suffix if both else ''}:"
                lines += _wrapped([label, *words, relation, str(bound)])
    if names:
        lines += ["Binaries", *_wrapped(names)]
    lines.append("End")
    write_lines(lines, stream)


def _objective(problem: Problem, names: list[str]) -> Iterator[str]:
    objective, (terms, constant) = problem.objective, exact_objective(problem, "LP")
    yield "Maximize" if objective is not None and objective.maximise else "Minimize"
    used = {abs(lit) for constraint in problem.constraints for lit in constraint.lits}
    terms |= dict.fromkeys(set(range(1, len(names) + 1)) - used - terms.keys(), 0)
    words = _terms(terms, names)
    if constant:
        words += _signed(constant, "", first=not words)
    yield from _wrapped(["obj:", *words])


def _terms(terms: dict[int, int], names: list[str]) -> list[str]:
    words: list[str] = []
    for var, weight in sorted(terms.items()):
        words += _signed(weight, names[var - 1], first=not words)
    return words


def _signed(weight: int, name: str, first: bool) -> list[str]:
    words = [] if first and weight >= 0 else ["-" if weight < 0 else "+"]
    if abs(weight) != 1 or not name:
        words.append(str(abs(weight)))
    return [*words, name] if name else words


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    """Yield the words in lines of about `_WIDEST` characters at the most."""
    line, width = [""], 0
    for word in words:
        if width + len(word) >= _WIDEST:
            yield " ".join(line)
            line, width = ["", ""], 1
        line.append(word)
        width += len(word) + 1
    yield " ".join(line)
