"""The least budget of conflicts that decides."""

from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.formula import Formula
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.job import Job, LiteralOrder, Task
from satsweeper.compare.job.measure import least_budget, measure
from satsweeper.solvers.protocol import Unknown
from satsweeper.solvers.sink import open_solver


@given(st.integers(1, 3000), st.integers(0, 3000))
def test_the_threshold_is_found_from_any_guess_in_few_runs(threshold: int, guess: int) -> None:
    asked = []

    def decides(budget: int) -> bool:
        asked.append(budget)
        return budget >= threshold

    assert least_budget(decides, guess) == threshold
    assert threshold in asked
    assert threshold == 1 or threshold - 1 in asked
    assert len(asked) <= 2 + 2 * max(abs(threshold - guess), 1).bit_length() + 1
    assert min(asked) >= 1


def pigeons(holes: int) -> Formula:
    formula = Formula(holes * (holes + 1))
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    for row in at:
        formula.add_clause(row)
    for hole in range(holes):
        for one in range(holes + 1):
            for other in range(one):
                formula.add_clause([-at[one][hole], -at[other][hole]])
    return formula


@pytest.mark.parametrize("solver", ["minisat22", "cadical195", "glucose4", "minicard"])
def test_the_budget_of_a_job_decides_and_one_less_does_not(solver: str) -> None:
    formula = pigeons(6)
    lines = [" ".join(map(str, [*clause, 0])) for clause in formula.clauses()]
    text = "\n".join([f"p cnf {formula.num_vars} {formula.num_clauses}", *lines, ""])
    instance = Instance.of_text(InstanceKind.CNF, text.encode(), "pigeons")
    job = Job(instance.digest, "pigeons", Task.SOLVE, "", "", solver, LiteralOrder.GIVEN, 0)
    budget = measure(job, instance, budget=True).budget
    assert budget is not None
    assert budget > 10
    for allowed, decided in ((budget, True), (budget - 1, False)):
        with closing(open_solver(solver)) as fresh:
            for clause in formula.clauses():
                fresh.add_clause(clause)
            assert isinstance(fresh.solve((), allowed), Unknown) is not decided
    assert measure(job, instance).budget is None


def test_a_solver_without_budgets_has_none() -> None:
    instance = Instance.of_text(InstanceKind.CNF, b"p cnf 2 1\n1 2 0\n", "cnf")
    job = Job(instance.digest, "cnf", Task.SOLVE, "", "", "lingeling", LiteralOrder.GIVEN, 0)
    assert measure(job, instance, budget=True).budget is None
