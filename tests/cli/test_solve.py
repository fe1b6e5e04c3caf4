"""``solve``: the competitions' output and exit codes, whatever ends it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic

import pytest

from pbcnf.proof import check_drat, read_cnf, read_drat
from satsweeper.cli.competition_output import BestSoFarFile
from satsweeper.cli.lifetime import TimeIsUp
from tests.commands import call

PACKING = """* #variable= 4 #constraint= 2
max: 5 x1 4 x2 3 x3 1 x4 ;
2 x1 3 x2 1 x3 1 x4 <= 4 ;
1 x1 1 x2 <= 1 ;
"""


def lines(out: str, letter: str) -> list[str]:
    return [line[2:] for line in out.splitlines() if line.startswith(f"{letter} ")]


FORMATS = {
    "opb": (PACKING, 30, ["5", "8"], ["x1 -x2 x3 x4", "9"]),
    "names": ("* OPB\nmin: 2 cat 3 dog ;\n1 cat 1 dog >= 1 ;\n", 30, ["2"], ["cat -dog", "2"]),
    "products": ("* OPB\nmin: 1 x1 x2 -1 x3 ;\n1 x1 1 x2 >= 2 ;\n", 30, [], ["x1 x2 x3", "0"]),
    "wbo": ("soft: ;\n[3] 1 x1 >= 1 ;\n[2] 1 ~x1 >= 1 ;\n", 30, [], ["x1", "2"]),
    "wcnf": ("h 1 2 0\n3 -1 0\n1 -2 0\n1 -2 -1 0\n", 30, [], ["01", "1"]),
    "old wcnf": ("p wcnf 3 2 9\n9 1 2 0\n1 -1 -2 3 0\n", 30, [], ["", "0"]),
    "hard wcnf": ("p wcnf 3 2 9\n9 1 2 0\n9 -1 0\n", 30, [], ["01", "0"]),
    "cnf": ("p cnf 3 2\n1 2 0\n-1 0\n", 10, None, ["-1 2", ""]),
    "knf": ("p knf 3 1\nk 3 1 2 -3 0\n", 10, None, ["1 2 -3 0", ""]),
    "cnf+": ("p cnf+ 2 1\n-1 -2 <= 0\n", 10, None, ["1 2 0", ""]),
    "lp": ("Max\n x + 2 y\nSubject To\n x + y <= 1\nBinary\n x y\nEnd\n", 30, [], ["-x y", "2"]),
    "no model": ("min: 1 x1 ;\n1 x1 >= 2 ;\n", 20, None, None),
    "no model of cnf": ("p cnf 1 2\n1 0\n-1 0\n", 20, None, None),
}


INTEGERS = """(set-logic QF_LIA)
(declare-const x Int)(declare-const b Bool)(declare-const y Int)
(assert (<= 0 x 20))(assert (<= (- 5) y 20))
(assert (=> b (>= (+ x y) 15)))(assert (or b (= (* 3 x) (+ y 7))))
(assert (distinct x y (- 1)))
(minimize (+ (* 2 x) y (ite b 4 0)))
"""


def test_integers_of_smt_lib_come_with_their_values():
    pytest.importorskip("pysmt")
    # By hand: without b, 3x = y + 7 and the cost is 5x - 7; x = 1 gives y = -4.
    ended = call("solve", "-", board=INTEGERS)
    assert (ended.code, lines(ended.out, "v")) == (30, ["-b x=1 y=-4"])
    answer = call("solve", "-", "--json", board=INTEGERS).json
    assert (answer["value"], answer["values"]) == (-2, {"b": 0, "x": 1, "y": -4})


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_answered_as_its_competition_asks(name):
    text, code, _, model = FORMATS[name]
    ended = call("solve", "-", board=text)
    assert (ended.code, ended.err) == (code, "")
    status = {30: "OPTIMUM FOUND", 10: "SATISFIABLE", 20: "UNSATISFIABLE"}[code]
    assert lines(ended.out, "s") == [status]
    if model is None:
        assert lines(ended.out, "v") == []
        return
    values, value = model
    (said,) = lines(ended.out, "v")
    assert said.startswith(values)
    costs = [int(each) for each in lines(ended.out, "o")]
    if value:
        better = costs if "max" in text.lower() else [-each for each in costs]
        assert better == sorted({*better})
        assert costs[-1] == int(value)
    else:
        assert not costs


def test_json_says_the_same_in_one_object_with_the_same_keys_before_anything_is_known(monkeypatch):
    def late(*arguments: object) -> None:
        raise TimeIsUp

    solved = call("solve", "-", "--json", board=PACKING).json
    assert solved["schema"] == "satsweeper/solve/1"
    assert (solved["status"], solved["value"], solved["bound"]) == ("OPTIMUM FOUND", 9, 9)
    assert solved["values"] == {"x1": 1, "x2": 0, "x3": 1, "x4": 1}
    monkeypatch.setattr("satsweeper.cli.solve._read", late)
    answer = call("solve", "-", "--json", board=PACKING).json
    assert (answer.keys(), answer["schema"]) == (solved.keys(), solved["schema"])
    assert (answer["status"], answer["reason"], answer["value"]) == ("UNKNOWN", "time", None)


DECIMALS = """Minimize
 0.5 x + .25 y + 1.5
