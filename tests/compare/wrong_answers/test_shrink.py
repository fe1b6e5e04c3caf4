"""A wrong encoder is caught, and the board that gives it away is small enough to be read."""

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf import Formula
from pbcnf.constraints.order import LiteralOrder
from pbcnf.encoders.cardinality.direct import Direct
from pbcnf.encoders.protocol import Propagation
from pbcnf.encoders.table import ENCODERS
from pbcnf.formula import EncodingSize
from satsweeper.compare.instances.files import load_instances
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.job import Job, JobStatus, Result, Task, result_of
from satsweeper.compare.job.measure import is_wrong, measure
from satsweeper.compare.sweep.journal import RESULTS, read_results
from satsweeper.compare.sweep.plan import Axes
from satsweeper.compare.sweep.run import prepare, sweep
from satsweeper.compare.wrong_answers import disagreement
from satsweeper.compare.wrong_answers.disagreement import Disagreement, faulty, lines, witness_of
from satsweeper.compare.wrong_answers.shrink import moved, shrink, smaller_boards, windows
from satsweeper.engines.classify import classify
from satsweeper.position import Position
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.sink import open_solver
from tests.oracles import assignments, true_literals

ORACLE = ENCODERS["totalizer"]


class _Dropping:
    def __init__(self, sink: Any, number: int) -> None:
        self._sink = sink
        self._left = number

    def __getattr__(self, name: str) -> Any:
        if name.startswith("add_"):
            raise AttributeError(name)  # Clauses come one by one, or none could be dropped.
        return getattr(self._sink, name)

    def add_clause(self, clause: Sequence[int]) -> None:
        self._left -= 1
        if self._left != -1:
            self._sink.add_clause(clause)


@dataclass(frozen=True)
class Planted:
    """A totalizer that leaves out one clause where exactly k of n are asked for."""

    n: int
    k: int
    number: int
    name: str = "planted"
    propagation: Propagation = Propagation.NONE

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        return False

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        return ORACLE.size(n, lower, upper)

    def encode(self, lits: Sequence[int], lower: int, upper: int, sink: Any) -> None:
        if (len(lits), lower, upper) == (self.n, self.k, self.k):
            sink = _Dropping(sink, self.number)
        ORACLE.encode(lits, lower, upper, sink)

    def accepts_too_much(self) -> bool:
        """Whether there is a model with another number of true inputs."""
        formula = Formula(self.n)
        self.encode(range(1, self.n + 1), self.k, self.k, formula)
        with closing(open_solver("minisat22")) as solver:
            for clause in formula.clauses():
                solver.add_clause(clause)
            others = (bits for bits in assignments(self.n) if sum(bits) != self.k)
            answers = (solver.solve(sorted(true_literals(bits))) for bits in others)
            return any(isinstance(answer, Satisfied) for answer in answers)


PLANTED = Planted(3, 1, 0)
BOARDS = load_instances(
    ["random:8x8/16:seeds=0-29:opened=0.35", "random:16x16/70:seeds=0-9:opened=0.2"], mines=None
)
AXES = Axes((Task.CLASSIFY,), ("totalizer", "planted"), ("direct",), ("minisat22",), seeds=4)
JOBS = prepare(BOARDS, AXES, encoders={"planted": PLANTED}).jobs


def caught(planted: Planted) -> tuple[Disagreement, Instance] | None:
    """Where a sweep over the boards would stop."""
    watch, boards = disagreement.Watch(), {board.digest: board for board in BOARDS}
    for job in JOBS:
        found = watch.see(measure(job, boards[job.instance], {"planted": planted}))
        if found is not None:
            return found, boards[job.instance]
    return None


