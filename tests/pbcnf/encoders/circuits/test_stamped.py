"""What is stamped is what the adder itself emits, whatever takes the clauses."""

import random

import pytest

from pbcnf import Formula
from pbcnf.encoders.circuits import flat_stamp, stamped
from pbcnf.encoders.circuits.unary import NetworkAdder, TotalizerAdder, Unary
from pbcnf.encoders.counter import Direction
from pbcnf.sink import NormalisingSink

ADDERS = [TotalizerAdder(), NetworkAdder(Direction.AT_MOST), NetworkAdder(Direction.BOTH)]
each = pytest.mark.parametrize("adder", ADDERS, ids=["totalizer", "network", "network both"])


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
        found = emitted(lambda sink: stamped.count(adder, lits, asked, sink), sink)
        assert found == expected


@each
def test_a_sum_is_stamped_as_the_adder_emits_it(adder):
    left, right = Unary((1, 2, 3), (9, -8, 7)), Unary((1, 2), (4, 250))
    expected = emitted(lambda sink: adder.add(left, right, (2, 5), sink))
    for _ in range(2):
        found = emitted(lambda sink: stamped.add(adder, left, right, (2, 5), sink))
        assert found == expected


def test_what_is_large_is_not_kept(monkeypatch):
    formula = Formula(num_vars=4)
    formula.add_clause([1, 2, 3, 4])
    assert flat_stamp.flat_stamp(formula, 4) is not None
    monkeypatch.setattr(flat_stamp, "_MOST", 4)
    assert flat_stamp.flat_stamp(formula, 4) is None
