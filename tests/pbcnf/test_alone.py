"""pbcnf by itself: copied into an empty folder, it needs numpy and nothing of satsweeper."""

import os
import shutil
from pathlib import Path

import pytest

import pbcnf
from tests.commands import python

PROGRAM = """
import sys
for name in ("satsweeper", "pysat", "networkx", "pysmt", "rich"):
    sys.modules[name] = None  # whoever imports one of these is told that it is not there
from itertools import product
import pbcnf
from pbcnf.audit import audit_encoder

assert pbcnf.__file__.startswith(sys.argv[1]), pbcnf.__file__
f = pbcnf.Formula(num_vars=4)
pbcnf.encode(pbcnf.Cardinality([1, 2, -3, 4], lower=2), f)
for x in product((False, True), repeat=4):
    true = lambda lit: x[abs(lit) - 1] == (lit > 0)
    assert all(any(map(true, c)) for c in f.clauses()) == (x[0] + x[1] + (not x[2]) + x[3] >= 2)
counter = pbcnf.find_encoder("totalizer").count([1, 2, 3, 4], upto=3, sink=f)
assert counter.at_most(2)
assert not audit_encoder("product", 4).breaches()
problem = pbcnf.Problem(3, (
    pbcnf.PseudoBoolean([1, -2, 3], [2, 3, 4], lower=4), pbcnf.Cardinality([1, 2, 3], upper=2),
))
for name in ("p.opb", "p.opb.xz", "p.knf"):
    if name.endswith("knf"):
        problem = pbcnf.Problem(3, problem.constraints[1:])
    pbcnf.write_problem(problem, name)
    again = pbcnf.read_problem(name)
    for x in product((False, True), repeat=3):
        true = {v if x[v - 1] else -v for v in (1, 2, 3)}
        assert all(c.holds(true) for c in again.constraints) == all(
            c.holds(true) for c in problem.constraints
        )
g = pbcnf.Formula(again.num_vars)
assert [one.size for one in pbcnf.encode_problem(again.constraints, g, pbcnf.Choices())]
with open("p.cnf", "wb") as stream:
    pbcnf.write_dimacs(g, stream)
assert pbcnf.read_problem("p.cnf").num_vars == g.num_vars
"""

TYPED = """
from pbcnf import Cardinality, Formula, PseudoBoolean, encode, find_encoder, read_problem
from pbcnf.pysat import CardEnc, EncType, ITotalizer, PBEnc
from pbcnf.pysat.card import CNFPlus

f = Formula()
xs: list[int] = [f.new_var() for _ in range(5)]
encode(Cardinality(xs, lower=1, upper=2), f, encoder="totalizer")
encode(PseudoBoolean(xs, [1, 2, 3, 4, 5], upper=7), f)
clauses: list[list[int]] = list(f.clauses())
size: int = find_encoder("direct").size(5, 1, 2).clauses
variables: int = read_problem("problem.opb").num_vars
print(len(clauses), size, variables)

with ITotalizer(xs, ubound=2, top_id=f.num_vars) as totalizer:
    outputs: list[int] = totalizer.rhs
formulas: list[CNFPlus] = [
    CardEnc.atmost(xs, 2, top_id=9, encoding=EncType.totalizer),
    PBEnc.leq(xs, [1, 2, 3, 4, 5], bound=7, conditionals=[6]),
    PBEnc.geq([(1, 2), (2, 3)], bound=2, encoding="adder"),
]
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder that holds a copy of the package alone."""
    folder = tmp_path / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(pbcnf.__file__).parent, folder / "pbcnf", ignore=ignored)
    return folder


def run(arguments: list[str], folder: Path, **more: str) -> str:
    child = python(*arguments, cwd=folder, env=os.environ | more)
    assert (child.returncode, child.stderr) == (0, ""), child.stdout + child.stderr
    return child.stdout


def test_it_encodes_counts_audits_reads_and_writes(copy: Path, tmp_path: Path) -> None:
    run(["-c", PROGRAM, str(copy)], tmp_path, PYTHONPATH=str(copy))


def test_a_users_program_is_type_checked_against_it(copy: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    program, cache = tmp_path / "program.py", f"--cache-dir={tmp_path / 'cache'}"
    program.write_text(TYPED)
    options = ["--strict", "--follow-imports=silent", "--config-file=", cache]
    command = ["-m", "mypy", *options, str(program)]
    found = run(command, tmp_path, MYPYPATH=str(copy))
    assert found == "Success: no issues found in 1 source file\n"
    program.write_text(TYPED.replace("size: int", "size: str"))
    wrong = python(*command, env=os.environ | {"MYPYPATH": str(copy)}, cwd=tmp_path)
    assert 'variable has type "str"' in wrong.stdout
