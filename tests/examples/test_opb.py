import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from pbcnf import read_problem

FILES = sorted((Path(__file__).parents[2] / "examples").glob("*.opb"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_examples_of_opb_use_what_every_reader_knows(path):
    header, *lines = path.read_text("ascii").splitlines()
    problem = read_problem(path, strict=True)
    declared = f"* #variable= {problem.num_vars} #constraint= {len(problem.constraints)}"
    assert header == declared
    statements = [line for line in lines if not line.startswith("*")]
    assert all(line.startswith(("min:", "+", "-")) and line.endswith(" ;") for line in statements)
    assert not any("<" in line or "max:" in line for line in statements)


@pytest.mark.skipif(shutil.which("clasp") is None, reason="clasp is not on PATH")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_clasp_finds_the_best_of_an_example(path):
    problem = read_problem(path)
    models = [
        {sign * var for var, sign in enumerate(signs, start=1)}
        for signs in product((1, -1), repeat=problem.num_vars)
    ]
    models = [model for model in models if problem.holds(model)]
    found = subprocess.run(["clasp", str(path)], capture_output=True, text=True).stdout.split("\n")
    if problem.objective is None:
        assert ("s SATISFIABLE" in found) is bool(models)
        return
    assert "s OPTIMUM FOUND" in found
    best = min(map(problem.objective.value, models))
    assert [line for line in found if line.startswith("o ")][-1] == f"o {best}"
