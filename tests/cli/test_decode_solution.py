"""``satsweeper decode PROBLEM OUTPUT``: what was printed of a problem, checked without a map."""

from pathlib import Path

import pytest

from tests.commands import EXAMPLES, call

SMT = """(declare-const |-a| Bool)(declare-const n Int)(declare-const m Int)
(assert (<= (- 3) n 9))(assert (<= 0 m 4))(assert (=> |-a| (>= (+ n m) 7)))(assert |-a|)
(minimize (+ (* 2 n) m))
"""
MPS = """NAME
ROWS
 N  cost
 G  row
COLUMNS
    M1  'MARKER'  'INTORG'
    x#1  cost  -1.5  row  1
    y    cost  2     row  1
    M2  'MARKER'  'INTEND'
RHS
    RHS  row  2
BOUNDS
 BV BND  x#1
 BV BND  y
ENDATA
"""
SOLVED = {
    "opb": ("max: 3 a 2 ~b ;\n1 a 1 b >= 1 ;\n", "is 5"),
    "products.opb": ("min: 1 x1 x2 -1 x3 ~x1 ;\n1 x1 1 x2 >= 1 ;\n", "is -1"),
    "wbo": ("soft: ;\n[3] 1 x1 >= 1 ;\n[2] 1 ~x1 >= 1 ;\n", "is 2"),
    "wcnf": ("h 1 2 0\n3 -1 0\n1 -2 0\n1 -2 -1 0\n", "is 1"),
    "one.wcnf": ("h 1 0\n3 -1 0\n", "is 3"),
    "cnf": ("p cnf 2 2\nx1 2 0\n-1 0\n", "A model"),
    "knf": ("p knf 3 1\nk 3 1 2 -3 0\n", "A model"),
    "cnfp": ("p cnf+ 2 1\n-1 -2 <= 0\n", "A model"),
    "lp": ("Maximize\n x + .5 y\nSubject To\n x + y <= 1\nBinary\n x y\nEnd\n", "is 1."),
    "mps": (MPS, "is 0.5"),
    "smt2": (SMT, "is 10"),
    "integers.smt2": ("(declare-const n Int)(assert (<= 2 n 9))(minimize n)", "is 2"),
}


@pytest.mark.parametrize("name", SOLVED)
def test_what_solve_prints_is_a_model_again(tmp_path: Path, name: str) -> None:
    text, said = SOLVED[name]
    if name.endswith("smt2"):
        pytest.importorskip("pysmt")
    problem, printed = tmp_path / f"p.{name}", tmp_path / "out"
    problem.write_text(text)
    printed.write_text(call("solve", problem).out)
    ended = call("decode", problem, printed)
    assert (ended.code, ended.err) == (0, "")
    assert said in ended.out.splitlines()[-1]
    solved = call("solve", problem, "--json").json
    assert call("decode", problem, printed, "--json").json["values"] == solved["values"]


def test_values_of_integers_are_checked(tmp_path: Path) -> None:
    pytest.importorskip("pysmt")
    problem = tmp_path / "p.smt2"
    problem.write_text(SMT)
    for n, m, code in ((3, 4, 0), (9, 0, 0), (2, 4, 1), (10, 0, 1)):
        ended = call("decode", problem, "-", board=f"s SATISFIABLE\nv |-a| n={n} m={m}\n")
        assert ended.code == code
        assert ("wrong model" in ended.err) == bool(code)


WRONG = [
    ("wbo", "s SATISFIABLE\nv x2\n", "<stdin>:2:3: 'x2': no variable of the problem"),
    ("wbo", "s SATISFIABLE\nv\n", "incomplete: no value for x1"),
    ("wcnf", "s SATISFIABLE\nv 00\n", "wrong model: constraint 1 is violated"),
    ("wcnf", "s SATISFIABLE\nv 011\n", "'011': no variable of the problem"),
    ("opb", "s SATISFIABLE\nv -a -b\n", "wrong model: constraint 1 is violated: +1 a +1 b"),
    ("opb", "s SATISFIABLE\nv a -a\n", "the model holds 1 already"),
    ("opb", "v a b\n", "no s line: cut off?"),
    ("opb", "s UNSATISFIABLE\n", "wrong claim"),
]


@pytest.mark.parametrize(("name", "output", "message"), WRONG)
def test_a_wrong_answer_is_refused(tmp_path: Path, name: str, output: str, message: str) -> None:
    problem = tmp_path / f"p.{name}"
    problem.write_text(SOLVED[name][0])
    ended = call("decode", problem, "-", board=output)
    assert ended.code == 1
    assert message in ended.err


def test_a_board_needs_its_map() -> None:
    ended = call("decode", EXAMPLES / "expert.txt", "-", board="s SATISFIABLE\nv 1 0\n")
    assert (ended.code, ended.out) == (2, "")
    assert "is a board: --map is needed" in ended.err
