"""``satsweeper lint``: findings with line and rule, and an honest word on hardness."""

import gzip
from pathlib import Path
from random import Random

import pytest

from tests.commands import EXAMPLES, call


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.cnf"
    path.write_text("p cnf 3 3\n1 -2 0\n1 1 0\nc late\n")
    return path


def test_every_finding_has_its_line_and_its_rule(bad: Path) -> None:
    ended = call("lint", bad)
    assert (ended.code, ended.err) == (1, "")
    lines = ended.out.splitlines()
    assert f"{bad}:3: error: a literal is there twice [distinct: " in lines[1]
    assert f"{bad}:4: error: a comment after the header [comments-first: " in lines[2]
    assert lines[-1] == "4 errors, 1 warning"


def test_json_says_the_same(bad: Path) -> None:
    answer = call("lint", bad, "--json").json
    assert (answer["schema"], answer["errors"], answer["warnings"]) == ("satsweeper/lint/1", 4, 1)
    found = [(finding["rule"], finding["line"]) for finding in answer["findings"]]
    assert found == [
        ("name", None),
        ("distinct", 3),
        ("comments-first", 4),
        ("nbclauses", None),
        ("nbvar", None),
    ]
    assert answer["hardness"] is None


def test_a_clean_file_is_read_compressed_and_ends_in_0(tmp_path: Path) -> None:
    path = tmp_path / "tiny_2_7.cnf"
    path.write_bytes(gzip.compress(b"p cnf 2 1\n1 -2 0\n"))
    ended = call("lint", path)
    assert (ended.code, ended.out) == (0, "0 errors, 0 warnings\n")


def test_standard_input_is_read() -> None:
    ended = call("lint", "-", board="p cnf 2 1\n1 -2 0\n")
    assert (ended.code, ended.out) == (0, "0 errors, 0 warnings\n")


def test_an_easy_instance_is_called_too_easy(tmp_path: Path) -> None:
    path = tmp_path / "tiny_2_7.cnf"
    path.write_text("p cnf 2 2\n1 -2 0\n2 0\n")
    ended = call("lint", path, "--hardness")
    assert ended.code == 0
    assert "too easy for the competition: MiniSat says SATISFIABLE" in ended.out


def test_what_is_no_formula_has_no_hardness(tmp_path: Path) -> None:
    path = tmp_path / "no.cnf"
    path.write_text("hello\n")
    ended = call("lint", path, "--hardness")
    assert (ended.code, ended.err.count("\n")) == (1, 1)


def test_what_an_export_for_the_competition_writes_is_clean(tmp_path: Path) -> None:
    assert call("export", EXAMPLES / "expert.txt", "--competition", "-o", tmp_path).code == 0
    (entry,) = tmp_path.glob("*.cnf.xz")
    ended = call("lint", entry)
    assert (ended.code, ended.out) == (0, "0 errors, 0 warnings\n")


def test_what_is_no_text_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "noise.cnf"
    path.write_bytes(b"p cnf 1 1\n1 \0\xff\xfe\x01" + Random(1).randbytes(2048))
    ended = call("lint", path)
    said = f"{path}:2: this is no text: byte 0x00 in column 3\n"
    assert (ended.code, ended.out, ended.err) == (1, "", said)
