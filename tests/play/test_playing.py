"""Games played by strategies, and by certain moves alone: no certain move loses."""

import pytest

from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import board_of as bits_of
from satsweeper.board.size import BoardSize
from satsweeper.engines.table import ENGINES
from satsweeper.play import until_stuck as module
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import Minefield
from satsweeper.play.kernel.chances import find_chances
from satsweeper.play.playing import GameOutcome, play_game
from satsweeper.play.scratch import Scratch, numbers_of
from satsweeper.play.strategies import built_in
from satsweeper.play.strategies.table import STRATEGIES, find_strategy
from satsweeper.play.until_stuck import UnsafeCellError, steps, until_stuck
from satsweeper.play.view import GuessView
from tests.boards import board_of
from tests.play.cells import cells_of, clue_of, mines_of

SMALL = BoardSize.parse("6x5/7")


def test_numbers_are_those_that_a_plain_count_gives():
    layout = game_layout(SMALL, (0, 0), FirstClick.NONE, seed=3)
    mines = mines_of(layout)
    assert numbers_of(layout).tolist() == [
        9 if cell in mines else clue_of(cell, mines) for cell in cells_of((5, 6))
    ]


@pytest.mark.parametrize("name", [*STRATEGIES, "safest+exact"])
def test_no_strategy_ever_meets_a_mine_that_was_called_safe(name):
    strategy = find_strategy(name)
    for at in range(30):
        layout = game_layout(SMALL, (0, 0), FirstClick.SAFE, seed=1, number=at)
        outcome = play_game(layout, (0, 0), strategy)
        assert outcome.unsafe == 0
        assert outcome.won or outcome.guesses
    # A first click on a mine loses at once.
    layout = game_layout(BoardSize.parse("2x1/2"), (0, 0), FirstClick.NONE, seed=1)
    assert play_game(layout, (0, 0), strategy) == GameOutcome(won=False, guesses=0)


def test_a_strategy_is_asked_only_where_nothing_is_certain_and_sees_no_more_than_the_player():
    def choose(view):
        assert set(view.covered) <= set(view.position.covered_cells())
        assert all(0 < view.chance(cell) < 1 for cell in view.covered)
        assert view.layouts >= 2
        return view.covered[-1]

    for at in range(10):
        layout = game_layout(SMALL, (0, 0), FirstClick.SAFE, seed=2, number=at)
        play_game(layout, (0, 0), choose)


@pytest.mark.parametrize("cell", [(0, 0), (9, 9), None, (0.5, 0), 7])
def test_a_cell_that_cannot_be_guessed_at_is_refused(cell):
    layout = game_layout(BoardSize.parse("9x9/20"), (0, 0), FirstClick.SAFE, seed=1)
    with pytest.raises(ValueError, match="a strategy names a"):
        play_game(layout, (0, 0), lambda view: cell)


def view_of(text, mines):
    """A view of a position: digits and ``?`` unknown."""
    board = board_of(text).cells
    rows, columns = board.shape
    scratch, cells = Scratch(rows, columns), board.reshape(-1)
    assert find_chances(scratch.grid, cells, mines, scratch.moves.work, scratch.chances) == 1
    return GuessView(BoardSize(rows, columns, mines), cells, scratch)


@pytest.mark.parametrize("name", [*STRATEGIES, "random+exact"])
def test_every_strategy_names_a_cell_that_can_be_opened(name):
    view = view_of("1??? ???? ????", 3)
    assert find_strategy(name)(view) in view.covered


def test_safest_takes_the_least_chance_of_a_mine_of_equal_cells_the_frontier_first():
    # Beside the 3 five cells hold three mines; the three under the 1 hold one.
    view = view_of("?3? ??? ??? ?1?", 4)
    chosen = find_strategy("safest")(view)
    assert view.chance(chosen) == min(view.chance(cell) for cell in view.covered)
    assert find_strategy("safest")(view_of("???? ???? ????", 3)) == (0, 0)
    # Every cell is a mine with 1/2; the ends have the fewest neighbours, but no clue beside them.
    assert find_strategy("safest")(view_of("??1??", 2)) == (0, 1)
    # On the frontier the first cell; (0, 3) has fewer neighbours.
    assert find_strategy("safest")(view_of("??1? ????", 2)) == (0, 1)


