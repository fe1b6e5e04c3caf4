"""KNF, clauses and cardinality constraints in one file: the writer.

Reference: see `pbcnf.formats.read.knf`. At most k of n literals is written as at least n - k of
their negations. As the format requires, no literal is repeated and none is beside its negation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from pbcnf.constraints.constraint import Constraint, Parity
from pbcnf.constraints.normal_form import parity_normal_form, sum_of
from pbcnf.constraints.problem import Problem
from pbcnf.errors import EncodingError
from pbcnf.formats.names import comment_lines, legal_names, write_lines
from pbcnf.literals import Lit


def write_knf(problem: Problem, stream: IO[bytes], comments: Iterable[str] = ()) -> None:
    """Write `problem` as KNF; a clause is written as a clause.

    A constraint becomes up to two lines and a unit clause for each implied literal, no line if it
    always holds, and the empty clause if it never does. Names of variables are comments,
    ``c var 1 name``; an objective, which the format cannot hold, is left out and a comment says so.

    Raises ValueError, before anything is written, for a weighted sum that is no cardinality
    constraint and for a parity of more than two literals, naming its number; and for a comment
    that is not ASCII or contains ``p knf`` or ``p cnf``.

    >>> import io
    >>> from pbcnf import Cardinality
    >>> stream = io.BytesIO()
    >>> write_knf(Problem(3, (Cardinality([1, 2, 3], 1, 2),)), stream)
    >>> stream.getvalue().decode().splitlines()
    ['p knf 3 2', '1 2 3 0', '-1 -2 -3 0']
    """
    head = head_of(problem, comments)
    for line in head:
        if re.search(r"p\s+[ck]nf", line):
            raise ValueError(f"a comment must not contain 'p knf' or 'p cnf': {line!r}")
    lines = lines_of(problem, lambda each: (_line(*at_least) for at_least in _at_least(each)))
    write_lines([*head, f"p knf {problem.num_vars} {len(lines)}", *lines], stream)


def head_of(problem: Problem, comments: Iterable[str]) -> list[str]:
    """Return `comments`, the names of variables, and a note on a lost objective, as comments."""
    head = list(comment_lines(comments, "c"))
    if problem.names:
        names = legal_names(problem)
        head += [f"c var {var} {names[var - 1]}" for var in sorted(problem.names)]
    if problem.objective is not None:
        head.append("c the objective is left out")
    return head


def lines_of(problem: Problem, written: Callable[[Constraint], Iterable[str]]) -> list[str]:
    """Return the lines of all constraints; an EncodingError of `written` names the constraint."""
    lines: list[str] = []
    for number, constraint in enumerate(problem.constraints, start=1):
        try:
            lines += written(constraint)
        except EncodingError as error:
            raise EncodingError(f"constraint {number}: {error}") from None
    return lines


def _line(lits: Iterable[Lit], bound: int) -> str:
    start = [] if bound == 1 else ["k", str(bound)]
    return " ".join([*start, *map(str, lits), "0"])


def _at_least(constraint: Constraint) -> Iterator[tuple[Iterable[Lit], int]]:
    """Yield pairs: some literals, and the least number of them that must be true."""
    if isinstance(constraint, Parity):
        yield from ((clause, 1) for clause in parity_clauses(constraint, "KNF"))
        return
    form = sum_of(constraint)
    if form is None:
        yield (), 1
        return
    if max(form.weights, default=1) > 1:
        raise EncodingError(
            f"KNF cannot hold a weighted sum, and this one has weights up to {max(form.weights)}"
        )
    for unit in form.units:
        yield (unit,), 1
    if form.lower > 0:
        yield form.lits, form.lower
    if form.upper < len(form.lits):
        yield [-lit for lit in form.lits], len(form.lits) - form.upper


def parity_clauses(parity: Parity, format: str) -> Iterator[list[Lit]]:
    """Yield the clauses of a parity of up to two variables, after simplification.

    Raises ValueError for a larger parity; the message names `format`.
    """
    match parity_normal_form(parity):
        case [], odd:
            yield from [[]] if odd else []
        case [x], odd:
            yield [x if odd else -x]
        case [x, y], odd:
            yield from ([x, y], [-x, -y]) if odd else ([x, -y], [-x, y])
        case variables, _:
            n = len(variables)
            raise EncodingError(
                f"{format} cannot hold a parity, and this one is of {n} literals; xcnf and opb can"
            )
