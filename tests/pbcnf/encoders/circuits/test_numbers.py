"""Binary and unary numbers: adders and comparisons by all values of their bits; templates."""

import random
from itertools import combinations, product

import pytest

from pbcnf import Direction, EncodingSize, Formula
from pbcnf.encoders.circuits import binary, one_directional, template, unary
from pbcnf.encoders.circuits.binary import carryless_adder, full_adder, half_adder
from pbcnf.encoders.circuits.unary import NetworkAdder, TotalizerAdder, Unary
from pbcnf.sink import NormalisingSink
from tests import oracles
from tests.oracles import assignments, models, true_literals, unit_propagation
from tests.pbcnf.emitted import size_of

COMPARISONS = {
    "at most": (binary.at_most_constant, binary.size_of_at_most_constant, int.__le__),
    "at least": (binary.at_least_constant, binary.size_of_at_least_constant, int.__ge__),
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
        decided = {p if v else -p for p, v in enumerate(given, start=1) if v is not None}
        matching = [true for true in map(true_literals, allowed) if decided <= true]
        known = unit_propagation(clauses, decided)
        if known is None or not matching:
            if matching or known is not None:
                return False
        elif not set.intersection(*matching) <= known:
            return False
    return True


def adds_up(inputs, bits):
    """The assignments in which the bits after the inputs are the number of true inputs."""
    return {m for m in assignments(bits) if sum(m[:inputs]) == value(m[inputs:])}


@pytest.mark.parametrize(
    ("adder", "inputs", "outputs"),
    [(full_adder, 3, 2), (half_adder, 2, 2), (carryless_adder, 2, 1), (carryless_adder, 3, 1)],
)
def test_an_adder_means_its_sum_and_propagates_completely(adder, inputs, outputs):
    """One without carry has at most one true input."""
    bits = inputs + outputs
    clauses = clauses_of(lambda sink: adder(range(1, bits + 1), sink), bits)
    expected = adds_up(inputs, bits)
    assert set(models(clauses, bits)) == expected
    assert propagates_completely(clauses, expected, bits)


@pytest.mark.parametrize(("adder", "inputs"), [(full_adder, 3), (half_adder, 2)])
def test_in_one_direction_the_outputs_are_at_least_the_sum_and_can_be_the_sum(adder, inputs):
    bits = inputs + 2
    clauses = clauses_of(lambda sink: adder(range(1, bits + 1), sink, Direction.AT_MOST), bits)
    found = set(models(clauses, bits))
    assert all(sum(m[:inputs]) <= value(m[inputs:]) for m in found)
    assert found >= adds_up(inputs, bits)


def test_many_adders_at_once_are_the_adders_one_by_one():
    adders = [[1, -2, 3, 9, 10], [-4, 5, 6, 11, 12]]
    together = clauses_of(lambda sink: full_adder(adders, sink), 12)
    alone = [c for adder in adders for c in clauses_of(lambda s, a=adder: full_adder(a, s), 12)]
    assert sorted(together) == sorted(alone)
    assert clauses_of(lambda sink: half_adder([], sink), 0) == []


@pytest.mark.parametrize("directions", [Direction.BOTH, Direction.AT_MOST])
def test_the_predicted_size_of_adders_is_the_emitted_size(directions):
    with_carry, without = binary.size_of_adders, binary.size_of_carryless_adders
    for emit, inputs, outputs, size in (
        (full_adder, 3, 2, with_carry(1, 0, directions)),
        (half_adder, 2, 2, with_carry(0, 1, directions)),
        (carryless_adder, 3, 1, without(1, 0, directions)),
        (carryless_adder, 2, 1, without(0, 1, directions)),
    ):
        formula = Formula(num_vars=inputs + outputs)
        emit([*range(1, formula.num_vars + 1)], formula, directions)
        assert size == size_of(formula, inputs)
    published = (14, 7) if directions is Direction.BOTH else (7, 3)
    assert tuple(with_carry(*n, directions).clauses for n in ((1, 0), (0, 1))) == published


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


UNARY_ADDERS = [TotalizerAdder(), NetworkAdder(Direction.AT_MOST), NetworkAdder(Direction.BOTH)]
each = pytest.mark.parametrize("adder", UNARY_ADDERS, ids=["totalizer", "network", "network both"])


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


def taken(emit, *given, sink=lambda formula: formula):
    formula = Formula(num_vars=300)
    return emit(*given, sink(formula)), formula.num_vars, list(formula.clauses())


@each
def test_counts_and_sums_are_stamped_as_the_adder_emits_them(adder):
    for number in (1, 2, 7, 130):
        draw = random.Random(number)
        lits = [draw.choice((1, -1)) * var for var in draw.sample(range(1, 301), number)]
        asked = tuple(sorted(draw.sample(range(1, number + 1), min(number, 3))))
        expected = taken(adder.count, lits, asked)
        for sink in (lambda formula: formula, NormalisingSink):
            assert taken(unary.count_unary, adder, lits, asked, sink=sink) == expected
    summands = Unary((1, 2, 3), (9, -8, 7)), Unary((1, 2), (4, 250)), (2, 5)
    for _ in range(2):
        assert taken(unary.add_unary, adder, *summands) == taken(adder.add, *summands)


def merged(adder, parts, sink):
    """Count each part, copy a literal, and add the counts up, all of them and then every second."""
    total = unary.count_unary(adder, parts[0], tuple(range(1, len(parts[0]) + 1)), sink)
    sink.add_clause([-total.lits[0], sink.new_var()])
    for part in parts[1:]:
        more = unary.count_unary(adder, part, tuple(range(1, len(part) // 2 + 2)), sink)
        asked = tuple(range(1, len(total.lits) + len(more.lits) + 1))
        total = unary.add_unary(adder, total, more, asked, sink)
        total = Unary(asked[: len(asked[1::2])], total.lits[1::2])
    sink.add_clause([-lit for lit in total.lits])


@pytest.mark.parametrize("distinct", [True, False])
@pytest.mark.parametrize("sizes", [(1, 2, 1), (3, 20, 7, 1, 9), (70, 2, 4), (40, 100, 60, 90)])
def test_networks_put_off_are_emitted_as_one_by_one(monkeypatch, sizes, distinct):
    for direction in (Direction.AT_MOST, Direction.AT_LEAST):
        adder, draw = NetworkAdder(direction, distinct), random.Random(len(sizes))
        lits = [draw.choice((1, -1)) * var for var in draw.sample(range(1, 301), sum(sizes))]
        parts = [lits[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(len(sizes))]
        found = []
        # Large networks are ordered by width, chunk by chunk: others do not depend on chunks.
        for inputs, chunk in [(0, 4096), (60, 4096), (60, 4096 if max(sizes) > 64 else 400)]:
            monkeypatch.setattr(one_directional, "_CHUNK", chunk)
            formula = Formula(num_vars=300)
            sink = unary.put_off(adder, inputs, formula)
            assert (sink is formula) == (inputs == 0)
            merged(adder, parts, sink)
            found.append((formula.num_vars, list(formula.clauses())))
        assert found[0] == found[1] == found[2]


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
