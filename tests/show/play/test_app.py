"""Keys do what the help and files of keys say; what comes of it is drawn, and said in words."""

import tomllib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper.board.errors import Error
from satsweeper.play.game import Game
from satsweeper.play.presets import PRESETS
from satsweeper.play.record import read_game, write_game
from satsweeper.show.play.app import PlayApp
from satsweeper.show.play.board import ODDS, ROOMY, TIGHT, fit
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.keys import ACTIONS, Keys, KeysError, read_keys
from satsweeper.show.play.session import PAGES, STEPS
from tests.show.play.screen import on, play


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [("l j l h", (1, 1)), ("down down up left", (1, 0)), ("end G", (4, 4)),
     ("G g end home", (0, 0)), ("ctrl+end ctrl+home", (0, 0)), ("pagedown pageup", (0, 0))],
)  # fmt: skip
@on()
async def test_arrows_and_letters_move_and_stay_on_the_board(seen, keys, cursor) -> None:
    await seen.press(*keys.split())
    assert seen.app.session.cursor == cursor
    assert seen.where.startswith(f"row {cursor[0]}, column {cursor[1]}: ")


@on()
async def test_the_help_names_every_action_and_what_puts_it_away_does_nothing_else(seen) -> None:
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


@on()
async def test_enter_opens_and_an_open_area_spreads(seen) -> None:
    await seen.press("end", "enter")
    assert seen.board == ["·1   ", "·211 ", "···1 ", "···21", "·····"]
    assert seen.where == "row 0, column 4: open, 0"
    await seen.press("left", "left", "left")
    assert seen.where == "row 0, column 1: 1, 2 covered neighbours"


@pytest.mark.parametrize("key", ["space", "f"])
@on()
async def test_space_and_f_put_a_flag_and_take_it_away(seen, key) -> None:
    await seen.press(key)
    assert seen.board[0] == "F····"
    assert seen.where == "row 0, column 0: covered, flagged"
    assert "mines left 2" in seen.status
    await seen.press("enter")
    assert seen.said == "This cell has a flag: take it away first."
    await seen.press(key)
    assert seen.where == "row 0, column 0: covered"


@pytest.mark.parametrize("key", ["c", "enter"])
@on()
async def test_a_chord_opens_around_a_clue_whose_flags_are_set(seen, key) -> None:
    await seen.press("end", "enter", "j", "j", "left", "left", "f", "k", "left", key)
    assert seen.said == "The clue is 2, and there is 1 flag around it."
    await seen.press("right", key)
    assert seen.board == ["·1   ", "·211 ", "·1F1 ", "···21", "·····"]
    await seen.press("right", key)
    assert seen.said == "Nothing is left to open around this cell."


@on()
async def test_a_wrong_flag_loses_by_a_chord_and_words_say_so_and_undo_helps(seen) -> None:
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


@on(["....", "...."])
async def test_a_game_that_is_won_says_so(seen) -> None:
    await seen.press("enter")
    assert seen.status.endswith("won")
    assert seen.said.startswith("You have won")


@on(game=Game("16x16/40", "opening", seed=3))
async def test_n_plays_another_layout_r_the_same_and_undo_leads_back(seen) -> None:
    await seen.press("enter")
    first = seen.board
    await seen.press("end", "f")
    flagged = seen.board
    # A game in play is left at the second press, whatever key was pressed in between.
    for key in ("r", "n", "2", "r", "left"):
        await seen.press(key)
        assert seen.board == flagged
        assert key == "left" or seen.said == f"This game is in play: {key} once more leaves it."
    await seen.press("r", "r")
    assert seen.board == first
    await seen.press("n", "n")
    assert "256 covered" in seen.status
    await seen.press("home", "enter")
    assert seen.board != first
    await seen.press("u", "u")
    assert seen.board == first
    await seen.press("u", "u")
    assert seen.board[0][-1] == "F"


@on()
async def test_r_on_a_given_layout_takes_every_move_back(seen) -> None:
    await seen.press("end", "enter", "home", "f", "r", "r")
    assert seen.board == ["·····"] * 5
    await seen.press("n")
    assert seen.app.session.game.seed is not None


@on()
async def test_w_says_what_lies_around(seen) -> None:
    await seen.press("end", "enter", "home", "j", "f", "k", "right", "w")
    assert seen.said == ("Around it: left covered, below left flag, below 2, below right 1.")


