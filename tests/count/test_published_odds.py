"""Odds of published positions, with the numbers that are right where a text has others."""

from fractions import Fraction
from pathlib import Path

import pytest

from satsweeper import Position, odds
from satsweeper.count.odds import NoLayoutError

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("total", [None, *range(2, 11)])
def test_the_total_weighs_the_six_cells_that_no_clue_decides(total: int | None) -> None:
    """Golovatskaia's 5 x 5: seven cells are forced; the six others hold what the total leaves."""
    position = Position.read(EXAMPLES / "lp_5x5.txt", mines=total)
    if total in (2, 10):
        with pytest.raises(NoLayoutError):
            odds(position)
        return
    found = odds(position)
    forced = {cell: p for cell, p in found.mine.items() if found.interior != p or p in (0, 1)}
    open_cells = set(found.mine) - set(forced)
    if total in (3, 9):
        assert found.solutions == 1
        assert not open_cells
        assert sum(found.mine.values()) == total
    else:
        assert len(open_cells) == found.interior_cells == 6
        assert sorted(forced.values()) == [0] * 4 + [1] * 3
        share = Fraction(1, 2) if total is None else Fraction(total - 3, 6)
        assert {found.mine[cell] for cell in open_cells} == {share}


def test_the_cluster_of_danamlund_has_four_layouts_and_a_safe_last_cell() -> None:
    found = odds(Position.parse("01?\n12?\n???"))
    half = Fraction(1, 2)
    assert found.solutions == 4
    assert found.mine == {(0, 2): half, (1, 2): half, (2, 0): half, (2, 1): half, (2, 2): 0}


def test_with_one_mine_left_the_endgame_has_one_layout() -> None:
    """GGAMES.MOBI: a mine at A forces another, one is left: A and C are safe, B is the mine."""
    found = odds(Position.parse("1 5 1\n?1?1?"))
    assert (found.solutions, found.mine) == (1, {(0, 0): 0, (0, 2): 1, (0, 4): 0})


def test_the_wire_of_kaye_carries_one_of_two_values() -> None:
    wire = "?000000000000?\n?111111111111?\n??1??1??1??1??\n?111111111111?\n?000000000000?"
    for total in (None, 5):
        assert odds(Position.parse(wire, mines=total)).solutions == 2


def test_the_issue_of_problem_reductions_has_two_layouts() -> None:
    found = odds(Position.read(EXAMPLES / "ilp_3x3.txt", mines=None))
    half = Fraction(1, 2)
    assert found.solutions == 2
    assert found.mine == {(0, 1): 1, (0, 2): 0, (1, 2): half, (2, 2): half}


def toollib(rows: list[str], mines: int) -> Position:
    return Position.parse("\n".join(rows), mines=mines)


def test_the_first_column_of_board_4_is_weighed_by_the_interior() -> None:
    """ms_toollib's fourth test board: 4/53 where an unweighted share of layouts says 1/3."""
    blank = "????????"
    found = odds(toollib(["1???????", "1???????", "2???????", *[blank] * 5], 10))
    assert found.mine[0, 1] == Fraction(4, 53)
    assert found.mine[1, 1] == Fraction(49, 53)
    assert found.mine[2, 1] == 0
    assert float(found.interior or 0) == 0.14150943396226415


def lattice(clue_rows: int) -> list[str]:
    """Every other cell of every other row is a clue, as on ms_toollib's board for speed."""
    first = "2" + "?3" * 9 + "?1"
    other = "3" + "?4" * 9 + "?1"
    rows = []
    for row in range(clue_rows):
        rows += [other if row else first, "?" * 21]
    return rows


def test_one_region_of_62_cells_has_the_odds_that_ms_toollib_gives() -> None:
    found = odds(toollib([*lattice(2), *["?" * 21] * 6], 75))
    published = {
        (1, 20): 0.071438566783525,
        (3, 19): 0.22767003533700023,
        (1, 1): 0.7602459933118861,
        (0, 13): 0.5462807701483761,
        (3, 20): 0.06319615739151148,
    }
    assert {cell: float(found.mine[cell]) for cell in published} == pytest.approx(published, 1e-12)
    assert float(found.interior or 0) == pytest.approx(0.3550755215818981, 1e-12)
    assert sum(found.mine.values()) == 75


def test_one_region_of_124_cells_is_counted_exactly() -> None:
    rows = [*lattice(4), "?" * 21]
    free = odds(Position.parse("\n".join(rows), mines=None))
    assert len(free.mine) - free.interior_cells == 124
    by_total = [odds(toollib(rows, total)) for total in (80, 81)]
    for found in by_total:
        assert sum(found.mine.values()) == found.position.mines
        assert 0 < found.solutions < free.solutions
