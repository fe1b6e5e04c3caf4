"""Tables of small regions against all layouts: agreement, numbers of mines, settled cells."""

from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.count.table import MOST_CELLS, RegionTable
from satsweeper.reduce.residual import Residual
from tests.oracles import exact_sets


@st.composite
def small_regions(draw: st.DrawFn) -> list[Residual]:
    n = draw(st.integers(1, 10))
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


@settings(max_examples=120)
@given(small_regions(), st.integers(0, 2047))
def test_a_table_holds_the_layouts_and_what_they_agree_on(constraints, numbers):
    table = RegionTable(constraints)
    assert set(table.cells) == {cell for group, _ in constraints for cell in group}
    found = exact_sets(constraints, table.cells)
    assert table.layouts == len(found)
    if found:
        assert table.decided == table.agreed(2047) == agreement(found, table.cells)
    # Only layouts with some numbers of mines can be asked to agree.
    if some := [mines for mines in found if numbers >> len(mines) & 1]:
        assert table.agreed(numbers) == agreement(some, table.cells)


@settings(max_examples=80)
@given(small_regions(), st.data())
def test_numbers_of_mines_and_a_layout_of_each(constraints, data):
    table = RegionTable(constraints)
    found = exact_sets(constraints, table.cells)
    cell = data.draw(st.sampled_from([None, *table.cells]))
    mine = data.draw(st.booleans())
    fitting = [m for m in found if cell is None or (cell in m) is mine]
    numbers = {len(m) for m in fitting}
    assert table.numbers(cell, mine) == sum(1 << k for k in numbers)
    for number in numbers:
        layout = table.layout(number, cell, mine)
        assert frozenset(layout) in [mines for mines in fitting if len(mines) == number]
        assert len(layout) == number


@settings(max_examples=80)
@given(small_regions(), st.data())
def test_settled_cells_leave_the_layouts_that_have_them_so(constraints, data):
    table = RegionTable(constraints)
    cells = st.sampled_from([*table.cells, 1000, 1001])
    told = data.draw(st.dictionaries(cells, st.booleans(), max_size=4))
    found = [
        mines
        for mines in exact_sets(constraints, table.cells)
        if all((cell in mines) is mine for cell, mine in told.items() if cell in table.cells)
    ]
    table.settle(told)
    assert table.layouts == len(found)
    if found:
        assert table.decided == agreement(found, table.cells)


def test_a_table_may_hold_as_many_cells_as_are_ever_tabulated():
    clues = [tuple(range(start, start + 8)) for start in range(0, MOST_CELLS, 8)]
    table = RegionTable([(cells, 7) for cells in clues] + [((0, 8), 1)])
    # One of cells 0 and 8 is the safe one of its clue; every other clue leaves out any cell.
    assert (table.layouts, table.decided) == (2 * 7 * 8 ** (len(clues) - 2), {})
    assert table.numbers() == 1 << 7 * len(clues)
