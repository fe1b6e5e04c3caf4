"""``encode``: problems of others as CNF, whole or not at all, with statistics, map and proof."""

import bz2
import gzip
import json
import lzma
import os
import re
from itertools import product
from pathlib import Path

import pytest
from pysat.solvers import Solver

from pbcnf import PARITY_ENCODERS
from tests import oracles
from tests.commands import EXAMPLES, call, done, refused
from tests.problem_files import SOFT

KNF = "p knf 9 3\nk 3 1 2 3 4 5 6 7 8 9 0\nk 8 -1 -2 -3 -4 -5 -6 -7 -8 -9 0\n1 -2 0\n"


def clauses_of(text: str) -> tuple[int, int, list[list[int]]]:
    """Read what the format says, by hand."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    _, _, variables, count = lines[0].split()
    clauses = [[int(lit) for lit in line.split()[:-1]] for line in lines[1:]]
    return int(variables), int(count), clauses


@pytest.mark.parametrize("order", ["given", "reversed", "occurrence", "proximity", "bandwidth"])
def test_the_models_of_the_file_are_those_of_the_problem(tmp_path, order):
    out = tmp_path / "k.cnf"
    assert call("encode", EXAMPLES / "knapsack.opb", "-o", out, "--order", order).code == 0
    assert (f"c order of literals: {order}\n" in out.read_text()) is (order != "given")
    variables, count, clauses = clauses_of(out.read_text())
    assert len(clauses) == count
    assert max(abs(lit) for clause in clauses for lit in clause) <= variables
    assert projected(clauses, 6) == {
        x
        for x in product((0, 1), repeat=6)
        if 7 * x[0] + 4 * x[1] + 3 * x[2] + 5 * x[3] + 2 * x[4] + 6 * x[5] <= 15
        and 9 * x[0] + 5 * x[1] + 4 * x[2] + 6 * x[3] + x[4] + 8 * x[5] >= 18
        and x[0] + x[3] + x[5] == 1
        and (not x[1] or x[4])
        and sum(x) >= 3
    }


def test_statistics_as_json_sum_to_the_header(tmp_path):
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
    by = {"clause": {}, "at most one": {"product": 1}, "cardinality": {"totalizer": 1}}
    found = {kind: (kinds[kind]["constraints"], kinds[kind]["encoders"]) for kind in by}
    assert found == {kind: (1, encoders) for kind, encoders in by.items()}


def test_statistics_say_what_encoded_each_kind(tmp_path):
    three = "+2 x1 +3 x2 +4 x3 <= 6 ;\n* not in lp_solve's format\n"
    few, many = ("".join(f"+1 x{k} " for k in range(1, n)) + "<= 2 ;\n" for n in (9, 10))
    ended = call("encode", "-", "-o", tmp_path / "p.cnf", board=few + many + many + three)
    lines = {line[:15].rstrip(): line.split("  ")[-1] for line in ended.out.splitlines()}
    assert lines["kind"] == "encoders"
    assert lines["cardinality"] == "totalizer 2, direct 1"
    assert lines["pseudo-Boolean"] == "decision_diagram"


def test_the_map_names_every_variable_once_also_names_and_products_of_the_file(tmp_path):
    out, names = tmp_path / "k.cnf", tmp_path / "k.json"
    words = ("encode", "-o", out, "--map", names)
    assert call(*words, EXAMPLES / "knapsack.opb", "--encoding", "adder").code == 0
    variables, _, _ = clauses_of(out.read_text())
    found = json.loads(names.read_text())
    assert found["schema"] == "satsweeper/problem-map/1"
    assert found["variables"] == {str(i): f"x{i}" for i in range(1, 7)}
    named = [v for aux in found["auxiliaries"] for v in range(aux["first"], aux["last"] + 1)]
    assert named == list(range(7, variables + 1))
    assert {aux["encoding"] for aux in found["auxiliaries"]} == {"adder"}
    assert call(*words, "-", board="+1*y_x1_5 +2 x0 ~x2 > 1 ;\nmin: +1*x2 ;").code == 0
    found = json.loads(names.read_text())["variables"]
    assert found == {"1": "x1", "2": "x2", "3": "y_x1_5", "4": "x0", "5": "~x2*x0"}


def test_encoders_are_chosen_by_kind_and_the_special_choice_wins():
    arguments = ["--encoding", "totalizer", "--at-most-one", "ladder"]
    lines = call("encode", "-", *arguments, board=KNF).out.splitlines()
    chosen = {"at most one: ladder", "cardinality: totalizer"}
    assert {f"c encoding of {each}, 1 time" for each in chosen} <= {*lines}


@pytest.mark.parametrize("encoder", [None, "decision_diagram", "mixed_radix_sorter"])
def test_groups_that_the_problem_has_make_it_smaller_and_keep_its_models(tmp_path, encoder):
    out = tmp_path / "k.cnf"
    words = ["encode", EXAMPLES / "knapsack.opb", "-o", out]
    words += [] if encoder is None else ["--pseudo-boolean", encoder]
    assert call(*words, "--groups", "no").code == 0
    (_, alone, clauses) = clauses_of(out.read_text())
    expected = projected(clauses, 6)
    ended = call(*words, "--groups", "find")
    (_, count, clauses) = clauses_of(out.read_text())
    assert projected(clauses, 6) == expected
    assert count < alone
    assert re.search("^groups: [0-9]+ of literals of which at most one is true$", ended.out, re.M)
    assert call(*words, "--groups", "find", "--json").json["kinds"]["pseudo-Boolean"]["groups"] > 1


# An exactly-one group, a clique of clauses, a row with a negated literal; two bounds of one sum.
GROUPED = """\
* #variable= 9 #constraint= 6
+1 x1 +1 x2 +1 x3 = 1 ;
+1 ~x4 +1 ~x5 >= 1 ;
+1 ~x4 +1 ~x6 >= 1 ;
+1 ~x5 +1 ~x6 >= 1 ;
+1 ~x7 +1 x8 +1 x9 <= 1 ;
+3 x1 +2 ~x2 +5 x3 +2 x4 +7 x5 +3 ~x6 +4 x7 +1 x8 +6 x9 = 15 ;
"""


@pytest.mark.parametrize(
    "encoder",
    [
        None,
        "adder",
        "decision_diagram",
        "generalized_totalizer",
        "global_polynomial_watchdog",
        "mixed_radix_sorter",
    ],
)
def test_both_checkers_accept_a_proof_of_clauses_with_groups_and_refuse_it_of_others(
    tmp_path, monkeypatch, encoder
):
    monkeypatch.chdir(tmp_path)
    Path("p.opb").write_text(GROUPED)
    more = [] if encoder is None else ["--pseudo-boolean", encoder]
    ended = call("encode", "p.opb", "-o", "p.cnf", *more, "--groups", "find", "--proof", "p.pbp")
    assert "groups: 3 of literals of which at most one is true" in ended.out.splitlines()
    checked = call("check", "p.opb", "p.cnf", "p.pbp", "--no-external")
    assert checked.out.startswith("verified: equivalent: the models of the "), checked.err
    assert call("encode", "p.opb", "-o", "alone.cnf", *more).code == 0
    assert call("check", "p.opb", "alone.cnf", "p.pbp", "--no-external").code == 1


@pytest.mark.parametrize(
    ("problem", "message"),
    [("", "<stdin>: the file is empty: a problem is needed"),
     ("p knf 2 1\n1 x 0\n", "<stdin>:2:3: 'x' is no literal"),
     ("+1 x1 >= 1 ;\n+1 9y >= 1 ;\n", "<stdin>:2:4: '9y' is no variable"),
     ("p knf 99999999999 1\n", "<stdin>:1:7: 99999999999 variables")],
)  # fmt: skip
def test_bad_problems_get_one_line_and_leave_the_output_as_it_was(tmp_path, problem, message):
    out = tmp_path / "p.cnf"
    out.write_text("older")
    ended = refused(1, "encode", "-", "-o", out, "--cardinality", "direct", board=problem)
    assert ended.err.startswith(message)
    assert out.read_text() == "older"
    assert [path.name for path in tmp_path.iterdir()] == ["p.cnf"]


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no device that never ends")
@pytest.mark.parametrize("command", [["encode", "-o", "p.cnf"], ["solve"]])
def test_a_line_that_never_ends_is_refused_and_does_not_fill_the_disk(command, tmp_path):
    options = [tmp_path / each if each == "p.cnf" else each for each in command[1:]]
    ended = refused(1, command[0], "/dev/zero", *options)
    assert ended.err == "/dev/zero:1: too large: a line of more than 134,217,728 bytes\n"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_known_by_their_content_whatever_their_name(tmp_path, pack):
    for name in ("committee.knf", "knapsack.opb"):
        plain = call("encode", EXAMPLES / name).out
        packed = tmp_path / "problem"
        packed.write_bytes(pack((EXAMPLES / name).read_bytes()))
        for source, typed in ((packed, b""), ("-", packed.read_bytes())):
            given = call("encode", source, board=typed).out
            assert clauses_of(given) == clauses_of(plain)


@pytest.mark.parametrize("form", ["opb", "lp", "mps", "smt2"])
def test_a_problem_in_another_format_and_back_has_the_same_models(tmp_path, form):
    if form == "smt2":
        pytest.importorskip("pysmt")
    there = tmp_path / f"k.{form}"
    assert call("encode", EXAMPLES / "knapsack.opb", "--format", form, "-o", there).code == 0
    sources = (EXAMPLES / "knapsack.opb", there)
    found = [projected(clauses_of(call("encode", source).out)[2], 6) for source in sources]
    assert found[0] == found[1] != set()


def projected(clauses: list[list[int]], n: int) -> set[tuple[int, ...]]:
    """The assignments of the first ``n`` variables that models have."""
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return {
            bits
            for bits in oracles.assignments(n)
            if solver.solve(list(oracles.true_literals(bits)))
        }


def test_a_problem_for_a_counter_shows_its_own_variables():
    ended = call("encode", EXAMPLES / "knapsack.opb", "--format", "pmc", "--encoding", "adder")
    assert {"c t pmc", "c p show 1 2 3 4 5 6 0"} <= set(ended.out.splitlines())


@pytest.mark.parametrize("format", ["cnf", "opb"])
def test_a_header_that_is_wrong_about_the_file_makes_a_warning_or_an_error(tmp_path, format):
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


def test_soft_constraints_are_kept_in_wcnf(tmp_path):
    rc2 = pytest.importorskip("pysat.examples.rc2")
    from pysat.formula import WCNF

    for text, cost in SOFT.values():
        out = tmp_path / "p.wcnf"
        assert "the objective is kept" in done("encode", "-", "-o", out, board=text).out
        costs = map(cost, oracles.assignments(3))
        with rc2.RC2(WCNF(from_file=str(out))) as solver:
            assert solver.compute() is not None
            assert solver.cost == min(each for each in costs if each is not None)
    answer = call("encode", "-", "-o", tmp_path / "p.cnf", "--json", board=SOFT["wcnf"][0]).json
    assert (answer["format"], answer["objective"]) == ("wcnf", "3 soft clauses")
    assert answer["objective_kept"] is False


@pytest.mark.parametrize("by", ["size", "time"])
def test_what_is_chosen_is_what_encoding_does(tmp_path, by):
    words, out = ("encode", EXAMPLES / "knapsack.opb", "--choose", by), tmp_path / "k.cnf"
    found = call(*words, "--explain-choice", "--json").json
    assert found["schema"] == "satsweeper/choices/1"
    made = call(*words, "-o", out, "--json").json
    variables, clauses, _ = clauses_of(out.read_text())
    added = [choice for choice in found["choices"] if choice["encoder"] is not None]
    assert sum(choice["variables"] for choice in added) == variables - made["inputs"]
    alone = sum(c["constraints"] for c in found["choices"] if c["encoder"] is None)
    assert sum(choice["clauses"] for choice in added) + alone == clauses
    told = done(*words, "--explain-choice").out
    assert len(told.splitlines()) == len(found["choices"])
    if by == "size":
        assert "pairwise: at most one of up to 6 literals" in told
        assert told == done(*words[:2], "--explain-choice").out
    else:
        assert re.search(r"2 x pseudo-Boolean, \w+: least mean time on \d+ measured problems", told)


# ``encode --proof`` and ``check PROBLEM FORMULA PROOF``


ROWS = """* #variable= 5 #constraint= 2
min: +1 x1 +2 x5 ;
+1 x1 +1 x2 +1 x3 +1 ~x4 >= 2 ;
+1 x1 +1 x2 +1 x5 = 1 ;
"""
BY_COUNTING = ("--cardinality", "totalizer", "--at-most-one", "pairwise")


@pytest.fixture
def problem(tmp_path):
    file = tmp_path / "p.opb"
    file.write_text(ROWS)
    return file


@pytest.fixture
def three(problem):
    """Problem, formula and proof."""
    files = [problem, problem.with_suffix(".cnf"), problem.with_suffix(".pbp")]
    ended = call("encode", problem, "-o", files[1], "--proof", files[2], *BY_COUNTING)
    assert (ended.code, "proof: " in ended.out) == (0, True)
    return files


@pytest.mark.parametrize("order", ["occurrence", "proximity", "bandwidth"])
def test_a_proof_follows_clauses_in_any_order_of_literals(problem, tmp_path, order):
    files = [problem, tmp_path / "q.cnf", tmp_path / "q.pbp"]
    options = ["--proof", files[2], "--order", order, "--encoding", "sequential_counter"]
    assert call("encode", problem, "-o", files[1], *options).code == 0
    assert call("check", *files, "--no-external").code == 0


def test_the_clauses_are_those_without_a_proof_and_are_verified(problem, three):
    other = problem.with_name("other.cnf")
    assert call("encode", problem, "-o", other, *BY_COUNTING).code == 0
    assert other.read_bytes() == three[1].read_bytes()
    ended = call("check", *three, "--no-external")
    assert ended.code == 0
    assert ended.out.startswith("verified: equivalent: the models of ")
    assert "seen on 5 variables, are exactly the solutions of 3 rows" in ended.out
    found = call("check", *three, "--no-external", "--json").json
    assert found["shown"] == "equivalent"
    assert (found["schema"], found["constraints"]) == ("satsweeper/check-encoding/1", 3)
    assert found["clauses"] == three[1].read_text().count(" 0\n")


def test_a_clause_less_a_packed_file_and_another_problem_are_refused_by_name(three):
    def refusal(*files) -> str:
        return refused(1, "check", *files, "--no-external").err

    text = three[1].read_text()
    packed = three[1].with_suffix(".cnf.gz")
    packed.write_bytes(gzip.compress(text.encode()))
    assert "p.cnf.gz: it is compressed" in refusal(three[0], packed, three[2])
    *_, count = re.search(r"^p cnf (\d+) (\d+)$", text, re.M).groups()
    *lines, last = text.replace(f" {count}\n", f" {int(count) - 1}\n", 1).splitlines()
    assert last.endswith(" 0")
    three[1].write_text("\n".join(lines) + "\n")
    assert "p.cnf: the clauses are" in refusal(*three)
    found = call("check", *three, "--no-external", "--json").json
    assert (found["verified"], found["file"]) == (False, "p.cnf")
    three[1].write_text(text)
    three[0].write_text(ROWS.replace(">= 2", ">= 1"))
    assert "p.pbp: line " in refusal(*three)


def test_names_and_products_are_refused_with_the_way_out(tmp_path):
    named, plain, to, proof = (tmp_path / name for name in ("n.opb", "p.opb", "a.cnf", "a.pbp"))
    named.write_text("+1 apples +2 pears >= 2 ;\n")
    ended = refused(1, "encode", named, "-o", to, "--proof", proof)
    assert ":1: 'apples' is no literal" in ended.err
    assert "encode" in ended.err.split("needs plain OPB: ")[1]
    assert [path.name for path in tmp_path.iterdir()] == ["n.opb"]
    assert call("encode", named, "-o", plain).code == 0
    assert call("encode", plain, "-o", to, "--proof", proof).code == 0
    assert call("check", plain, to, proof, "--no-external").code == 0


# XOR lines on the command line: encoded, kept, decoded, and refused where they cannot be


DIALECT = "c var 1 a\np cnf 6 3\nx1 2 -3 4 5 6 0\nx -1 2 0\n3 4 0\n"


def holds(x: tuple[int, ...]) -> bool:
    """Whether the values satisfy the constraints of DIALECT, computed by arithmetic."""
    first = (x[0] + x[1] + (1 - x[2]) + x[3] + x[4] + x[5]) % 2 == 1
    return first and ((1 - x[0]) + x[1]) % 2 == 1 and x[2] + x[3] >= 1


@pytest.fixture
def with_xor(tmp_path):
    path = tmp_path / "p.cnf"
    path.write_text(DIALECT)
    return path


@pytest.mark.parametrize("encoder", [None, *PARITY_ENCODERS])
def test_the_clauses_have_the_models_of_the_problem(with_xor, tmp_path, encoder):
    out, names = tmp_path / "f.cnf", tmp_path / "m.json"
    chosen = () if encoder is None else ("--parity", encoder)
    answer = call("encode", with_xor, *chosen, "-o", out, "--map", names, "--json").json
    expected = {"cut_4": 1, "direct": 1} if encoder is None else {encoder: 2}
    assert answer["kinds"]["parity"]["encoders"] == expected
    variables, count, clauses = clauses_of(out.read_text())
    assert (variables, count) == (answer["variables"], len(clauses))
    models = oracles.models(clauses, variables)
    assert [bits[:6] for bits in models] == [x for x in product((0, 1), repeat=6) if holds(x)]
    assert len(json.loads(names.read_text())["variables"]) == 6


def test_xor_lines_stay_in_xcnf_and_are_found_by_lint(with_xor, tmp_path):
    linted = call("lint", with_xor)
    assert (linted.code, "an XOR line, which CryptoMiniSat reads" in linted.out) == (1, True)
    out = tmp_path / "p.xcnf"
    assert "XOR lines: 2" in done("encode", with_xor, "-o", out).out.splitlines()
    lines = [line for line in out.read_text().splitlines() if line[0] != "c"]
    assert lines == ["p cnf 6 3", "3 4 0", "x-1 2 3 4 5 6 0", "x-1 2 0"]
    again = tmp_path / "again.cnf"
    assert call("encode", out, "--format", "xcnf", "-o", again).code == 0
    assert [line for line in again.read_text().splitlines() if line[0] != "c"] == lines


@pytest.mark.parametrize("format", ["opb", "smt2", "lp", "mps"])
def test_the_models_are_the_same_in_other_formats(with_xor, tmp_path, format):
    if format == "smt2":
        pytest.importorskip("pysmt")
    other, formula = tmp_path / f"p.{format}", tmp_path / "f.cnf"
    assert call("encode", with_xor, "-o", other).code == 0
    names = tmp_path / "m.json"
    assert call("encode", other, "-o", formula, "--map", names).code == 0
    solved = call("sat", formula)
    found = call("decode", other, "--map", names, "-", "--json", board=solved.out).json
    values = found["values"]
    x = tuple(values.get({1: "a"}.get(i, f"x{i}"), values.get(str(i), 0)) for i in range(1, 7))
    assert holds(x)


def test_a_model_that_breaks_a_parity_is_wrong_and_an_open_variable_is_named(with_xor, tmp_path):
    names = tmp_path / "m.json"
    call("encode", with_xor, "-o", tmp_path / "f.cnf", "--map", names)
    decode = ("decode", with_xor, "--map", names, "-")
    for x in product((0, 1), repeat=6):
        literals = " ".join(str(i if bit else -i) for i, bit in enumerate(x, 1))
        ended = call(*decode, board=f"s SATISFIABLE\nv {literals} 0\n")
        assert (ended.code == 0) == holds(x), x
    ended = call(*decode, "--json", board="s SATISFIABLE\nv 1 -2 3 4 5 -6 0\n")
    assert ended.code == 1
    assert ended.json["wrong"] == {"constraint": 2, "text": "~a xor 2 = 1", "sum": [0, 0]}
    ended = refused(1, *decode, board="s SATISFIABLE\nv 1 2 3 4 5 0\n")
    assert "no value for 6, which constraint 1 depends on: a xor 2 xor ~3 xor 4" in ended.err