def test_score_003_is_the_sum_that_the_document_gives():
    # (0, 1): five neighbours, one open and four unknown; its 1 has three unknown neighbours of
    # which one is a mine, so it is free with 2/3, and to know it does not decide the others.
    view = view_of("1???? ????? ?????", 3)
    codes, near = view.codes.tolist(), view.scratch.grid.near.tolist()
    score = built_in._score(codes, near, 1, 11 / 14)
    assert score == pytest.approx(0.3 / 8 + 0.1 * 4 / 8 + 2.5 * 2 / 3)
    # Far from any clue: eight unknown neighbours, and the share of all cells that are free.
    score = built_in._score(codes, near, 7, 11 / 14)
    assert score == pytest.approx(0.1 * 8 / 8 + 2.5 * 11 / 14)
    # The 1 has two unknown neighbours: if one is free the other is a mine. That is added.
    view = view_of("1? 1?", 1)
    score = built_in._score(view.codes.tolist(), view.scratch.grid.near.tolist(), 1, 0.5)
    assert score == pytest.approx(0.3 * 2 / 8 + 0.1 / 8 + 2.5 / 2 + 1)


def test_second_safety_leaves_a_dead_cell_to_the_end():
    # All but one of the cells are free with 3/4. The first would always show 0.
    view = view_of("?1?1????", 2)
    assert find_strategy("safest")(view) == (0, 0)
    assert view.chance(find_strategy("second_safety")(view)) == pytest.approx(1 / 4)
    assert find_strategy("second_safety")(view) != (0, 0)


def test_a_strategy_of_ones_own_lies_in_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "last_of_all.py").write_text(
        "def choose(view):\n    return view.covered[-1]\nnumber = 3\n", "utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert find_strategy("last_of_all:choose")(view_of("1??? ????", 2)) == (1, 3)
    for name, said in [
        ("last_of_all:number", "a function of one argument"),
        ("last_of_all:nothing", "unknown strategy"),
        *((name, "did you mean 'safest'") for name in ("safset", "safset+exact")),
    ]:
        with pytest.raises(ValueError, match=said):
            find_strategy(name)


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
        copy.open(bits_of(map(game.layout.geometry.index, safe), game.layout.geometry.size))
    return copy


@pytest.mark.parametrize("kind", BOARDS)
@pytest.mark.parametrize(
    ("engine", "total"),
    [
        ("single_clue", True), ("subset", False), ("assumption", True), ("enumeration", False),
        ("enumeration", True), ("sat", False), ("sat", True),
    ],
)  # fmt: skip
def test_the_same_cells_are_open_as_by_the_engine_alone(kind, engine, total):
    ends = set()
    for game in games(kind, 6 if kind == "expert" else 12):
        expected = alone(game, engine, total)
        until_stuck(game, engine, total=total)
        assert (game.opened, game.lost) == (expected.opened, False)
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
            _, clues, _, *known = step.facts
            assert (clues, known) == (game.opened, [game.covered & ~(mines | safe), mines])
            assert step.by_rules == (safe != 0)
            assert not step.by_rules or step.safe == safe
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


def test_nothing_is_opened_in_a_lost_game_or_by_an_unknown_engine():
    game = Minefield(Layout(Square(1, 3), mines=0b001))
    with pytest.raises(ValueError, match="oracle"):
        until_stuck(game, "oracle")
    game.open(0b001)
    with pytest.raises(ValueError, match="lost"):
        until_stuck(game)


def test_an_engine_that_calls_a_mine_safe_is_a_defect(monkeypatch):
    class Wrong:
        def classify(self, position, options):
            view = position.view()
            return Classification.of(view, Status.UNDECIDED, view.covered)

    monkeypatch.setattr(module, "find_engine", lambda name: Wrong())
    game = Minefield(Layout(Square(1, 4), mines=0b1001))
    with pytest.raises(UnsafeCellError, match="wrong called a mine safe"):
        until_stuck(game, "wrong")
