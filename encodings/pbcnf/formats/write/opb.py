"""OPB, the linear pseudo-Boolean format of the PB competitions, as of 2024: the writer.

The output uses only syntax that every reader accepts: ``>=`` and ``=``, no negated literals, no
variable twice in a sum. The first line says how many variables, constraints and
equalities there are, and ``intsize``: the bits of the largest of all sums of the absolute values of
the integers of one constraint, its bound among them, or of the objective. Reference: Roussel,
Manquinho: Input/output format and solver requirements for the competitions of pseudo-Boolean
solvers (2012, revised for PB24).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from pbcnf.constraints.normal_form import linear_form
from pbcnf.constraints.problem import Problem
from pbcnf.formats.names import comment_lines, legal_names, write_lines
from pbcnf.formats.rows import MatrixRow, resolved, rows


def write_opb(problem: Problem, stream: IO[bytes], comments: Iterable[str] = ()) -> None:
    r"""Write `problem` as OPB: a constraint for each bound, one with ``=`` where both are equal.

    A parity is an equation with slack variables, which follow the problem's own: half of the sum in
    binary, see `pbcnf.constraints.normal_form`.

    Names of variables are comments, ``* x1 = name``. A sum without variables is written as
    ``+0 x1``. The format can only minimise, and has no constants: an objective to be maximised is
    written negated, its constant is left out, and comments say so.

    Raises ValueError, before anything is written, for a comment that is not ASCII.

    >>> import io
    >>> from pbcnf import Cardinality
    >>> stream = io.BytesIO()
    >>> write_opb(Problem(2, (Cardinality([1, -2], lower=1),), {2: "y"}), stream)
    >>> stream.getvalue().decode().splitlines()[:2]
    ['* #variable= 2 #constraint= 1 #equal= 0 intsize= 2', '* x2 = y']
    >>> stream.getvalue().decode().splitlines()[2]
    '+1 x1 -1 x2 >= 0 ;'
    """
    problem = linear_form(problem)
    head = [*comment_lines(comments, "*"), *name_comments(problem)]
    empty = "+0 x1 " if problem.num_vars else ""
    lines: list[str] = []
    equalities = largest = 0
    if problem.objective is not None:
        terms, _ = resolved(problem.objective.lits, problem.objective.weights)
        sign, largest = 1 - 2 * problem.objective.maximise, sum(map(abs, terms.values()))
        lines.append(f"min: {_sum(terms, sign) or empty};")
        if problem.objective.maximise:
            head.append("* the objective was to be maximised: here it is negated")
        if problem.objective.constant:
            constant = problem.objective.constant
            head.append(f"* the constant {constant} of the objective is left out")
    constraints = -len(lines)
    for row in rows(problem):
        equalities += row.equality
        total = sum(map(abs, row.terms.values()))
        for sign, relation, bound in _relations(row):
            lines.append(f"{_sum(row.terms, sign) or empty}{relation} {sign * bound} ;")
            largest = max(largest, total + abs(bound))
    constraints += len(lines)
    declared = (
        f"* #variable= {problem.num_vars} #constraint= {constraints}"
        f" #equal= {equalities} intsize= {largest.bit_length()}"
    )
    write_lines([declared, *head, *lines], stream)


def name_comments(problem: Problem) -> Iterator[str]:
    """Yield a comment for each name."""
    if problem.names:
        names = legal_names(problem)
        for var in sorted(problem.names):
            yield f"* x{var} = {names[var - 1]}"


def statement(row: MatrixRow, empty: str) -> str:
    """Return a constraint of one bound, or an equality, as a line; `empty`: a sum without terms."""
    [(sign, relation, bound)] = _relations(row)
    return f"{_sum(row.terms, sign) or empty}{relation} {sign * bound} ;"


def _relations(row: MatrixRow) -> Iterator[tuple[int, str, int]]:
    """Yield sign of all terms, relation and bound of each inequality to write for `row`."""
    if row.lower is not None:
        yield 1, "=" if row.equality else ">=", row.lower
    if row.upper is not None and not row.equality:
        yield -1, ">=", row.upper


def _sum(terms: dict[int, int], sign: int = 1) -> str:
    return "".join([f"{sign * weight:+} x{var} " for var, weight in terms.items()])
