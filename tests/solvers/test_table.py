"""Every solver of the table: answers, models and cores against all assignments, and probes."""

import json
import resource
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import product
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from satsweeper.solvers import probe as module
from satsweeper.solvers.probe import ProbeError, main, pigeons, probe, probe_here
from satsweeper.solvers.protocol import (
    Answer,
    Satisfied,
    SolverError,
    SolverFailedError,
    Unknown,
    Unsatisfied,
)
from satsweeper.solvers.pysat import ProvingSolver, PysatSolver
from satsweeper.solvers.table import FAST, REFUSED, SOLVERS, Features, features
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


def models_of(clauses: Clauses) -> list[set[int]]:
    return [true_literals(bits) for bits in models(clauses, VARIABLES)]


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
def test_a_search_before_the_first_clause_finds_a_model(name, make):
    for conflicts in (None, 100):
        solver = make(name, [])
        assert isinstance(solver.solve((), conflicts), Satisfied)
        solver.add_clause([2])
        assert isinstance(solver.solve((), conflicts), Satisfied)


@every_solver
def test_a_contradiction_has_an_empty_core_and_an_earlier_core_does_not_come_back(name, make):
    solver = make(name, [[1], [-1]])
    assert solver.solve([2, 3]) == solver.solve() == Unsatisfied([])
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
    code = "from satsweeper.solvers.pysat import PysatSolver\n"
    code += f"solver = PysatSolver({name!r})\nsolver.add_clause([1])\nsolver.solve([-2])\n"
    code += "solver.solve([3])\nsolver.add_clause([-1, 2])\nprint(solver.solve([-2]))\n"
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


@pytest.mark.parametrize(
    ("said", "raised"), [("Caught keyboard interrupt", KeyboardInterrupt), ("else", RuntimeError)]
)
def test_an_interrupt_in_a_solver_is_a_keyboard_interrupt(said, raised, make, monkeypatch):
    solver = make("minisat22", [[1]])
    monkeypatch.setattr(solver._solver, "solve", Mock(side_effect=RuntimeError(said)))
    with pytest.raises(raised):
        solver.solve()


@contextmanager
def no_room() -> Iterator[None]:
    """No file of this process grows beyond a page, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", [*(name for name, row in SOLVERS.items() if row.proof), "a game"])
def test_half_a_proof_is_refused(name):
    game = name == "a game"
    with closing(ProvingSolver() if game else PysatSolver(name, proof=True)) as solver:
        for clause in [*pigeons(7, 1), [1]]:
            solver.add_clause(clause)
        with no_room():
            assert solver.solve([], 10**6) == (False if game else Unsatisfied([]))
            with pytest.raises(SolverFailedError, match="does not fit on the disk of "):
                solver.written() if game else solver.proof()


LATE = """
from pbcnf import Cardinality, encode
from satsweeper.solvers.probe import pigeons
from satsweeper.solvers.pysat import ProvingSolver, PysatSolver
from satsweeper.solvers.sink import SolverSink

solver = {}
sink = SolverSink(solver)
for clause in pigeons(8, sink.new_vars(73)):
    sink.add_clause(clause)
solver.solve([1], 1000)
print("searched")
crowded, restless = sink.new_var(), sink.new_var()
encode(Cardinality(range(2, 74, 8), lower=2), sink, "totalizer", when=crowded)
encode(Cardinality(range(2, 10), lower=2), sink, "totalizer", when=restless)
for lit in (crowded, restless):
    found = solver.solve([lit], 10**6)
    print("model" if isinstance(found, list) or hasattr(found, "model") else "none")
