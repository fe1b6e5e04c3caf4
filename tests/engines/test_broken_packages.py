"""A package that is found, but cannot be imported: one line, as for one that is missing."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.commands import EXAMPLES, environment, python


@pytest.mark.parametrize(
    ("engine", "package"),
    [("smt", "z3"), ("ilp", "highspy"), ("cp_sat", "ortools"), ("scip", "pyscipopt")],
)
def test_an_engine_whose_package_is_broken_is_refused_in_one_line(
    engine: str, package: str, tmp_path: Path
) -> None:
    if find_spec("pysmt" if engine == "smt" else package) is None:
        pytest.skip("an extra")
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("raise ImportError('no\\nlibrary')\n")
    here = environment()
    here["PYTHONPATH"] = os.pathsep.join([str(tmp_path), here["PYTHONPATH"]])
    command = ["-m", "satsweeper", "classify", EXAMPLES / "lp_5x5.txt", "--engine", engine]
    ended = python(*command, env=here)
    assert (ended.returncode, ended.stdout) == (1, "")
    broken = f"a package of engine {engine} is installed, but broken ("
    assert ended.stderr.startswith((broken, f"satsweeper classify: {broken}"))
    assert "pip install --force-reinstall" in ended.stderr
    assert ended.stderr.count("\n") == 1
