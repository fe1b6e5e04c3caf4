"""``satsweeper sat``: the competition's answers and exit codes, and models that were checked."""

import gzip
import re
import shutil
from random import Random
from typing import Any

import pytest

from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.table import SOLVERS
from tests import oracles
from tests.commands import call
from tests.problem_files import cnf, pigeons

PROVING = [name for name, row in SOLVERS.items() if row.proof]


def claim_of(ended: Any) -> str:
    """The one s line, after checking that there are only lines a competition allows."""
    lines = ended.out.splitlines()
    assert ended.err == ""
    assert all(line[:2] in ("c ", "s ", "v ") for line in lines)
    assert all(len(line) < 80 for line in lines if line[0] == "v")
    (claim,) = ended.lines("s")
    assert ended.code == {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0}[claim]
    assert bool(ended.lines("v")) is (ended.code == 10)
    return str(claim)


def model_of(ended: Any) -> list[int]:
    *model, last = map(int, " ".join(ended.lines("v")).split())
    assert last == 0
    return model


@pytest.fixture
def quick(monkeypatch):
    """Runs a command whose search is in this process: one of its own costs more than many do."""
    monkeypatch.setattr(
        "satsweeper.processes.worker.within",
        lambda seconds, about, search, *job: search(None, Deadline(), *job),
    )
    return call


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_gives_every_declared_variable_a_value(quick, solver):
    random = Random(5)
    claims = set()
    for size in (0, 1, 6, 10, 14, 40):
        clauses = [
            [v * random.choice((1, -1)) for v in random.sample(range(2, 7), random.choice((2, 3)))]
            for _ in range(size)
        ]
        ended = quick("sat", "--solver", solver, "-", board=cnf(9, clauses))
        claims.add(claim_of(ended))
        models = oracles.models(clauses, 9)
        if ended.code == 10:
            model = model_of(ended)
            assert [abs(lit) for lit in model] == list(range(1, 10))
            assert tuple(int(lit > 0) for lit in model) in models
        else:
            assert models == []
    assert claims == {"SATISFIABLE", "UNSATISFIABLE"}


AT_THE_EDGE = {
    "SATISFIABLE": ["p cnf 0 0\n", "p cnf 1 1\n1 -1 0\n", "p cnf 2 2\n1 1 0\n-1 -1 2 0\n"],
    "UNSATISFIABLE": ["p cnf 0 1\n0\n", "p cnf 2 2\n1 0\n0\n", "p cnf 1 2\n1 0\n-1 0\n"],
}


@pytest.mark.parametrize("solver", [*SOLVERS, "external:cadical"])
def test_formulas_at_the_edge(quick, solver):
    if solver == "external:cadical" and shutil.which("cadical") is None:
        pytest.skip("cadical is not installed: scripts/test --external")
    for claim, texts in AT_THE_EDGE.items():
        for text in texts:
            assert claim_of(quick("sat", "--solver", solver, board=text)) == claim, text


def test_the_default_solver_can_be_named_auto_and_no_message_offers_what_it_refuses():
    text = cnf(2, [[1], [-2]])
    assert call("sat", "--solver", "auto", board=text).out == call("sat", board=text).out
    for name in ("aut", "auto2", "minisat", "kisat404"):
        ended = call("sat", "--solver", name, board=text)
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        for offered in re.findall(r"did you mean '([^']+)'", ended.err):
            assert "unknown solver" not in call("sat", "--solver", offered, board=text).err


def test_a_wide_model_is_wrapped_and_a_compressed_file_read(tmp_path):
    ended = call("sat", board="p cnf 5000 1\n-5000 0\n")
    assert claim_of(ended) == "SATISFIABLE"
    assert [abs(lit) for lit in model_of(ended)] == list(range(1, 5001))
    path = tmp_path / "a.cnf.gz"
    path.write_bytes(gzip.compress(b"c hi\np cnf 2 1\n-2 0\n"))
    ended = call("sat", path)
    assert (claim_of(ended), model_of(ended)[1]) == ("SATISFIABLE", -2)
    assert f"c {path}: 2 variables, 1 clause\n" in ended.out


@pytest.mark.parametrize("solver", ["cadical195", "minisat22", "lingeling"])
def test_a_limit_ends_in_unknown(solver):
    ended = call("sat", "--solver", solver, "--timeout", 0.7, board=pigeons(14))
    assert claim_of(ended) == "UNKNOWN"
    assert "c no answer: time\n" in ended.out


@pytest.mark.parametrize(
    "options", [*([name] for name in PROVING), ["cadical195", "--timeout", 60]]
)
def test_a_proof_ends_in_the_empty_clause_and_every_line_follows(tmp_path, options):
    path, text = tmp_path / "proof.drup", pigeons(3)
    ended = call("sat", "--proof", path, "--solver", *options, board=text)
    assert claim_of(ended) == "UNSATISFIABLE"
    known = [[int(word) for word in line.split()[:-1]] for line in text.splitlines()[1:]]
    lines = path.read_text().splitlines()
    for line in lines:
        if not line.startswith("d "):
            *lemma, last = [int(word) for word in line.split()]
            assert last == 0
            assert oracles.unit_propagation(known, [-lit for lit in lemma]) is None
            known.append(lemma)
    assert lines[-1] == "0"


def test_contradictory_units_have_a_proof_and_satisfiable_formulas_none(quick, tmp_path):
    path = tmp_path / "proof.drup"
    for clauses in ([[1], [-1]], [[]]):
        for solver in PROVING:
            quick("sat", "--solver", solver, "--proof", path, board=cnf(1, clauses))
            assert path.read_text().splitlines()[-1] == "0"
            path.unlink()
    assert claim_of(call("sat", "--proof", path, board=cnf(1, [[1]]))) == "SATISFIABLE"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "format"),
    [("h 1 2 0\n3 -1 0\n", "wcnf"), ("c of old\np wcnf 2 2 9\n9 1 2 0\n3 -1 0\n", "wcnf"),
     ("p cnf+ 3 1\n1 2 3 <= 2\n", "cnf+"), ("c of counts\np knf 3 1\nk 2 1 2 3 0\n", "knf"),
     ("* #variable= 1 #constraint= 1\n+1 x1 >= 1 ;\n", "opb"),
     ("; a\n(declare-const a Bool)\n(assert a)\n", "smt2")],
)  # fmt: skip
@pytest.mark.parametrize("command", ["sat", "lint"])
def test_a_problem_of_another_format_is_sent_to_encode(tmp_path, command, text, format):
    path = tmp_path / "some problem"
    path.write_text(text)
    to = f"satsweeper encode '{path}' -o FILE.cnf"
    said = f"{path}: this is {format}, not cnf: it becomes that by {to}\n"
    assert call(command, path) == (1, "", said, "")


def test_a_formula_is_not_overwritten_by_its_proof(tmp_path):
    path = tmp_path / "a.cnf"
    path.write_text(pigeons(2))
    assert call("sat", "--proof", path, path).code == 2
    assert path.read_text() == pigeons(2)


def test_a_wrong_model_is_never_printed(monkeypatch):
    monkeypatch.setattr("satsweeper.processes.worker.within", lambda *_: (Satisfied([1, -2]), []))
    said = "cadical195: wrong model: it does not satisfy the clause 2 -1 0\n"
    assert call("sat", board=cnf(2, [[1], [2, -1]])) == (1, "", said, "")
