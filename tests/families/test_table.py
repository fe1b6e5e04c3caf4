"""What the table says of a family is so for its small members, by our own solvers."""

import pytest

from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.formula import Formula
from satsweeper import Position, Status, classify
from satsweeper.families.table import FAMILIES, Family
from satsweeper.solvers.opening import open_solver
from satsweeper.solvers.protocol import Satisfied, Unsatisfied


def satisfiable(made: Position | Problem) -> bool:
    if isinstance(made, Position):
        answer = classify(made)
        assert answer.status is not Status.UNDECIDED
        return answer.status is Status.CONSISTENT
    formula = Formula(made.num_vars)
    list(encode_problem(made.constraints, formula, Choices()))
    solver = open_solver("cadical195")
    try:
        for clause in formula.clauses():
            solver.add_clause(clause)
        found = solver.solve()
    finally:
        solver.close()
    assert isinstance(found, Satisfied | Unsatisfied)
    if isinstance(found, Satisfied):
        assert made.holds(set(found.model))
    return isinstance(found, Satisfied)


@pytest.mark.parametrize(
    ("family", "size"),
    [(family, size) for family in FAMILIES.values() for size in family.sizes],
    ids=lambda value: value.name if isinstance(value, Family) else str(value),
)
def test_the_answer_is_the_one_that_the_argument_gives(family: Family, size: int) -> None:
    for seed in range(2 if family.seeded else 1):
        assert satisfiable(family.make(size, seed)) is family.satisfiable


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_a_seed_changes_what_is_drawn_and_nothing_else(family: Family) -> None:
    size = family.sizes[-1]
    again = family.make(size, 1)
    assert family.make(size, 1) == again
    assert (family.make(size, 2) != again) is family.seeded
    assert family.why
    assert family.sizes == tuple(sorted(family.sizes))
