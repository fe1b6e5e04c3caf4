"""Unary numbers: outputs mean their counts, and templates give the clauses that the adder emits."""

import random
from itertools import combinations, product

import pytest

from pbcnf import Direction, Formula
from pbcnf.encoders.circuits import template, unary
from pbcnf.encoders.circuits.unary import (
    NetworkAdder,
    TotalizerAdder,
    Unary,
    add_unary,
    count_unary,
)
from pbcnf.sink import NormalisingSink
from tests.pbcnf.emitted import size_of

ADDERS = [TotalizerAdder(), NetworkAdder(Direction.AT_MOST), NetworkAdder(Direction.BOTH)]
each = pytest.mark.parametrize("adder", ADDERS, ids=["totalizer", "network", "network both"])


def is_implied_exactly_at_its_count(oracle, formula, n, number):
    """Whether an output may be false exactly where fewer of the inputs are true."""
    for count, lit in zip(number.counts, number.lits, strict=True):
        models = oracle.projected_models([*formula.clauses(), [-lit]], n)
        fewer = {a for a in product((1, -1), repeat=n) if a.count(1) < count}
        assert models == fewer, (count, lit)


@each
@pytest.mark.parametrize("n", range(1, 6))
def test_a_count_implies_the_outputs_asked_for_and_no_more(oracle, adder, n):
    for width in (1, 2, 3):
        for asked in combinations(range(1, n + 1), width):
            formula = Formula(num_vars=n)
            number = adder.count(range(1, n + 1), asked, formula)
            assert number.counts == asked
            is_implied_exactly_at_its_count(oracle, formula, n, number)
            assert adder.size_of_count(n, asked) == size_of(formula, n)


@each
def test_a_sum_needs_of_its_summands_what_is_asked_of_them(oracle, adder):
    for a, b in product(range(1, 4), repeat=2):
        for asked in [(a,), (1, a + b), tuple(range(1, a + b + 1, 2)), (a + b,)]:
            n, formula = a + b, Formula(num_vars=a + b)
            left = adder.count(range(1, a + 1), adder.summand(asked, a, b), formula)
            right = adder.count(range(a + 1, n + 1), adder.summand(asked, b, a), formula)
            before = size_of(formula, 0)
            number = adder.add(left, right, asked, formula)
            is_implied_exactly_at_its_count(oracle, formula, n, number)
            assert before + adder.size_of_add(a, b, asked) == size_of(formula, 0)


@pytest.mark.parametrize("asked", [(3,), (1, 2, 3), (2, 6, 9), tuple(range(1, 11, 2))])
def test_blocks_and_single_clauses_add_the_same(monkeypatch, asked):
    adder, formulas = TotalizerAdder(), []
    for many in (0, 10_000):
        monkeypatch.setattr(unary, "_MANY", many)
        formula = Formula(num_vars=10)
        left, right = (Unary(counts, counts) for counts in [adder.summand(asked, 5, 5)] * 2)
        adder.add(left, Unary(right.counts, tuple(5 + i for i in right.lits)), asked, formula)
        formulas.append(list(formula.clauses()))
    assert formulas[0] == formulas[1]


def test_a_network_with_both_directions_makes_outputs_equivalent(oracle):
    formula = Formula(num_vars=4)
    number = NetworkAdder(Direction.BOTH).count([1, 2, 3, 4], (2, 3), formula)
    for count, lit in zip(number.counts, number.lits, strict=True):
        models = oracle.projected_models([*formula.clauses(), [lit]], 4)
        assert models == {a for a in product((1, -1), repeat=4) if a.count(1) >= count}


def emitted(emit, sink=lambda formula: formula):
    formula = Formula(num_vars=300)
    return emit(sink(formula)), formula.num_vars, list(formula.clauses())


@each
@pytest.mark.parametrize("number", [1, 2, 7, 130])
def test_a_count_is_stamped_as_the_adder_emits_it(adder, number):
    draw = random.Random(number)
    lits = [draw.choice((1, -1)) * var for var in draw.sample(range(1, 301), number)]
    asked = tuple(sorted(draw.sample(range(1, number + 1), min(number, 3))))
    expected = emitted(lambda sink: adder.count(lits, asked, sink))
    for sink in (lambda formula: formula, NormalisingSink):
        assert emitted(lambda sink: count_unary(adder, lits, asked, sink), sink) == expected


@each
def test_a_sum_is_stamped_as_the_adder_emits_it(adder):
    left, right = Unary((1, 2, 3), (9, -8, 7)), Unary((1, 2), (4, 250))
    expected = emitted(lambda sink: adder.add(left, right, (2, 5), sink))
    for _ in range(2):
        found = emitted(lambda sink: add_unary(adder, left, right, (2, 5), sink))
        assert found == expected


def test_what_is_large_is_not_kept(monkeypatch):
    formula = Formula(num_vars=4)
    formula.add_clause([1, 2, 3, 4])
    assert template.template_unless_large(formula, 4) is not None
    monkeypatch.setattr(template, "_MOST", 4)
    assert template.template_unless_large(formula, 4) is None


@pytest.mark.parametrize("few", [0, 800])
def test_a_template_emits_its_clauses_by_tuples_and_by_arrays(monkeypatch, few):
    monkeypatch.setattr(template, "_FEW", few)
    formula = Formula(num_vars=4)
    for clause in ([-1, 4], [2, -3, 4], [4], [-4, 1]):
        formula.add_clause(clause)
    kept = template.Template(3, 1, list(map(tuple, formula)))
    for made in (kept, template.Template(3, 1, formula=formula)):
        for sink_of in (lambda formula: formula, NormalisingSink):
            found = Formula(num_vars=9)
            assert made.emit([9, -8, 7], sink_of(found)) == [9, -8, 7, 10]
            assert list(found) == [[-9, 10], [-8, -7, 10], [10], [-10, 9]]


def test_a_shape_is_made_once_and_by_some_only_the_second_time():
    made = []

    def make(*shape):
        made.append(shape)
        return len(made)

    assert [template.cached(make, 3, "a") for _ in range(3)] == [1, 1, 1]
    assert template.cached(make, 4, "a") == 2
    asked = [template.cached_if_asked_before(make, 3, "a") for _ in range(3)]
    assert asked == [None, 3, 3]
