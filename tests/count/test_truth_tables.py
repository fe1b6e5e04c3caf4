"""Regions of a few cells by truth tables, against all of their layouts tried one by one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.count.truth_tables import MOST, agreed, shared_in, tabulate
from tests.oracles import exact_sets

constraints = st.sets(st.integers(0, MOST - 1), min_size=1, max_size=8).flatmap(
    lambda cells: st.tuples(st.just(tuple(sorted(cells))), st.integers(1, min(7, len(cells))))
)


@settings(max_examples=300)
@given(st.lists(constraints, min_size=1, max_size=6, unique_by=lambda each: each[0]))
def test_tables_hold_every_layout_by_its_number_of_mines_and_what_all_agree_on(given_clues):
    clues = {sum(1 << cell for cell in cells): need for cells, need in given_clues}
    union = 0
    for cells in clues:
        union |= cells
    every = exact_sets(given_clues)
    boxes, found = tabulate(clues, union)
    numbers = [len(mines) for mines in every]
    span = range(found.least, found.least + len(found.layouts))
    assert list(found.layouts) == [numbers.count(number) for number in span]
    assert not every or (min(numbers), max(numbers) + 1) == (span.start, span.stop)
    for box, mined in zip(boxes, found.mined, strict=True):
        for cell in (cell for cell in range(MOST) if box >> cell & 1):
            with_it = [len(mines) for mines in every if cell in mines]
            assert list(mined) == [with_it.count(number) for number in span]
    assert sum(boxes) == union
    if not every:
        assert agreed(clues, shared_in(clues)) is None
        return
    seen = [cell for cell in range(MOST) if union >> cell & 1]
    safe = sum(1 << cell for cell in seen if not any(cell in mines for mines in every))
    mines = sum(1 << cell for cell in seen if all(cell in mines for mines in every))
    assert agreed(clues, shared_in(clues)) == (safe, mines)
