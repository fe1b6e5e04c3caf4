"""Rows follow from the clauses of circuits and of sums over groups; from fewer clauses none do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import gcd
from typing import Any, Final

import pytest

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.derivation import Derivation
from pbcnf.derivation.converse.clauses_left import ClausesLeft, definitions
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.families import derive_bounds, derive_sum
from pbcnf.derivation.opb import derive_opb
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.table import expresses
from pbcnf.proof.cutting_planes.checker import check_proof
from pbcnf.proof.cutting_planes.encodings import ProvedClauses
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.errors import WrongCertificateError
from tests.pbcnf.derivation.derived import SumCase, written
from tests.pbcnf.derivation.test_every_encoder import (
    RandomRow,
    bounds,
    random_rows,
)
from tests.pbcnf.derivation.test_groups import GROUPED, Problem
from tests.pbcnf.derivation.test_groups import random_rows as rows_with_groups
from tests.problem_files import cnf

COUNTS: Final = (
    "parallel_counter", "sorting_network", "cardinality_network", "pairwise_network",
    "multiway_network", "modulo_totalizer", "k_modulo_totalizer",
)  # fmt: skip
WEIGHTED: Final = (
    "adder", "binary_merge", "binary_merge_gac", "global_polynomial_watchdog",
    "local_polynomial_watchdog", "mixed_radix_sorter",
)  # fmt: skip
CIRCUITS: Final = COUNTS + WEIGHTED


def larger_rows(rng: random.Random, encoder: str) -> tuple[list[RandomRow], int]:
    """One row of up to 24 inputs, with one bound or two."""
    inputs = rng.randint(5, 24)
    weights = [1] * inputs
    if encoder in WEIGHTED and rng.random() < 0.7:
        inputs = rng.randint(3, 11)
        weights = [rng.randint(1, rng.choice((3, 12, 60, 900))) for _ in range(inputs)]
    terms = [(w, v * rng.choice((1, 1, -1))) for v, w in enumerate(weights, 1)]
    degree = rng.randint(1, sum(weights))
    rows = [RandomRow(terms, rng.choice(("<=", ">=", "=")), degree)]
    if rows[0].relation == "<=" and rng.random() < 0.5:
        rows.append(RandomRow(terms, ">=", rng.randint(0, degree)))
    return rows, inputs


@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, 100), marks=pytest.mark.slow)])
@pytest.mark.parametrize("encoder", CIRCUITS)
def test_rows_of_many_inputs_follow_from_the_clauses(encoder, seeds):
    for seed in seeds:
        rows, inputs = larger_rows(random.Random(seed), encoder)
        assert Problem.of(rows, inputs, encoder).is_equivalent()


@pytest.mark.parametrize("name", ["modulo_totalizer", "k_modulo_totalizer"])
def test_all_bounds_of_divided_counts_follow_from_the_clauses(name: str) -> None:
    """From 10 inputs on the counts are divided: with two bounds, with one, at either end."""
    for lower, upper in bounds(name, [1] * 16):
        if (lower + 3 * upper) % 4 == 0:
            require_bounds(SumCase(name, [1] * 16, lower, upper))


def require_bounds(case: SumCase) -> float:
    """Require the bounds from the clauses alone, by a checker; return steps for each clause."""
    formula = case.encoded()
    clauses = [*formula.clauses()]
    of, forward = case.given(clauses, formula.num_vars)
    derive_sum(of, forward)
    state = DerivationState(Derivation(formula=len(clauses)))
    state.last_var = formula.num_vars
    for number, clause in enumerate(clauses, start=1):
        state.declare(number, [(1, lit) for lit in clause], 1)
    left = ClausesLeft(of, range(1, len(clauses) + 1), definitions(forward.derivation.steps))
    found = derive_bounds(left, state)
    text = [" ".join(f"1 {'~' * (lit < 0)}x{abs(lit)}" for lit in each) for each in clauses]
    raw = "".join(f"{each} >= 1 ;\n" for each in text)
    checked = check_proof(
        f"* #variable= {formula.num_vars} #constraint= {len(clauses)}\n{raw}".encode(),
        written(state.derivation),
    )
    signs = ((found.lower, 1, case.lower), (found.upper, -1, sum(case.weights) - case.upper))
    for proved, sign, degree in signs:
        if degree > 0:
            assert proved is not None
            row = checked.constraints[proved]
            weights = {sign * (i + 1): weight for i, weight in enumerate(case.weights)}
            assert (row.terms, row.degree) == (weights, degree)
    return state.derivation.added / len(clauses)


def test_equivalent_adders_lead_back_too() -> None:
    for pair in ((0, 10), (10, 20), (10, 10), (12, 29), (0, 28)):
        require_bounds(SumCase(Adder(equivalent=True), [9, 7, 5, 4, 2, 2], *pair))


@pytest.mark.parametrize("name", CIRCUITS)
def test_a_way_back_grows_with_the_clauses(name: str) -> None:
    weights = [1] * 40
    if name in WEIGHTED:
        rng = random.Random(7)
        weights = [rng.randint(1, 9) for _ in range(16)]
        assert gcd(*weights) == 1
    total = sum(weights)
    # Where every comparator is defined, those without clauses take steps as well.
    most = 13 if name in ("pairwise_network", "multiway_network") else 7
    for lower, upper in ((0, total // 2), (total // 2, total), (total // 3, total // 2)):
        if name in WEIGHTED or expresses(name, total, lower, upper):
            assert require_bounds(SumCase(name, weights, lower, upper)) < most


def fewer(of: Problem, rng: random.Random, most: int) -> Iterator[Problem]:
    """The problem without one of the clauses, some of them if they are many."""
    numbers = of.numbers()
    for place in rng.sample(range(len(numbers)), min(most, len(numbers))):
        yield of.without(place, numbers[place])


def refused(of: Problem, rng: random.Random, most: int) -> tuple[int, int]:
    """How many proofs without a clause are refused, and of how many.

    One that is accepted must be right: the clause was not needed.
    """
    found = tried = 0
    for less in fewer(of, rng, most):
        tried += 1
        try:
            assert less.is_equivalent()
        except (ProofError, ProofFormatError, WrongCertificateError):
            found += 1
        else:
            assert not less.adds_a_model()
    return found, tried


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 40), marks=pytest.mark.slow)])
@pytest.mark.parametrize("encoder", CIRCUITS)
def test_without_a_clause_that_is_needed_no_proof_shows_that_it_is_equivalent(encoder, seeds):
    counts = []
    for seed in seeds:
        rng = random.Random(seed)
        rows = random_rows(seed, 5, encoder in WEIGHTED and seed % 2 == 0)
        counts.append(refused(Problem.of(rows, 5, encoder), rng, 25))
    assert sum(found for found, _ in counts) > sum(tried for _, tried in counts) // 2


def grouped(encoder: str, seeds: range, inputs: int | None = None) -> Iterator[Problem]:
    for seed in seeds:
        rng = random.Random(seed)
        number = rng.randint(4, 12) if inputs is None else inputs
        yield Problem.of(rows_with_groups(rng, number), number, encoder, grouped=True)


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 400), marks=pytest.mark.slow)])
@pytest.mark.parametrize("encoder", GROUPED)
def test_rows_follow_from_clauses_of_sums_over_groups(encoder, seeds):
    for one in grouped(encoder, seeds):
        assert one.is_equivalent()


@pytest.mark.parametrize("encoder", GROUPED)
def test_without_a_clause_sums_over_groups_are_refused_unless_it_was_not_needed(encoder):
    counts = []
    for seed, one in enumerate(grouped(encoder, range(600, 606), 6)):
        counts.append(refused(one, random.Random(seed), 12))
    assert sum(found for found, _ in counts) > sum(tried for _, tried in counts) // 2


def test_a_sum_that_groups_alone_enforce_follows_from_their_rows() -> None:
    raw = b"+1 x1 +1 x2 +1 x3 <= 1 ;\n+5 x1 +6 x2 +7 x3 +2 x4 <= 9 ;\n"
    constraints: list[Any] = [Cardinality([1, 2, 3], upper=1)]
    constraints.append(PseudoBoolean([1, 2, 3, 4], [5, 6, 7, 2], upper=9))
    made = derive_opb(raw, constraints, groups="find")
    assert made.one_way is None
    clauses = [[*clause] for clause in made.formula.clauses()]
    proof = written(made.derivation)
    found = ProvedClauses.of(raw, proof).check(cnf(made.formula.num_vars, clauses).encode())
    assert (found.equivalent, len(clauses)) == (True, 3)
