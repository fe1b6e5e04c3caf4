"""``encode --proof`` and ``check PROBLEM FORMULA PROOF``."""

import gzip
import json
from pathlib import Path

import pytest

from tests.commands import call

ROWS = """* #variable= 5 #constraint= 2
min: +1 x1 +2 x5 ;
+1 x1 +1 x2 +1 x3 +1 ~x4 >= 2 ;
+1 x1 +1 x2 +1 x5 = 1 ;
"""
BY_COUNTING = ("--cardinality", "totalizer", "--at-most-one", "pairwise")


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    file = tmp_path / "p.opb"
    file.write_text(ROWS)
    return file


@pytest.fixture
def three(problem: Path) -> list[Path]:
    """Problem, formula and proof."""
    files = [problem, problem.with_suffix(".cnf"), problem.with_suffix(".pbp")]
    ended = call("encode", problem, "-o", files[1], "--proof", files[2], *BY_COUNTING)
    assert ended.code == 0
    assert "proof: " in ended.out
    return files


def test_the_clauses_are_those_without_a_proof(problem: Path, three: list[Path]) -> None:
    other = problem.with_name("other.cnf")
    assert call("encode", problem, "-o", other, *BY_COUNTING).code == 0
    assert other.read_bytes() == three[1].read_bytes()


def test_what_was_written_is_verified(three: list[Path]) -> None:
    ended = call("check", *three, "--no-external")
    assert ended.code == 0
    assert ended.out.startswith("verified: every solution of 3 rows over 5 variables extends")
    found = json.loads(call("check", *three, "--no-external", "--json").out)
    assert found["schema"] == "satsweeper/check-encoding/1"
    assert found["clauses"] == three[1].read_text().count(" 0\n")
    assert found["constraints"] == 3


def test_a_clause_less_is_refused_with_the_name_of_the_file(three: list[Path]) -> None:
    lines = three[1].read_text().splitlines()
    last = lines.pop()
    assert last.endswith(" 0")
    head = next(line for line in lines if line.startswith("p cnf"))
    fewer = head.rsplit(" ", 1)[0] + f" {int(head.rsplit(' ', 1)[1]) - 1}"
    three[1].write_text("\n".join([fewer if line == head else line for line in lines]) + "\n")
    ended = call("check", *three, "--no-external")
    assert ended.code == 1
    assert "p.cnf: the clauses are" in ended.err
    found = json.loads(call("check", *three, "--no-external", "--json").out)
    assert (found["verified"], found["file"]) == (False, "p.cnf")


def test_a_compressed_file_is_refused_as_such(three: list[Path]) -> None:
    packed = three[1].with_suffix(".cnf.gz")
    packed.write_bytes(gzip.compress(three[1].read_bytes()))
    ended = call("check", three[0], packed, three[2], "--no-external")
    assert (ended.code, "p.cnf.gz: it is compressed" in ended.err) == (1, True)


def test_a_proof_of_another_problem_is_refused(three: list[Path]) -> None:
    three[0].write_text(ROWS.replace(">= 2", ">= 1"))
    ended = call("check", *three, "--no-external")
    assert ended.code == 1
    assert "p.pbp: line " in ended.err


def test_names_and_products_are_refused_with_the_way_out(tmp_path: Path) -> None:
    file = tmp_path / "named.opb"
    file.write_text("+1 apples +2 pears >= 2 ;\n")
    to, proof = tmp_path / "a.cnf", tmp_path / "a.pbp"
    ended = call("encode", file, "-o", to, "--proof", proof)
    assert ended.code == 1
    assert ":1: 'apples' is no literal" in ended.err
    assert "encode" in ended.err.split("needs plain OPB: ")[1]
    assert not to.exists()
    assert not proof.exists()
    plain = tmp_path / "plain.opb"
    assert call("encode", file, "-o", plain).code == 0
    assert call("encode", plain, "-o", to, "--proof", proof).code == 0
    assert call("check", plain, to, proof, "--no-external").code == 0


def test_another_format_than_opb_has_no_proof(tmp_path: Path) -> None:
    file = tmp_path / "p.knf"
    file.write_text("p knf 3 1\nk 2 1 2 3 0\n")
    ended = call("encode", file, "-o", tmp_path / "a.cnf", "--proof", tmp_path / "a.pbp")
    assert "--proof is for OPB; this is knf" in ended.err


def test_two_files_are_no_encoding(three: list[Path]) -> None:
    assert "an encoding is three files" in call("check", *three[:2]).err
    assert "--board is for boards" in call("check", *three, "--board", "b.txt").err
