"""Parities in formats of sums: an equation with binary slack, judged by brute force."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, Parity
from pbcnf.constraints.problem import Problem
from tests.problem_files import read, written

LITERALS = st.lists(st.integers(1, 5).flatmap(lambda var: st.sampled_from([var, -var])), max_size=8)


@settings(max_examples=150, deadline=None)
@given(LITERALS, st.booleans(), st.sampled_from(["opb", "lp", "mps"]))
def test_every_model_of_a_parity_extends_to_exactly_one_of_what_is_written(
    lits, odd, format
) -> None:
    problem = Problem(5, (Parity(lits, odd), Cardinality([1, 2, 3], 1)))
    found = read(written(problem, format))
    assert list(dict(found.variables()).values())[:5] == [f"x{i}" for i in range(1, 6)]
    extensions: dict[tuple[int, ...], int] = {}
    for bits in product((0, 1), repeat=found.num_vars):
        if found.holds({var if bit else -var for var, bit in enumerate(bits, start=1)}):
            extensions[bits[:5]] = extensions.get(bits[:5], 0) + 1
    assert extensions == {
        bits: 1
        for bits in product((0, 1), repeat=5)
        if sum(bits[abs(lit) - 1] == (lit > 0) for lit in lits) % 2 == odd and any(bits[:3])
    }


@pytest.mark.parametrize("format", ["opb", "lp", "mps"])
def test_the_name_of_a_slack_variable_may_be_taken(format) -> None:
    problem = Problem(2, (Parity([1, 2], False),), {1: "parity_1_slack_0"})
    found = read(written(problem, format))
    assert found.names == {1: "parity_1_slack_0", 3: "parity_1_slack_0_2"}
