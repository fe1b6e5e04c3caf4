"""What a weighted sum means, by brute force over all values of the undecided inputs.

A scenario is a partial assignment as in the oracle: 1 (true), -1 (false), 0 (undecided).
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import product
from types import SimpleNamespace

import pytest
from pysat.solvers import Solver

from pbcnf import Formula
from tests.pbcnf.emitted import size_of


def normal_bounds(weights):
    """The bounds that are not trivial and force no input by themselves."""
    total, most = sum(weights), max(weights)
    return [
        (lower, upper)
        for lower in range(total - most + 1)
        for upper in range(max(lower, most), total + 1)
        if (lower, upper) != (0, total)
    ]


@lru_cache(maxsize=100_000)
def possible_sums(weights, scenario):
    sums = {sum(w for w, value in zip(weights, scenario, strict=True) if value == 1)}
    for weight, value in zip(weights, scenario, strict=True):
        if value == 0:
            sums |= {total + weight for total in sums}
    return frozenset(sums)


def possible(weights, scenario, lower, upper):
    return any(lower <= total <= upper for total in possible_sums(tuple(weights), scenario))


def missed(clauses, weights, lower, upper):
    """Return the scenarios whose conflict, and those with the forced input, UP misses."""
    # Units are assumed: the solver reports nothing that it has propagated before.
    units = [clause[0] for clause in clauses if len(clause) == 1]
    conflicts, forced = [], []
    with Solver("minisat22", bootstrap_with=[c for c in clauses if len(c) > 1]) as solver:
        for scenario in product((0, 1, -1), repeat=len(weights)):
            given = [value * var for var, value in enumerate(scenario, start=1) if value]
            consistent, known = solver.propagate(units + given)
            if not consistent or [] in clauses:
                continue
            if not possible(weights, scenario, lower, upper):
                conflicts.append(scenario)
                continue
            for at, value in enumerate(scenario):
                for lit in (at + 1, -at - 1) if value == 0 else ():
                    opposite = (*scenario[:at], -1 if lit > 0 else 1, *scenario[at + 1 :])
                    if lit not in known and not possible(weights, opposite, lower, upper):
                        forced.append((scenario, lit))
    return conflicts, forced


def clauses_of(encoder, weights, lower, upper):
    """Return the clauses over inputs 1.., of the predicted size and in proper form."""
    n = len(weights)
    formula = Formula(num_vars=n)
    encoder.encode_weighted(range(1, n + 1), weights, lower, upper, formula)
    clauses = [list(clause) for clause in formula.clauses()]
    case = (weights, lower, upper)
    assert encoder.weighted_size(weights, lower, upper) == size_of(formula, n), case
    assert all(len({abs(lit) for lit in clause}) == len(clause) for clause in clauses), case
    # Bits of an adder that are one and the same input may say a clause twice.
    distinct = len({frozenset(clause) for clause in clauses})
    assert distinct == len(clauses) or encoder.name == "adder", case
    used = {abs(lit) for clause in clauses for lit in clause}
    assert used >= set(range(n + 1, formula.num_vars + 1)), case
    return clauses


@pytest.fixture(scope="session")
def weighted(oracle):
    def correct(encoder, weights, lower, upper, exact=True):
        """Return the clauses; models are right, and unique where claimed, if `exact` only there."""
        n, case = len(weights), (weights, lower, upper)
        clauses = clauses_of(encoder, weights, lower, upper)
        expected = {a for a in product((1, -1), repeat=n) if possible(weights, a, lower, upper)}
        assert oracle.projected_models(clauses, n) == expected, case
        last = n + encoder.weighted_size(weights, lower, upper).variables
        claimed = encoder.weighted_parsimonious(weights, lower, upper)
        if exact or claimed:
            assert oracle.extends_uniquely(clauses, n, last) == claimed, case
        return clauses

    return SimpleNamespace(
        normal_bounds=normal_bounds, missed=missed, clauses_of=clauses_of, correct=correct
    )


@pytest.fixture(scope="session")
def weighted_sums():
    """Cases (weights, lower, upper): small weights in any order, and random larger ones."""
    rng = random.Random(7)
    small = [
        (weights, *bounds)
        for n in (2, 3, 4)
        for weights in product(range(1, 6), repeat=n)
        if len(set(weights)) > 1
        for bounds in normal_bounds(weights)
    ]
    large = []
    while len(large) < 20:
        weights = tuple(rng.randint(1, 50) for _ in range(rng.randint(4, 6)))
        if bounds := normal_bounds(weights):
            lower, upper = rng.choice(bounds)
            large += [(weights, lower, upper), (weights, 0, upper)]
    return rng.sample(small, 150) + large