Subject To
 x + y >= 1
Binary
 x y
End
"""


def test_an_objective_of_decimals_has_the_values_of_the_file():
    ended = call("solve", "-", board=DECIMALS)
    assert (ended.code, lines(ended.out, "o")[-1]) == (30, "1.75")
    assert "bound 1.75\n" in ended.out
    answer = call("solve", "-", "--json", board=DECIMALS).json
    assert (answer["value"], answer["bound"]) == ("1.75", "1.75")


def test_values_are_of_the_names_in_constraints_not_of_those_in_comments():
    named = "* x1 = tent\n* x2 = tent\nmax: 3 x1 2 x2 ;\n1 x1 1 x2 <= 1 ;\n"
    assert lines(call("solve", "-", board=named).out, "v") == ["x1 -x2"]
    answer = call("solve", "-", "--json", board=named).json
    assert answer["values"] == {"tent [1]": 1, "tent [2]": 0}


def test_names_of_smt_lib_that_look_like_values_stand_between_bars():
    pytest.importorskip("pysmt")
    script = "(declare-const |-a| Bool)(declare-const c=1 Bool)(assert (and |-a| (not c=1)))"
    assert lines(call("solve", "-", board=script).out, "v") == ["|-a| -|c=1|"]


@pytest.mark.parametrize("strategy", ["auto", "core-guided", "linear"])
@pytest.mark.parametrize("options", [[], ["--encoding", "adder"], ["--solver", "cadical153"]])
def test_every_strategy_encoder_and_solver_finds_the_same(strategy, options):
    ended = call("solve", "--strategy", strategy, *options, "-", board=PACKING)
    assert (ended.code, lines(ended.out, "o")[-1]) == (30, "9")


@pytest.mark.parametrize(
    ("text", "code"),
    [(PACKING, 30), ("min: 1 x1 ;\n1 x1 >= 2 ;\n", 20), ("p cnf 1 2\n1 0\n-1 0\n", 20)],
)
def test_a_proof_refutes_the_formula_that_goes_with_it(tmp_path, text, code):
    proof, formula = tmp_path / "proof", tmp_path / "formula"
    assert call("solve", "-", "--proof", proof, "--formula", formula, board=text).code == code
    check_drat(read_cnf(formula).clauses, read_drat(proof))


def test_where_there_is_nothing_to_prove_no_file_is_touched(tmp_path):
    proof = tmp_path / "proof"
    ended = call("solve", "-", "--proof", proof, board="p cnf 1 1\n1 0\n")
    assert ended.code == 10
    assert "no proof" in ended.out
    assert not proof.exists()


PROGRAM = """
import sys
from pysat.formula import CNF
from pysat.solvers import Solver
formula = CNF(from_file=sys.argv[-1])
with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
    if not solver.solve():
        print("s UNSATISFIABLE"); sys.exit(20)
    model = {abs(lit): lit for lit in solver.get_model()}
    print("s SATISFIABLE")
    print("v", *[model.get(v, -v) for v in range(1, formula.nv + 1)], 0); sys.exit(10)
