"""``decode``: answers from elsewhere, judged on the board or the problem, in one line."""

import json
import lzma
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from satsweeper.search.algebraic_fallback import AlgebraicProof
from tests.commands import EXAMPLES, answer, call, done, refused, solved
from tests.problem_files import SOFT


class Files(NamedTuple):
    """A board or problem, the map and the formula; and how decode is asked of what is typed."""

    given: Path
    map: Path
    formula: Path

    @property
    def decode(self) -> list[object]:
        return ["decode", self.given, "--map", self.map, "-"]


@pytest.fixture
def export(tmp_path):
    def run(text: str, *options: object) -> Files:
        files = Files(tmp_path / "board.txt", tmp_path / "map.json", tmp_path / "board.cnf")
        files.given.write_text(text)
        done("export", files.given, "-o", files.formula, "--map", files.map, *options)
        return files

    return run


# All clues are met by the mine in their corner alone; the other one is in the last column.
CORNER = "3 4 2\n?1??\n11??\n????\n"


@pytest.mark.parametrize("form", ["{0}", "SAT\n{1} 0\n", "{1} 0\n", "{1}\n", "c hi\n{0}"])
def test_every_form_of_output_gives_the_same_board(export, form):
    files = export("2 3 1\n1??\n1??\n")
    model = solved(files.formula)
    text = form.format(answer(model), " ".join(map(str, model)))
    ruler, *rows, legend, sentence = done(*files.decode, board=text).out.splitlines()
    assert ruler == "    0 1 2"
    assert rows in (["0   1 M S", "1   1 S S"], ["0   1 S S", "1   1 M S"])
    assert legend == "S no mine   M mine   ? left open   F flag   0-8 clue"
    assert sentence == "A layout: 1 mine, as the total says; every clue is met."