@on(keys=Keys({**Keys.default().of, "flag": ("m",)}))
async def test_a_key_that_does_nothing_says_so_and_keys_can_be_others(seen) -> None:
    await seen.press("f")
    assert seen.said == "The key f does nothing; h is help."
    await seen.press("m")
    assert seen.board[0] == "F····"


def test_q_leaves_and_ctrl_c_is_told_from_it():
    async def leave(seen) -> None:
        await seen.press("q")

    async def interrupt(seen) -> None:
        await seen.press("h", "ctrl+c")

    assert play(leave).return_value is None
    assert play(interrupt).return_value.name == "SIGINT"


@on()
async def test_the_mouse_opens_flags_and_chords(seen) -> None:
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


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10), (20, 6)])
def test_the_digits_begin_the_four_boards_and_all_is_said_at_every_size(size):
    async def script(seen) -> None:
        for level, board in enumerate(PRESETS.values()):
            await seen.press(str(level), "G", "end")
            assert seen.app.session.game.board == board
            title = (f"{board}  mines left {board.mines}", f"{board.mines}  ")[size[0] < 40]
            assert seen.status.startswith(title)
            assert "  0:00  in play" in seen.status
            last = f"row {board.rows - 1}, column {board.columns - 1}: covered"
            assert seen.where == (last if size[0] >= 40 else "covered")
            (keys,) = [line.split() for line in seen.lines if line.startswith("h ")]
            assert {"h", "enter", "f", "?", "o", "u", "q"} <= {*keys}
            row, column = seen.app.session.cursor
            view = seen.app.board.viewport
            assert row in view.down
            assert column in view.across
            if len(view.down) < board.rows and size[0] >= 80:
                assert f"rows {view.down[0]}-{view.down[-1]} of {board.rows}" in seen.status

    play(script, size=size)


def test_the_page_offers_the_same_boards():
    page = (Path(__file__).parents[3] / "page" / "index.html").read_text("utf-8")
    for name in ("beginner", "intermediate", "expert"):
        assert f'<option value="{PRESETS[name]}">' in page


@on(game=Game("78x21/450", seed=1))
async def test_the_largest_board_of_the_seed_fits_eighty_by_twenty_four(seen) -> None:
    view = seen.app.board.viewport
    assert (view.rows, view.columns) == (21, 78)
    assert seen.lines[1] == ">" + 78 * "·"


@pytest.mark.parametrize("size", [(120, 40), (118, 22), (117, 22), (118, 21)])
def test_where_there_is_room_the_keys_are_beside_the_board_in_its_middle(size):
    async def script(seen) -> None:
        shorts = [f"  {each.short}" for each in ACTIONS if each.short]
        listed = [any(line.endswith(short) for line in seen.lines) for short in shorts]
        # The expert board with odds takes 94 columns and the list 24; the list has 18 lines.
        assert all(listed) == (size in [(120, 40), (118, 22)])
        view = seen.app.board.viewport
        (x, y), (right, below) = view.place_of((0, 0)), view.place_of((15, 29))
        width, height = seen.app.board.size
        assert abs((x - 4) - (width - 1 - right)) <= 2
        assert abs((y - 1) - (height - 1 - below)) <= 1
        await seen.press("o")
        assert len(seen.app.board.viewport.across) == 30

    play(script, game=Game("30x16/99", seed=1), size=size)


@on(game=Game("9x9/10", "opening", seed=1))
async def test_the_time_is_that_from_the_first_open_cell_to_the_end_of_each_game(seen) -> None:
    async def after(seconds: int, *keys: str) -> str:
        seen.clock.now += seconds
        await seen.press(*keys)
        return str(seen.status.split("  ")[4])

    assert await after(7, "right") == "0:00"
    await seen.press("enter")
    assert await after(65, "down") == "1:05"
    session = seen.app.session
    session.cursor = session.cell(session.game.layout.mines.bit_length() - 1)
    assert await after(5, "enter") == "1:10"
    assert seen.status.endswith("lost")
    assert await after(100, "left") == "1:10"
    await seen.press("u")
    assert await after(3, "left") == "1:13"
    assert await after(2, "n", "n") == "0:00"
    await seen.press("enter")
    assert await after(9, "left") == "0:09"
    await seen.press("u", "u")
    assert await after(1, "left") == "1:16"