"""
"""Two pigeons in the first hole, which no model has, and the first pigeon in two holes."""
LIVE = [f"PysatSolver({name!r})" for name in SOLVERS if name.startswith("cadical")]


@pytest.mark.parametrize("made", [*LIVE, "ProvingSolver()"])
def test_variables_made_after_a_search_are_none_that_the_solver_made_for_itself(made):
    child = python("-c", LATE.format(made))
    assert (child.returncode, child.stdout.split()) == (0, ["searched", "none", "model"])


def test_a_search_for_pigeons_makes_variables_where_cadical_is_let():
    on = "PysatSolver('cadical300')\nsolver._solver.configure({'factor': 1})"
    child = python("-c", LATE.format(on))
    assert child.returncode
    assert "extension variable" in child.stderr


# The table of solvers says what a probe finds, and a probe finds out solvers that are wrong.


@pytest.mark.parametrize("name", SOLVERS)
def test_the_row_of_a_solver_is_what_the_probe_finds(name):
    assert probe(name) == SOLVERS[name]


def test_kissat_ignores_assumptions_or_dies():
    reason = probe("kissat404")
    assert isinstance(reason, str)
    assert "assumption" in reason or "ended without an answer" in reason


def test_the_default_solver_is_in_the_table_and_keeps_limits():
    assert features(FAST) == SOLVERS[FAST]
    assert SOLVERS[FAST].budget


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_solver_is_refused_with_its_reason_and_by_the_probe(name):
    assert isinstance(probe(name), str)
    for refuses in (features, PysatSolver):
        with pytest.raises(SolverError, match="cannot classify: ") as caught:
            refuses(name)
        assert REFUSED[name] in str(caught.value)


def test_an_unknown_solver_is_refused_with_a_suggestion(capsys):
    for name in ("cadical", "minisat"):
        with pytest.raises(SolverError, match=f"did you mean '{name}"):
            features(name)
    with pytest.raises(SolverError):
        PysatSolver("none")
    assert main(["nothing"]) == 1
    assert '"reason": "NoSuchSolverError' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "seconds", "reason"),
    [
        ("exec sleep 600", 0.001, "no answer within 0.001 seconds"),
        ("kill -SEGV $$", 60, "the process of the probe ended without an answer (SIGSEGV)"),
        ("exit 3", 60, "the process of the probe ended without an answer (exit code 3)"),
    ],
)
def test_a_probe_that_dies_is_a_result_and_its_time_is_limited(
    script, seconds, reason, tmp_path, monkeypatch
):
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(path))
    assert probe(FAST, seconds=seconds) == reason


def test_pigeons_do_not_fit_unless_the_selector_is_off():
    for holes in (1, 2):
        found = models(pigeons(holes, 1), 1 + holes * (holes + 1))
        assert {bits[0] for bits in found} == {0}


class Honest:
    """A solver by brute force, with the methods of PySAT's; it has no extras."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = []
        self.model: list[int] = []
        self.core: list[int] = []

    def add_clause(self, clause: Sequence[int]) -> None:
        self.clauses.append(list(clause))

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        rows = [*self.clauses, *([lit] for lit in assumptions)]
        count = max(abs(lit) for row in rows for lit in row)
        for bits in models(rows, count):
            self.model = sorted(true_literals(bits), key=abs)
            return True
        self.core = list(assumptions)
        return False

    def get_model(self) -> list[int]:
        return self.model

    def get_core(self) -> list[int]:
        return self.core

    def conf_budget(self, budget: int) -> None:
        raise NotImplementedError

    def set_phases(self, literals: Sequence[int]) -> None:
        raise NotImplementedError

    def supports_atmost(self) -> bool:
        return False

    def delete(self) -> None:
        pass


def wrong(**methods: Any) -> type[Honest]:
    return type("Wrong", (Honest,), methods)


def forget_late(self: Honest, clause: Sequence[int]) -> None:
    """A solver that was asked keeps no clause."""
    if not (self.model or self.core):
        Honest.add_clause(self, clause)


WRONG = {
    "ignores assumptions": wrong(solve=lambda self, assumptions=(): Honest.solve(self)),
    "forgets late clauses": wrong(add_clause=forget_late),
    "returns empty cores": wrong(get_core=lambda self: []),
    "returns foreign cores": wrong(get_core=lambda self: [*self.core, 99]),
    "returns wrong models": wrong(get_model=lambda self: [-self.model[0], *self.model[1:]]),
    "counts wrongly": wrong(
        supports_atmost=lambda self: True, add_atmost=lambda self, literals, bound: None
    ),
}


def test_a_plain_solver_passes_without_extras(monkeypatch):
    monkeypatch.setattr(module, "solver_class", lambda name: Honest)
    assert probe_here("x") == Features(budget=False, phases=False, native=False)


@pytest.mark.parametrize("defect", WRONG)
def test_a_solver_that_is_wrong_is_found_out(defect, monkeypatch, capsys):
    monkeypatch.setattr(module, "solver_class", lambda name: WRONG[defect])
    with pytest.raises(ProbeError) as caught:
        probe_here("x")
    assert main(["x"]) == 1
    assert json.loads(capsys.readouterr().out) == {"solver": "x", "reason": str(caught.value)}
