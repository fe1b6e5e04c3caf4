"""XOR lines on the command line: encoded, kept, decoded, and refused where they cannot be."""

import json
from itertools import product
from pathlib import Path

import pytest

from pbcnf import PARITY_ENCODERS
from tests.commands import call

DIALECT = "c var 1 a\np cnf 6 3\nx1 2 -3 4 5 6 0\nx -1 2 0\n3 4 0\n"


def holds(x: tuple[int, ...]) -> bool:
    """What DIALECT says, in arithmetic."""
    first = (x[0] + x[1] + (1 - x[2]) + x[3] + x[4] + x[5]) % 2 == 1
    return first and ((1 - x[0]) + x[1]) % 2 == 1 and x[2] + x[3] >= 1


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "p.cnf"
    path.write_text(DIALECT)
    return path


@pytest.mark.parametrize("encoder", [None, *PARITY_ENCODERS])
def test_the_clauses_have_the_models_of_the_problem(
    problem: Path, tmp_path: Path, encoder: str | None
) -> None:
    out, names = tmp_path / "f.cnf", tmp_path / "m.json"
    chosen = () if encoder is None else ("--parity", encoder)
    ended = call("encode", problem, *chosen, "-o", out, "--map", names, "--json")
    kinds = ended.json["kinds"]
    expected = {"cut_4": 1, "direct": 1} if encoder is None else {encoder: 2}
    assert kinds["parity"]["encoders"] == expected
    header, *lines = [line for line in out.read_text().splitlines() if line[0] != "c"]
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
    assert header == f"p cnf {ended.json['variables']} {len(clauses)}"
    models = [
        bits
        for bits in product((0, 1), repeat=ended.json["variables"])
        if all(any(bits[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in clauses)
    ]
    assert [bits[:6] for bits in models] == [x for x in product((0, 1), repeat=6) if holds(x)]
    assert len(json.loads(names.read_text())["variables"]) == 6


def test_xor_lines_stay_in_xcnf(problem: Path, tmp_path: Path) -> None:
    out = tmp_path / "p.xcnf"
    ended = call("encode", problem, "-o", out)
    assert (ended.code, ended.err) == (0, "")
    assert "XOR lines: 2" in ended.out.splitlines()
    lines = [line for line in out.read_text().splitlines() if line[0] != "c"]
    assert lines == ["p cnf 6 3", "3 4 0", "x-1 2 3 4 5 6 0", "x-1 2 0"]
    again = tmp_path / "again.cnf"
    assert call("encode", out, "--format", "xcnf", "-o", again).code == 0
    assert [line for line in again.read_text().splitlines() if line[0] != "c"] == lines


@pytest.mark.parametrize("format", ["opb", "smt2", "lp", "mps"])
def test_the_models_are_the_same_in_other_formats(
    problem: Path, tmp_path: Path, format: str
) -> None:
    if format == "smt2":
        pytest.importorskip("pysmt")
    other, formula = tmp_path / f"p.{format}", tmp_path / "f.cnf"
    assert call("encode", problem, "-o", other).code == 0
    names = tmp_path / "m.json"
    assert call("encode", other, "-o", formula, "--map", names).code == 0
    solved = call("sat", formula)
    found = call("decode", other, "--map", names, "-", "--json", board=solved.out).json
    values = found["values"]
    x = tuple(values.get({1: "a"}.get(i, f"x{i}"), values.get(str(i), 0)) for i in range(1, 7))
    assert holds(x)


def test_a_model_that_breaks_a_parity_is_wrong_and_an_open_variable_is_named(
    problem: Path, tmp_path: Path
) -> None:
    names = tmp_path / "m.json"
    call("encode", problem, "-o", tmp_path / "f.cnf", "--map", names)
    decode = ("decode", problem, "--map", names, "-")
    for x in product((0, 1), repeat=6):
        literals = " ".join(str(i if bit else -i) for i, bit in enumerate(x, 1))
        ended = call(*decode, board=f"s SATISFIABLE\nv {literals} 0\n")
        assert (ended.code == 0) == holds(x), x
    ended = call(*decode, "--json", board="s SATISFIABLE\nv 1 -2 3 4 5 -6 0\n")
    assert ended.code == 1
    assert ended.json["wrong"] == {"constraint": 2, "text": "~a xor 2 = 1", "sum": [0, 0]}
    ended = call(*decode, board="s SATISFIABLE\nv 1 2 3 4 5 0\n")
    assert ended.code == 1
    assert "no value for 6, which constraint 1 depends on: a xor 2 xor ~3 xor 4" in ended.err


def test_what_cannot_hold_xor_lines_says_so_in_one_line(problem: Path, tmp_path: Path) -> None:
    ended = call("sat", problem)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.endswith(
        "3:1: 'x1' is no literal (an XOR clause of CryptoMiniSat?);"
        " satsweeper encode makes clauses of it\n"
    )
    ended = call("lint", problem)
    assert ended.code == 1
    assert "an XOR line, which CryptoMiniSat reads" in ended.out
    ended = call("encode", problem, "-o", tmp_path / "p.knf")
    assert ended.code == 1
    assert "constraint 1: KNF cannot hold a parity" in ended.err
    ended = call("encode", problem, "--parity", "totalizer", "-o", tmp_path / "f.cnf")
    assert ended.code == 2
    assert "totalizer encodes sums, not parities" in ended.err
    long = " ".join(map(str, range(1, 31)))
    problem.write_text(f"p cnf 30 1\nx{long} 0\n")
    ended = call("encode", problem, "--parity", "direct", "-o", tmp_path / "f.cnf")
    assert ended.code == 2
    assert "constraint 1: direct takes parities of at most 20 literals" in ended.err
    assert not (tmp_path / "f.cnf").exists()
