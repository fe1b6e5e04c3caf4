"""Two clues, and the pair rule, against all layouts of random clues tried one by one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.count.clue_pairs import agreed_by_two, count_two, pair_rule, pieces_of
from tests.count.test_truth_tables import constraints
from tests.oracles import exact_sets


def board(cells):
    return sum(1 << cell for cell in cells)


def certain(given_clues):
    """The cells that are safe, and mined, in all layouts; None if there is no layout."""
    every = [{*mines} for mines in exact_sets(given_clues)]
    cells = {cell for own, _ in given_clues for cell in own}
    if not every:
        return None
    return board(cells - set().union(*every)), board(cells.intersection(*every))


@settings(max_examples=300)
@given(st.lists(constraints, min_size=2, max_size=2, unique_by=lambda each: each[0]))
def test_a_formula_for_two_clues_gives_what_all_their_layouts_give(given_clues):
    clues = {board(cells): need for cells, need in given_clues}
    every = exact_sets(given_clues)
    assert agreed_by_two(clues) == certain(given_clues)
    boxes, found = count_two(clues)
    assert sum(boxes) == board({cell for cells, _ in given_clues for cell in cells})
    for more, count in enumerate(found.layouts):
        some = [{*mines} for mines in every if len(mines) == found.least + more]
        assert len(some) == count
        for box, mined in zip(boxes, found.mined, strict=True):
            for cell in (cell for cell in range(box.bit_length()) if box >> cell & 1):
                assert mined[more] == sum(cell in mines for mines in some)
    assert sum(found.layouts) == len(every)


@settings(max_examples=300)
@given(st.lists(constraints, min_size=2, max_size=7, unique_by=lambda each: each[0]))
def test_the_pair_rule_decides_what_is_certain_and_leaves_the_same_layouts(given_clues):
    clues = {board(cells): need for cells, need in given_clues}
    every = {board(mines) for mines in exact_sets(given_clues)}
    ruled = pair_rule(clues)
    if ruled is None:
        assert not every
        return
    safe, mines, left = ruled
    rest = [
        (tuple(cell for cell in range(cells.bit_length()) if cells >> cell & 1), need)
        for cells, need in left.items()
    ]
    assert not any(cells & (safe | mines) for cells in left)
    assert {mines | board(more) for more in exact_sets(rest)} == every
    pieces = pieces_of(clues)
    assert pieces is not None or not every
