"""``encode`` and ``check`` of statements files: the clauses, the proof, and what is refused."""

import json

import pytest

from pbcnf.language import Builder, all_different, maximum, write_statements
from pbcnf.language.expressions import Proposition
from tests.commands import call, done


@pytest.fixture
def three(tmp_path):
    b = Builder()
    x = b.boolean("x")
    n, m, k = b.integers("nmk", 0, 2)
    b.add(all_different([n, m, k]), x >> (n < m))
    return written(tmp_path / "three.json", b)


def written(path, builder: Builder, *more: Proposition):
    builder.add(*more)
    with open(path, "wb") as stream:
        write_statements(builder, stream)
    return path


def test_a_proof_is_written_and_checked_and_the_clauses_are_those_without_one(tmp_path, three):
    cnf, proof, plain = tmp_path / "a.cnf", tmp_path / "a.pbp", tmp_path / "b.cnf"
    said = done("encode", three, "-o", cnf, "--proof", proof).out
    assert "equivalent" in said
    done("encode", three, "-o", plain)
    texts = [
        [line for line in path.read_text().splitlines() if not line.startswith("c")]
        for path in (cnf, plain)
    ]
    assert texts[0] == texts[1]
    checked = done("check", three, cnf, proof).out
    assert "verified: equivalent" in checked
    assert "2 statements over 1 Boolean and 3 integers" in checked
    about = json.loads(done("check", three, cnf, proof, "--json").out)
    assert about["shown"] == "equivalent"
    assert set(about["integers"]) == {"n", "m", "k"}


def test_statements_become_a_problem_of_any_format(tmp_path, three):
    opb = tmp_path / "three.opb"
    done("encode", three, "-o", opb)
    assert "n" in opb.read_text()
    assert call("encode", opb, "-o", tmp_path / "three.cnf").code == 0


def test_a_clause_less_is_refused(tmp_path, three):
    cnf, proof = tmp_path / "a.cnf", tmp_path / "a.pbp"
    done("encode", three, "-o", cnf, "--proof", proof)
    lines = cnf.read_text().splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("p"))
    variables, clauses = lines[head].split()[2:]
    lines[head] = f"p cnf {variables} {int(clauses) - 1}"
    cnf.write_text("\n".join(lines[:-1]) + "\n")
    found = call("check", three, cnf, proof)
    assert found.code == 1
    assert "the clauses are" in found.out + found.err


def test_statements_come_from_standard_input_too(tmp_path, child):
    b = Builder()
    n, m = b.integers("nm", 0, 3)
    problem = written(tmp_path / "less.json", b, n < m)
    cnf, proof = tmp_path / "a.cnf", tmp_path / "a.pbp"
    with open(problem, "rb") as given:
        assert child("encode", "-", "-o", cnf, "--proof", proof, stdin=given).code == 0
    assert "verified: equivalent" in done("check", problem, cnf, proof).out


def test_what_has_no_proof_leaves_no_file(tmp_path):
    b = Builder()
    n, m = b.integers("nm", 0, 3)
    problem = written(tmp_path / "max.json", b, maximum([n, m]) <= 2)
    cnf, proof = tmp_path / "a.cnf", tmp_path / "a.pbp"
    found = call("encode", problem, "-o", cnf, "--proof", proof)
    assert found.code == 1
    assert "a maximum in a statement has no proof yet" in found.err
    assert not cnf.exists()
    assert not proof.exists()
    done("encode", problem, "-o", cnf)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--groups", "find"], "--groups is not for statements files"),
        (["--map", "m.json"], "--map is not for statements files"),
        (["--order", "reversed"], "--order is not for statements files"),
    ],
)
def test_options_that_statements_do_not_take(tmp_path, three, options, message):
    assert message in call("encode", three, "-o", tmp_path / "a.cnf", *options).err


@pytest.mark.parametrize("change", [("[0, 2]", "[0.5, 2]"), ('"compare"', '"compere"')])
def test_a_wrong_file_is_one_line(tmp_path, three, change):
    three.write_text(three.read_text().replace(*change))
    for more in ([], ["--proof", tmp_path / "a.pbp"]):
        found = call("encode", three, "-o", tmp_path / "a.cnf", *more)
        assert found.code == 1
        assert len(found.err.splitlines()) == 1
        assert found.err.count("three.json") == 1
