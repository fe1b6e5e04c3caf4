"""Every solver behind its door: answers, models and cores against all assignments."""

import resource
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import product
from random import Random

import pytest

from satsweeper.solvers.probe import pigeons
from satsweeper.solvers.protocol import (
    Answer,
    Satisfied,
    SolverError,
    SolverFailedError,
    Unknown,
    Unsatisfied,
)
from satsweeper.solvers.pysat import ProvingSolver, PysatSolver
from satsweeper.solvers.table import REFUSED, SOLVERS
from tests.commands import python
from tests.oracles import models, true_literals

Clauses = list[list[int]]
VARIABLES = 6
every_solver = pytest.mark.parametrize("name", SOLVERS)
BUDGETED = [name for name, row in SOLVERS.items() if row.budget]
COUNTING = [name for name, row in SOLVERS.items() if row.native]


@pytest.fixture
def make():
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


def drawn(random: Random, size: int) -> list[int]:
    """Literals of so many different variables."""
    return [v * random.choice((1, -1)) for v in random.sample(range(1, VARIABLES + 1), size)]


@every_solver
def test_answers_under_assumptions_agree_with_brute_force_while_clauses_come(name, make):
    random = Random(7)
    kinds = set()
    for _ in range(25):
        clauses = [list(range(1, VARIABLES + 1))]
        solver = make(name, clauses)
        while models_of(clauses):
            for _ in range(3):
                clause = drawn(random, random.choice((1, 2, 3, 3, 3)))
                clauses.append(clause)
                solver.add_clause(clause)
            known = models_of(clauses)
            # Cores of clauses that are contradictory by themselves: below.
            for _ in range(2 if known else 0):
                assumed = drawn(random, random.randrange(VARIABLES + 1))
                answer = solver.solve(assumed)
                kinds.add(type(answer))
                check(answer, known, assumed)
    assert kinds == {Satisfied, Unsatisfied}


@every_solver
@pytest.mark.parametrize("conflicts", [None, 100])
def test_a_search_before_the_first_clause_finds_a_model(name, conflicts, make):
    solver = make(name, [])
    assert isinstance(solver.solve((), conflicts), Satisfied)
    solver.add_clause([2])
    assert isinstance(solver.solve((), conflicts), Satisfied)


@every_solver
def test_a_contradiction_without_assumptions_has_an_empty_core(name, make):
    solver = make(name, [[1], [-1]])
    assert solver.solve([2, 3]) == Unsatisfied([])
    assert solver.solve() == Unsatisfied([])


@every_solver
def test_an_earlier_core_does_not_come_back(name, make):
    clauses = [[1, 2], [-1, 3]]
    solver = make(name, clauses)
    check(solver.solve([-1, -2]), models_of(clauses), [-1, -2])
    for clause in ([-2], [-3]):
        clauses.append(clause)
        solver.add_clause(clause)
    assert models_of(clauses) == []
    check(solver.solve([3]), [], [3])
    assert solver.solve() == Unsatisfied([])


melted = pytest.mark.xfail(reason="it ends the interpreter: the literal has melted")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=melted if name == "lingeling" else []) for name in SOLVERS]
)
def test_a_variable_that_was_only_assumed_may_come_into_a_clause(name):
    code = (
        "from satsweeper.solvers.pysat import PysatSolver\n"
        f"solver = PysatSolver({name!r})\n"
        "solver.add_clause([1])\n"
        "solver.solve([-2])\n"
        "solver.solve([3])\n"
        "solver.add_clause([-1, 2])\n"
        "print(solver.solve([-2]))\n"
    )
    child = python("-c", code)
    assert (child.returncode, child.stdout) == (0, "Unsatisfied(core=[-2])\n")


@every_solver
def test_models_may_be_short_but_show_what_was_assumed_and_calls_are_counted(name, make):
    # Assumptions may be a tuple.
    short: list[Sequence[int]] = [[], [-5], [5], [-1, 4]]
    tuples: list[Sequence[int]] = [(-2, -3), (1, -3), (1,), ()]
    for clauses, questions in [([[2]], short), ([[1, 2], [-1, 3]], tuples)]:
        solver = make(name, clauses)
        for assumed in questions:
            check(solver.solve(assumed), models_of(clauses), assumed)
        assert solver.calls == 4


@every_solver
def test_a_wish_changes_no_answer(name, make):
    clauses = [[1, 2], [-1, -2], [3, -4]]
    solver = make(name, clauses)
    for wish in ([1, 2, 3, 4], [-1, -2, -3, -4], [4, -3]):
        solver.prefer(wish)
        check(solver.solve(), models_of(clauses), [])
        check(solver.solve([1, 2]), models_of(clauses), [1, 2])


@pytest.mark.parametrize("name", BUDGETED)
def test_a_budget_stops_a_search_and_binds_no_later_question(name, make):
    solver = make(name, [[1, 2], [-1, 2], *pigeons(9, 3)])
    assert isinstance(solver.solve([3], 20), Unknown)
    assert isinstance(solver.solve([3, -2], 20), Unsatisfied | Unknown)
    assert solver.solve([-2, -3]) == Unsatisfied([-2])
    found = solver.solve([1, -3])
    assert isinstance(found, Satisfied)
    assert found.model[:3] == [1, 2, -3]
    # Without a budget a search after a limited one runs to its end.
    solver = make(name, pigeons(6, 1))
    assert isinstance(solver.solve([1], 1), Unknown)
    assert solver.solve([1]) == Unsatisfied([1])


@pytest.mark.parametrize("name", COUNTING)
def test_native_counting_agrees_with_brute_force(name, make):
    literals = [1, -2, 3, 4, 5]
    clauses = [[1, 3, 6], [2, -4, 6], [-1, -3, -6]]
    for bound in range(5):
        solver = make(name, clauses)
        solver.add_at_most(literals, bound)
        known = [m for m in models_of(clauses) if len(m.intersection(literals)) <= bound]
        for assumed in product((1, -1), (2, -2), (4, -4), (5, -5)):
            check(solver.solve(assumed), known, assumed)


def test_an_interrupt_in_a_solver_is_a_keyboard_interrupt(make, monkeypatch):
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
def test_what_is_not_in_the_table_cannot_be_made(name):
    with pytest.raises(SolverError), closing(PysatSolver(name)):
        pass


@contextmanager
def no_room() -> Iterator[None]:
    """No file of this process grows beyond a page, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", [name for name, row in SOLVERS.items() if row.proof])
def test_half_a_proof_of_a_solver_is_refused(name):
    with closing(PysatSolver(name, proof=True)) as solver:
        solver.add_clauses(map(tuple, [*pigeons(7, 1), [1]]))
        with no_room():
            assert isinstance(solver.solve(), Unsatisfied)
            with pytest.raises(SolverFailedError, match="does not fit on the disk of "):
                solver.proof()


def test_half_a_proof_of_a_game_is_refused():
    with closing(ProvingSolver()) as solver:
        for clause in [*pigeons(7, 1), [1]]:
            solver.add_clause(clause)
        with no_room():
            assert solver.solve([], 10**6) is False
            with pytest.raises(SolverFailedError, match="does not fit on the disk of "):
                solver.written()
