from itertools import combinations, product

import pytest

from pbcnf import Formula
from pbcnf.encoders.circuits import unary
from pbcnf.encoders.circuits.unary import NetworkAdder, TotalizerAdder, Unary
from pbcnf.encoders.counter import Direction
from pbcnf.formula import EncodingSize
from tests.pbcnf.emitted import size_of

ADDERS = [TotalizerAdder(), NetworkAdder(Direction.AT_MOST), NetworkAdder(Direction.BOTH)]
each = pytest.mark.parametrize("adder", ADDERS, ids=["totalizer", "network", "network both"])


def is_implied_exactly_at_its_count(oracle, formula, n, counted, number):
    """Whether an output may be false exactly where fewer of the counted inputs are true."""
    for count, lit in zip(number.counts, number.lits, strict=True):
        models = oracle.projected_models([*formula.clauses(), [-lit]], n)
        fewer = {a for a in product((1, -1), repeat=n) if counted(a) < count}
        assert models == fewer, (count, lit)


@each
@pytest.mark.parametrize("n", range(1, 6))
def test_a_count_implies_the_outputs_asked_for_and_no_more(oracle, adder, n):
    for width in (1, 2, 3):
        for asked in combinations(range(1, n + 1), width):
            formula = Formula(num_vars=n)
            number = adder.count(range(1, n + 1), asked, formula)
            assert number.counts == asked
            is_implied_exactly_at_its_count(oracle, formula, n, lambda a: a.count(1), number)
            assert adder.size_of_count(n, asked) == size_of(formula, n)


@each
def test_a_sum_needs_of_its_summands_what_is_asked_of_them(oracle, adder):
    for a, b in product(range(1, 4), repeat=2):
        for asked in [(a,), (1, a + b), tuple(range(1, a + b + 1, 2)), (a + b,)]:
            n, formula = a + b, Formula(num_vars=a + b)
            left = adder.count(range(1, a + 1), adder.summand(asked, a, b), formula)
            right = adder.count(range(a + 1, n + 1), adder.summand(asked, b, a), formula)
            before, so_far = formula.num_vars, size_of(formula, 0)
            number = adder.add(left, right, asked, formula)
            is_implied_exactly_at_its_count(oracle, formula, n, lambda x: x.count(1), number)
            added = size_of(formula, before)
            added = EncodingSize(
                added.variables, added.clauses - so_far.clauses, added.literals - so_far.literals
            )
            assert adder.size_of_add(a, b, asked) == added


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
