"""The game on the terminal of this process: textual is imported here, and not before."""

import os
import signal
import sys

from pbcnf.wording import install_hint
from satsweeper.board.errors import DefectError, Error, MissingError
from satsweeper.engines.table import missing
from satsweeper.processes.standard_output import answer_stream
from satsweeper.show.play import searches
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.keys import Keys
from satsweeper.show.play.searches import Hints
from satsweeper.show.terminal import Color


class TextualMissingError(MissingError):
    """Textual is not installed; the message is a line that says how to get it."""


class NoTerminalError(Error):
    """There is no terminal to play on; the message says why."""


def require_terminal() -> None:
    """Refuse what is no terminal, and what misses textual.

    Raises:
        NoTerminalError: a stream is no terminal, or the terminal cannot move its cursor.
        TextualMissingError: the extra is not installed.
    """
    streams = {"input": sys.stdin, "output": answer_stream(), "error": sys.stderr}
    for name, stream in streams.items():
        if stream is None or not stream.isatty():
            raise NoTerminalError(f"play needs a terminal, and standard {name} is none")
    if os.environ.get("TERM") in (None, "", "dumb", "unknown") and os.name == "posix":
        raise NoTerminalError("play needs a terminal that can move its cursor, and TERM names none")
    if lacking := missing("tui"):
        hint = install_hint("satsweeper[tui]")
        raise TextualMissingError(f"play needs {' and '.join(lacking)}: {hint}")


def play(
    session: GameSession,
    keys: Keys,
    *,
    ascii: bool = False,
    color: Color = "auto",
    mouse: bool = True,
    seconds: float = 10,
    strategy: str = "safest",
) -> None:
    """Play until the player leaves; ``session`` then holds the last game.

    Args:
        session: the game to begin with.
        keys: which do what.
        ascii: draw in ASCII alone; also where the terminal's encoding has nothing else.
        color: ``auto`` minds ``NO_COLOR``; without colours all symbols stay, and the cursor is
            reversed and in brackets.
        mouse: whether the mouse is for the game, and not for the terminal's own selections.
        seconds: the limit of one search for hints.
        strategy: who names the cell of a guess, from ``satsweeper.play.strategies.table``.

    Raises:
        NoTerminalError, TextualMissingError: as ``require_terminal``.
        KeyboardInterrupt: after Ctrl-C, once the terminal is as it was.
        SystemExit: after another signal, with the exit code that a shell gives to it.
        DefectError: a cell that was called safe had a mine.
    """
    require_terminal()
    ascii = ascii or "utf" not in (answer_stream().encoding or "").lower()
    colors = color == "always" or (color == "auto" and "NO_COLOR" not in os.environ)
    if colors:
        # Textual would take them away, whatever is asked for.
        os.environ.pop("NO_COLOR", None)
    from satsweeper.show.play.app import PlayApp

    hints = Hints(seconds, searches.start)
    app = PlayApp(session, keys, Look(ascii, colors), hints, strategy)
    ended = app.run(mouse=mouse)
    if isinstance(ended, signal.Signals):
        if ended is signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + ended)
    if isinstance(ended, Error):
        raise ended
    if app.return_code:
        raise DefectError("the game broke off, for the reason above")
