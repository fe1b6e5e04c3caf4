"""Sums over groups: at most one literal of a group is true; the groups that a problem has."""

import random
from collections.abc import Iterator
from functools import partial
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Cardinality, EncodingError, Formula, PseudoBoolean, encode
from pbcnf.emission.groups import Conflicts, Group, encode_grouped, encoders_with_groups
from pbcnf.emission.whole_problems import Choices, encode_problem, tallied
from pbcnf.encoders.circuits.choice_diagrams import choice_diagram
from pbcnf.encoders.circuits.sum_tree import Bounds, SumNode, add_up, add_up_reduced
from tests.oracles import Assignment, assignments, true_literals, value, weighted_sum
from tests.pbcnf.emitted import extending

USING_GROUPS = [encoder.name for encoder in encoders_with_groups()]
N = 7


def meets(group: Group, bits: Assignment) -> bool:
    truths = [value(lit, bits) for lit in group.lits]
    if group.chain:
        return truths == sorted(truths, reverse=True)
    return sum(truths) == 1 or (not group.some and not any(truths))


@st.composite
def groups_of_literals(draw) -> list[Group]:
    found = []
    for _ in range(draw(st.integers(1, 3))):
        variables = draw(st.permutations(range(1, N + 1)))[: draw(st.integers(2, 5))]
        lits = tuple(v * draw(st.sampled_from([-1, 1, 1])) for v in variables)
        chain = draw(st.booleans())
        found.append(Group(lits, chain, some=not chain and draw(st.booleans())))
    return found


SIGNED = st.lists(st.sampled_from([-1, 1]), min_size=N, max_size=N)
WEIGHTS = st.just([1] * N) | st.lists(st.integers(-5, 9).filter(bool), min_size=N, max_size=N)


@settings(max_examples=300, deadline=None)
@given(groups_of_literals(), SIGNED, WEIGHTS, st.data(), st.booleans())
def test_where_the_groups_hold_the_sum_is_encoded(groups, signs, weights, data, guarded) -> None:
    encoder = data.draw(st.sampled_from([None, *USING_GROUPS]))
    lits = [sign * var for sign, var in zip(signs, range(1, N + 1), strict=True)]
    least, most = sum(w for w in weights if w < 0), sum(w for w in weights if w > 0)
    lower = data.draw(st.none() | st.integers(least - 1, most))
    upper = data.draw(st.none() | st.integers(least, most + 1))
    constraint, formula = PseudoBoolean(lits, weights, lower, upper), Formula(N + 1)
    encode_grouped(constraint, groups, formula, encoder, when=N + 1 if guarded else None)
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        for bits in assignments(N):
            if all(meets(group, bits) for group in groups):
                holds = constraint.lower <= weighted_sum(lits, bits, weights) <= constraint.upper
                assumed = true_literals(bits)
                assert solver.solve(assumptions=[*assumed, N + 1]) == holds
                if guarded:
                    assert solver.solve(assumptions=[*assumed, -(N + 1)])


@settings(max_examples=100, deadline=None)
@given(groups_of_literals(), WEIGHTS, st.integers(1, 30))
def test_groups_never_make_a_sum_larger(groups, weights, upper) -> None:
    constraint = PseudoBoolean(range(1, N + 1), weights, upper=upper)
    grouped, alone = Formula(N), Formula(N)
    encode_grouped(constraint, groups, grouped)
    encode(constraint, alone)
    assert grouped.num_vars + len(grouped) <= alone.num_vars + len(alone)


