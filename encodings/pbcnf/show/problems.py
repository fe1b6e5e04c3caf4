"""A problem as a list of its constraints, with the names of its variables."""

from html import escape
from typing import Final

from pbcnf.constraints.constraint import Constraint
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.show import constraints
from pbcnf.show.table import html_rows
from pbcnf.wording import counted

_MOST: Final = 50
"""The most constraints shown."""


def html(problem: Problem) -> str:
    """Return the objective and the first constraints as a table."""
    lines = [constraints.html(each, problem.names) for each in _first(problem)]
    return html_rows(escape(_head(problem)), (), [[line] for line in [*lines, *_left(problem)]])


def text(problem: Problem) -> str:
    """Return the objective and the first constraints in ASCII, a line each."""
    lines = [constraints.text(each, problem.names) for each in _first(problem)]
    return "\n".join([_head(problem), *lines, *_left(problem)])


def _first(problem: Problem) -> list[Constraint | Objective]:
    objective = [] if problem.objective is None else [problem.objective]
    return [*objective, *problem.constraints[:_MOST]]


def _head(problem: Problem) -> str:
    variables = counted(problem.num_vars, "variable")
    return f"{variables}, {counted(len(problem.constraints), 'constraint')}"


def _left(problem: Problem) -> list[str]:
    left = len(problem.constraints) - _MOST
    return [f"... and {left} more"] if left > 0 else []
