"""Games under rules and of any shape in the terminal: keys, the mouse, hints, the drawn board."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

pytest.importorskip("textual")

from contextlib import closing

from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.game import PuzzleGame
from satsweeper.puzzle.play.generate import generate_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.show.play import searches
from satsweeper.show.play.app import PlayApp
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.puzzle_session import PuzzleGameSession
from satsweeper.show.play.searches import Hints
from tests.puzzle.play.plain_play import all_layouts
from tests.show.play.screen import Script, Seen, play

GEOMETRIES = {name: grid(name, 5, 5) for name in ("square", "torus", "hexagonal", "triangular")}
GEOMETRIES["cubes"] = cubes(2, 3, 4)


def made(rules: str = "C", geometry: Geometry | None = None, number: int = 0) -> PuzzleGame:
    puzzle = Puzzle(geometry or grid("square", 5, 5), tuple(rules.split()), mines=6)
    return PuzzleGame.of(generate_puzzle(puzzle, no_guess=True, seed=2, number=number))


def run(
    script: Script,
    game: PuzzleGame | None = None,
    following: Callable[[], PuzzleGame] | None = None,
    **options: Any,
) -> PlayApp:
    session = PuzzleGameSession(game or made(), following)
    return play(script, session=session, look=Look(True, False), **options)


def go(seen: Seen, cell: int) -> None:
    session = seen.app.session
    session.cursor = session.cell(cell)


def played(seen: Seen) -> PuzzleGame:
    return cast(PuzzleGameSession, seen.app.session).game


async def click(seen: Seen, cell: int, button: int = 1) -> None:
    view = seen.app.board.viewport
    assert view is not None
    x, y = view.place_of(seen.app.session.cell(cell))
    await seen.pilot.click("BoardWidget", offset=(x, y), button=button)
    await seen.settle()


def test_the_status_names_size_shape_and_rules_and_the_cursor_stands_in_brackets() -> None:
    async def script(seen: Seen) -> None:
        assert seen.status.startswith("5x5/6 square, rule C  mines left 6  0 flags  ")
        assert seen.status.endswith("in play")
        view = seen.app.board.viewport
        for keys in ([], ["down", "right"]):
            await seen.press(*keys)
            x, y = view.place_of(seen.app.session.cursor)
            assert seen.lines[1 + y][x - 1 : x + 2] == "[.]"
        assert seen.app.session.cursor == (1, 1)
        assert seen.where == "row 1, column 1: covered"

    game = made()
    run(script, replace(game, opened=frozenset()))


@pytest.mark.parametrize("shape", GEOMETRIES)
def test_the_mouse_opens_and_flags_the_cell_that_is_drawn_below_it(shape: str) -> None:
    game = made("", GEOMETRIES[shape])
    safe, other = sorted(game.clues.keys() - game.opened)[-2:]

    async def script(seen: Seen) -> None:
        for cell, button in ((safe, 1), (other, 3)):
            await click(seen, cell, button)
        now = played(seen)
        assert (now.opened, now.flags) == (game.opened | {safe}, {other})
        await click(seen, safe)
        assert seen.said.startswith("This cell is open")

    run(script, game)


@pytest.mark.parametrize("shape", GEOMETRIES)
def test_each_clue_and_each_cover_stands_at_its_place(shape: str) -> None:
    game = made("", GEOMETRIES[shape])

    async def script(seen: Seen) -> None:
        view = seen.app.board.viewport
        session = seen.app.session
        places = {}
        for cell in range(len(game.puzzle.geometry)):
            x, y = places[cell] = view.place_of(session.cell(cell))
            clue = str(game.clues[cell].value) if cell in game.opened else "."
            assert seen.lines[1 + y][x] == clue
        if shape == "hexagonal":
            # The six around (2, 2): two beside it, two above and two below it half a cell aside.
            near = {number: places[number] for number in game.puzzle.geometry.neighbours[12]}
            x, y = places[12]
            half = view.pitch // 2
            assert {(a - x, b - y) for a, b in near.values()} == {
                (a * half, b) for a, b in ((-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
            }
        if shape == "triangular":
            x, y = places[6]
            assert seen.lines[1 + y][x - 1] in "/(["
            assert seen.lines[1 + y][x + 1] in "\\)]"
        if shape == "cubes":
            top = 1 + places[0][1]
            assert [line.split(">")[0].split()[0] for line in seen.lines[top : top + 6]] == [
                "0,0", "0,1", "0,2", "1,0", "1,1", "1,2",
            ]  # fmt: skip
            go(seen, 17)
            await seen.press("right")
            assert seen.where.startswith("layer 1, row 1, column 2: ")

    run(script, game)


@pytest.mark.parametrize("shape", ["hexagonal", "triangular", "cubes"])
def test_on_a_small_screen_the_cursor_stays_in_sight_and_clicks_meet_their_cells(
    shape: str,
) -> None:
    geometry = cubes(3, 12, 20) if shape == "cubes" else grid(shape, 20, 30)
    puzzle = Puzzle(geometry, mines=40)
    game = PuzzleGame.of(generate_puzzle(puzzle, first_click="none", seed=1))
    last = len(geometry) - 1

    async def script(seen: Seen) -> None:
        for key in ("G", "end", "up", "left"):
            await seen.press(key)
            row, column = seen.app.session.cursor
            view = seen.app.board.viewport
            assert row in view.down
            assert column in view.across
            x, y = view.place_of((row, column))
            assert seen.lines[1 + y][x - 1] == "["
        await click(seen, last, 3)
        assert played(seen).flags == {last}

    run(script, game, size=(40, 12))


def test_a_cell_is_opened_flagged_and_both_are_taken_back() -> None:
    game = made()
    safe = min(game.clues.keys() - game.opened)

    async def script(seen: Seen) -> None:
        go(seen, safe)
        await seen.press("space")
        assert played(seen).flags == {safe}
        await seen.press("enter")
        assert "flag" in seen.said
        await seen.press("space", "enter")
        assert safe in played(seen).opened
        await seen.press("r", "r")
        assert played(seen) == game
        await seen.press("u", "u", "u", "u")
        assert played(seen) == game
        await seen.press("u")
        assert seen.said == "There is no move to take back."
        for key, said in (("2", "size"), ("c", "nothing is opened")):
            await seen.press(key)
            assert said in seen.said

    run(script, game)


def test_a_mine_ends_the_game_and_all_mines_are_seen() -> None:
    game = made()

    async def script(seen: Seen) -> None:
        go(seen, min(game.mines))
        await seen.press("enter")
        assert seen.said.startswith("You have lost: a mine was at (")
        assert "".join(seen.board).count("X") == 1
        assert "".join(seen.board).count("*") == 5
        await seen.press("s")
        assert seen.said.startswith("You have lost")
        await seen.press("u")
        assert not seen.app.session.over

    run(script, game)


def test_certain_cells_odds_and_reasons_are_those_of_all_layouts() -> None:
    puzzle = Puzzle(grid("square", 5, 5), ("C",), mines=5)
    game = PuzzleGame.of(generate_puzzle(puzzle, first_click="none", seed=1))
    game = replace(game, opened=frozenset(sorted(game.clues)[:9]))
    clues = {divmod(cell, 5): game.clues[cell].text() for cell in game.opened}
    layouts = [*all_layouts(["C"], clues, 5, 5, 5)]
    covered = [divmod(cell, 5) for cell in range(25) if cell not in game.opened]
    share = {
        cell: Fraction(sum(cell in mines for mines in layouts), len(layouts)) for cell in covered
    }
    sign = {Fraction(0): "S", Fraction(1): "M"}

    async def script(seen: Seen) -> None:
        await seen.press("s")
        assert [seen.board[r][c] for r, c in covered] == [sign.get(share[e], ".") for e in covered]
        await seen.press("o")
        assert seen.app.overlay.chances == {
            row * 5 + column: share[row, column] for row, column in covered
        }
        view = seen.app.board.viewport
        for cell in covered:
            x, y = view.place_of(cell)
            digits = sign.get(share[cell]) or f"{int(share[cell] * 100):02}"
            assert seen.lines[1 + y][x : x + 2].strip() == digits
        safe = next(cell for cell in covered if share[cell] == 0)
        seen.app.session.cursor = safe
        await seen.press("o", "?")
        assert seen.said.startswith(f"{safe} is safe in every layout with ")
        assert seen.app.overlay.marks <= clues.keys()
        seen.app.session.cursor = next(cell for cell in covered if 0 < share[cell] < 1)
        await seen.press("?")
        assert "is not certain" in seen.said
        assert seen.said.endswith("%.")

    run(script, game)


@pytest.mark.parametrize(
    ("rules", "geometry"), [("C", "square"), ("#", "square"), ("", "hexagonal"), ("2E", "torus")]
)
def test_a_board_without_a_guess_is_played_to_its_end_by_certain_moves(
    rules: str, geometry: str
) -> None:
    async def script(seen: Seen) -> None:
        await seen.press(".")
        assert not seen.app.session.exploded
        assert seen.said.startswith("Opened ")
        if not seen.app.session.over:
            await seen.press("a")
            assert seen.said.startswith("Opened ")
        assert seen.app.session.status == "won"

    run(script, made(rules, GEOMETRIES[geometry]))


def test_where_nothing_is_certain_a_step_does_nothing_and_a_guess_says_its_chance() -> None:
    puzzle = Puzzle(grid("square", 4, 4), ("T",), mines=4)
    game = PuzzleGame.of(generate_puzzle(puzzle, first_click="none"))

    async def script(seen: Seen) -> None:
        await seen.press(".")
        assert seen.said == "No cell is certain. a guesses."
        await seen.press("a")
        assert seen.said.startswith("A guess, as no cell is certain: (")
        assert len(played(seen).opened | played(seen).exploded) == 1
        await seen.press("A")
        assert seen.app.session.over

    run(script, game)


def test_a_new_game_follows_and_a_game_from_a_file_has_none() -> None:
    async def script(seen: Seen) -> None:
        before = played(seen)
        await seen.press("n")
        assert played(seen) != before
        await seen.press("u")
        assert played(seen) == before

    run(script, following=lambda: made(number=1))

    async def alone(seen: Seen) -> None:
        await seen.press("n")
        assert "from a file" in seen.said

    run(alone)


def test_the_help_says_what_the_rules_are_and_w_what_lies_around() -> None:
    game = made("", GEOMETRIES["hexagonal"])

    async def script(seen: Seen) -> None:
        await seen.press("f1")
        assert any("the mines are one set" in line for line in seen.lines)
        await seen.press("q", "w")
        assert seen.said.startswith("Around it: (0, 1) ")

    run(script)

    async def hexagons(seen: Seen) -> None:
        go(seen, 12)
        await seen.press("w")
        near = ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 3)", "(3, 1)", "(3, 2)"]
        assert all(f"{cell} " in seen.said for cell in near)
        assert seen.said.count("(") == 6

    run(hexagons, game)


def test_the_process_of_hints_takes_boards_under_rules() -> None:
    game = made("C W")
    with closing(Hints(60, searches.start)) as hints:
        found = hints.ask(searches.certain, game.seen)
        assert found is not None
        assert found.safe & sum(1 << cell for cell in game.mines) == 0
        assert found.safe