@pytest.mark.parametrize("chain", [False, True])
@pytest.mark.parametrize("part", [4, 2])
def test_groups_make_a_sum_smaller(chain: bool, part: int) -> None:
    groups = [Group((*range(i, i + 5),), chain) for i in range(1, 31, 5)]
    weights = [7 * i * i % 19 + 1 for i in range(1, 31)]
    inside = [weights[i : i + 5] for i in range(0, 30, 5)]
    most = sum(sum(each) if chain else max(each) for each in inside)
    constraint = PseudoBoolean(range(1, 31), weights, upper=most // part)
    grouped, alone = Formula(30), Formula(30)
    encode_grouped(constraint, groups, grouped)
    encode(constraint, alone, "generalized_totalizer")
    assert 10 * len(grouped) <= 8 * len(alone)
    assert grouped.num_vars < alone.num_vars


def test_a_chain_counts_for_nothing() -> None:
    # Of two chains of 20 the sums are there already: only their pairs are to be forbidden.
    groups = [Group((*range(1, 21),), chain=True), Group((*range(21, 41),), chain=True)]
    formula = Formula(40)
    encode_grouped(Cardinality(range(1, 41), upper=17), groups, formula)
    assert formula.num_vars == 40
    assert len(formula) <= 20


@pytest.mark.parametrize("encoder", USING_GROUPS)
def test_without_groups_of_two_literals_nothing_changes(encoder: str) -> None:
    constraint = PseudoBoolean(range(1, 9), [3, 5, 2, 7, 4, 4, 1, 6], 5, 17)
    for groups in ([], [Group((1,)), Group((2, 9), chain=True)]):
        for name in (None, encoder):
            alone, grouped = Formula(9), Formula(9)
            encode(constraint, alone, name)
            encode_grouped(constraint, groups, grouped, name)
            assert list(alone) == list(grouped)


def test_an_encoder_that_uses_no_groups_is_refused_and_those_that_do_are_named() -> None:
    formula = Formula(4)
    with pytest.raises(EncodingError, match="binary_merge uses no groups; what does: decision_d"):
        encode_grouped(Cardinality([1, 2, 3, 4], upper=2), [Group((1, 2))], formula, "binary_merge")
    assert len(formula) == 0


def choices(seed: int, groups: int, each: int, most: int) -> tuple[list[int], int]:
    """Random weights of a choice of one thing a group, and half of what they weigh at most."""
    rng = random.Random(seed)
    weights = [rng.randint(1, most) for _ in range(groups * each)]
    return weights, sum(max(weights[i : i + each]) for i in range(0, len(weights), each)) // 2


@pytest.mark.parametrize(
    ("encoder", "groups", "share"),
    [("decision_diagram", 10, 0.45), ("decision_diagram", 20, 0.47),
     ("generalized_totalizer", 10, 0.32), ("generalized_totalizer", 20, 0.65),
     ("global_polynomial_watchdog", 10, 0.25), ("global_polynomial_watchdog", 20, 0.21),
     ("mixed_radix_sorter", 10, 0.29), ("mixed_radix_sorter", 20, 0.33),
     ("adder", 10, 0.51), ("adder", 20, 0.49)],
)  # fmt: skip
def test_choices_of_one_in_five_take_a_fraction_of_the_clauses(encoder, groups, share) -> None:
    n = 5 * groups
    weights, upper = choices(3, groups, 5, 60)
    constraint = PseudoBoolean(range(1, n + 1), weights, upper=upper)
    grouped, alone = Formula(n), Formula(n)
    encode_grouped(
        constraint, [Group((*range(i, i + 5),)) for i in range(1, n, 5)], grouped, encoder
    )
    encode(constraint, alone, encoder)
    assert len(grouped) <= share * len(alone)
    assert grouped.num_vars < alone.num_vars


def test_weights_in_a_base_of_threes_take_fewer_clauses_with_groups_than_in_binary() -> None:
    # Digits of 3: each choice is one of 1, 9, 27, 81 (or nothing), one digit of one place.
    n, weights, sizes = 200, [1, 9, 27, 81] * 50, []
    groups = [Group((*range(i, i + 4),)) for i in range(1, n, 4)]
    for encoder in ("mixed_radix_sorter", "global_polynomial_watchdog"):
        formula = Formula(n)
        encode_grouped(
            PseudoBoolean(range(1, n + 1), weights, upper=2000), groups, formula, encoder
        )
        sizes.append(formula.num_vars + len(formula))
    assert 3 * sizes[0] < 2 * sizes[1]


def test_groups_with_nothing_found_take_no_place_of_what_finds_everything() -> None:
    # The adder over groups is the smallest; it is chosen only where the adder would be anyway.
    weights, upper = choices(3, 4, 3, 9)
    rows = [Cardinality(range(i, i + 3), upper=1) for i in range(1, 13, 3)]
    sums = PseudoBoolean(range(1, 13), weights, upper=upper)
    *_, last = encode_problem([*rows, sums], Formula(12), groups="find")
    assert last.groups == 4
    assert last.encoder in ("decision_diagram", "generalized_totalizer")


def test_sums_that_the_same_sums_outside_exceed_the_bound_with_are_one() -> None:
    weights, upper = choices(3, 8, 3, 1000)
    parts = [weights[i : i + 3] for i in range(0, 24, 3)]
    sizes = []
    for build in (add_up, partial(add_up_reduced, outside=(0,))):
        formula = Formula(24)
        leaves = [
            SumNode(max(part), (0, *sorted(part)), [3 * i + 1, 3 * i + 2, 3 * i + 3])
            for i, part in enumerate(parts)
        ]
        bounds = Bounds(0, upper, sum(leaf.weight for leaf in leaves), 0)
        build(leaves, bounds=bounds, sink=formula)
        sizes.append((formula.num_vars - 24, len(formula)))
    assert sizes[1][0] < 0.7 * sizes[0][0]
    assert sizes[1][1] < sizes[0][1]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sets(st.integers(1, 9), min_size=1, max_size=3), min_size=1, max_size=4), st.data()
)
def test_a_diagram_of_choices_ends_where_the_sum_says(levels, data) -> None:
    values = [[0, *sorted(level)] for level in levels]
    upper = data.draw(st.integers(0, sum(level[-1] for level in values)))
    diagram = choice_diagram(values, upper)
    for picked in product(*(range(len(level)) for level in values)):
        node = diagram.root
        for first, rows, place in zip(diagram.first, diagram.children, picked, strict=True):
            if first <= node < first + len(rows):
                node = int(rows[node - first, place])
        total = sum(level[place] for level, place in zip(values, picked, strict=True))
        assert node == (-2 if total <= upper else -1)


