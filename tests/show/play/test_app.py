"""Each key does what the help says, and what comes of it is drawn, and said in words."""

from random import Random

import pytest

from satsweeper.play.game import LEVELS, Game
from satsweeper.play.record import read_game, write_game
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.keys import ACTIONS, Keys


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        (["l", "j", "l", "h"], (1, 1)),
        (["down", "down", "up", "left"], (1, 0)),
        (["end", "G"], (4, 4)),
        (["G", "g", "end", "home"], (0, 0)),
        (["ctrl+end", "ctrl+home"], (0, 0)),
        (["pagedown", "pageup"], (0, 0)),
    ],
)
def test_arrows_and_letters_move_and_stay_on_the_board(play, keys, cursor) -> None:
    async def script(seen) -> None:
        await seen.press(*keys)
        assert seen.app.session.cursor == cursor
        assert seen.where.startswith(f"row {cursor[0]}, column {cursor[1]}: ")

    play(script)


def test_the_help_names_every_action_and_what_puts_it_away_does_nothing_else(play) -> None:
    async def script(seen) -> None:
        await seen.press("h")
        assert seen.lines[0].startswith("Minesweeper, 5x5/3, first click: none")
        assert any(line.startswith("space, f ") for line in seen.lines)
        read = list(seen.lines)
        for _ in range(4):
            await seen.press("pagedown")
            read += seen.lines
        for action in ACTIONS:
            assert any(line.endswith(action.what) for line in read), action
        await seen.press("up", "enter")
        assert seen.status.startswith("5x5/3 ")
        assert seen.app.session.game.moves == []
        await seen.press("f1")
        assert seen.lines[0].startswith("Minesweeper")

    play(script)


def test_enter_opens_and_an_open_area_spreads(play) -> None:
    async def script(seen) -> None:
        await seen.press("end", "enter")
        assert seen.board == ["·1   ", "·211 ", "···1 ", "···21", "·····"]
        assert seen.where == "row 0, column 4: open, 0"
        await seen.press("left", "left", "left")
        assert seen.where == "row 0, column 1: 1, 2 covered neighbours"

    play(script)


@pytest.mark.parametrize("key", ["space", "f"])
def test_space_and_f_put_a_flag_and_take_it_away(play, key) -> None:
    async def script(seen) -> None:
        await seen.press(key)
        assert seen.board[0] == "F····"
        assert seen.where == "row 0, column 0: covered, flagged"
        assert "mines left 2" in seen.status
        await seen.press("enter")
        assert seen.said == "This cell has a flag: take it away first."
        await seen.press(key)
        assert seen.where == "row 0, column 0: covered"

    play(script)


@pytest.mark.parametrize("key", ["c", "enter"])
def test_a_chord_opens_around_a_clue_whose_flags_are_set(play, key) -> None:
    async def script(seen) -> None:
        await seen.press("end", "enter", "j", "j", "left", "left", "f", "k", "left", key)
        assert seen.said == "The clue is 2, and there is 1 flag around it."
        await seen.press("right", key)
        assert seen.board == ["·1   ", "·211 ", "·1F1 ", "···21", "·····"]
        await seen.press("right", key)
        assert seen.said == "Nothing is left to open around this cell."

    play(script)


def test_a_wrong_flag_loses_by_a_chord_and_words_say_so_and_undo_helps(play) -> None:
    async def script(seen) -> None:
        await seen.press("end", "enter", "home", "j", "f", "k", "right", "enter")
        assert seen.status.endswith("lost")
        assert seen.said.startswith("You have lost: a mine was at (0, 0). u takes the move back")
        assert seen.board == ["X1   ", "W211 ", "··*1 ", "···21", "····*"]
        await seen.press("left")
        assert seen.where == "row 0, column 0: the mine that exploded"
        await seen.press("enter")
        assert seen.said.startswith("The game is over")
        await seen.press("u")
        assert seen.status.endswith("in play")
        assert seen.board == ["·1   ", "F211 ", "···1 ", "···21", "·····"]

    play(script)


def test_a_game_that_is_won_says_so(play) -> None:
    async def script(seen) -> None:
        await seen.press("enter")
        assert seen.status.endswith("won")
        assert seen.said.startswith("You have won")

    play(script, ["....", "...."])


def test_n_plays_another_layout_r_the_same_and_undo_leads_back(play) -> None:
    async def script(seen) -> None:
        await seen.press("enter")
        first = seen.board
        await seen.press("end", "f", "r")
        assert seen.board == first
        await seen.press("n")
        assert "256 covered" in seen.status
        await seen.press("home", "enter")
        assert seen.board != first
        await seen.press("u", "u")
        assert seen.board == first
        await seen.press("u", "u")
        assert seen.board[0][-1] == "F"

    play(script, game=Game("16x16/40", "opening", seed=3))


def test_r_on_a_given_layout_takes_every_move_back(play) -> None:
    async def script(seen) -> None:
        await seen.press("end", "enter", "home", "f", "r")
        assert seen.board == ["·····"] * 5
        await seen.press("n")
        assert seen.app.session.game.seed is not None

    play(script)


