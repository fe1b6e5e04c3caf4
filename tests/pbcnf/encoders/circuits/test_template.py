"""Templates give the clauses that the adder emits, into every kind of sink."""

import random

import pytest

from pbcnf import Formula
from pbcnf.encoders.circuits import template
from pbcnf.encoders.circuits.unary import (
    NetworkAdder,
    TotalizerAdder,
    Unary,
    add_unary,
    count_unary,
)
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
        found = emitted(lambda sink: count_unary(adder, lits, asked, sink), sink)
        assert found == expected


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