def is_caught_and_small(planted: Planted) -> None:
    found = caught(planted)
    if not planted.accepts_too_much():
        assert found is None, "what is not needed was left out, and it was called wrong"
        return
    assert found is not None
    assert {job.encoding for job in found[0].jobs} >= {"planted"}

    def evaluate(job: Job, instance: Instance) -> Result:
        return measure(job, instance, {"planted": planted})

    small = shrink(*found, evaluate)
    position = small.position()
    assert max(position.rows, position.columns) <= 5
    results = [evaluate(moved(job, small), small) for job in found[0].jobs]
    text = witness_of(small, results, {"planted": planted}).text()
    assert re.search("planted/minisat22/given/seed . is wrong", text)
    assert Position.parse(text) == position


def test_a_sweep_stops_at_the_wrong_encoder_and_writes_the_witness(tmp_path: Path) -> None:
    encoders = {"planted": PLANTED}
    compared = sweep(BOARDS[:9], AXES, tmp_path, encoders=encoders)
    assert compared.disagreement is not None
    assert compared.witness is not None
    assert "planted" in str(compared.disagreement)
    written = (tmp_path / "witness.txt").read_text()
    assert written == compared.witness.text()
    position = Position.parse(written)
    assert max(position.rows, position.columns) <= 5
    kept = read_results(tmp_path / RESULTS, result_of)
    assert 0 < len(kept) < len(prepare(BOARDS[:9], AXES, encoders=encoders).jobs)
    again = sweep(BOARDS[:9], AXES, tmp_path, encoders=encoders, resume=True)
    assert again.disagreement == compared.disagreement, "a resumed sweep does not forget"
    assert read_results(tmp_path / RESULTS, result_of) == kept


QUICK = [(3, 1, m) for m in range(ORACLE.size(3, 1, 1).clauses)]
QUICK += [(5, 2, m) for m in range(0, ORACLE.size(5, 2, 2).clauses, 4)]
SLOW = [
    pytest.param(n, k, m, marks=pytest.mark.slow)
    for n, k in ((4, 2), (5, 2), (5, 3), (8, 3))
    for m in range(ORACLE.size(n, k, k).clauses)
]


@pytest.mark.parametrize(("n", "k", "number"), [*QUICK, *SLOW])
def test_any_clause_that_is_left_out_of_any_clue_is_caught(n: int, k: int, number: int) -> None:
    is_caught_and_small(Planted(n, k, number))


def told(position: Position) -> tuple[int, int, int]:
    """How many cells there are, how many tell something, and the total: smaller boards say less."""
    total = -1 if position.mines is None else position.mines
    return position.cells.size, int(np.count_nonzero(position.cells != -1)), total


