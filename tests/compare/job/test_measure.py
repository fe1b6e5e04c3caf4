"""A job: answers judged by all layouts, wrong encoders, equal results everywhere, budgets."""

import hashlib
import os
import pickle
import sys
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from time import thread_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.constraints.order import LiteralOrder
from pbcnf.encoders.table import ENCODERS
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.random_boards import random_position
from satsweeper.compare.job.job import Job, JobStatus, Result, Task
from satsweeper.compare.job.measure import is_wrong, least_budget, measure
from satsweeper.compare.job.question import encoded, question_of
from satsweeper.compare.sweep.choices import UNREPEATABLE, check_jobs, uses
from satsweeper.position import Position
from satsweeper.solvers.protocol import Unknown
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.sink import open_solver
from satsweeper.solvers.table import SOLVERS
from tests.commands import environment, python
from tests.oracles import weighted_sum
from tests.problem_files import pigeons

COUNTING = [
    "direct", "sequential_counter", "knuth_counter", "totalizer", "modulo_totalizer",
    "k_modulo_totalizer", "cardinality_network", "sorting_network", "parallel_counter", "adder",
    "binary_merge", "binary_merge_gac", "decision_diagram", "pysat:seqcounter",
    "odd_encoders:binomial",
]  # fmt: skip
WRONG = ["Dropping", "DroppingTotalizer", "Strict"]
PIGEONS = "* #variable= 12 #constraint= 7\n" + "".join(
    [f"+1 x{p} +1 x{p + 1} +1 x{p + 2} >= 1 ;\n" for p in (1, 4, 7, 10)]
    + [f"+1 x{h} +1 x{h + 3} +1 x{h + 6} +1 x{h + 9} <= 1 ;\n" for h in (1, 2, 3)]
)


def job_on(instance: Instance, task: Task, encoding: str = "direct", **rest: object) -> Job:
    used = uses(instance, task)
    assert used is not None
    both = encoding, rest.pop("total", encoding)
    names = [name if of_use else "" for name, of_use in zip(both, used, strict=True)]
    usual = {"solver": "minisat22", "order": LiteralOrder.GIVEN, "seed": 0}
    return Job(instance.digest, instance.name, task, *names, **(usual | rest))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def expected(board) -> str:
    """The digest of the verdicts, by trying all layouts."""
    verdicts = board.verdicts()
    if verdicts is None:
        return digest("unsat")
    letters = {"mine": "M", "safe": "S", "unknown": "?"}
    signs = [[str(code).replace("-2", "F") for code in row] for row in board.cells.tolist()]
    for (row, column), verdict in verdicts.items():
        signs[row][column] = letters[verdict]
    return digest("\n".join(["sat", *map("".join, signs)]))


choices = st.tuples(
    st.sampled_from(COUNTING), st.sampled_from(COUNTING), st.sampled_from(sorted(SOLVERS)),
    st.sampled_from(list(LiteralOrder)), st.integers(0, 3),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_verdicts_are_those_of_all_layouts_for_every_encoding_order_solver_and_seed(
    small_boards, data: st.DataObject
) -> None:
    board = data.draw(small_boards())
    clues, total, solver, order, seed = data.draw(choices)
    if SOLVERS[solver].native and data.draw(st.booleans()):
        clues = total = "native"
    instance = Instance.of_board(Position(board.cells, board.total), "board")
    rest = {"total": total, "solver": solver, "order": order, "seed": seed}
    result = measure(job_on(instance, Task.CLASSIFY, clues, **rest), instance)
    assert result.message is None
    assert result.verdicts == expected(board)
    once = measure(job_on(instance, Task.CONSISTENT, clues, **rest), instance)
    assert once.status is result.status
    assert once.verdicts == digest(once.status)
    assert once.calls == 1


@pytest.mark.parametrize("total", [1, 2, 3, 4])
@pytest.mark.parametrize("row", ["?1?1?", "?1?1??", "0?????"])
def test_the_total_is_exact_however_few_cells_are_beyond_the_clues(make_board, row, total) -> None:
    board = make_board(row, total)
    instance = Instance.of_board(Position(board.cells, total), "row")
    result = measure(job_on(instance, Task.CLASSIFY, total="totalizer"), instance)
    assert result.verdicts == expected(board)


@pytest.mark.parametrize("solver", sorted(SOLVERS))
def test_a_total_that_says_nothing_leaves_the_interior_open(solver: str) -> None:
    instance = Instance.of_board(Position.parse("1 8 3\n?1??????"), "row")
    for seed in (0, 1, 2):
        job = job_on(instance, Task.CLASSIFY, "totalizer", solver=solver, seed=seed)
        result = measure(job, instance)
        assert (result.message, result.verdicts) == (None, digest("sat\n?1??????"))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 14), st.integers(0, 14), choices)
