"""Problems and CNFs without some constraints, then without some literals of a given problem.

Variables that are in no constraint any more are taken out, and the others numbered anew.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from pbcnf.constraints.constraint import Cardinality, Linear, PseudoBoolean
from pbcnf.constraints.linear_form import sums
from pbcnf.constraints.problem import Problem
from pbcnf.formats.write.dimacs import write_dimacs
from pbcnf.formats.write.opb import write_opb
from pbcnf.formula import Formula
from satsweeper.compare.instances.instance import Instance, InstanceKind

X = TypeVar("X")


def smaller_problems(problem: Problem) -> Iterator[Instance]:
    """Problems with fewer constraints, those with the fewest first; then with fewer literals."""
    rows = sums(problem)
    for kept in _without_some(rows):
        yield _problem(kept)
    for number, row in enumerate(rows):
        for shorter in _shorter(row):
            yield _problem([*rows[:number], shorter, *rows[number + 1 :]])


def smaller_formulas(formula: Formula) -> Iterator[Instance]:
    """CNFs with fewer clauses, those with the fewest first; then with fewer literals."""
    clauses = [tuple(clause) for clause in formula.clauses()]
    for kept in _without_some(clauses):
        yield _cnf(kept)
    for number, clause in enumerate(clauses):
        for at in range(len(clause)):
            shorter = clause[:at] + clause[at + 1 :]
            yield _cnf([*clauses[:number], shorter, *clauses[number + 1 :]])


def _without_some(parts: Sequence[X]) -> Iterator[list[X]]:
    """Yield the sequence without each of its halves, quarters ... single elements in turn."""
    size = (len(parts) + 1) // 2
    while size and len(parts) > 1:
        for start in range(0, len(parts), size):
            yield [*parts[:start], *parts[start + size :]]
        size //= 2


def _shorter(row: Linear) -> Iterator[Linear]:
    """Yield the constraint without a literal, with bounds less that literal, then unchanged."""
    for at, _ in enumerate(row.lits):
        lits = row.lits[:at] + row.lits[at + 1 :]
        weight = 1 if isinstance(row, Cardinality) else row.weights[at]
        for less in (weight, 0):
            if isinstance(row, Cardinality):
                yield Cardinality(lits, row.lower - less, row.upper - less)
            else:
                weights = row.weights[:at] + row.weights[at + 1 :]
                yield PseudoBoolean(lits, weights, row.lower - less, row.upper - less)


def _problem(rows: Sequence[Linear]) -> Instance:
    number = _numbers(row.lits for row in rows)
    moved = tuple(replace(row, lits=tuple(number[lit] for lit in row.lits)) for row in rows)
    stream = io.BytesIO()
    write_opb(Problem(len(number) // 2, moved), stream)
    return Instance.of_text(InstanceKind.PROBLEM, stream.getvalue(), "witness")


def _cnf(clauses: Sequence[Sequence[int]]) -> Instance:
    number = _numbers(clauses)
    formula = Formula(len(number) // 2)
    for clause in clauses:
        formula.add_clause([number[lit] for lit in clause])
    stream = io.BytesIO()
    write_dimacs(formula, stream)
    return Instance.of_text(InstanceKind.CNF, stream.getvalue(), "witness")


def _numbers(rows: Iterable[Sequence[int]]) -> dict[int, int]:
    """Old literal -> new literal, both signs of every variable that occurs."""
    variables = sorted({abs(lit) for row in rows for lit in row})
    pairs = list(enumerate(variables, start=1))
    return {old: new for new, old in pairs} | {-old: -new for new, old in pairs}
