"""Irreducible clashes of equations, and their parts, against all zeros and ones."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.board.errors import DefectError
from satsweeper.families.table import FAMILIES
from satsweeper.linear.equations import ModularRow
from satsweeper.linear.refutation import refutation_of, used, without_spare
from satsweeper.linear.relaxation import DENOMINATOR, Weighted
from satsweeper.reasons.irreducible import Clash, EquationSolver, MetAssignment, irreducible
from satsweeper.reasons.rotation import Rotation
from tests.commands import need_highs
from tests.oracles import clashing_multipliers, exact_sets


def drawn(seed, variables=7):
    """A few equations over 1 to 7, more often than not ones that clash; single ones among them."""
    random = Random(seed)
    equations = []
    for _ in range(random.randint(2, 9)):
        names = random.sample(range(1, variables + 1), random.randint(1, 4))
        equations.append((names, random.randint(0, len(names))))
    return equations


def met(equations, ones):
    return [sum(v in ones for v in names) == number for names, number in equations]


def test_a_clash_has_no_solution_and_every_part_of_it_is_needed():
    found = kept = 0

    @settings(max_examples=500)
    @given(st.integers(0, 10**9), st.integers(0, 2))
    def claim(seed, number):
        nonlocal found, kept
        equations = drawn(seed)
        given = set(range(min(number, len(equations))))
        answer = irreducible(equations, given)
        if answer is None:
            return
        found += 1
        kept += len(answer.indices) > 2
        assert answer.irreducible
        assert given <= set(answer.indices)
        assert not exact_sets([equations[i] for i in answer.indices])
        for out in set(answer.indices) - given:
            assert exact_sets([equations[i] for i in answer.indices if i != out])
        clashing_multipliers(equations, answer.refutation)
        if not answer.by_search:
            assert set(used(answer.refutation)) <= set(answer.indices)

    claim()
    assert found > 100
    assert kept > 20


@pytest.mark.parametrize(
    ("name", "size"),
    [("torus", 5), ("torus_bump", 6), ("pigeonhole", 4), ("regular_of_odd_sum", 6)],
)
def test_formulas_are_cut_down_to_what_is_needed(name, size):
    if name == "pigeonhole":
        need_highs()
    problem = FAMILIES[name].instance(size, 1)
    # At most one pigeon in a hole is no equation: there, a variable more makes it one.
    spare = problem.num_vars
    equations = []
    for each in problem.constraints:
        names = list(each.lits)
        for _ in range(each.upper - each.lower):
            spare += 1
            names.append(spare)
        equations.append((names, each.upper))
    answer = irreducible(equations)
    assert answer is not None
    assert answer.irreducible
    clashing_multipliers(equations, answer.refutation)


@settings(max_examples=300)
@given(st.integers(0, 10**9))
def test_a_refutation_adds_up_to_what_cannot_be(seed):
    equations = drawn(seed)
    refutation = refutation_of(equations)
    if refutation is not None:
        assert not exact_sets(equations)
        clashing_multipliers(equations, refutation)
        assert isinstance(refutation, ModularRow | Weighted)


def test_weights_that_are_not_needed_are_left_out_and_given_ones_are_not():
    # x = 1 and x = 0 clash; y + z = 2 adds nothing to it.
    equations = [([2, 3], 2), ([1], 1), ([1], 0)]
    claim = Weighted(frozenset(), False, {0: DENOMINATOR, 1: DENOMINATOR, 2: -DENOMINATOR})
    assert 0 not in without_spare(equations, claim).weights
    assert 0 in without_spare(equations, claim, given={0}).weights


def test_rotation_names_only_what_is_needed():
    walked = 0
    for seed in range(600):
        equations = drawn(seed, variables=6)
        if exact_sets(equations):
            continue
        needed = {
            i for i in range(len(equations)) if exact_sets(equations[:i] + equations[i + 1 :])
        }
        rotation = Rotation(dict(enumerate(equations)))
        for ones in exact_sets([], {v for names, _ in equations for v in names}):
            missed = [i for i, one in enumerate(met(equations, ones)) if not one]
            assert rotation.spread(ones) is (len(missed) == 1)
            assert rotation.needed <= needed
        assert rotation.needed == needed
        walked += len(needed) > 2
    assert walked > 10


def test_equations_that_do_not_clash_are_a_defect_and_given_ones_are_never_missed():
    with pytest.raises(DefectError):
        Rotation({0: ([1, 2], 1)}).spread({1})
    clash = {0: ([1], 1), 1: ([1], 0)}
    assert not Rotation(clash, given=[1]).spread({1})
    rotation = Rotation(clash, given=[1])
    assert rotation.spread(set())
    assert rotation.needed == {0}


@settings(max_examples=300)
@given(st.integers(0, 10**9), st.data())
def test_what_a_solver_says_of_all_but_one_is_so(seed, data):
    equations = drawn(seed)
    if exact_sets(equations):
        return
    # One long equation of mostly its own variables, as the total of a board is.
    long = [*range(1, 5), *range(100, 110)]
    equations.append((long, data.draw(st.integers(0, len(long)))))
    kept = frozenset(range(len(equations)))
    out = data.draw(st.sampled_from(sorted(kept)))
    layouts = EquationSolver(dict(enumerate(equations)))
    try:
        answer = layouts.without(out, kept, 10_000, near={1, 2})
    finally:
        layouts.close()
    if isinstance(answer, MetAssignment):
        assert [i for i, one in enumerate(met(equations, answer.ones)) if not one] == [out]
    else:
        assert isinstance(answer, Clash)
        assert out not in answer.indices
        assert not exact_sets([equations[i] for i in answer.indices])


def test_an_equation_that_is_there_twice_is_left_out_once():
    layouts = EquationSolver({0: ([5], 1), 1: ([5], 1), 2: ([5, 3], 0)})
    try:
        assert layouts.without(0, {0, 1, 2}, 100) == Clash(frozenset({1, 2}))
    finally:
        layouts.close()
