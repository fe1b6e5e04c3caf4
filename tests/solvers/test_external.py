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
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.formats.error import FormatError
from satsweeper import Position, Status, classify
from satsweeper.answers.options import Options
from satsweeper.engines.classify import classify_within
from satsweeper.solvers.external import OUT_OF_TIME, ExternalSolver
from satsweeper.solvers.output import Claim, Output, read_output
from satsweeper.solvers.probe import pigeons
from satsweeper.solvers.programs import DIALECTS, find_program
from satsweeper.solvers.protocol import Satisfied, SolverError, SolverFailedError, Unsatisfied
from satsweeper.solvers.solve_formula import value_lines
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


def test_a_program_that_cannot_be_started_or_writes_too_much_is_a_failure(fake, monkeypatch):
    monkeypatch.setattr("satsweeper.solvers.external._LONGEST", 1000)
    for script, said in [
        ("#!/no/such/interpreter", "external:fake: it cannot be started"),
        ("yes v 1 | head -c 2000; exit 10", "its output is longer than any answer"),
    ]:
        with pytest.raises(SolverFailedError, match=said):
            solver_with(fake(script), [[1]]).solve()


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


@linux
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_ending_the_command_ends_the_program(fake, tmp_path, foreground, number, code):
    board, fifo = tmp_path / "board", tmp_path / "pid"
    board.write_text("?1?\n")
    os.mkfifo(fifo)
    name = fake(f"sleep 1000 & echo $$ >{fifo}; wait")
    words = [sys.executable, "-m", "satsweeper", "classify", "--plain", "--solver", name, board]
    child = foreground(words, stderr=subprocess.PIPE, env=environment())
    try:
        program = int(fifo.read_text())
        child.send_signal(number)
        _, err = child.communicate(timeout=60)
    finally:
        child.kill()
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
def test_a_real_program_agrees_with_brute_force_and_the_default_and_is_ended_at_the_limit(name):
    solver = f"external:{name}"
    assert questions(ExternalSolver(solver), 12) == {True, False}
    edges = [([], []), ([[]], []), ([[1], [-1]], []), ([[5]], [-3]), ([[1], [2]], [])]
    for clauses, assumed in [*edges, ([[1, -1], [2, 2]], [3])]:
        check(solver_with(solver, clauses), clauses, assumed)
    board = Position.read(EXAMPLES / "danamlund_8x8.txt")
    expected = classify(board).grid()
    for plain in (False, True):
        assert classify(board, solver=solver, plain=plain).grid() == expected
    assert solver_with(solver, pigeons(14, 1)).solve([1], None, 0.3) == OUT_OF_TIME


# A solver's output is read strictly: one claim, one whole model, and a place for every defect.


def read(text: str | bytes, variables: int | None = 9) -> Output:
    data = text.encode() if isinstance(text, str) else text
    return read_output(data.splitlines(keepends=True), "out", variables)


