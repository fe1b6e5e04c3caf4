"""The contract of every encoder, computed over all small cases, and the sizes beyond them."""

import random
from itertools import product
from typing import Any

import pytest

from pbcnf import ENCODERS, Cardinality, EncodingSize, Formula, Propagation, encode
from scripts import record_encodings as contracts
from tests.pbcnf.emitted import size_of

LARGE = 20_000
"""Clauses of an encoding that is not emitted beyond 12 inputs."""

AT_MOST_ONE = {name for name, each in ENCODERS.items() if ".at_most_one." in type(each).__module__}


@pytest.fixture(params=ENCODERS)
def name(request):
    return request.param


def trivial(n, lower, upper):
    return lower > upper or upper <= 0 or lower >= n or (lower <= 0 and upper >= n)


def expressible(name, n, lower, upper):
    """An encoder of at most one does that, at least one, and both of the negated inputs."""
    if name not in AT_MOST_ONE or trivial(n, lower, upper):
        return True
    return (lower <= 1 or lower == n - 1) and (upper == 1 or upper >= n - 1)


def clauses_of(name, n, lower, upper):
    """Encode over inputs 1..n; None, after an error, if the encoder cannot express the bounds."""
    formula = Formula(num_vars=n)
    constraint = Cardinality(range(1, n + 1), lower, upper)
    if not expressible(name, n, lower, upper):
        with pytest.raises(ValueError, match=f"{name} cannot express"):
            encode(constraint, formula, name)
        assert (formula.num_vars, formula.num_clauses) == (n, 0)
        return None
    encode(constraint, formula, name)
    return formula


def test_the_contract_holds_for_few_inputs(name, request):
    """Where clauses and claims are those that have been examined, only slow runs examine them."""
    slow = request.config.option.markexpr != "not slow"
    if not slow and contracts.digest_of(name) == contracts.on_record().get(name):
        return
    assert contracts.faults_of(name) == []


def test_another_clause_or_claim_is_another_contract(monkeypatch):
    recorded = contracts.on_record()["knuth_counter"]
    assert contracts.digest_of("knuth_counter") == recorded
    kind = type(ENCODERS["knuth_counter"])
    for attribute, value in (
        ("propagation", Propagation.DETECTS),
        ("parsimonious", lambda self, n, lower, upper: (n, lower) == (6, 2)),
        ("encode", _without_the_last_clause(kind.encode)),
        ("nontrivial_size", lambda self, n, lower, upper: EncodingSize(n == 6, 1, 1)),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(kind, attribute, value)
            assert contracts.digest_of("knuth_counter") != recorded, attribute


def test_a_contract_that_is_not_on_record_is_examined(monkeypatch):
    kind: Any = type(ENCODERS["pairwise"])
    monkeypatch.setattr(kind, "at_most_one", _without_the_last_clause(kind.at_most_one))
    found = contracts.faults_of("pairwise")
    assert found
    assert "at most 1 of 3, correct: given -1 2 3: a model too many" in found


def _without_the_last_clause(emit):
    """Return what emits the clauses of `emit` but the last."""

    def emitted(self, lits, *bounds_and_sink):
        *bounds, sink = bounds_and_sink
        whole = Formula(num_vars=sink.num_vars)
        emit(self, lits, *bounds, whole)
        sink.new_vars(whole.num_vars - sink.num_vars)
        for clause in list(whole)[:-1]:
            sink.add_clause(clause)

    return emitted


@pytest.mark.parametrize("n", [7, 10, 13, 16])
def test_unit_propagation_is_as_strong_as_claimed_on_larger_samples(oracle, name, n):
    claim = ENCODERS[name].propagation
    rng = random.Random(n)
    for _ in range(6):
        lower, upper = sorted(rng.choices(range(n + 1), k=2))
        # Samples near the bounds: there something is forced or in conflict.
        scenarios = []
        for _ in range(200):
            true = max(0, min(n, rng.choice([upper - 1, upper, upper + 1, rng.randint(0, n)])))
            false = min(n - true, max(0, n - lower + rng.choice([-1, 0, 1])), rng.randint(0, 2 * n))
            values = [1] * true + [-1] * false + [0] * (n - true - false)
            scenarios.append(tuple(rng.sample(values, n)))
        if name in AT_MOST_ONE:
            lower, upper = min(lower, 1), rng.choice([1, n])
        formula = clauses_of(name, n, lower, upper)
        if formula.num_clauses <= LARGE:
            conflicts, forced = oracle.missed(list(formula.clauses()), n, lower, upper, scenarios)
            assert claim is Propagation.NONE or not conflicts, (lower, upper)
            assert claim is not Propagation.ARC_CONSISTENT or not forced, (lower, upper)


SIZES = [*range(13), *(pytest.param(n, marks=pytest.mark.slow) for n in range(13, 41))]


@pytest.mark.parametrize("n", SIZES)
def test_the_predicted_size_is_the_emitted_size_for_all_bounds(name, n):
    for lower, upper in product(range(-2, n + 3), repeat=2):
        agrees_on_size(name, n, lower, upper)


def test_the_predicted_size_is_the_emitted_size_of_samples_up_to_forty_inputs(name):
    rng = random.Random(name)
    for _ in range(30):
        n = rng.randint(13, 40)
        lower, upper = sorted(rng.choices(range(n + 1), k=2))
        choice = [(lower, upper), (0, upper), (lower, n), (lower, lower)]
        if name in AT_MOST_ONE:
            choice = [(0, 1), (1, 1), (n - 1, n), (n - 1, n - 1), (lower, upper)]
        agrees_on_size(name, n, *rng.choice(choice))


def agrees_on_size(name, n, lower, upper):
    """Compare what is predicted with what is emitted; beyond 12 inputs only what is not LARGE."""
    encoder = ENCODERS[name]
    if not expressible(name, n, lower, upper):
        assert clauses_of(name, n, lower, upper) is None
        with pytest.raises(ValueError, match=f"{name} cannot express"):
            encoder.size(n, lower, upper)
        return
    predicted = encoder.size(n, lower, upper)
    if n <= 12 or predicted.clauses <= LARGE:
        formula = clauses_of(name, n, lower, upper)
        assert predicted == size_of(formula, n), (n, lower, upper)


def test_no_clause_repeats_a_variable_and_every_auxiliary_occurs(name):
    for n in range(7):
        for lower, upper in product(range(-1, n + 2), repeat=2):
            formula = clauses_of(name, n, lower, upper)
            if formula is not None:
                found = [{abs(lit) for lit in clause} for clause in formula.tuples()]
                assert list(map(len, found)) == list(map(len, formula.tuples()))
                assert set().union(*found) >= set(range(n + 1, formula.num_vars + 1))
