"""Every claim about the adders and comparisons, by trying all values of their bits."""

import random
from itertools import product

import pytest

from pbcnf import Direction, EncodingSize, Formula
from pbcnf.encoders.circuits.binary import (
    at_least_constant,
    at_most_constant,
    carryless_adder,
    full_adder,
    half_adder,
    size_of_adders,
    size_of_at_least_constant,
    size_of_at_most_constant,
    size_of_carryless_adders,
)
from tests import oracles
from tests.oracles import assignments, models, true_literals, unit_propagation

ADDERS = {"full": (full_adder, 3), "half": (half_adder, 2)}
COMPARISONS = {
    "at most": (at_most_constant, size_of_at_most_constant, int.__le__),
    "at least": (at_least_constant, size_of_at_least_constant, int.__ge__),
}


def clauses_of(emit, bits):
    formula = Formula(num_vars=bits)
    emit(formula)
    return list(formula.clauses())


def value(bits):
    return sum(bit << place for place, bit in enumerate(bits))


def propagates_completely(clauses, allowed, bits):
    """Whether unit propagation finds, from any partial assignment, all that follows from it."""
    for given in product((0, 1, None), repeat=bits):
        matching = [
            m for m in allowed if all(g in (None, v) for g, v in zip(given, m, strict=True))
        ]
        decided = [p if v else -p for p, v in enumerate(given, start=1) if v is not None]
        known = unit_propagation(clauses, decided)
        if known is None or not matching:
            if matching or known is not None:
                return False
        elif not set.intersection(*map(true_literals, matching)) <= known:
            return False
    return True


def adds_up(inputs, bits):
    """The assignments in which the bits after the inputs are the number of true inputs."""
    return {m for m in assignments(bits) if sum(m[:inputs]) == value(m[inputs:])}


@pytest.mark.parametrize("kind", ADDERS)
def test_an_adder_means_its_sum_and_propagates_completely(kind):
    adder, inputs = ADDERS[kind]
    bits = inputs + 2
    clauses = clauses_of(lambda sink: adder(range(1, bits + 1), sink), bits)
    expected = adds_up(inputs, bits)
    assert set(models(clauses, bits)) == expected
    assert propagates_completely(clauses, expected, bits)


@pytest.mark.parametrize("kind", ADDERS)
def test_in_one_direction_the_outputs_are_at_least_the_sum_and_can_be_the_sum(kind):
    adder, inputs = ADDERS[kind]
    bits = inputs + 2
    clauses = clauses_of(lambda sink: adder(range(1, bits + 1), sink, Direction.AT_MOST), bits)
    found = set(models(clauses, bits))
    assert all(sum(m[:inputs]) <= value(m[inputs:]) for m in found)
    assert found >= adds_up(inputs, bits)


@pytest.mark.parametrize("inputs", [2, 3])
def test_an_adder_without_carry_has_at_most_one_true_input_and_propagates_completely(inputs):
    bits = inputs + 1
    clauses = clauses_of(lambda sink: carryless_adder(range(1, bits + 1), sink), bits)
    expected = adds_up(inputs, bits)
    assert set(models(clauses, bits)) == expected
    assert propagates_completely(clauses, expected, bits)


def test_many_adders_at_once_are_the_adders_one_by_one():
    adders = [[1, -2, 3, 9, 10], [-4, 5, 6, 11, 12]]
    together = clauses_of(lambda sink: full_adder(adders, sink), 12)
    alone = [c for adder in adders for c in clauses_of(lambda s, a=adder: full_adder(a, s), 12)]
    assert sorted(together) == sorted(alone)
    assert clauses_of(lambda sink: half_adder([], sink), 0) == []


@pytest.mark.parametrize("directions", [Direction.BOTH, Direction.AT_MOST])
@pytest.mark.parametrize(
    ("emit_full", "emit_half", "size_of", "outputs"),
    [
        (full_adder, half_adder, size_of_adders, 2),
        (carryless_adder, carryless_adder, size_of_carryless_adders, 1),
    ],
)
def test_the_predicted_size_of_adders_is_the_emitted_size(
    directions, emit_full, emit_half, size_of, outputs
):
    for emit, inputs, size in (
        (emit_full, 3, size_of(1, 0, directions)),
        (emit_half, 2, size_of(0, 1, directions)),
    ):
        formula = Formula(num_vars=inputs + outputs)
        emit([*range(1, formula.num_vars + 1)], formula, directions)
        assert size == EncodingSize(outputs, formula.num_clauses, formula.num_literals)
    published = (14, 7) if directions is Direction.BOTH else (7, 3)
    assert tuple(size_of_adders(*n, directions).clauses for n in ((1, 0), (0, 1))) == published


@pytest.mark.parametrize("kind", COMPARISONS)
@pytest.mark.parametrize("bits", range(5))
def test_a_comparison_means_what_it_says_and_propagates_completely(kind, bits):
    compare, size_of, holds = COMPARISONS[kind]
    for bound in range(2 ** (bits + 1)):
        clauses = clauses_of(lambda s, b=bound: compare(range(1, bits + 1), b, s), bits)
        expected = {m for m in assignments(bits) if holds(value(m), bound)}
        assert set(models(clauses, bits)) == expected
        assert propagates_completely(clauses, expected, bits)
        size = EncodingSize(0, len(clauses), sum(map(len, clauses)))
        assert size_of(range(1, bits + 1), bound) == size


@pytest.mark.parametrize("kind", COMPARISONS)
def test_a_comparison_handles_constant_and_equal_bits(kind):
    compare, size_of, holds = COMPARISONS[kind]
    rng = random.Random(3)
    for _ in range(500):
        bits = [rng.choice([None, 1, 2, -3, 4]) for _ in range(rng.randrange(6))]
        bound = rng.randrange(2 ** len(bits) + 2)
        clauses = clauses_of(lambda s, x=bits, b=bound: compare(x, b, s), 4)
        expected = [
            m
            for m in assignments(4)
            if holds(value([bit is not None and oracles.value(bit, m) for bit in bits]), bound)
        ]
        assert models(clauses, 4) == expected
        assert all(len({abs(lit) for lit in clause}) == len(clause) for clause in clauses)
        size = EncodingSize(0, len(clauses), sum(map(len, clauses)))
        assert size_of(bits, bound) == size
