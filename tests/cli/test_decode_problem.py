"""``satsweeper decode`` of an encoded problem: what others answer, back on the problem."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.commands import EXAMPLES, answer, call, solved

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
    return bool(
        3 * tent + 2 * stove + 2 * rope + book <= 5
        and (stove or not tent)
        and not (rope and book)
    )  # fmt: skip


class Encoded(NamedTuple):
    problem: Path
    map: Path
    formula: Path


@pytest.fixture
def encode(tmp_path: Path) -> Callable[..., Encoded]:
    def run(text: str, *options: object, name: str = "p.opb") -> Encoded:
        files = Encoded(tmp_path / name, tmp_path / "map.json", tmp_path / "p.cnf")
        files.problem.write_text(text)
        ended = call("encode", files.problem, "-o", files.formula, "--map", files.map, *options)
        assert ended.code == 0, ended.err
        return files

    return run


def test_every_assignment_is_judged_as_the_problem_judges_it(
    encode: Callable[..., Encoded],
) -> None:
    files = encode(PACKING)
    for x in product((0, 1), repeat=4):
        model = [var if true else -var for var, true in enumerate(x, start=1)]
        ended = call(
            "decode", files.problem, "--map", files.map, "-", "--json", board=answer(model)
        )
        assert ended.code == (0 if holds(*x) else 1), x
        if holds(*x):
            assert ended.json == {
                "schema": "satsweeper/decode-problem/1", "variables": 4, "constraints": 3,
                "claim": "SATISFIABLE", "judgement": "right",
                "values": dict(zip(("tent", "stove", "rope", "book"), x, strict=True)), "free": [],
                "objective": {
                    "value": 5 * x[0] + 4 * x[1] + 3 * x[2] + (not x[3]), "maximise": True
                },
            }  # fmt: skip
        else:
            assert ended.json["judgement"] == "wrong"
            assert "values" not in ended.json


@pytest.mark.parametrize(
    "encoding", ["adder", "decision_diagram", "binary_merge", "binary_merge_gac"]
)
@pytest.mark.parametrize(
    "form", ["s SATISFIABLE\nv {0} 0\n", "SAT\n{0} 0\n", "{0}\n", "s OPTIMUM FOUND\no 3\nv {1}\n"]
)
def test_a_model_of_the_formula_comes_back_by_the_problems_own_names(
    encode: Callable[..., Encoded], encoding: str, form: str
) -> None:
    files = encode(PACKING, "--encoding", encoding)
    model = solved(files.formula, 1)
    text = form.format(
        " ".join(map(str, model)), " ".join(f"{'-' * (v < 0)}x{abs(v)}" for v in model)
    )
    ended = call("decode", files.problem, "--map", files.map, "-", board=text)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "tent = 1", "stove = 1", "rope = 0", "book = 0",
        "A model: 3 constraints, all met; the objective, to be maximised, is 10.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("model", "wrong", "sentence"),
    [
        ([1, 2, 3, -4], {"constraint": 1, "text": "+3 tent +2 stove +2 rope +1 book <= 5",
                         "sum": [7, 7]},
         "constraint 1 is violated: +3 tent +2 stove +2 rope +1 book <= 5, and the sum is 7"),
        ([1, -2, -3, -4], {"constraint": 2, "text": "+1 stove +1 ~tent >= 1", "sum": [0, 0]},
         "constraint 2 is violated: +1 stove +1 ~tent >= 1, and the sum is 0"),
        ([1, -2], {"constraint": 2, "text": "+1 stove +1 ~tent >= 1", "sum": [0, 0]},
         "and the sum is 0"),
        ([1, 2, 3], {"constraint": 1, "text": "+3 tent +2 stove +2 rope +1 book <= 5",
                     "sum": [7, 8]}, "the sum is 7 to 8"),
    ],
)  # fmt: skip
def test_a_wrong_model_is_named_by_the_first_constraint_it_breaks(
    encode: Callable[..., Encoded], model: list[int], wrong: object, sentence: str
) -> None:
    files = encode(PACKING)
    command = ["decode", files.problem, "--map", files.map, "-"]
    ended = call(*command, board=answer(model))
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert ended.err.startswith("<stdin>: wrong model: ")
    assert ended.err.endswith(f"{sentence}\n")
    assert call(*command, "--json", board=answer(model)).json["wrong"] == wrong


def test_what_nothing_depends_on_may_be_left_open(encode: Callable[..., Encoded]) -> None:
    files = encode("min: +2 x3 ;\n+1 x1 +1 x2 >= 1 ;\n")
    command = ["decode", files.problem, "--map", files.map, "-"]
    ended = call(*command, "--json", board=answer([2]))
    assert ended.code == 0
    assert ended.json["values"] == {"x2": 1}
    assert ended.json["free"] == ["x1", "x3"]
    assert ended.json["objective"] == {"value": None, "maximise": False}
    assert (
        "left open, as nothing depends on them: 2 variables"
        in call(*command, board=answer([2])).out
    )
    ended = call(*command, board=answer([-1]))
    assert (ended.code, ended.out) == (1, "")
    assert "no value for x2, which constraint 1 depends on: +1 x1 +1 x2 >= 1" in ended.err


def test_a_claim_of_no_model_is_asked_of_our_own_search(encode: Callable[..., Encoded]) -> None:
    files = encode(PACKING)
    command = ["decode", files.problem, "--map", files.map, "-"]
    ended = call(*command, board="s UNSATISFIABLE\n")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "<stdin>: wrong claim: UNSATISFIABLE, but the problem has a model\n"
    assert call(*command, board="s UNKNOWN\n").code == 124
    files = encode("+1 x1 +1 x2 >= 2 ;\n+1 x1 +1 x2 <= 1 ;\n")
    ended = call(*command, board="UNSAT\n")
    assert (ended.code, ended.err) == (20, "")
    assert ended.out == (
        "The solver claims that the problem has no model. Our own search agrees.\n"
    )
    wide = " ".join(f"+1 x{k}" for k in range(1, 241))
    files = encode(f"{wide} = 121 ;\n+2 x1 " + wide[6:].replace("+1", "+2") + " = 241 ;\n")
    assert call(*command, "--timeout", 0.5, board="UNSAT\n").code == 20


@pytest.mark.parametrize("name", ["p.lp", "p.mps", "p.knf", "p.cnf.gz"])
def test_problems_of_every_format_come_back(tmp_path: Path, name: str) -> None:
    problem, formula, names = tmp_path / name, tmp_path / "f.cnf", tmp_path / "m.json"
    assert call("encode", EXAMPLES / "committee.knf", "-o", problem).code == 0
    assert call("encode", problem, "-o", formula, "--map", names).code == 0
    solved = call("sat", formula)
    ended = call("decode", problem, "--map", names, "-", "--json", board=solved.out)
    assert (ended.code, ended.err) == (0, "")
    found = ended.json["values"]
    value = [found.get(f"x{k}", found.get(str(k))) for k in range(1, 7)]
    assert sum(value) >= 3
    assert not (value[0] and value[1])
    assert value[3] or not value[2]


def test_maps_of_others_and_what_is_no_map_are_one_line(
    encode: Callable[..., Encoded], tmp_path: Path
) -> None:
    files = encode(PACKING)
    other = tmp_path / "other.opb"
    other.write_text("+1 x1 +1 x2 +1 x5 >= 2 ;\n")
    ended = call("decode", other, "--map", files.map, "-", board=answer([1]))
    assert (ended.code, ended.out) == (1, "")
    assert "the map is of a problem of 4 variables, and this one has 5" in ended.err
    board = EXAMPLES / "expert.txt"
    ended = call("decode", board, "--map", files.map, "-", board=answer([1]))
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    good = json.loads(files.map.read_text())
    for bad in (
        {"variables": {"1": "x1", "3": "x3"}},
        {"variables": {"1": 1}},
        {"variables": {"1": "a", "2": "a", "3": "b", "4": "c"}},
        {"auxiliaries": [{"last": "7"}]},
        {"auxiliaries": None},
    ):
        files.map.write_text(json.dumps(good | bad))
        ended = call("decode", files.problem, "--map", files.map, "-", board=answer([1]))
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)


def test_a_name_that_is_given_twice_gets_the_number_of_its_variable(
    encode: Callable[..., Encoded],
) -> None:
    files = encode("* x1 = a\n* x2 = a\n* x3 = b\n+1 x1 +1 x2 +1 x3 >= 3 ;\n")
    assert json.loads(files.map.read_text())["variables"] == {"1": "a [1]", "2": "a [2]", "3": "b"}
    ended = call("decode", files.problem, "--map", files.map, "-", board=answer([1, 2, 3]))
    assert ended.out.splitlines()[:3] == ["a [1] = 1", "a [2] = 1", "b = 1"]


def test_integers_of_smtlib_come_back_as_numbers(
    encode: Callable[..., Encoded], tmp_path: Path
) -> None:
    pytest.importorskip("pysmt")
    script = "(declare-const x Int)(declare-const b Bool)(assert (<= 3 x 9))(assert (= b (> x 8)))"
    files = encode(script + "(assert (= 0 (mod x 9)))", name="p.smt2")
    output = tmp_path / "p.out"
    output.write_text(answer(solved(files.formula)))
    ended = call("decode", files.problem, "--map", files.map, output)
    assert (ended.code, ended.out.splitlines()[:2]) == (0, ["b = 1", "x = 9"])
