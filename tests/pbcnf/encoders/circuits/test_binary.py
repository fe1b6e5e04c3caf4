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
    return sum(2**place for place, bit in enumerate(bits) if bit == 1)


def models(clauses, bits):
    return {
        values
        for values in product((1, -1), repeat=bits)
        if all(any(values[abs(lit) - 1] * lit > 0 for lit in clause) for clause in clauses)
    }


def propagates_completely(clauses, allowed, bits):
    """Whether unit propagation finds, from any partial assignment, all that follows from it."""
    for given in product((0, 1, -1), repeat=bits):
        matching = [m for m in allowed if all(g in (0, v) for g, v in zip(given, m, strict=True))]
        known = {place * sign for place, sign in enumerate(given, start=1) if sign}
        while not any(-lit in known for lit in known):
            open_lits = [[lit for lit in clause if -lit not in known] for clause in clauses]
            units = {lits[0] for lits in open_lits if len(lits) == 1} - known
            if [] in open_lits:
                known |= {1, -1}
            elif not units:
                break
            known |= units
        conflict = any(-lit in known for lit in known)
        if conflict != (not matching):
            return False
        for place in range(bits if matching else 0):
            values = {m[place] for m in matching}
            if len(values) == 1 and (place + 1) * values.pop() not in known:
                return False
    return True


@pytest.mark.parametrize("kind", ADDERS)
def test_an_adder_means_its_sum_and_propagates_completely(kind):
    adder, inputs = ADDERS[kind]
    bits = inputs + 2
    clauses = clauses_of(lambda sink: adder(range(1, bits + 1), sink), bits)
    expected = {
        m for m in product((1, -1), repeat=bits) if m[:inputs].count(1) == value(m[inputs:])
    }
    assert models(clauses, bits) == expected
    assert propagates_completely(clauses, expected, bits)


@pytest.mark.parametrize("kind", ADDERS)
def test_in_one_direction_the_outputs_are_at_least_the_sum_and_can_be_the_sum(kind):
    adder, inputs = ADDERS[kind]
    bits = inputs + 2
    clauses = clauses_of(lambda sink: adder(range(1, bits + 1), sink, Direction.AT_MOST), bits)
    found = models(clauses, bits)
    assert all(m[:inputs].count(1) <= value(m[inputs:]) for m in found)
    assert found >= {
        m for m in product((1, -1), repeat=bits) if m[:inputs].count(1) == value(m[inputs:])
    }


@pytest.mark.parametrize("inputs", [2, 3])
def test_an_adder_without_carry_has_at_most_one_true_input_and_propagates_completely(inputs):
    bits = inputs + 1
    clauses = clauses_of(lambda sink: carryless_adder(range(1, bits + 1), sink), bits)
    expected = {
        m for m in product((1, -1), repeat=bits) if m[:inputs].count(1) == value(m[inputs:])
    }
    assert models(clauses, bits) == expected
    assert propagates_completely(clauses, expected, bits)


def test_many_adders_at_once_are_the_adders_one_by_one():
    adders = [[1, -2, 3, 9, 10], [-4, 5, 6, 11, 12]]
    together = clauses_of(lambda sink: full_adder(adders, sink), 12)
    alone = [c for adder in adders for c in clauses_of(lambda s, a=adder: full_adder(a, s), 12)]
    assert sorted(together) == sorted(alone)
    assert clauses_of(lambda sink: half_adder([], sink), 0) == []


def test_adders_have_the_published_numbers_of_clauses():
    assert size_of_adders(1, 0, Direction.AT_MOST) == EncodingSize(2, 7, 25)
    assert size_of_adders(0, 1, Direction.AT_MOST) == EncodingSize(2, 3, 9)
    assert size_of_adders(1, 0) == EncodingSize(2, 14, 44)
    assert size_of_adders(0, 1) == EncodingSize(2, 7, 18)


@pytest.mark.parametrize("directions", [Direction.BOTH, Direction.AT_MOST])
def test_the_predicted_size_of_adders_is_the_emitted_size(directions):
    formula = Formula(num_vars=9)
    full_adder([1, 2, 3, 4, 5], formula, directions)
    half_adder([6, 7, 8, 9], formula, directions)
    size = size_of_adders(1, 1, directions)
    assert (size.clauses, size.literals) == (formula.num_clauses, formula.num_literals)


def test_the_predicted_size_of_adders_without_carry_is_the_emitted_size():
    formula = Formula(num_vars=7)
    carryless_adder([1, 2, 3, 4], formula)
    carryless_adder([5, 6, 7], formula)
    size = size_of_carryless_adders(1, 1)
    assert (size.clauses, size.literals) == (formula.num_clauses, formula.num_literals)


@pytest.mark.parametrize("kind", COMPARISONS)
@pytest.mark.parametrize("bits", range(5))
def test_a_comparison_means_what_it_says_and_propagates_completely(kind, bits):
    compare, size_of, holds = COMPARISONS[kind]
    for bound in range(2 ** (bits + 1)):
        clauses = clauses_of(lambda s, b=bound: compare(range(1, bits + 1), b, s), bits)
        expected = {m for m in product((1, -1), repeat=bits) if holds(value(m), bound)}
        assert models(clauses, bits) == expected
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
        expected = {
            m
            for m in product((1, -1), repeat=4)
            if holds(
                value([0 if b is None else m[abs(b) - 1] * (b // abs(b)) for b in bits]), bound
            )
        }
        assert models(clauses, 4) == expected
        assert all(len({abs(lit) for lit in clause}) == len(clause) for clause in clauses)
        size = EncodingSize(0, len(clauses), sum(map(len, clauses)))
        assert size_of(bits, bound) == size