@pytest.mark.parametrize(
    ("text", "claim", "form", "literals"),
    [
        ("s SATISFIABLE\nv 1 -2 3 0\n", "SATISFIABLE", "competition", (1, -2, 3)),
        ("c hi\n\nc\nv 1 -2\nc more\nv\nv 3 0\ns SATISFIABLE", "SATISFIABLE", "competition",
         (1, -2, 3)),
        ("s SATISFIABLE\r\nv 1 0\r\n", "SATISFIABLE", "competition", (1,)),
        ("s\tSATISFIABLE \nv\t1\t-2 0", "SATISFIABLE", "competition", (1, -2)),
        ("s SATISFIABLE\nv 0\n", "SATISFIABLE", "competition", ()),
        ("s SATISFIABLE\nv 1 1 0\n", "SATISFIABLE", "competition", (1, 1)),
        ("s UNSATISFIABLE\n", "UNSATISFIABLE", "competition", ()),
        ("c x\ns UNKNOWN\n", "UNKNOWN", "competition", ()),
        ("s INDETERMINATE\n", "UNKNOWN", "competition", ()),
        ("o 3\ns OPTIMUM FOUND\nv x1 -x2\nv x3\n", "SATISFIABLE", "competition", (1, -2, 3)),
        ("SAT\n1 -2 0\n", "SATISFIABLE", "result file", (1, -2)),
        ("SAT\n 0\n", "SATISFIABLE", "result file", ()),
        ("UNSAT\n", "UNSATISFIABLE", "result file", ()),
        ("INDET\n", "UNKNOWN", "result file", ()),
        ("1 -2 3 0\n", "SATISFIABLE", "literals", (1, -2, 3)),
        ("c model\n-1\n2\n", "SATISFIABLE", "literals", (-1, 2)),
    ],
)  # fmt: skip
def test_every_form_is_read(text, claim, form, literals):
    found = read(text)
    assert (found.claim, found.form, found.literals) == (claim, form, literals)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "out: empty: no claim, no literals"),
        ("c only comments\n", "out: empty: no claim, no literals"),
        ("s SATISFIABLE\ns SATISFIABLE\nv 1 0\n", "out:2:1: 's': a second s line"),
        ("s SATISFIABLE\nv 1 0\ns UNSATISFIABLE\n", "out:3:1: 's': a second s line"),
        ("s MAYBE\n", "out:1:3: 'MAYBE': no claim: one of SATISFIABLE, UNSATISFIABLE, UNKNOWN"
         " is needed"),
        ("s\n", "out:1:1: no claim: one of SATISFIABLE, UNSATISFIABLE, UNKNOWN is needed"),
        ("v 1 2 0\n", "out: v lines, but no s line: cut off?"),
        ("s SATISFIABLE\n", "out: the claim is SATISFIABLE, and there is no model"),
        ("s SATISFIABLE\nv 1 2\n", "out: no 0 ends the model: cut off?"),
        ("SAT\n1 2\n", "out: no 0 ends the model: cut off?"),
        ("SAT\n", "out: the claim is SATISFIABLE, and there is no model"),
        ("s UNSATISFIABLE\nv 1 0\n", "out: a model, and the claim is UNSATISFIABLE"),
        ("UNSAT\n1 0\n", "out:2:1: '1': literals of a model, and the claim is UNSATISFIABLE"),
        ("s SATISFIABLE\nv 1 -2 2 0\n", "out:2:8: '2': the model holds -2 already"),
        ("s SATISFIABLE\nv 1 2\nv  -1 0\n", "out:3:4: '-1': the model holds 1 already"),
        ("s SATISFIABLE\nv 1 0 2\n", "out:2:7: '2': something after the 0 that ends the model"),
        ("s SATISFIABLE\nv 1 0\nv 2\n", "out:3:3: '2': something after the 0 that ends the model"),
        ("s SATISFIABLE\nv 9 10 0\n", "out:2:5: '10': a literal of no variable (there are 9)"),
        ("s SATISFIABLE\nv 1 99999999999 0\n", "out:2:5: '99999999999': no literal"),
        ("s SATISFIABLE\nv 1 -0\n", "out:2:5: '-0': no literal"),
        ("s SATISFIABLE\nv 1 +2 0\n", "out:2:5: '+2': no literal"),
        ("s SATISFIABLE\nv 1 2_3 0\n", "out:2:5: '2_3': no literal"),
        ("s SATISFIABLE\nv 1 0x2 0\n", "out:2:5: '0x2': no literal"),
        ("s SATISFIABLE\nv 1 \u0663 0\n", r"out:2:5: '\xd9\xa3': no literal"),
        ("s SATISFIABLE\nv 1 \0 0\n", r"out:2:5: '\x00': no literal"),
        ("s SATISFIABLE\nhello\n", "out:2:1: 'hello': neither a c, s nor v line"),
        ("SATISFIABLE\n", "out:1:1: 'SATISFIABLE': neither an s or v line, nor SAT or UNSAT, nor"
         " literals"),
        ("SAT\nv 1 0\n", "out:2:1: 'v': no literal"),
        ("1 2 0\nSAT\n", "out:2:1: 'SAT': no literal"),
    ],
)  # fmt: skip
def test_a_defect_is_one_line_with_its_place(text, message):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value) == message


@given(st.binary(max_size=60))
def test_bytes_end_in_an_output_or_an_error(data):
    # Without a number of variables any literal is read.
    assert read("s SATISFIABLE\nv 123456789 0", None).literals == (123456789,)
    for start in (b"", b"s SATISFIABLE\nv ", b"SAT\n", b"1 -2 "):
        with suppress(FormatError):
            found = read(start + data)
            assert not {-lit for lit in found.literals} & {*found.literals}


@given(st.lists(st.booleans(), max_size=300), st.integers(0, 10**6))
def test_value_lines_are_read_back_and_stay_under_80_columns(signs, base):
    model = [(base + v) * (1 if sign else -1) for v, sign in enumerate(signs, start=1)]
    lines = list(value_lines(model))
    assert max(map(len, lines)) < 80
    assert all(len(line) > 60 for line in lines[:-1])
    found = read("\n".join(["s SATISFIABLE", *lines]), None)
    assert (found.claim, found.literals) == (Claim.SATISFIABLE, tuple(model))
