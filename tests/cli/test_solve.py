"""``solve``: the competitions' output and exit codes, whatever ends it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event

import pytest

from pbcnf.constraints.problem import Problem
from pbcnf.proof import check_drat, read_cnf, read_drat
from satsweeper.cli.competition_output import BestSoFarFile
from satsweeper.cli.lifetime import TimeIsUp
from satsweeper.optimisation.search import PaidCore, SearchLog, SolveOutcome, SolveStatus
from tests.commands import PATIENCE, Ended, call, refused, until

PACKING = """* #variable= 4 #constraint= 2
max: 5 x1 4 x2 3 x3 1 x4 ;
2 x1 3 x2 1 x3 1 x4 <= 4 ;
1 x1 1 x2 <= 1 ;
"""


FORMATS = {
    "opb": (PACKING, 30, "x1 -x2 x3 x4", "9"),
    "names": ("* OPB\nmin: 2 cat 3 dog ;\n1 cat 1 dog >= 1 ;\n", 30, "cat -dog", "2"),
    "products": ("* OPB\nmin: 1 x1 x2 -1 x3 ;\n1 x1 1 x2 >= 2 ;\n", 30, "x1 x2 x3", "0"),
    "wbo": ("soft: ;\n[3] 1 x1 >= 1 ;\n[2] 1 ~x1 >= 1 ;\n", 30, "x1", "2"),
    "wcnf": ("h 1 2 0\n3 -1 0\n1 -2 0\n1 -2 -1 0\n", 30, "01", "1"),
    "old wcnf": ("p wcnf 3 2 9\n9 1 2 0\n1 -1 -2 3 0\n", 30, "", "0"),
    "hard wcnf": ("p wcnf 3 2 9\n9 1 2 0\n9 -1 0\n", 30, "01", "0"),
    "cnf": ("p cnf 3 2\n1 2 0\n-1 0\n", 10, "-1 2", ""),
    "knf": ("p knf 3 1\nk 3 1 2 -3 0\n", 10, "1 2 -3 0", ""),
    "cnf+": ("p cnf+ 2 1\n-1 -2 <= 0\n", 10, "1 2 0", ""),
    "lp": ("Max\n x + 2 y\nSubject To\n x + y <= 1\nBinary\n x y\nEnd\n", 30, "-x y", "2"),
    "decimals": ("Min\n 0.5 x + .25 y + 1.5\nSubject To\n x + y >= 1\nBinary\n x y\nEnd\n", 30,
                 "-x y", "1.75"),
    "no model": ("min: 1 x1 ;\n1 x1 >= 2 ;\n", 20, None, None),
    "no model of cnf": ("p cnf 1 2\n1 0\n-1 0\n", 20, None, None),
}  # fmt: skip
"""A problem, the exit code, how the values begin, and the best value."""


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_answered_as_its_competition_asks(name):
    text, code, values, value = FORMATS[name]
    ended = call("solve", "-", board=text)
    assert (ended.code, ended.err) == (code, "")
    status = {30: "OPTIMUM FOUND", 10: "SATISFIABLE", 20: "UNSATISFIABLE"}[code]
    assert ended.lines("s") == [status]
    if values is None:
        assert ended.lines("v") == []
        return
    (said,) = ended.lines("v")
    assert said.startswith(values)
    costs = ended.lines("o")
    numbers = [float(each) if "max" in text.lower() else -float(each) for each in costs]
    assert numbers == sorted({*numbers})
    assert costs[-1:] == ([value] if value else [])


INTEGERS = """(set-logic QF_LIA)
(declare-const x Int)(declare-const b Bool)(declare-const y Int)
(assert (<= 0 x 20))(assert (<= (- 5) y 20))
(assert (=> b (>= (+ x y) 15)))(assert (or b (= (* 3 x) (+ y 7))))
(assert (distinct x y (- 1)))
(minimize (+ (* 2 x) y (ite b 4 0)))
"""


def test_integers_of_smt_lib_come_with_their_values_and_odd_names_between_bars():
    pytest.importorskip("pysmt")
    # By hand: without b, 3x = y + 7 and the cost is 5x - 7; x = 1 gives y = -4.
    ended = call("solve", "-", board=INTEGERS)
    assert (ended.code, ended.lines("v")) == (30, ["-b x=1 y=-4"])
    answer = call("solve", "-", "--json", board=INTEGERS).json
    assert (answer["value"], answer["values"]) == (-2, {"b": 0, "x": 1, "y": -4})
    script = "(declare-const |-a| Bool)(declare-const c=1 Bool)(assert (and |-a| (not c=1)))"
    assert call("solve", "-", board=script).lines("v") == ["|-a| -|c=1|"]


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


def test_bounds_are_decimals_and_values_of_the_names_in_constraints_not_in_comments():
    text = FORMATS["decimals"][0]
    assert "bound 1.75\n" in call("solve", "-", board=text).out
    answer = call("solve", "-", "--json", board=text).json
    assert (answer["value"], answer["bound"]) == ("1.75", "1.75")
    named = "* x1 = tent\n* x2 = tent\nmax: 3 x1 2 x2 ;\n1 x1 1 x2 <= 1 ;\n"
    assert call("solve", "-", board=named).lines("v") == ["x1 -x2"]
    answer = call("solve", "-", "--json", board=named).json
    assert answer["values"] == {"tent [1]": 1, "tent [2]": 0}


@pytest.mark.parametrize("strategy", ["auto", "core-guided", "branching", "linear"])
@pytest.mark.parametrize("options", [[], ["--encoding", "adder"], ["--solver", "cadical153"]])
def test_every_strategy_encoder_and_solver_finds_the_same(strategy, options):
    ended = call("solve", "--strategy", strategy, *options, "-", board=PACKING)
    assert (ended.code, ended.lines("o")[-1]) == (30, "9")


@pytest.mark.parametrize("name", ["opb", "no model", "no model of cnf"])
def test_a_proof_refutes_the_formula_that_goes_with_it(tmp_path, name):
    text, code, *_ = FORMATS[name]
    proof, formula = tmp_path / "proof", tmp_path / "formula"
    assert call("solve", "-", "--proof", proof, "--formula", formula, board=text).code == code
    check_drat(read_cnf(formula).clauses, read_drat(proof))


@pytest.mark.parametrize("name", FORMATS)
def test_check_says_what_the_proof_of_an_answer_proves(tmp_path, name):
    text, code, _, value = FORMATS[name]
    proof, plain = tmp_path / "answer.pbp", tmp_path / "answer.pbp.opb"
    ended = call("solve", "-", "--proof", proof, board=text)
    assert (ended.code, ended.lines("c")[-1].startswith("proof: ")) == (code, True)
    checked = call("check", plain, proof, "--json", "--no-external")
    status = {30: "OPTIMUM FOUND", 10: "SATISFIABLE", 20: "UNSATISFIABLE"}[code]
    assert (checked.code, checked.json["status"]) == (20 if code == 20 else 0, status)
    if value and name not in ("decimals", "products"):
        least = -int(value) if "max" in text.lower() else int(value)
        assert checked.json["lower"] == checked.json["upper"] == least


def test_a_plain_opb_file_is_where_its_proof_begins_and_no_other_is_written(tmp_path):
    problem, proof = tmp_path / "a.opb", tmp_path / "proof"
    problem.write_text("min: 2 x1 3 x2 ;\n1 x1 1 x2 >= 1 ;\n")
    pbp = ["--proof-format", "pbp"]
    answer = call("solve", problem, "--proof", proof, *pbp, "--json").json
    assert (answer["proof"]["formula"], answer["no_proof"]) == (None, None)
    assert {path.name for path in tmp_path.iterdir()} == {"a.opb", "proof"}
    assert "verified: optimum 2 proved" in call("check", problem, proof, "--no-external").out
    proof.write_text(proof.read_text().replace("BOUNDS 2", "BOUNDS 3"))
    assert "a solution has 2: 3 is no lower bound" in call("check", problem, proof).err
    assert "concludes nothing" in call("check", problem, _nothing(tmp_path)).err


def test_a_problem_of_soft_clauses_alone_is_written_as_opb_beside_its_proof(tmp_path):
    proof = tmp_path / "a.pbp"
    ended = call("solve", "-", "--proof", proof, board="p wcnf 1 2\n1 1 0\n2 -1 0\n")
    assert (ended.code, ended.lines("o")) == (30, ["1"])
    checked = call("check", f"{proof}.opb", proof, "--no-external", "--json").json
    assert checked["status"] == "OPTIMUM FOUND"


def test_a_solution_found_in_time_has_a_proof_of_the_bound_that_was_reached(tmp_path, monkeypatch):
    problem, proof = tmp_path / "a.opb", tmp_path / "a.pbp"
    problem.write_text("min: 2 x1 3 x2 4 x3 ;\n1 x1 1 x2 1 x3 >= 2 ;\n1 x1 >= 0 ;\n")

    def stopped(problem: Problem, *_: object, log: SearchLog, **__: object) -> SolveOutcome:
        # x2 and x3 cost 7, and a core of all three says that something must be paid.
        log.cores.append(PaidCore((-1, -2, -3), 2))
        return SolveOutcome(SolveStatus.SATISFIABLE, (-1, 2, 3), 7, 2, "time", 1)

    monkeypatch.setattr("satsweeper.optimisation.run.solve", stopped)
    # Beside other threads, which tests before this one may have left, the worker is a new process.
    monkeypatch.setattr("satsweeper.processes.worker.threading.active_count", lambda: 1)
    ended = call("solve", problem, "--proof", proof)
    assert (ended.code, ended.lines("s"), ended.lines("v")) == (10, ["SATISFIABLE"], ["-x1 x2 x3"])
    assert ", of the bound 2 on what is minimised; " in ended.out
    shown = call("check", problem, proof, "--no-external")
    assert (shown.code, "the optimum is from 2 to 7" in shown.out) == (0, True)
    answer = call("solve", problem, "--proof", proof, "--json").json
    assert (answer["status"], answer["proof"]["bound"], answer["no_proof"]) == (
        "SATISFIABLE",
        2,
        None,
    )


def _nothing(folder: Path) -> Path:
    path = folder / "nothing.pbp"
    lines = "f 1 ;", "output NONE ;", "conclusion NONE ;", "end pseudo-Boolean proof ;"
    path.write_text("\n".join(["pseudo-Boolean proof version 3.0", *lines]) + "\n")
    return path


def test_an_answer_whose_proof_is_not_done_says_so_and_ends_with_124(tmp_path, monkeypatch):
    def late(*arguments: object) -> tuple[SolveOutcome, None]:
        return SolveOutcome(SolveStatus.OPTIMUM, (1, -2, 3, 4), 9, 9), None

    monkeypatch.setattr("satsweeper.optimisation.run.solve_apart", late)
    ended = call("solve", "-", "--proof", tmp_path / "a.pbp", board=PACKING)
    assert (ended.code, ended.lines("s")) == (124, ["OPTIMUM FOUND"])
    assert "c OPTIMUM FOUND, its proof not done: time\n" in ended.out
    answer = call("solve", "-", "--json", "--proof", tmp_path / "a.pbp", board=PACKING).json
    assert (answer["proof"], answer["no_proof"]) == (None, "time")
    assert list(tmp_path.iterdir()) == []


def test_where_there_is_nothing_to_prove_no_file_is_touched(tmp_path):
    ended = call("solve", "-", "--proof", tmp_path / "proof", board="p cnf 1 1\n1 0\n")
    assert (ended.code, "no proof" in ended.out) == (10, True)
    assert list(tmp_path.iterdir()) == []


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
    words = ("solve", "-", "--solver", "external:plain")
    ended = call(*words, board=PACKING)
    assert (ended.code, ended.lines("o")[-1]) == (30, "9")
    wrong = refused(2, *words, "--strategy", "core-guided", board=PACKING)
    assert "linear is the strategy for it" in wrong.err


@pytest.mark.parametrize(
    ("options", "message"),
    [("--counter direct --strategy linear", "direct leaves no bounds open"),
     ("--max-clauses 1 --strategy linear", "constraint 1: ")],
)  # fmt: skip
def test_what_only_the_problem_shows_to_be_impossible_is_one_line(options, message):
    ended = call("solve", "-", *options.split(), board=PACKING)
    assert (ended.code, ended.err.count("\n"), ended.lines("s")) == (2, 1, [])
    assert message in ended.err


# ``solve`` that is ended: by signals, by limits, by its reader, by what befalls its solver


class Covering:
    """Sets to choose from, so many that the best choice is not shown soon: text, and a check."""

    def __init__(self, sets: int = 400) -> None:
        draw = Random(1)
        self.weights = [draw.randint(50, 99) for _ in range(sets)]
        self.elements = [draw.sample(range(1, sets + 1), 5) for _ in range(sets)]
        terms = " ".join(f"+{weight} x{var}" for var, weight in enumerate(self.weights, start=1))
        rows = [" ".join(f"+1 x{var}" for var in chosen) for chosen in self.elements]
        self.text = "\n".join([f"min: {terms} ;", *(f"{row} >= 2 ;" for row in rows)]) + "\n"

    def value(self, out: str) -> int:
        """The value of the solution in an answer, which has every variable."""
        words = " ".join(Ended(0, out, "").lines("v")).split()
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


def ended_after(process: "subprocess.Popen[str]", before: str) -> Ended:
    """How a process ends that printed this before; ``communicate`` loses lines read ahead."""
    assert process.stdout is not None
    assert process.stderr is not None
    rest, err = process.stdout.read(), process.stderr.read()
    return Ended(process.wait(PATIENCE), before + rest, err)


@pytest.mark.parametrize(
    ("name", "group", "code", "err"),
    [("SIGTERM", False, 10, ""), ("SIGTERM", True, 10, ""), ("SIGHUP", True, 10, ""),
     ("SIGXCPU", False, 10, ""), ("SIGINT", False, 130, "interrupted\n")],
)  # fmt: skip
def test_at_a_signal_the_best_solution_so_far_is_printed_and_kept(
    start, covering, file, tmp_path, name, group, code, err
):
    kept = tmp_path / "best"
    process = start("solve", file, "--best", kept, start_new_session=True)
    before = after_a_solution(process)
    number = getattr(signal, name)
    os.killpg(process.pid, number) if group else process.send_signal(number)
    ended = ended_after(process, before)
    assert (ended.code, ended.err) == (code, err)
    assert ended.lines("s") == ["SATISFIABLE"]
    assert covering.value(ended.out) == int(ended.lines("o")[-1])
    assert ended.out.endswith(kept.read_text())


def solver_of(process: "subprocess.Popen[str]") -> int:
    """The process in which the search runs."""
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not path.exists():
        pytest.skip("the system does not tell the children of a process")
    (solver,) = path.read_text().split()
    return int(solver)


def test_a_solver_that_is_killed_leaves_the_best_solution_so_far(start, covering, file):
    process = start("solve", file)
    before = after_a_solution(process)
    os.kill(solver_of(process), signal.SIGKILL)
    ended = ended_after(process, before)
    assert (ended.code, ended.err) == (10, "")
    assert "c not done: solver 'minisat22' ended unexpectedly (SIGKILL)\n" in ended.out
    assert covering.value(ended.out) == int(ended.lines("o")[-1])


def test_what_was_found_before_a_power_cut_is_on_disk(start, covering, file, tmp_path):
    kept = tmp_path / "best"
    process = start("solve", file, "--best", kept)
    before = after_a_solution(process)
    until(kept.exists, "a solution on the disk")
    process.kill()
    ended, text = ended_after(process, before), kept.read_text()
    assert Ended(0, text, "").lines("s") == ["SATISFIABLE"]
    assert covering.value(text) in {int(each) for each in ended.lines("o")}


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
    assert Ended(0, kept.read_text(), "").lines("s") == ["SATISFIABLE"]


def test_where_hanging_up_is_ignored_it_stays_so(start, file):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = start("solve", file)
    finally:
        signal.signal(signal.SIGHUP, before)
    said = after_a_solution(process)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    ended = ended_after(process, said)
    assert (ended.code, ended.err) == (10, "")
    assert "c not done: SIGTERM\n" in ended.out


def test_at_the_limit_the_best_solution_so_far_is_printed(covering, file):
    ended = call("solve", file, "--timeout", 2)
    assert ended.err == ""
    found = ended.lines("o")
    # A machine that is busy enough reads and encodes longer than that.
    expected = (10, ["SATISFIABLE"]) if found else (0, ["UNKNOWN"])
    assert (ended.code, ended.lines("s")) == expected
    if found:
        assert covering.value(ended.out) == int(found[-1])


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
