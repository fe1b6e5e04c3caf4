"""Games of certain moves end where the engine alone, asked afresh each time, would end them."""

import pytest

from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import board_of
from satsweeper.board.size import BoardSize
from satsweeper.engines.table import ENGINES
from satsweeper.play import until_stuck as module
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import Minefield
from satsweeper.play.until_stuck import UnsafeCellError, steps, until_stuck

BOARDS = {
    "beginner": (BoardSize(9, 9, 10), FirstClick.OPENING),
    "dense": (BoardSize(7, 7, 12), FirstClick.SAFE),
    "long": (BoardSize(4, 16, 11), FirstClick.OPENING),
    "expert": (BoardSize(16, 30, 99), FirstClick.OPENING),
}


def games(kind, count, seed=5):
    board, first_click = BOARDS[kind]
    first = (3, 3) if first_click is FirstClick.OPENING else (0, 0)
    for number in range(count):
        field = Minefield(game_layout(board, first, first_click, seed, number))
        field.open(1 << field.layout.geometry.index(first))
        yield field


def alone(game, engine, total):
    """The same game by the engine alone, a new question at every position."""
    copy = Minefield(game.layout, game.opened)
    while safe := ENGINES[engine].load()(copy.position(total=total), Options()).safe:
        copy.open(board_of(map(game.layout.geometry.index, safe), game.layout.geometry.size))
    return copy


@pytest.mark.parametrize("kind", BOARDS)
@pytest.mark.parametrize(
    ("engine", "total"),
    [
        ("single_clue", True),
        ("subset", False),
        ("assumption", True),
        ("enumeration", False),
        ("enumeration", True),
        ("sat", False),
        ("sat", True),
    ],
)
def test_the_same_cells_are_open_as_by_the_engine_alone(kind, engine, total):
    ends = set()
    for game in games(kind, 6 if kind == "expert" else 12):
        expected = alone(game, engine, total)
        until_stuck(game, engine, total=total)
        assert game.opened == expected.opened
        assert not game.lost
        ends.add(game.won)
    assert ends == {True, False} or kind == "expert" or engine not in ("enumeration", "sat")


def test_the_total_as_one_more_set_is_used_when_it_is_told():
    gained = 0
    for game in games("dense", 25):
        told = Minefield(game.layout, game.opened)
        expected = alone(game, "subset", True)
        until_stuck(told, "subset")
        until_stuck(game, "subset", total=False)
        assert told.opened == expected.opened
        assert game.opened & ~told.opened == 0
        gained += told.opened != game.opened
    assert gained


def test_what_the_rules_leave_is_what_their_engine_leaves_at_every_position():
    stuck = 0
    for game in games("long", 15):
        for step in steps(game, "sat"):
            answer = ENGINES["single_clue"].classify(game.position(), Options())
            mines, safe = answer.mine_board, answer.safe_board
            assert step.facts.mines == mines
            assert step.facts.undecided == game.covered & ~(mines | safe)
            assert step.facts.clues == game.opened
            assert step.by_rules == (safe != 0)
            if step.by_rules:
                assert step.safe == safe
            stuck += not step.by_rules
    assert stuck > 15


def test_more_reasoning_opens_no_fewer_cells():
    for game in games("dense", 30):
        opened = {}
        for engine in ("single_clue", "subset", "assumption", "sat"):
            copy = Minefield(game.layout, game.opened)
            until_stuck(copy, engine, total=False)
            opened[engine] = copy.opened
        until_stuck(game, "sat")
        assert opened["single_clue"] & ~(opened["subset"] & opened["assumption"]) == 0
        assert (opened["subset"] | opened["assumption"]) & ~opened["sat"] == 0
        assert opened["sat"] & ~game.opened == 0


def test_with_a_cap_the_game_ends_where_the_capped_engine_names_no_safe_cell():
    options = Options(cap=4)
    fewer = 0
    for game in games("long", 15):
        whole = Minefield(game.layout, game.opened)
        until_stuck(whole, "enumeration", total=False)
        until_stuck(game, "enumeration", total=False, options=options)
        answer = ENGINES["enumeration"].classify(game.position(total=False), options)
        assert not answer.safe
        fewer += game.opened != whole.opened
    assert fewer


def test_the_last_step_opens_nothing_unless_the_game_is_won():
    ends = []
    for game in games("beginner", 15):
        last = [step.safe for step in steps(game, "sat")][-1:]
        ends.append(game.won)
        assert last == [] or (last[0] != 0) == game.won
    assert {True, False} == set(ends)


def test_nothing_is_opened_in_a_lost_game():
    game = Minefield(Layout(Square(1, 3), mines=0b001))
    game.open(0b001)
    with pytest.raises(ValueError, match="lost"):
        until_stuck(game)


def test_an_unknown_engine_is_named():
    game = next(games("beginner", 1))
    with pytest.raises(ValueError, match="oracle"):
        until_stuck(game, "oracle")


def test_an_engine_that_calls_a_mine_safe_is_a_defect(monkeypatch):
    class Wrong:
        def classify(self, position, options):
            view = position.view()
            return Classification.of(view, Status.UNDECIDED, view.covered)

    monkeypatch.setattr(module, "find_engine", lambda name: Wrong())
    game = Minefield(Layout(Square(1, 4), mines=0b1001))
    with pytest.raises(UnsafeCellError, match="wrong called a mine safe"):
        until_stuck(game, "wrong")
