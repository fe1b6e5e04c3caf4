"""The audit is sharp: a lost clause and a flipped literal of any of our encoders show."""

from itertools import product

import pytest

from pbcnf import ENCODERS
from pbcnf.audit import Property, audit, audit_clauses, every_bound
from pbcnf.audit.bounds import BoundKind
from pbcnf.audit.contract import digest, on_record
from pbcnf.emission.dispatch import template

LEAST = {
    "adder": 0.86, "bimander": 0.97, "binary_merge": 0.96, "binary_merge_gac": 0.96,
    "bitwise": 0.95, "decision_diagram": 0.95, "local_polynomial_watchdog": 0.62,
    "mixed_radix_sorter": 0.86, "parallel_counter": 0.73, "sequential_counter": 0.90,
    "pairwise_network": 0.98, "sorting_network": 0.98,
}  # fmt: skip
"""The share of flips that break a claim, where it is below 99 %.

These encoders emit clauses they could do without for so few inputs: literals of counts that are
out of reach, second proofs of what is known. A flip there changes nothing that is claimed, as
another test here finds with another oracle.
"""


def nontrivial(upto):
    other = (BoundKind.TRIVIAL, BoundKind.OUT_OF_RANGE)
    return (bound for bound in every_bound(upto) if bound.kind not in other)


def encodings(name, upto):
    """Yield the claims and the clauses of every encoding of bounds that are not trivial."""
    for bound in nontrivial(upto):
        case = audit(name, bound)
        if case.audit is not None:
            encoding = template(name, bound.n, bound.lower, bound.upper)
            assert case.breaches() == []
            yield bound, case, encoding


def breaks_a_claim(clauses, bound, case, auxiliaries, predicted=None):
    ends = bound.weights, bound.lower, bound.upper
    found = audit_clauses(clauses, bound.n + auxiliaries, *ends, predicted)
    return bool(case.claims & found.failures.keys())


def without(clauses, index):
    return clauses[:index] + clauses[index + 1 :]


def flips(clauses):
    for index, clause in enumerate(clauses):
        for place, lit in enumerate(clause):
            flipped = (*clause[:place], -lit, *clause[place + 1 :])
            yield (*clauses[:index], flipped, *clauses[index + 1 :])


@pytest.mark.parametrize("name", ENCODERS)
def test_every_lost_clause_breaks_a_claim(name, record_property):
    caught = shown_by_more_than_size = number = 0
    for bound, case, encoding in encodings(name, 4):
        for index in range(len(encoding.clauses)):
            rest = without(encoding.clauses, index)
            number += 1
            caught += breaks_a_claim(rest, bound, case, encoding.auxiliaries, case.audit.size)
            shown_by_more_than_size += breaks_a_claim(rest, bound, case, encoding.auxiliaries)
    record_property("lost clauses", f"{shown_by_more_than_size} of {number} show without size")
    assert caught == number > 0


@pytest.mark.parametrize("upto", [4, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ENCODERS)
def test_a_flipped_literal_breaks_a_claim(name, upto):
    verdicts = [
        breaks_a_claim(clauses, bound, case, encoding.auxiliaries)
        for bound, case, encoding in encodings(name, upto)
        for clauses in flips(encoding.clauses)
    ]
    assert sum(verdicts) / len(verdicts) >= LEAST.get(name, 0.99)


@pytest.mark.parametrize("name", ENCODERS)
def test_a_flip_that_shows_nowhere_leaves_every_claim_true(oracle, name):
    """The uncaught flips by the other oracle: nothing that is claimed has changed."""
    for bound, case, encoding in encodings(name, 3):
        for clauses in flips(encoding.clauses):
            if breaks_a_claim(clauses, bound, case, encoding.auxiliaries):
                continue
            n, lower, upper = bound.n, bound.lower, bound.upper
            assert all(lower <= a.count(1) <= upper for a in oracle.projected_models(clauses, n))
            conflicts, forced = oracle.missed(clauses, n, lower, upper)
            assert Property.DETECTS not in case.claims or not conflicts
            assert Property.ARC_CONSISTENT not in case.claims or not forced
            assert Property.PARSIMONIOUS not in case.claims or oracle.extends_uniquely(
                clauses, n, n + encoding.auxiliaries
            )


class Mutant:
    """An encoder that claims what another one does, and emits other clauses."""

    def __init__(self, name, clauses, auxiliaries):
        encoder = ENCODERS[name]
        self.name, self.propagation = name, encoder.propagation
        self.parsimonious, self.size = encoder.parsimonious, encoder.size
        self.clauses, self.auxiliaries = clauses, auxiliaries

    def encode(self, lits, lower, upper, sink):
        sink.new_vars(self.auxiliaries)
        for clause in self.clauses:
            sink.add_clause(clause)


@pytest.mark.parametrize("name", ENCODERS)
def test_with_the_record_every_flip_and_every_lost_clause_is_caught(name):
    for bound, _, encoding in encodings(name, 3):
        clauses = encoding.clauses
        assert audit(Mutant(name, clauses, encoding.auxiliaries), bound).breaches() == []
        lost = [without(clauses, index) for index in range(len(clauses))]
        for wrong in (*flips(clauses), *lost):
            assert audit(Mutant(name, wrong, encoding.auxiliaries), bound).breaches()


def test_the_record_is_that_of_the_encoders_now():
    for name, bound in product(ENCODERS, nontrivial(5)):
        try:
            found = digest(template(name, bound.n, bound.lower, bound.upper).clauses)
        except ValueError:
            found = None
        assert on_record(name, bound) == found, "run scripts/record_encodings.py"
