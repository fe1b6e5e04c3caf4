"""3BV, ZiNi and clicks: by flood fill, by hand, and by playing the clicks."""

from random import Random

import pytest

from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.play.efficiency import BoardClicks, ClickCount, Efficiency
from satsweeper.play.game import Action, Game
from tests.play.cells import cells_of, clue_of, opens


def layout_of(rows):
    geometry = Square(len(rows), len(rows[0]))
    mined = [cell for cell in cells_of((len(rows), len(rows[0]))) if rows[cell[0]][cell[1]] == "*"]
    return Layout(geometry, sum(1 << geometry.index(cell) for cell in mined)), frozenset(mined)


def drawn(random):
    shape = random.choice([(1, 7), (3, 3), (4, 6), (8, 8), (9, 12), (16, 16)])
    cells = cells_of(shape)
    mined = {*random.sample(cells, random.randint(0, len(cells) * 2 // 5))}
    return ["".join(".*"[(r, c) in mined] for c in range(shape[1])) for r in range(shape[0])]


def least_clicks(mined, shape):
    """Zeros first, then what is still covered: a click each."""
    free = [cell for cell in cells_of(shape) if cell not in mined]
    opened, clicks = set(), 0
    for cell in sorted(free, key=lambda cell: clue_of(cell, mined) > 0):
        if cell not in opened:
            opened |= opens(cell, mined, shape)
            clicks += 1
    return clicks


BOARDS = [drawn(Random(seed)) for seed in range(60)]


def play(layout, clicks):
    game = Game.on(layout)
    make = {Action.OPEN: game.open, Action.FLAG: game.flag, Action.CHORD: game.chord}
    for action, cell in clicks:
        assert make[action](cell)
    return game


@pytest.mark.parametrize("rows", BOARDS)
def test_the_clicks_open_the_board_and_are_no_more_than_its_3bv(rows):
    layout, mined = layout_of(rows)
    clicks = BoardClicks(layout)
    assert clicks.bbbv == least_clicks(mined, (len(rows), len(rows[0])))
    for moves in (clicks.zini, clicks.human_zini):
        assert play(layout, moves).won
        assert len(moves) <= clicks.bbbv
    assert clicks.done(layout.free) == clicks.bbbv
    assert clicks.done(0) == 0


@pytest.mark.parametrize(
    ("rows", "bbbv", "zini", "human"),
    [
        (["...", "...", "..."], 1, 1, 1),
        (["*..", "...", "..."], 1, 1, 1),
        # Three clicks, or one, a flag and a chord.
        (["*.", ".."], 3, 3, 3),
        # Greedy: an edge cell, the flag, and chords there and on two of the new clues. Human: a
        # corner first, whose chord opens less.
        (["...", ".*.", "..."], 8, 5, 6),
        # Two openings and the cells above and below the mine. The chord left of the mine costs a
        # click, a flag and itself, and makes three of these clicks: no more, and so it is made.
        ([".....", "..*..", "....."], 4, 4, 4),
    ],
)
def test_of_small_boards_the_numbers_are_those_found_by_hand(rows, bbbv, zini, human):
    clicks = BoardClicks(layout_of(rows)[0])
    assert (clicks.bbbv, len(clicks.zini), len(clicks.human_zini)) == (bbbv, zini, human)


def test_the_programs_of_players_count_the_same():
    """ms_toollib, the library of Metasweeper, which compares cells column by column."""
    toollib = pytest.importorskip("ms_toollib")
    for rows in BOARDS:
        layout, mined = layout_of(rows)
        numbers = [
            [-1 if (r, c) in mined else clue_of((r, c), mined) for c in range(len(rows[0]))]
            for r in range(len(rows))
        ]
        clicks = BoardClicks(layout)
        assert (clicks.bbbv, len(clicks.zini), len(clicks.human_zini)) == (
            toollib.cal_bbbv(numbers), toollib.cal_zini(numbers), toollib.cal_hzini(numbers)
        )  # fmt: skip


def test_efficiency_is_what_was_done_of_the_3bv_for_each_click_that_stays():
    layout, _ = layout_of(["...", ".*.", "..."])
    game = Game.on(layout)
    game.open((0, 0))
    game.flag((0, 1))
    game.undo()
    game.flag((1, 1))
    game.chord((0, 0))
    found = Efficiency.of(game)
    assert found.clicks == ClickCount(left=1, right=1, chord=1)
    # The corner and two edges of eight cells, in three clicks.
    assert (found.done, found.efficiency) == (3, 1.0)
    assert found.sentence() == "3BV 3 of 8 in 3 clicks: efficiency 100 %. ZiNi 5."
    assert Efficiency.of(Game("9x9/10", seed=1)) is None
