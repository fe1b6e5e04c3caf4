"""What all encoders of at-most-one have in common, computed over all small cases."""

import random
from itertools import combinations

import pytest

from pbcnf import Cardinality, Formula, encode
from pbcnf.audit import Property, audit_encoder
from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.at_most_one.bitwise import Bitwise
from pbcnf.encoders.at_most_one.commander import Commander
from pbcnf.encoders.at_most_one.ladder import Ladder
from pbcnf.encoders.at_most_one.nested import Nested
from pbcnf.encoders.at_most_one.pairwise import Pairwise
from pbcnf.encoders.at_most_one.product import Product
from pbcnf.encoders.at_most_one.sequential import Sequential
from tests.pbcnf.emitted import encoded, size_of

ENCODERS = [
    Pairwise(),
    Sequential(),
    Ladder(),
    Bitwise(),
    Product(),
    Commander(),
    Bimander(),
    Bimander(group_size=3),
    Bimander(group_size=100),
    Nested(),
]
LARGE = ENCODERS[1:8] + ENCODERS[9:]  # those that are not quadratic
every_encoder = pytest.mark.parametrize("encoder", ENCODERS, ids=str)


def bounds(n):
    """Return the non-trivial bounds that at-most-one gives for n inputs."""
    pairs = {(0, 1), (1, 1), (1, n), (0, n - 1), (1, n - 1), (n - 1, n - 1), (n - 1, n)}
    return sorted((lo, up) for lo, up in pairs if lo <= up and (lo, up) != (0, n) and lo < n)


@pytest.mark.parametrize("encoder", ENCODERS[7:9], ids=str)
def test_groups_of_other_sizes_keep_the_contract(encoder):
    found = audit_encoder(encoder, 8)
    # On record are the clauses of groups of two.
    assert {prop for _, prop, _ in found.breaches()} <= {Property.RECORDED}
    assert found.stronger() == {}


@pytest.mark.parametrize("encoder", LARGE, ids=str)
def test_propagation_is_as_strong_on_all_pairs_and_near_misses_of_forty_inputs(oracle, encoder):
    n = 40
    rng = random.Random(n)
    pairs = [tuple(1 if i in p else 0 for i in range(n)) for p in combinations(range(n), 2)]
    ones = [tuple(1 if i == j else 0 for i in range(n)) for j in range(n)]
    last = [tuple(0 if i == j else -1 for i in range(n)) for j in range(n)]
    mixed = [tuple(rng.choices((0, -1), k=n)) for _ in range(40)]
    for lower, upper in [(0, 1), (1, 1)]:
        clauses = list(encoded(encoder, n, lower, upper).clauses())
        scenarios = pairs + ones + last + mixed + [(-1,) * n]
        assert oracle.missed(clauses, n, lower, upper, scenarios) == ([], []), (lower, upper)


@every_encoder
def test_exactly_one_and_exactly_all_but_one_are_parsimonious(encoder):
    assert all(encoder.parsimonious(n, k, k) for n in range(2, 50) for k in (1, n - 1))


@every_encoder
def test_the_predicted_size_is_the_emitted_size(encoder):
    for n in range(2, 42):
        for lower, upper in [*bounds(n), (0, n), (2, 1), (0, 0), (n, n), (-3, n + 2)]:
            formula = encoded(encoder, n, lower, upper)
            assert encoder.size(n, lower, upper) == size_of(formula, n), (n, lower, upper)


@pytest.mark.parametrize("encoder", LARGE, ids=str)
@pytest.mark.parametrize("n", [1000, 4097, 10000])
def test_ten_thousand_inputs_take_no_more_clauses_than_fourteen_bits_each(encoder, n):
    for lower, upper in [(0, 1), (1, 1), (n - 1, n)]:
        formula = encoded(encoder, n, lower, upper)
        assert encoder.size(n, lower, upper) == size_of(formula, n)
        assert formula.num_clauses <= 14 * n + 1


@every_encoder
def test_at_least_one_and_at_most_all_but_one_are_one_clause_each(encoder):
    for n in range(2, 9):
        positive, negative = list(range(1, n + 1)), [-v for v in range(1, n + 1)]
        assert list(encoded(encoder, n, 1, n).clauses()) == [positive]
        assert list(encoded(encoder, n, 0, n - 1).clauses()) == [negative]
        if n > 2:
            assert list(encoded(encoder, n, 1, n - 1).clauses()) == [negative, positive]


@every_encoder
def test_two_inputs_need_no_auxiliary(encoder):
    assert list(encoded(encoder, 2, 1, 1).clauses()) == [[-1, -2], [1, 2]]


@every_encoder
def test_at_least_all_but_one_is_at_most_one_of_the_negations(encoder):
    for n in range(3, 12):
        for mirrored, plain in [((n - 1, n), (0, 1)), ((n - 1, n - 1), (1, 1))]:
            formula = Formula(num_vars=n)
            encode(Cardinality(range(-1, -n - 1, -1), *mirrored), formula, encoder)
            assert list(formula.clauses()) == list(encoded(encoder, n, *plain).clauses())


@every_encoder
@pytest.mark.parametrize(("lower", "upper"), [(0, 2), (2, 2), (2, 5), (1, 2), (3, 4)])
def test_other_bounds_are_refused_by_name_before_anything_is_emitted(encoder, lower, upper):
    formula = Formula(num_vars=5)
    message = f"{encoder.name} cannot express {lower} <= sum of 5 inputs <= {upper}: it can do"
    with pytest.raises(ValueError, match=message):
        encode(Cardinality(range(1, 6), lower, upper), formula, encoder)
    with pytest.raises(ValueError, match=message):
        encoder.size(5, lower, upper)
    assert (formula.num_vars, formula.num_clauses) == (5, 0)


@every_encoder
def test_repeated_inputs_count_with_multiplicity(oracle, encoder):
    formula = Formula(num_vars=7)
    encode(Cardinality([1, 2, 3, 4, 5, 6, 7, 3, 5], upper=1), formula, encoder)
    models = oracle.projected_models(list(formula.clauses()), 7)
    assert {tuple(v for v in a if v > 0) for a in models} == {(), (1,)}
    assert {a.index(1) + 1 for a in models if 1 in a} == {1, 2, 4, 6, 7}