"""


def test_a_program_on_path_optimises_by_linear_search(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    program = tmp_path / "plain"
    program.write_text(f"#!{sys.executable}\n{PROGRAM}")
    program.chmod(0o755)
    ended = call("solve", "-", "--solver", "external:plain", board=PACKING)
    assert (ended.code, lines(ended.out, "o")[-1]) == (30, "9")
    words = ("--solver", "external:plain", "--strategy", "core-guided")
    refused = call("solve", "-", *words, board=PACKING)
    assert (refused.code, "linear is the strategy for it" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--counter", "direct", "--strategy", "linear"], "direct leaves no bounds open"),
        (["--max-clauses", "1"], "constraint 1: "),
    ],
)
def test_what_only_the_problem_shows_to_be_impossible_is_one_line(options, message):
    ended = call("solve", "-", *options, board=PACKING)
    assert (ended.code, ended.err.count("\n"), lines(ended.out, "s")) == (2, 1, [])
    assert message in ended.err


# ``solve`` that is ended: by signals, by limits, by its reader, by what befalls its solver


PATIENCE = 60


class Covering:
    """Sets to choose from, so many that the best choice is not shown soon: text, and a check."""

    def __init__(self, sets: int = 400) -> None:
        draw = Random(1)
        self.weights = [draw.randint(50, 99) for _ in range(sets)]
        self.elements = [draw.sample(range(1, sets + 1), 5) for _ in range(sets)]
        terms = " ".join(f"+{weight} x{var}" for var, weight in enumerate(self.weights, start=1))
        rows = [" ".join(f"+1 x{var}" for var in chosen) for chosen in self.elements]
        self.text = "\n".join([f"min: {terms} ;", *(f"{row} >= 2 ;" for row in rows)]) + "\n"

    def value(self, words: list[str]) -> int:
        chosen = {int(word[1:]) for word in words if word.startswith("x")}
        assert len(words) == len(self.weights)
        assert all(len(chosen & {*held}) >= 2 for held in self.elements)
        return sum(self.weights[var - 1] for var in chosen)


@pytest.fixture(scope="module")
def covering():
    return Covering()


@pytest.fixture(scope="module")
def file(covering, tmp_path_factory):
    path = tmp_path_factory.mktemp("problems") / "covering.opb"
    path.write_text(covering.text)
    return path


def after_a_solution(process: "subprocess.Popen[str]") -> str:
    """The lines printed up to the first solution."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith("o "):
            return text
    raise AssertionError(text)


