"""WBO, weighted soft pseudo-Boolean constraints, of the PB competitions: the writer.

The objective becomes soft constraints. A relaxation variable that the reader of WBO has added is
removed, and its constraint is soft again. Reference: see `pbcnf.formats.write.opb`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO

from pbcnf.constraints.normal_form import linear_form
from pbcnf.constraints.problem import Problem
from pbcnf.formats.names import comment_lines, write_lines
from pbcnf.formats.rows import MatrixRow, is_given_up, reach, resolved, rows
from pbcnf.formats.write.opb import name_comments, statement
from pbcnf.literals import Var

Terms = dict[Var, int]


def write_wbo(problem: Problem, stream: IO[bytes], comments: Iterable[str] = ()) -> None:
    r"""Write hard constraints as `pbcnf.formats.write.opb` does, and the objective as soft ones.

    The weight of the violated soft constraints is the objective, to be minimised, up to a constant
    given in a comment; another comment says if the objective was to be maximised. A bound on the
    whole objective, as read from ``soft: top ;``, becomes ``soft: top ;`` again.

    Raises ValueError, before anything is written, for a comment that is not ASCII.

    >>> import io
    >>> from pbcnf.formats.problems import read_problem
    >>> stream = io.BytesIO()
    >>> write_wbo(read_problem(io.BytesIO(b"soft: 5 ;\n[5] +1 x1 +2 x2 = 2 ;")), stream)
    >>> stream.getvalue().decode().splitlines()[1:]
    ['soft: 5 ;', '[5] +1 x1 +2 x2 = 2 ;']
    """
    problem = linear_form(problem)
    head = list(comment_lines(comments, "*"))
    costs, added = _costs(problem)
    if problem.objective is not None and problem.objective.maximise:
        head.append("* the objective was to be maximised: here it is negated")
    if added:
        head.append(f"* the objective is {abs(added)} {'more' if added > 0 else 'less'}")
    top, hard = _top(_one_sided(problem), {} if added else costs)
    soft = _kept(problem, hard, costs)
    left = max((var for var in range(1, problem.num_vars + 1) if var not in soft), default=0)
    empty = "+0 x1 " if left else ""
    gone = {place for places, _ in soft.values() for place in places}
    lines = [statement(row, empty) for place, row in enumerate(hard) if place not in gone]
    for var, weight in costs.items():
        # The objective grows by |weight| if the variable is true, for a weight below 0 if it is
        # false: the soft constraint states the opposite.
        unit = MatrixRow(0, {var: -1 if weight > 0 else 1}, 0 if weight > 0 else 1, None)
        lines.append(f"[{abs(weight)}] {statement(soft[var][1] if var in soft else unit, empty)}")
    names = {var: name for var, name in problem.names.items() if var not in soft}
    head += name_comments(replace(problem, names=names))
    weights = [abs(weight) for weight in costs.values()] or [0]
    declared = (
        f"* #variable= {left} #constraint= {len(lines)} #soft= {len(costs)}"
        f" mincost= {min(weights)} maxcost= {max(weights)} sumcost= {sum(weights)}"
    )
    start = "soft: ;" if top is None else f"soft: {top} ;"
    write_lines([declared, *head, start, *lines], stream)


def _costs(problem: Problem) -> tuple[Terms, int]:
    """Return the weight of each variable in the objective, and the constant.

    A negative weight is moved to the negated literal, which lowers the constant.
    """
    objective = problem.objective
    if objective is None:
        return {}, 0
    terms, constant = resolved(objective.lits, objective.weights)
    sign = -1 if objective.maximise else 1
    costs = {var: sign * weight for var, weight in terms.items()}
    below = sum(weight for weight in costs.values() if weight < 0)
    return costs, sign * (constant + objective.constant) + below


def _one_sided(problem: Problem) -> Iterator[MatrixRow]:
    """Yield rows of one bound, and equalities; bounds that always hold are left out."""
    for row in rows(problem):
        least, most = reach(row.terms)
        if row.equality:
            yield row
            continue
        if row.lower is not None and row.lower > least:
            yield replace(row, upper=None)
        if row.upper is not None and row.upper < most:
            yield replace(row, lower=None)


def _top(hard: Iterable[MatrixRow], costs: Terms) -> tuple[int | None, list[MatrixRow]]:
    """Separate bounds on the whole objective from other rows.

    Return the least cost that the bounds exclude, None without a bound, and the other rows.
    """
    bounds: list[int] = []
    others: list[MatrixRow] = []
    positive = min(costs.values(), default=0) > 0
    for row in hard:
        whole = positive and row.lower is None and row.terms == costs
        if whole and row.upper is not None and row.upper >= 0:
            bounds.append(row.upper + 1)
        else:
            others.append(row)
    return min(bounds, default=None), others


def _kept(
    problem: Problem, hard: list[MatrixRow], costs: Terms
) -> dict[Var, tuple[list[int], MatrixRow]]:
    """Return relaxation variable -> indices of its rows in `hard`, and its soft constraint."""
    places: dict[Var, list[int]] = defaultdict(list)
    for place, row in enumerate(hard):
        for var in row.terms:
            if var in costs:
                places[var].append(place)
    found: dict[Var, tuple[list[int], MatrixRow]] = {}
    for var, at in places.items():
        if costs[var] < 0 or not is_given_up(problem.names.get(var, "")):
            continue
        softened = _merged(list(_without(var, [hard[place] for place in at])))
        if softened is not None:
            found[var] = at, softened
    return found


def _without(var: Var, found: Iterable[MatrixRow]) -> Iterator[MatrixRow | None]:
    """Yield each row without `var`, or None if `var` is true and the row can still be violated."""
    for row in found:
        terms = dict(row.terms)
        slack = terms.pop(var)
        least, most = reach(terms)
        holds = (row.lower is None or least + slack >= row.lower) and (
            row.upper is None or most + slack <= row.upper
        )
        yield replace(row, terms=terms) if holds else None


def _merged(found: list[MatrixRow | None]) -> MatrixRow | None:
    """Return a single row, or the equality that two rows with equal sums make; None otherwise."""
    match found:
        case [MatrixRow() as row]:
            return row
        case [MatrixRow() as first, MatrixRow() as second] if first.terms == second.terms:
            lower = first.lower if second.lower is None else second.lower
            upper = first.upper if second.upper is None else second.upper
            if None not in (lower, upper) and lower == upper:
                return replace(first, lower=lower, upper=upper)
    return None
