"""``satsweeper encode``: problems of others as CNF, whole or not at all, with statistics."""

import gzip
import json
import lzma
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pysat.solvers import Solver

from tests.commands import EXAMPLES, call

FIFTY = " ".join(map(str, range(1, 51)))
KNF = "p knf 9 3\nk 3 1 2 3 4 5 6 7 8 9 0\nk 8 -1 -2 -3 -4 -5 -6 -7 -8 -9 0\n1 -2 0\n"


def clauses_of(text: str) -> tuple[int, int, list[list[int]]]:
    """Read what the format says, by hand."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    _, _, variables, count = lines[0].split()
    clauses = [[int(lit) for lit in line.split()[:-1]] for line in lines[1:]]
    return int(variables), int(count), clauses


def test_the_models_of_the_file_are_those_of_the_problem(tmp_path: Path) -> None:
    out = tmp_path / "k.cnf"
    assert call("encode", EXAMPLES / "knapsack.opb", "-o", out).code == 0
    variables, count, clauses = clauses_of(out.read_text())
    assert len(clauses) == count
    assert max(abs(lit) for clause in clauses for lit in clause) <= variables
    solver = Solver("minisat22", bootstrap_with=clauses)
    for x in product((0, 1), repeat=6):
        wanted = (
            7 * x[0] + 4 * x[1] + 3 * x[2] + 5 * x[3] + 2 * x[4] + 6 * x[5] <= 15
            and 9 * x[0] + 5 * x[1] + 4 * x[2] + 6 * x[3] + x[4] + 8 * x[5] >= 18
            and x[0] + x[3] + x[5] == 1
            and (not x[1] or x[4])
            and sum(x) >= 3
        )
        assert solver.solve([v if true else -v for v, true in enumerate(x, 1)]) == bool(wanted), x
    solver.delete()


def test_statistics_as_json_sum_to_the_header(tmp_path: Path) -> None:
    out = tmp_path / "p.cnf"
    answer = call("encode", "-", "-o", out, "--json", board=KNF).json
    variables, count, clauses = clauses_of(out.read_text())
    kinds = answer["kinds"]
    assert answer["schema"] == "satsweeper/encode/1"
    assert (answer["format"], answer["inputs"], answer["objective"]) == ("knf", 9, None)
    assert (answer["variables"], answer["clauses"]) == (variables, count)
    assert answer["literals"] == sum(map(len, clauses))
    assert sum(kind["clauses"] for kind in kinds.values()) == count
    assert sum(kind["variables"] for kind in kinds.values()) == variables - 9
    for kind in ("clause", "at most one", "cardinality"):
        assert kinds[kind]["constraints"] == 1
    assert kinds["clause"]["encoders"] == {}
    assert kinds["at most one"]["encoders"] == {"product": 1}
    assert kinds["cardinality"]["encoders"] == {"totalizer": 1}


def test_statistics_say_what_encoded_each_kind(tmp_path: Path) -> None:
    three = "+2 x1 +3 x2 +4 x3 <= 6 ;\n* not in lp_solve's format\n"
    few, many = ("".join(f"+1 x{k} " for k in range(1, n)) + "<= 2 ;\n" for n in (9, 10))
    ended = call("encode", "-", "-o", tmp_path / "p.cnf", board=few + many + many + three)
    lines = {line[:15].rstrip(): line.split("  ")[-1] for line in ended.out.splitlines()}
    assert lines["kind"] == "encoders"
    assert lines["cardinality"] == "totalizer 2, direct 1"
    assert lines["pseudo-Boolean"] == "decision_diagram"


def test_the_map_names_every_variable_once(tmp_path: Path) -> None:
    out, names = tmp_path / "k.cnf", tmp_path / "k.json"
    arguments = [EXAMPLES / "knapsack.opb", "-o", out, "--map", names, "--encoding", "adder"]
    assert call("encode", *arguments).code == 0
    variables, _, _ = clauses_of(out.read_text())
    found = json.loads(names.read_text())
    assert found["schema"] == "satsweeper/problem-map/1"
    assert found["variables"] == {str(i): f"x{i}" for i in range(1, 7)}
    named = [v for aux in found["auxiliaries"] for v in range(aux["first"], aux["last"] + 1)]
    assert named == list(range(7, variables + 1))
    assert {aux["encoding"] for aux in found["auxiliaries"]} == {"adder"}


@pytest.mark.parametrize(("suffix", "opener"), [(".gz", gzip.open), (".xz", lzma.open)])
def test_files_are_compressed_by_name_and_read_by_content(
    tmp_path: Path, suffix: str, opener: Callable[..., Any]
) -> None:
    packed, out = tmp_path / "misleading.txt", tmp_path / f"p.cnf{suffix}"
    with opener(packed, "wt") as stream:
        stream.write(KNF)
    plain = tmp_path / "p.cnf"
    assert call("encode", packed, "-o", out).code == 0
    assert call("encode", "-", "-o", plain, board=KNF).code == 0
    with opener(out, "rt") as stream:
        assert stream.read() == plain.read_text()


def test_encoders_are_chosen_by_kind_and_the_special_choice_wins(tmp_path: Path) -> None:
    out = tmp_path / "p.cnf"
    arguments = ["-o", out, "--encoding", "totalizer", "--at-most-one", "ladder"]
    assert call("encode", "-", *arguments, board=KNF).code == 0
    text = out.read_text()
    assert "c encoding of at most one: ladder, 1 time" in text
    assert "c encoding of cardinality: totalizer, 1 time" in text


def test_an_objective_is_left_out_and_said_so(tmp_path: Path) -> None:
    out = tmp_path / "p.cnf"
    problem = "min: +1 x3 ;\n+1 x1 +1 x2 >= 1 ;\n"
    ended = call("encode", "-", "-o", out, board=problem)
    assert ended.code == 0
    assert "the objective is left out" in ended.out
    assert clauses_of(out.read_text()) == (3, 1, [[1, 2]])


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ("", "<stdin>: the file is empty: a problem is needed"),
        ("p knf 2 1\n1 x 0\n", "<stdin>:2:3: 'x' is no literal"),
        ("+1 x1 >= 1 ;\n+1 9y >= 1 ;\n", "<stdin>:2:4: '9y' is no variable"),
        ("p knf 99999999999 1\n", "<stdin>:1:7: 99999999999 variables"),
    ],
    ids=["empty", "KNF", "OPB", "huge declared count"],
)
def test_bad_problems_get_one_line_and_leave_the_output_as_it_was(
    tmp_path: Path, problem: str, message: str
) -> None:
    out = tmp_path / "p.cnf"
    out.write_text("older")
    ended = call("encode", "-", "-o", out, "--cardinality", "direct", board=problem)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(message)
    assert ended.err.count("\n") == 1
    assert out.read_text() == "older"
    assert [path.name for path in tmp_path.iterdir()] == ["p.cnf"]


def test_an_encoder_that_would_need_too_much_is_the_wrong_one(tmp_path: Path) -> None:
    arguments = ["-", "-o", tmp_path / "p.cnf", "--cardinality", "direct"]
    ended = call("encode", *arguments, board=f"p knf 50 1\nk 25 {FIFTY} 0\n")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("satsweeper encode: <stdin>: constraint 1: direct would need")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["opb", "lp", "mps", "smt2"])
def test_a_problem_in_another_format_and_back_has_the_same_models(
    tmp_path: Path, form: str
) -> None:
    if form == "smt2":
        pytest.importorskip("pysmt")
    there, back = tmp_path / f"k.{form}", tmp_path / "k.cnf"
    assert call("encode", EXAMPLES / "knapsack.opb", "--format", form, "-o", there).code == 0
    assert call("encode", there, "-o", back).code == 0
    direct = tmp_path / "direct.cnf"
    assert call("encode", EXAMPLES / "knapsack.opb", "-o", direct).code == 0
    found = [projected(clauses_of(path.read_text())[2], 6) for path in (direct, back)]
    assert found[0] == found[1] != set()


def projected(clauses: list[list[int]], n: int) -> set[tuple[int, ...]]:
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return {
            signs
            for signs in product((1, -1), repeat=n)
            if solver.solve([sign * var for var, sign in enumerate(signs, 1)])
        }


def test_a_problem_for_a_counter_shows_its_own_variables(tmp_path: Path) -> None:
    out = tmp_path / "k.cnf"
    arguments = ["--format", "pmc", "--encoding", "adder", "-o", out]
    assert call("encode", EXAMPLES / "knapsack.opb", *arguments).code == 0
    lines = out.read_text().splitlines()
    assert "c t pmc" in lines
    assert "c p show 1 2 3 4 5 6 0" in lines


def test_names_and_products_are_in_the_map(tmp_path: Path) -> None:
    text = "+1*y_x1_5 +2 x0 ~x2 > 1 ;\nmin: +1*x2 ;"
    names = tmp_path / "map.json"
    assert call("encode", "-", "-o", tmp_path / "p.cnf", "--map", names, board=text).code == 0
    found = json.loads(names.read_text())["variables"]
    assert found == {"1": "x1", "2": "x2", "3": "y_x1_5", "4": "x0", "5": "~x2*x0"}


@pytest.mark.parametrize("format", ["cnf", "opb"])
def test_a_header_that_is_wrong_about_the_file_makes_a_warning_or_an_error(
    tmp_path: Path, format: str
) -> None:
    text = "* #variable= 1 #constraint= 1\n+1 x1 +1 x3 >= 1 ;\n+1 x1 >= 0 ;\n"
    out = tmp_path / f"p.{format}"
    ended = call("encode", "-", "-o", out, board=text)
    assert ended.code == 0
    assert ended.err.splitlines() == [
        "warning: <stdin>:2:10: variable x3: 1 variable is declared (--strict refuses it)",
        "warning: <stdin>:3:1: constraint 2, but 1 is declared (--strict refuses it)",
    ]
    out.unlink()
    ended = call("encode", "-", "-o", out, "--strict", board=text)
    assert (ended.code, ended.err) == (1, "<stdin>:2:10: variable x3: 1 variable is declared\n")
    assert not out.exists()


def best(values: Callable[[tuple[int, ...]], int | None], n: int) -> int:
    return min(cost for bits in product((0, 1), repeat=n) if (cost := values(bits)) is not None)


def test_soft_constraints_are_kept_in_wcnf(tmp_path: Path) -> None:
    rc2 = pytest.importorskip("pysat.examples.rc2")
    from pysat.formula import WCNF

    soft = "soft: 30 ;\n+1 x1 +1 x2 +1 x3 >= 2 ;\n"
    soft += "[7] +2 x1 +3 x2 <= 3 ;\n[4] +1 x2 ~x3 = 0 ;\n[6] +1 x1 < 1 ;\n"
    hard = "p wcnf 3 5 9\n11 1 2 0\n9 2 3 0\n4 -1 -2 0\n3 -2 0\n2 -3 0\n"

    def of_wbo(x: tuple[int, ...]) -> int | None:
        cost = 7 * (2 * x[0] + 3 * x[1] > 3) + 4 * (x[1] * (1 - x[2])) + 6 * x[0]
        return cost if sum(x) >= 2 and cost < 30 else None

    def of_wcnf(x: tuple[int, ...]) -> int | None:
        cost = 4 * x[0] * x[1] + 3 * x[1] + 2 * x[2]
        return cost if (x[0] or x[1]) and (x[1] or x[2]) else None

    for text, values in ((soft, of_wbo), (hard, of_wcnf)):
        out = tmp_path / "p.wcnf"
        ended = call("encode", "-", "-o", out, board=text)
        assert (ended.code, ended.err) == (0, "")
        assert "the objective is kept" in ended.out
        with rc2.RC2(WCNF(from_file=str(out))) as solver:
            assert solver.compute() is not None
            assert solver.cost == best(values, 3)
    answer = call("encode", "-", "-o", tmp_path / "p.cnf", "--json", board=hard).json
    assert (answer["format"], answer["objective"]) == ("wcnf", "3 soft clauses")
    assert answer["objective_kept"] is False


def test_what_is_chosen_is_what_encoding_does(tmp_path: Path) -> None:
    problem = EXAMPLES / "knapsack.opb"
    found = call("encode", problem, "--explain-choice", "--json").json
    assert found["schema"] == "satsweeper/choices/1"
    out = tmp_path / "k.cnf"
    done = call("encode", problem, "-o", out, "--json").json
    variables, clauses, _ = clauses_of(out.read_text())
    added = [choice for choice in found["choices"] if choice["encoder"] is not None]
    assert sum(choice["variables"] for choice in added) == variables - done["inputs"]
    alone = sum(c["constraints"] for c in found["choices"] if c["encoder"] is None)
    assert sum(choice["clauses"] for choice in added) + alone == clauses
    told = call("encode", problem, "--explain-choice")
    assert (told.code, told.err) == (0, "")
    assert len(told.out.splitlines()) == len(found["choices"])
    assert "pairwise: at most one of up to 6 literals" in told.out
