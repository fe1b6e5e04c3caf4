"""Bounds on comparator networks: constants among the values, and what is left of the network."""

import random
from itertools import product

import pytest
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from pbcnf import Direction, Formula
from pbcnf.encoders.cardinality.cardinality_network import CardinalityNetwork
from pbcnf.encoders.cardinality.sorting_network import SortingNetwork
from pbcnf.encoders.circuits.networks import NetworkBuilder
from tests.pbcnf.emitted import encoded

ENCODERS = [
    pytest.param(SortingNetwork(), id="sorting_network"),
    pytest.param(CardinalityNetwork(), id="cardinality_network"),
]
SAME_CODE_IN_PYSAT = {
    "sorting_network": EncType.sortnetwrk,
    "cardinality_network": EncType.cardnetwrk,
}
WITH_UNITS = [(9, 0, 1), (9, 2, 3), (10, 1, 3)]
"""Bounds with which a sorting network keeps literals of constant values, by unit clauses."""


def nontrivial(n):
    for lower, upper in product(range(n), range(1, n + 1)):
        if lower <= upper and (lower, upper) != (0, n):
            yield lower, upper


def unit_clauses(formula):
    return [clause for clause in formula.clauses() if len(clause) == 1]


@pytest.mark.parametrize(("n", "lower", "upper"), WITH_UNITS)
def test_constants_with_a_literal_keep_the_claims(oracle, n, lower, upper):
    formula = encoded(SortingNetwork(), n, lower, upper)
    clauses = list(formula.clauses())
    assert unit_clauses(formula)
    assert oracle.missed(clauses, n, lower, upper) == ([], [])
    if lower > 0:
        assert oracle.extends_uniquely(clauses, n, formula.num_vars)


def test_a_cardinality_network_has_no_literals_of_constants():
    for n in range(2, 12):
        for lower, upper in nontrivial(n):
            assert not unit_clauses(encoded(CardinalityNetwork(), n, lower, upper))


@pytest.mark.parametrize("encoder", ENCODERS)
def test_exactly_k_takes_at_most_half_the_auxiliaries_of_pysat(encoder):
    for n in [2, 3, 5, 8, 9, 13, 15, 16, 17, 20]:
        for k in {1, 2, n // 3, n // 2, n - 1} & set(range(1, n)):
            theirs = CardEnc.equals(
                list(range(1, n + 1)), k, encoding=SAME_CODE_IN_PYSAT[encoder.name]
            )
            assert 2 * encoder.size(n, k, k).variables <= max(theirs.nv, n) - n, (n, k)


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize(("n", "lower", "upper"), [(50, 0, 7), (61, 40, 61), (100, 37, 37)])
def test_unit_propagation_decides_complete_assignments_of_many_inputs(encoder, n, lower, upper):
    rng = random.Random(n)
    clauses = list(encoded(encoder, n, lower, upper).clauses())
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for true in {*range(n + 1)} & {lower - 1, lower, upper, upper + 1, (lower + upper) // 2}:
            chosen = set(rng.sample(range(1, n + 1), true))
            values = [v if v in chosen else -v for v in range(1, n + 1)]
            assert solver.propagate(assumptions=values)[0] == (lower <= true <= upper)
            assert solver.solve(assumptions=values) == (lower <= true <= upper)


def test_a_value_on_which_nothing_asked_depends_takes_no_variable():
    builder = NetworkBuilder(2)
    high, low = builder.sort(builder.inputs(0, 2)).T
    builder.forbid(low)
    formula = Formula(num_vars=2)
    assert builder.network(high[:0]).emit([1, 2], Direction.AT_MOST, formula) == []
    assert (formula.num_vars, list(formula.clauses())) == (2, [[-1, -2]])