@pytest.mark.parametrize("strength", ["complete", "subset"])
def test_a_game_without_guessing_is_won_by_certain_moves_from_any_first_cell(strength):
    async def script(seen) -> None:
        await seen.press("down", "right", "f", "enter")
        assert seen.said.startswith("This cell has a flag")
        await seen.press("f", "enter")
        game, first = seen.app.session.game, seen.board
        assert game.start == (1, 1)
        assert game.opened.bit_count() > 8
        await seen.press("a")
        assert seen.status.endswith("won")
        assert "guess" not in seen.said
        again = read_game(write_game(game), "record")
        assert (again.layout, again.status) == (game.layout, "won")
        await seen.press("r")
        assert seen.board == first
        await seen.press("n", "n", "A")
        assert seen.status.endswith("won")

    session = GameSession(Game("9x9/10", "opening", seed=5), strength=strength)
    play(script, session=session)


@on(session=GameSession(Game("3x1/1", "safe", seed=5), strength="complete"))
async def test_where_no_board_is_without_a_guess_it_is_said_and_nothing_is_opened(seen) -> None:
    await seen.press("right", "enter")
    assert seen.said == "board 3x1/1: none without a guess, of 100 layouts."
    assert seen.app.session.game.moves == []


@on(game=Game("30x16/99", seed=1))
async def test_a_screen_that_shrinks_keeps_the_cursor_in_sight(seen) -> None:
    await seen.press("G", "end")
    await seen.pilot.resize_terminal(30, 9)
    await seen.settle()
    assert seen.where == "row 15, column 29: covered"
    assert any("·" in line and ">" in line for line in seen.lines)
    await seen.press("home")
    assert seen.app.board.viewport.left == 0


@pytest.mark.parametrize("ascii", [False, True])
def test_without_colour_nothing_is_coloured_and_ascii_is_ascii(ascii):
    async def script(seen) -> None:
        assert "\n".join(seen.lines).isascii() == ascii
        for key in ("end", "enter", "home", "f", "o", "s", "?", "h", "pagedown", "x", "j", "enter"):
            await seen.press(key)
            assert seen.colors == set()
            assert "\n".join(seen.lines).isascii() or not ascii
        assert seen.status.endswith("in play")

    play(script, look=Look(ascii=ascii, color=False))


@on(look=Look(color=True))
async def test_with_colour_odds_are_a_heat_map(seen) -> None:
    await seen.press("end", "enter")
    before = seen.colors
    assert {"bright_blue", "green"} <= before
    # Covered cells have the colour of the terminal's text, which can be read on every ground.
    assert "bright_black" not in before
    assert Look(color=True).kind("covered").style == ""
    await seen.press("o")
    assert seen.colors - before


@on(game=Game("7x5/6", "opening", seed=1))
async def test_whatever_keys_are_pressed_the_game_is_one_that_its_record_plays_again(seen) -> None:
    pages = {"help", "quit", "level_3"}
    keys = [key for action in ACTIONS if action.name not in pages for key in action.keys]
    names = {"?": "question_mark", ".": "full_stop"}
    for key in Random(1).choices(keys, k=30):
        # After a letter that moves, h does; else it is help, which any key puts away.
        await seen.press(names.get(key, key))
    game = seen.app.session.game
    again = read_game(write_game(game), "record")
    for name in ("opened", "flags", "exploded", "status", "moves"):
        assert getattr(again, name) == getattr(game, name)


@given(st.data())
def test_any_window_fits_and_holds_the_cursor(data):
    rows, columns = data.draw(st.integers(1, 300)), data.draw(st.integers(1, 300))
    width, height = data.draw(st.integers(8, 200)), data.draw(st.integers(1, 60))
    before = None
    odds = data.draw(st.booleans())
    for _ in range(3):
        cursor = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
        view = fit((rows, columns), (width, height), cursor, before, odds)
        assert cursor[0] in view.down
        assert cursor[1] in view.across
        assert 0 <= view.top <= rows - view.rows
        assert 0 <= view.left <= columns - view.columns
        assert view.ruler + view.rows <= height
        wide = view.margin + view.pitch * view.columns + (view.pitch > TIGHT)
        assert wide == view.width <= width - 2 * view.x or view.columns == 1
        assert view.pitch >= (ODDS if odds else TIGHT)
        places = {}
        for row in (view.down[0], cursor[0], view.down[-1]):
            for column in (view.across[0], cursor[1], view.across[-1]):
                x, y = view.place_of((row, column))
                assert view.cell_at(x, y) == (row, column)
                places[row, column] = x, y
        assert len(set(places.values())) == len(places)
        before = view


