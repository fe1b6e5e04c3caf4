"""Elimination tells just what holds modulo its prime, by brute force over all vectors."""

from itertools import product
from random import Random

import pytest

from satsweeper.linear.elimination import SHORT, eliminate
from satsweeper.linear.equations import ModularRow, clauses_of, follows


def system(random, variables, equations):
    """Sums of some variables; half of the time met by a hidden assignment."""
    hidden = [random.randint(0, 1) for _ in range(variables)]
    found = []
    for _ in range(equations):
        chosen = tuple(random.sample(range(variables), random.randint(0, variables)))
        number = sum(hidden[v] for v in chosen)
        found.append((chosen, random.randint(0, len(chosen)) if random.random() < 0.2 else number))
    return found


def solutions(equations, variables, modulus):
    """All vectors modulo a prime that meet the equations modulo it."""
    return [
        vector
        for vector in product(range(modulus), repeat=variables)
        if all((sum(vector[v] for v in which) - n) % modulus == 0 for which, n in equations)
    ]


@pytest.mark.parametrize("modulus", [2, 3])
@pytest.mark.parametrize("seed", range(60))
def test_what_is_told_is_what_all_vectors_agree_on(seed, modulus):
    random = Random(seed)
    variables = random.randint(1, 8 if modulus == 2 else 6)
    equations = system(random, variables, random.randint(0, 9))
    vectors = solutions(equations, variables, modulus)
    found = eliminate(equations, modulus)
    assert found.complete
    assert (found.clash is not None) == (not vectors)
    if found.clash is not None:
        assert not found.clash.coefficients
        assert follows(equations, found.clash)
        return
    for row in found.rows:
        assert 0 < len(row.coefficients) <= SHORT
        assert follows(equations, row)
        for vector in vectors:
            total = sum(factor * vector[v] for v, factor in row.coefficients.items())
            assert total % modulus == row.value
    named = {v for which, _ in equations for v in which}
    agreed = {v for v in named if len({vector[v] for vector in vectors}) == 1}
    assert {
        v for row in found.rows if len(row.coefficients) == 1 for v in row.coefficients
    } == agreed


@pytest.mark.parametrize("modulus", [2, 3])
def test_wrong_rows_are_refused(modulus):
    equations = [((1, 2, 3), 2), ((3, 4), 1), ((1, 2), 1)]
    for row in eliminate(equations, modulus).rows:
        wrong = [
            row._replace(value=(row.value + 1) % modulus),
            row._replace(coefficients={**row.coefficients, 9: 1}),
            row._replace(coefficients=dict.fromkeys(list(row.coefficients)[1:], 1)),
            row._replace(multipliers={**row.multipliers, 0: row.multipliers.get(0, 0) + 1}),
            row._replace(multipliers={}),
        ]
        assert follows(equations, row)
        assert not any(follows(equations, each) for each in wrong)
    assert not follows(equations, ModularRow(modulus, {}, 1, {0: 1, 1: 1}))


def test_clauses_say_what_a_row_says_of_zeros_and_ones():
    random = Random(2)
    for _ in range(200):
        modulus = random.choice((2, 3))
        factors = {v: random.randint(1, modulus - 1) for v in range(1, random.randint(2, 5))}
        row = ModularRow(modulus, factors, random.randrange(modulus), {})
        clauses = list(clauses_of(row))
        for ones in product((0, 1), repeat=len(factors)):
            total = sum(f * one for f, one in zip(factors.values(), ones, strict=True))
            holds = total % modulus == row.value
            true = {v if one else -v for v, one in zip(factors, ones, strict=True)}
            assert holds == all(true.intersection(clause) for clause in clauses)


def test_without_effort_what_is_told_still_holds():
    random = Random(3)
    stopped = 0
    for _ in range(100):
        equations = system(random, 12, 10)
        found = eliminate(equations, 2, effort=random.randint(0, 600))
        stopped += not found.complete
        assert all(follows(equations, row) for row in found.rows)
        assert found.clash is None or follows(equations, found.clash)
    assert stopped > 20


def test_what_would_not_fit_into_memory_is_not_begun():
    """Rows of 400,000 variables would take ten gigabytes."""
    equations = [((v, v + 1), 1) for v in range(400_000)]
    assert eliminate(equations, 2) == (None, [], False)
