"""Small problems of every kind, their models, and files in memory, for tests of formats."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbcnf import Cardinality, Formula, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.problems import read_problem, write_problem
from pbcnf.literals import Clause
from tests.commands import environment, python
from tests.oracles import Assignment, assignments, true_literals


def read(
    text: str | bytes, name: str = "f", reader: Callable[[io.BytesIO, str], Any] = read_problem
) -> Any:
    """Return the problem that `reader` reads from a file `name` with this content."""
    return reader(io.BytesIO(text if isinstance(text, bytes) else text.encode()), name)


def written(problem: Problem, format: str, **options: Any) -> str:
    """The file of a problem; the stream that it is written to stays open."""
    stream = io.BytesIO()
    write_problem(problem, stream, format, **options)
    assert not stream.closed
    return stream.getvalue().decode("ascii")


def formula_of(num_vars: int, clauses: Iterable[Clause]) -> Formula:
    """A formula of these clauses."""
    formula = Formula(num_vars)
    for clause in clauses:
        formula.add_clause(clause)
    return formula


def cnf(variables: int, clauses: Iterable[Clause]) -> str:
    """The file of a formula in DIMACS."""
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([f"p cnf {variables} {len(lines)}", *lines, ""])


def pb_proof(*steps: str, given: int, conclusion: str = "NONE") -> str:
    """A proof of pseudo-Boolean constraints, of which so many are given."""
    begin = ["pseudo-Boolean proof version 3.0", f"f {given} ;"]
    end = ["output NONE ;", f"conclusion {conclusion} ;", "end pseudo-Boolean proof ;", ""]
    return "\n".join([*begin, *steps, *end])


def pigeons(holes: int) -> str:
    """One pigeon more than there are holes: from 13 holes on no solver is done in minutes."""
    place = [[p * holes + h for h in range(1, holes + 1)] for p in range(holes + 1)]
    pairs = [[-a[h], -b[h]] for a, b in combinations(place, 2) for h in range(holes)]
    return cnf(holes * (holes + 1), [*place, *pairs])


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


def models_of(problem: Problem) -> set[Assignment]:
    """The models, by the definition of the constraints."""
    every = assignments(problem.num_vars)
    return {bits for bits in every if problem.holds(true_literals(bits))}


def objective_of(problem: Problem, bits: Assignment) -> int:
    """The value of the objective in a model, 0 without one; the negation if it is maximised."""
    if problem.objective is None:
        return 0
    value = problem.objective.value(true_literals(bits))
    return -value if problem.objective.maximise else value


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


def read_by_highs(*paths: Path) -> list[Any]:
    """For each file models, names, status and best value; the test is skipped without HiGHS.

    In a process of its own: beside other solvers in one process HiGHS may not even load.
    """
    pytest.importorskip("highspy")
    child = python("-c", HIGHS, *paths, env=environment(PYTHONWARNINGS="ignore"))
    assert child.stderr == ""
    return [json.loads(line) for line in child.stdout.splitlines()]


def _cost_of_wbo(x: Assignment) -> int | None:
    cost = 7 * (2 * x[0] + 3 * x[1] > 3) + 4 * x[1] * (1 - x[2]) + 6 * x[0]
    return cost if sum(x) >= 2 and cost < 11 else None


def _cost_of_wcnf(x: Assignment) -> int | None:
    cost = 4 * x[0] * x[1] + 3 * x[1] + 2 * x[2]
    return cost if (x[0] or x[1]) and (x[1] or x[2]) else None


SOFT = {
    "wbo": (
        "soft: 11 ;\n+1 x1 +1 x2 +1 x3 >= 2 ;\n"
        "[7] +2 x1 +3 x2 <= 3 ;\n[4] +1 x2 ~x3 = 0 ;\n[6] +1 x1 < 1 ;\n",
        _cost_of_wbo,
    ),
    "wcnf": (
        "p wcnf 3 5 10\n11 1 2 0\n10 2 3 0\n4 -1 -2 0\n3 -2 0\n2 -3 0\n", _cost_of_wcnf
    ),
}  # fmt: skip
"""Format -> a file with soft constraints, and the cost of an assignment, None if it is no model."""
