"""Encoders and solvers by name, and combinations that cannot work: known before any job."""

from itertools import product

import pytest

from pbcnf.audit import Property, audit_encoder
from pbcnf.encoders.table import ENCODERS
from pbcnf.formula import Formula
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.contestants import contestant
from satsweeper.compare.job.job import Job, LiteralOrder, Task
from satsweeper.compare.sweep.choices import (
    UNREPEATABLE,
    check_choice,
    check_jobs,
    check_solver,
    check_task,
    uses,
)
from satsweeper.position import Position
from satsweeper.solvers.table import SOLVERS

BOARD = Instance.of_board(Position.parse("1 4 2\n?2??"), "board")
UNKNOWN = Instance.of_board(Position.parse("?2?"), "unknown")
RING = Instance.of_board(Position.parse("3 3 ?\n???\n?3?\n???\n"), "ring")
CNF = Instance.of_text(InstanceKind.CNF, b"p cnf 1 1\n1 0\n", "cnf")
PROBLEM = Instance.of_text(InstanceKind.PROBLEM, b"p knf 4 1\nk 2 1 2 3 4 0\n", "problem")


def a_job(
    task: Task = Task.CLASSIFY,
    encoding: str = "direct",
    total: str = "",
    solver: str = "minisat22",
    instance: Instance = RING,
) -> Job:
    return Job(instance.digest, instance.name, task, encoding, total, solver, LiteralOrder.GIVEN, 0)


def test_names_find_encoders_and_native_finds_none() -> None:
    import odd_encoders

    assert {name: contestant(name) for name in ENCODERS} == ENCODERS
    assert contestant("native") is None
    assert contestant("odd_encoders:direct") is odd_encoders.direct
    assert isinstance(contestant("odd_encoders:Strict"), odd_encoders.Strict)
    mine = ENCODERS["totalizer"]
    assert contestant("mine", {"mine": mine}) is mine
    assert contestant("direct", {"direct": mine}) is mine


@pytest.mark.parametrize("name", ["pysat:seqcounter", "pysat:kmtotalizer", "odd_encoders:binomial"])
def test_functions_are_right_as_encoders_with_ranges_too(name: str) -> None:
    encoder = contestant(name)
    contract = audit_encoder(encoder, 4)
    for row in contract.rows():
        assert not row.refused
        assert row.failing(Property.CORRECT) == []
        assert row.failing(Property.EXACT_SIZE) == []


def test_a_functions_auxiliary_variables_are_new_ones() -> None:
    formula = Formula(20)
    encoder = contestant("pysat:seqcounter")
    assert encoder is not None
    encoder.encode([4, -9, 17, 2], 2, 2, formula)
    used = {abs(lit) for clause in formula.clauses() for lit in clause}
    assert used & set(range(1, 21)) == {4, 9, 17, 2}
    assert formula.num_vars > 20


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("totaliser", "unknown encoder 'totaliser'; did you mean 'totalizer'? (known: direct, "),
        ("totaliser", "native, LIBRARY:NAME for those of pysat, "),
        ("pysat:totaliser", "(known: pysat:pairwise, pysat:seqcounter"),
        ("nowhere_at_all:x", "No module named 'nowhere_at_all'"),
        ("odd_encoders:missing", "no attribute 'missing'"),
        ("odd_encoders:nothing", "is no encoder"),
        ("odd_encoders:", "unknown encoder 'odd_encoders:'"),
        (":x", "unknown encoder ':x'"),
    ],
)
def test_an_unknown_encoder_is_one_line_with_what_exists(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        check_choice(a_job(encoding=name))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("job", "message"),
    [
        (a_job(solver="minisat"), "unknown solver 'minisat'; did you mean 'minisat22'?"),
        (a_job(solver="auto"), "solver 'auto' is two: name one to compare (known: cadical103,"),
        (a_job(solver="kissat404"), "it ignores assumptions"),
        (a_job(solver="maplechrono"), "its search differs from run to run"),
        (a_job(solver="external:no_such"), "no program 'no_such' on PATH"),
        (a_job(encoding="native"), "these have: gluecard3, gluecard4, minicard"),
        (a_job(total="native"), "no native cardinality constraints"),
        (a_job(solver="external:sh"), "it can do consistent, total and solve, not classify"),
    ],
)
def test_a_combination_that_cannot_work_is_one_line(job: Job, message: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        check_choice(job)
    assert message in str(caught.value)


def test_what_can_work_is_allowed() -> None:
    for name in ENCODERS:
        check_choice(a_job(encoding=name, total="totalizer"))
    for solver in SOLVERS.keys() - UNREPEATABLE:
        check_solver(solver)
    check_choice(a_job(encoding="native", total="native", solver="minicard"))
    check_choice(a_job(Task.CONSISTENT, solver="external:sh"))
    assert [check_task(task.value) for task in Task] == list(Task)
    with pytest.raises(ValueError, match=r"did you mean 'classify'\? \(known: classify, "):
        check_task("clasify")


def test_bounds_that_an_encoder_cannot_express_are_found_in_the_instance() -> None:
    check_jobs([a_job(encoding="pairwise", instance=UNKNOWN)], [UNKNOWN])
    with pytest.raises(ValueError, match=r"^ring: encoder 'pairwise' cannot express 3 <= sum of 8"):
        check_jobs([a_job(), a_job(encoding="pairwise")], [RING, UNKNOWN])
    with pytest.raises(ValueError, match=r"^problem: encoder 'product' cannot express 2 <= sum"):
        check_jobs([a_job(Task.SOLVE, "product", instance=PROBLEM)], [PROBLEM])
    large = Instance.of_board(Position.parse("1 40 20\n" + "?" * 40), "large")
    with pytest.raises(ValueError, match=r"^large: encoder 'direct' needs [0-9,]+ clauses for 20"):
        check_jobs([a_job(Task.TOTAL, "", "direct", instance=large)], [large])
    with pytest.raises(ValueError, match="cnf is a cnf: there is no classify, only solve"):
        check_jobs([a_job(instance=CNF)], [CNF])


def test_uses_are_what_a_task_needs() -> None:
    found = {
        (instance.name, task): uses(instance, task)
        for instance, task in product((BOARD, UNKNOWN, CNF, PROBLEM), Task)
        if uses(instance, task) is not None
    }
    assert found == {
        ("board", Task.CLASSIFY): (True, True),
        ("board", Task.CONSISTENT): (True, True),
        ("board", Task.TOTAL): (False, True),
        ("unknown", Task.CLASSIFY): (True, False),
        ("unknown", Task.CONSISTENT): (True, False),
        ("cnf", Task.SOLVE): (False, False),
        ("problem", Task.SOLVE): (True, False),
    }
