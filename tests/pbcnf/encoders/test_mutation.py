"""The contract is sharp: it notices the loss of any single clause of any encoding."""

from itertools import product

import pytest

from pbcnf import ENCODERS, Cardinality, EncodingSize, Formula, encode


def nontrivial_bounds(n):
    for lower, upper in product(range(n + 1), repeat=2):
        if lower <= upper and (lower, upper) != (0, n) and upper > 0 and lower < n:
            yield lower, upper


def mutants(name, n):
    """Yield each encoding over n inputs less one clause: bounds, formula, clause, the others."""
    for lower, upper in nontrivial_bounds(n):
        formula = Formula(num_vars=n)
        try:
            encode(Cardinality(range(1, n + 1), lower, upper), formula, name)
        except ValueError:
            assert type(ENCODERS[name]).__module__.startswith("pbcnf.encoders.at_most_one.")
            continue
        clauses = list(formula.clauses())
        for index, clause in enumerate(clauses):
            yield lower, upper, formula, clause, clauses[:index] + clauses[index + 1 :]


def unnoticed(oracle, name, n):
    """Yield the mutants that neither propagation (which covers the models) nor parsimony shows.

    All encoders here claim arc consistency. It covers the projected models: a clause less can
    only add models, and an assignment added is one that propagation no longer refutes.
    """
    for lower, upper, formula, clause, rest in mutants(name, n):
        if oracle.missed(rest, n, lower, upper) == ([], []) and (
            not ENCODERS[name].parsimonious(n, lower, upper)
            or oracle.extends_uniquely(rest, n, formula.num_vars)
        ):
            yield lower, upper, clause


@pytest.mark.parametrize("n", range(2, 6))
@pytest.mark.parametrize("name", ["direct", "pairwise", "knuth_counter", "totalizer"])
def test_every_lost_clause_shows_in_models_propagation_or_parsimony(oracle, name, n):
    assert list(unnoticed(oracle, name, n)) == []


@pytest.mark.parametrize("n", range(2, 6))
def test_sinz_clauses_are_redundant_only_on_counters_that_are_constant_or_too_late(oracle, n):
    for lower, upper, clause in unnoticed(oracle, "sequential_counter", n):
        # With two bounds the clauses are those of Knuth's grid, and every one counts.
        assert lower == 0 or upper == n, (lower, upper, clause)
        k = n - lower if upper == n else upper
        variables = [abs(lit) - n - 1 for lit in clause if abs(lit) > n]
        places = [(var // k + 1, var % k + 1) for var in variables]
        # s[i][j] is constant for j > i; up to k - (n-i) it is too low to break the bound.
        assert any(j > i or j <= k - (n - i) for i, j in places), (lower, upper, clause)


@pytest.mark.parametrize("name", ENCODERS)
def test_the_size_check_notices_every_lost_clause(name):
    for n in range(2, 6):
        for lower, upper, formula, _, rest in mutants(name, n):
            size = EncodingSize(formula.num_vars - n, len(rest), sum(map(len, rest)))
            assert ENCODERS[name].size(n, lower, upper) != size


@pytest.mark.parametrize("name", ["knuth_counter", "totalizer"])
def test_the_clauses_that_only_parsimony_needs_are_noticed_by_it_alone(oracle, name):
    n, lower, upper = 5, 1, 3
    lost = [
        clause
        for lo, up, _, clause, rest in mutants(name, n)
        if (lo, up) == (lower, upper) and oracle.missed(rest, n, lower, upper) == ([], [])
    ]
    assert lost
