"""A part of an exact total is bounded by what the rest can hold."""

from __future__ import annotations

import pytest

from pbcnf import Cardinality, Formula, encode
from pbcnf.derivation import Derivation, Given, derive, derive_range
from pbcnf.proof.cutting_planes import check_proof


@pytest.mark.parametrize("exact", range(8))
@pytest.mark.parametrize("width", range(8))
def test_the_part_of_a_total_is_derived_and_then_encoded(derivations, exact, width) -> None:
    total, part = Cardinality(range(1, 8), exact, exact), list(range(1, width + 1))
    derivation = Derivation(formula=2)
    bounds, given = derive_range(total, part, Given(1, 2), derivation)
    assert (bounds.lits, bounds.lower, bounds.upper) == (tuple(part), exact - (7 - width), exact)
    derive(bounds, "totalizer", given, derivation, 8)
    formula = Formula(num_vars=7)
    encode(bounds, formula, "totalizer")
    checked = check_proof(derivations.opb(total, 7), derivations.written(derivation))
    assert checked.first_underived(formula.clauses()) is None


def test_only_bounds_that_say_something_are_derived() -> None:
    total = Cardinality(range(1, 11), 2, 3)
    for part, steps in [(range(1, 11), 2), (range(1, 6), 1), (range(1, 3), 0), (range(1, 10), 2)]:
        derivation = Derivation(formula=2)
        derive_range(total, part, Given(1, 2), derivation)
        assert len(derivation.steps) == steps
    derivation = Derivation(formula=1)
    assert derive_range(total, range(1, 10), Given(upper=1), derivation)[1] == Given(None, 2)


def test_negated_literals_of_the_total_stay_negated(derivations) -> None:
    total = Cardinality([-1, 2, -3, 4], 3, 3)
    derivation = Derivation(formula=2)
    bounds, given = derive_range(total, [4, -1], Given(1, 2), derivation)
    assert bounds == Cardinality([4, -1], 1, 3)
    numbers = derive(bounds, "direct", given, derivation, 5)
    checked = check_proof(derivations.opb(total, 4), derivations.written(derivation))
    assert [checked.constraints[number].clause for number in numbers] == [frozenset({4, -1})]


@pytest.mark.parametrize(
    ("total", "part", "message"),
    [
        ([1, 2], [3], "literal 3 is not in the total"),
        ([1, 2], [-1], "literal -1 is not in the total"),
        ([1, 2], [1, 1], "its part repeats a variable"),
        ([1, 1, 2], [1], "the total repeats a variable"),
        ([1, -1, 2], [1], "the total repeats a variable"),
    ],
)
def test_what_is_no_part_of_the_total_is_refused(total, part, message) -> None:
    with pytest.raises(ValueError, match=message):
        derive_range(Cardinality(total, 1, 1), part, Given(1, 2), Derivation(formula=2))