def test_the_total_alone_has_a_layout_exactly_if_it_fits_the_cells(cells, mines, chosen) -> None:
    _, total, solver, order, seed = chosen
    board = np.full((1, cells + 1), -1, np.int8)
    board[0, cells] = -2
    position = Position(board, min(mines, cells + 1))
    instance = Instance.of_board(position, "row")
    rest = {"total": total, "solver": solver, "order": order, "seed": seed}
    result = measure(job_on(instance, Task.TOTAL, **rest), instance)
    fits = min(mines, cells + 1) >= 1
    assert (result.status, result.message) == (JobStatus.SAT if fits else JobStatus.UNSAT, None)


def test_a_wrong_encoder_gives_other_verdicts_or_a_model_that_is_none() -> None:
    boards = [Instance.of_board(random_position(5, 5, 6, seed), str(seed)) for seed in range(12)]
    for name in WRONG:
        caught = 0
        for instance in boards:
            right = measure(job_on(instance, Task.CLASSIFY, total="totalizer"), instance)
            job = job_on(instance, Task.CLASSIFY, f"odd_encoders:{name}", total="totalizer")
            wrong = measure(job, instance)
            assert is_wrong(wrong) or wrong.status.solved
            caught += is_wrong(wrong) or wrong.verdicts != right.verdicts
        assert caught >= 6, name


def test_a_wrong_encoder_after_the_right_one_in_a_process_is_still_wrong() -> None:
    # Without "at most one", the second clue lets the last cell be a mine.
    instance = Instance.of_board(Position.parse("1?1?"), "row")
    right = measure(job_on(instance, Task.CLASSIFY), instance)
    dropping, strict = [
        measure(job_on(instance, Task.CLASSIFY, f"odd_encoders:{name}"), instance)
        for name in ("Dropping", "Strict")
    ]
    assert (right.status, right.verdicts) == (JobStatus.SAT, digest("sat\n1M1S"))
    assert (dropping.status, dropping.verdicts) == (JobStatus.ERROR, None)
    assert dropping.message == "wrong model: a model breaks the clue at (0, 2)"
    assert is_wrong(dropping)
    assert (strict.status, strict.verdicts) == (JobStatus.UNSAT, digest("unsat"))
    assert not is_wrong(strict)
    assert measure(job_on(instance, Task.CLASSIFY), instance).verdicts == right.verdicts


def test_a_callers_own_encoder_objects_go_by_the_names_that_the_caller_gives() -> None:
    instance = Instance.of_board(Position.parse("?2?"), "row")
    job = job_on(instance, Task.CLASSIFY, "mine")
    assert "unknown encoder 'mine'" in str(measure(job, instance).message)
    assert measure(job, instance, {"mine": ENCODERS["totalizer"]}).status is JobStatus.SAT


def test_an_exception_is_an_error_on_one_line() -> None:
    instance = Instance.of_board(Position.parse("??2?"), "row")
    result = measure(job_on(instance, Task.CLASSIFY, "odd_encoders:Raising"), instance)
    assert result.status is JobStatus.SAT, "a clue with two of two needs no encoder"
    instance = Instance.of_board(Position.parse("1??\n???"), "corner")
    result = measure(job_on(instance, Task.CLASSIFY, "odd_encoders:Raising"), instance)
    assert (result.status, result.message) == (JobStatus.ERROR, "RuntimeError: over two lines")
    assert not is_wrong(result)
    assert (result.clauses, result.verdicts) == (None, None)


def test_sizes_are_those_of_the_whole_formula() -> None:
    # Three clues of eight cells, one each: 3 * (28 + 1) clauses.
    text = "\n".join(["?????????", "?1??1??1?", "?????????"])
    instance = Instance.of_board(Position.parse(text), "board")
    result = measure(job_on(instance, Task.CONSISTENT), instance)
    assert (result.variables, result.clauses, result.literals) == (24, 87, 3 * (56 + 8))
    native = job_on(instance, Task.CONSISTENT, "native", solver="minicard")
    result = measure(native, instance)
    assert (result.variables, result.clauses, result.literals) == (24, 6, 48)
    one_bound = b"* #variable= 3 #constraint= 1\n+1 x1 +1 x2 +1 x3 <= 1 ;\n"
    instance = Instance.of_text(InstanceKind.PROBLEM, one_bound, "one bound")
    result = measure(job_on(instance, Task.SOLVE, "native", solver="minicard"), instance)
    assert (result.variables, result.clauses, result.literals) == (3, 1, 3)


