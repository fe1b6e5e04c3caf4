"""Games under rules in the terminal: keys, hints with reasons, and the drawn board."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot

from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.game import PuzzleGame
from satsweeper.puzzle.play.generate import generate_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.keys import Keys
from satsweeper.show.play.puzzle_app import PuzzleApp
from satsweeper.show.play.puzzle_session import PuzzleGameSession


def made(rules: str = "C", geometry: str = "square", number: int = 0) -> PuzzleGame:
    puzzle = Puzzle(grid(geometry, 5, 5), tuple(rules.split()), mines=6)
    return PuzzleGame.of(generate_puzzle(puzzle, no_guess=True, seed=2, number=number))


def run(
    script: Callable[[PuzzleApp, Callable[..., Awaitable[None]]], Awaitable[None]],
    game: PuzzleGame | None = None,
    **options: Any,
) -> PuzzleApp:
    app = PuzzleApp(PuzzleGameSession(game or made(), **options), Keys.default(), Look(True, False))

    async def press(pilot: Pilot[Any], *keys: str) -> None:
        for key in keys:
            await pilot.press(key)
            while True:
                await app.workers.wait_for_complete()
                await pilot.pause()
                if not app.searching:
                    break

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot)
            await script(app, lambda *keys: press(pilot, *keys))

    asyncio.run(play())
    return app


def lines(app: PuzzleApp) -> list[str]:
    strips = app.screen._compositor.render_strips()
    return ["".join(part.text for part in strip).rstrip() for strip in strips]


def test_the_board_is_drawn_with_its_rules_and_the_cursor_in_brackets() -> None:
    async def script(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        seen = lines(app)
        assert seen[0] == "rules C, square: 6 mines left, in play"
        assert seen[1].startswith("[.]")
        await press("down", "right")
        assert app.session.cursor == (1, 1)
        assert lines(app)[2][2] == "["

    run(script)


def test_a_cell_is_opened_flagged_and_both_are_taken_back() -> None:
    game = made()
    safe = min(game.clues.keys() - game.opened)
    row, column = divmod(safe, 5)

    async def script(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        await press(*["down"] * row, *["right"] * column, "space")
        assert app.session.game.flags == {safe}
        await press("enter")
        assert "flag" in app.said
        await press("space", "enter")
        assert safe in app.session.game.opened
        await press("enter")
        assert "open" in app.said
        await press("u", "u", "u")
        assert app.session.game == game

    run(script, game)


def test_a_mine_ends_the_game_and_all_mines_are_seen() -> None:
    game = made()
    mine = min(game.mines)
    row, column = divmod(mine, 5)

    async def script(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        await press(*["down"] * row, *["right"] * column, "enter")
        assert app.said == "Lost."
        drawn = "".join(lines(app)[1:6])
        assert drawn.count("X") == 1
        assert drawn.count("*") == 5
        await press("s")
        assert "over" in app.said
        await press("u")
        assert not app.session.over

    run(script, game)


def test_certain_cells_are_shown_and_a_reason_names_clues_and_rules() -> None:
    async def script(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        await press("s")
        safe = app.hints.safe
        assert safe
        assert safe <= app.session.game.clues.keys()
        assert app.hints.mines <= app.session.game.mines
        assert "".join(lines(app)[1:6]).count("S") == len(safe)
        row, column = divmod(min(safe), 5)
        await press("escape", *["down"] * row, *["right"] * column, "?")
        assert app.said.startswith(f"({row}, {column}) is safe in every layout with ")
        assert app.hints.marks <= app.session.game.opened

    run(script)


@pytest.mark.parametrize(
    ("rules", "geometry"), [("C", "square"), ("#", "square"), ("", "hexagonal"), ("2E", "torus")]
)
def test_a_board_without_a_guess_is_played_to_its_end_by_certain_moves(
    rules: str, geometry: str
) -> None:
    async def script(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        await press(".")
        assert not app.session.game.exploded
        assert app.said.startswith("Opened ")
        if not app.session.over:
            await press("a")
            assert app.said.startswith("Opened ")
        assert app.session.game.won

    run(script, made(rules, geometry))


def test_where_nothing_is_certain_a_step_does_nothing_and_a_guess_says_its_chance() -> None:
    puzzle = Puzzle(grid("square", 4, 4), ("T",), mines=4)
    game = PuzzleGame.of(generate_puzzle(puzzle, first_click="none"))

    async def script(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        await press(".")
        assert app.said == "No cell is certain. a guesses."
        await press("a")
        assert "guessed" in app.said
        assert len(app.session.game.opened | app.session.game.exploded) == 1

    run(script, game)


def test_a_new_game_follows_and_a_game_from_a_file_has_none() -> None:
    async def script(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        before = app.session.game
        await press("n")
        assert app.session.game != before
        await press("u")
        assert app.session.game == before

    run(script, following=lambda: made(number=1))

    async def alone(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        await press("n")
        assert "from a file" in app.said

    run(alone)


def test_the_help_says_what_the_rules_are() -> None:
    async def script(app: PuzzleApp, press: Callable[..., Awaitable[None]]) -> None:
        await press("f1")
        assert any("the mines are one set" in line for line in lines(app))
        await press("q")
        await press("x")
        assert "does nothing" in app.said
        await press("q")

    run(script)
