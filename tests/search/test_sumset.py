"""Sums of one number of each of many sets, against adding them up one by one."""

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.search.sumset import Sumset, add_sets, choose, complement

NUMBERS = st.sets(st.integers(0, 40))
SETS = st.lists(st.sets(st.integers(0, 9), max_size=4), max_size=5)


def packed(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def sums(sets: Sequence[set[int]]) -> set[int]:
    return {sum(numbers) for numbers in product(*sets)}


@settings(deadline=None)
@given(NUMBERS, NUMBERS)
def test_added_sets_hold_all_sums(a, b):
    assert add_sets(packed(a), packed(b)) == packed({x + y for x in a for y in b})


@settings(deadline=None)
@given(NUMBERS, st.integers(0, 60), st.none() | st.integers(0, 60))
def test_the_complement_holds_what_is_left(numbers, left, most):
    wanted = {left - x for x in numbers if x <= left and (most is None or left - x <= most)}
    assert complement(packed(numbers), left, most) == packed(wanted)


@settings(deadline=None, max_examples=300)
@given(SETS)
def test_a_sumset_holds_all_sums_and_those_without_any_one_of_its_sets(sets):
    together = Sumset([packed(one) for one in sets])
    assert together.all() == packed(sums(sets))
    for k, one in enumerate(sets):
        assert together.without(packed(one)) == packed(sums(sets[:k] + sets[k + 1 :]))
    for number in range(-1, 50):
        assert together.holds(number) == (number in sums(sets))


@settings(deadline=None, max_examples=300)
@given(SETS)
def test_sets_that_leave_one_after_the_other_leave_the_sums_of_the_rest(sets):
    together = Sumset([packed(one) for one in sets])
    for k, one in enumerate(sets):
        together.leave(packed(one))
        assert together.all() == packed(sums(sets[k + 1 :]))


@settings(deadline=None, max_examples=300)
@given(SETS, st.integers(0, 45))
def test_numbers_are_chosen_that_make_the_total_if_any_do(sets, total):
    chosen = choose([packed(one) for one in sets], total)
    if total not in sums(sets):
        assert chosen is None
        return
    assert sum(chosen) == total
    assert all(number in one for number, one in zip(chosen, sets, strict=True))


@pytest.mark.parametrize("gaps", [0, 500])
def test_fifty_thousand_sets_are_added_without_adding_them_one_by_one(gaps):
    sets = [0b110] * 50_000 + [0b1001] * gaps + [(2 << 500_000) - 1]
    low, high = 50_000, 100_000 + 3 * gaps + 500_000
    together = Sumset(sets)
    assert together.span == (low, high)
    assert together.without(0b110).bit_length() == high - 2 + 1
    chosen = choose(sets, 123_456)
    assert sum(chosen) == 123_456
