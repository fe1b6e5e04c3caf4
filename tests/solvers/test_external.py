"""Programs as solvers: right answers are taken, everything else is a failure or out of time.

Most programs here are scripts on a PATH of their own; the last tests run the real ones, and are
skipped where those are not installed.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import pytest

from satsweeper import Position, Status, classify
from satsweeper.answers.options import Options
from satsweeper.engines.classify import classify_within
from satsweeper.solvers.external import OUT_OF_TIME, ExternalSolver
from satsweeper.solvers.probe import pigeons
from satsweeper.solvers.programs import DIALECTS, find_program
from satsweeper.solvers.protocol import Satisfied, SolverError, SolverFailedError, Unsatisfied
from satsweeper.solvers.table import features
from tests.commands import EXAMPLES, alive, environment, until
from tests.oracles import models, true_literals

Clauses = list[list[int]]
Fake = Callable[..., str]
VARIABLES = 5
BOARD = Position.parse("4 3 ?\n01?\n12?\n???\n???\n")

HONEST = f"""#!{sys.executable}
import sys
sys.path[:] = {sys.path!r}
from pysat.formula import CNF
from pysat.solvers import Solver
formula = CNF(from_file=sys.argv[-1])
solver = Solver("minisat22", bootstrap_with=formula.clauses)
if not solver.solve():
    print("s UNSATISFIABLE")
    sys.exit(20)
