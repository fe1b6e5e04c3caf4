import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from tests.problem_files import models_of, written
from tests.problem_files import random_instance as make_instance


def rows_of(text: str) -> tuple[list[int], list[tuple[dict[int, int], str, int]]]:
    """The numbers of the first line, and the constraints, in the strict form of the format only:
    a sign before each weight, each variable once in a sum, ``>=`` or ``=``, `` ;`` at the end."""
    first, *lines = text.splitlines()
    shape = r"\* #variable= (\d+) #constraint= (\d+) #equal= (\d+) intsize= (\d+)"
    match = re.fullmatch(shape, first)
    assert match is not None
    rows = []
    for line in lines:
        if line.startswith(("*", "min: ")):
            continue
        row = re.fullmatch(r"((?:[+-]\d+ x\d+ )*)(>=|=) (-?\d+) ;", line)
        assert row is not None, line
        words = row[1].split()
        terms = {int(x[1:]): int(w) for w, x in zip(words[::2], words[1::2], strict=True)}
        assert len(terms) == len(words) / 2
        rows.append((terms, row[2], int(row[3])))
    return [int(number) for number in match.groups()], rows


@pytest.mark.parametrize(
    ("constraint", "bits"),
    [
        (Cardinality([1], lower=0), 1),
        (Cardinality([1, 2], lower=1), 2),
        (PseudoBoolean([1, 2], [3, 4], lower=0), 3),
        (PseudoBoolean([1, 2], [3, 4], lower=1), 4),
        (PseudoBoolean([1], [1], lower=2**64 - 1), 65),
        (PseudoBoolean([1], [-(2**64)], upper=-1), 65),
    ],
)
def test_intsize_is_the_bits_of_all_integers_of_a_constraint_together(
    constraint: Cardinality | PseudoBoolean, bits: int
) -> None:
    assert rows_of(written(Problem(2, (constraint,)), "opb"))[0][3] == bits


def test_the_objective_counts_for_intsize_but_not_as_a_constraint() -> None:
    text = written(Problem(1, (), {}, Objective((1,), (8,), constant=100)), "opb")
    assert rows_of(text) == ([1, 0, 0, 4], [])
    assert "* the constant 100 of the objective is left out" in text.splitlines()


@settings(max_examples=200, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_a_strict_reader_finds_the_same_models(rng) -> None:
    problem = make_instance(rng)
    (variables, constraints, equalities, bits), rows = rows_of(written(problem, "opb"))
    assert variables == problem.num_vars
    assert constraints == len(rows)
    assert equalities == sum(relation == "=" for _, relation, _ in rows)
    sums = [sum(map(abs, terms.values())) + abs(bound) for terms, _, bound in rows]
    assert bits >= max(sums, default=0).bit_length()
    found = set()
    for x in product((0, 1), repeat=variables):
        values = [sum(w * x[var - 1] for var, w in terms.items()) for terms, _, _ in rows]
        if all(
            value == bound if relation == "=" else value >= bound
            for value, (_, relation, bound) in zip(values, rows, strict=True)
        ):
            found.add(x)
    assert found == models_of(problem)


def test_exact_counts_the_models_of_the_rows() -> None:
    exact = pytest.importorskip("exact")
    from random import Random

    rng = Random(3)
    for _ in range(20):
        problem = make_instance(rng)
        (variables, *_), rows = rows_of(written(problem, "opb"))
        if not variables or any(not any(terms.values()) for terms, _, _ in rows):
            continue
        solver = exact.Exact()
        names = [f"x{var}" for var in range(1, variables + 1)]
        for name in names:
            solver.addVariable(name)
        for terms, relation, bound in rows:
            pairs = [(weight, f"x{var}") for var, weight in terms.items()]
            solver.addConstraint(pairs, True, bound, relation == "=", bound)
        assert solver.count(names)[1] == len(models_of(problem))