def test_the_json_has_the_board_and_what_is_left_open(export):
    files = export("1?????\n1?????\n", "--mines", "unknown")
    numbers = json.loads(files.map.read_text())["variables"]
    cell = {tuple(role["cell"]): int(variable) for variable, role in numbers.items()}
    model = answer([cell[0, 1], -cell[1, 1], cell[0, 5]])
    assert done(*files.decode, "--json", board=model).json == {
        "schema": "satsweeper/decode/1", "rows": 2, "columns": 6, "mines": None,
        "claim": "SATISFIABLE", "judgement": "right", "grid": ["1M???M", "1S????"],
        "free": [[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [1, 5]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("mines", "wrong", "sentence"),
    [([(0, 0), (0, 2), (1, 2)], {"clue": [0, 1], "shown": 1, "counted": 3},
      "the 1 at (0, 1) has 3 mines around it"),
     ([(0, 0), (2, 1)], {"clue": [1, 0], "shown": 1, "counted": 2},
      "the 1 at (1, 0) has 2 mines around it"),
     ([(0, 0)], {"total": 2, "counted": 1}, "1 mine, and the total is 2")],
)  # fmt: skip
def test_a_wrong_model_is_named_by_the_first_clue_it_breaks_or_the_total(
    export, mines, wrong, sentence
):
    files = export(CORNER)
    numbers = json.loads(files.map.read_text())["variables"]
    model = [
        int(variable) * (1 if tuple(role["cell"]) in mines else -1)
        for variable, role in numbers.items()
    ]
    said = f"<stdin>: wrong model: {sentence}\n"
    assert call(*files.decode, board=answer(model)) == (1, "", said, "")
    ended = call(*files.decode, "--json", board=answer(model))
    assert (ended.code, ended.err) == (1, said)
    assert (ended.json["judgement"], ended.json["wrong"]) == ("wrong", wrong)
    assert "grid" not in ended.json


def test_the_total_of_the_map_counts_and_flags_as_they_were_exported(export):
    files = export("1 3 3\nF2?\n")
    assert call(*files.decode, board="UNSAT\n").code == 20
    files = export("1 3 3\nF2?\n", "--mines", "2")
    lines = call(*files.decode, board=answer(solved(files.formula))).out.splitlines()
    assert lines[1] == "0   F 2 M"
    assert lines[-1] == "A layout: 1 mine and 1 flag, as the total says; every clue is met."
    files = export("1 3 3\nF2?\n", "--mines", "2", "--flags", "ignore")
    ended = call(*files.decode, board=answer(solved(files.formula)))
    assert ended.out.splitlines()[1] == "0   M 2 M"


def test_a_claim_of_no_layout_is_confirmed_or_found_out_and_no_answer_is_a_limit(export):
    files = export("1?3\n???\n?1?\n")
    said = "The solver claims that the board has no layout. Our own search agrees.\n"
    assert call(*files.decode, board="s UNSATISFIABLE\n") == (20, said, "", "")
    ended = call(*files.decode, "--json", board="UNSAT\n")
    assert (ended.code, ended.json["judgement"]) == (20, "right")
    files = export(CORNER)
    ended = call(*files.decode, "--json", board="s UNSATISFIABLE\n")
    assert (ended.code, ended.json["judgement"]) == (1, "wrong")
    assert ended.json["wrong"] == {"claim": "UNSATISFIABLE"}
    assert ended.err == "<stdin>: wrong claim: UNSATISFIABLE, but the board has a layout\n"
    ended = call(*files.decode, board="c time is up\ns UNKNOWN\n")
    assert ended == (124, "The solver has no answer.\n", "", "")
    assert call(*files.decode, "--json", board="INDET\n").json["judgement"] == "unknown"


def test_a_claim_that_we_cannot_confirm_in_time_says_so(hard, export, monkeypatch):
    prove = "satsweeper.search.algebraic_fallback.prove_without_search"
    monkeypatch.setattr(prove, lambda *arguments: AlgebraicProof())
    words = (*export(hard.read_text()).decode, "--timeout", "0.01", "--json")
    ended = call(*words, board="s UNSATISFIABLE\n")
    assert (ended.code, ended.err, ended.json["judgement"]) == (20, "", "unconfirmed")


@pytest.mark.parametrize(
    ("output", "message"),
    [("s SATISFIABLE\ns SATISFIABLE\nv 0\n", "<stdin>:2:1: 's': a second s line"),
     ("s SATISFIABLE\nv 1 -1 0\n", "<stdin>:2:5: '-1': the model holds 1 already"),
     ("s SATISFIABLE\nv 1 two 0\n", "<stdin>:2:5: 'two': no literal"),
     ("s SATISFIABLE\nv 999999 0\n", "<stdin>:2:3: '999999': a literal of no variable"),
     ("s SATISFIABLE\nv 1 0\n",
      "<stdin>: the model is incomplete: no value for (0, 2), (0, 3), (1, 2)"),
     ("", "<stdin>: empty: no claim, no literals")],
)  # fmt: skip
def test_output_that_is_no_answer_is_one_line(export, output, message):
    assert refused(1, *export(CORNER).decode, board=output).err.startswith(message)


def test_compressed_files_are_read(export):
    files = export(CORNER)
    output = files.map.with_name("out.txt")
    files.map.write_bytes(lzma.compress(files.map.read_bytes()))
    output.write_bytes(lzma.compress(answer(solved(files.formula)).encode()))
    done("decode", files.given, "--map", files.map, output)


def test_files_that_are_missing_or_another_s_are_one_line(export, tmp_path):
    files = export(CORNER)
    other, damaged = tmp_path / "other.txt", tmp_path / "damaged.gz"
    other.write_text("3 3 2\n?1?\n11?\n???\n")
    damaged.write_bytes(b"\x1f\x8bnothing")
    for board, names, output, message in (
        (other, files.map, "-", "the map is of a board of 4x3, and this one has 3x3"),
        (files.given, files.map, damaged, "damaged.gz: "),
        (files.given, damaged, "-", "damaged.gz: "),
        (files.given, files.given, "-", ":1:3: no JSON: Extra data"),
        (files.given, files.map, "no\0name", "embedded null byte"),
    ):
        ended = refused(1, "decode", board, "--map", names, output, board="1 0\n")
        assert message in ended.err
    assert call("decode", "-", "--map", files.map, "-").code == 2
    assert call("decode", files.given, files.map).code == 2


CALLS = {
    "cadical": ["-q"], "picosat": [], "clasp": ["--outf=0"], "cryptominisat5": ["--verb", "0"],
    "minisat": ["-verb=0"],
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_what_a_real_solver_says_of_the_expert_board_comes_back(export, name):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed: scripts/test --external")
    files = export((EXAMPLES / "expert.txt").read_text())
    output = files.formula.with_name("out")
    writes = name == "minisat"
    command = [name, *CALLS[name], str(files.formula), *([str(output)] if writes else [])]
    said = subprocess.run(command, capture_output=True, check=False).stdout
    if not writes:
        output.write_bytes(said)
    ended = done("decode", files.given, "--map", files.map, output)
    assert ended.out.endswith("A layout: 99 mines, as the total says; every clue is met.\n")


# ``satsweeper decode`` of an encoded problem: what others answer, back on the problem


PACKING = """* #variable= 4 #constraint= 3
* x1 = tent
* x2 = stove
* x3 = rope
* x4 = book
max: +5 x1 +4 x2 +3 x3 +1 ~x4 ;
+3 x1 +2 x2 +2 x3 +1 x4 <= 5 ;
+1 x2 +1 ~x1 >= 1 ;
+1 x3 +1 x4 <= 1 ;
"""


def holds(tent: int, stove: int, rope: int, book: int) -> bool:
    light = 3 * tent + 2 * stove + 2 * rope + book <= 5
    return light and bool(stove or not tent) and not (rope and book)


@pytest.fixture
def encode(tmp_path):
    def run(text: str, *options: object, name: str = "p.opb") -> Files:
        files = Files(tmp_path / name, tmp_path / "map.json", tmp_path / "p.cnf")
        files.given.write_text(text)
        done("encode", files.given, "-o", files.formula, "--map", files.map, *options)
        return files

    return run


def test_every_assignment_is_judged_as_the_problem_judges_it(encode):
    files = encode(PACKING)
    for x in product((0, 1), repeat=4):
        model = answer([var if true else -var for var, true in enumerate(x, start=1)])
        ended = call(*files.decode, "--json", board=model)
        assert ended.code == (0 if holds(*x) else 1), x
        if holds(*x):
            value = 5 * x[0] + 4 * x[1] + 3 * x[2] + (not x[3])
            assert ended.json == {
                "schema": "satsweeper/decode-problem/1", "variables": 4, "constraints": 3,
                "claim": "SATISFIABLE", "judgement": "right",
                "values": dict(zip(("tent", "stove", "rope", "book"), x, strict=True)),
                "free": [], "objective": {"value": value, "maximise": True},
            }  # fmt: skip
        else:
            assert (ended.json["judgement"], "values" in ended.json) == ("wrong", False)


@pytest.mark.parametrize(
    "encoding", ["adder", "decision_diagram", "binary_merge", "binary_merge_gac"]
)
@pytest.mark.parametrize(
    "form", ["s SATISFIABLE\nv {0} 0\n", "SAT\n{0} 0\n", "{0}\n", "s OPTIMUM FOUND\no 3\nv {1}\n"]
)
def test_a_model_of_the_formula_comes_back_by_the_problems_own_names(encode, encoding, form):
    files = encode(PACKING, "--encoding", encoding)
    model = solved(files.formula, 1)
    named = " ".join(f"{'-' * (v < 0)}x{abs(v)}" for v in model)
    text = form.format(" ".join(map(str, model)), named)
    assert done(*files.decode, board=text).out.splitlines() == [
        "tent = 1", "stove = 1", "rope = 0", "book = 0",
        "A model: 3 constraints, all met; the objective, to be maximised, is 10.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("model", "constraint", "text", "sums", "said"),
    [([1, 2, 3, -4], 1, "+3 tent +2 stove +2 rope +1 book <= 5", [7, 7], "the sum is 7"),
     ([1, -2, -3, -4], 2, "+1 stove +1 ~tent >= 1", [0, 0], "the sum is 0"),
     ([1, -2], 2, "+1 stove +1 ~tent >= 1", [0, 0], "the sum is 0"),
     ([1, 2, 3], 1, "+3 tent +2 stove +2 rope +1 book <= 5", [7, 8], "the sum is 7 to 8")],
)  # fmt: skip
def test_a_wrong_model_is_named_by_the_first_constraint_it_breaks(
    encode, model, constraint, text, sums, said
):
    files = encode(PACKING)
    sentence = f"constraint {constraint} is violated: {text}, and {said}"
    ended = refused(1, *files.decode, board=answer(model))
    assert ended.err == f"<stdin>: wrong model: {sentence}\n"
    found = call(*files.decode, "--json", board=answer(model)).json["wrong"]
    assert found == {"constraint": constraint, "text": text, "sum": sums}


def test_what_nothing_depends_on_may_be_left_open(encode):
    files = encode("min: +2 x3 ;\n+1 x1 +1 x2 >= 1 ;\n")
    ended = call(*files.decode, "--json", board=answer([2]))
    found = [ended.json[key] for key in ("values", "free", "objective")]
    assert ended.code == 0
    assert found == [{"x2": 1}, ["x1", "x3"], {"value": None, "maximise": False}]
    said = "left open, as nothing depends on them: 2 variables"
    assert said in call(*files.decode, board=answer([2])).out
    said = "no value for x2, which constraint 1 depends on: +1 x1 +1 x2 >= 1"
    assert said in refused(1, *files.decode, board=answer([-1])).err


def test_a_claim_of_no_model_is_asked_of_our_own_search(encode):
    files = encode(PACKING)
    said = "<stdin>: wrong claim: UNSATISFIABLE, but the problem has a model\n"
    assert call(*files.decode, board="s UNSATISFIABLE\n") == (1, "", said, "")
    assert call(*files.decode, board="s UNKNOWN\n").code == 124
    files = encode("+1 x1 +1 x2 >= 2 ;\n+1 x1 +1 x2 <= 1 ;\n")
    said = "The solver claims that the problem has no model. Our own search agrees.\n"
    assert call(*files.decode, board="UNSAT\n") == (20, said, "", "")
    wide = " ".join(f"+1 x{k}" for k in range(1, 241))
    files = encode(f"{wide} = 121 ;\n+2 x1 " + wide[6:].replace("+1", "+2") + " = 241 ;\n")
    assert call(*files.decode, "--timeout", 0.5, board="UNSAT\n").code == 20


@pytest.mark.parametrize("name", ["p.lp", "p.mps", "p.knf", "p.cnf.gz"])
def test_problems_of_every_format_come_back(tmp_path, name):
    problem, formula, names = tmp_path / name, tmp_path / "f.cnf", tmp_path / "m.json"
    assert call("encode", EXAMPLES / "committee.knf", "-o", problem).code == 0
    assert call("encode", problem, "-o", formula, "--map", names).code == 0
    solved = call("sat", formula)
    found = done("decode", problem, "--map", names, "-", "--json", board=solved.out).json["values"]
    value = [found.get(f"x{k}", found.get(str(k))) for k in range(1, 7)]
    assert sum(value) >= 3
    assert not (value[0] and value[1])
    assert value[3] or not value[2]


def test_maps_of_others_and_what_is_no_map_are_one_line(encode, tmp_path):
    files = encode(PACKING)
    other = tmp_path / "other.opb"
    other.write_text("+1 x1 +1 x2 +1 x5 >= 2 ;\n")
    ended = refused(1, "decode", other, "--map", files.map, "-", board=answer([1]))
    assert "the map is of a problem of 4 variables, and this one has 5" in ended.err
    good = json.loads(files.map.read_text())
    for bad in (
        {"variables": {"1": "x1", "3": "x3"}}, {"variables": {"1": 1}}, {"auxiliaries": None},
        {"variables": {"1": "a", "2": "a", "3": "b", "4": "c"}}, {"auxiliaries": [{"last": "7"}]},
    ):  # fmt: skip
        files.map.write_text(json.dumps(good | bad))
        refused(1, *files.decode, board=answer([1]))


def test_a_name_that_is_given_twice_gets_the_number_of_its_variable(encode):
    files = encode("* x1 = a\n* x2 = a\n* x3 = b\n+1 x1 +1 x2 +1 x3 >= 3 ;\n")
    assert json.loads(files.map.read_text())["variables"] == {"1": "a [1]", "2": "a [2]", "3": "b"}
    ended = call(*files.decode, board=answer([1, 2, 3]))
    assert ended.out.splitlines()[:3] == ["a [1] = 1", "a [2] = 1", "b = 1"]


def test_integers_of_smtlib_come_back_as_numbers(encode):
    pytest.importorskip("pysmt")
    script = "(declare-const x Int)(declare-const b Bool)(assert (<= 3 x 9))(assert (= b (> x 8)))"
    files = encode(script + "(assert (= 0 (mod x 9)))", name="p.smt2")
    ended = call(*files.decode, board=answer(solved(files.formula)))
    assert (ended.code, ended.out.splitlines()[:2]) == (0, ["b = 1", "x = 9"])


# ``satsweeper decode PROBLEM OUTPUT``: what was printed of a problem, checked without a map


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
def test_what_solve_prints_is_a_model_again(tmp_path, name):
    text, said = SOLVED[name]
    if name.endswith("smt2"):
        pytest.importorskip("pysmt")
    problem, printed = tmp_path / f"p.{name}", tmp_path / "out"
    problem.write_text(text)
    printed.write_text(call("solve", problem).out)
    assert said in done("decode", problem, printed).out.splitlines()[-1]
    solved = call("solve", problem, "--json").json
    assert call("decode", problem, printed, "--json").json["values"] == solved["values"]


def test_values_of_integers_are_checked(tmp_path):
    pytest.importorskip("pysmt")
    problem = tmp_path / "p.smt2"
    problem.write_text(SMT)
    for n, m, code in ((3, 4, 0), (9, 0, 0), (2, 4, 1), (10, 0, 1)):
        ended = call("decode", problem, "-", board=f"s SATISFIABLE\nv |-a| n={n} m={m}\n")
        assert (ended.code, "wrong model" in ended.err) == (code, bool(code))


@pytest.mark.parametrize("name", SOFT)
def test_every_answer_to_a_problem_of_soft_constraints_is_judged_and_its_cost_told(tmp_path, name):
    text, cost_of = SOFT[name]
    problem = tmp_path / f"p.{name}"
    problem.write_text(text)
    sign = "x" if name == "wbo" else ""
    for bits in product((0, 1), repeat=3):
        values = " ".join("-"[bit:] + f"{sign}{at}" for at, bit in enumerate(bits, start=1))
        output = f"s SATISFIABLE\nv {values if sign else ''.join(map(str, bits))}\n"
        cost = cost_of(bits)
        if cost is None:
            assert "wrong model: " in refused(1, "decode", problem, "-", board=output).err
        else:
            said = done("decode", problem, "-", board=output).out
            assert said.endswith(f"; the objective, to be minimised, is {cost}.\n")
    ended = refused(1, "decode", problem, "-", board="s UNSATISFIABLE\n")
    assert ended.err == "<stdin>: wrong claim: UNSATISFIABLE, but the problem has a model\n"
