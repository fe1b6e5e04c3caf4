"""Constraints, objectives and problems as they are written on paper, or in a program."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from pbcnf.constraints.constraint import Cardinality, Constraint, Parity
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.literals import Lit, Var
from pbcnf.show.table import html_rows
from pbcnf.wording import counted

_MOST: Final = 40
"""The most terms shown in HTML; plain text has all terms."""

_MOST_LINES: Final = 50
"""The most constraints of a problem that are shown."""


class _Signs(NamedTuple):
    negation: str
    minus: str
    times: str
    xor: str
    most: str
    least: str
    equal: str


_PAPER: Final = _Signs("¬", "\N{MINUS SIGN}", "·", " ⊕ ", " ≤ ", " ≥ ", " = ")
_ASCII: Final = _Signs("~", "-", "*", " ^ ", " <= ", " >= ", " == ")


def html(value: Constraint | Objective | Problem, names: Mapping[Var, str] | None = None) -> str:
    """Return a value as HTML, a problem as a table; variables without a name are x and a number."""
    if isinstance(value, Problem):
        head, lines, left = _listed(value)
        cells = [*(html(line, value.names) for line in lines), *left]
        return html_rows(escape(head), (), [[cell] for cell in cells])
    known = names or {}
    lits = value.lits[:_MOST]
    called = {
        abs(lit): escape(known.get(abs(lit), "")) or f"x<sub>{abs(lit)}</sub>" for lit in lits
    }
    return f"<span>{_written(value, lits, called, _PAPER)}</span>"


def text(value: Constraint | Objective | Problem, names: Mapping[Var, str] | None = None) -> str:
    """Return a value in ASCII, as `pbcnf.language` writes sums; a problem has a line each.

    >>> from pbcnf import PseudoBoolean
    >>> text(PseudoBoolean([1, -2], [3, -1], upper=2)), text(Parity([1, 2], odd=True), {2: "y"})
    ('3*x1 - ~x2 <= 2', 'x1 ^ y == 1')
    """
    if isinstance(value, Problem):
        head, lines, left = _listed(value)
        return "\n".join([head, *(text(line, value.names) for line in lines), *left])
    known = names or {}
    called = {abs(lit): known.get(abs(lit)) or f"x{abs(lit)}" for lit in value.lits}
    return _written(value, value.lits, called, _ASCII)


def _listed(problem: Problem) -> tuple[str, list[Constraint | Objective], list[str]]:
    """Return the head of a problem, objective and first constraints, and the number of the rest."""
    variables, rows = counted(problem.num_vars, "variable"), len(problem.constraints)
    objective = [] if problem.objective is None else [problem.objective]
    left = [f"... and {rows - _MOST_LINES} more"] if rows > _MOST_LINES else []
    lines = [*objective, *problem.constraints[:_MOST_LINES]]
    return f"{variables}, {counted(rows, 'constraint')}", lines, left


def _written(
    value: Constraint | Objective, lits: Sequence[Lit], called: Mapping[Var, str], signs: _Signs
) -> str:
    """Return the text over `lits`, the first literals of `value`, and the number of the others."""

    def named(lit: Lit) -> str:
        return f"{signs.negation if lit < 0 else ''}{called[abs(lit)]}"

    left = len(value.lits) - len(lits)
    rest = f" … ({counted(left, 'term')} more)" if left else ""
    if isinstance(value, Parity):
        return f"{signs.xor.join(map(named, lits)) or '0'}{rest}{signs.equal}{int(value.odd)}"
    weights = (1,) * len(value.lits) if isinstance(value, Cardinality) else value.weights
    constant = value.constant if isinstance(value, Objective) else 0
    parts = []
    for lit, weight in zip(lits, weights, strict=False):
        factor = "" if abs(weight) == 1 else f"{abs(weight)}{signs.times}"
        parts.append((weight < 0, f"{factor}{named(lit)}"))
    if constant or not parts:
        parts.append((constant < 0, str(abs(constant))))
    (negative, first), *others = parts
    joined = [f" {signs.minus if minus else '+'} {part}" for minus, part in others]
    total = "".join([signs.minus * negative, first, *joined, rest])
    if isinstance(value, Objective):
        return f"{'maximise' if value.maximise else 'minimise'} {total}"
    lower, upper = (str(bound).replace("-", signs.minus) for bound in (value.lower, value.upper))
    if value.lower == value.upper:
        return f"{total}{signs.equal}{lower}"
    bounded_below = value.lower > sum(weight for weight in weights if weight < 0)
    bounded_above = value.upper < sum(weight for weight in weights if weight > 0)
    if bounded_below and not bounded_above:
        return f"{total}{signs.least}{lower}"
    if bounded_above and not bounded_below:
        return f"{total}{signs.most}{upper}"
    return f"{lower}{signs.most}{total}{signs.most}{upper}"