@pytest.mark.parametrize(
    ("board", "screen", "odds", "pitch"),
    [((8, 8), (80, 21), False, ROOMY), ((8, 8), (80, 21), True, ODDS),
     ((16, 30), (80, 21), False, ROOMY), ((16, 30), (80, 21), True, ODDS),
     ((16, 30), (120, 37), True, ODDS), ((21, 78), (80, 21), False, TIGHT),
     ((21, 78), (80, 21), True, ODDS), ((21, 78), (165, 40), False, ROOMY)],
)  # fmt: skip
def test_cells_are_as_roomy_as_fits_and_odds_always_have_two_digits(board, screen, odds, pitch):
    assert fit(board, screen, (0, 0), None, odds).pitch == pitch


def test_the_window_moves_no_farther_than_the_cursor_makes_it_and_beside_it_is_no_cell():
    view = fit((100, 100), (41, 11), (0, 0))
    assert (view.top, view.left) == (0, 0)
    moved = fit((100, 100), (41, 11), (view.rows, 3), view)
    assert (moved.top, moved.left) == (1, 0)
    assert fit((100, 100), (41, 11), (5, 5), moved).top == 1
    view = fit((8, 8), (80, 21), (0, 0))
    assert [view.cell_at(*at) for at in [(0, 3), (5, 0), (79, 3), (5, 20)]] == [None] * 4


def test_every_action_is_done_by_something():
    elsewhere = {*STEPS, *PAGES, *(f"level_{k}" for k in range(len(PRESETS)))}
    elsewhere |= {"open", "chord", "undo", "again", "new"}
    for action in ACTIONS:
        assert (action.name in elsewhere) != hasattr(PlayApp, f"_{action.name}"), action


def test_h_moves_only_straight_after_letters_that_move_and_no_other_key_has_two_actions():
    keys = Keys.default()
    found = [keys.action("h", after) for after in (None, "left", "f", "h", "j", "k", "l")]
    assert found == ["help"] * 3 + ["left"] * 4
    bound = [key for action in ACTIONS for key in action.keys]
    assert sorted(key for key in set(bound) if bound.count(key) > 1) == ["h"]


def test_a_file_replaces_keys_of_what_it_names_and_takes_them_from_others():
    keys = read_keys(b'flag = ["m", "o"]\nhelp = "f1"\nleft = ["left", "h"]\nquit = []\n', "k.toml")
    assert [keys.action(key) for key in "mofqh"] == ["flag", "flag", None, None, "left"]
    assert keys.action("f1") == "help"
    assert read_keys(b'{"flag": "m"}', "k.json").action("m") == "flag"


def test_what_is_printed_is_read_back():
    default = Keys.default()
    assert read_keys(b"", "k.toml") == default
    for keys in (default, Keys({**default.of, "flag": ("m", '"', "\\")})):
        assert read_keys(keys.toml().encode(), "k.toml") == keys
    assert tomllib.loads(default.toml()) == {each.name: list(each.keys) for each in ACTIONS}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [("k.toml", "flag = ?", ":1:8: no TOML: Invalid value"),
     ("k.toml", "flag = ", ": no TOML: Invalid value"),
     ("k.toml", 'flag = "f"\nflag = "m"', ": no TOML: Cannot overwrite a value"),
     ("k.json", '{"flag": "f",}', ":1:14: no JSON: "),
     ("k.json", "[]", ": an object of actions and their keys is needed"),
     ("k.json", "[" * 100_000, ": an object of actions and their keys is needed"),
     ("k.toml", 'flags = "f"', ": unknown action 'flags'; did you mean 'flag'? (known: "),
     ("k.toml", 'flag = "Spce"', ": flag: unknown key 'Spce'; did you mean 'space'?"),
     ("k.toml", 'flag = "ctrl+c"', ": flag: unknown key 'ctrl+c'"),
     ("k.toml", 'flag = " "', ": flag: unknown key ' '"),
     ("k.toml", "flag = 7", ": flag: a key is a text such as 'f', not 7"),
     ("k.toml", "[flag]\na = 1", ": flag: a key is a text such as 'f', not {'a': 1}"),
     ("k.toml", 'flag = "x"\nopen = "x"', ": key 'x' is given to both flag and open"),
     ("a\nb.toml", "flag = 7", ": flag: "), ("k.toml", "\udcff", ": this is no text in UTF-8")],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_one_line(name, text, said):
    with pytest.raises(KeysError) as caught:
        read_keys(text.encode(errors="surrogateescape"), name)
    assert isinstance(caught.value, Error)
    assert str(caught.value).startswith(name.replace("\n", "\\n") + said)
    assert "\n" not in str(caught.value)
