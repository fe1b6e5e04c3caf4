"""Every solver behind its door: answers, models and cores against all assignments."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import combinations, product
from random import Random

import pytest

from satsweeper.solvers.protocol import Answer, Satisfied, SolverError, Unknown, Unsatisfied
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.table import REFUSED, SOLVERS
from tests.oracles import models, true_literals

Clauses = list[list[int]]
VARIABLES = 6
every_solver = pytest.mark.parametrize("name", SOLVERS)
BUDGETED = [name for name, row in SOLVERS.items() if row.budget]
COUNTING = [name for name, row in SOLVERS.items() if row.native]


@pytest.fixture
def make() -> Iterator[Callable[..., PysatSolver]]:
    solvers = []

    def start(name: str, clauses: Clauses) -> PysatSolver:
        solver = PysatSolver(name)
        solvers.append(solver)
        for clause in clauses:
            solver.add_clause(clause)
        return solver

    yield start
    for solver in solvers:
        solver.close()


def models_of(clauses: Clauses, variables: int = VARIABLES) -> list[set[int]]:
    return [true_literals(bits) for bits in models(clauses, variables)]


def check(answer: Answer, known: list[set[int]], assumed: Sequence[int]) -> None:
    """An answer about clauses with these models, and no others."""
    fitting = [model for model in known if model.issuperset(assumed)]
    if isinstance(answer, Satisfied):
        assert [abs(lit) for lit in answer.model] == list(range(1, len(answer.model) + 1))
        # A variable behind the end is in no clause and no assumption: any value will do.
        shown = {lit for lit in answer.model if abs(lit) <= VARIABLES}
        rest = [(v, -v) for v in range(len(answer.model) + 1, VARIABLES + 1)]
        assert all(shown.union(more) in fitting for more in product(*rest))
    else:
        assert isinstance(answer, Unsatisfied)
        assert fitting == []
        assert set(answer.core) <= set(assumed)
        assert not any(model.issuperset(answer.core) for model in known)


def random_clause(random: Random) -> list[int]:
    size = random.choice((1, 2, 3, 3, 3))
    return [v * random.choice((1, -1)) for v in random.sample(range(1, VARIABLES + 1), size)]


def random_cube(random: Random) -> list[int]:
    size = random.randrange(VARIABLES + 1)
    return [v * random.choice((1, -1)) for v in random.sample(range(1, VARIABLES + 1), size)]


@every_solver
def test_answers_under_assumptions_agree_with_brute_force_while_clauses_come(
    name: str, make: Callable[..., PysatSolver]
) -> None:
    random = Random(7)
    kinds = set()
    for _ in range(25):
        clauses = [list(range(1, VARIABLES + 1))]
        solver = make(name, clauses)
        while models_of(clauses):
            for _ in range(3):
                clause = random_clause(random)
                clauses.append(clause)
                solver.add_clause(clause)
            known = models_of(clauses)
            # Cores of clauses that are contradictory by themselves: below.
            for assumed in (random_cube(random), random_cube(random)) if known else ():
                answer = solver.solve(assumed)
                kinds.add(type(answer))
                check(answer, known, assumed)
    assert kinds == {Satisfied, Unsatisfied}


@every_solver
def test_assumptions_may_be_a_tuple(name: str, make: Callable[..., PysatSolver]) -> None:
    clauses = [[1, 2], [-1, 3]]
    solver = make(name, clauses)
    for assumed in ((-2, -3), (1, -3), (1,), ()):
        check(solver.solve(assumed), models_of(clauses), assumed)
    assert isinstance(solver.solve((-2, -3)), Unsatisfied)


@every_solver
@pytest.mark.parametrize("conflicts", [None, 100])
def test_a_search_before_the_first_clause_finds_a_model(
    name: str, conflicts: int | None, make: Callable[..., PysatSolver]
) -> None:
    solver = make(name, [])
    assert isinstance(solver.solve((), conflicts), Satisfied)
    solver.add_clause([2])
    assert isinstance(solver.solve((), conflicts), Satisfied)


@every_solver
def test_a_contradiction_without_assumptions_has_an_empty_core(
    name: str, make: Callable[..., PysatSolver]
) -> None:
    solver = make(name, [[1], [-1]])
    assert solver.solve([2, 3]) == Unsatisfied([])
    assert solver.solve() == Unsatisfied([])


@pytest.mark.parametrize("name", SOLVERS)
def test_an_earlier_core_does_not_come_back(name: str, make: Callable[..., PysatSolver]) -> None:
    clauses = [[1, 2], [-1, 3]]
    solver = make(name, clauses)
    check(solver.solve([-1, -2]), models_of(clauses), [-1, -2])
    for clause in ([-2], [-3]):
        clauses.append(clause)
        solver.add_clause(clause)
    assert models_of(clauses) == []
    check(solver.solve([3]), [], [3])
    assert solver.solve() == Unsatisfied([])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=pytest.mark.xfail(reason="it ends the interpreter: the literal has melted")
            if name == "lingeling"
            else [],
        )
        for name in SOLVERS
    ],
)
def test_a_variable_that_was_only_assumed_may_come_into_a_clause(name: str) -> None:
    code = (
        "from satsweeper.solvers.pysat import PysatSolver\n"
        f"solver = PysatSolver({name!r})\n"
        "solver.add_clause([1])\n"
        "solver.solve([-2])\n"
        "solver.solve([3])\n"
        "solver.add_clause([-1, 2])\n"
        "print(solver.solve([-2]))\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", code]
    child = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (child.returncode, child.stdout) == (0, "Unsatisfied(core=[-2])\n")


@every_solver
def test_models_may_be_short_but_show_what_was_assumed(
    name: str, make: Callable[..., PysatSolver]
) -> None:
    clauses = [[2]]
    solver = make(name, clauses)
    for assumed in ([], [-5], [5], [-1, 4]):
        check(solver.solve(assumed), models_of(clauses), assumed)


@every_solver
def test_a_wish_changes_no_answer(name: str, make: Callable[..., PysatSolver]) -> None:
    clauses = [[1, 2], [-1, -2], [3, -4]]
    solver = make(name, clauses)
    for wish in ([1, 2, 3, 4], [-1, -2, -3, -4], [4, -3]):
        solver.prefer(wish)
        check(solver.solve(), models_of(clauses), [])
        check(solver.solve([1, 2]), models_of(clauses), [1, 2])


@every_solver
def test_calls_are_counted(name: str, make: Callable[..., PysatSolver]) -> None:
    solver = make(name, [[1, 2]])
    solver.solve()
    solver.solve([-1])
    assert solver.calls == 2


def crowded(holes: int, selector: int) -> Clauses:
    """More pigeons than holes, if the selector is true."""
    place = [
        [selector + 1 + pigeon * holes + hole for hole in range(holes)]
        for pigeon in range(holes + 1)
    ]
    pairs = [(a, b) for a, b in combinations(place, 2)]
    return [
        *([-selector, *row] for row in place),
        *([-one[hole], -two[hole]] for one, two in pairs for hole in range(holes)),
    ]


@pytest.mark.parametrize("name", BUDGETED)
def test_a_budget_stops_a_search_and_binds_no_later_question(
    name: str, make: Callable[..., PysatSolver]
) -> None:
    solver = make(name, [[1, 2], [-1, 2], *crowded(9, 3)])
    assert isinstance(solver.solve([3], 20), Unknown)
    assert isinstance(solver.solve([3, -2], 20), Unsatisfied | Unknown)
    assert solver.solve([-2, -3]) == Unsatisfied([-2])
    found = solver.solve([1, -3])
    assert isinstance(found, Satisfied)
    assert found.model[:3] == [1, 2, -3]


@pytest.mark.parametrize("name", BUDGETED)
def test_without_a_budget_a_search_after_a_limited_one_runs_to_its_end(
    name: str, make: Callable[..., PysatSolver]
) -> None:
    solver = make(name, crowded(6, 1))
    assert isinstance(solver.solve([1], 1), Unknown)
    assert solver.solve([1]) == Unsatisfied([1])


@pytest.mark.parametrize("name", COUNTING)
def test_native_counting_agrees_with_brute_force(
    name: str, make: Callable[..., PysatSolver]
) -> None:
    literals = [1, -2, 3, 4, 5]
    clauses = [[1, 3, 6], [2, -4, 6], [-1, -3, -6]]
    for bound in range(5):
        solver = make(name, clauses)
        solver.add_at_most(literals, bound)
        known = [m for m in models_of(clauses) if len(m.intersection(literals)) <= bound]
        for assumed in product((1, -1), (2, -2), (4, -4), (5, -5)):
            check(solver.solve(assumed), known, assumed)


def test_an_interrupt_in_a_solver_is_a_keyboard_interrupt(
    make: Callable[..., PysatSolver], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(assumptions: list[int]) -> bool:
        raise RuntimeError("Caught keyboard interrupt")

    def broken(assumptions: list[int]) -> bool:
        raise RuntimeError("something else")

    solver = make("minisat22", [[1]])
    monkeypatch.setattr(solver._solver, "solve", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solver.solve()
    monkeypatch.setattr(solver._solver, "solve", broken)
    with pytest.raises(RuntimeError, match="something else"):
        solver.solve()


@pytest.mark.parametrize("name", [*REFUSED, "none"])
def test_what_is_not_in_the_table_cannot_be_made(name: str) -> None:
    with pytest.raises(SolverError), closing(PysatSolver(name)):
        pass
