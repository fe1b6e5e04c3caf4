"""The total: sets of numbers added up one by one, encodings and regions against brute force."""

from collections.abc import Sequence
from itertools import product

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
from satsweeper.search.sumset import Sumset, add_sets, bits, choose, complement
from satsweeper.search.total import regions_of
from satsweeper.solvers.search_budget import SearchBudget
from tests.boards import boards, verdicts

TOTAL_ENCODINGS = [name for name in ENCODERS if expresses(name, 8, 3, 3)]
NUMBERS = st.sets(st.integers(0, 40))
SETS = st.lists(st.sets(st.integers(0, 9), max_size=4), max_size=5)


def packed(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def sums(sets: Sequence[set[int]]) -> set[int]:
    return {sum(numbers) for numbers in product(*sets)}


@given(NUMBERS, NUMBERS)
def test_added_sets_hold_all_sums_and_are_read_off_their_bits(a, b):
    assert list(bits(packed(a))) == sorted(a)
    assert add_sets(packed(a), packed(b)) == packed({x + y for x in a for y in b})


@given(NUMBERS, st.integers(0, 60), st.none() | st.integers(0, 60))
def test_the_complement_holds_what_is_left(numbers, left, most):
    wanted = {left - x for x in numbers if x <= left and (most is None or left - x <= most)}
    assert complement(packed(numbers), left, most) == packed(wanted)


@settings(max_examples=300)
@given(SETS)
def test_a_sumset_holds_all_sums_and_those_without_any_one_of_its_sets(sets):
    together = Sumset([packed(one) for one in sets])
    for number in range(-1, 50):
        assert together.holds(number) == (number in sums(sets))
    for k, one in enumerate(sets):
        assert together.without(packed(one)) == packed(sums(sets[:k] + sets[k + 1 :]))
    # Sets leave one after the other: the sums of the rest are left.
    for k, one in enumerate(sets):
        assert together.all() == packed(sums(sets[k:]))
        together.leave(packed(one))
    assert together.all() == 1


@settings(max_examples=300)
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


@settings(max_examples=200)
@given(boards(consistent=True), st.sampled_from(["auto", "minisat22"]), st.data())
def test_a_total_held_for_redundant_changes_no_verdict(board, solver, data):
    board = board._replace(total=data.draw(st.integers(0, board.cells.size)))
    claims = []
    ask = total_module.redundant

    def noted(*given):
        claims.append(ask(*given))
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(total_module, "redundant", noted)
        # The claim is noted but not used, so that the search below has to find out by itself.
        result = classify(Position(board.cells, board.total), solver=solver)
    assert verdicts(result) == board.verdicts()
    if any(claims):
        assert board.verdicts() == board._replace(total=None).verdicts()


@settings(max_examples=120)
@given(boards(most=9, consistent=True), st.sampled_from(TOTAL_ENCODINGS))
def test_tables_and_solvers_agree_with_brute_force_on_every_total(board, encoding):
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


@settings(max_examples=120)
@given(boards(most=10), st.booleans(), st.sampled_from(TOTAL_ENCODINGS), st.data())
def test_the_numbers_of_mines_of_a_region_are_those_of_brute_force(board, tabulate, encoding, data):
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
