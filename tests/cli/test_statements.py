"""``encode`` and ``check`` of statements files: the clauses, the proof, and what is refused."""

import gzip
import json
import os
from itertools import permutations

import pytest

from pbcnf.language import Builder, all_different, iff, write_statements
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


def test_a_proof_of_a_compressed_file_is_about_its_content(tmp_path, three):
    packed, cnf, proof = tmp_path / "three.json.gz", tmp_path / "a.cnf", tmp_path / "a.pbp"
    packed.write_bytes(gzip.compress(three.read_bytes()))
    done("encode", packed, "-o", cnf, "--proof", proof)
    assert "verified: equivalent" in done("check", three, cnf, proof).out
    assert "it is compressed" in call("check", packed, cnf, proof).err


def test_what_has_no_proof_leaves_no_file(tmp_path):
    b = Builder()
    n, m = b.integer("n", 0, 5000, encoding="binary"), b.integer("m", 0, 3)
    problem = written(tmp_path / "wide.json", b, n <= 1000 * m)
    cnf, proof = tmp_path / "a.cnf", tmp_path / "a.pbp"
    found = call("encode", problem, "-o", cnf, "--proof", proof)
    assert found.code == 1
    assert "the integer n has no proof in binary encoding: its range is beyond 4,096" in found.err
    assert not cnf.exists()
    assert not proof.exists()
    done("encode", problem, "-o", cnf)


@pytest.mark.parametrize("options", [["--groups", "find"], ["--order", "reversed"], ["--map"]])
def test_options_that_a_proof_of_statements_does_not_take(tmp_path, three, options):
    options += [tmp_path / "m.json"] if options == ["--map"] else []
    files = ["-o", tmp_path / "a.cnf"]
    done("encode", three, *files, *options)
    found = call("encode", three, *files, "--proof", tmp_path / "a.pbp", *options)
    assert f"{options[0]} is not for a proof of a statements file" in found.err


def test_solve_answers_statements_in_their_own_names_and_decode_reads_the_answer(tmp_path):
    b = Builder()
    x = b.boolean("x is one")
    n, m, k = b.integers("nmk", 0, 2)
    problem = written(tmp_path / "best.json", b, all_different([n, m, k]), iff(x, n < m))
    b.maximise(n + 2 * m - k)
    written(problem, b)
    best = max(n + 2 * m - k for n, m, k in permutations(range(3)))
    found = json.loads(call("solve", problem, "--json").out)
    values = found["values"]
    assert set(values) == {"x is one", "n", "m", "k"}
    assert sorted(values[name] for name in "nmk") == [0, 1, 2]
    assert values["x is one"] == (values["n"] < values["m"])
    assert found["value"] == best == values["n"] + 2 * values["m"] - values["k"]
    answer = tmp_path / "answer"
    answer.write_text(call("solve", problem).out)
    assert json.loads(done("decode", problem, answer, "--json").out)["values"] == values
    answer.write_text("s SATISFIABLE\nv n=0 m=0 k=2\n")
    assert call("decode", problem, answer).code == 1


def test_variables_of_gates_are_no_values(tmp_path):
    b = Builder()
    x, y, z = b.booleans("xyz")
    problem = written(tmp_path / "gates.json", b, (x & y) | (y & z) | (x & z))
    values = json.loads(call("solve", problem, "--json").out)["values"]
    assert set(values) == {"x", "y", "z"}
    assert sum(values.values()) >= 2


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_is_read_compressed_or_from_a_pipe_that_begins_with_one_byte(three, start, pack):
    raw = pack(three.read_bytes())
    read, write = os.pipe()
    with os.fdopen(read, "rb") as given:
        process = start("solve", "-", stdin=given)
    os.write(write, raw[:1])
    # The rest comes after the reader has waited for it, or before: the answer is the same.
    os.write(write, raw[1:])
    os.close(write)
    out, _ = process.communicate()
    assert process.returncode == 10
    assert "n=" in out


@pytest.mark.parametrize(
    "change", [("[0, 2]", "[0.5, 2]"), ('"compare"', '"compere"'), ('"schema"', '"scheme"')]
)
def test_a_wrong_file_is_one_line(tmp_path, three, change):
    three.write_text(three.read_text().replace(*change))
    for more in ([], ["--proof", tmp_path / "a.pbp"]):
        found = call("encode", three, "-o", tmp_path / "a.cnf", *more)
        assert found.code == 1
        assert len(found.err.splitlines()) == 1
        assert found.err.count("three.json") == 1
