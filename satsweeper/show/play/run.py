"""The game on the terminal of this process; textual is imported only when a game begins."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from time import monotonic

from pbcnf.wording import install_hint
from satsweeper.board.errors import DefectError, Error, MissingError
from satsweeper.engines.table import missing
from satsweeper.processes.standard_output import answer_stream
from satsweeper.show.play import searches
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.keys import Keys
from satsweeper.show.play.searches import Hints
from satsweeper.show.play.session import BoardSession
from satsweeper.show.terminal import Color


class TextualMissingError(MissingError):
    """Textual is not installed; the message is one line with the command that installs it."""


class NoTerminalError(Error):
    """There is no terminal to play on; the message says why."""


def require_terminal() -> None:
    """Raise an exception unless a game can be played on the terminal of this process.

    Raises:
        NoTerminalError: a stream is no terminal, or the terminal cannot move its cursor.
        TextualMissingError: textual is not installed.
    """
    streams = (
        ("standard input", "where keys come from", sys.stdin),
        ("standard output", "where the result goes", answer_stream()),
        ("standard error", "where the screen is drawn", sys.stderr),
    )
    for name, what, stream in streams:
        if stream is None or not stream.isatty():
            raise NoTerminalError(f"play needs a terminal, and {name}, {what}, is none")
    if os.environ.get("TERM") in (None, "", "dumb", "unknown") and os.name == "posix":
        raise NoTerminalError("play needs a terminal that can move its cursor, and TERM names none")
    if lacking := missing("tui"):
        hint = install_hint("satsweeper[tui]")
        raise TextualMissingError(f"play needs {' and '.join(lacking)}: {hint}")


def play(
    session: BoardSession,
    keys: Keys,
    *,
    ascii: bool = False,
    color: Color = "auto",
    mouse: bool = True,
    seconds: float = 10,
    strategy: str = "safest",
    clock: bool = True,
) -> None:
    """Play until the player leaves; ``session`` then holds the last game.

    Args:
        session: the game to begin with.
        keys: the bindings from actions to keys.
        ascii: whether to draw in ASCII alone; terminals whose encoding is not UTF do in any case.
        color: ``auto`` obeys ``NO_COLOR``; without colours all symbols stay, and the cursor is
            reversed and in brackets.
        mouse: whether clicks go to the game; if not, the terminal keeps them for selections.
        seconds: the limit of one search for hints.
        strategy: the name of the strategy that guesses, of ``satsweeper.play.strategies.table``.
        clock: whether the time of the game is shown.

    Raises:
        NoTerminalError, TextualMissingError: as ``require_terminal``.
        KeyboardInterrupt: after Ctrl-C, once the terminal is restored.
        SystemExit: after another signal, with the exit code 128 plus the number of the signal.
        DefectError: a cell that was called safe had a mine, or the app ended by an exception.
    """
    require_terminal()
    ascii = ascii or "utf" not in (answer_stream().encoding or "").lower()
    colors = color == "always" or (color == "auto" and "NO_COLOR" not in os.environ)
    if colors:
        # Textual obeys NO_COLOR even if ``color`` is ``always``.
        os.environ.pop("NO_COLOR", None)
    look = Look(ascii, colors)
    from satsweeper.show.play.app import PlayApp

    hints = Hints(seconds, partial(searches.start, board=session.like))
    app = PlayApp(session, keys, look, hints, strategy, monotonic if clock else None)
    ended = app.run(mouse=mouse)
    if isinstance(ended, signal.Signals):
        if ended is signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + ended)
    if isinstance(ended, Error):
        raise ended
    if app.return_code:
        raise DefectError("the game broke off, for the reason above")