print("c a comment\\ns SATISFIABLE\\nv", *solver.get_model()[: formula.nv], 0)
sys.exit(10)
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Put a program on PATH: lines for the shell, or a whole file. Returns its solver's name."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)

    def write(text: str, name: str = "fake") -> str:
        path = folder / name
        path.write_text(text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return f"external:{name}"

    return write


@pytest.fixture
def fifo(tmp_path):
    """A pipe into which a script writes the processes to watch."""
    path = tmp_path / "pids"
    os.mkfifo(path)
    return path


def solver_with(name: str, clauses: Clauses) -> ExternalSolver:
    solver = ExternalSolver(name)
    for clause in clauses:
        solver.add_clause(clause)
    return solver


def check(solver: ExternalSolver, clauses: Clauses, assumed: Sequence[int]) -> bool:
    """One answer against all assignments; returns whether there is a model."""
    fixed = [[lit] for lit in assumed]
    known = [true_literals(bits) for bits in models([*clauses, *fixed], VARIABLES)]
    answer = solver.solve(assumed, 10, 60.0)
    if isinstance(answer, Satisfied):
        assert [abs(lit) for lit in answer.model] == list(range(1, len(answer.model) + 1))
        assert any(model.issuperset(answer.model) for model in known)
        return True
    assert answer == Unsatisfied(list(assumed))
    assert known == []
    return False


def questions(solver: ExternalSolver, rounds: int) -> set[bool]:
    """Clauses that come one after the other, and questions under assumptions in between."""
    random = Random(1)
    found = set()
    clauses: Clauses = []
    for _ in range(rounds):
        for _ in range(4):
            some = random.sample(range(1, VARIABLES + 1), random.choice((2, 3, 3)))
            clauses.append([v * random.choice((1, -1)) for v in some])
            solver.add_clause(clauses[-1])
        some = random.sample(range(1, VARIABLES + 1), random.randrange(4))
        found.add(check(solver, clauses, [v * random.choice((1, -1)) for v in some]))
    return found


def test_answers_of_a_program_agree_with_brute_force(fake):
    solver = ExternalSolver(fake(HONEST))
    assert questions(solver, 6) == {True, False}
    assert (solver.calls, solver.conflicts()) == (6, 0)
    solver.prefer([1])
    solver.close()


@pytest.mark.parametrize("plain", [False, True])
def test_a_program_classifies_as_the_default_does(fake, plain):
    name = fake(HONEST)
    for text in ("?1?\n???", "1?1??\n??4??\n1?1??\n"):
        board = Position.parse(text)
        result, expected = classify(board, solver=name, plain=plain), classify(board)
        assert (result.status, result.grid()) == (expected.status, expected.grid())
        assert result.conflict == expected.conflict
    assert result.status is Status.INCONSISTENT


@pytest.mark.parametrize(
    "script",
    [
        "echo s SATISFIABLE; echo v 1 2 -3 0; exit 10",
        "echo v 1; echo v 2 -3 0; echo s SATISFIABLE; exit 10",
        # Variable 3 matters in no clause: without a value it will be false.
        "echo s SATISFIABLE; echo v 2 1 0; exit 10",
    ],
)
def test_a_model_may_come_in_any_order_and_without_what_does_not_matter(fake, script):
    solver = solver_with(fake(script), [[1], [1, 2], [3, -3], [3, 1]])
    assert solver.solve([2]) == Satisfied([1, 2, -3])


NOT_BELIEVED = {
    "another exit code": ("echo s SATISFIABLE; echo v 1 2 0; exit 20",
        "it says SATISFIABLE, but its exit code is 20"),
    "exit code 0": ("echo s UNSATISFIABLE; exit 0",
        "it says UNSATISFIABLE, but its exit code is 0"),
    "unsatisfiable with the code of a model": ("echo s UNSATISFIABLE; exit 10",
        "it says UNSATISFIABLE, but its exit code is 10"),
    "no such exit code": ("echo oops >&2; exit 1",
        "it ended with exit code 1, which is no answer: oops"),
    "a right answer and a crash": ("echo s UNSATISFIABLE; kill -SEGV $$",
        "it ended with SIGSEGV, which is no answer"),
    "no s line": ("echo v 1 2 0; exit 10", "v lines, but no s line"),
    "a bare model": ("echo 1 2 0; exit 10", "its output has no s line"),
    "the answer of another dialect": ("printf 'SAT\\n1 2 0\\n'; exit 10",
        "its output has no s line"),
    "nothing": ("exit 20", "empty: no claim"),
    "a parse error as picosat reports it": ("echo 'parse error' >&2; exit 0", "empty: no claim"),
    "two s lines": ("echo s SATISFIABLE; echo s UNSATISFIABLE; echo v 1 2 0; exit 10",
        "a second s line"),
    "no model": ("echo s SATISFIABLE; exit 10", "there is no model"),
    "a model cut off": ("echo s SATISFIABLE; echo v 1 2; exit 10", "no 0 ends the model"),
    "a contradiction": ("echo s SATISFIABLE; echo v 1 2 -1 0; exit 10", "holds 1 already"),
    "an unknown variable": ("echo s SATISFIABLE; echo v 1 2 7 0; exit 10",
        "a literal of no variable (there are 2)"),
    "garbage": ("head -c 1000 /bin/sh; exit 10", "external:fake, its output:"),
    "a wrong model": ("echo s SATISFIABLE; echo v -1 -2 0; exit 10",
        "wrong model: it does not satisfy the clause 2 0"),
    "a model against the clauses": ("echo s SATISFIABLE; echo v -1 2 0; exit 10",
        "wrong model: it does not satisfy the clause 1 -2 0"),
    "a short model": ("echo s SATISFIABLE; echo v 2 0; exit 10",
        "wrong model: it has no value for variable 1 in the clause 1 -2 0"),
    "giving up": ("echo s UNKNOWN; exit 0", "it gave up (UNKNOWN)"),
}  # fmt: skip


@pytest.mark.parametrize("defect", NOT_BELIEVED)
def test_what_is_not_a_whole_right_answer_is_a_failure(fake, defect):
    script, message = NOT_BELIEVED[defect]
    solver = solver_with(fake(script), [[1, -2]])
    with pytest.raises(SolverFailedError) as caught:
        solver.solve([2])
    assert message in str(caught.value)
    assert str(caught.value).startswith("external:fake")
    assert "\n" not in str(caught.value)


def test_a_program_that_cannot_be_started_is_a_failure(fake):
    solver = solver_with(fake("#!/no/such/interpreter"), [[1]])
    with pytest.raises(SolverFailedError, match="external:fake: it cannot be started"):
        solver.solve()


@pytest.mark.parametrize(
    ("name", "script", "message"),
    [
        # Minisat answers in its result file, and only clasp says 30 for a model.
        ("minisat", "printf 'SAT\\n1 0\\n' >$3; exit 10", None),
        ("minisat", "exit 10", "it wrote no result file"),
        ("minisat", "echo s SATISFIABLE; echo v 1 0; exit 10", "it wrote no result file"),
        ("minisat", "printf 's SATISFIABLE\\nv 1 0\\n' >$3; exit 10", "no s line"),
        ("minisat", "printf 'UNSAT\\n' >$3; exit 10",
         "says UNSATISFIABLE, but its exit code is 10"),
        ("minisat", "printf 'SAT\\n1' >$3; exit 10", "no 0 ends the model"),
        ("minisat", "printf 'INDET\\n' >$3; exit 0", "it gave up"),
        ("clasp", "echo v 1 0; echo s SATISFIABLE; exit 30", None),
        ("cadical", "echo v 1 0; echo s SATISFIABLE; exit 30", "exit code 30"),
    ],
)  # fmt: skip
def test_each_dialect_is_read_and_no_other(fake, name, script, message):
    solver = solver_with(fake(script, name), [[1]])
    if message is None:
        assert solver.solve() == Satisfied([1])
    else:
        with pytest.raises(SolverFailedError, match=message):
            solver.solve()


def test_names_of_programs(fake, monkeypatch):
    name = fake("exit 1")
    assert features(name) == (False, False, False, False)
    path = find_program(name).path
    assert find_program(f"external:{path}").path == path
    monkeypatch.setenv("PATH", "")
    for wrong in (name, "external:", "external:no\0ne", "external:/no/such/file", "external:/"):
        with pytest.raises(SolverError, match=r"no program .* on PATH") as caught:
            ExternalSolver(wrong)
        assert str(caught.value).isprintable()
    with pytest.raises(SolverError, match="did you mean 'external:cryptominisat5'"):
        ExternalSolver("external:cryptominisat")


def await_end(pids: Iterable[int]) -> None:
    """Signals take their time."""
    until(lambda: not any(map(alive, pids)), "the end of a program")


HANGS = "sleep 1000 & echo $! >{0}.child; echo $$ >{0}.own; wait"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")


def pids(path: Path) -> list[int]:
    """The program and its child, as far as they had time to say so."""
    files = [Path(f"{path}.{which}") for which in ("own", "child")]
    return [int(pid) for file in files if file.exists() for pid in file.read_text().split()]


@linux
@pytest.mark.parametrize(
    ("before", "after"),
    [
        # The child inherits that SIGTERM is ignored.
        ("trap '' TERM", ""),
        # An answer after SIGTERM, or before the time was over, came from a killed program.
        ("trap 'echo s UNSATISFIABLE; exit 20' TERM", ""),
        ("echo s UNSATISFIABLE", "exit 20"),
    ],
)
def test_a_program_that_hangs_is_ended_with_its_children(fake, tmp_path, before, after):
    script = "\n".join([before, HANGS.format(tmp_path / "pid"), after])
    solver = solver_with(fake(script), [[1]])
    assert solver.solve((), None, 0.5) == OUT_OF_TIME
    await_end(pids(tmp_path / "pid"))


@linux
def test_what_a_program_leaves_behind_is_ended(fake, tmp_path):
    script = f"sleep 1000 & echo $! >{tmp_path}/pid; echo s UNSATISFIABLE; exit 20"
    assert solver_with(fake(script), [[1]]).solve() == Unsatisfied([])
    await_end([int((tmp_path / "pid").read_text())])


@linux
def test_a_worker_ends_its_program_at_the_limit(fake, tmp_path):
    name = fake(HANGS.format(tmp_path / "pid"))
    answer = classify_within(1.5, BOARD, Options(solver=name, plain=True))
    assert answer.status is Status.UNDECIDED
    await_end(pids(tmp_path / "pid"))


@pytest.fixture
def command(fake, fifo, foreground):
    """``satsweeper classify`` while its program hangs, and the program's process."""
    name = fake(f"sleep 1000 & echo $$ >{fifo}; wait")
    child = foreground(
        [sys.executable, "-m", "satsweeper", "classify", "--plain", "--solver", name, "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(),
    )  # fmt: skip
    try:
        assert child.stdin is not None
        child.stdin.write("?1?\n")
        child.stdin.close()
        child.stdin = None
        yield child, int(fifo.read_text())
    finally:
        child.kill()
        child.communicate()


@linux
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_ending_the_command_ends_the_program(command, number, code):
    child, program = command
    child.send_signal(number)
    _, err = child.communicate(timeout=60)
    assert child.returncode == code
    await_end([program])
    assert "Traceback" not in err


REAL = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            shutil.which(name) is None, reason=f"{name} is not installed: scripts/test --external"
        ),
    )
    for name in DIALECTS
]


@pytest.mark.parametrize("name", REAL)
def test_a_real_program_agrees_with_brute_force(name):
    assert questions(ExternalSolver(f"external:{name}"), 12) == {True, False}


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize(
    ("clauses", "assumed"),
    [
        ([], []), ([[]], []), ([[1], [-1]], []), ([[5]], [-3]), ([[1], [2]], []),
        ([[1, -1], [2, 2]], [3]),
    ],
)  # fmt: skip
def test_a_real_program_answers_at_the_edges(name, clauses, assumed):
    check(solver_with(f"external:{name}", clauses), clauses, assumed)


@pytest.mark.parametrize("name", REAL)
def test_a_real_program_classifies_as_the_default_does(name):
    board = Position.read(EXAMPLES / "danamlund_8x8.txt")
    expected = classify(board).grid()
    for plain in (False, True):
        assert classify(board, solver=f"external:{name}", plain=plain).grid() == expected


@pytest.mark.parametrize("name", REAL)
def test_a_real_program_is_ended_at_the_limit(name):
    solver = solver_with(f"external:{name}", pigeons(14, 1))
    assert solver.solve([1], None, 0.3) == OUT_OF_TIME
