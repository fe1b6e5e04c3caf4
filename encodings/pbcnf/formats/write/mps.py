"""MPS, the oldest format of linear programs, in its free form: the writer.

::

    NAME pbcnf
    ROWS
     N obj
     E c1
     G c2
    COLUMNS
     MARKER MARKER INTORG
     m_0_0 c1 1
     m_0_0 c2 2
     MARKER MARKER INTEND
    RHS
     RHS c1 1
     RHS c2 1
    RANGES
     RNG c2 1
    BOUNDS
     BV BND m_0_0
    ENDATA

(the words of a marker are quoted in the file). References: the manual of lp_solve 5.5 ("MPS file
format"), and that of CPLEX. The reader is `pbcnf.formats.read.mps`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from pbcnf.constraints.normal_form import linear_form
from pbcnf.constraints.problem import Problem
from pbcnf.formats.binary_program import exact_objective, exact_rows
from pbcnf.formats.names import comment_lines, legal_names, write_lines
from pbcnf.formats.rows import MatrixRow


def write_mps(problem: Problem, stream: IO[bytes], comments: Iterable[str] = ()) -> None:
    """Write `problem` as free MPS: constraint i is row c<i>, with a range if it has two bounds.

    A constraint whose bounds leave no value between them is two rows, c<i>_lower and c<i>_upper: a
    range cannot be empty. Every variable is a column of its own, binary, in order. A negated
    literal is 1 minus its variable. Names are made legal, see `legal_names`. An objective to be
    maximised is written as such in a section OBJSENSE, which not every program knows. A parity is
    an equation with slack variables behind the problem's own, see `pbcnf.constraints.normal_form`.

    Raises ValueError, before anything is written, for an integer too large for floating point,
    naming the constraint, and for a comment that is not ASCII.
    """
    problem = linear_form(problem)
    names = legal_names(problem)
    lines = [*comment_lines(comments, "*"), "NAME pbcnf"]
    rows = [written for row in exact_rows(problem, "MPS") for written in _written(row)]
    columns: list[list[str]] = [[] for _ in names]
    objective, constant = exact_objective(problem, "MPS")
    for var, weight in objective.items():
        columns[var - 1].append(f"obj {weight}")
    if problem.objective is not None and problem.objective.maximise:
        lines += ["OBJSENSE", " MAX"]
    lines += ["ROWS", " N obj", *(f" {kind} {label}" for label, kind, _ in rows), "COLUMNS"]
    for label, _, row in rows:
        for var, weight in row.terms.items():
            columns[var - 1].append(f"{label} {weight}")
    if names:
        lines.append(" MARKER 'MARKER' 'INTORG'")
        for name, entries in zip(names, columns, strict=True):
            # A column is declared by its entries: a column without entries gets a weight of 0.
            lines += [f" {name} {entry}" for entry in entries or ["obj 0"]]
        lines.append(" MARKER 'MARKER' 'INTEND'")
    lines.append("RHS")
    if constant:  # The right-hand side of the objective is its negated constant.
        lines.append(f" RHS obj {-constant}")
    for label, kind, row in rows:
        lines.append(f" RHS {label} {row.upper if kind == 'L' else row.lower}")
    lines.append("RANGES")
    lines += [
        f" RNG {label} {row.upper - row.lower}"
        for label, kind, row in rows
        if kind == "G" and row.lower is not None and row.upper is not None
    ]
    if lines[-1] == "RANGES":
        lines.pop()
    lines += ["BOUNDS", *(f" BV BND {name}" for name in names), "ENDATA"]
    write_lines(lines, stream)


def _written(row: MatrixRow) -> Iterator[tuple[str, str, MatrixRow]]:
    """Yield the name, the kind and the content of each row that a constraint becomes."""
    label = f"c{row.number}"
    if row.equality:
        yield label, "E", row
    elif row.lower is None:
        yield label, "L", row
    elif row.upper is None or row.lower < row.upper:
        yield label, "G", row
    else:
        yield f"{label}_lower", "G", MatrixRow(row.number, row.terms, row.lower, None)
        yield f"{label}_upper", "L", MatrixRow(row.number, row.terms, None, row.upper)
