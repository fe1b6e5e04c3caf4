"""Problems and formulas to files in memory and back, for tests of formats."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

from pbcnf import Formula
from pbcnf.constraints.problem import Problem
from pbcnf.formats.problems import read_problem, write_problem
from pbcnf.literals import Clause


def read(
    text: str | bytes, name: str = "f", reader: Callable[[io.BytesIO, str], Any] = read_problem
) -> Any:
    """What `reader` makes of a file with this content, called `name` in errors."""
    return reader(io.BytesIO(text if isinstance(text, bytes) else text.encode()), name)


def written(problem: Problem, format: str, **options: Any) -> str:
    """The file of a problem; the stream that it is written to stays open."""
    stream = io.BytesIO()
    write_problem(problem, stream, format, **options)
    assert not stream.closed
    return stream.getvalue().decode("ascii")


def formula_of(num_vars: int, clauses: Iterable[Clause]) -> Formula:
    """A formula of these clauses."""
    formula = Formula(num_vars)
    for clause in clauses:
        formula.add_clause(clause)
    return formula
