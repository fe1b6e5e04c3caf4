"""Any names through any format and back: the values of another program's answer, by name."""

import io
from itertools import pairwise, product

import pytest

from pbcnf import Builder, Problem, read_problem, write_problem

ODD = ["end", "inf", "a b", "é", ("t", -1), ("t", 1), 1, "1", "x1", "X1", "y" * 300, "", "~p", "\n"]


@pytest.mark.parametrize("name", ["opb", "lp", "mps", "smt2", "wcnf", "knf", "cnf", "cnf+"])
def test_answers_come_back_to_odd_names_that_collide_in_files(name: str) -> None:
    builder = Builder()
    lits = builder.booleans(ODD)
    n = builder.integer(2, -1, 1, encoding="direct")
    m = builder.integer("2", 0, 2, encoding="order")
    builder.add(*(a | b for a, b in pairwise(lits)), (n == -1) | (m >= 1))
    problem = builder.problem()
    assert list(problem.integers) == ["2", "2_"]
    stream = io.BytesIO()
    write_problem(problem, stream, name)
    again: Problem = read_problem(io.BytesIO(stream.getvalue()))
    legal = {v: text for v, text in again.variables() if v <= problem.num_vars}
    assert list(legal) == list(range(1, problem.num_vars + 1))
    assert len(set(legal.values())) == problem.num_vars
    numbers = {text: var for var, text in legal.items()}
    for pattern, k, j in product(((0, 1), (1, 0), (1, 1)), (-1, 0, 1), (0, 1, 2)):
        values = {each: bool(pattern[i % 2]) for i, each in enumerate(ODD)} | {2: k, "2": j}
        true = {var for var, each in enumerate(ODD, start=1) if values[each]}
        true |= {numbers[f"v_2_eq_{'m1' if k < 0 else k}"]}
        true |= {numbers[f"v_2_ge_{i}"] for i in (1, 2) if i <= j}
        assert builder.decode(true) == values
        assert builder.holds(values) == (k == -1 or j >= 1)
