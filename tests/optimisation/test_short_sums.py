"""Short sums as clauses: they have the models of the sums, and none implies another."""

from random import Random

import pytest

from pbcnf import Cardinality, Parity, PseudoBoolean
from satsweeper.optimisation.short_sums import SHORT, minimal_covers, short_clauses
from tests.oracles import assignments, true_literals

VARIABLES = 8


def random_sum(random):
    lits = [random.choice([-v, v]) for v in random.sample(range(1, VARIABLES + 1), 6)]
    weights = [random.choice([-1, 1]) * random.randint(1, 9) for _ in lits]
    lower = random.randint(-20, 20)
    return PseudoBoolean(lits, weights, lower, random.choice([lower, lower + 5, 99]))


@pytest.mark.parametrize("seed", range(40))
def test_the_clauses_have_the_models_of_the_sum(seed):
    constraint = random_sum(Random(seed))
    clauses = short_clauses(constraint)
    if clauses is None:
        # It is a clause, decided, has equal weights, or very many clauses.
        return
    for bits in assignments(VARIABLES):
        true = true_literals(bits)
        assert constraint.holds(true) == all(true.intersection(clause) for clause in clauses)


@pytest.mark.parametrize("seed", range(40))
def test_covers_are_exactly_the_minimal_ones(seed):
    random = Random(seed)
    weights = tuple(random.randint(1, 9) for _ in range(6))
    degree = random.randint(1, sum(weights))
    sets = [
        {place for place, bit in enumerate(bits) if bit}
        for bits in assignments(6)
        if sum(weights[place] for place, bit in enumerate(bits) if not bit) < degree
    ]
    expected = {frozenset(each) for each in sets if not any(other < each for other in sets)}
    covers = minimal_covers(weights, degree)
    assert covers is not None
    assert len(covers) == len(expected)
    assert {*map(frozenset, covers)} == expected


def test_other_constraints_are_left_to_encoders():
    long = range(1, SHORT + 2)
    assert short_clauses(PseudoBoolean(long, long, lower=20)) is None
    assert short_clauses(Cardinality([1, 2, 3], upper=1)) is None
    assert short_clauses(Parity([1, 2, 3], odd=True)) is None
    assert short_clauses(PseudoBoolean([1, 2], [1, 2], lower=9)) is None
    # Half of ten different literals have 252 minimal covers.
    weights = [100 + i for i in range(10)]
    assert short_clauses(PseudoBoolean(range(1, 11), weights, lower=sum(weights) // 2)) is None
