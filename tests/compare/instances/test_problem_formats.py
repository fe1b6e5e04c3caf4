"""Every format of problems that is read makes instances, from files and from folders."""

import pytest

from pbcnf import Cardinality, EncodingError, Problem, PseudoBoolean, write_problem
from pbcnf.formats.table import FORMATS
from satsweeper.compare.instances.files import load_instances
from satsweeper.compare.instances.instance import InstanceKind

PROBLEM = Problem(3, (Cardinality([1, 2, 3], 1, 2), PseudoBoolean([1, 2, 3], [1, 2, 3], lower=3)))
READ = [row.name for row in FORMATS.values() if row.reader] + ["wbo"]
TEXTS = {
    "soft clauses alone.wcnf": "5 1 0\n3 -1 2 0\n",
    "wcnf of 2022.txt": "c hard\n3 -1 0\nh 1 2 0\n",
    "names of opb.opb": "max: 2 cat 3 dog ;\n1 cat 1 dog <= 1 ;\n",
    "parities.cnf": "p cnf 3 2\nx 1 2 -3 0\n1 2 0\n",
    "lp.txt": "\\ a comment\nMinimize\n x\nSubject To\n x + y >= 1\nBinary\n x y\nEnd\n",
    "soft constraints.txt": "soft: 6 ;\n[3] 1 x1 >= 1 ;\n[2] 1 ~x1 >= 1 ;\n",
    "sums of minicard.txt": "p cnf+ 2 1\n1 2 <= 1\n",
}


@pytest.mark.parametrize("name", READ)
def test_a_problem_of_every_format_is_an_instance_with_the_same_models(tmp_path, name):
    if name == "smt2":
        pytest.importorskip("pysmt")
    path = tmp_path / f"p.{name}.gz"
    try:
        write_problem(PROBLEM, path, name)
    except EncodingError:  # a format without weights
        write_problem(Problem(3, PROBLEM.constraints[:1]), path, name)
    (tmp_path / "notes.md").write_text("no instance")
    [instance] = load_instances([tmp_path])
    assert instance.digest == load_instances([path])[0].digest
    assert instance.kind is (InstanceKind.CNF if name == "cnf" else InstanceKind.PROBLEM)
    if instance.kind is InstanceKind.PROBLEM:
        assert instance.problem().num_vars >= 3


@pytest.mark.parametrize("name", TEXTS)
def test_what_encode_reads_is_a_problem(tmp_path, name):
    path = tmp_path / name
    path.write_text(TEXTS[name])
    [instance] = load_instances([path])
    assert instance.kind is InstanceKind.PROBLEM
    assert instance.problem().constraints