def knapsack(rng: random.Random) -> list[Cardinality | PseudoBoolean]:
    """Ten variables: a row of weights, and at-most-one rows, clauses of two, other sums."""
    found: list[Cardinality | PseudoBoolean] = []
    lits = [v * rng.choice((1, 1, -1)) for v in range(1, 11)]
    weights = [rng.randint(1, 9) for _ in lits]
    bounds = sorted(rng.sample(range(sum(weights)), 2))
    lower, upper = rng.choice([(None, bounds[0]), (bounds[1], None), (bounds[0], bounds[1])])
    found.append(PseudoBoolean(lits, weights, lower, upper))
    for _ in range(3):
        some = [v * rng.choice((1, 1, 1, -1)) for v in rng.sample(range(1, 11), 4)]
        found.append(Cardinality(some, rng.choice((0, 0, 1)), 1))
        found.append(Cardinality([-lit for lit in some[:2]], lower=1))
        found.append(Cardinality(some, rng.choice((0, 3)), rng.choice((2, 3, 4))))
    found.append(PseudoBoolean(range(1, 8), [4, 4, 3, 3, 2, 1, 1], upper=rng.randint(4, 9)))
    rng.shuffle(found)
    return found


@pytest.mark.parametrize("encoder", ["auto", *USING_GROUPS, "binary_merge"])
def test_a_problem_with_the_groups_that_it_has_keeps_its_models(encoder: str) -> None:
    used = 0
    for seed in range(12):
        constraints, formula = knapsack(random.Random(seed)), Formula(10)
        choices = Choices(cardinality=encoder, pseudo_boolean=encoder)
        tallies = tallied(encode_problem(constraints, formula, choices, groups="find"))
        used += sum(tally.groups for tally in tallies.values())
        assert extending(formula, 10) == [
            bits
            for bits in assignments(10)
            if all(each.holds(true_literals(bits)) for each in constraints)
        ]
    assert (used > 0) == (encoder != "binary_merge")


def pairs(lits: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    return combinations(lits, 2)


def test_groups_are_found_in_rows_and_clauses_and_never_in_other_sums() -> None:
    # 1 to 3 by a row, 4 to 6 by clauses; 7 and 8 are kept apart by a sum that has groups itself.
    rows = [Cardinality([1, 2, 3], 1, 1), *(Cardinality([-a, -b], 1) for a, b in pairs((4, 5, 6)))]
    sums = [PseudoBoolean([7, 8, 9], [2, 2, 1], upper=3)]
    known = Conflicts([*rows, *sums])
    assert known.groups(range(1, 10)) == [Group((1, 2, 3), some=True), Group((4, 5, 6))]
    assert known.groups([-1, -2, 9]) == [Group((1, 2))]


def test_groups_of_a_sum_of_many_literals_are_found_in_clauses_and_rows() -> None:
    n = 12_000
    clauses = [Cardinality([-v, -(v + 1)], lower=1) for v in range(1, n // 2, 2)]
    rows = [Cardinality(range(v, v + 100), upper=1) for v in range(n // 2 + 1, n, 100)]
    found = Conflicts([*clauses, *rows]).groups(range(1, n + 1))
    assert {group.lits for group in found} == {
        *((v, v + 1) for v in range(1, n // 2, 2)),
        *(tuple(range(v, v + 100)) for v in range(n // 2 + 1, n, 100)),
    }


def test_groups_that_the_problem_does_not_enforce_are_refused_and_others_are_used() -> None:
    row = PseudoBoolean(range(1, 7), [5, 4, 3, 3, 2, 1], upper=7)
    enforcing = [Cardinality([1, 2, 3], upper=1), Cardinality([4, -5], lower=1)]
    choices = Choices(pseudo_boolean="decision_diagram")
    for wrong, why in [
        (Group((1, 2, 4)), "excludes 1 and 4 together"),
        (Group((4, 5), chain=True, some=False), None),
        (Group((5, 4), chain=True), "excludes -5 and 4 together"),
        (Group((1, 2, 3), some=True), r"does not say that one of \[1, 2, 3\] is true"),
    ]:
        formula = Formula(6)
        encoded = encode_problem([*enforcing, row], formula, choices, groups=[wrong])
        if why is None:
            assert [each.groups for each in encoded] == [0, 0, 1]
        else:
            with pytest.raises(EncodingError, match=why):
                list(encoded)
            assert len(formula) == 0
