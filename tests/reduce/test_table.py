"""Truth tables against plain enumeration of assignments."""

from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper.reduce.residual import Residual
from satsweeper.reduce.table import MOST_CELLS, TruthTable, columns, exactly, with_number
from tests.oracles import exact_sets


def assignments(n: int) -> list[frozenset[int]]:
    """Assignment ``a`` as the set of places that are mines in it."""
    return [frozenset(i for i in range(n) if a >> i & 1) for a in range(1 << n)]


def as_table(truths: list[bool]) -> int:
    return sum(1 << a for a, true in enumerate(truths) if true)


@pytest.mark.parametrize("n", range(11))
def test_tables_tell_assignments_apart_by_a_place_and_by_their_number_of_mines(n):
    every = assignments(n)
    expected = [as_table([i in mines for mines in every]) for i in range(n)]
    assert list(columns(n)) == expected
    expected = [as_table([len(mines) == k for mines in every]) for k in range(n + 1)]
    assert list(with_number(n)) == expected


@pytest.mark.parametrize("n", range(7))
def test_exactly_counts_some_places_and_ignores_the_others(n):
    for size in range(n + 1):
        for places in combinations(range(n), size):
            for need in range(-1, size + 2):
                expected = [len(mines & set(places)) == need for mines in assignments(n)]
                assert exactly(n, places, need) == as_table(expected)


@st.composite
def small_regions(draw: st.DrawFn, most: int = 10) -> list[Residual]:
    n = draw(st.integers(1, most))
    names = draw(st.lists(st.integers(0, 999), min_size=n, max_size=n, unique=True))
    hidden = draw(st.sets(st.sampled_from(names)))
    found = []
    for _ in range(draw(st.integers(1, 6))):
        group = tuple(sorted(draw(st.sets(st.sampled_from(names), min_size=1, max_size=8))))
        need = len(hidden.intersection(group))
        if draw(st.integers(0, 9)) == 0:
            need = draw(st.integers(0, len(group)))
        found.append((group, need))
    return found


def agreement(found: list[frozenset[int]], cells: list[int]) -> dict[int, bool]:
    always = {c: True for c in cells if all(c in mines for mines in found)}
    return always | {c: False for c in cells if not any(c in mines for mines in found)}


@settings(max_examples=80)
@given(small_regions())
def test_a_table_holds_the_layouts_and_what_they_agree_on(constraints):
    table = TruthTable(constraints)
    assert set(table.cells) == {cell for group, _ in constraints for cell in group}
    found = exact_sets(constraints, table.cells)
    assert table.truth.bit_count() == len(found)
    assert bool(table.truth) is bool(found)
    if found:
        assert table.decided == table.agreed() == agreement(found, table.cells)


@settings(max_examples=80)
@given(small_regions(), st.integers(0, 2047))
def test_only_layouts_with_some_numbers_of_mines_can_be_asked_to_agree(constraints, numbers):
    table = TruthTable(constraints)
    found = [m for m in exact_sets(constraints, table.cells) if numbers >> len(m) & 1]
    assume(found)
    assert table.agreed(numbers) == agreement(found, table.cells)


@settings(max_examples=80)
@given(small_regions(), st.data())
def test_numbers_of_mines_and_a_layout_of_each(constraints, data):
    table = TruthTable(constraints)
    found = exact_sets(constraints, table.cells)
    cell = data.draw(st.sampled_from([None, *table.cells]))
    mine = data.draw(st.booleans())
    fitting = [m for m in found if cell is None or (cell in m) is mine]
    numbers = {len(m) for m in fitting}
    assert table.numbers(cell, mine) == sum(1 << k for k in numbers)
    for number in numbers:
        layout = table.layout(number, cell, mine)
        assert len(layout) == number
        assert frozenset(layout) in fitting


@settings(max_examples=80)
@given(small_regions(), st.data())
def test_settled_cells_leave_the_layouts_that_have_them_so(constraints, data):
    table = TruthTable(constraints)
    cells = st.sampled_from([*table.cells, 1000, 1001])
    told = data.draw(st.dictionaries(cells, st.booleans(), max_size=4))
    found = [
        mines
        for mines in exact_sets(constraints, table.cells)
        if all((cell in mines) is mine for cell, mine in told.items() if cell in table.cells)
    ]
    table.settle(told)
    assert table.truth.bit_count() == len(found)
    if found:
        assert table.decided == agreement(found, table.cells)


def test_a_table_may_hold_as_many_cells_as_are_ever_tabulated():
    table = TruthTable([(tuple(range(MOST_CELLS)), MOST_CELLS - 1)])
    assert table.truth.bit_count() == MOST_CELLS
    assert table.numbers() == 1 << MOST_CELLS - 1
    assert table.decided == {}