def test_w_says_what_lies_around(play) -> None:
    async def script(seen) -> None:
        await seen.press("end", "enter", "home", "j", "f", "k", "right", "w")
        assert seen.said == ("Around it: left covered, below left flag, below 2, below right 1.")

    play(script)


def test_a_key_that_does_nothing_says_so_and_keys_can_be_others(play) -> None:
    async def script(seen) -> None:
        await seen.press("f")
        assert seen.said == "The key f does nothing; h is help."
        await seen.press("m")
        assert seen.board[0] == "F····"

    play(script, keys=Keys({**Keys.default().of, "flag": ("m",)}))


def test_q_leaves_and_ctrl_c_is_told_from_it(play) -> None:
    async def leave(seen) -> None:
        await seen.press("q")

    async def interrupt(seen) -> None:
        await seen.press("h", "ctrl+c")

    assert play(leave).return_value is None
    assert play(interrupt).return_value.name == "SIGINT"


def test_the_mouse_opens_flags_and_chords(play) -> None:
    async def script(seen) -> None:
        async def click(row: int, column: int, button: int) -> None:
            view = seen.app.board.viewport
            x, y = view.place_of((row, column))
            await seen.pilot.click("BoardWidget", offset=(x, y), button=button)
            await seen.settle()

        await click(0, 4, 1)
        assert seen.board[0] == "·1   "
        await click(2, 2, 3)
        assert seen.board[2] == "··F1 "
        assert seen.app.session.cursor == (2, 2)
        await click(1, 2, 2)
        assert seen.board[2] == "·1F1 "
        moves = len(seen.app.session.game.moves)
        await seen.pilot.click("BoardWidget", offset=(70, 10))
        await seen.settle()
        assert len(seen.app.session.game.moves) == moves

    play(script)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10), (20, 6)])
def test_the_digits_begin_the_four_boards_and_all_is_said_at_every_size(play, size) -> None:
    async def script(seen) -> None:
        for level, board in enumerate(LEVELS.values()):
            await seen.press(str(level), "G", "end")
            assert seen.app.session.game.board == board
            assert seen.status.startswith(str(board))
            assert size[0] < 40 or f"  mines left {board.mines}  " in seen.status
            last = f"row {board.rows - 1}, column {board.columns - 1}: covered"
            assert seen.where == last[: size[0]] or last.startswith(seen.where.rstrip())
            row, column = seen.app.session.cursor
            view = seen.app.board.viewport
            assert row in view.down
            assert column in view.across
            if len(view.down) < board.rows and size[0] >= 80:
                assert f"rows {view.down[0]}-{view.down[-1]} of {board.rows}" in seen.status

    play(script, size=size)


def test_the_largest_board_of_the_seed_fits_eighty_by_twenty_four(play) -> None:
    async def script(seen) -> None:
        view = seen.app.board.viewport
        assert (view.rows, view.columns) == (21, 78)
        assert seen.lines[1] == ">" + 78 * "·"

    play(script, game=Game("78x21/450", seed=1))


def test_a_screen_that_shrinks_keeps_the_cursor_in_sight(play) -> None:
    async def script(seen) -> None:
        await seen.press("G", "end")
        await seen.pilot.resize_terminal(30, 9)
        await seen.settle()
        assert seen.where == "row 15, column 29: covered"
        assert any("·" in line and ">" in line for line in seen.lines)
        await seen.press("home")
        assert seen.app.board.viewport.left == 0

    play(script, game=Game("30x16/99", seed=1))


@pytest.mark.parametrize("ascii", [False, True])
def test_without_colour_nothing_is_coloured_and_ascii_is_ascii(play, ascii) -> None:
    async def script(seen) -> None:
        assert "\n".join(seen.lines).isascii() == ascii
        for key in ("end", "enter", "home", "f", "o", "s", "?", "h", "pagedown", "x", "j", "enter"):
            await seen.press(key)
            assert seen.colors == set()
            assert "\n".join(seen.lines).isascii() or not ascii
        assert seen.status.endswith("in play")

    play(script, look=Look(ascii=ascii, color=False))


def test_with_colour_odds_are_a_heat_map(play) -> None:
    async def script(seen) -> None:
        await seen.press("end", "enter")
        before = seen.colors
        assert {"bright_blue", "green"} <= before
        await seen.press("o")
        assert seen.colors - before

    play(script, look=Look(color=True))


def test_whatever_keys_are_pressed_the_game_is_one_that_its_record_plays_again(play) -> None:
    chance = Random(1)
    pages = {"help", "quit", "level_3"}
    keys = [key for action in ACTIONS if action.name not in pages for key in action.keys]
    names = {"?": "question_mark", ".": "full_stop"}

    async def script(seen) -> None:
        for key in chance.choices(keys, k=30):
            # After a letter that moves, h does; else it is help, which any key puts away.
            await seen.press(names.get(key, key))
        game = seen.app.session.game
        again = read_game(write_game(game), "record")
        for name in ("opened", "flags", "exploded", "status", "moves"):
            assert getattr(again, name) == getattr(game, name)

    play(script, game=Game("7x5/6", "opening", seed=1))
