"""Small problems of every kind, their models by brute force, and HiGHS as a reader."""

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem

Models = set[tuple[int, ...]]
NAMES = ["m_0_2", "mine (0, 2)", "x2", "X2", "end", "e5", "2nd", "", "ite", "_", "a" * 300]


def random_instance(rng: Random, weighted: bool = True) -> Problem:
    """Up to 5 variables, literals repeated and opposite, bounds that always or never hold."""
    n = rng.choice([0, 1, 2, 3, 3, 4, 5])
    constraints: list[Cardinality | PseudoBoolean] = []
    for _ in range(rng.randint(0, 4)):
        count = rng.randint(0, 6) if n else 0
        lits = [rng.choice([1, -1]) * rng.randint(1, n) for _ in range(count)]
        if rng.random() < 0.5:
            lits = [lit for i, lit in enumerate(lits) if abs(lit) not in map(abs, lits[:i])]
        lower, upper = rng.randint(-3, 7), rng.randint(-3, 7)
        bounds = rng.choice([(lower, upper), (lower, None), (None, upper), (upper, upper)])
        if weighted and rng.random() < 0.5:
            weights = [rng.randint(-4, 5) for _ in lits]
            constraints.append(PseudoBoolean(lits, weights, *bounds))
        else:
            constraints.append(Cardinality(lits, *bounds))
    names = {var: rng.choice(NAMES) for var in range(1, n + 1) if rng.random() < 0.5}
    objective = None
    if n and rng.random() < 0.5:
        lits = [rng.choice([1, -1]) * rng.randint(1, n) for _ in range(rng.randint(1, 4))]
        weights = [rng.randint(-4, 5) for _ in lits]
        objective = Objective(tuple(lits), tuple(weights), rng.randint(-3, 3), rng.random() < 0.5)
    return Problem(n, tuple(constraints), names, objective)


@pytest.fixture(scope="session")
def make_instance() -> Callable[..., Problem]:
    return random_instance


@pytest.fixture(scope="session")
def models_of() -> Callable[[Problem], Models]:
    """All models as tuples of 0 and 1, by the definition of the constraints."""

    def models(problem: Problem) -> Models:
        return {
            bits
            for bits in product((0, 1), repeat=problem.num_vars)
            if problem.holds({var if bit else -var for var, bit in enumerate(bits, start=1)})
        }

    return models


@pytest.fixture(scope="session")
def objective_of() -> Callable[[Problem, tuple[int, ...]], int | None]:
    """The value of the objective in a model; of what is to be maximised the negation."""

    def value(problem: Problem, bits: tuple[int, ...]) -> int | None:
        if problem.objective is None:
            return None
        model = {var if bit else -var for var, bit in enumerate(bits, start=1)}
        return problem.objective.value(model) * (-1 if problem.objective.maximise else 1)

    return value


HIGHS = """
import itertools, json, sys, highspy
class Silent(highspy.Highs):
    enableCallbacks = lambda self: None  # where 1.16 prints
for path in sys.argv[1:]:
    highs = Silent()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(path) == highspy.HighsStatus.kOk, path
    lp = highs.getLp()
    assert all(kind == highspy.HighsVarType.kInteger for kind in lp.integrality_), path
    matrix = lp.a_matrix_
    starts, index, value = list(matrix.start_), list(matrix.index_), list(matrix.value_)
    by_column = matrix.format_ == highspy.MatrixFormat.kColwise
    columns = [{} for _ in range(lp.num_col_)]
    for outer in range(len(starts) - 1):
        for at in range(starts[outer], starts[outer + 1]):
            column, row = (outer, index[at]) if by_column else (index[at], outer)
            columns[column][row] = value[at]
    low, high = list(lp.row_lower_), list(lp.row_upper_)
    domains = [range(int(a), int(b) + 1) for a, b in zip(lp.col_lower_, lp.col_upper_)]
    models = []
    for bits in itertools.product(*domains):
        sums = [0] * lp.num_row_
        for bit, column in zip(bits, columns):
            for row, weight in column.items():
                sums[row] += bit * weight
        if all(a <= total <= b for a, total, b in zip(low, sums, high)):
            models.append(bits)
    highs.run()
    status = highs.modelStatusToString(highs.getModelStatus())
    names = list(lp.col_names_)
    best = highs.getInfo().objective_function_value
    print(json.dumps([models, names, status, best]))
"""


@pytest.fixture(scope="session")
def highs() -> Callable[[list[Path]], list[Any]]:
    """For each file: models, names, status, best value. In a process of its own: beside other
    solvers in one process HiGHS may not even load."""
    pytest.importorskip("highspy")

    def read(paths: list[Path]) -> list[Any]:
        command = [sys.executable, "-c", HIGHS, *map(str, paths)]
        child = subprocess.run(command, capture_output=True, text=True, check=False)
        assert child.stderr == ""
        return [json.loads(line) for line in child.stdout.splitlines()]

    return read
