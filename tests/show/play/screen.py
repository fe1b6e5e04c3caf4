"""The game without a terminal: keys are pressed, searches are waited for, the screen is read."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from copy import deepcopy
from functools import partial
from typing import Any, cast

import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot

from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.play.game import Game
from satsweeper.processes.deadline import Deadline
from satsweeper.show.play.app import PlayApp
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.keys import Keys
from satsweeper.show.play.searches import Hints, Job, SearchResult
from satsweeper.show.play.session import BoardSession

TINY = ["*....", ".....", "..*..", ".....", "....*"]
"""A game that the corner at the top right opens in part."""


class Direct(Hints):
    """Does the jobs of hints at once, or answers by ``answer``; notes what it is given."""

    def __init__(self, answer: Callable[[Job], SearchResult] | None = None) -> None:
        self.given: list[tuple[object, ...]] = []
        self.answer = answer

    def ask(self, job: Job, *arguments: object) -> SearchResult | None:
        self.given.append(arguments)
        return self.answer(job) if self.answer else job(lambda part: None, Deadline(), *arguments)

    def begin(self) -> None:
        """Nothing goes on, and so in what follows."""

    stop = close = begin


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Seen:
    """An app and its screen, read as text."""

    def __init__(self, pilot: Pilot[Any], app: PlayApp, clock: Clock) -> None:
        self.pilot = pilot
        self.app = app
        self.clock = clock

    async def press(self, *keys: str) -> "Seen":
        """Press keys, and wait after each until all that comes of it is there."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()
        return self

    async def settle(self) -> None:
        while True:
            await self.app.workers.wait_for_complete()
            await self.pilot.pause()
            if not self.app.searching:
                return

    @property
    def lines(self) -> list[str]:
        strips = self.app.screen._compositor.render_strips()
        return ["".join(part.text for part in strip).rstrip() for strip in strips]

    @property
    def status(self) -> str:
        return self.lines[0]

    @property
    def where(self) -> str:
        return self.lines[-1]

    @property
    def said(self) -> str:
        return self.app.said

    @property
    def board(self) -> list[str]:
        """The symbols of the cells, row by row, without bars; of a board that fits."""
        view = self.app.board.viewport
        assert view is not None
        lines = self.lines[1:]
        places = [[view.place_of((row, column)) for column in view.across] for row in view.down]
        return ["".join(f"{lines[y]:<200}"[x] for x, y in row) for row in places]

    @property
    def colors(self) -> set[str]:
        """The colours in which anything is drawn, but for those of the terminal itself."""
        strips = self.app.screen._compositor.render_strips()
        styles = [part.style for strip in strips for part in strip if part.style]
        found = {color.name for style in styles for color in (style.color, style.bgcolor) if color}
        return found - {"default"}


Script = Callable[..., Awaitable[None]]


def play(
    script: Script,
    rows: list[str] | None = None,
    *,
    game: Game | None = None,
    session: BoardSession | None = None,
    size: tuple[int, int] = (80, 24),
    keys: Keys | None = None,
    look: Look | None = None,
    asked: Callable[[], Any] = Direct,
) -> PlayApp:
    """Run a script on a layout (``*`` a mine), or on another game or session."""
    if game is None and session is None:
        rows = rows or TINY
        geometry = Square(len(rows), len(rows[0]))
        cells = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "*"]
        game = Game.on(Layout(geometry, sum(1 << geometry.index(cell) for cell in cells)))
    look = look or Look(color=False)
    session = session or GameSession(cast(Game, game))
    clock = Clock()
    app = PlayApp(session, keys or Keys.default(), look, asked(), clock=clock)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            seen = Seen(pilot, app, clock)
            await seen.settle()
            await script(seen)

    asyncio.run(run())
    return app


def on(rows: list[str] | None = None, **options: Any) -> Callable[[Script], Callable[..., None]]:
    """Make a test of a script, which `play` runs with these arguments.

    Of the script's parameters ``seen`` is the screen; pytest provides the others.
    """

    def test_of(script: Script) -> Callable[..., None]:
        def test(**others: object) -> None:
            play(partial(script, **others), rows, **deepcopy(options))

        _, *parameters = inspect.signature(script).parameters.values()
        test.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return test

    return test_of