@pytest.mark.parametrize("solver", ["minisat22", "cadical195", "glucose4", "minicard"])
def test_a_searchs_cost_is_what_the_solver_counts(solver: str) -> None:
    instance = Instance.of_text(InstanceKind.PROBLEM, PIGEONS.encode(), "pigeons")
    started = thread_time()
    result = measure(job_on(instance, Task.SOLVE, "pairwise", solver=solver), instance)
    assert 0 < result.measured.encode <= thread_time() - started
    with closing(PysatSolver(solver)) as again:
        for clause in encoded(question_of(instance, Task.SOLVE), ENCODERS["pairwise"], None,
                              LiteralOrder.GIVEN, 0).formula.clauses():  # fmt: skip
            again.add_clause(clause)
        again.solve()
        assert again.conflicts() == result.conflicts
        assert again.statistics() == (result.conflicts, result.propagations, result.decisions)
    assert all((result.conflicts, result.propagations, result.decisions))
    assert result.calls == 1


def test_an_external_programs_time_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "busy"
    program.write_text(
        f"#!{sys.executable}\nimport time\nwhile time.process_time() < 0.2: pass\n"
        "print('s UNSATISFIABLE')\nraise SystemExit(20)\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    instance = Instance.of_text(InstanceKind.CNF, b"p cnf 1 1\n1 0\n", "cnf")
    result = measure(job_on(instance, Task.SOLVE, solver="external:busy"), instance)
    assert (result.status, result.conflicts, result.calls) == (JobStatus.UNSAT, None, 1)
    assert result.measured.solve >= 0.2


def holds(text: str, model: tuple[int, ...]) -> bool:
    """An OPB problem of this file, read by splitting it."""
    for line in text.splitlines()[1:]:
        *terms, relation, bound, _ = line.split()
        lits = [int(name[1:]) for name in terms[1::2]]
        total = weighted_sum(lits, model, map(int, terms[::2]))
        if not (total >= int(bound) if relation == ">=" else total <= int(bound)):
            return False
    return True


@pytest.mark.parametrize("encoding", ["pairwise", "product", "totalizer", "adder", "direct"])
@pytest.mark.parametrize("least", [1, 0])
def test_problems_are_solved_as_all_assignments_say(encoding: str, least: int) -> None:
    text = PIGEONS.replace("x12 >= 1", f"x12 >= {least}")
    instance = Instance.of_text(InstanceKind.PROBLEM, text.encode(), "pigeons")
    some = any(holds(text, model) for model in product((0, 1), repeat=12))
    for solver, seed in product(("glucose4", "cadical153"), (0, 5)):
        job = job_on(instance, Task.SOLVE, encoding, solver=solver, seed=seed)
        check_jobs([job], [instance])
        assert measure(job, instance).status is (JobStatus.SAT if some else JobStatus.UNSAT)
    assert some is (least == 0)


def test_weighted_problems_are_solved_and_wrong_answers_to_them_are_seen() -> None:
    rng = Random(5)
    seen = set()
    for _ in range(12):
        weights = [rng.choice((4, 6, 9, 10)) for _ in range(8)]
        terms = " ".join(f"{w} x{v + 1}" for v, w in enumerate(weights))
        bound = rng.randint(5, 20)
        text = f"* #variable= 8 #constraint= 2\n{terms} >= {bound} ;\n{terms} <= {bound} ;\n"
        instance = Instance.of_text(InstanceKind.PROBLEM, text.encode(), "sum")
        some = any(holds(text, model) for model in product((0, 1), repeat=8))
        seen.add(some)
        for name in ("binary_merge", "generalized_totalizer", "adder"):
            job = job_on(instance, Task.SOLVE, name, order=LiteralOrder.RANDOM, seed=3)
            assert measure(job, instance).status is (JobStatus.SAT if some else JobStatus.UNSAT)
        job = job_on(instance, Task.SOLVE, "totalizer")
        with pytest.raises(ValueError, match=r"^sum: encoder 'totalizer' cannot express a sum"):
            check_jobs([job], [instance])
    assert seen == {True, False}


@pytest.mark.parametrize("solver", sorted(SOLVERS))
@pytest.mark.parametrize("seed", [0, 1])
def test_cnfs_are_solved_as_they_are_with_empty_clauses_too(solver: str, seed: int) -> None:
    for text, status in [
        (b"p cnf 3 2\n1 -2 0\n2 3 0\n", JobStatus.SAT),
        (b"p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", JobStatus.UNSAT),
        (b"p cnf 0 0\n", JobStatus.SAT),
        (b"p cnf 2 2\n1 2 0\n0\n", JobStatus.UNSAT),
    ]:
        instance = Instance.of_text(InstanceKind.CNF, text, "cnf")
        result = measure(job_on(instance, Task.SOLVE, solver=solver, seed=seed), instance)
        assert (result.status, result.message) == (status, None)


def unmeasured(results: list[Result]) -> list[str]:
    return [repr(replace(result, measured=None)) for result in results]


def test_everything_but_what_is_measured_is_the_same_in_every_process() -> None:
    instance = Instance.of_board(random_position(8, 8, 10, seed=4), "board")
    tasks, encodings = (Task.CLASSIFY, Task.TOTAL), ("sequential_counter", "totalizer")
    jobs = [
        job_on(instance, task, encoding, solver=solver, order=order, seed=seed)
        for seed, (task, encoding, order) in enumerate(product(tasks, encodings, LiteralOrder))
        for solver in ("minisat22", "cadical195", "lingeling", "maplecm")
    ]
    here = unmeasured([measure(job, instance) for job in jobs])
    # In another order, after other work, under another seed of hashes.
    code = (
        "import pickle, sys; from satsweeper.compare.job.measure import measure\n"
        "jobs, instance = pickle.load(sys.stdin.buffer)\n"
        "found = [measure(job, instance) for job in reversed(jobs)][::-1]\n"
        "pickle.dump(found, sys.stdout.buffer)\n"
    )
    for hashes in ("0", "77"):
        given, environ = pickle.dumps((jobs, instance)), environment(PYTHONHASHSEED=hashes)
        child = python("-c", code, input=given, text=False, env=environ)
        assert unmeasured(pickle.loads(child.stdout)) == here
    assert unmeasured([measure(job, instance) for job in jobs]) == here


@pytest.mark.slow
@pytest.mark.parametrize("solver", sorted(SOLVERS.keys() - UNREPEATABLE))
def test_a_search_is_the_same_whatever_is_in_memory(solver: str) -> None:
    instance = Instance.of_board(random_position(16, 16, 40, seed=7), "board")
    rng = Random(1)
    for seed in range(3):
        job = job_on(instance, Task.CLASSIFY, "sequential_counter", solver=solver, seed=seed)
        found = set()
        for _ in range(4):
            held = [bytes([rng.randrange(256)]) * rng.randrange(10, 60_000) for _ in range(300)]
            del held
            found.update(unmeasured([measure(job, instance)]))
        assert len(found) == 1


def test_seeds_and_orders_change_the_search_and_never_the_answer() -> None:
    instance = Instance.of_board(random_position(9, 9, 16, seed=1), "board")
    results = [
        measure(job_on(instance, Task.CLASSIFY, "totalizer", order=order, seed=seed), instance)
        for order, seed in product(LiteralOrder, range(3))
    ]
    assert len({result.verdicts for result in results}) == 1
    assert len({(result.variables, result.clauses, result.literals) for result in results}) == 1
    assert len({(result.propagations, result.decisions) for result in results}) > 6


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


@pytest.mark.parametrize("solver", ["minisat22", "cadical195", "glucose4", "minicard"])
def test_the_budget_of_a_job_decides_and_one_less_does_not(solver: str) -> None:
    instance = Instance.of_text(InstanceKind.CNF, pigeons(6).encode(), "pigeons")
    job = job_on(instance, Task.SOLVE, solver=solver)
    budget = measure(job, instance, budget=True).budget
    assert budget is not None
    assert budget > 10
    for allowed, decided in ((budget, True), (budget - 1, False)):
        with closing(open_solver(solver)) as fresh:
            for clause in instance.formula().clauses():
                fresh.add_clause(clause)
            assert isinstance(fresh.solve((), allowed), Unknown) is not decided
    assert measure(job, instance).budget is None
    without = replace(job, solver="lingeling")
    assert measure(without, instance, budget=True).budget is None