def the_rest(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """The lines printed after the first solution; ``communicate`` loses lines read ahead."""
    assert process.stdout is not None
    assert process.stderr is not None
    rest, err = process.stdout.read(), process.stderr.read()
    process.wait(PATIENCE)
    return rest, err


@pytest.mark.parametrize(
    ("name", "group"), [("SIGTERM", False), ("SIGTERM", True), ("SIGHUP", True), ("SIGXCPU", False)]
)
def test_at_a_signal_the_best_solution_so_far_is_printed_and_kept(
    start, covering, file, tmp_path, name, group
):
    kept = tmp_path / "best"
    process = start("solve", file, "--best", kept, start_new_session=True)
    before = after_a_solution(process)
    number = getattr(signal, name)
    os.killpg(process.pid, number) if group else process.send_signal(number)
    rest, err = the_rest(process)
    out = before + rest
    assert (process.returncode, err) == (10, "")
    assert lines(out, "s") == ["SATISFIABLE"]
    words = " ".join(lines(out, "v")).split()
    assert covering.value(words) == int(lines(out, "o")[-1])
    assert out.endswith(kept.read_text())


def solver_of(process: "subprocess.Popen[str]") -> int:
    """The process in which the search runs."""
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not path.exists():
        pytest.skip("the system does not tell the children of a process")
    children = path.read_text().split()
    worker = b"satsweeper.processes.worker"
    return next(int(c) for c in children if worker in Path(f"/proc/{c}/cmdline").read_bytes())


def test_a_solver_that_is_killed_leaves_the_best_solution_so_far(start, covering, file):
    process = start("solve", file)
    before = after_a_solution(process)
    os.kill(solver_of(process), signal.SIGKILL)
    rest, err = the_rest(process)
    assert (process.returncode, err) == (10, "")
    assert "c not done: solver 'minisat22' ended unexpectedly (SIGKILL)\n" in rest
    words = " ".join(lines(rest, "v")).split()
    assert covering.value(words) == int(lines(before + rest, "o")[-1])


def test_what_was_found_before_a_power_cut_is_on_disk(start, covering, file, tmp_path):
    kept = tmp_path / "best"
    process = start("solve", file, "--best", kept)
    before = after_a_solution(process)
    until = monotonic() + PATIENCE
    while not kept.exists() and monotonic() < until:
        pass
    process.kill()
    rest, _ = the_rest(process)
    text = kept.read_text()
    assert lines(text, "s") == ["SATISFIABLE"]
    found = {int(each) for each in lines(before + rest, "o")}
    assert covering.value(" ".join(lines(text, "v")).split()) in found


def test_when_the_reader_has_gone_the_search_ends(start, file, tmp_path):
    kept = tmp_path / "best"
    process = start("solve", file, "--strategy", "core-guided", "--best", kept)
    after_a_solution(process)
    solver = solver_of(process)
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert not Path(f"/proc/{solver}").exists()
    assert lines(kept.read_text(), "s") == ["SATISFIABLE"]


def test_where_hanging_up_is_ignored_it_stays_so(start, file):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = start("solve", file)
    finally:
        signal.signal(signal.SIGHUP, before)
    after_a_solution(process)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    rest, err = the_rest(process)
    assert (process.returncode, err) == (10, "")
    assert "c not done: SIGTERM\n" in rest


def test_at_ctrl_c_the_best_solution_so_far_is_printed_too(start, covering, file):
    process = start("solve", file)
    before = after_a_solution(process)
    process.send_signal(signal.SIGINT)
    rest, err = the_rest(process)
    assert (process.returncode, err) == (130, "interrupted\n")
    words = " ".join(lines(rest, "v")).split()
    assert covering.value(words) == int(lines(before + rest, "o")[-1])


def test_at_the_limit_the_best_solution_so_far_is_printed(covering, file):
    ended = call("solve", file, "--timeout", 2)
    assert ended.err == ""
    words = " ".join(lines(ended.out, "v")).split()
    found = lines(ended.out, "o")
    # A machine that is busy enough reads and encodes longer than that.
    assert (ended.code, lines(ended.out, "s")) == (
        (10, ["SATISFIABLE"]) if found else (0, ["UNKNOWN"])
    )
    if found:
        assert covering.value(words) == int(found[-1])


def test_what_is_not_read_in_time_is_unknown(child, tmp_path):
    path = tmp_path / "long.opb"
    path.write_bytes(b"+1 x1 +1 x2 >= 1 ;\n" * 500_000)
    ended = child("solve", path, "--timeout", 0.01)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[-1] == "s UNKNOWN"


# The newest of what is found, in a file: whole, up to date at the end, not written too often


def test_of_many_that_come_quickly_few_are_written_and_the_last_always(tmp_path):
    path, written, go = tmp_path / "best", [], Event()

    def lines(number: int) -> Iterator[str]:
        written.append(number)
        assert go.wait(60)
        yield f"o {number}"

    with BestSoFarFile(str(path)) as kept:
        for number in range(1_000):
            kept.put(lambda number=number: lines(number))  # type: ignore[misc]
        go.set()
    assert path.read_text() == "o 999\n"
    # One at once, and one in the pause after it at the most.
    assert written[-1] == 999
    assert len(written) <= 3


def test_without_a_name_nothing_is_made_up_at_all():
    with BestSoFarFile(None) as kept:
        kept.put(lambda: 1 / 0)  # type: ignore[return-value]
    assert kept.error is None


def test_a_file_that_cannot_be_written_is_told_at_the_end(tmp_path):
    with BestSoFarFile(str(tmp_path / "none" / "best")) as kept:
        kept.put(lambda: ["o 1"])
    assert "No such file or directory" in str(kept.error)
