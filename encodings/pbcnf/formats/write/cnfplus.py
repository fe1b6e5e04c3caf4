"""CNF+, clauses and bounds on sums line by line, of MiniCard and PySAT: the writer.

Reference: see `pbcnf.formats.read.cnfplus`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from pbcnf.constraints.constraint import Constraint, Parity
from pbcnf.constraints.normal_form import sum_of
from pbcnf.constraints.problem import Problem
from pbcnf.formats.names import write_lines
from pbcnf.formats.write.knf import head_of, lines_of, parity_clauses
from pbcnf.literals import Lit


def write_cnfplus(problem: Problem, stream: IO[bytes], comments: Iterable[str] = ()) -> None:
    """Write `problem` as CNF+; a clause is written as a clause, weighted sums behind ``w``.

    A constraint becomes up to two lines and a unit clause for each implied literal, no line if it
    always holds, and the empty clause if it never does. Names of variables are comments,
    ``c var 1 name``; an objective, which the format cannot hold, is left out and a comment says so.

    Raises ValueError, before anything is written, for a parity of more than two literals, naming
    its number, and for a comment that is not ASCII.

    >>> import io
    >>> from pbcnf import Cardinality, PseudoBoolean
    >>> stream = io.BytesIO()
    >>> sum_of_two = PseudoBoolean([1, 2, -3], [2, 3, 3], lower=3)
    >>> write_cnfplus(Problem(3, (Cardinality([1, 2, 3], 1, 1), sum_of_two)), stream)
    >>> stream.getvalue().decode().splitlines()
    ['p cnf+ 3 3', '1 2 3 >= 1', '1 2 3 <= 1', 'w 2*1 3*2 3*-3 >= 3']
    """
    head, lines = head_of(problem, comments), lines_of(problem, _lines)
    write_lines([*head, f"p cnf+ {problem.num_vars} {len(lines)}", *lines], stream)


def _lines(constraint: Constraint) -> Iterator[str]:
    if isinstance(constraint, Parity):
        yield from map(_clause, parity_clauses(constraint, "CNF+"))
        return
    form = sum_of(constraint)
    if form is None:
        yield _clause(())
        return
    yield from (_clause((unit,)) for unit in form.units)
    clause = form.clause()
    if clause is not None:
        yield _clause(clause)
        return
    words = list(map(str, form.lits))
    if max(form.weights, default=1) > 1:
        pairs = zip(form.weights, words, strict=True)
        words = ["w", *(f"{weight}*{lit}" for weight, lit in pairs)]
    if form.lower > 0:
        yield " ".join([*words, ">=", f"{form.lower}"])
    if form.upper < sum(form.weights):
        yield " ".join([*words, "<=", f"{form.upper}"])


def _clause(lits: Iterable[Lit]) -> str:
    return " ".join([*map(str, lits), "0"])
