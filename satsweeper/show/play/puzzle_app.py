"""The app of games under rules: keys become moves and hints, and the board is drawn as text."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from signal import Signals
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import ScrollableContainer
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Static

from pbcnf.wording import counted
from satsweeper.board.errors import DefectError, Error
from satsweeper.processes.deadline import Deadline
from satsweeper.show.play import puzzle_session
from satsweeper.show.play.app import TextPage
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.game_session import STEPS
from satsweeper.show.play.keys import ACTIONS, Keys
from satsweeper.show.play.puzzle_session import OVER, PuzzleGameSession, PuzzleHints

_WITHOUT: Final = frozenset(
    ["level_0", "level_1", "level_2", "level_3", "chord", "again", "odds", "to_the_end", "around",
     "page_up", "page_down"]
)  # fmt: skip
"""The actions that games under rules do not have."""


class HintFound(Message):
    """The message that a search has ended: its number, and what to do with its hints."""

    def __init__(
        self, number: int, found: PuzzleHints | Error, then: Callable[[PuzzleHints], None]
    ) -> None:
        super().__init__()
        self.number = number
        self.found = found
        self.then = then


class PuzzleApp(App[Signals | Error], inherit_bindings=False):
    """The app. ``run`` returns None, the signal that ended the app, or an error.

    Args:
        session: the game to begin with.
        keys: the bindings from actions to keys.
        look: the style of drawing cells.
        seconds: the limit of one search for a hint.
    """

    TITLE = "satsweeper"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []
    CSS: ClassVar[str] = """
    Screen { background: ansi_default; color: ansi_default; layout: vertical; }
    Static { background: ansi_default; color: ansi_default; height: auto; }
    ScrollableContainer { background: ansi_default; scrollbar-size: 0 0; height: 1fr; }
    #status { text-style: bold; height: 1; }
    #board { width: auto; }
    """

    def __init__(
        self, session: PuzzleGameSession, keys: Keys, look: Look, seconds: float = 10
    ) -> None:
        super().__init__(ansi_color=True)
        self.session = session
        self.keys = keys
        self.look = look
        self.seconds = seconds
        self.hints = PuzzleHints()
        self.said = ""
        self.searching = ""
        """The goal of the running search; "" for none."""
        self._search = 0
        self._key: str | None = None
        names = ("status", "board", "said", "where")
        self.lines = {name: Static(id=name, markup=False) for name in names}
        self.scroller = ScrollableContainer(self.lines["board"], can_focus=False)

    def compose(self) -> ComposeResult:
        """The status, the board, the message, and the cell of the cursor."""
        yield self.lines["status"]
        yield self.scroller
        yield self.lines["said"]
        yield self.lines["where"]

    def on_mount(self) -> None:
        """Draw the game."""
        self._show(f"{self._key_of('help')} is help.")
        if not self.is_headless and os.name == "posix":
            loop = asyncio.get_running_loop()
            for number in (Signals.SIGINT, Signals.SIGTERM, Signals.SIGHUP):
                loop.add_signal_handler(number, self.exit, number)

    def on_key(self, event: events.Key) -> None:
        """Do the action of the key."""
        event.stop()
        event.prevent_default()
        if event.key == "ctrl+c":
            self.exit(Signals.SIGINT)
            return
        key = event.character if event.is_printable and event.character != " " else event.key
        action = self.keys.action(key or event.key, self._key)
        self._key = key
        if action is None or action in _WITHOUT:
            self._show(f"The key {key} does nothing; {self._key_of('help')} is help.")
        else:
            self._do(action)

    def on_hint_found(self, message: HintFound) -> None:
        """Use the hints, unless the game has gone on meanwhile."""
        if message.number != self._search:
            return
        self.searching = ""
        if isinstance(message.found, DefectError):
            self.exit(message.found)
        elif isinstance(message.found, Error):
            self._show(str(message.found))
        else:
            message.then(message.found)

    def _do(self, action: str) -> None:
        session = self.session
        if action in STEPS:
            session.move(*STEPS[action])
            self._show(self.said)
        elif action == "open":
            self._changed(session.open())
        elif action == "flag":
            self._changed(session.flag())
        elif action == "undo":
            self._changed(session.undo())
        elif action == "new":
            self._changed(session.next())
        elif action == "explain":
            work = partial(puzzle_session.why, session.game, session.here)
            self._ask("a reason", work, self._hint)
        elif action in ("certain", "step", "auto"):
            what, search, then = {
                "certain": ("certain cells", puzzle_session.certain, self._hint),
                "step": ("a certain move", puzzle_session.certain, self._step),
                "auto": ("a move", puzzle_session.move, self._auto),
            }[action]
            self._ask(what, partial(search, session.game), then)
        elif action == "stop":
            self._changed(f"Stopped searching for {self.searching}." if self.searching else "")
        elif action == "help":
            self.push_screen(TextPage(manual(self.keys, session, self.look)))
        else:
            self.exit()

    def _hint(self, found: PuzzleHints) -> None:
        self.hints = found
        self._show(found.said)

    def _step(self, found: PuzzleHints) -> None:
        if found.safe:
            self._changed(self.session.play(found))
        else:
            self._show(f"{found.said} {self._key_of('auto')} guesses.")

    def _auto(self, found: PuzzleHints, opened: int = 0) -> None:
        """Play certain moves until there are none; a guess only where there was none at first."""
        if found.safe:
            opened += len(found.safe)
            self.session.play(found)
            self._changed(f"Opened {counted(opened, 'cell')}.")
            if not self.session.over:
                work = partial(puzzle_session.certain, self.session.game)
                self._ask("a move", work, partial(self._auto, opened=opened))
        elif opened:
            self._show(f"Opened {counted(opened, 'cell')}, and now no cell is certain.")
        elif found.guess is None:
            self._show(found.said)
        else:
            self._changed(self.session.play(found))

    def _ask(
        self,
        what: str,
        work: Callable[[Deadline], PuzzleHints],
        then: Callable[[PuzzleHints], None],
    ) -> None:
        """Search in a thread, and return at once."""
        if self.session.over:
            self._show(OVER)
            return
        if self.searching:
            self._show(f"Still searching for {self.searching}.")
            return
        self._search += 1
        self.searching = what
        self._show(f"Searching for {what} ...")
        number = self._search

        def search() -> None:
            found: PuzzleHints | Error
            try:
                found = work(Deadline.after(self.seconds))
            except Error as error:
                found = error
            self.post_message(HintFound(number, found, then))

        self.run_worker(search, thread=True)

    def _changed(self, said: str) -> None:
        """Draw the board after a move: a search for the position before is given up."""
        self._search += 1
        self.searching = ""
        self.hints = PuzzleHints()
        self._show(said or {"won": "Won.", "lost": "Lost."}.get(self.session.game.status, ""))

    def _show(self, said: str) -> None:
        self.said = said
        game = self.session.game
        left = (game.puzzle.mines or 0) - len(game.flags | game.exploded)
        rules = " ".join(game.puzzle.rules) or "V"
        status = f"rules {rules}, {game.puzzle.geometry.name}: {counted(left, 'mine')} left"
        self.lines["status"].update(f"{status}, {game.status}")
        self.lines["board"].update(drawn_board(self.session, self.hints, self.look))
        self.lines["said"].update(said)
        self.lines["where"].update(f"{self.session.cursor}: {self._where()}")
        width = cell_width(self.session)
        row, column = self.session.cursor
        self.scroller.scroll_to_region(
            Region(width * column, row, 2 * width, 1), animate=False, force=True
        )

    def _where(self) -> str:
        game, here = self.session.game, self.session.here
        if here in game.opened:
            return f"a clue, {game.symbols[here]}"
        marks = [
            (game.exploded, "the mine that was opened"),
            (game.flags, "a flag"),
            (self.hints.safe, "certainly safe"),
            (self.hints.mines, "certainly a mine"),
        ]
        return next((what for cells, what in marks if here in cells), "covered")

    def _key_of(self, action: str) -> str:
        keys = self.keys.of[action]
        return keys[0] if keys else f"({action}: no key)"


def cell_width(session: PuzzleGameSession) -> int:
    """Return the width of a cell: the bar before it, and the longest clue."""
    return (
        1
        + max([1, *[len(clue.text()) for clue in session.game.clues.values()]])
        + (2 * (session.game.puzzle.clue_rules == ("#",)))
    )


def drawn_board(session: PuzzleGameSession, hints: PuzzleHints, look: Look) -> Text:
    """Return the board: brackets around the cursor, parentheses around the clues of a reason."""
    game = session.game
    width = cell_width(session) - 1
    text = Text(no_wrap=True, overflow="ignore")
    symbols = game.symbols
    half = " " * ((width + 1) // 2) if game.puzzle.geometry.name == "hexagonal" else ""
    for row in range(game.puzzle.rows):
        text.append(half * (row % 2))
        behind = " "
        for column in range(game.puzzle.columns):
            cell = row * game.puzzle.columns + column
            before, behind = behind, " "
            if cell == session.here:
                before, behind = "[", "]"
            elif cell in hints.marks:
                before, behind = "(", ")"
            symbol, style = _drawn(session, cell, symbols[cell], hints, look)
            text.append(before)
            here = cell == session.here
            text.append(symbol.ljust(width), Style.parse(style) + Style(reverse=here, bold=here))
        text.append(behind + "\n")
    return text


def _drawn(
    session: PuzzleGameSession, cell: int, symbol: str, hints: PuzzleHints, look: Look
) -> tuple[str, str]:
    game = session.game
    kind = ""
    if cell in game.exploded:
        kind = "exploded"
    elif session.over and cell in game.mines:
        kind = "flag" if cell in game.flags else "mine"
    elif cell in game.opened:
        return symbol, ""
    elif cell in game.flags:
        kind = "wrong" if session.over or cell in hints.safe else "flag"
    elif cell in hints.safe or cell in hints.mines:
        kind = "safe" if cell in hints.safe else "certain mine"
    found = look.kind(kind or "covered")
    return found.symbol, found.style


def manual(keys: Keys, session: PuzzleGameSession, look: Look) -> str:
    """Return the help."""
    from satsweeper.puzzle.rules.table import CLUES, LAYOUTS

    puzzle = session.game.puzzle
    lines = [
        f"{', '.join(keys.of[each.name]):<22}{each.what}"
        for each in ACTIONS
        if keys.of[each.name] and each.name not in _WITHOUT
    ]
    table = LAYOUTS | CLUES
    said = [f"  {each}: {table[each].summary}" for each in puzzle.rules if each in table]
    covered, flag = look.kind("covered").symbol, look.kind("flag").symbol
    return "\n".join(
        [
            f"Minesweeper under rules, {puzzle!r}",
            *said,
            "",
            *lines,
            "",
            f"{covered} covered, {flag} a flag; S safe, M a mine for certain. A 0 opens nothing by",
            "itself. [ ] is the cursor, ( ) a clue that forces a verdict. Hints follow from the",
            "open cells, the rules and the total alone.",
        ]
    )
