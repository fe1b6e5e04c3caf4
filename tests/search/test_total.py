"""The total: sets of numbers, its encodings, and regions against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satsweeper.search.total as total_module
from pbcnf import ENCODERS
from pbcnf.encoders.table import expresses
from satsweeper import Position, Status, classify
from satsweeper.board.facts import Facts
from satsweeper.reduce.single_clue import single_clue
from satsweeper.search.frontier import Frontier
from satsweeper.search.sumset import bits
from satsweeper.search.total import regions_of
from satsweeper.solvers.search_budget import SearchBudget
from tests.search.verdicts import verdicts

TOTAL_ENCODINGS = [name for name in ENCODERS if expresses(name, 8, 3, 3)]
NUMBERS = st.sets(st.integers(0, 40))


def packed(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


@given(NUMBERS)
def test_a_set_of_numbers_is_read_off_its_bits(numbers):
    assert list(bits(packed(numbers))) == sorted(numbers)


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(["auto", "minisat22"]))
def test_a_total_held_for_redundant_changes_no_verdict(small_boards, data, solver):
    board = data.draw(small_boards(consistent=True))
    total = data.draw(st.integers(0, board.cells.size))
    board = board._replace(total=total)
    claims = []
    ask = total_module.redundant

    def noted(*given):
        claims.append(ask(*given))
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(total_module, "redundant", noted)
        # The claim is noted but not used, so that the search below has to find out by itself.
        result = classify(Position(board.cells, total), solver=solver)
    assert verdicts(result) == board.verdicts()
    if any(claims):
        assert board.verdicts() == board._replace(total=None).verdicts()


@settings(max_examples=120, deadline=None)
@given(st.data(), st.sampled_from(TOTAL_ENCODINGS))
def test_tables_and_solvers_agree_with_brute_force_on_every_total(small_boards, data, encoding):
    board = data.draw(small_boards(most=9, consistent=True))
    for total in range(len(board.at(-1)) + len(board.at(-2)) + 1):
        expected = board._replace(total=total).verdicts()
        position = Position(board.cells, total)
        assert verdicts(classify(position)) == expected
        named = classify(position, solver="minisat22", total_encoding=encoding)
        assert verdicts(named) == expected


def frontier_of(position: Position, tabulate: bool) -> tuple[Frontier, Facts] | None:
    """A classified frontier without the total; None where the clues have no layout."""
    planes, geometry = position.planes, position.geometry
    found = single_clue(geometry, planes.clues, planes.values, planes.covered, planes.flags)
    if found.clash:
        return None
    facts = Facts(geometry, planes.clues, planes.values, found.undecided, found.mines)
    frontier = Frontier("direct", "minisat22", "minisat22", tabulate)
    frontier.add(frontier.reduce(facts, SearchBudget()).constraints, facts, SearchBudget())
    frontier.search(facts, SearchBudget(), lambda proved: None)
    return None if frontier.inconsistent is not None else (frontier, facts)


@settings(max_examples=120, deadline=None)
@given(st.data(), st.booleans(), st.sampled_from(TOTAL_ENCODINGS))
def test_the_numbers_of_mines_of_a_region_are_those_of_brute_force(
    small_boards, data, tabulate, encoding
):
    board = data.draw(small_boards(most=10))
    made = frontier_of(Position(board.cells), tabulate)
    layouts = list(board.layouts(total=False))
    assert (made is None) is (not layouts)
    if made is None:
        return
    frontier, facts = made
    try:
        limit = SearchBudget()
        for part in regions_of(frontier, encoding):
            cells = {cell: facts.geometry.cell(cell) for cell in part.cells}
            own = {frozenset(c for c, at in cells.items() if at in mines) for mines in layouts}
            every = (2 << len(cells)) - 1
            assert part.find_reachable(every, limit)
            assert part.reachable == packed({len(mines) for mines in own})
            allowed = packed(data.draw(st.sets(st.sampled_from(sorted(map(len, own))))))
            fitting = [mines for mines in own if allowed >> len(mines) & 1]
            for cell in part.cells:
                for mine in (True, False):
                    part.show(cell, mine, allowed, limit)
                    shown = part.numbers_with(cell, mine) & allowed
                    exact = packed({len(m) for m in fitting if (cell in m) is mine})
                    assert shown & ~exact == 0
                    assert bool(shown) is bool(exact)
                    for number in bits(shown):
                        layout = frozenset(part.layout(number, cell, mine))
                        assert layout in own
                        assert len(layout) == number
                        assert (cell in layout) is mine
            if fitting:
                assert part.classify(allowed, limit)
                always = {c: True for c in cells if all(c in mines for mines in fitting)}
                never = {c: False for c in cells if not any(c in mines for mines in fitting)}
                assert part.proved == always | never
                assert part.open_under(allowed) is (not always and not never)
    finally:
        frontier.close()


STAR_MIDDLE, STAR_ARMS = (2, 2), [(0, 2), (2, 0), (2, 4), (4, 2)]


@pytest.mark.parametrize("loose", range(4))
@pytest.mark.parametrize("encoding", TOTAL_ENCODINGS)
def test_the_star_with_a_gap_is_right_under_every_total(data, loose, encoding):
    star = Position.parse((data / "positions" / "gap_star.txt").read_text())
    cells = np.full((star.rows, star.columns + 2), -2, np.int8)
    cells[:, : star.columns] = star.cells
    cells[:loose, -1] = -1
    flags = int((cells == -2).sum())
    for total in range(cells.size):
        # The star holds 1 mine (its middle) or 4 (its arms); the loose cells hold the others.
        stars = [n for n in (1, 4) if 0 <= total - flags - n <= loose]
        for named in ({}, {"solver": "minisat22", "total_encoding": encoding}):
            result = classify(Position(cells, total), **named)
            assert (result.status is Status.CONSISTENT) is bool(stars), total
            if not stars:
                continue
            middle = {(1,): "mine", (4,): "safe"}.get(tuple(stars), "unknown")
            arms = {(1,): "safe", (4,): "mine"}.get(tuple(stars), "unknown")
            assert result.verdict[STAR_MIDDLE] == middle
            assert {str(result.verdict[arm]) for arm in STAR_ARMS} == {arms}
            spare = {total - flags - n for n in stars}
            expected = {0: "safe", loose: "mine"}.get(max(spare), "unknown")
            if len(spare) > 1:
                expected = "unknown"
            for row in range(loose):
                assert result.verdict[row, star.columns + 1] == expected, total


@pytest.mark.parametrize(("text", "total"), [("?2??\n??11", 2), ("1???\n?23?", 3)])
def test_pairwise_is_refused_where_a_region_must_be_counted(text, total):
    # At most one, and at most one of the negations, is all that pairwise can say.
    position = Position.parse(text, mines=total)
    with pytest.raises(ValueError, match="pairwise"):
        classify(position, total_encoding="pairwise", solver="minisat22")