@given(st.data())
def test_smaller_boards_say_less_and_there_are_finitely_many(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    codes = st.lists(st.integers(-2, 8), min_size=rows * columns, max_size=rows * columns)
    cells = np.array(data.draw(codes), np.int8).reshape(rows, columns)
    total = data.draw(st.none() | st.integers(0, rows * columns))
    position = Position(cells, total)
    smaller = list(smaller_boards(position))
    assert all(told(board) < told(position) for board in smaller)
    for cell in position.clue_cells() + position.flag_cells():
        (without := cells.copy())[cell] = -1
        assert Position(without, total) in smaller


def test_a_layout_of_a_board_is_one_of_every_window_of_it() -> None:
    for board in BOARDS[:5]:
        whole = board.position()
        answer = classify(whole)
        assert answer.status == "consistent"
        for window in windows(whole, 5, total=False):
            assert classify(window).status == "consistent"


def a_job(instance: Instance, solver: str = "minisat22", encoding: str = "totalizer") -> Job:
    return Job(instance.digest, "x", Task.SOLVE, encoding, "", solver, LiteralOrder.GIVEN, 0)


def test_a_problem_is_shrunk_to_the_constraints_that_give_the_encoder_away() -> None:
    rows = [f"+1 x{a} +1 x{b} +1 x{c} = 1" for a, b, c in combinations(range(2, 9), 3)]
    rows = [*rows[20:30], "+1 x9 +1 x10 +1 x11 = 1", "+1 x9 >= 1", "+1 x10 +1 x12 >= 2"]
    head = f"* #variable= 12 #constraint= {len(rows)}\n"
    text = head + "".join(f"{row} ;\n" for row in rows)
    instance = Instance.of_text(InstanceKind.PROBLEM, text.encode(), "x")
    encoders = {"planted": PLANTED}

    def evaluate(job: Job, smaller: Instance) -> Result:
        return measure(job, smaller, encoders)

    first = evaluate(a_job(instance, encoding="planted"), instance)
    assert is_wrong(first)
    small = shrink(Disagreement(first, None), instance, evaluate)
    assert small.problem().num_vars == 3
    assert len(small.problem().constraints) <= 3
    text = witness_of(small, [evaluate(moved(first.job, small), small)], encoders).text()
    assert "is wrong (wrong model: a model breaks constraint" in text
    assert "All assignments say:" in text


def test_a_cnf_is_shrunk_to_what_one_contender_gets_wrong() -> None:
    clauses = ["1 2 0", "-1 2 0", "1 -2 0", "-1 -2 0", "3 4 0", "-3 5 0", "1 5 6 0"]
    text = "p cnf 6 7\n" + "\n".join(clauses) + "\n"
    instance = Instance.of_text(InstanceKind.CNF, text.encode(), "x")

    def evaluate(job: Job, smaller: Instance) -> Result:
        result = measure(replace(job, solver="minisat22"), smaller)
        wrong = job.solver == "cadical195" and result.status is JobStatus.UNSAT
        status = JobStatus.SAT if wrong else result.status
        return replace(result, job=job, status=status, verdicts=status.value)

    jobs = [a_job(instance, solver, "") for solver in ("minisat22", "cadical195")]
    found = Disagreement(*(evaluate(job, instance) for job in jobs))
    one, other = (f"{each.solver}/given/seed 0 ({each.id}) says" for each in jobs)
    assert str(found) == f"disagreement: x, task solve: {one} unsat and {other} sat"
    small = shrink(found, instance, evaluate)
    # The smallest formula that has no model is one empty clause.
    assert [list(clause) for clause in small.formula().clauses()] == [[]]


def test_what_cannot_be_shrunk_comes_back_as_it_is() -> None:
    board = BOARDS[0]
    result = measure(replace(a_job(board), task=Task.CLASSIFY), board)
    assert shrink(Disagreement(result, None), board, lambda job, _: result, 1.0) is board


def test_the_two_contenders_of_a_witness_are_judged_by_all_layouts() -> None:
    board = Instance.of_board(Position.parse("1??\n12?\n01?"), "x")
    results = [
        measure(replace(a_job(board, encoding=name), task=Task.CLASSIFY), board, {"bad": PLANTED})
        for name in ("direct", "bad")
    ]
    text = witness_of(board, results, {"bad": PLANTED}).text()
    assert "direct/minisat22/given/seed 0 is right:" in text
    grid = "".join(f";   {row}\n" for row in classify(board.position()).grid())
    assert f"; All layouts say:\n{grid}" in text


def test_a_clause_lost_or_too_many_is_found_though_no_job_ran_and_no_fault_in_what_is_right():
    (found,) = lines(faulty(["direct", "odd_encoders:Dropping", "", "native"]))
    assert found.startswith(
        "odd_encoders:Dropping is wrong, although no job has shown it: -1 to 1 of 2: given 1 2:"
    )
    (found,) = lines(faulty(["odd_encoders:Strict"]))
    assert "odd_encoders:Strict is wrong" in found
    assert faulty(["odd_encoders:direct", "odd_encoders:binomial", "pysat:totalizer"]) == {}
    assert faulty(["mine"], {"mine": Direct()}) == {}


def test_ours_are_not_audited_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a process was started"))
    assert faulty(["direct", "totalizer", "native", ""]) == {}


@pytest.mark.parametrize("name", ["Aborting", "Leaving", "Raising"])
def test_an_encoder_that_ends_badly_is_left_to_its_jobs(name: str) -> None:
    assert faulty([f"odd_encoders:{name}"]) == {}


def test_one_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disagreement, "_SECONDS", 0.5)
    assert len(faulty(["odd_encoders:Strict", "odd_encoders:Endless"])) == 1
