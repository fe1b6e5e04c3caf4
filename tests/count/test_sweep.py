"""Regions counted in any order, with any weights, and mixed under any total."""

from itertools import product
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.count import counts as region
from satsweeper.count.budget import CountingBudget
from satsweeper.count.counts import LayoutCounts, combine, count_region, weigh_region
from satsweeper.count.elimination import Elimination, best_tree, join_tree
from satsweeper.count.sweep import FEW, boxes_of, greedy
from tests.oracles import exact_sets

Clues = list[tuple[tuple[int, ...], int]]

clue = st.sets(st.integers(0, 8), min_size=1, max_size=6).flatmap(
    lambda cells: st.tuples(st.just(tuple(sorted(cells))), st.integers(0, len(cells)))
)


@st.composite
def connected(draw: st.DrawFn) -> Clues:
    """Some clues, each of which shares a cell with an earlier one."""
    clues: Clues = []
    seen: set[int] = set()
    for each in draw(st.lists(clue, min_size=1, max_size=5)):
        if not clues or seen & set(each[0]):
            clues.append(each)
            seen |= set(each[0])
    return clues


def spread(counts: LayoutCounts, numbers: tuple[int, ...]) -> dict[int, int]:
    return {counts.least + at: number for at, number in enumerate(numbers) if number}


METHODS = [
    pytest.param((120, 30), id="one way"),
    pytest.param((120, 0), id="both ways"),
    pytest.param((0, 0), id="hard"),
]


def counted(
    clues: Clues, method: tuple[int, int], weights: tuple[int, int] | None = None
) -> LayoutCounts:
    """By the sweep over boxes, one way or both, or by elimination; weighed as one number."""
    small, one_way = method
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(region, "_SMALL", small)
        patch.setattr(region, "FEW", min(small, FEW))
        patch.setattr(region, "_ONE_WAY", one_way)
        if weights is None:
            return count_region(boxes_of(clues), 10, CountingBudget())
        whole, *mined = weigh_region(boxes_of(clues), weights, 10, CountingBudget())
        return LayoutCounts(0, (whole,), tuple((number,) for number in mined))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=100)
@given(clues=connected())
def test_counts_hold_every_layout_by_its_number_of_mines(clues, method):
    found = counted(clues, method)
    every = exact_sets(clues)
    numbers = {k: sum(len(m) == k for m in every) for k in {len(m) for m in every}}
    assert spread(found, found.layouts) == numbers
    for cells, mined in zip(boxes_of(clues).cells, found.mined, strict=True):
        for cell in cells:
            with_it = [len(m) for m in every if cell in m]
            assert spread(found, mined) == {k: with_it.count(k) for k in set(with_it)}


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60)
@given(connected(), st.integers(1, 5), st.integers(1, 5))
def test_weights_multiply(method, clues, mine, safe):
    found = counted(clues, method, (mine, safe))
    cells = sum(boxes_of(clues).sizes)
    every = exact_sets(clues)
    assert found.least == 0
    assert found.layouts == (sum(mine ** len(m) * safe ** (cells - len(m)) for m in every),)


@settings(max_examples=100)
@given(connected())
def test_an_order_has_every_box_once(clues):
    boxed = boxes_of(clues)
    boxes = list(range(len(boxed.sizes)))
    for start in boxes:
        assert sorted(greedy(boxed, start).boxes) == boxes


def test_the_width_is_the_number_of_clues_open_at_once():
    # Three clues in a row, neighbours sharing a cell: two are open where they share it.
    row = boxes_of([((0, 1), 1), ((1, 2), 1), ((2, 3), 1)])
    assert greedy(row, 0).width == 2
    assert best_tree(row, 10, CountingBudget()).width == 2


@settings(max_examples=100)
@given(connected(), st.randoms(use_true_random=False))
def test_clues_may_be_closed_in_any_order(clues, rng):
    boxed = boxes_of(clues)
    order = list(range(len(boxed.needs)))
    rng.shuffle(order)
    tree = join_tree(boxed, order)
    assert len(tree.joins) == len(boxed.sizes) - 1
    joined = [side for join in tree.joins for side in (join.left, join.right)]
    assert sorted(joined) == list(range(2 * len(boxed.sizes) - 2))
    found = Elimination(boxed, tree, CountingBudget())
    assert found.whole((1, 1), 0) == len(exact_sets(clues))


parts = st.lists(
    st.builds(
        lambda least, numbers: LayoutCounts(least, tuple(numbers), ()),
        st.integers(0, 3),
        st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any),
    ),
    max_size=5,
)


@settings(max_examples=200)
@given(parts, st.integers(0, 25), st.integers(0, 9))
def test_mixing_is_the_sum_over_all_ways_to_share_the_mines(counts, mines, interior):
    mixed = combine(counts, mines, interior, CountingBudget())
    whole = inside = 0
    rest = [[0] * len(part.layouts) for part in counts]
    for shares in product(*(range(len(part.layouts)) for part in counts)):
        held = sum(part.least + at for part, at in zip(counts, shares, strict=True))
        left = mines - held
        ways = comb(interior, left) if left >= 0 else 0
        numbers = [part.layouts[at] for part, at in zip(counts, shares, strict=True)]
        whole += ways * prod(numbers)
        inside += ways * prod(numbers) * left
        for one, at in enumerate(shares):
            rest[one][at] += ways * prod(n for i, n in enumerate(numbers) if i != one)
    assert mixed.solutions == whole
    if whole:
        # One scale for all.
        assert mixed.interior * whole == inside * mixed.whole
        for ours, theirs in zip(mixed.rest, rest, strict=True):
            assert [a * whole for a in ours] == [b * mixed.whole for b in theirs]


def test_long_regions_are_the_same_counted_either_way():
    # Above 96 bits a lane, lanes that are empty in all numbers are dropped on the way.
    clues: Clues = [(tuple(range(9 * i, 9 * i + 10)), 4) for i in range(16)]
    found = counted(clues, (0, 0))
    assert found == counted(clues, (1000, 30)) == counted(clues, (1000, 100))
    assert sum(found.layouts).bit_length() > 96
