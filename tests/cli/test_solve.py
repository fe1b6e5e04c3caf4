"""``solve``: the competitions' output and exit codes, and solutions that hold."""

from pathlib import Path

import pytest

from pbcnf.proof import check_drat, read_cnf, read_drat
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
    "lp": (
        "Maximize\n x + 2 y\nSubject To\n x + y <= 1\nBinary\n x y\nEnd\n",
        30,
        [],
        ["-x y", "2"],
    ),
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


def test_integers_of_smt_lib_come_with_their_values() -> None:
    pytest.importorskip("pysmt")
    # By hand: without b, 3x = y + 7 and the cost is 5x - 7; x = 1 gives y = -4.
    ended = call("solve", "-", board=INTEGERS)
    assert (ended.code, lines(ended.out, "v")) == (30, ["-b x=1 y=-4"])
    answer = call("solve", "-", "--json", board=INTEGERS).json
    assert (answer["value"], answer["values"]) == (-2, {"b": 0, "x": 1, "y": -4})


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_answered_as_its_competition_asks(name: str) -> None:
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


def test_json_says_the_same_in_one_object(tmp_path: Path) -> None:
    path = tmp_path / "packing.opb"
    path.write_text(PACKING)
    answer = call("solve", "--json", path).json
    assert answer["schema"] == "satsweeper/solve/1"
    assert (answer["status"], answer["value"], answer["bound"]) == ("OPTIMUM FOUND", 9, 9)
    assert answer["values"] == {"x1": 1, "x2": 0, "x3": 1, "x4": 1}


def test_before_anything_is_known_the_object_has_the_same_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*arguments: object) -> None:
        raise TimeIsUp

    solved = call("solve", "-", "--json", board=PACKING).json
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


def test_an_objective_of_decimals_has_the_values_of_the_file() -> None:
    ended = call("solve", "-", board=DECIMALS)
    assert (ended.code, lines(ended.out, "o")[-1]) == (30, "1.75")
    assert "bound 1.75\n" in ended.out
    answer = call("solve", "-", "--json", board=DECIMALS).json
    assert (answer["value"], answer["bound"]) == ("1.75", "1.75")


def test_values_are_of_the_names_in_constraints_not_of_those_in_comments() -> None:
    named = "* x1 = tent\n* x2 = tent\nmax: 3 x1 2 x2 ;\n1 x1 1 x2 <= 1 ;\n"
    assert lines(call("solve", "-", board=named).out, "v") == ["x1 -x2"]
    answer = call("solve", "-", "--json", board=named).json
    assert answer["values"] == {"tent [1]": 1, "tent [2]": 0}


def test_names_of_smt_lib_that_look_like_values_stand_between_bars() -> None:
    pytest.importorskip("pysmt")
    script = "(declare-const |-a| Bool)(declare-const c=1 Bool)(assert (and |-a| (not c=1)))"
    assert lines(call("solve", "-", board=script).out, "v") == ["|-a| -|c=1|"]


@pytest.mark.parametrize("strategy", ["auto", "core-guided", "linear"])
@pytest.mark.parametrize("options", [[], ["--encoding", "adder"], ["--solver", "cadical153"]])
def test_every_strategy_encoder_and_solver_finds_the_same(
    strategy: str, options: list[str]
) -> None:
    ended = call("solve", "--strategy", strategy, *options, "-", board=PACKING)
    assert (ended.code, lines(ended.out, "o")[-1]) == (30, "9")


@pytest.mark.parametrize(
    ("text", "code"),
    [(PACKING, 30), ("min: 1 x1 ;\n1 x1 >= 2 ;\n", 20), ("p cnf 1 2\n1 0\n-1 0\n", 20)],
)
def test_a_proof_refutes_the_formula_that_goes_with_it(
    tmp_path: Path, text: str, code: int
) -> None:
    proof, formula = tmp_path / "proof", tmp_path / "formula"
    ended = call("solve", "-", "--proof", proof, "--formula", formula, board=text)
    assert ended.code == code
    check_drat(read_cnf(formula).clauses, read_drat(proof))


def test_where_there_is_nothing_to_prove_no_file_is_touched(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    ended = call("solve", "-", "--proof", proof, board="p cnf 1 1\n1 0\n")
    assert ended.code == 10
    assert "no proof" in ended.out
    assert not proof.exists()


def test_a_program_on_path_optimises_by_linear_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os
    import sys

    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    program = tmp_path / "plain"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "from pysat.formula import CNF\n"
        "from pysat.solvers import Solver\n"
        "formula = CNF(from_file=sys.argv[-1])\n"
        "with Solver('minisat22', bootstrap_with=formula.clauses) as solver:\n"
        "    if not solver.solve():\n"
        "        print('s UNSATISFIABLE'); sys.exit(20)\n"
        "    held = dict.fromkeys(range(1, formula.nv + 1), -1)\n"
        "    print('s SATISFIABLE')\n"
        "    model = {abs(l): l for l in solver.get_model()}\n"
        "    print('v', *[model.get(v, -v) for v in held], 0); sys.exit(10)\n"
    )
    program.chmod(0o755)
    ended = call("solve", "-", "--solver", "external:plain", board=PACKING)
    assert (ended.code, lines(ended.out, "o")[-1]) == (30, "9")
    refused = call(
        "solve", "-", "--solver", "external:plain", "--strategy", "core-guided", board=PACKING
    )
    assert refused.code == 2
    assert "linear is the strategy for it" in refused.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--counter", "direct", "--strategy", "linear"], "direct leaves no bounds open"),
        (["--max-clauses", "1"], "constraint 1: "),
    ],
)
def test_what_only_the_problem_shows_to_be_impossible_is_one_line(
    options: list[str], message: str
) -> None:
    ended = call("solve", "-", *options, board=PACKING)
    assert (ended.code, ended.err.count("\n"), lines(ended.out, "s")) == (2, 1, [])
    assert message in ended.err
