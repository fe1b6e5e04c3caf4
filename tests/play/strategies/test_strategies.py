"""What each strategy promises of the cell it names, on positions worked out by hand."""

import numpy as np
import pytest

from satsweeper.board.size import BoardSize
from satsweeper.play.kernel.chances import find_chances
from satsweeper.play.scratch import Scratch
from satsweeper.play.strategies import built_in
from satsweeper.play.strategies.table import STRATEGIES, find_strategy
from satsweeper.play.view import GuessView


def view_of(rows, mines):
    """A view of a position: digits, ``?`` unknown, ``*`` known mines."""
    codes = {"?": -1, "*": -2, **{str(digit): digit for digit in range(9)}}
    cells = np.array([codes[code] for row in rows for code in row], np.int8)
    board = BoardSize(len(rows), len(rows[0]), mines)
    scratch = Scratch(board.rows, board.columns)
    done = find_chances(scratch.grid, cells, mines, scratch.moves.work, scratch.chances)
    assert done == 1
    return GuessView(board, cells, scratch)


@pytest.mark.parametrize("name", [*STRATEGIES, "random+exact"])
def test_every_strategy_names_a_cell_that_can_be_opened(name):
    view = view_of(["1???", "????", "????"], 3)
    assert find_strategy(name)(view) in view.covered


def test_safest_takes_the_least_chance_of_a_mine():
    # Beside the 3 five cells hold three mines; the three under the 1 hold one.
    view = view_of(["?3?", "???", "???", "?1?"], 4)
    chosen = find_strategy("safest")(view)
    assert view.chance(chosen) == min(view.chance(cell) for cell in view.covered)


def test_of_equally_safe_cells_safest_takes_the_one_with_the_fewest_neighbours():
    assert find_strategy("safest")(view_of(["????", "????", "????"], 3)) == (0, 0)


def test_score_003_is_the_sum_that_the_document_gives():
    # (0, 1): five neighbours, one open and four unknown; its 1 has three unknown neighbours of
    # which one is a mine, so it is free with 2/3, and to know it does not decide the others.
    view = view_of(["1????", "?????", "?????"], 3)
    codes, near = view.codes.tolist(), view.scratch.grid.near.tolist()
    score = built_in._score(codes, near, 1, 11 / 14)
    assert score == pytest.approx(0.3 / 8 + 0.1 * 4 / 8 + 2.5 * 2 / 3)
    # Far from any clue: eight unknown neighbours, and the share of all cells that are free.
    score = built_in._score(codes, near, 7, 11 / 14)
    assert score == pytest.approx(0.1 * 8 / 8 + 2.5 * 11 / 14)


def test_score_003_adds_what_leads_to_propagation():
    # The 1 has two unknown neighbours: if one is free the other is a mine.
    view = view_of(["1?", "1?"], 1)
    score = built_in._score(view.codes.tolist(), view.scratch.grid.near.tolist(), 1, 0.5)
    assert score == pytest.approx(0.3 * 2 / 8 + 0.1 / 8 + 2.5 / 2 + 1)


def test_second_safety_leaves_a_dead_cell_to_the_end():
    # All but one of the cells are free with 3/4. The first would always show 0.
    view = view_of(["?1?1????"], 2)
    assert find_strategy("safest")(view) == (0, 0)
    assert view.chance(find_strategy("second_safety")(view)) == pytest.approx(1 / 4)
    assert find_strategy("second_safety")(view) != (0, 0)


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'safest'"):
        find_strategy("safset")
    with pytest.raises(ValueError, match="did you mean 'safest'"):
        find_strategy("safset+exact")


def test_a_strategy_of_ones_own_lies_in_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "last_of_all.py").write_text(
        "def choose(view):\n    return view.covered[-1]\nnumber = 3\n", "utf-8"
    )
    monkeypatch.chdir(tmp_path)
    view = view_of(["1???", "????"], 2)
    assert find_strategy("last_of_all:choose")(view) == (1, 3)
    with pytest.raises(ValueError, match="a function of one argument"):
        find_strategy("last_of_all:number")
    with pytest.raises(ValueError, match="unknown strategy"):
        find_strategy("last_of_all:nothing")
