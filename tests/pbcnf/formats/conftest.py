"""HiGHS as a reader of files."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
